"""The planner's statistics of a store (``ANALYZE``), which no statement of the job may depend on (DESIGN section 8).

An application that had its store analysed while it was nearly empty makes SQLite believe that ``facts`` has one row; joins
are then nested full scans, and a night takes quadratic time. The copies that the job works on are therefore kept without
statistics, and get them back, row for row, before one of them is published: they are the application's (DESIGN section 2).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import apsw

# Those that SQLite reads today, with the columns that ANALYZE gives them. One with others, which only a written schema can
# have, is left alone: nothing of it may be lost.
_TABLES = {
    "sqlite_stat1": ("tbl", "idx", "stat"),
    "sqlite_stat4": ("tbl", "idx", "neq", "nlt", "ndlt", "sample"),
}


@dataclass(frozen=True)
class Statistics:
    """What was taken out of a store: for each table its rows, their rowids first, each value after its type.

    Text is kept as its bytes, since it need not be decodable.
    """

    rows: tuple[tuple[str, tuple[tuple[Any, ...], ...]], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.rows)

    def put_back(self, db: apsw.Connection) -> None:
        """Give the main database its statistics back, in the caller's transaction if there is one.

        A table that has rows is left as it is: they are back already, or somebody else, such as an extra step, wrote them.
        """
        with db:
            for table, rows in self.rows:
                if not _is_filled(db, table):
                    columns = _TABLES[table]
                    values = ", ".join(["CASE ? WHEN 'text' THEN CAST(? AS TEXT) ELSE ? END"] * len(columns))
                    db.executemany(f"INSERT INTO main.{table}(rowid, {', '.join(columns)}) VALUES (?, {values})", rows)


def take_out(db: apsw.Connection) -> Statistics:
    """Delete the statistics of the main database, a copy of the job's own, and return them.

    The connection goes on planning by them; one that is opened afterwards, or that calls `reload`, does not.
    """
    taken = []
    with db:
        for table in _filled(db):
            columns = _TABLES[table]
            exact = ", ".join(f"typeof({name}), {_bytes(name)}, {_bytes(name)}" for name in columns)
            rows = db.execute(f"SELECT rowid, {exact} FROM main.{table} ORDER BY rowid").fetchall()
            taken.append((table, tuple(rows)))
            db.execute(f"DELETE FROM main.{table}")
    return Statistics(tuple(taken))


def ignore(db: apsw.Connection) -> None:
    """Let a connection plan as if the main database had no statistics, without changing them.

    They are deleted, the schema is read again, and the deletion is taken back: SQLite keeps what it has read until the schema
    changes, and rolling back reads it again only where the savepoint saw a change of the schema. So this is to be the
    first thing in a transaction. Would SQLite read it again all the same, statements would be slow, and no less correct.

    Args:
        db: the connection, in a transaction that holds the write lock.
    """
    filled = list(_filled(db))
    if not filled:
        return
    with _taken_back(db):
        for table in filled:
            db.execute(f"DELETE FROM main.{table}")
        reload(db)


def reload(db: apsw.Connection) -> None:
    """Let a connection read the schema, and the statistics with it, again."""
    db.execute("PRAGMA writable_schema=RESET").fetchall()
    db.execute("SELECT count(*) FROM main.sqlite_master").fetchall()


def present(db: apsw.Connection) -> bool:
    """Tell whether the main database has statistics."""
    return any(True for _ in _filled(db))


@contextmanager
def _taken_back(db: apsw.Connection) -> Iterator[None]:
    db.execute("SAVEPOINT statistics")
    try:
        yield
    finally:
        if db.in_transaction:  # a full disk makes SQLite roll back by itself
            db.execute("ROLLBACK TO statistics")
            db.execute("RELEASE statistics")


def _filled(db: apsw.Connection) -> Iterator[str]:
    """Yield the tables of statistics that have rows and are as ANALYZE makes them."""
    for table, columns in _TABLES.items():
        found = db.execute("SELECT name FROM pragma_table_xinfo(?, 'main') ORDER BY cid", (table,)).fetchall()
        if tuple(name for (name,) in found) == columns and _has_rowids(db, table) and _is_filled(db, table):
            yield table


def _has_rowids(db: apsw.Connection, table: str) -> bool:
    found = db.execute("SELECT type, wr FROM pragma_table_list WHERE schema = 'main' AND name = ?", (table,)).fetchone()
    return found == ("table", 0)


def _is_filled(db: apsw.Connection, table: str) -> bool:
    return db.execute(f"SELECT 1 FROM main.{table} LIMIT 1").fetchone() is not None


def _bytes(column: str) -> str:
    return f"CASE typeof({column}) WHEN 'text' THEN CAST({column} AS BLOB) ELSE {column} END"
