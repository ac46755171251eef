"""Leaving no trace of deleted rows in a database file: full-text indexes, free pages, slack, write-ahead log."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

import apsw

from consolidate.store import connections
from consolidate.store.connections import quoted
from consolidate.store.contract import CONTRACT

_FTS = re.compile(r"\bUSING\s+[\"'`\[]?(fts[345])\b", re.IGNORECASE)
_CONTENT = re.compile(r"\bcontent\s*=\s*[\"'`\[]?(\w+)", re.IGNORECASE)
_KEEPER = "consolidation_keeper"


def overwrite_deleted(db: apsw.Connection) -> None:
    """Let this connection overwrite what it deletes, and keep what it stores for itself in memory."""
    for pragma in ("main.secure_delete=ON", "temp_store=MEMORY"):
        db.execute(f"PRAGMA {pragma}").fetchall()


def tidy_full_text(db: apsw.Connection) -> list[str]:
    """Let full-text indexes give up the words of deleted rows, in the open transaction.

    An index over one of the contract's tables is built again, since nobody knows whether it was kept up to date; in every
    other the words of deleted rows go when its parts are merged.

    Returns:
        The names of virtual tables whose module is missing here, so that nothing is known about them.
    """
    unknown = []
    for name, sql in db.execute(
        "SELECT name, sql FROM main.sqlite_master WHERE type = 'table' AND rootpage = 0 ORDER BY name"
    ).fetchall():
        found = _FTS.search(str(sql))
        if found is None:
            unknown.append(str(name))
            continue
        table = quoted(str(name))
        content = _CONTENT.search(str(sql))
        try:
            if content and content[1].lower() in CONTRACT:
                db.execute(f"INSERT INTO main.{table}({table}) VALUES ('rebuild')")
            db.execute(f"INSERT INTO main.{table}({table}) VALUES ('optimize')")
        except apsw.SQLError:
            unknown.append(str(name))
    return unknown


def compact(db: apsw.Connection) -> None:
    """Write the file anew without free pages and slack, and empty its write-ahead log.

    Raises:
        apsw.BusyError: somebody else has the file open in a transaction.
    """
    db.execute("PRAGMA temp_store=FILE").fetchall()
    with _rowids_kept(db):
        db.execute("VACUUM main")
    empty_log(db)


def empty_log(db: apsw.Connection) -> None:
    """Copy the write-ahead log into the file and cut it to nothing.

    Raises:
        apsw.BusyError: a reader still needs it.
    """
    if connections.journal_mode(db) == "wal":
        row = db.execute("PRAGMA main.wal_checkpoint(TRUNCATE)").fetchone()
        if row and row[0]:
            raise apsw.BusyError("BusyError: a reader holds the write-ahead log")


@contextmanager
def _rowids_kept(db: apsw.Connection) -> Iterator[None]:
    """Keep VACUUM from numbering rows anew: it does so in tables that have neither an index nor an INTEGER PRIMARY KEY.

    An empty index is enough to keep it from that.
    """
    names = list(_numbered_anew(db))
    try:
        for place, name in enumerate(names):
            column = db.execute("SELECT name FROM pragma_table_info(?) LIMIT 1", (name,)).get
            index = quoted(f"{_KEEPER}_{place}")
            db.execute(f"CREATE INDEX IF NOT EXISTS main.{index} ON {quoted(name)}({quoted(str(column))}) WHERE 0")
        yield
    finally:
        for (left,) in db.execute(
            "SELECT name FROM main.sqlite_master WHERE type = 'index' AND substr(name, 1, ?) = ?",
            (len(_KEEPER), _KEEPER),
        ).fetchall():
            db.execute(f"DROP INDEX main.{quoted(str(left))}")


def _numbered_anew(db: apsw.Connection) -> Iterator[str]:
    rows = db.execute(
        """SELECT t.name FROM pragma_table_list t JOIN main.sqlite_master m ON m.name = t.name AND m.type = 'table'
           WHERE t.schema = 'main' AND t.type = 'table' AND NOT t.wr AND m.rootpage > 0 AND substr(m.name, 1, 7) <> 'sqlite_'
             AND NOT EXISTS (SELECT 1 FROM pragma_index_list(t.name))
             AND NOT EXISTS (SELECT 1 FROM pragma_table_info(t.name) c WHERE c.pk AND upper(c.type) = 'INTEGER')"""
    ).fetchall()
    for (name,) in rows:
        taken = {str(column).lower() for (column,) in db.execute("SELECT name FROM pragma_table_xinfo(?)", (name,))}
        aliases = [alias for alias in ("rowid", "_rowid_", "oid") if alias not in taken]
        if aliases and db.execute(f"SELECT max({aliases[0]}) <> count(*) FROM main.{quoted(str(name))}").get:
            yield str(name)
