"""Swapping by rename: the checked copy takes live's place in one atomic step (DESIGN section 4).

Renaming over a file that another process has open is unsafe in every journal mode, so it happens only under an exclusive
lock *and* a write lease, which is granted only while nobody else has the file open. The order is

    exclusive lock, quiet, lease → journal mode noted and left → link live to .pre → rename → drain → .pre gets its mode back

and every step leaves a whole store at the live path. Whatever ends before the rename gives live back as it was; what a kill
leaves half done, the next run's recovery finishes.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import apsw

from consolidate.errors import StorageError
from consolidate.model import Notice, Swap
from consolidate.run import journal_modes, net_change
from consolidate.run import lease as leases
from consolidate.run.lease import Lease, LeaseUnavailable
from consolidate.run.live import Live, NotFree, NotQuiet, Prepared, SwapResult, lock_lost
from consolidate.store import connections, copies, files
from consolidate.store.connections import translated

# How long an opener that had found the old file by its path may take to have it open, and the longest pause between two looks.
DRAIN_PAUSE = 0.005
_LONGEST_PAUSE = 0.1
# From how many bytes on a file may hold so much that nobody has written to the disk yet that others would wait for it.
_WORTH_FLUSHING = 4 * 1024 * 1024


def possible(live: Live) -> bool:
    """Tell whether live could be renamed over now: leases work here, nobody has it open, its owner can be kept."""
    status = files.status(live.paths.live)
    if status is None or not files.can_own(status):
        return False
    descriptor = leases.find_descriptor(live.identity)
    if descriptor is None:
        return False
    lease = Lease(descriptor)
    try:
        if not lease.take():
            return False
    except LeaseUnavailable:
        return False
    lease.release()
    return True


def finish(prepared: Prepared, live: Live) -> None:
    """Make the file that is to be swapped in, before any lock is taken; may be repeated.

    Where the application has triggers on facts, the net change of the run is applied once more to a copy of the base with
    them on, so that they fire once per fact as they do in place.

    Raises:
        NotFree: live's owner or attributes cannot be given to it.
        StorageError: writing failed, or a trigger spoils the run's changes.
    """
    candidate = prepared.candidate
    if candidate != prepared.shadow:
        _make_with_triggers(prepared, live)
    copies.complete(candidate, "wal" if live.lasting_journal == "wal" else "delete", live.statistics)
    missing = files.prepare(candidate, live.paths.live)
    if missing:
        raise NotFree(f"its {', '.join(missing)} cannot be kept")


def _make_with_triggers(prepared: Prepared, live: Live) -> None:
    files.copy_scratch(prepared.base, prepared.candidate)
    with translated(prepared.candidate):
        db = connections.open_scratch(prepared.candidate, live.extensions)
        try:
            net_change.collect_attached(db, prepared)
            db.execute("BEGIN")
            net_change.apply(db, "main", prepared.shape, live.paths.live)
            db.execute("COMMIT")
        finally:
            db.close(True)


def swap(live: Live, prepared: Prepared, pre: Path, *, drain_timeout: float | None = None) -> SwapResult:
    """Put the finished copy in live's place and keep live's file as ``pre``.

    Args:
        live: the open store; closed afterwards if the swap was made, usable as before if not.
        prepared: the pass, after `finish`.
        pre: where live's file goes; must not exist.
        drain_timeout: how long the old file is kept locked for those who have it open all the same, in seconds; as long as
            ``lock_timeout`` if not given.

    Raises:
        NotQuiet: live was written since the snapshot.
        NotFree: somebody has it open.
        BusyError: live was replaced by another file.
        StorageError: an operation failed; live is as it was.
    """
    with translated(live.paths.live):
        _flush(live)
    with translated(live.paths.live), _held(live) as lease:
        began = time.perf_counter()
        _leave_journal(live, pre)
        _exchange(live, prepared, pre, lease)
        live.swapped = True
        result = SwapResult(Swap.RENAME)
        result.notices += _make_durable(live)
        result.lock_seconds = time.perf_counter() - began
        result.notices += _drain(live, lease, pre, live.lock_timeout if drain_timeout is None else drain_timeout)
    waiting = journal_modes.give_back(live.paths, live.lock, live=False)
    if waiting:
        reason = " ".join(waiting)
        result.notices.append(Notice("swap", f"{pre.name} gets its journal mode back in the next run: {reason}"))
    return result


def _flush(live: Live) -> None:
    """Let what is only in the write-ahead log or in the system's cache be written to live's file while nobody waits for it.

    The first sync under the lock takes as long as there is something to write, whoever left it: after the application has
    written or copied the file, a tenth of a second and more. A small file is not worth a sync of its own. Neither is
    needed for anything that follows; all syncs under the lock stay.
    """
    if files.size(live.paths.wal):
        with suppress(apsw.BusyError):  # whoever is in the way is found out about under the lock
            live.db.execute("PRAGMA main.wal_checkpoint(PASSIVE)").fetchall()
    descriptor = leases.find_descriptor(live.identity)
    if descriptor is not None and files.size(live.paths.live) >= _WORTH_FLUSHING:
        files.flush(descriptor, live.paths.live)


@contextmanager
def _held(live: Live) -> Iterator[Lease]:
    """Hold live exclusively, for this process alone; on leaving, live is given back, or closed if it was renamed over."""
    descriptor = leases.find_descriptor(live.identity)
    if descriptor is None:
        raise NotFree("its descriptor cannot be found")
    lease = Lease(descriptor)
    connections.wait_for_locks(live.db, 0)
    try:
        connections.set_exclusive(live.db, True)
        try:
            live.db.execute("BEGIN EXCLUSIVE")
        except apsw.BusyError as error:
            raise NotFree("another process is using it") from error
        if not live.quiet():
            raise NotQuiet
        try:
            if not lease.take():
                raise NotFree("another process has it open")
        except LeaseUnavailable as error:
            raise NotFree(f"the system gives no lease on it: {error}") from error
        yield lease
    finally:
        if files.identity(live.paths.live) == live.identity:
            _give_back(live, lease)
        else:
            # The journal and the log at the path belong to the new file now: nothing but closing is allowed.
            live.close()


def _leave_journal(live: Live, pre: Path) -> None:
    """Take live out of write-ahead logging, and let the connection forget its journal. The locks stay throughout.

    A connection that has kept a rollback journal open deletes it by name when it is closed, and by then the name belongs to
    the new store: hence the change to OFF, after which nothing is written through this connection any more.
    """
    live.db.execute("COMMIT")
    if live.lasting_journal == "wal":
        live.lock.note_journal("wal", pre)
    if live.journal == "wal" and connections.change_journal_mode(live.db, "delete") != "delete":
        raise NotFree("its write-ahead log is in use")
    connections.change_journal_mode(live.db, "off")
    live.db.execute("BEGIN EXCLUSIVE")
    if not live.quiet():
        raise NotQuiet


def _exchange(live: Live, prepared: Prepared, pre: Path, lease: Lease) -> None:
    """Link and rename, having made sure of everything once more."""
    paths = live.paths
    live.check_place()
    descriptor = leases.find_descriptor(live.identity)
    if descriptor is None or not leases.holds_lock(descriptor, leases.SHARED_BYTE):
        raise lock_lost(paths)
    if files.status(paths.wal) is not None:
        raise NotFree("its write-ahead log is in use")
    # Under the exclusive lock it holds nothing that is still to be played back; beside the new file it must not lie.
    files.unlink(paths.journal)
    new = files.identity(prepared.candidate)
    try:
        files.link(paths.live, pre)
        files.fsync_folder(paths.folder)
        if not lease.held():
            raise NotFree("another process is opening it")
        files.rename(prepared.candidate, paths.live)
    except BaseException as error:
        # A signal can arrive, or an error be reported, after the rename was made: the path alone tells.
        live.swapped = files.identity(paths.live) == new
        if live.swapped and isinstance(error, StorageError):
            return
        if not live.swapped and files.identity(pre) == live.identity:
            files.unlink(pre)
        raise


def _make_durable(live: Live) -> list[Notice]:
    try:
        files.fsync_folder(live.paths.folder)
    except StorageError as error:
        return [Notice("swap", f"The swap was made, but a power cut may undo it: {error.message}")]
    return []


def _give_back(live: Live, lease: Lease) -> None:
    """Make live as it was: its journal mode, no lock, no lease; the connection goes on."""
    try:
        lease.release()
        live.rollback()
        connections.set_exclusive(live.db, False)
        if connections.journal_mode(live.db) != live.journal:
            connections.change_journal_mode(live.db, "delete")
            if live.lasting_journal == "wal":
                connections.change_journal_mode(live.db, "wal")
        note = live.lock.note
        if note and connections.journal_mode(live.db) == note.mode:
            left = [name for name in note.kept if files.status(live.paths.folder / name) is not None]
            live.lock.strike_off(left, done=not left)
        # Somebody may be committing just now: that asks for the other way of swapping, and is no reason to give up.
        connections.wait_for_locks(live.db, live.lock_timeout)
        live.quiet()  # a read, after which the locks are gone
    except BaseException:
        live.close()
        raise


def _drain(live: Live, lease: Lease, pre: Path, timeout: float) -> list[Notice]:
    """Keep the old file locked until nobody has it open.

    Whoever had found it by its path just before the rename has the old file open; while it is locked, nothing can be
    read from it or written into it. Such a client lets go when its own busy timeout ends, so waiting longer than clients do
    is what helps, and it keeps nobody else waiting: the path leads to the new store already. That nobody has it open is
    asked after a pause, since an opener that is still on its way is not seen.
    """
    lease.release()
    deadline = time.monotonic() + timeout
    pause = DRAIN_PAUSE
    while True:
        time.sleep(pause)
        try:
            if lease.take():
                lease.release()
                return []
        except LeaseUnavailable:  # granted a moment ago, refused now: the swap is made, and others cannot be seen
            break
        if time.monotonic() >= deadline:
            break
        pause = min(2 * pause, _LONGEST_PAUSE)
    who = ", ".join(leases.openers(live.identity)) or "a process that this user may not see"
    message = f"{who} opened {live.paths.live} during the swap and still has the old file, now {pre.name}: restart it."
    return [Notice("straggler", message)]
