"""The store contract (DESIGN section 2): the tables and columns a store must have, and what a run must know of its shape."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import apsw

from consolidate.errors import NotAStoreError
from consolidate.store.connections import quoted, translated

JOB_PREFIX = "consolidation_"

FACT_COLUMNS = (
    "id",
    "user_id",
    "attribute",
    "value",
    "multi",
    "source",
    "valid_from",
    "valid_to",
    "expires_at",
    "status",
    "superseded_by",
    "evidence",
    "confirmations",
)
MUTABLE_COLUMNS = ("status", "valid_to", "superseded_by", "evidence", "confirmations")
EPISODE_COLUMNS = ("id", "user_id", "occurred_at", "summary")
TOMBSTONE_COLUMNS = ("user_id", "attribute", "value")
CONTRACT = {"facts": FACT_COLUMNS, "episodes": EPISODE_COLUMNS, "tombstones": TOMBSTONE_COLUMNS}

NUMERIC_COLUMNS = frozenset({"multi", "valid_from", "valid_to", "expires_at", "confirmations", "occurred_at"})

SCHEMA = """
CREATE TABLE facts(id TEXT PRIMARY KEY, user_id TEXT, attribute TEXT, value TEXT, multi INTEGER, source TEXT,
  valid_from REAL, valid_to REAL, expires_at REAL, status TEXT, superseded_by TEXT, evidence TEXT,
  confirmations INTEGER);
CREATE TABLE episodes(id TEXT PRIMARY KEY, user_id TEXT, occurred_at REAL, summary TEXT);
CREATE TABLE tombstones(user_id TEXT, attribute TEXT, value TEXT);
CREATE INDEX facts_by_user ON facts(user_id, attribute);
CREATE INDEX episodes_by_user ON episodes(user_id, occurred_at);
"""


@dataclass(frozen=True)
class Table:
    """One contract table as it stands in a store.

    Attributes:
        name: the table's name.
        order: SQL for the insertion order of its rows: an alias of the rowid, or ``id`` where there is none.
        columns: the columns a client can write, in the table's order; generated ones are left out.
        indexed: whether ``order`` finds a row without a scan.
    """

    name: str
    order: str
    columns: tuple[str, ...]


@dataclass(frozen=True)
class Shape:
    """What a run must know of a store's schema."""

    facts: Table
    episodes: Table
    tombstones: Table
    fact_triggers: bool


def affinity(declared: str) -> str:
    """Return SQLite's affinity of a declared column type."""
    declared = declared.upper()
    for clues, name in (
        (("INT",), "INTEGER"),
        (("CHAR", "CLOB", "TEXT"), "TEXT"),
        (("BLOB",), "BLOB"),
        (("REAL", "FLOA", "DOUB"), "REAL"),
    ):
        if any(clue in declared for clue in clues):
            return name
    return "NUMERIC" if declared else "BLOB"


def validate(db: apsw.Connection, path: Path, schema: str = "main") -> Shape:
    """Check that a database is a store and return its shape.

    Args:
        db: an open connection; only read from.
        path: the file, for the error.
        schema: the schema name under which the store is attached.

    Raises:
        NotAStoreError: the file is not SQLite, is damaged, or lacks a table or column, or has a wrong type; all that is
            wrong with the schema is named at once.
        BusyError: the store is locked.
    """
    with translated(path):
        db.execute(f"SELECT count(*) FROM {quoted(schema)}.sqlite_master").fetchall()
        wrong: list[str] = []
        tables = {name: _table(db, schema, name, wanted, wrong) for name, wanted in CONTRACT.items()}
        if wrong:
            raise NotAStoreError(f"{path} is not a store: {'; '.join(wrong)}.", "It was left as it is.")
        triggers = db.execute(
            f"SELECT count(*) FROM {quoted(schema)}.sqlite_master WHERE type = 'trigger' AND lower(tbl_name) = 'facts'"
        ).get
        return Shape(tables["facts"], tables["episodes"], tables["tombstones"], triggers > 0)


def _table(db: apsw.Connection, schema: str, name: str, wanted: tuple[str, ...], wrong: list[str]) -> Table:
    kind = db.execute("SELECT type, wr FROM pragma_table_list WHERE schema = ? AND name = ?", (schema, name)).fetchone()
    if kind is None:
        wrong.append(f"it has no table {name}")
        return Table(name, "id", wanted)
    if kind[0] != "table":
        wrong.append(f"{name} is a {kind[0]}, not a table")
        return Table(name, "id", wanted)
    info = db.execute("SELECT name, type, hidden FROM pragma_table_xinfo(?, ?)", (name, schema)).fetchall()
    declared = {str(column).lower(): (str(kind), hidden) for column, kind, hidden in info}
    for column in wanted:
        if column not in declared:
            wrong.append(f"{name} has no column {column}")
            continue
        found, hidden = declared[column]
        if hidden:
            wrong.append(f"{name}.{column} is a generated column")
        elif (affinity(found) in ("INTEGER", "REAL", "NUMERIC")) != (column in NUMERIC_COLUMNS) and affinity(
            found
        ) != "BLOB":
            wrong.append(f"{name}.{column} has the type {found}")
    if "id" in wanted and "id" in declared and not _unique_id(db, schema, name):
        wrong.append(f"{name}.id is neither a primary key nor unique")
    aliases = [alias for alias in ("rowid", "_rowid_", "oid") if alias not in declared]
    order = "id" if kind[1] and "id" in wanted else aliases[0] if aliases and not kind[1] else wanted[0]
    return Table(name, order, tuple(str(column) for column, _, hidden in info if hidden == 0))


def _unique_id(db: apsw.Connection, schema: str, name: str) -> bool:
    """Tell whether ``id`` alone identifies a row."""
    indexes = db.execute(
        'SELECT name FROM pragma_index_list(?, ?) WHERE "unique" = 1 AND partial = 0', (name, schema)
    ).fetchall()
    for (index,) in indexes:
        columns = db.execute("SELECT lower(name) FROM pragma_index_info(?, ?)", (index, schema)).fetchall()
        if columns == [("id",)]:
            return True
    return False


def group_index(db: apsw.Connection) -> str | None:
    """Return the name of an index by which the application finds the facts of a user and attribute; None if it has none."""
    for (name,) in db.execute("SELECT name FROM pragma_index_list('facts', 'main') WHERE partial = 0").fetchall():
        columns = db.execute(
            "SELECT lower(name), coll FROM pragma_index_xinfo(?, 'main') WHERE key ORDER BY seqno LIMIT 2", (name,)
        ).fetchall()
        if columns == [("user_id", "BINARY"), ("attribute", "BINARY")]:
            return str(name)
    return None


def groups_of_several_facts(db: apsw.Connection) -> str:
    """Return SQL for the groups (user, attribute) of more than one fact, where an index tells them; empty if there is none."""
    index = group_index(db)
    if index is None:
        return ""
    by = f"main.facts INDEXED BY {quoted(index)}"
    return f"SELECT user_id, attribute FROM {by} GROUP BY user_id, attribute HAVING count(*) > 1"
