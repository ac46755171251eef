"""Steps the operator adds, run on the shadow after promote and judged by the same checks (DESIGN section 6)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import apsw

from consolidate.errors import InternalError
from consolidate.steps.context import StepContext
from consolidate.steps.plugins import load_callable
from consolidate.steps.workspace import NEXT_ACTION

ExtraStep = Callable[[apsw.Connection, float], None]

_COLUMNS = ("status", "valid_to", "superseded_by", "evidence", "confirmations")


def load_extra_steps(names: Sequence[str]) -> list[tuple[str, ExtraStep]]:
    """Import the extra steps that the configuration names.

    Raises:
        ConfigError: one of them cannot be loaded.
    """
    return [(name, load_callable(name, "steps.extra")) for name in names]


def run_extra_step(db: apsw.Connection, context: StepContext, name: str, step: ExtraStep) -> None:
    """Run one extra step inside the transaction of the pass and record what it changed as actions.

    Raises:
        InternalError: the step failed or ended the transaction (exit status 70).
    """
    db.execute(f"CREATE TEMP TABLE before AS SELECT {context.order} AS key, id, {', '.join(_COLUMNS)} FROM main.facts")
    db.execute("CREATE UNIQUE INDEX temp.before_key ON before(key)")
    try:
        step(db, context.now)
    except Exception as error:
        raise InternalError(
            f"The extra step {name} failed: {type(error).__name__}.", "The store is unchanged; mend the step."
        ) from error
    if not db.in_transaction:
        raise InternalError(
            f"The extra step {name} ended the transaction it runs in.", "The store is unchanged; mend the step."
        )
    _record(db, context, name)
    db.execute("DROP TABLE temp.before")


def _record(db: apsw.Connection, context: StepContext, name: str) -> None:
    changed = " + ".join(f"{1 << bit} * (b.{column} IS NOT f.{column})" for bit, column in enumerate(_COLUMNS))
    before = ", ".join(f"CASE WHEN changed & {1 << bit} THEN b_{column} END" for bit, column in enumerate(_COLUMNS))
    after = ", ".join(f"CASE WHEN changed & {1 << bit} THEN f_{column} END" for bit, column in enumerate(_COLUMNS))
    images = ", ".join(f"b.{column} AS b_{column}, f.{column} AS f_{column}" for column in _COLUMNS)
    db.execute(
        f"""
        INSERT INTO main.consolidation_actions
        SELECT :run, {NEXT_ACTION} + row_number() OVER (ORDER BY key), :step, CASE WHEN known THEN 'update' ELSE 'insert' END,
               id, user_id, 'changed by an extra step', {before}, {after}, changed
        FROM (SELECT f.{context.order} AS key, f.id, f.user_id, b.key IS NOT NULL AS known,
                     CASE WHEN b.key IS NULL THEN 31 ELSE {changed} END AS changed, {images}
              FROM main.facts f LEFT JOIN temp.before b ON b.key = f.{context.order})
        WHERE changed
        """,
        {"run": context.run_id, "step": name},
    )
