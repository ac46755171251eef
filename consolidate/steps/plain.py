"""Groups without a past, settled in one sweep: merge and supersede where nothing can get in their way (DESIGN section 3).

Most groups (user, attribute) with several facts hold nothing but active facts without a date, as an application appends them.
There the rules come down to this: in the order in which the facts speak, neighbours with equal values are one statement
repeated, and each statement gives way to the next; of an attribute with several values equal ones are one. Where sources differ,
`sources` decides. All this takes a fraction of what the general rules cost (`workspace`, `merge`, `supersede`), which are left
with the groups that have a past. Both must come to the same, which the tests of the rules hold them to.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import Any, Final

import apsw

from consolidate.steps.context import StepContext
from consolidate.steps.evidence import ABSORBED
from consolidate.steps.merge import STEP as MERGE
from consolidate.steps.plain_rules import (
    GAINED_CONFIRMATIONS,
    GAINED_EVIDENCE,
    Key,
    Row,
    Sweep,
    decide_many_valued,
    decide_one_valued,
    decide_sources,
    in_time,
    stays_parked,
)
from consolidate.steps.supersede import STEP as SUPERSEDE
from consolidate.steps.workspace import NEXT_ACTION
from consolidate.store import contract, values
from consolidate.store.cells import text_codec
from consolidate.store.connections import quoted

# Of fewer than `LARGEST` facts the sum stays inside 64 bits; the general rules clamp what is dirt.
_MOST_CONFIRMATIONS: Final = 10**12
_AT_ONCE: Final = 4096
# Larger groups, and longer values and lists of evidence, in bytes, are left to the general rules, so that memory stays flat.
LARGEST, LONGEST = 10_000, 1_000
# Of several sources every fact is compared with every other.
_MOST_OF_SOURCES: Final = 50

_is_plain, _is_single, _is_parked = attrgetter("plain"), attrgetter("single"), attrgetter("parked")
_REMEMBERED_KEYS: Final = 1 << 16


def settle(db: apsw.Connection, context: StepContext) -> int | None:
    """Settle the groups without a past, and put all others that may need it into ``temp.scope``.

    Args:
        db: the shadow, with the TEMP tables of `workspace.prepare`, after expire.
        context: the run.

    Returns:
        How many values were found to be returns, no duplicates; None where such groups cannot be told apart cheaply, because
        the application has no index of users and attributes or the rows have no number.
    """
    index = contract.group_index(db)
    if index is None or context.order == "id" or text_codec(db) != "UTF-8":
        return None
    _find_crowded(db, index)
    db.execute(
        """CREATE TEMP TABLE plain(key INTEGER PRIMARY KEY, g INTEGER, status, ends, successor, reason, gains INTEGER, evidence,
                                   confirmations, losers INTEGER)"""
    )
    db.execute("CREATE TEMP TABLE gained_by(g INTEGER, token)")
    key = values.remembering_keys("utf-8", _REMEMBERED_KEYS)
    sweep, knotty = Sweep(), list[tuple[int]]()
    for g, group in groupby(_stream(db, context, index), itemgetter(0)):
        rows = list(group)
        if len(rows) > 1 and not _decide(sweep, list(map(Row._make, rows)), key):
            knotty.append((g,))
        if len(sweep.decided) + len(knotty) > _AT_ONCE:
            _write(db, sweep, knotty)
    _write(db, sweep, knotty)
    _leave_foreign_evidence(db)
    _commit(db, context)
    returned = int(db.execute("SELECT total(returned) FROM temp.crowded WHERE NOT knotty").get)
    db.execute("DELETE FROM temp.scope")
    db.execute("INSERT INTO temp.scope SELECT user_id, attribute FROM temp.crowded WHERE knotty")
    for table in ("plain", "gained_by", "crowded"):
        db.execute(f"DROP TABLE temp.{table}")
    return returned


def _find_crowded(db: apsw.Connection, index: str) -> None:
    """Fill ``temp.crowded`` with the groups of several facts; ``knotty`` are huge ones and those that a person knows of."""
    db.execute(
        """CREATE TEMP TABLE crowded(g INTEGER PRIMARY KEY, user_id, attribute, facts INTEGER, mode INTEGER, knotty INTEGER,
                                     returned INTEGER DEFAULT 0)"""
    )
    db.execute(
        f"""
        INSERT INTO temp.crowded(user_id, attribute, facts, mode, knotty)
        SELECT user_id, attribute, count(*), (SELECT m.single FROM temp.modes m WHERE m.attribute = f.attribute),
               count(*) > {LARGEST}
        FROM main.facts f INDEXED BY {quoted(index)} WHERE user_id IS NOT NULL AND attribute IS NOT NULL
        GROUP BY user_id COLLATE BINARY, attribute COLLATE BINARY HAVING count(*) > 1
        """
    )
    db.execute(
        """UPDATE temp.crowded SET knotty = 1 WHERE (user_id, attribute) IN (
           SELECT user_id, attribute FROM main.consolidation_decisions)"""
    )
    named = """SELECT fact_id FROM main.consolidation_pins WHERE fact_id IS NOT NULL
               UNION SELECT fact_id FROM main.consolidation_exceptions WHERE fact_id IS NOT NULL"""
    if db.execute(f"SELECT EXISTS ({named})").get:
        db.execute(
            f"""UPDATE temp.crowded SET knotty = 1 WHERE (user_id, attribute) IN (
                SELECT user_id, attribute FROM main.facts WHERE id IN ({named}))"""
        )


def _stream(db: apsw.Connection, context: StepContext, index: str) -> Iterator[tuple[Any, ...]]:
    """Yield the open and the parked facts of the groups that are not knotty, group after group, with the columns of `_Row`."""
    short = {
        name: f"CASE WHEN octet_length(f.{name}) <= {LONGEST} THEN CAST(f.{name} AS BLOB) END"
        for name in ("id", "value", "evidence")
    }
    text = " AND ".join(
        f"typeof(f.{name}) = 'text' AND octet_length(f.{name}) <= {LONGEST}" for name in ("id", "value")
    )
    plain = f"""f.status COLLATE BINARY IN ('active', 'review')
        AND f.valid_to IS NULL AND f.expires_at IS NULL AND f.superseded_by IS NULL
        AND typeof(f.valid_from) IN ('real', 'integer') AND f.valid_from <= :now AND {text}
        AND (f.evidence IS NULL OR (typeof(f.evidence) = 'text' AND octet_length(f.evidence) <= {LONGEST}))
        AND (f.confirmations IS NULL OR (typeof(f.confirmations) = 'integer'
             AND f.confirmations BETWEEN -{_MOST_CONFIRMATIONS} AND {_MOST_CONFIRMATIONS}))"""
    of_group = "f.user_id = c.user_id COLLATE BINARY AND f.attribute = c.attribute COLLATE BINARY"
    undecided = "((f.status = 'active' AND f.valid_to IS NULL) OR f.status = 'review')"
    several = f"(SELECT count(*) FROM main.facts f INDEXED BY {quoted(index)} WHERE {of_group} AND {undecided}) > 1"
    # Earlier nights left one such fact in most groups; before the first, to look twice would be for nothing.
    first_night = not db.execute("SELECT EXISTS (SELECT 1 FROM main.consolidation_runs)").get
    return db.execute(
        f"""
        SELECT c.g, c.facts, c.mode, {plain}, f.status = 'review', f.{context.order}, coalesce(f.multi = 0, 0),
               CASE WHEN typeof(f.valid_from) IN ('real', 'integer') THEN f.valid_from END,
               coalesce((SELECT r.rank FROM temp.ranks r WHERE r.source = f.source), -1),
               {short["value"]}, {short["id"]}, {short["evidence"]},
               CASE WHEN typeof(f.confirmations) = 'integer' THEN f.confirmations END
        FROM temp.crowded c CROSS JOIN main.facts f INDEXED BY {quoted(index)} ON {of_group}
        WHERE NOT c.knotty AND {undecided} AND (:first_night OR {several})
        ORDER BY c.g
        """,
        {"now": context.now, "first_night": first_night},
    )


def _decide(sweep: Sweep, rows: list[Row], key: Key) -> bool:
    """Decide about a group; return whether that was possible."""
    first = rows[0]
    if not all(map(_is_plain, rows)):
        return False
    single = all(map(_is_single, rows)) if first.mode is None else bool(first.mode)
    if any(map(_is_parked, rows)):
        return single and stays_parked(rows, key)
    if single and len(rows) < first.facts:
        return False  # closed facts had their effect
    rows.sort(key=in_time)
    found: list[object] = [key(row.value, "text") for row in rows]
    keys = found if len(set(found)) < len(found) else None
    if not single:
        if keys is not None:
            decide_many_valued(sweep, rows, keys)
        return True
    if any(row.rank != first.rank for row in rows):
        return len(rows) <= _MOST_OF_SOURCES and decide_sources(sweep, rows, keys)
    decide_one_valued(sweep, rows, keys)
    return True


def _write(db: apsw.Connection, sweep: Sweep, knotty: list[tuple[int]]) -> None:
    """Move what was decided so far into the TEMP tables, so that memory stays flat."""
    db.executemany(
        "INSERT INTO temp.plain VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (d.key, d.g, d.status, d.ends, d.successor, d.reason, d.gains, d.evidence, d.confirmations, d.losers)
            for d in sweep.decided
        ),
    )
    db.executemany("INSERT INTO temp.gained_by VALUES (?, ?)", sweep.gained)
    db.executemany("UPDATE temp.crowded SET knotty = 1 WHERE g = ?", knotty)
    db.executemany("UPDATE temp.crowded SET returned = ? WHERE g = ?", sweep.returned)
    for written in (sweep.decided, sweep.gained, sweep.returned, knotty):
        written.clear()


def _leave_foreign_evidence(db: apsw.Connection) -> None:
    """Leave the groups to the general rules in which an episode of another user would be passed on."""
    foreign = db.execute(
        """SELECT DISTINCT p.g FROM temp.gained_by p CROSS JOIN temp.crowded c ON c.g = p.g
                CROSS JOIN main.episodes e ON e.id = CAST(p.token AS TEXT)
           WHERE c.user_id IS NOT e.user_id"""
    ).fetchall()
    db.executemany("UPDATE temp.crowded SET knotty = 1 WHERE g = ?", foreign)
    if foreign:
        db.execute("DELETE FROM temp.plain WHERE g IN (SELECT g FROM temp.crowded WHERE knotty)")


def _commit(db: apsw.Connection, context: StepContext) -> None:
    """Record what is in ``temp.plain`` as actions, step after step, and write it to the facts."""
    merged, evidence, confirmations = (
        "d.status = 'merged'",
        f"d.gains & {GAINED_EVIDENCE}",
        f"d.gains & {GAINED_CONFIRMATIONS}",
    )
    _record(
        db,
        context,
        MERGE,
        f"{merged} OR d.gains",
        f"""CASE WHEN {merged} THEN d.reason ELSE {ABSORBED} END, CASE WHEN {merged} THEN f.status END, NULL, NULL,
            CASE WHEN {evidence} THEN f.evidence END, CASE WHEN {confirmations} THEN f.confirmations END,
            CASE WHEN {merged} THEN d.status END, CASE WHEN {merged} THEN d.ends END,
            CASE WHEN {merged} THEN CAST(d.successor AS TEXT) END, CAST(d.evidence AS TEXT), d.confirmations,
            CASE WHEN {merged} THEN 7 ELSE d.gains END""",
    )
    _record(
        db,
        context,
        SUPERSEDE,
        "d.status <> 'merged'",
        """d.reason, f.status, NULL, NULL, NULL, NULL, d.status, d.ends, CAST(d.successor AS TEXT), NULL, NULL,
           CASE WHEN d.ends IS NULL THEN 1 ELSE 7 END""",
    )
    db.execute(
        f"""
        UPDATE main.facts AS f SET
            status = coalesce(d.status, f.status), valid_to = d.ends, superseded_by = CAST(d.successor AS TEXT),
            evidence = CASE WHEN {evidence} THEN CAST(d.evidence AS TEXT) ELSE f.evidence END,
            confirmations = CASE WHEN {confirmations} THEN d.confirmations ELSE f.confirmations END
        FROM temp.plain d WHERE f.{context.order} = d.key
        """
    )


def _record(db: apsw.Connection, context: StepContext, step: str, concerned: str, told: str) -> None:
    """Record the actions of a step; ``told`` is SQL for their columns from the reason on."""
    db.execute(
        f"""
        INSERT INTO main.consolidation_actions
        SELECT :run, {NEXT_ACTION} + row_number() OVER (ORDER BY d.key), :step, 'update', f.id, f.user_id, {told}
        FROM temp.plain d CROSS JOIN main.facts f ON f.{context.order} = d.key WHERE {concerned}
        """,
        {"run": context.run_id, "step": step},
    )
