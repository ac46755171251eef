"""Comparing a table of the shadow with the same table of the snapshot, row by row, exactly, and in one linear pass."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import apsw

from consolidate.store.connections import quoted
from consolidate.store.contract import affinity

# SQLite limits the depth of an expression; a table may have 2,000 columns.
_CHUNK = 50


@dataclass(frozen=True)
class Column:
    """A column that holds data of its own.

    Attributes:
        name: as declared.
        declared: its declared type.
        key: its place in the primary key, from 1, or 0.
    """

    name: str
    declared: str
    key: int


@dataclass(frozen=True)
class Match:
    """How a row of the snapshot (alias ``b``) finds its row in the shadow (alias ``m``).

    Attributes:
        same_row: SQL condition, answered by the table's own tree.
        no_main: SQL that is true where an outer join found no row of the shadow.
        no_base: the same for the snapshot.
    """

    same_row: str
    no_main: str
    no_base: str


def columns(db: apsw.Connection, schema: str, table: str) -> list[Column]:
    """Return the columns of a table without generated and hidden ones."""
    rows: list[Any] = db.execute(
        "SELECT name, type, pk, hidden FROM pragma_table_xinfo(?, ?)", (table, schema)
    ).fetchall()
    return [Column(str(name), str(declared), key) for name, declared, key, hidden in rows if hidden == 0]


def match(db: apsw.Connection, table: str) -> Match | None:
    """Return how rows find each other: by rowid, or by primary key where there is none; None if neither has a name."""
    found = columns(db, "base", table)
    without_rowid = db.execute(
        "SELECT wr FROM pragma_table_list WHERE schema = 'base' AND name = ?", (table,)
    ).fetchone()
    if without_rowid and without_rowid[0]:
        names = [quoted(column.name) for column in sorted(found, key=lambda column: column.key) if column.key]
    else:
        taken = {name.lower() for (name,) in db.execute("SELECT name FROM pragma_table_xinfo(?, 'base')", (table,))}
        names = [alias for alias in ("rowid", "_rowid_", "oid") if alias not in taken][:1]
    if not names:
        return None
    same_row = " AND ".join(f"b.{name} = m.{name}" for name in names)
    return Match(same_row, f"m.{names[0]} IS NULL", f"b.{names[0]} IS NULL")


def differ(compared: Sequence[Column], row: str = "m") -> str:
    """SQL: whether the rows ``b`` and ``row`` differ in one of the columns, by bytes and storage class."""
    terms = [_differs(column, row) for column in compared]
    return "(" + " OR ".join(f"({' OR '.join(chunk)})" for chunk in _chunks(terms)) + ")" if terms else "0"


def _differs(column: Column, row: str) -> str:
    name = quoted(column.name)
    unequal = f"b.{name} IS NOT {row}.{name} COLLATE BINARY"
    if affinity(column.declared) == "BLOB" or column.declared.upper() == "ANY":
        # Only a column without a type of its own can hold both 1 and 1.0.
        return f"{unequal} OR typeof(b.{name}) <> typeof({row}.{name})"
    return unequal


def _chunks(terms: list[str]) -> Iterator[list[str]]:
    for start in range(0, len(terms), _CHUNK):
        yield terms[start : start + _CHUNK]


def surplus(table: str, compared: Sequence[Column], left: str, right: str) -> str:
    """SQL for the rows of a table that one schema has more often than the other, whatever place they have.

    Sorts both tables: for small ones, and for those in which rows have no name.
    """
    names = [quoted(column.name) for column in compared]
    listed = ", ".join(f"{name} COLLATE BINARY AS {name}" for name in names)
    kinds = ", ".join(f"typeof({name})" for name in names)
    copies = ", ".join([*(f"{name} COLLATE BINARY" for name in names), *(f"typeof({name})" for name in names)])

    def rows(schema: str) -> str:
        numbered = f"row_number() OVER (PARTITION BY {copies})"
        return f"SELECT {listed}, {kinds}, {numbered} FROM {schema}.{quoted(table)}"

    return f"{rows(left)} EXCEPT {rows(right)}"
