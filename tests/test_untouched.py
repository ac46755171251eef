"""A dry run, and the look before the run lock, change nothing: not a byte, not a file (DESIGN section 6)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from consolidate.errors import BusyError, NotAStoreError, StorageError
from consolidate.run import recovery, run_lock
from consolidate.run.live import Live
from consolidate.store import files
from consolidate.store.files import StorePaths
from tests import swap_job
from tests.swap_job import RUN, SECOND
from tests.test_recovery import crash_after_a_commit, crash_in_a_transaction
from tests.writers import FACTS, JOURNALS, Client, contents, look, make_store, state


def at_rest(path: Path) -> None:
    assert state(path)


def hot_journal_in_a_log(path: Path) -> None:
    crash_after_a_commit(path)
    path.with_name("memory.db-shm").unlink()


def leftovers(path: Path) -> None:
    for name in (".shadow", ".shadow-base", ".shadow-base-wal", f".pre-{SECOND}.part"):
        path.with_name(path.name + name).write_bytes(b"left by a dead run" * 100)


def linked(path: Path) -> None:
    path.with_name(f"memory.db.pre-{SECOND}").hardlink_to(path)


CASES: list[tuple[str, Callable[[Path], None], int]] = [
    ("delete", at_rest, FACTS),
    ("persist", at_rest, FACTS),
    ("wal", at_rest, FACTS),
    ("delete", crash_in_a_transaction, FACTS),
    ("wal", crash_after_a_commit, FACTS + 1),
    ("wal", hot_journal_in_a_log, FACTS + 1),
    ("delete", leftovers, FACTS),
    ("delete", linked, FACTS),
]
all_cases = pytest.mark.parametrize(("journal", "before", "facts"), CASES)


def dry_run(path: Path) -> int:
    """Do what a dry run does, and return how many facts its shadow has."""
    paths = StorePaths.of(path, plan=True)
    Live.check(paths)
    with run_lock.acquire(paths, RUN, keep=False) as lock:
        recovery.recover(paths, lock, dry_run=True)
        try:
            with Live.open(paths, lock=lock, lock_timeout=5, dry_run=True) as live:
                prepared = swap_job.make_pass(live)
                assert not live.is_open
                assert live.quiet()
                return int(look(prepared.shadow, "SELECT count(*) FROM facts")[0][0])
        finally:
            files.remove_shadows(paths)


@all_cases
def test_a_dry_run_leaves_every_byte_as_it_was(
    tmp_path: Path, journal: str, before: Callable[[Path], None], facts: int
) -> None:
    path = make_store(tmp_path, journal)
    before(path)
    found = contents(tmp_path)
    assert dry_run(path) == facts + 1
    assert contents(tmp_path) == found


@all_cases
def test_the_look_before_the_lock_leaves_every_byte_as_it_was(
    tmp_path: Path, journal: str, before: Callable[[Path], None], facts: int
) -> None:
    path = make_store(tmp_path, journal)
    before(path)
    found = contents(tmp_path)
    Live.check(StorePaths.of(path))
    assert contents(tmp_path) == found


@pytest.mark.parametrize("journal", JOURNALS)
def test_a_dry_run_beside_an_application_disturbs_nothing(tmp_path: Path, journal: str) -> None:
    path = make_store(tmp_path, journal)
    with Client(path, timeout=0) as other:
        other.sql("UPDATE facts SET value = 'mine' WHERE id = 'f0'")
        found = contents(tmp_path, ["memory.db-shm"])
        assert dry_run(path) == FACTS + 1
        assert contents(tmp_path, ["memory.db-shm"]) == found
        other.sql("UPDATE facts SET value = 'mine again' WHERE id = 'f0'")
        other.close()
    assert look(path, "SELECT value FROM facts WHERE id = 'f0'") == [("mine again",)]


def test_a_dry_run_of_a_store_that_is_being_written_waits_for_no_luck(tmp_path: Path) -> None:
    path = make_store(tmp_path)
    with Client(path) as other:
        other.sql("PRAGMA cache_size=1")
        other.sql("BEGIN")
        other.sql("UPDATE facts SET value = hex(randomblob(3000))")
        paths = StorePaths.of(path, plan=True)
        with run_lock.acquire(paths, RUN, keep=False) as lock, pytest.raises(BusyError):
            Live.open(paths, lock=lock, lock_timeout=0, dry_run=True)
        other.sql("COMMIT")
    assert dry_run(path) == FACTS + 1


def test_the_look_before_the_lock_waits_for_nobody(tmp_path: Path) -> None:
    path = make_store(tmp_path)
    with Client(path) as other:
        other.sql("BEGIN EXCLUSIVE")
        Live.check(StorePaths.of(path))


def _not_sqlite(path: Path) -> None:
    path.write_bytes(b"this is no database\n" * 100)


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _no_column(path: Path) -> None:
    with Client(path) as other:
        other.sql("ALTER TABLE facts DROP COLUMN evidence")
        other.close()


def _a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize(
    ("spoil", "error", "message"),
    [
        (_not_sqlite, NotAStoreError, "not an SQLite database"),
        (_empty, NotAStoreError, "no table facts"),
        (_no_column, NotAStoreError, "no column evidence"),
        (_a_folder, StorageError, "not a regular file"),
        (Path.unlink, StorageError, "There is no store"),
    ],
)
def test_what_is_no_store_is_named_and_left_alone(
    tmp_path: Path, spoil: Callable[[Path], None], error: type[Exception], message: str
) -> None:
    path = make_store(tmp_path)
    spoil(path)
    found = {} if path.is_dir() else contents(tmp_path)
    with pytest.raises(error, match=message) as raised:
        Live.check(StorePaths.of(path))
    assert str(path) in str(raised.value)
    assert ({} if path.is_dir() else contents(tmp_path)) == found
