"""Killed at any point, a run leaves a whole store at the live path, and the next run cleans up and goes on (DESIGN section 4)."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from consolidate.run import recovery, run_lock
from consolidate.store.files import StorePaths
from tests import swap_job
from tests.swap_job import RUN, SECOND, Ended, FaultyJob
from tests.writers import FACTS, INSERT, JOURNALS, Client, contents, journal_of, look, make_store, names, state

both_journals = pytest.mark.parametrize("journal", JOURNALS)
both_ways = pytest.mark.parametrize("way", ["rename", "in-place"])
PRE = f"memory.db.pre-{RUN}"
# Every fault at every operation takes minutes; as a rule the rarer faults come at every seventh, every thirteenth.
EVERY_FAULT = bool(os.environ.get("CONSOLIDATE_EVERY_FAULT"))


@pytest.fixture(scope="module")
def job() -> Iterator[FaultyJob]:
    with FaultyJob() as job:
        yield job


def outcomes(folder: Path, journal: str, way: str, extra: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What the store is before and after the run."""
    path = make_store(folder, journal, extra)
    before = state(path)
    swap_job.run(path, way)
    return before, state(path)


TRIGGER = """CREATE TABLE audit(x);
CREATE TRIGGER t AFTER UPDATE ON facts BEGIN INSERT INTO audit VALUES (new.id); END;"""


CASES = [
    ("delete", "rename", ""),
    ("wal", "rename", ""),
    ("delete", "in-place", ""),
    ("wal", "in-place", ""),
    ("delete", "rename", TRIGGER),
    ("wal", "in-place", TRIGGER),
]
all_cases = pytest.mark.parametrize(
    ("journal", "way", "extra"),
    CASES,
    ids=[f"{journal}-{way}{'-triggers' * bool(extra)}" for journal, way, extra in CASES],
)


class Trial:
    """One fault at every operation of a run, each time in a fresh copy of the same store."""

    def __init__(self, folder: Path, job: FaultyJob, journal: str, way: str, extra: str) -> None:
        self.folder, self.job, self.journal, self.way = folder, job, journal, way
        self.old, self.new = outcomes(folder / "control", journal, way, extra)
        self._pristine = make_store(folder / "pristine", journal, extra).parent

    def each(self, fault: str, stride: int, only: str = "") -> Iterator[tuple[Path, Ended]]:
        """Yield the store after each faulty run, until a run meets no fault; the fault moves on by ``stride`` operations."""
        number = 1 - stride
        while True:
            number += 1 if EVERY_FAULT else stride
            if number < 1:
                continue
            folder = self.folder / f"{fault} {number}"
            shutil.copytree(self._pristine, folder)
            ended = self.job.run(folder / "memory.db", self.way, number, fault, only)
            yield folder / "memory.db", ended
            shutil.rmtree(folder)
            if not ended.last:
                assert ended.how == "done"
                return

    def recover(self, path: Path) -> tuple[str, ...]:
        """Recover, check that everything is whole, and return what the store is."""
        paths = StorePaths.of(path)
        with run_lock.acquire(paths, SECOND) as lock:
            recovery.recover(paths, lock)
        found = state(path)
        assert found in (self.old, self.new)
        assert journal_of(path) == self.journal
        assert path.stat().st_nlink == 1
        kept = path.parent / PRE
        # A rollback journal with nothing to play back may lie there until the next writer takes it.
        assert set(names(path.parent)) - {PRE, "memory.db-journal"} == {"memory.db", "memory.db.lock"}
        if kept.exists():
            assert state(kept) == self.old
            assert journal_of(kept) == self.journal
        assert kept.exists() or found == self.old
        return found

    def converge(self, path: Path, found: tuple[str, ...]) -> None:
        """Run again where the faulty run changed nothing."""
        if found == self.old:
            swap_job.run(path, self.way, SECOND)
            assert "memory.db-journal" not in names(path.parent)
        assert state(path) == self.new


