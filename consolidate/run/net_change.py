"""The net change of a run: what it takes to make a store that equals the base equal the shadow (DESIGN sections 2 and 4).

It is collected into TEMP tables, so that the files compared can be closed before it is applied. Each changed fact gets one
UPDATE of just the columns that changed, each new fact one INSERT, each fact that a rollback takes away one DELETE, with the
application's triggers on; the rows of the job's own tables follow with them off.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import apsw

from consolidate.errors import ConsolidateError, InternalError, StorageError
from consolidate.run.live import Prepared
from consolidate.store import connections, job_tables
from consolidate.store.connections import quoted
from consolidate.store.contract import FACT_COLUMNS, MUTABLE_COLUMNS, Shape

# Columns of the TEMP tables beside those of the tables they are about: where the fact is in the base, and which columns changed.
_AT, _MASK, _GONE = "consolidation_at", "consolidation_mask", "consolidation_gone"
_STRAY = 0
_SHOWN_IDS = 5
# A run's rows of these are written with the run and never altered, so runs with as many rows as before need no look.
_WRITTEN_ONCE = frozenset({"consolidation_actions", "consolidation_made"})


def collect_attached(db: apsw.Connection, prepared: Prepared, round_number: int = 0) -> None:
    """Collect the net change of a pass from its files.

    Args:
        db: the connection that will apply it.
        prepared: the pass; its files are attached, and detached again where no transaction is open.
        round_number: tells repeated calls inside one transaction apart, since nothing can be detached there.
    """
    base, shadow = f"base_{round_number}", f"shadow_{round_number}"
    connections.attach(db, prepared.base, base)
    connections.attach(db, prepared.shadow, shadow)
    collect(db, base, shadow, prepared.shape, deletes=prepared.deletes)
    if not db.in_transaction:
        db.execute(f"DETACH {base}")
        db.execute(f"DETACH {shadow}")


def collect(db: apsw.Connection, base: str, shadow: str, shape: Shape, *, deletes: bool = False) -> None:
    """Collect the net change between two attached stores into TEMP tables of a connection.

    Args:
        db: the connection that will apply it; what it collected before is forgotten.
        base: schema name of the snapshot.
        shadow: schema name of the copy with the run's decisions.
        shape: the schema of both.
        deletes: whether the shadow may lack facts of the base.
    """
    _collect_facts(db, quoted(base), quoted(shadow), shape)
    _collect_deletions(db, quoted(base), quoted(shadow), shape, deletes)
    for table in job_tables.TABLES:
        _collect_job_rows(db, base, shadow, table)


def _collect_facts(db: apsw.Connection, base: str, shadow: str, shape: Shape) -> None:
    at, every = shape.facts.order, shape.facts.columns
    for table, columns in (("net_facts", (_AT, _MASK, *FACT_COLUMNS)), ("net_new", (_AT, *every))):
        db.execute(f"DROP TABLE IF EXISTS temp.{table}")
        db.execute(f"CREATE TEMP TABLE {table}({_list(columns)})")  # without types: every value stays what it is
    # The plus keeps SQLite from looking a row up by its id: by rowid, the two files are read side by side.
    same = f"b.{at} = s.{at} AND +b.id = s.id COLLATE BINARY"
    mask = " + ".join(f"({_differs('b', 's', [name])}) * {1 << bit}" for bit, name in enumerate(MUTABLE_COLUMNS))
    differs = _differs("b", "s", MUTABLE_COLUMNS)
    facts = _list(FACT_COLUMNS, "s")
    db.execute(
        f"""INSERT INTO temp.net_facts SELECT s.{at}, iif(b.id IS NULL, {_STRAY}, {mask}), {facts}
            FROM {shadow}.facts s LEFT JOIN {base}.facts b ON {same}
            WHERE +s.id IS NOT NULL AND (b.id IS NULL OR {differs})"""
    )
    # A stray is new, unless a step replaced a fact under its id, so that it only stands elsewhere.
    known = "b.id = s.id AND +b.id = s.id COLLATE BINARY"
    stray = f"s.{_MASK} = {_STRAY}"
    db.execute(
        f"""INSERT INTO temp.net_facts SELECT b.{at}, {mask}, {facts} FROM temp.net_facts s CROSS JOIN {base}.facts b
            WHERE {stray} AND {known} AND ({differs})"""
    )
    db.execute(
        f"""INSERT INTO temp.net_new SELECT t.{at}, {_list(every, "t")}
            FROM temp.net_facts s CROSS JOIN {shadow}.facts t ON t.{at} = s.{_AT} AND +t.id = s.id COLLATE BINARY
            WHERE {stray} AND NOT EXISTS (SELECT 1 FROM {base}.facts b WHERE {known})"""
    )
    db.execute(f"DELETE FROM temp.net_facts AS s WHERE {stray}")


def _collect_deletions(db: apsw.Connection, base: str, shadow: str, shape: Shape, deletes: bool) -> None:
    at = shape.facts.order
    db.execute("DROP TABLE IF EXISTS temp.net_gone")
    db.execute(f"CREATE TEMP TABLE net_gone({_AT}, id)")
    if deletes:
        db.execute(
            f"""INSERT INTO temp.net_gone SELECT b.{at}, b.id
                FROM {base}.facts b LEFT JOIN {shadow}.facts s ON b.{at} = s.{at} AND +b.id = s.id COLLATE BINARY
                WHERE +b.id IS NOT NULL AND s.id IS NULL
                  AND NOT EXISTS (SELECT 1 FROM {shadow}.facts t WHERE t.id = b.id AND +t.id = b.id COLLATE BINARY)"""
        )


def _collect_job_rows(db: apsw.Connection, base: str, shadow: str, table: str) -> None:
    """Collect the rows of one of the job's tables that the shadow has and the base has not, and the other way round."""
    db.execute(f"DROP TABLE IF EXISTS temp.{quoted('net_' + table)}")
    columns, key = _columns(db, shadow, table)
    if not columns:
        return
    db.execute(f"CREATE TEMP TABLE {quoted('net_' + table)}({_GONE}, {_list(columns)})")
    into = f"INSERT INTO temp.{quoted('net_' + table)}"
    new, old = f"{quoted(shadow)}.{quoted(table)}", f"{quoted(base)}.{quoted(table)}"
    here = f"SELECT 0, {_list(columns, 's')} FROM {new} s"
    if _columns(db, base, table) != (columns, key):
        db.execute(f"{into} {here}")
        return
    match = " AND ".join(f"b.{quoted(name)} IS s.{quoted(name)}" for name in key)
    equal = " AND ".join(f"b.{quoted(name)} IS s.{quoted(name)}" for name in columns)
    only = ""
    if table in _WRITTEN_ONCE:
        runs = "SELECT run_id, count(*) FROM {} GROUP BY 1"
        one, other = runs.format(new), runs.format(old)
        only = (
            f"run_id IN (SELECT run_id FROM ({one} EXCEPT {other}) UNION SELECT run_id FROM ({other} EXCEPT {one})) AND"
        )
    db.execute(f"{into} {here} WHERE {only} NOT EXISTS (SELECT 1 FROM {old} b WHERE {equal})")
    db.execute(
        f"{into} SELECT 1, {_list(columns, 'b')} FROM {old} b WHERE {only} NOT EXISTS (SELECT 1 FROM {new} s WHERE {match})"
    )


