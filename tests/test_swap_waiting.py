"""What a swap waits for: each copy is synced once, and under the lock nothing is written that could be written before."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import apsw
import pytest

from consolidate.checks.integrity import LARGE
from consolidate.config import Settings, SwapSettings
from consolidate.model import Swap
from consolidate.operate.tenants import Tenant
from consolidate.run import rename
from consolidate.run.live import NotFree
from consolidate.run.nightly import RunOptions, run_tenant
from consolidate.store import files
from tests import swap_job
from tests.faults.kinds import Kind
from tests.faults.power_cut import powered_kinds
from tests.faults.server import Commands
from tests.faults.trials import Trials
from tests.night import NOW, Store
from tests.swap_job import RUN
from tests.writers import FACTS, INSERT, JOURNALS, Client, journal_of, look, make_store, names

both_journals = pytest.mark.parametrize("journal", JOURNALS)


@pytest.fixture(scope="module")
def commands(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Commands]:
    with Commands(tmp_path_factory.mktemp("commands")) as commands:
        yield commands


def is_copy(name: str) -> bool:
    """Whether a name is that of a copy of the store which the job works on, or of what SQLite puts beside one."""
    return name.startswith("memory.db.shadow") or (".part" in name and not name.startswith("memory.db.state"))


@pytest.mark.parametrize("kind", powered_kinds(), ids=lambda kind: kind.name)
def test_a_copy_is_synced_once_and_only_when_it_is_whole(tmp_path: Path, commands: Commands, kind: Kind) -> None:
    _, events, _ = Trials(kind, commands, tmp_path).trace()
    synced = [number for number, event in enumerate(events) if event.kind == "sync" and is_copy(event.name)]
    published = [number for number, event in enumerate(events) if event.kind == "rename" and is_copy(event.name)]
    assert len(synced) == len(published) == 1
    (sync,), (name,) = synced, published
    assert events[sync].name == events[name].name and sync < name
    written = [number for number, event in enumerate(events) if event.inode == events[sync].inode and event.data]
    assert max(written) < sync
    beside = {f"{events[sync].name}-{end}" for end in ("journal", "wal")}
    left: set[str] = set()
    for event in events[:sync]:
        left = (
            left | {event.name} if event.kind == "create" else left - {event.name} if event.kind == "unlink" else left
        )
    assert not left & beside


def make_large(folder: Path, journal: str) -> Path:
    path = make_store(folder, journal, "CREATE TABLE ballast(x); INSERT INTO ballast VALUES (zeroblob(5000000));")
    assert path.stat().st_size > 5_000_000
    return path


@both_journals
@pytest.mark.parametrize("large", [True, False], ids=["large", "small"])
def test_a_large_file_is_flushed_while_nobody_waits(
    tmp_path: Path, journal: str, large: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = make_large(tmp_path, journal) if large else make_store(tmp_path, journal)
    flushed: list[str] = []
    flush = files.flush

    def watched(descriptor: int, live: Path) -> None:
        with Client(path, timeout=0) as other:
            for statement in ("BEGIN IMMEDIATE", "ROLLBACK"):
                other.sql(statement)
            other.close()
        flushed.append(live.name)
        flush(descriptor, live)

    monkeypatch.setattr(files, "flush", watched)
    assert swap_job.run(path, "rename").swap is Swap.RENAME
    assert flushed == ["memory.db"] * large
    assert journal_of(path) == journal


def killed_with_a_log(path: Path) -> None:
    """An application dies with a row that is only in the write-ahead log."""
    with Client(path) as dying:
        dying.sql(INSERT, "late")
        dying.kill()
    assert path.with_name("memory.db-wal").stat().st_size


def test_what_is_in_the_log_is_written_into_the_file_before_the_lock(tmp_path: Path) -> None:
    path, alone = make_store(tmp_path, "wal"), tmp_path / "alone.db"
    killed_with_a_log(path)
    with Client(path, "file"), swap_job.opened(path) as (live, _):
        prepared = swap_job.make_pass(live)
        rename.finish(prepared, live)
        with pytest.raises(NotFree):
            rename.swap(live, prepared, live.paths.pre(RUN))
        assert live.quiet()
        subprocess.run(["cp", path, alone], check=True)  # in this process it would drop the locks of SQLite
    assert look(alone, "SELECT count(*) FROM facts") == [(FACTS + 1,)]


def test_a_store_with_a_log_is_renamed(tmp_path: Path) -> None:
    path = make_store(tmp_path, "wal")
    killed_with_a_log(path)
    assert swap_job.run(path, "rename").swap is Swap.RENAME
    assert names(path.parent) == ["memory.db", "memory.db.lock", f"memory.db.pre-{RUN}"]
    for file in (path, path.with_name(f"memory.db.pre-{RUN}")):
        assert look(file, "SELECT count(*) FROM facts WHERE id = 'late'") == [(1,)]
        assert journal_of(file) == "wal"


def test_a_log_that_a_reader_needs_is_no_reason_to_fail(tmp_path: Path) -> None:
    path = make_store(tmp_path, "wal")
    with Client(path) as reader:
        reader.sql("BEGIN")
        reader.sql("SELECT count(*) FROM facts")
        writer = apsw.Connection(str(path))
        writer.execute(INSERT, ("late",))
        writer.close()
        with swap_job.opened(path) as (live, _):
            prepared = swap_job.make_pass(live)
            rename.finish(prepared, live)
            with pytest.raises(NotFree):
                rename.swap(live, prepared, live.paths.pre(RUN))
            assert live.quiet()


@pytest.mark.parametrize(("mode", "times"), [("auto", 1), ("rename", 1), ("in-place", 0)])
def test_a_large_shadow_is_written_out_while_it_is_checked_if_it_is_to_be_renamed(
    tmp_path: Path, mode: str, times: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(tmp_path / "tenants")
    for day, city in enumerate(("Boston", "Austin"), 1):
        store.fact(city, city, day=day)
    for number in range(LARGE // (1 << 20) + 1):
        store.episode(f"e{number}", "x" * (1 << 20), day=1, user="else")
    written_out, seen = files.written_out, list[str]()

    def watched(path: Path) -> AbstractContextManager[None]:
        seen.append(path.name)
        return written_out(path)

    monkeypatch.setattr(files, "written_out", watched)
    settings = Settings(swap=SwapSettings(mode=mode))
    run = run_tenant(Tenant.of(store.root, store.tenant), settings, RunOptions(now=NOW)).record
    assert (run.outcome, run.swap) == ("swapped", "in-place" if mode == "in-place" else "rename")
    assert seen == ["memory.db.shadow"] * times
