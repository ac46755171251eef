"""The net effect of a run on its facts, from its recorded actions, and how it is taken back.

``temp.net`` has a row per fact: which columns the run changed (``mask``, as in the actions), what they were before, and what
they were after. Where a single fact is undone, a survivor's row says what is left of its gain.
"""

from __future__ import annotations

from typing import Any

import apsw

from consolidate.operate.decision import Decision, text_of
from consolidate.steps.evidence import MOST_CONFIRMATIONS
from consolidate.steps.made import DIGEST
from consolidate.steps.workspace import NEXT_ACTION
from consolidate.store import cells
from consolidate.store.contract import MUTABLE_COLUMNS

BITS = {name: 1 << place for place, name in enumerate(MUTABLE_COLUMNS)}
_IMAGES = ", ".join(f"{when}_{name}" for when in ("before", "after") for name in MUTABLE_COLUMNS)
_MOST = MOST_CONFIRMATIONS


def _counted(value: str) -> str:
    """SQL: confirmations as a merge counts them."""
    return f"CASE WHEN typeof({value}) = 'integer' THEN max(-{_MOST}, min({_MOST}, {value})) ELSE 0 END"


OF_FACT = "main.facts f ON f.id = n.fact_id AND +f.id IS n.fact_id COLLATE BINARY"
# Of steps of the operator nothing is known, so no exception could keep them from anything.
_BUILT_IN = ("merge", "supersede", "expire")


def collect(decision: Decision, run_id: str, fact_id: str | None = None) -> None:
    """Fill ``temp.net`` with what a run did; ``fact_id`` narrows it to that fact and what belongs to it."""
    db = decision.db
    db.execute("DROP TABLE IF EXISTS temp.net")
    db.execute(
        f"CREATE TEMP TABLE net(fact_id PRIMARY KEY, user_id, inserted INTEGER, mask INTEGER, steps TEXT, {_IMAGES})"
    )
    masks = " | ".join(f"max(changed & {bit})" for bit in BITS.values())
    db.execute(
        f"""INSERT INTO temp.net(fact_id, user_id, inserted, mask, steps)
            SELECT fact_id, user_id, max(kind = 'insert'), {masks}, group_concat(DISTINCT step)
            FROM main.consolidation_actions WHERE run_id = ? GROUP BY fact_id HAVING max(changed) > 0""",
        (run_id,),
    )
    of_fact = "FROM main.consolidation_actions a WHERE a.run_id = :run AND a.fact_id = n.fact_id AND a.changed & {0}"
    for name, bit in BITS.items():
        db.execute(
            f"""UPDATE temp.net AS n SET
                before_{name} = (SELECT a.before_{name} {of_fact.format(bit)} ORDER BY a.seq LIMIT 1),
                after_{name} = (SELECT a.after_{name} {of_fact.format(bit)} ORDER BY a.seq DESC LIMIT 1)
                WHERE mask & {bit}""",
            {"run": run_id},
        )
    if fact_id is not None:
        _narrow(decision, run_id, fact_id)


def _narrow(decision: Decision, run_id: str, fact_id: str) -> None:
    """Leave in ``temp.net`` the fact and what cannot be undone without it or it without them, and so on: what the run merged
    into it, or closed by it if the run had made it. Of those that it was merged into only the gain is left.
    """
    db = decision.db
    db.execute(  # one that pointed to its survivor before, as an application may have left it
        f"""UPDATE temp.net AS n SET after_superseded_by = f.superseded_by FROM main.facts f
            WHERE n.after_status = 'merged' AND NOT n.mask & {BITS["superseded_by"]}
              AND f.id = n.fact_id AND +f.id IS n.fact_id COLLATE BINARY"""
    )
    db.execute("CREATE INDEX temp.net_by_target ON net(after_superseded_by)")
    db.execute(
        """
        CREATE TEMP TABLE wanted AS
        WITH RECURSIVE wanted(id) AS (
            SELECT fact_id FROM temp.net WHERE fact_id IS ?
            UNION
            SELECT n.fact_id FROM wanted w JOIN temp.net t ON t.fact_id = w.id JOIN temp.net n ON n.after_superseded_by = w.id
            WHERE t.inserted OR (t.mask & 24 AND n.after_status = 'merged'))
        SELECT id FROM wanted
        """,
        (fact_id,),
    )
    _leave_the_other_gains(db, run_id)
    db.execute("DELETE FROM temp.net WHERE fact_id NOT IN (SELECT id FROM temp.wanted UNION SELECT id FROM temp.share)")
    db.execute("DROP TABLE temp.wanted")
    db.execute("DROP TABLE temp.share")


