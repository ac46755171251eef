"""What a rollback may not do to a store: judged like a run, from the two files alone (DESIGN sections 4 and 5).

A rollback takes facts back to what they were before runs, so what runs may not do, such as reopen a fact, is its purpose. In
exchange every column that it changes must go from what an undone run left to what an undone run found.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

import apsw

from consolidate.checks import findings, forgotten, integrity, rows, tables, terms
from consolidate.checks.findings import Findings
from consolidate.checks.terms import Case
from consolidate.config import Settings
from consolidate.store.contract import MUTABLE_COLUMNS, Shape


def verify(
    db: apsw.Connection, *, now: float, settings: Settings, shape: Shape, run_id: str, undone: Sequence[str]
) -> Findings:
    """Judge a rollback.

    Args:
        db: a read-only connection with the shadow as ``main`` and the untouched snapshot attached as ``base``. Only TEMP
            tables are made, and none is left.
        now: Unix seconds.
        settings: the configuration.
        shape: the shape of the store.
        run_id: the rollback, for messages.
        undone: the runs that it takes back.

    Returns:
        The problems; what the store already had wrong is a notice at most.
    """
    case = Case(db, now, settings, shape)
    with integrity.checking(db, settings) as pending, terms.temporary(db):
        terms.prepare(case, pins="base")
        tables.judge(case)
        if tables.contract_intact(case):
            _judge_facts(case, undone)
            rows.compare_episodes(case)
            rows.compare_tombstones(case)
            forgotten.judge(case)
        notices = integrity.judge(case, pending)
        found = findings.collect(db, run_id)
    return findings.complete(found, case.problems, notices)


def _judge_facts(case: Case, undone: Sequence[str]) -> None:
    case.db.execute("CREATE TEMP TABLE undone_run(run_id PRIMARY KEY)")
    case.db.execute("INSERT INTO temp.undone_run SELECT value FROM json_each(?)", (json.dumps(list(undone)),))
    of_undone = "a.run_id IN (SELECT run_id FROM temp.undone_run)"
    rows.compare_facts(case)
    made = f"SELECT a.fact_id FROM base.consolidation_actions a WHERE {of_undone} AND a.kind = 'insert'"
    case.run(f"DELETE FROM temp.finding WHERE name = 'lost_rows' AND fact_id IN ({made})")
    case.problem("unsupported", "new fact", "SELECT user_id, id FROM temp.touched WHERE is_new")
    for bit, name in enumerate(MUTABLE_COLUMNS):
        image = f"""SELECT 1 FROM base.consolidation_actions a
                    WHERE a.fact_id = t.id AND {of_undone} AND a.changed & {1 << bit} AND a"""
        case.problem(
            "broken_lineage",
            f"fact whose {name} is not what an undone run found",
            f"""SELECT t.user_id, t.id FROM temp.touched t WHERE t.{name} IS NOT t.b_{name} AND NOT (
                EXISTS ({image}.before_{name} IS t.{name}) AND EXISTS ({image}.after_{name} IS t.b_{name}))""",
        )
    lineage = "t.superseded_by IS NOT NULL AND t.superseded_by IS NOT t.b_superseded_by"
    lineage += " AND t.status IN ('merged', 'superseded')"
    pointed = "main.facts f WHERE f.id = t.superseded_by"
    case.problem(
        "broken_lineage",
        "fact whose pointer leads nowhere",
        f"SELECT t.user_id, t.id FROM temp.touched t WHERE {lineage} AND NOT EXISTS (SELECT 1 FROM {pointed})",
    )
    case.problem(
        "foreign_lineage",
        "fact that points to another user's",
        f"""SELECT t.user_id, t.id FROM temp.touched t WHERE {lineage}
            AND EXISTS (SELECT 1 FROM {pointed} AND f.user_id IS NOT t.user_id COLLATE BINARY)""",
    )
    case.problem(
        "broken_lineage",
        "fact that points to one that is gone",
        """SELECT f.user_id, f.id FROM temp.lost l CROSS JOIN main.facts f ON f.superseded_by = l.id""",
    )
