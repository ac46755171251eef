"""The run lock: one run per tenant, and a note for the next one (DESIGN section 4)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from consolidate.errors import BusyError, StorageError
from consolidate.run import run_lock
from consolidate.store.files import StorePaths
from tests.swap_job import RUN, SECOND
from tests.writers import environment, make_store, names

_HOLDER = """
import sys
from pathlib import Path
from consolidate.run import run_lock
from consolidate.store.files import StorePaths
with run_lock.acquire(StorePaths.of(Path(sys.argv[1])), sys.argv[2]) as lock:
    if len(sys.argv) > 3:
        lock.note_journal("wal", Path(sys.argv[3]))
    print("held", flush=True)
    sys.stdin.readline()
"""


def hold(path: Path, *note: str) -> subprocess.Popen[str]:
    """Hold the run lock in another process until a line is written to it."""
    process = subprocess.Popen(
        [sys.executable, "-c", _HOLDER, str(path), RUN, *note],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=environment(),
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


@pytest.mark.parametrize("keep", [True, False])
def test_a_second_run_is_told_who_holds_it(tmp_path: Path, keep: bool) -> None:
    path = make_store(tmp_path)
    holder = hold(path)
    before = (tmp_path / "memory.db.lock").read_bytes()
    with pytest.raises(BusyError) as raised, run_lock.acquire(StorePaths.of(path), SECOND, keep=keep):
        pass
    assert raised.value.exit_status == 75
    assert f"process {holder.pid} since 20" in str(raised.value)
    assert RUN in str(raised.value)
    assert (tmp_path / "memory.db.lock").read_bytes() == before
    holder.communicate("\n")
    with run_lock.acquire(StorePaths.of(path), SECOND):
        pass


def test_the_lock_of_a_killed_run_is_free(tmp_path: Path) -> None:
    path = make_store(tmp_path)
    holder = hold(path)
    holder.kill()
    holder.communicate()
    with run_lock.acquire(StorePaths.of(path), SECOND) as lock:
        assert lock.note is None


def test_the_note_of_a_killed_run_is_found_until_it_is_cleared(tmp_path: Path) -> None:
    path = make_store(tmp_path)
    holder = hold(path, "memory.db.pre-x")
    holder.kill()
    holder.communicate()
    with run_lock.acquire(StorePaths.of(path), SECOND) as lock:
        assert lock.note == run_lock.JournalNote("wal", ("memory.db.pre-x",))
    with run_lock.acquire(StorePaths.of(path), SECOND, keep=False) as lock:
        assert lock.note is not None
    with run_lock.acquire(StorePaths.of(path), SECOND) as lock:
        lock.note_journal("wal", tmp_path / "memory.db.pre-y")
        assert lock.note == run_lock.JournalNote("wal", ("memory.db.pre-x", "memory.db.pre-y"))
        lock.strike_off(["memory.db.pre-y"], done=False)
    with run_lock.acquire(StorePaths.of(path), SECOND) as lock:
        assert lock.note == run_lock.JournalNote("wal", ("memory.db.pre-y",))
        lock.strike_off([], done=True)
    with run_lock.acquire(StorePaths.of(path), SECOND) as lock:
        assert lock.note is None


@pytest.mark.parametrize("torn", ['{"pid": 1, "journal": {"mo', "\0\0\0\0", "[1]\n", '{"pid": 1, "journal": 5'])
def test_a_line_that_a_crash_cut_short_hides_nothing(tmp_path: Path, torn: str) -> None:
    path = make_store(tmp_path)
    whole = {"pid": 1, "since": "x", "run_id": "y", "journal": {"mode": "wal", "kept": ["z"]}}
    (tmp_path / "memory.db.lock").write_text(json.dumps(whole) + "\n" + torn)
    for _ in range(2):
        with run_lock.acquire(StorePaths.of(path), SECOND) as lock:
            assert lock.note == run_lock.JournalNote("wal", ("z",))


def test_a_dry_run_leaves_no_lock_file_or_the_one_it_found(tmp_path: Path) -> None:
    path = make_store(tmp_path)
    paths = StorePaths.of(path, plan=True)
    with run_lock.acquire(paths, RUN, keep=False):
        assert "memory.db.lock" in names(tmp_path)
        with pytest.raises(BusyError, match=f"process {os.getpid()} "), run_lock.acquire(paths, SECOND):
            pass
    assert names(tmp_path) == ["memory.db"]
    (tmp_path / "memory.db.lock").write_bytes(b"whatever was there\n")
    with run_lock.acquire(paths, RUN, keep=False):
        pass
    assert (tmp_path / "memory.db.lock").read_bytes() == b"whatever was there\n"


def test_a_lock_file_removed_while_it_is_held_is_noticed(tmp_path: Path) -> None:
    path = make_store(tmp_path)
    with run_lock.acquire(StorePaths.of(path), RUN) as lock:
        lock.check()
        (tmp_path / "memory.db.lock").unlink()
        with pytest.raises(BusyError, match="was removed"):
            lock.check()
        with run_lock.acquire(StorePaths.of(path), SECOND) as other:
            other.check()
            with pytest.raises(BusyError, match="was removed"):
                lock.check()


def test_a_lock_file_removed_between_opening_and_locking_is_not_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from consolidate.store import files

    path = make_store(tmp_path)
    real = files.try_lock
    removed: list[int] = []

    def remove_first(descriptor: int, lock: Path) -> bool:
        if not removed:
            lock.unlink()
            removed.append(descriptor)
        return real(descriptor, lock)

    monkeypatch.setattr(files, "try_lock", remove_first)
    with run_lock.acquire(StorePaths.of(path), RUN) as lock:
        lock.check()
    assert removed


def test_a_lock_file_that_is_no_file_is_an_error(tmp_path: Path) -> None:
    path = make_store(tmp_path)
    (tmp_path / "memory.db.lock").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StorageError, match=r"memory\.db\.lock"), run_lock.acquire(StorePaths.of(path), RUN):
        pass
    assert not (tmp_path / "elsewhere").exists()