@all_cases
def test_killed_at_every_operation_live_is_whole_and_the_next_run_converges(
    tmp_path: Path, job: FaultyJob, journal: str, way: str, extra: str
) -> None:
    trial = Trial(tmp_path, job, journal, way, extra)
    seen = set()
    for path, ended in trial.each("kill", 4 if extra else 1):
        found = trial.recover(path)
        assert found == trial.new or ended.how == "killed"
        trial.converge(path, found)
        seen.add(ended.last)
    assert extra or {"os.replace", "os.fsync", "sqlite.write"} <= seen
    assert extra or "sqlite.sync" in seen or (journal, way) == ("delete", "rename")


@all_cases
@pytest.mark.parametrize("fault", ["ENOSPC", "EIO", "EIO after"])
def test_a_failing_disk_is_a_clear_error_and_changes_nothing(
    tmp_path: Path, job: FaultyJob, journal: str, way: str, extra: str, fault: str
) -> None:
    trial = Trial(tmp_path, job, journal, way, extra)
    errors = set()
    for path, ended in trial.each(fault, 7):
        if ended.how != "done":
            errors.add(ended.how)
            assert str(path.parent) in ended.message, ended
            assert not list(path.parent.glob("*.shadow*")), ended
            assert not list(path.parent.glob("*.part*")), ended
        found = trial.recover(path)
        assert (found == trial.new) == (ended.how == "done"), ended
        trial.converge(path, found)
    assert errors == {"StorageError"}


@both_journals
@both_ways
@pytest.mark.parametrize("operation", ["sqlite.delete", "sqlite.sync", "os.replace", "os.link", "os.pwrite"])
def test_an_error_that_comes_after_the_deed_is_told_apart_from_one_that_prevents_it(
    tmp_path: Path, job: FaultyJob, journal: str, way: str, operation: str
) -> None:
    trial = Trial(tmp_path, job, journal, way, "")
    for path, ended in trial.each("EIO after", 1, only=operation):
        assert (trial.recover(path) == trial.new) == (ended.how == "done"), ended


@all_cases
def test_interrupted_at_every_line_live_is_whole(
    tmp_path: Path, job: FaultyJob, journal: str, way: str, extra: str
) -> None:
    trial = Trial(tmp_path, job, journal, way, extra)
    for path, ended in trial.each("interrupt", 13):
        assert ended.how == ("interrupted" if ended.last else "done")
        trial.converge(path, trial.recover(path))


def test_a_store_that_died_outside_write_ahead_logging_gets_it_back(tmp_path: Path, job: FaultyJob) -> None:
    path = make_store(tmp_path, "wal")
    assert job.run(path, "rename", 1, only="os.link").how == "killed"
    assert path.read_bytes()[18:20] == b"\x01\x01"
    with swap_job.opened(path, SECOND) as (live, said):
        assert live.journal == "wal"
    assert "the journal mode wal was restored" in " ".join(said)
    assert journal_of(path) == "wal"
    with swap_job.opened(path, SECOND) as (_, said):
        assert said == []


def _die_after_the_rename(path: Path, job: FaultyJob) -> None:
    """The last sync of the job makes the rename durable."""
    inode = path.stat().st_ino
    for number in range(1, 100):
        assert job.run(path, "rename", number, only="os.fsync").how == "killed"
        if path.stat().st_ino != inode:
            return


def test_after_the_rename_pre_gets_write_ahead_logging_back(tmp_path: Path, job: FaultyJob) -> None:
    path = make_store(tmp_path, "wal")
    before = state(path)
    _die_after_the_rename(path, job)
    assert (tmp_path / PRE).read_bytes()[18:20] == b"\x01\x01"
    assert path.read_bytes()[18:20] == b"\x02\x02"
    with swap_job.opened(path, SECOND):
        pass
    assert (journal_of(path), journal_of(tmp_path / PRE)) == ("wal", "wal")
    assert state(tmp_path / PRE) == before


def test_a_journal_mode_that_cannot_be_given_back_yet_is_remembered(tmp_path: Path, job: FaultyJob) -> None:
    path = make_store(tmp_path, "wal")
    assert job.run(path, "rename", 1, only="os.link").how == "killed"
    with Client(path) as other:
        other.sql("BEGIN")
        other.sql("SELECT count(*) FROM facts")
        with swap_job.opened(path, SECOND) as (live, said):
            assert "not yet restored" in " ".join(said)
            assert live.journal == "delete"
            prepared = swap_job.make_pass(live, SECOND)
            other.sql("COMMIT")
            other.close()
            swap_job.swap(live, prepared, "rename")
    assert journal_of(path) == "wal"
    assert journal_of(tmp_path / f"memory.db.pre-{SECOND}") == "wal"


