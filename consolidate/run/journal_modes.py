"""Giving journal modes back after a swap by rename, whether this run or a dead one took them (DESIGN section 4)."""

from __future__ import annotations

from pathlib import Path

from consolidate.errors import BusyError, ConsolidateError
from consolidate.run import lease as leases
from consolidate.run.lease import Lease, LeaseUnavailable
from consolidate.run.run_lock import RunLock
from consolidate.store import connections, files
from consolidate.store.files import StorePaths


def give_back(paths: StorePaths, lock: RunLock, *, live: bool) -> list[str]:
    """Give the files that the run lock's note names their journal mode back, as far as that is possible now.

    What is done is struck off the note.

    Args:
        paths: the files of the store.
        lock: the run lock, held.
        live: whether live, too, may still lack it.

    Returns:
        For each file that has to wait, why.
    """
    if lock.note is None:
        return []
    waiting: list[str] = []
    left = []
    for name in lock.note.kept:
        try:
            _restore_kept(paths.folder / name, lock.note.mode)
        except ConsolidateError as error:
            left.append(name)
            waiting.append(error.message)
    if live:
        try:
            connections.set_journal_mode(paths.live, lock.note.mode)
        except ConsolidateError as error:
            waiting.append(error.message)
    lock.strike_off(left, done=not waiting)
    return waiting


def _restore_kept(path: Path, mode: str) -> None:
    """Give a kept file its mode back, unless somebody still has it open.

    Whoever opened it when it was live knows it by live's name. In write-ahead logging he would share the log at that name
    with the clients of the new store, and spoil both files.

    Raises:
        BusyError: somebody has it open.
    """
    identity = files.identity(path)
    if identity is None:
        return
    with connections.opened(path) as db:
        descriptor = leases.find_descriptor(identity)
        lease = Lease(descriptor) if descriptor is not None else None
        try:
            if lease and not lease.take():
                raise BusyError(f"{path} is still open in another process.", "Restart that process.")
        except LeaseUnavailable:
            lease = None
        try:
            # The note is struck off next: a journal that comes back after a power cut would undo the change for good.
            with connections.translated(path):
                connections.make_lasting(db)
            connections.ensure_journal_mode(db, mode, path)
        finally:
            if lease:
                lease.release()
