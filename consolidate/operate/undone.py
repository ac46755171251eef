"""The net effect of a run on its facts, from its recorded actions, and how it is taken back.

``temp.net`` has a row per fact: which columns the run changed (``mask``, as in the actions), what they were before, and what
they were after. Where a single fact is undone, a survivor's row says what is left of its gain.
"""

from __future__ import annotations

from typing import Any

from consolidate.operate.decision import Decision
from consolidate.steps.evidence import MOST_CONFIRMATIONS
from consolidate.steps.made import DIGEST
from consolidate.steps.workspace import NEXT_ACTION
from consolidate.store.contract import MUTABLE_COLUMNS

BITS = {name: 1 << place for place, name in enumerate(MUTABLE_COLUMNS)}
_IMAGES = ", ".join(f"{when}_{name}" for when in ("before", "after") for name in MUTABLE_COLUMNS)
_COUNTED = f"""CASE WHEN typeof(f.confirmations) = 'integer'
               THEN max(-{MOST_CONFIRMATIONS}, min({MOST_CONFIRMATIONS}, f.confirmations)) ELSE 0 END"""
_LOSERS = """SELECT fact_id FROM main.consolidation_actions
             WHERE run_id = :run AND after_superseded_by IS :survivor AND after_status = 'merged'"""
# Of steps of the operator nothing is known, so no exception could keep them from anything.
_BUILT_IN = ("merge", "supersede", "expire")


def collect(decision: Decision, run_id: str, facts: set[str] | None) -> None:
    """Fill ``temp.net`` with what a run did; ``facts`` narrows it to these ids."""
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
    if facts is not None:
        db.execute("CREATE TEMP TABLE wanted(id PRIMARY KEY)")
        db.executemany("INSERT INTO temp.wanted VALUES (?)", [(fact,) for fact in facts])
        db.execute("DELETE FROM temp.net WHERE fact_id NOT IN (SELECT id FROM temp.wanted)")
    of_fact = "FROM main.consolidation_actions a WHERE a.run_id = :run AND a.fact_id = n.fact_id AND a.changed & {0}"
    for name, bit in BITS.items():
        db.execute(
            f"""UPDATE temp.net AS n SET
                before_{name} = (SELECT a.before_{name} {of_fact.format(bit)} ORDER BY a.seq LIMIT 1),
                after_{name} = (SELECT a.after_{name} {of_fact.format(bit)} ORDER BY a.seq DESC LIMIT 1)
                WHERE mask & {bit}""",
            {"run": run_id},
        )
    if facts is not None:
        _leave_the_other_gains(decision, run_id)


def belonging(decision: Decision, run_id: str, fact_id: str) -> set[str]:
    """Return the fact and what cannot be undone without it or it without them: what a run merged into it, or closed by it
    if the run had made it.
    """
    made = decision.db.execute(
        "SELECT count(*) FROM main.consolidation_actions WHERE run_id = ? AND fact_id IS ? AND kind = 'insert'",
        (run_id, fact_id),
    ).get
    gained = decision.db.execute(
        "SELECT count(*) FROM main.consolidation_actions WHERE run_id = ? AND fact_id IS ? AND changed & 24",
        (run_id, fact_id),
    ).get
    found = {fact_id}
    if made or gained:
        status = "1" if made else "after_status = 'merged'"
        found |= {
            str(id)
            for (id,) in decision.db.execute(
                f"""SELECT fact_id FROM main.consolidation_actions
                    WHERE run_id = ? AND after_superseded_by IS ? AND {status}""",
                (run_id, fact_id),
            )
        }
    return found