def _leave_the_other_gains(db: apsw.Connection, run_id: str) -> None:
    """Let those that the facts concerned were merged into, and so on upwards, lose that share of their gain, but no more."""
    db.execute(
        """
        CREATE TEMP TABLE share AS
        WITH RECURSIVE above(id, depth) AS (
            SELECT after_superseded_by, 1 FROM temp.net
            WHERE after_status = 'merged' AND fact_id IN (SELECT id FROM temp.wanted)
            UNION
            SELECT n.after_superseded_by, a.depth + 1 FROM above a JOIN temp.net n ON n.fact_id = a.id
            WHERE n.after_status = 'merged')
        SELECT id, max(depth) AS depth, 0 AS lost FROM above WHERE id NOT IN (SELECT id FROM temp.wanted) GROUP BY id
        """
    )
    gained = "FROM main.consolidation_actions a WHERE a.run_id = :run AND a.fact_id = n.fact_id AND a.kind = 'update'"
    db.execute(
        f"""UPDATE temp.net AS n SET inserted = 0, steps = 'gain',
            mask = (SELECT coalesce(max(a.changed & 8) | max(a.changed & 16), 0) {gained}),
            before_evidence = (SELECT a.before_evidence {gained} AND a.changed & 8 ORDER BY a.seq LIMIT 1),
            before_confirmations = (SELECT a.before_confirmations {gained} AND a.changed & 16 ORDER BY a.seq LIMIT 1)
            WHERE fact_id IN (SELECT id FROM temp.share)""",
        {"run": run_id},
    )
    merged = f"FROM temp.net n JOIN {OF_FACT} WHERE n.after_superseded_by = s.id AND n.after_status = 'merged'"
    for (share,) in db.execute("SELECT rowid FROM temp.share ORDER BY depth").fetchall():
        db.execute(
            f"""UPDATE temp.share AS s SET lost =
                (SELECT coalesce(sum({_counted("f.confirmations")}), 0) {merged}
                 AND n.fact_id IN (SELECT id FROM temp.wanted))
                + (SELECT coalesce(sum(b.lost), 0) FROM temp.share b JOIN temp.net n ON n.fact_id = b.id
                   WHERE n.after_superseded_by = s.id AND n.after_status = 'merged')
                WHERE rowid = ?""",
            (share,),
        )
        left = f"n.after_confirmations - s.lost <> {_counted('n.before_confirmations')}"
        # What is left to a loser that loses a share itself stands in its before-image already.
        brought = f"""SELECT i.token FROM (SELECT CASE WHEN n.fact_id IN (SELECT id FROM temp.share) AND n.mask & 8
                                                  THEN n.before_evidence ELSE f.evidence END AS ids
                                           {merged} AND n.fact_id NOT IN (SELECT id FROM temp.wanted)) o
                      CROSS JOIN split_ids(CAST(o.ids AS BLOB)) i"""
        db.execute(
            f"""UPDATE temp.net AS n SET
                before_confirmations = CASE WHEN n.mask & 16 AND {left} THEN n.after_confirmations - s.lost
                                            ELSE n.before_confirmations END,
                before_evidence = coalesce((
                    SELECT iif(coalesce(n.before_evidence, '') = '', '', n.before_evidence || ' ')
                           || group_concat(CAST(i.token AS TEXT), ' ' ORDER BY i.place)
                    FROM (SELECT n.after_evidence AS ids WHERE n.mask & 8) o CROSS JOIN split_ids(CAST(o.ids AS BLOB)) i
                    WHERE i.token IN ({brought})
                      AND i.token NOT IN (SELECT b.token FROM (SELECT n.before_evidence AS ids) o
                                          CROSS JOIN split_ids(CAST(o.ids AS BLOB)) b)
                    HAVING count(*) > 0), n.before_evidence)
                FROM temp.share s WHERE s.rowid = ? AND n.fact_id = s.id""",
            (share,),
        )
    db.execute("DELETE FROM temp.net WHERE NOT mask AND fact_id IN (SELECT id FROM temp.share)")


def shown(db: apsw.Connection, facts: str, values: Any = None) -> list[str]:
    """Return ids of facts for people, sorted; ``facts`` is a query of a column ``fact_id``, whose text may be undecodable."""
    codec = cells.text_codec(db)
    rows = db.execute(f"SELECT {cells.select_list(('fact_id',))} FROM ({facts}) ORDER BY fact_id", values)
    return [text_of(cell) for row in rows for cell in cells.decoded(row, codec)]


def edited(run: str) -> str:
    """SQL: whether a fact ``f`` is not as the run, named by the parameter ``run``, left it (``n``)."""
    columns = " OR ".join(
        f"(n.mask & {bit} AND f.{name} IS NOT n.after_{name} COLLATE BINARY)" for name, bit in BITS.items()
    )
    made = f"SELECT m.digest FROM main.consolidation_made m WHERE m.run_id = {run} AND m.fact_id = n.fact_id"
    return f"({columns} OR (n.inserted AND coalesce(({made}) <> {DIGEST}, 0)))"


