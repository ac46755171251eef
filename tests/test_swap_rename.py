"""Swapping by rename: only when nobody else has the file open, and then in one step (DESIGN section 4)."""

from __future__ import annotations

import fcntl
import os
import shutil
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from consolidate.errors import BusyError, StorageError
from consolidate.model import Swap
from consolidate.run import in_place, lease, rename
from consolidate.run.live import Live, NotFree, NotQuiet
from consolidate.store import files
from tests import swap_job
from tests.swap_job import RUN
from tests.writers import (
    FACTS,
    INSERT,
    JOURNALS,
    Client,
    ClientError,
    journal_of,
    look,
    make_store,
    names,
    state,
)

both_journals = pytest.mark.parametrize("journal", JOURNALS)


def refuse(path: Path, live: Live, error: type[Exception]) -> None:
    """Try to swap by rename; it must be refused and leave everything as it was, and the connection usable."""
    prepared = swap_job.make_pass(live)
    rename.finish(prepared, live)
    inode = path.stat().st_ino
    with pytest.raises(error):
        rename.swap(live, prepared, live.paths.pre(RUN))
    assert not live.swapped
    assert path.stat().st_ino == inode
    assert not live.paths.pre(RUN).exists()
    assert not live.db.in_transaction


@both_journals
def test_with_nobody_there_the_shadow_becomes_live_and_live_becomes_pre(tmp_path: Path, journal: str) -> None:
    path = make_store(tmp_path, journal)
    before, inode = state(path), path.stat().st_ino
    with swap_job.opened(path) as (live, said):
        prepared = swap_job.make_pass(live)
        assert rename.possible(live)
        new = prepared.candidate.stat().st_ino
        rename.finish(prepared, live)
        result = rename.swap(live, prepared, live.paths.pre(RUN))
        assert live.swapped
    pre = tmp_path / f"memory.db.pre-{RUN}"
    assert (said, result.swap, result.notices) == ([], Swap.RENAME, [])
    assert (path.stat().st_ino, pre.stat().st_ino) == (new, inode)
    assert names(tmp_path) == ["memory.db", "memory.db.lock", pre.name]
    assert state(pre) == before != state(path)
    assert len(state(path)) == FACTS + 1
    assert (journal_of(path), journal_of(pre)) == (journal, journal)


@both_journals
def test_pre_is_complete_in_itself(tmp_path: Path, journal: str) -> None:
    path = make_store(tmp_path / "store", journal)
    before = state(path)
    swap_job.run(path, "rename")
    alone = tmp_path / "alone.db"
    shutil.move(tmp_path / "store" / f"memory.db.pre-{RUN}", alone)
    assert state(alone) == before
    shutil.move(alone, path)
    assert state(path) == before


@both_journals
@pytest.mark.parametrize("client", ["opened", "reading", "file"])
def test_any_opener_prevents_it(tmp_path: Path, journal: str, client: str) -> None:
    path = make_store(tmp_path, journal)
    with Client(path, "file" if client == "file" else "sqlite3") as other, swap_job.opened(path) as (live, _):
        if client == "reading":
            other.sql("SELECT count(*) FROM facts")
        assert not rename.possible(live)
        refuse(path, live, NotFree)
        if client != "file":
            other.sql(INSERT, "late")
        assert live.quiet() == (client == "file")
        prepared = swap_job.make_pass(live)
        assert in_place.swap(live, prepared, live.paths.pre(RUN)).swap == Swap.IN_PLACE
        if client != "file":
            assert other.sql("SELECT count(*) FROM facts") == [[FACTS + 2]]
    assert journal_of(path) == journal


@both_journals
def test_a_store_written_since_the_snapshot_is_not_quiet(tmp_path: Path, journal: str) -> None:
    path = make_store(tmp_path, journal)
    with swap_job.opened(path) as (live, _):
        prepared = swap_job.make_pass(live)
        with Client(path) as other:
            other.sql(INSERT, "late")
            other.close()
        rename.finish(prepared, live)
        with pytest.raises(NotQuiet):
            rename.swap(live, prepared, live.paths.pre(RUN))
        again = swap_job.make_pass(live)
        rename.finish(again, live)
        rename.swap(live, again, live.paths.pre(RUN))
    assert "late" in str(state(path))
    assert "promoted" in str(state(path))


def _at(monkeypatch: pytest.MonkeyPatch, operation: str, act: Callable[[], None]) -> None:
    """Let something happen in the outside world just before the job's next file operation of that name."""
    real = getattr(files, operation)
    pending = [act]

    def wrapped(*arguments: Any) -> Any:
        if pending:
            pending.pop()()
        return real(*arguments)

    monkeypatch.setattr(files, operation, wrapped)


def _until_somebody_waits(live: Live) -> None:
    """Return when the kernel has told this process that an opener is waiting for the lease to end."""
    descriptor = lease.find_descriptor(live.identity)
    assert descriptor is not None
    while fcntl.fcntl(descriptor, fcntl.F_GETLEASE) == fcntl.F_WRLCK:
        pass