def _leave_the_other_gains(decision: Decision, run_id: str) -> None:
    """Add the survivors of the merges that are undone: what they gained from the facts concerned goes, the rest stays."""
    rows: list[Any] = decision.db.execute(
        """SELECT DISTINCT n.after_superseded_by FROM temp.net n WHERE n.after_status = 'merged'
           AND n.after_superseded_by NOT IN (SELECT fact_id FROM temp.net)"""
    ).fetchall()
    for (survivor,) in rows:
        values = {"run": run_id, "survivor": survivor}
        lost, others = decision.db.execute(
            f"""SELECT total(CASE WHEN f.id IN (SELECT fact_id FROM temp.net) THEN {_COUNTED} END),
                       count(CASE WHEN f.id NOT IN (SELECT fact_id FROM temp.net) THEN 1 END)
                FROM main.facts f WHERE f.id IN ({_LOSERS})""",
            values,
        ).fetchone() or (0, 0)
        gain: list[Any] = decision.db.execute(
            """SELECT user_id, before_evidence, before_confirmations, after_evidence, after_confirmations, changed
               FROM main.consolidation_actions WHERE run_id = :run AND fact_id IS :survivor AND changed & 24
               ORDER BY seq DESC LIMIT 1""",
            values,
        ).fetchall()
        for user, evidence, confirmations, all_evidence, all_confirmations, changed in gain:
            left = (evidence, confirmations)
            if others:
                fewer = None if all_confirmations is None else int(all_confirmations) - int(float(lost or 0))
                left = (_without(decision, evidence, all_evidence, values), fewer)
            decision.db.execute(
                """INSERT INTO temp.net(fact_id, user_id, inserted, mask, steps, before_evidence, before_confirmations,
                                        after_evidence, after_confirmations) VALUES (?, ?, 0, ?, 'gain', ?, ?, ?, ?)""",
                (survivor, user, changed & 24, *left, all_evidence, all_confirmations),
            )


def _without(decision: Decision, before: Any, after: Any, values: dict[str, Any]) -> Any:
    """Return evidence without the ids that only the facts concerned had brought."""
    if not isinstance(after, str):
        return after
    kept: set[str] = set(str(before or "").split(" "))
    for (evidence,) in decision.db.execute(
        f"SELECT evidence FROM main.facts WHERE id IN ({_LOSERS}) AND id NOT IN (SELECT fact_id FROM temp.net)", values
    ):
        kept.update(str(evidence or "").split(" "))
    first = str(before or "")
    gained = [token for token in after[len(first) :].split(" ") if token and token in kept]
    return " ".join([*([first] if first else []), *gained]) if gained else before


OF_FACT = "main.facts f ON f.id = n.fact_id AND +f.id IS n.fact_id COLLATE BINARY"


def edited(run: str) -> str:
    """SQL: whether a fact ``f`` is not as the run, named by the parameter ``run``, left it (``n``)."""
    columns = " OR ".join(
        f"(n.mask & {bit} AND f.{name} IS NOT n.after_{name} COLLATE BINARY)" for name, bit in BITS.items()
    )
    made = f"SELECT m.digest FROM main.consolidation_made m WHERE m.run_id = {run} AND m.fact_id = n.fact_id"
    return f"({columns} OR (n.inserted AND coalesce(({made}) <> {DIGEST}, 0)))"


def obstructed(decision: Decision, run_id: str) -> list[tuple[Any, bool, bool]]:
    """Return the facts that are not as the run left them: each with whether it is gone, and whether a pin is what it lacks."""
    differs = edited(":run")
    rows: list[Any] = decision.db.execute(
        f"""SELECT n.fact_id, f.id IS NULL, n.inserted AND p.fact_id IS NOT NULL AND NOT ({differs})
            FROM temp.net n LEFT JOIN {OF_FACT} LEFT JOIN main.consolidation_pins p ON p.fact_id = n.fact_id
            WHERE f.id IS NULL OR {differs} OR (n.inserted AND p.fact_id IS NOT NULL) ORDER BY n.fact_id""",
        {"run": run_id},
    ).fetchall()
    return [(fact, bool(gone), bool(pinned)) for fact, gone, pinned in rows]


def later_run(decision: Decision, run_id: str, fact: Any) -> tuple[str, str] | None:
    """Return the last run that changed a fact after ``run_id``, and what it did, in words."""
    row = decision.db.execute(
        """SELECT a.run_id, a.step FROM main.consolidation_actions a LEFT JOIN main.consolidation_runs r USING (run_id)
           WHERE a.fact_id IS :fact AND a.changed > 0 AND a.run_id <> :run
             AND r.rowid > (SELECT rowid FROM main.consolidation_runs WHERE run_id = :run)
           ORDER BY r.rowid DESC, a.seq DESC LIMIT 1""",
        {"fact": fact, "run": run_id},
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
            SELECT n.fact_id, '', :run, :undone FROM temp.net n WHERE {closed} AND n.after_status = 'expired'""",
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


def stranded(decision: Decision) -> list[Any]:
    """Return the facts that point to one that was deleted."""
    return [
        fact
        for (fact,) in decision.db.execute(
            """SELECT id FROM main.facts WHERE superseded_by COLLATE BINARY IN (SELECT fact_id FROM temp.net WHERE inserted)
               ORDER BY id"""
        )
    ]