def apply(db: apsw.Connection, schema: str, shape: Shape, path: Path) -> None:
    """Apply the collected net change to a store that equals the base, and compare the result with the shadow.

    Args:
        db: the connection that collected it, in a transaction; its triggers are off again afterwards.
        schema: schema name of the store.
        shape: its schema.
        path: the store, for errors.

    Raises:
        StorageError: a trigger of the application changes or refuses what the run wrote.
        InternalError: the result differs from the shadow.
    """
    before = db.total_changes()
    connections.set_triggers(db, True)
    try:
        expected, applied = _apply_facts(db, f"{quoted(schema)}.facts", shape)
    finally:
        connections.set_triggers(db, False)
    written = db.total_changes() - before
    if applied != expected or (not shape.fact_triggers and written != expected):
        raise _spoiled(shape, path, f"{expected - applied} of {expected} changes of facts")
    wrong = compare(db, schema, shape)
    if wrong:
        raise _spoiled(shape, path, f"what the run wrote to the facts {', '.join(wrong)}")
    job_tables.migrate(db, schema)
    for table in job_tables.TABLES:
        _apply_job_rows(db, schema, table)


def _apply_facts(db: apsw.Connection, facts: str, shape: Shape) -> tuple[int, int]:
    """Write the facts; return how many rows were to be written, and how many were."""
    at = shape.facts.order
    counts = " + ".join(f"(SELECT count(*) FROM temp.{table})" for table in ("net_facts", "net_gone", "net_new"))
    expected = int(db.execute(f"SELECT {counts}").get)
    applied = 0
    for (mask,) in db.execute(f"SELECT DISTINCT {_MASK} FROM temp.net_facts ORDER BY 1").fetchall():
        assert isinstance(mask, int)
        changed = [name for bit, name in enumerate(MUTABLE_COLUMNS) if mask >> bit & 1]
        assignments = ", ".join(f"{quoted(name)} = n.{quoted(name)}" for name in changed)
        # OR ABORT: a conflict clause of the application's schema must not replace another fact.
        db.execute(
            f"""UPDATE OR ABORT {facts} AS f SET {assignments} FROM temp.net_facts AS n
                WHERE n.{_MASK} = ? AND f.{at} = n.{_AT} AND +f.id = n.id COLLATE BINARY""",
            (mask,),
        )
        applied += db.changes()
    db.execute(
        f"""DELETE FROM {facts} AS f WHERE {at} IN (SELECT {_AT} FROM temp.net_gone)
            AND ({at}, +id COLLATE BINARY) IN (SELECT {_AT}, id FROM temp.net_gone)"""
    )
    applied += db.changes()
    columns = _list(shape.facts.columns)
    target, source = (columns, columns) if at == "id" else (f"{at}, {columns}", f"{_AT}, {columns}")
    db.execute(f"INSERT OR ABORT INTO {facts}({target}) SELECT {source} FROM temp.net_new ORDER BY {_AT}")
    return expected, applied + db.changes()


