"""What a rollback leaves as it is: later edits column by column, and facts that it would harm to take back (DESIGN section 4).

Works on ``temp.net`` (see `undone`), from which it takes out what stays.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from consolidate.operate.decision import Decision
from consolidate.operate.undone import BITS, OF_FACT, edited
from consolidate.store.connections import quoted
from consolidate.store.contract import FACT_COLUMNS, Shape

# Why a fact stays as it is, or one of its columns does; in the order of looking.
REASONS = {
    "deleted": "was deleted since",
    "edited": "was edited since",
    "edited_columns": "was edited since in part; the edit stays",
    "forgotten": "is forgotten by now, so it does not come back",
    "successor_gone": "would be followed by a fact that is not there any more",
    "referenced": "was promoted, and other rows refer to it",
}

_STATUS = f"CASE WHEN n.mask & {BITS['status']} THEN n.before_status ELSE f.status END"
_VALID_TO = f"CASE WHEN n.mask & {BITS['valid_to']} THEN n.before_valid_to ELSE f.valid_to END"
_KEY = "normal_key(CAST(f.value AS BLOB), typeof(f.value))"


def spare(decision: Decision, shape: Shape, run_id: str) -> Counter[str]:
    """Take out of ``temp.net`` what stays as it is.

    Args:
        decision: the rollback; its connection is that of the shadow.
        shape: the schema of the store.
        run_id: the run that is undone.

    Returns:
        Per word of `REASONS` how many facts stay, or stay in part.
    """
    stays: Counter[str] = Counter()

    def drop(reason: str, facts: str, values: Mapping[str, Any] | None = None) -> None:
        decision.db.execute(f"DELETE FROM temp.net WHERE fact_id IN ({facts})", values or {})
        stays[reason] += decision.db.changes()

    # An id that another user's fact has now was used again: the fact that the run knew is gone.
    another = "f.user_id IS NOT n.user_id COLLATE BINARY"
    drop("deleted", f"SELECT n.fact_id FROM temp.net n LEFT JOIN {OF_FACT} WHERE f.id IS NULL OR {another}")
    drop("edited", *_edited_facts(decision, shape, run_id))
    stays["edited_columns"] += _keep_edited_columns(decision)
    drop("forgotten", _forgotten())
    drop("successor_gone", _without_successor())
    for facts in _referring(decision):
        drop("referenced", facts)
    before = -1
    while stays["referenced"] != before:  # what stays may point to another one
        before = stays["referenced"]
        drop("referenced", _pointed_to())
    return +stays


def _edited_facts(decision: Decision, shape: Shape, run_id: str) -> tuple[str, dict[str, Any]]:
    """SQL, and its parameters: the facts that the run had made and that are not as it made them, or that a person pinned."""
    terms = [edited(":run"), "EXISTS (SELECT 1 FROM main.consolidation_pins p WHERE p.fact_id = n.fact_id)"]
    values: dict[str, Any] = {"run": run_id}
    for name, default in _literal_defaults(decision, shape):
        terms.append(f"f.{quoted(name)} IS NOT :default{len(values)}")
        values[f"default{len(values)}"] = default
    sql = f"SELECT n.fact_id FROM temp.net n CROSS JOIN {OF_FACT} WHERE n.inserted AND ({' OR '.join(terms)})"
    return sql, values


def _literal_defaults(decision: Decision, shape: Shape) -> Iterator[tuple[str, int | str | None]]:
    """Yield the application's own columns of facts, with their defaults, where those are literals.

    One that a trigger speaks of is left out: it may have been filled in as the fact was made.
    """
    named = "SELECT 1 FROM main.sqlite_master WHERE type = 'trigger' AND instr(lower(sql), lower(?))"
    extra = {name for name in shape.facts.columns if name.lower() not in FACT_COLUMNS}
    extra = {name for name in extra if decision.db.execute(named, (name,)).fetchone() is None}
    rows: list[Any] = decision.db.execute("SELECT name, dflt_value FROM pragma_table_xinfo('facts', 'main')").fetchall()
    for name, default in rows:
        if name in extra and (default is None or str(default).isdecimal()):
            yield str(name), None if default is None else int(default)
        elif name in extra and str(default).startswith("'"):
            yield str(name), str(default)[1:-1].replace("''", "'")


def _keep_edited_columns(decision: Decision) -> int:
    """Leave out the columns that were written again since; returns of how many facts."""
    db = decision.db
    kept = " | ".join(
        f"(CASE WHEN f.{name} IS NOT n.after_{name} COLLATE BINARY THEN {bit} ELSE 0 END)" for name, bit in BITS.items()
    )
    db.execute(
        f"""UPDATE temp.net AS e SET mask = e.mask & ~d.kept
            FROM (SELECT n.fact_id, n.mask & ({kept}) AS kept FROM temp.net n CROSS JOIN {OF_FACT} WHERE NOT n.inserted) d
            WHERE d.fact_id = e.fact_id AND d.kept"""
    )
    count = db.changes()
    db.execute("DELETE FROM temp.net WHERE NOT mask AND NOT inserted")
    return int(count)


def _forgotten() -> str:
    """SQL: the facts that would get in force, now or in the future, though a tombstone names them."""
    return f"""
        SELECT n.fact_id FROM temp.net n CROSS JOIN {OF_FACT} CROSS JOIN main.tombstones t ON t.user_id = f.user_id
        WHERE NOT n.inserted AND {_STATUS} = 'active' AND ({_VALID_TO}) IS NULL
          AND NOT (f.status = 'active' AND f.valid_to IS NULL) AND +t.user_id IS f.user_id COLLATE BINARY
          AND (coalesce(t.attribute, '') = '' OR (t.attribute IS f.attribute COLLATE BINARY
               AND tombstone_matches(CAST(t.value AS BLOB), typeof(t.value), {_KEY})))"""


def _without_successor() -> str:
    """SQL: the facts whose lineage would lead nowhere, or to another user; a pointer of other facts comes back as it was."""
    return f"""
        SELECT n.fact_id FROM temp.net n CROSS JOIN {OF_FACT}
        WHERE NOT n.inserted AND n.mask & {BITS["superseded_by"]} AND n.before_superseded_by IS NOT NULL
          AND {_STATUS} IN ('merged', 'superseded')
          AND NOT EXISTS (SELECT 1 FROM main.facts t
                          WHERE t.id = n.before_superseded_by AND t.user_id IS f.user_id COLLATE BINARY)"""


def _referring(decision: Decision) -> list[str]:
    """SQL per foreign key of the application: the facts that the run had made and that rows of another table refer to."""
    rows: list[Any] = decision.db.execute(
        """SELECT m.name, k.id, k."from", coalesce(k."to", 'id')
           FROM main.sqlite_master m, pragma_foreign_key_list(m.name, 'main') k
           WHERE m.type = 'table' AND lower(k."table") = 'facts' AND lower(m.name) <> 'facts' ORDER BY m.name, k.id, k.seq"""
    ).fetchall()
    keys: dict[tuple[str, int], list[str]] = {}
    for table, number, child, parent in rows:
        keys.setdefault((table, number), []).append(f"c.{quoted(child)} = f.{quoted(parent)}")
    return [
        f"""SELECT n.fact_id FROM temp.net n CROSS JOIN {OF_FACT} WHERE n.inserted
            AND EXISTS (SELECT 1 FROM main.{quoted(table)} c WHERE {" AND ".join(match)})"""
        for (table, _), match in keys.items()
    ]


def _pointed_to() -> str:
    """SQL: the facts that the run had made and that one which stays would point to."""
    pointer = f"""CASE WHEN n.mask & {BITS["superseded_by"]} THEN n.before_superseded_by ELSE f.superseded_by END"""
    return f"""
        SELECT p.fact_id FROM temp.net p WHERE p.inserted AND p.fact_id IN (
            SELECT {pointer} FROM main.facts f LEFT JOIN temp.net n ON n.fact_id = f.id
            WHERE f.superseded_by IS NOT NULL AND NOT coalesce(n.inserted, 0))"""