@both_journals
def test_an_opener_that_comes_before_the_rename_finds_the_old_store_unharmed(
    tmp_path: Path, journal: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = make_store(tmp_path, journal)
    before = state(path)
    with Client(path, opened=False) as other:
        with swap_job.opened(path) as (live, _):

            def come() -> None:
                other._send({"do": "open"})
                _until_somebody_waits(live)

            _at(monkeypatch, "link", come)
            refuse(path, live, NotFree)
            assert live.lock.note is None
            other.answer()
            assert other.sql("SELECT count(*) FROM facts") == [[FACTS]]
            other.sql("UPDATE facts SET value = 'kept' WHERE id = 'f0'")
        other.close()
    assert state(path) == before
    assert look(path, "SELECT value FROM facts WHERE id = 'f0'") == [("kept",)]
    assert (journal_of(path), names(tmp_path)) == (journal, ["memory.db", "memory.db.lock"])


@both_journals
def test_an_opener_that_slips_in_is_held_off_and_named(
    tmp_path: Path, journal: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = make_store(tmp_path, journal)
    with Client(path, timeout=0, opened=False) as other:
        with swap_job.opened(path, lock_timeout=0.1) as (live, _):
            prepared = swap_job.make_pass(live)
            rename.finish(prepared, live)

            def come() -> None:
                other._send({"do": "open"})
                _until_somebody_waits(live)

            _at(monkeypatch, "rename", come)
            result = rename.swap(live, prepared, live.paths.pre(RUN))
        (straggler,) = [notice for notice in result.notices if notice.kind == "straggler"]
        assert f"process {other._process.pid} " in straggler.message
        other.answer()
        # It knows the old file by live's name: in write-ahead logging it would write into the log of the new store.
        with pytest.raises(ClientError, match=r"readonly|moved"):
            other.sql(INSERT, "into the old file")
        with swap_job.opened(path, swap_job.SECOND) as (_, said):
            assert bool(said) == (journal == "wal")
    assert "promoted" in str(state(path))
    pre = tmp_path / f"memory.db.pre-{RUN}"
    assert names(tmp_path) == ["memory.db", "memory.db.lock", pre.name]
    with swap_job.opened(path, swap_job.SECOND):
        pass  # what the straggler kept from being restored, the next run restores
    assert (journal_of(path), journal_of(pre)) == (journal, journal)
    assert len(state(pre)) == FACTS


@both_journals
def test_nothing_at_the_path_is_touched_after_the_rename(
    tmp_path: Path, journal: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The journal at the path belongs to the new store then: a job that deleted it would spoil the next crash's recovery."""
    path = make_store(tmp_path, journal)
    with Client(path, opened=False) as other:
        with swap_job.opened(path) as (live, _):
            prepared = swap_job.make_pass(live)
            rename.finish(prepared, live)
            real = files.fsync_folder

            def write_half_a_transaction(folder: Path) -> None:
                if files.identity(path) != live.identity:
                    other.open()
                    for statement in ("PRAGMA journal_mode=DELETE", "PRAGMA cache_size=1", "BEGIN"):
                        other.sql(statement)
                    other.sql("UPDATE facts SET value = hex(randomblob(3000))")
                    assert files.size(live.paths.journal) > 0
                real(folder)

            monkeypatch.setattr(files, "fsync_folder", write_half_a_transaction)
            rename.swap(live, prepared, live.paths.pre(RUN))
        assert files.size(live.paths.journal) > 0
        other.kill()
    assert "promoted" in str(state(path))
    assert look(path, "SELECT count(*) FROM facts WHERE length(value) > 100") == [(0,)]


@both_journals
def test_a_new_connection_finds_a_store_at_every_step(
    tmp_path: Path, journal: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = make_store(tmp_path, journal)
    seen = []
    for operation in ("link", "rename", "fsync_folder"):
        _at(monkeypatch, operation, lambda: seen.append(path.stat().st_size > 0))
    swap_job.run(path, "rename")
    assert seen == [True, True, True]


def test_a_hard_link_made_during_the_run_is_refused(tmp_path: Path) -> None:
    path = make_store(tmp_path)
    with swap_job.opened(path) as (live, _):
        prepared = swap_job.make_pass(live)
        (tmp_path / "other.db").hardlink_to(path)
        for way in ("rename", "in-place"):
            with pytest.raises(StorageError, match="hard links"):
                swap_job.swap(live, prepared, way)
            assert live.quiet()


@pytest.mark.parametrize("way", ["rename", "in-place"])
def test_a_store_replaced_during_the_run_is_left_alone(tmp_path: Path, way: str) -> None:
    path = make_store(tmp_path / "store")
    other = make_store(tmp_path / "other", extra="CREATE TABLE mark(x);")
    with swap_job.opened(path) as (live, _):
        prepared = swap_job.make_pass(live)
        other.rename(path)
        with pytest.raises((BusyError, NotFree)):
            swap_job.swap(live, prepared, way)
        assert not live.swapped
    assert look(path, "SELECT count(*) FROM mark") == [(0,)]
    assert not list(path.parent.glob("*.pre-*"))


def test_the_copies_are_private_from_the_first_byte(tmp_path: Path) -> None:
    path = make_store(tmp_path)
    path.chmod(0o600)
    before = os.umask(0)
    try:
        with swap_job.opened(path) as (live, _):
            prepared = swap_job.make_pass(live)
            for copy in (prepared.shadow, prepared.base):
                assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    finally:
        os.umask(before)


def test_a_client_of_the_old_file_cannot_write_into_pre(tmp_path: Path) -> None:
    """The control: what a rename under an open connection would do, and why it is refused."""
    path = make_store(tmp_path)
    with Client(path) as other:
        other.sql("SELECT count(*) FROM facts")
        shutil.copy(path, tmp_path / "copy")
        (tmp_path / "copy").rename(path)
        with pytest.raises(ClientError, match=r"readonly|moved"):
            other.sql(INSERT, "late")
