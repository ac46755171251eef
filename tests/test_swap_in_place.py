"""Swapping in place: one transaction on the live file, beside whoever has it open (DESIGN section 4)."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

import apsw
import pytest

from consolidate.errors import BusyError, InternalError, StorageError
from consolidate.model import Swap
from consolidate.run import in_place, rename
from consolidate.run.live import Live, NotQuiet, Prepared
from consolidate.store import files
from tests import swap_job
from tests.swap_job import RUN, SECOND, FaultyJob
from tests.writers import FACTS, INSERT, JOURNALS, Client, ClientError, journal_of, look, make_store, names, state

both_journals = pytest.mark.parametrize("journal", JOURNALS)
PRE = f"memory.db.pre-{RUN}"


def begun(path: Path) -> set[str]:
    """The files of a run that is over and has changed nothing."""
    return {item for item in names(path.parent) if not item.endswith(("-wal", "-shm"))} - {
        "memory.db",
        "memory.db.lock",
    }


@both_journals
def test_live_keeps_its_file_and_pre_is_what_it_was(tmp_path: Path, journal: str) -> None:
    path = make_store(tmp_path, journal)
    before, inode = state(path), path.stat().st_ino
    result = swap_job.run(path, "in-place")
    assert (result.swap, result.notices) == (Swap.IN_PLACE, [])
    assert path.stat().st_ino == inode
    assert names(tmp_path) == ["memory.db", "memory.db.lock", PRE]
    assert state(tmp_path / PRE) == before != state(path)
    assert (journal_of(path), journal_of(tmp_path / PRE)) == (journal, journal)
    assert look(path, "SELECT run_id FROM consolidation_runs") == [(RUN,)]


@both_journals
def test_a_writer_beyond_the_timeout_makes_the_run_give_up(tmp_path: Path, journal: str) -> None:
    path = make_store(tmp_path, journal)
    with Client(path) as other, swap_job.opened(path, lock_timeout=0.1) as (live, _):
        prepared = swap_job.make_pass(live)
        other.sql("BEGIN IMMEDIATE")
        other.sql(INSERT, "late")
        with pytest.raises(BusyError, match=r"memory\.db was locked by another process for 0\.1 seconds"):
            swap_job.swap(live, prepared, "in-place")
        assert not list(tmp_path.glob("*.pre-*"))
        other.sql("COMMIT")
        with pytest.raises(NotQuiet):
            swap_job.swap(live, prepared, "in-place")
        assert not list(tmp_path.glob("*.pre-*"))
        swap_job.swap(live, swap_job.make_pass(live), "in-place")
    assert "late" in str(state(path))


def write_late(path: Path) -> None:
    with Client(path) as other:
        other.sql(INSERT, "late")
        other.sql("DELETE FROM facts WHERE id = 'f7'")
        other.close()


@both_journals
def test_late_rows_are_in_the_pass_that_is_made_under_the_lock(tmp_path: Path, journal: str) -> None:
    path = make_store(tmp_path, journal)
    with swap_job.opened(path) as (live, _), Client(path, timeout=0) as other:
        first = swap_job.make_pass(live)
        write_late(path)

        def again() -> Prepared:
            with pytest.raises(ClientError, match="locked"):
                other.sql(INSERT, "too late")
            return swap_job.make_pass(live)

        result = in_place.swap(live, first, live.paths.pre(RUN), again=again)
        assert (result.swap, live.swapped) == (Swap.IN_PLACE, True)
        other.sql(INSERT, "later")
    for file, expected in ((path, {"late", "later", "promoted"}), (tmp_path / PRE, {"late"})):
        ids = {row[0] for row in look(file, "SELECT id FROM facts")}
        assert ids & {"late", "later", "promoted", "too late", "f7"} == expected


@both_journals
def test_a_pass_under_the_lock_may_find_nothing_to_do_or_fail(tmp_path: Path, journal: str) -> None:
    path = make_store(tmp_path, journal)
    with swap_job.opened(path) as (live, _):
        first = swap_job.make_pass(live)
        write_late(path)
        before = live.db.execute("SELECT count(*) FROM facts").get

        def fail() -> Prepared:
            swap_job.make_pass(live)
            raise RuntimeError("a check failed")

        def interrupted() -> Prepared:
            raise KeyboardInterrupt

        assert in_place.swap(live, first, live.paths.pre(RUN), again=lambda: None).swap is None
        for way_out, error in ((interrupted, KeyboardInterrupt), (fail, RuntimeError)):
            with pytest.raises(error):
                in_place.swap(live, first, live.paths.pre(RUN), again=way_out)
        assert not live.swapped
        assert not live.db.in_transaction
        with Client(path, timeout=0) as other:
            other.sql(INSERT, "after")
            other.close()
        assert live.db.execute("SELECT count(*) FROM facts").get == before + 1
    assert begun(path) == set()


def _open_and_close(path: Path) -> None:
    path.open("rb").close()


def _connect_and_close(path: Path) -> None:
    look(path, "SELECT count(*) FROM facts")


@both_journals
@pytest.mark.parametrize("careless", [_open_and_close, _connect_and_close])
def test_a_lock_lost_to_careless_code_in_this_process_is_noticed(tmp_path: Path, journal: str, careless: Any) -> None:
    """Closing any descriptor on a file drops all locks of the process on it: SQLite cannot know."""
    path = make_store(tmp_path, journal)
    before = state(path)
    with swap_job.opened(path) as (live, _):
        first = swap_job.make_pass(live)
        write_late(path)
        late = live.db.execute("SELECT count(*) FROM facts").get

        def again() -> Prepared:
            prepared = swap_job.make_pass(live)
            careless(path)
            return prepared

        with pytest.raises(InternalError, match=r"lock on .* was lost"):
            in_place.swap(live, first, live.paths.pre(RUN), again=again)
        assert late == FACTS
    assert begun(path) == set()
    assert len(state(path)) == len(before)


@both_journals
def test_what_earlier_runs_noted_stays(tmp_path: Path, journal: str) -> None:
    path = make_store(tmp_path, journal)
    for run_id in (RUN, SECOND):
        number = 1 if run_id == RUN else 2

        def decide(db: Any, number: int = number) -> None:
            db.execute("UPDATE facts SET confirmations = ? WHERE id = 'f3'", (number * 10,))
            db.execute("INSERT INTO consolidation_pins VALUES (?, 'u1', 1.0)", (f"f{number}",))
            db.execute("UPDATE consolidation_pins SET pinned_at = ? WHERE fact_id = 'f1'", (number * 1.0,))
            db.execute("DELETE FROM consolidation_promotions")
            if number == 1:
                db.execute("INSERT INTO consolidation_promotions VALUES (NULL, 'city', 'x', 0, 'f1', '', 'r')")
            db.execute("INSERT INTO consolidation_actions(run_id, seq, fact_id) VALUES (?, 1, 'f3')", (f"r{number}",))

        swap_job.run(path, "in-place", run_id, decide)
    assert look(path, "SELECT run_id FROM consolidation_runs ORDER BY 1") == [(RUN,), (SECOND,)]
    assert look(path, "SELECT fact_id, pinned_at FROM consolidation_pins ORDER BY 1") == [("f1", 2.0), ("f2", 1.0)]
    assert look(path, "SELECT run_id FROM consolidation_actions ORDER BY 1") == [("r1",), ("r2",)]
    assert look(path, "SELECT count(*) FROM consolidation_promotions") == [(0,)]
    assert look(tmp_path / PRE, "SELECT count(*) FROM sqlite_master WHERE name LIKE 'consolidation%'") == [(0,)]


@both_journals
def test_without_a_lease_the_swap_is_made_in_place(tmp_path: Path, journal: str) -> None:
    path = make_store(tmp_path, journal)
    with path.open("rb"), swap_job.opened(path) as (live, _):
        assert not rename.possible(live)
        swap_job.swap(live, swap_job.make_pass(live), "in-place")
    assert "promoted" in str(state(path))


@both_journals
def test_another_users_store_is_changed_in_place(journal: str) -> None:
    """A job that may write the file but does not own it gets no lease, and could not keep the owner."""
    with tempfile.TemporaryDirectory() as folder, FaultyJob() as job:
        path = make_store(Path(folder), journal)
        inode = path.stat().st_ino
        Path(folder).chmod(0o777)
        path.chmod(0o666)
        other_user = 65534 if os.geteuid() == 0 else None
        assert job.run(path, "auto", 0, user=other_user).how == "done"
        assert (path.stat().st_ino == inode) == (other_user is not None)
        assert path.stat().st_uid == os.geteuid()
        assert "promoted" in str(state(path))


@both_journals
def test_a_signal_right_after_the_commit_takes_nothing_back(tmp_path: Path, journal: str) -> None:
    path = make_store(tmp_path, journal)
    before = state(path)

    def interrupt(event: dict[str, Any]) -> None:
        if event["sql"] == "COMMIT":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), swap_job.opened(path) as (live, _):
        prepared = swap_job.make_pass(live)
        live.db.trace_v2(apsw.SQLITE_TRACE_PROFILE, interrupt)
        try:
            swap_job.swap(live, prepared, "in-place")
        finally:
            assert live.swapped
    assert "promoted" in str(state(path))
    assert state(tmp_path / PRE) == before


def test_pre_is_never_overwritten(tmp_path: Path) -> None:
    path = make_store(tmp_path)
    (tmp_path / PRE).write_bytes(b"precious")
    for way in ("in-place", "rename"):
        with pytest.raises(StorageError, match="exists"):
            swap_job.run(path, way)
    assert (tmp_path / PRE).read_bytes() == b"precious"
    assert "promoted" not in str(state(path))


def test_a_full_disk_is_noticed_before_anything_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = make_store(tmp_path)
    with swap_job.opened(path) as (live, _), pytest.raises(StorageError, match="No space is left for the copies"):
        files.require_space(live.paths.folder, 2**62)


def test_a_closed_connection_says_so(tmp_path: Path) -> None:
    path = make_store(tmp_path)
    with swap_job.opened(path) as (live, _):
        _closed(live)
        with pytest.raises(InternalError, match="closed"):
            live.snapshot(live.paths.shadow)


def _closed(live: Live) -> None:
    live.close()
    live.close()


@both_journals
def test_everything_is_durable_before_it_is_relied_on(
    tmp_path: Path, journal: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A power cut keeps what was synced, in the order in which it was synced."""
    path = make_store(tmp_path, journal)
    for way, run_id in (("in-place", RUN), ("rename", SECOND)):
        steps: list[str] = []
        with swap_job.opened(path, run_id) as (live, _):
            prepared = swap_job.make_pass(live, run_id, _give_five_confirmations)
            for name in ("link", "rename", "fsync_file", "fsync_folder"):
                _record(monkeypatch, name, steps)

            def committed(steps: list[str] = steps, live: Live = live) -> bool:
                steps.append(f"commit {live.db.pragma('synchronous')}")
                return False

            live.db.set_commit_hook(committed)
            swap_job.swap(live, prepared, way)
            monkeypatch.undo()
        pre, folder = f"memory.db.pre-{run_id}", f"fsync_folder {tmp_path.name}"
        on_files = [step for step in steps if not step.startswith("commit")]
        if way == "in-place":
            assert on_files == [f"fsync_file {pre}.part", f"rename {pre}", folder]
            assert steps[-1] == "commit 3"
        else:
            assert on_files == ["fsync_file memory.db.shadow", f"link {pre}", folder, "rename memory.db", folder]


def _give_five_confirmations(db: Any) -> None:
    db.execute("UPDATE facts SET confirmations = 5")


def _record(monkeypatch: pytest.MonkeyPatch, name: str, steps: list[str]) -> None:
    real = getattr(files, name)

    def recorded(*arguments: Path) -> Any:
        steps.append(f"{name} {arguments[-1].name}")
        return real(*arguments)

    monkeypatch.setattr(files, name, recorded)