def obstructed(decision: Decision, run_id: str) -> list[tuple[Any, str, bool, bool]]:
    """Return the facts that are not as the run left them.

    Each with its row in ``temp.net``, its id for people, whether it is gone, and whether a pin is what it lacks.
    """
    differs = edited(":run")
    rows: list[Any] = decision.db.execute(
        f"""SELECT n.rowid, f.id IS NULL, n.inserted AND p.fact_id IS NOT NULL AND NOT ({differs})
            FROM temp.net n LEFT JOIN {OF_FACT} LEFT JOIN main.consolidation_pins p ON p.fact_id = n.fact_id
            WHERE f.id IS NULL OR {differs} OR (n.inserted AND p.fact_id IS NOT NULL) ORDER BY n.fact_id""",
        {"run": run_id},
    ).fetchall()
    names = (shown(decision.db, "SELECT fact_id FROM temp.net WHERE rowid = ?", (row,))[0] for row, *_ in rows)
    return [(row, name, bool(gone), bool(pinned)) for (row, gone, pinned), name in zip(rows, names, strict=True)]


def later_run(decision: Decision, run_id: str, net: Any) -> tuple[str, str] | None:
    """Return the last run that changed a fact, given by its row in ``temp.net``, after ``run_id``, and what it did, in words."""
    row = decision.db.execute(
        """SELECT a.run_id, a.step FROM main.consolidation_actions a LEFT JOIN main.consolidation_runs r USING (run_id)
           WHERE a.fact_id IS (SELECT fact_id FROM temp.net WHERE rowid = :net) AND a.changed > 0 AND a.run_id <> :run
             AND r.rowid > (SELECT rowid FROM main.consolidation_runs WHERE run_id = :run)
           ORDER BY r.rowid DESC, a.seq DESC LIMIT 1""",
        {"net": net, "run": run_id},
    ).fetchone()
    return None if row is None else (str(row[0]), f"run {row[0]} ({row[1]})")


def remember_exceptions(decision: Decision, run_id: str) -> None:
    """Keep what is undone from being done again: by no fact that the attribute had at the time, and not by the date.

    A fact whose ``valid_from`` is after the run says something later, and may close what comes back.
    """
    steps = " OR ".join(f"a.step = '{step}'" for step in _BUILT_IN)
    closed = f"""NOT n.inserted AND n.mask & 7 AND EXISTS (
        SELECT 1 FROM main.consolidation_actions a WHERE a.run_id = :undone AND a.fact_id = n.fact_id AND ({steps}))"""
    values = {"undone": run_id, "run": decision.run_id}
    decision.db.execute(
        f"""INSERT OR IGNORE INTO main.consolidation_exceptions
            SELECT n.fact_id, o.id, :run, :undone FROM temp.net n JOIN {OF_FACT}
                 JOIN main.facts o ON o.user_id = f.user_id AND o.attribute = f.attribute AND +o.id IS NOT f.id
                      AND +o.user_id IS f.user_id COLLATE BINARY AND +o.attribute IS f.attribute COLLATE BINARY
            WHERE {closed} AND o.id IS NOT NULL AND NOT coalesce(typeof(o.valid_from) IN ('integer', 'real')
                  AND o.valid_from > (SELECT now FROM main.consolidation_runs WHERE run_id = :undone), 0)""",
        values,
    )
    decision.db.execute(
        f"""INSERT OR IGNORE INTO main.consolidation_exceptions
            SELECT n.fact_id, x'', :run, :undone FROM temp.net n WHERE {closed} AND n.after_status = 'expired'""",
        values,
    )


def restore(decision: Decision, run_id: str, said: str) -> None:
    """Give the facts their before-images, delete those that the run had made, and record it; ``said`` begins the reason."""
    db = decision.db
    flipped = ", ".join(
        f"CASE WHEN mask & {bit} THEN {when}_{name} END" for when in ("after", "before") for name, bit in BITS.items()
    )
    db.execute(
        f"""INSERT INTO main.consolidation_actions
            SELECT :run, {NEXT_ACTION} + row_number() OVER (ORDER BY fact_id), :step, iif(inserted, 'delete', 'update'),
                   fact_id, user_id, :said || ': ' || replace(steps, ',', ' and ') || ' of run ' || :undone, {flipped}, mask
            FROM temp.net""",
        {"run": decision.run_id, "step": decision.kind, "said": said, "undone": run_id},
    )
    masks = db.execute("SELECT DISTINCT mask FROM temp.net WHERE NOT inserted ORDER BY 1").fetchall()
    for (mask,) in masks:
        assignments = ", ".join(f"{name} = n.before_{name}" for name, bit in BITS.items() if int(str(mask)) & bit)
        db.execute(
            f"""UPDATE OR ABORT main.facts AS f SET {assignments} FROM temp.net n
                WHERE n.mask = ? AND NOT n.inserted AND f.id = n.fact_id AND +f.id IS n.fact_id COLLATE BINARY""",
            (mask,),
        )
    db.execute(
        """DELETE FROM main.facts AS f WHERE id IN (SELECT fact_id FROM temp.net WHERE inserted)
           AND EXISTS (SELECT 1 FROM temp.net n WHERE n.fact_id IS f.id COLLATE BINARY)"""
    )


def stranded(decision: Decision) -> list[str]:
    """Return the facts that point to one that was deleted."""
    return shown(
        decision.db,
        """SELECT id AS fact_id FROM main.facts
           WHERE superseded_by COLLATE BINARY IN (SELECT fact_id FROM temp.net WHERE inserted)""",
    )
