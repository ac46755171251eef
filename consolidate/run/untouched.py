"""Reading a store without changing a byte of it or beside it: for a dry run, and before the run lock (DESIGN section 6).

Reading an SQLite file is not always harmless: the first reader plays a hot journal back, and the last one to go copies the
write-ahead log into the file and removes it.
"""

from __future__ import annotations

from collections.abc import Sequence

import apsw

from consolidate.store import connections, files
from consolidate.store.connections import translated
from consolidate.store.files import StorePaths


class NeedsRecovery(Exception):  # noqa: N818 - a state of the store, not an error
    """The store has a hot journal: nobody can read it without repairing it first."""


def open_in_place(paths: StorePaths, extensions: Sequence[str], lock_timeout: float) -> apsw.Connection:
    """Open live itself, so that neither reading nor closing changes anything.

    A write-ahead log that a dead application left is read with an index in memory, with live locked until the
    connection is closed; one that is in use is read as any other reader would.

    Args:
        paths: the files of the store.
        extensions: loadable SQLite extensions.
        lock_timeout: how long to wait for a lock, in seconds.

    Raises:
        NeedsRecovery: it cannot be read without being repaired.
        ConsolidateError: it cannot be opened or read.
    """
    logged = files.status(paths.wal) is not None
    hot = not logged and files.size(paths.journal) > 0
    db = connections.open_untouched(paths.live, writable=not hot, extensions=extensions)
    try:
        with translated(paths.live):
            if logged:
                connections.set_exclusive(db, True)
            try:
                _first_read(db)
            except apsw.BusyError:
                connections.set_exclusive(db, False)
                connections.wait_for_locks(db, lock_timeout)
                _first_read(db)
            except apsw.ReadOnlyError as error:
                raise NeedsRecovery from error
            if not logged:
                # The log that this connection made is empty, and goes with it.
                db.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0)
            connections.wait_for_locks(db, lock_timeout)
    except BaseException:
        db.close()
        raise
    return db


def open_somehow(paths: StorePaths, extensions: Sequence[str], lock_timeout: float) -> apsw.Connection:
    """Open live as `open_in_place` does, or else a private copy of it (``paths.copy``) in which SQLite repairs what is to repair.

    Raises:
        ConsolidateError: it cannot be opened or read.
    """
    try:
        return open_in_place(paths, extensions, lock_timeout)
    except NeedsRecovery:
        files.copy_hot(paths.live, paths.copy)
        return connections.open_live(paths.copy, lock_timeout=lock_timeout, extensions=extensions)


def _first_read(db: apsw.Connection) -> None:
    db.execute("SELECT count(*) FROM main.sqlite_master").fetchall()
