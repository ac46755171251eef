"""All checks of DESIGN section 5 in the order of the data: rows, lineage, evidence, answers, other tables, the file."""

from __future__ import annotations

from collections.abc import Callable

import apsw

from consolidate.checks import (
    answers,
    evidence,
    findings,
    forgotten,
    integrity,
    lineage,
    past,
    promotions,
    rows,
    survey,
    tables,
    terms,
)
from consolidate.checks.findings import Findings
from consolidate.checks.terms import Case
from consolidate.config import Settings
from consolidate.model import Notice
from consolidate.store.contract import Shape


def verify(
    db: apsw.Connection, *, now: float, settings: Settings, shape: Shape, run_id: str,
    meanwhile: Callable[[], None] | None = None,
) -> Findings:  # fmt: skip
    """Judge a run: what the shadow may not be, given the store it was made from (DESIGN section 5).

    Everything is recomputed in SQL from the two files. What the store already had wrong is a notice at most.

    Args:
        db: a read-only connection (``connections.open_reader``) with the shadow as ``main`` and the untouched snapshot
            attached as ``base``, perhaps with a survey of it (``survey.Survey``). Only TEMP tables are made, and none is left.
        now: the time of the run, Unix seconds.
        settings: the configuration of the run.
        shape: the shape of the store.
        run_id: the run that is judged, for messages.
        meanwhile: called once while SQLite is still checking a large file, if the shadow can be read.

    Returns:
        The problems, one per check and user, and the notices.

    Raises:
        apsw.Error: SQLite cannot read one of the files, or their schema needs a function or collation that is not loaded.
    """
    case = Case(db, now, settings, shape)
    notices: list[Notice] = []
    with integrity.checking(db, settings) as pending, terms.temporary(db):
        terms.prepare(case, pins="base")
        tables.judge(case)
        if tables.contract_intact(case):
            _judge_memory(case)
            if meanwhile is not None:
                meanwhile()
        notices += integrity.judge(case, pending)
        found = findings.collect(db, run_id)
    return findings.complete(found, case.problems, notices)


def _judge_memory(case: Case) -> None:
    survey.take(case, "base")
    rows.compare_facts(case)
    rows.compare_episodes(case)
    rows.compare_tombstones(case)
    rows.compare_decisions(case)
    lineage.judge(case)
    evidence.judge(case)
    promotions.judge(case)
    answers.judge(case)
    forgotten.judge(case)
    past.report(case)


def examine(db: apsw.Connection, *, now: float, settings: Settings, shape: Shape) -> Findings:
    """Judge a single store, whoever made it: a live one, a ``.pre``, a ``.rejected``.

    Problems are what no sequence of statements and runs should leave: a damaged file, pointers that lead nowhere, to
    another user or attribute, in a circle, or merge different values. What the next run will settle, or a person may want
    as it is, is a notice: several values of a one-valued attribute in force, forgotten values, rows that are left alone.

    Args:
        db: a read-only connection with the store as ``main``. Only TEMP tables are made, and none is left.
        now: Unix seconds.
        settings: the configuration.
        shape: the shape of the store.

    Raises:
        apsw.Error: SQLite cannot read the file, or its schema needs a function or collation that is not loaded.
    """
    case = Case(db, now, settings, shape)
    with terms.temporary(db):
        terms.prepare(case, pins="main")
        survey.take(case, "main", ("crowded_before", "strange", "mixed"))
        lineage.examine(case)
        answers.examine(case)
        forgotten.examine(case)
        past.report_strange_rows(case)
        past.report_mixed_flags(case)
        found = findings.collect(db)
    integrity.examine(case, found)
    return found
