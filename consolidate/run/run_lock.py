"""``memory.db.lock``: one run per tenant, and what the next run must know if this one dies (DESIGN section 4).

The lock is ``flock`` on the file. Its content is one line of JSON per statement, each complete in itself; the last whole line
counts, so that a crash in the middle of writing one loses nothing. Nothing is taken away from the file as long as a
journal mode is still to be given back.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from consolidate.errors import BusyError, StorageError
from consolidate.store import files
from consolidate.store.files import StorePaths

_ATTEMPTS = 100


@dataclass(frozen=True)
class JournalNote:
    """A journal mode that live and kept files must get back.

    Attributes:
        mode: the mode, as ``PRAGMA journal_mode`` says it.
        kept: the names of the ``.pre`` or ``.undone`` files that are, or would have become, live's old file.
    """

    mode: str
    kept: tuple[str, ...]


class RunLock:
    """The run lock of one store, held.

    Attributes:
        run_id: the run that holds it.
        note: the journal mode that is still to be given back, by this run or left by a dead one.
    """

    def __init__(self, path: Path, descriptor: int, run_id: str, created: bool) -> None:
        self.run_id = run_id
        self.note: JournalNote | None = None
        self._path = path
        self._descriptor = descriptor
        self._created = created
        self._since = f"{datetime.fromtimestamp(time.time(), UTC):%Y-%m-%dT%H:%M:%SZ}"
        self._size_before = os.fstat(descriptor).st_size

    def begin(self) -> None:
        """Read what a dead run left and write down who holds the lock now."""
        note = _last_line(files.content(self._descriptor)).get("journal")
        if isinstance(note, dict) and isinstance(note.get("kept"), list) and isinstance(note.get("mode"), str):
            self.note = JournalNote(note["mode"], tuple(map(str, note["kept"])))
        self._write(durable=False)

    def note_journal(self, mode: str, kept: Path) -> None:
        """Note durably that live has journal mode ``mode``, before it is changed; see `JournalNote`."""
        earlier = self.note.kept if self.note else ()
        self.note = JournalNote(mode, (*earlier, kept.name))
        self._write(durable=True)

    def strike_off(self, left: Sequence[str], *, done: bool) -> None:
        """Note what is still to be given back.

        Never fails: should the line be lost, something is given back twice, to no harm.

        Args:
            left: the kept files that still lack the journal mode.
            done: whether nothing lacks it any more.
        """
        if self.note is not None:
            self.note = None if done else JournalNote(self.note.mode, tuple(left))
            with suppress(StorageError):
                self._write(durable=False)

    def check(self) -> None:
        """Make sure that the lock file is still the one that is locked.

        Raises:
            BusyError: somebody removed or replaced it, so that another run can have started.
        """
        if files.identity(self._path) != _identity(self._descriptor):
            raise BusyError(f"The run lock {self._path} was removed by somebody.", "Nothing was changed; run again.")

    def release(self, keep: bool) -> None:
        """Give the lock back; without ``keep`` the file is left as it was found.

        Never fails: a line too many in the file does no harm.
        """
        try:
            with suppress(StorageError):
                self._tidy(keep)
        finally:
            os.close(self._descriptor)

    def _tidy(self, keep: bool) -> None:
        if not keep and self._created:
            if files.identity(self._path) == _identity(self._descriptor):
                files.unlink(self._path)
        elif not keep:
            files.cut(self._descriptor, self._path, self._size_before)
        elif self.note is None:
            files.cut(self._descriptor, self._path, 0)

    def _write(self, *, durable: bool) -> None:
        line = {"pid": os.getpid(), "since": self._since, "run_id": self.run_id}
        note = asdict(self.note) if self.note else None
        files.append(self._descriptor, self._path, json.dumps({**line, "journal": note}), durable=durable)


@contextmanager
def acquire(paths: StorePaths, run_id: str, *, keep: bool = True) -> Iterator[RunLock]:
    """Hold the run lock of a store for the time of the block.

    Args:
        paths: the files of the store.
        run_id: the run that takes it.
        keep: whether the lock file stays; if not (a dry run), it is left as it was found, or removed if there was none.

    Raises:
        BusyError: another run holds it; the message says which.
        StorageError: the lock file cannot be opened or written.
    """
    lock = _take(paths, run_id)
    try:
        lock.begin()
        yield lock
    finally:
        lock.release(keep)


def _take(paths: StorePaths, run_id: str) -> RunLock:
    for _ in range(_ATTEMPTS):
        descriptor, created = files.open_lock(paths.lock)
        try:
            if created and files.status(paths.live) is not None:
                files.copy_metadata(paths.live, paths.lock)
            if not files.try_lock(descriptor, paths.lock):
                raise _busy(paths, _last_line(files.content(descriptor)))
            # A dry run that ended meanwhile may have removed the file between opening and locking it.
            if files.identity(paths.lock) == _identity(descriptor):
                return RunLock(paths.lock, descriptor, run_id, created)
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)
    raise BusyError(f"The run lock {paths.lock} is removed again and again by somebody.", "Try again later.")


def _identity(descriptor: int) -> files.Identity:
    found = os.fstat(descriptor)
    return found.st_dev, found.st_ino


def _last_line(content: bytes) -> dict[str, Any]:
    """Return the last whole line of a lock file, or nothing."""
    for line in reversed(content.split(b"\n")[:-1]):
        try:
            found = json.loads(line)
        except ValueError:
            continue
        if isinstance(found, dict):
            return found
    return {}


def _busy(paths: StorePaths, holder: dict[str, Any]) -> BusyError:
    who = "another run"
    if holder:
        who = f"process {holder.get('pid')} since {holder.get('since')} (run {holder.get('run_id')})"
    return BusyError(f"{paths.live} is being consolidated by {who}.", "Wait until it has finished, then try again.")