def compare(db: apsw.Connection, schema: str, shape: Shape) -> list[str]:
    """Return the ids, a few at most, of facts of the net change whose contract columns differ from the verified shadow's."""
    wrong: list[str] = []
    codec = str(db.pragma("encoding"))  # in which text is cast to a BLOB
    for table in ("net_facts", "net_new"):
        rows = db.execute(
            f"""SELECT CAST(n.id AS BLOB) FROM temp.{table} n
                LEFT JOIN {quoted(schema)}.facts f ON f.{shape.facts.order} = n.{_AT} AND +f.id = n.id COLLATE BINARY
                WHERE f.id IS NULL OR {_differs("f", "n", FACT_COLUMNS)} LIMIT ?""",
            (_SHOWN_IDS - len(wrong),),
        )
        wrong += [bytes(key).decode(codec, "replace") for (key,) in rows]
    still = db.execute(
        f"""SELECT CAST(n.id AS BLOB) FROM temp.net_gone n
            JOIN {quoted(schema)}.facts f ON f.{shape.facts.order} = n.{_AT} AND +f.id = n.id COLLATE BINARY LIMIT ?""",
        (_SHOWN_IDS - len(wrong),),
    )
    return wrong + [bytes(key).decode(codec, "replace") for (key,) in still]


def _apply_job_rows(db: apsw.Connection, schema: str, table: str) -> None:
    columns, key = _columns(db, "temp", f"net_{table}")[0], _columns(db, schema, table)[1]
    if not columns:
        return
    columns = tuple(name for name in columns if name != _GONE)
    target, source = f"{quoted(schema)}.{quoted(table)}", f"temp.{quoted('net_' + table)}"
    match = " AND ".join(f"t.{quoted(name)} IS n.{quoted(name)}" for name in key)
    # Looked up from the few rows to the many; a key of a table without rowid is never NULL.
    rowid = not db.execute("SELECT wr FROM pragma_table_list WHERE schema = ? AND name = ?", (schema, table)).get
    at = "rowid" if rowid else f"({_list(key)})"
    place = "t.rowid" if rowid else _list(key, "t")
    db.execute(
        f"DELETE FROM {target} WHERE {at} IN (SELECT {place} FROM {source} n CROSS JOIN {target} t WHERE {match})"
    )
    db.execute(
        f"INSERT OR ABORT INTO {target}({_list(columns)}) SELECT {_list(columns)} FROM {source} WHERE NOT {_GONE}"
    )


def _columns(db: apsw.Connection, schema: str, table: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the columns of a table and those of its primary key; nothing where there is no such table."""
    rows = db.execute("SELECT name, pk FROM pragma_table_info(?, ?) ORDER BY cid", (table, schema)).fetchall()
    return tuple(str(name) for name, _ in rows), tuple(str(name) for name, place in rows if place)


def _list(columns: Sequence[str], alias: str = "") -> str:
    prefix = f"{alias}." if alias else ""
    return ", ".join(prefix + quoted(name) for name in columns)


def _differs(one: str, other: str, columns: Sequence[str]) -> str:
    """Return SQL that tells whether any column differs, whatever collations the columns were declared with."""
    return " OR ".join(f"{one}.{quoted(name)} IS NOT {other}.{quoted(name)} COLLATE BINARY" for name in columns)


def _spoiled(shape: Shape, path: Path, what: str) -> ConsolidateError:
    if shape.fact_triggers:
        return StorageError(
            f"A trigger of {path} undoes or alters {what}.", "Adapt the trigger; the store is unchanged."
        )
    return InternalError(f"{what[0].upper()}{what[1:]} did not arrive in {path} as checked; the store is unchanged.")
