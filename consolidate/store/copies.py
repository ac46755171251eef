"""Copies of a store that the job works on, from the first byte to what they need to be published (DESIGN section 4)."""

from __future__ import annotations

from pathlib import Path

import apsw

from consolidate.store import connections, statistics
from consolidate.store.statistics import Statistics

_BACKUP_PAGES = 16 * 1024


def copy_into(source: apsw.Connection, path: Path) -> Statistics:
    """Copy the main database of a connection, as its open read transaction sees it, into an empty file of the job's own.

    The copy has no write-ahead log, whatever journal mode the source has. Between the parts of the copy signals get through.

    Returns:
        The planner's statistics, which the copy lacks until `complete` gives them back.
    """
    with connections.opened(path) as db:
        db.execute("PRAGMA synchronous=OFF")
        with db.backup("main", source, "main") as backup:
            while not backup.done:
                backup.step(_BACKUP_PAGES)
    with connections.opened(path) as db:
        db.execute("PRAGMA synchronous=OFF")
        connections.ensure_journal_mode(db, "delete", path)
        return statistics.take_out(db)


def complete(path: Path, mode: str, taken: Statistics) -> None:
    """Give a closed copy of the job's own what it needs to be published: its statistics and its journal mode.

    Nothing is synced: until the copy is published a crash may spoil it, and `files.prepare` syncs it before that. By then it
    is whole in itself, since what is written here is written through a rollback journal; the mode comes last, and nothing is
    written in it.

    Args:
        path: the copy.
        mode: ``wal`` or ``delete``.
        taken: what `copy_into` took out of it.

    Raises:
        StorageError: it cannot be written.
    """
    with connections.opened(path) as db:
        db.execute("PRAGMA synchronous=OFF")
        if taken:
            connections.ensure_journal_mode(db, "delete", path)  # of one that was completed before
            taken.put_back(db)
        connections.ensure_journal_mode(db, mode, path)


def leave_out_statistics(path: Path) -> None:
    """Take the statistics out of a closed copy of the job's own that was completed, and is now to be read once more."""
    with connections.opened(path) as db:
        db.execute("PRAGMA synchronous=OFF")
        statistics.take_out(db)
