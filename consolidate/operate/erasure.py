"""Erasing from one store what a user asked to forget: facts, episodes, and what the job remembers of them.

The caller holds the transaction; triggers of the application are on, so that what it derives from the rows goes with them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import apsw

from consolidate.operate.needles import Needles, Request
from consolidate.steps import promote
from consolidate.store import cells, job_tables
from consolidate.store.cells import Cell
from consolidate.store.values import parse_hash

# What `erase` counts, in the order in which it is told.
COUNTED = (
    "facts", "episodes", "tombstones", "replaced_tombstones", "pointers", "actions", "promotions", "decisions", "proposals",
    "made", "pins", "exceptions", "records",
)  # fmt: skip

_KEY = "normal_key(CAST({0}.value AS BLOB), typeof({0}.value))"


def prepare(db: apsw.Connection, needles: Needles) -> None:
    """Register the SQL functions that erasing and searching need."""
    codec = cells.text_codec(db)

    def mentions(raw: bytes | None, kind: str) -> int:
        return int(needles.held_by(raw, kind, codec))

    def without_erased(text: str | None) -> str | None:
        return scrub(text, needles.ids)

    promote.register(db)
    functions: tuple[tuple[str, Any, int], ...] = (("mentions", mentions, 2), ("without_erased", without_erased, 1))
    for name, function, arguments in functions:
        db.create_scalar_function(name, function, arguments)


def survey(db: apsw.Connection, request: Request, needles: Needles) -> None:
    """Add to ``needles`` the ids and the spellings of the facts of a store that are to be erased."""
    codec = cells.text_codec(db)
    columns = cells.select_list(("id", "value"))
    for row in db.execute(f"SELECT {columns} FROM main.facts f WHERE {_matches(request)}", _values(request)):
        fact_id, value = cells.decoded(row, codec)
        needles.ids.add(fact_id)
        if isinstance(value, str):
            needles.add([value])
    for row in db.execute(
        f"SELECT {cells.select_list(('value',))} FROM main.tombstones t WHERE {_plain(request)}", _values(request)
    ):
        (value,) = cells.decoded(row, codec)
        if isinstance(value, str) and not parse_hash(value):
            needles.add([value])


def erase(db: apsw.Connection, request: Request, needles: Needles, tombstone: str | None) -> dict[str, int]:
    """Erase from a store, in the open transaction.

    Args:
        db: the store; `prepare` was called.
        request: what to forget.
        needles: what `survey` found in all files together.
        tombstone: the value of the tombstone to write.

    Returns:
        Per word of `COUNTED` how many rows were written or went.
    """
    counts = dict.fromkeys(COUNTED, 0)
    db.execute("CREATE TEMP TABLE erased(id PRIMARY KEY, successor)")
    db.executemany(
        "INSERT OR IGNORE INTO temp.erased(id) VALUES (CAST(? AS TEXT))",
        [(_raw(fact_id, db),) for fact_id in needles.ids if isinstance(fact_id, (str, cells.Undecodable))],
    )
    db.execute(
        f"INSERT OR IGNORE INTO temp.erased(id) SELECT id FROM main.facts f WHERE id IS NOT NULL AND {_matches(request)}",
        _values(request),
    )
    _find_successors(db, request)
    counts["facts"] = _run(db, f"DELETE FROM main.facts AS f WHERE {_matches(request)}", _values(request))
    if request.episodes:
        which = "1" if request.attribute is None else "mentions(CAST(summary AS BLOB), typeof(summary))"
        counts["episodes"] = _run(
            db, f"DELETE FROM main.episodes AS e WHERE e.user_id IS :user COLLATE BINARY AND {which}", _values(request)
        )
    successor = "(SELECT e.successor FROM temp.erased e WHERE e.id = {0})"
    counts["pointers"] = _run(
        db,
        f"""UPDATE main.facts SET superseded_by = {successor.format("superseded_by")}
            WHERE superseded_by COLLATE BINARY IN (SELECT id FROM temp.erased)""",
    )
    counts |= _write_tombstone(db, request, tombstone)
    if job_tables.existing_version(db):
        counts |= _erase_records(db, request, successor)
    db.execute("DROP TABLE temp.erased")
    return counts


def _raw(fact_id: Cell, db: apsw.Connection) -> bytes:
    return fact_id.encode(cells.text_codec(db)) if isinstance(fact_id, str) else bytes(fact_id)  # type: ignore[arg-type]


def _matches(request: Request) -> str:
    terms = ["f.user_id IS :user COLLATE BINARY"]
    if request.attribute is not None:
        terms.append("f.attribute IS :attribute COLLATE BINARY")
    if request.value is not None:
        terms.append(f"{_KEY.format('f')} IS :key")
    return " AND ".join(terms)


def _plain(request: Request) -> str:
    """SQL: the tombstones ``t`` that say openly what is forgotten, or that the new one makes superfluous."""
    if request.attribute is None:
        return "t.user_id IS :user COLLATE BINARY"
    of_attribute = "t.user_id IS :user COLLATE BINARY AND t.attribute IS :attribute COLLATE BINARY"
    if request.value is None:
        return of_attribute
    return f"{of_attribute} AND {_KEY.format('t')} IS :key"


def _values(request: Request) -> dict[str, Any]:
    return {"user": request.user, "attribute": request.attribute, "key": request.key}


def _run(db: apsw.Connection, sql: str, values: Mapping[str, Any] | None = None) -> int:
    db.execute(sql, values or {})
    return int(db.changes())


def _find_successors(db: apsw.Connection, request: Request) -> None:
    """Fill ``erased.successor``: the first fact up the pointers that stays; nothing where they lead nowhere or in a circle."""
    db.execute(
        f"""
        CREATE TEMP TABLE onward AS SELECT f.id, f.superseded_by AS next FROM main.facts f
        WHERE {_matches(request)} AND f.status IN ('merged', 'superseded') AND f.superseded_by IS NOT NULL
        """,
        _values(request),
    )
    db.execute("CREATE INDEX temp.onward_by_id ON onward(id)")
    db.execute(
        """
        WITH RECURSIVE up(id, node) AS (
            SELECT id, next FROM temp.onward
            UNION
            SELECT up.id, o.next FROM up JOIN temp.onward o ON o.id = up.node)
        UPDATE temp.erased AS e SET successor = d.node
        FROM (SELECT up.id, up.node FROM up JOIN main.facts f ON f.id = up.node
              WHERE up.node NOT IN (SELECT id FROM temp.erased)) AS d
        WHERE d.id = e.id
        """
    )
    db.execute("DROP TABLE temp.onward")


def _write_tombstone(db: apsw.Connection, request: Request, tombstone: str | None) -> dict[str, int]:
    """Write the tombstone, unless another one covers it, and take away those that name what is forgotten."""
    values = {**_values(request), "attribute": request.attribute or "", "tombstone": tombstone}
    this = "t.user_id IS :user AND coalesce(t.attribute, '') = :attribute AND t.value IS :tombstone"
    keeps = f"NOT ({this})" if request.value is None else "1"
    replaced = _run(db, f"DELETE FROM main.tombstones AS t WHERE {_plain(request)} AND {keeps}", values)
    covered = db.execute(
        """SELECT count(*) FROM main.tombstones t WHERE t.user_id IS :user COLLATE BINARY
           AND (coalesce(t.attribute, '') = '' OR (t.attribute IS :attribute COLLATE BINARY
                AND tombstone_matches(CAST(t.value AS BLOB), typeof(t.value), :key)))""",
        values,
    ).get
    if not covered:
        db.execute(
            "INSERT INTO main.tombstones(user_id, attribute, value) VALUES (:user, :attribute, :tombstone)", values
        )
    return {"tombstones": int(not covered), "replaced_tombstones": replaced}


def _erase_records(db: apsw.Connection, request: Request, successor: str) -> dict[str, int]:
    """Erase what the job's own tables say about what is forgotten: they hold no values, but ids and digests of them."""
    values = {**_values(request), "digest": None if request.value is None else promote.value_digest(request.key)}
    gone = "COLLATE BINARY IN (SELECT id FROM temp.erased)"
    group = "user_id IS :user" + (" AND attribute IS :attribute" if request.attribute is not None else "")
    digest = " AND value_digest = :digest" if request.value is not None else ""
    pair = " AND :digest IN (one_digest, other_digest)" if request.value is not None else ""
    counts = {
        "actions": _run(db, f"DELETE FROM main.consolidation_actions WHERE fact_id {gone}"),
        "promotions": _run(
            db, f"DELETE FROM main.consolidation_promotions WHERE fact_id {gone} OR ({group}{digest})", values
        ),
        "decisions": _run(
            db, f"DELETE FROM main.consolidation_decisions WHERE fact_id {gone} OR ({group}{digest})", values
        ),
        "proposals": _run(
            db,
            f"""DELETE FROM main.consolidation_proposals
                WHERE one_fact {gone} OR other_fact {gone} OR ({group}{pair})""",
            values,
        ),
        "made": _run(db, f"DELETE FROM main.consolidation_made WHERE fact_id {gone}"),
        "pins": _run(db, f"DELETE FROM main.consolidation_pins WHERE fact_id {gone}"),
        "exceptions": _run(db, f"DELETE FROM main.consolidation_exceptions WHERE fact_id {gone} OR target {gone}"),
    }
    for column in ("before_superseded_by", "after_superseded_by"):
        db.execute(
            f"""UPDATE main.consolidation_actions SET {column} = {successor.format(column)} WHERE {column} {gone}"""
        )
    changed = "record IS NOT without_erased(record)"
    counts["records"] = _run(db, f"UPDATE main.consolidation_runs SET record = without_erased(record) WHERE {changed}")
    if db.execute("SELECT count(*) FROM main.sqlite_master WHERE name = ?", (job_tables.PROBLEMS,)).get:
        counts["records"] += _run(
            db,
            f"""UPDATE main.{job_tables.PROBLEMS} SET facts = without_erased(facts)
                WHERE facts IS NOT without_erased(facts)""",
        )
    return counts


def scrub(text: str | None, ids: set[Cell]) -> str | None:
    """Return a record of a run, or a list of facts, in JSON without the ids of erased facts; what is no JSON as it is."""
    try:
        found = json.loads(text or "")
    except ValueError:
        return text
    lists = [found] if isinstance(found, list) else []
    if isinstance(found, dict):
        entries = [entry for name in ("problems", "notices") for entry in found.get(name) or ()]
        lists = [
            entry["facts"] for entry in entries if isinstance(entry, dict) and isinstance(entry.get("facts"), list)
        ]
    touched = False
    for facts in lists:
        kept = [fact for fact in facts if not (isinstance(fact, str) and fact in ids)]
        touched = touched or len(kept) != len(facts)
        facts[:] = kept
    return json.dumps(found, ensure_ascii=False) if touched else text