def test_a_pre_that_is_lives_own_file_goes_and_any_other_stays(tmp_path: Path, job: FaultyJob) -> None:
    path = make_store(tmp_path)
    other = tmp_path / f"memory.db.pre-{SECOND}"
    shutil.copy(path, other)
    shutil.copy(path, tmp_path / "memory.db.pre-by-hand")
    assert job.run(path, "rename", 1, only="os.replace").how == "killed"
    assert (tmp_path / PRE).samefile(path)
    with swap_job.opened(path) as (live, said):
        assert any(PRE in sentence for sentence in said)
        swap_job.swap(live, swap_job.make_pass(live), "rename")
    assert other.exists()
    assert (tmp_path / "memory.db.pre-by-hand").exists()
    assert not (tmp_path / PRE).samefile(path)


@both_ways
def test_what_a_dead_run_left_never_gets_into_the_next_one(tmp_path: Path, way: str) -> None:
    path = make_store(tmp_path)
    for suffix in ("", "-journal", "-wal", "-shm", "-base", "-base-wal", "-scratch", "-final"):
        (tmp_path / f"memory.db.shadow{suffix}").write_bytes(b"left by a dead run" * 1000)
    for suffix in ("", "-journal"):
        (tmp_path / f"memory.db.pre-{SECOND}.part{suffix}").write_bytes(b"unfinished")
    with swap_job.opened(path) as (live, said):
        (sentence,) = said
        assert "memory.db.shadow-base-wal" in sentence
        swap_job.swap(live, swap_job.make_pass(live), way)
    assert "promoted" in str(state(path))
    assert names(tmp_path) == ["memory.db", "memory.db.lock", PRE]


@both_ways
def test_a_hot_journal_of_a_dead_application_is_played_back_first(tmp_path: Path, way: str) -> None:
    path = make_store(tmp_path)
    before = state(path)
    crash_in_a_transaction(path)
    assert (tmp_path / "memory.db-journal").stat().st_size > 0
    swap_job.run(path, way)
    assert state(tmp_path / PRE) == before
    assert "promoted" in str(state(path))
    assert look(path, "SELECT count(*) FROM facts WHERE length(value) > 100") == [(0,)]
    assert not (tmp_path / "memory.db-journal").exists()


def crash_in_a_transaction(path: Path) -> None:
    with Client(path) as other:
        other.sql("PRAGMA cache_size=1")
        other.sql("BEGIN")
        other.sql("UPDATE facts SET value = hex(randomblob(3000))")


@both_ways
def test_what_a_dead_application_had_committed_to_its_log_is_kept(tmp_path: Path, way: str) -> None:
    path = make_store(tmp_path, "wal")
    crash_after_a_commit(path)
    assert (tmp_path / "memory.db-wal").stat().st_size > 0
    swap_job.run(path, way)
    for file in (path, tmp_path / PRE):
        assert look(file, "SELECT count(*) FROM facts WHERE id = 'late'") == [(1,)]
    assert "promoted" in str(state(path))


def crash_after_a_commit(path: Path) -> None:
    with Client(path) as other:
        other.sql(INSERT, "late")


@both_journals
def test_a_dry_run_only_says_what_it_found(tmp_path: Path, job: FaultyJob, journal: str) -> None:
    path = make_store(tmp_path, journal)
    assert job.run(path, "rename", 1, only="os.replace").how == "killed"
    (tmp_path / f"memory.db.pre-{SECOND}.part").write_bytes(b"unfinished")
    before = contents(tmp_path)
    paths = StorePaths.of(path, plan=True)
    with run_lock.acquire(paths, SECOND, keep=False) as lock:
        said = recovery.recover(paths, lock, dry_run=True)
    assert len(said) == (3 if journal == "wal" else 2)
    assert contents(tmp_path) == before
    assert (tmp_path / PRE).samefile(path)
    assert len(state(path)) == FACTS
