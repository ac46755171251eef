"""Steps the operator adds, run on the shadow after promote and judged by the same checks (DESIGN section 6)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import apsw

from consolidate.errors import InternalError
from consolidate.steps.context import IDENTIFIED, StepContext
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


def run_extra_step(db: apsw.Connection, context: StepContext, name: str, step: ExtraStep) -> bool:
    """Run one extra step inside the transaction of the pass and record what it changed as actions.

    TEMP triggers keep what a fact was like before the step first changed it, so that a step costs what it changes. The groups
    it changed are added to ``temp.scope``.

    Returns:
        Whether the step changed what a person decided, which can matter to any group.

    Raises:
        InternalError: the step failed or ended the transaction (exit status 70).
    """
    _watch(db, context)
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
    for trigger in _TRIGGERS:
        db.execute(f"DROP TRIGGER IF EXISTS temp.{trigger}")
    db.execute("PRAGMA recursive_triggers=OFF")
    _record(db, context, name)
    meddled = bool(db.execute("SELECT EXISTS (SELECT 1 FROM temp.meddled)").get)
    for table in ("before", "meddled"):
        db.execute(f"DROP TABLE temp.{table}")
    return meddled


_VERBS = ("INSERT", "UPDATE", "DELETE")
_DECISIONS = ("consolidation_pins", "consolidation_exceptions", "consolidation_decisions")
_TRIGGERS = (
    *(f"keep_{what}" for what in ("updated", "deleted", "inserted", "moved")),
    *(f"{table}_{verb.lower()}" for table in _DECISIONS for verb in _VERBS),
)


def _watch(db: apsw.Connection, context: StepContext) -> None:
    """Let TEMP triggers note what is changed: they fire although the application's are off."""
    db.execute(f"CREATE TEMP TABLE before(key PRIMARY KEY, known INTEGER, {', '.join(_COLUMNS)}) WITHOUT ROWID")
    db.execute("CREATE TEMP TABLE meddled(yes PRIMARY KEY) WITHOUT ROWID")
    # A row that gives way to another one by OR REPLACE is deleted without a trigger otherwise; and within such a statement
    # every insertion of a trigger replaces, too, whatever it says.
    db.execute("PRAGMA recursive_triggers=ON")
    unless_kept = "WHERE NOT EXISTS (SELECT 1 FROM before WHERE key = {})"
    was = ", ".join(f"OLD.{column}" for column in _COLUMNS)
    for verb in ("UPDATE", "DELETE"):
        db.execute(
            f"""CREATE TEMP TRIGGER keep_{verb.lower()}d BEFORE {verb} ON main.facts BEGIN
                INSERT INTO before SELECT OLD.{context.order}, 1, {was}
                {unless_kept.format(f"OLD.{context.order}")}; END"""
        )
    # After the change: what takes the place of a row that was kept is no new one.
    for name, event in (("inserted", "INSERT"), ("moved", "UPDATE")):
        db.execute(
            f"""CREATE TEMP TRIGGER keep_{name} AFTER {event} ON main.facts BEGIN
                INSERT INTO before(key, known) SELECT NEW.{context.order}, 0
                {unless_kept.format(f"NEW.{context.order}")}; END"""
        )
    for table in _DECISIONS:
        for verb in _VERBS:
            db.execute(
                f"""CREATE TEMP TRIGGER {table}_{verb.lower()} AFTER {verb} ON main.{table} BEGIN
                    INSERT OR IGNORE INTO meddled VALUES (1); END"""
            )


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
        FROM (SELECT f.{context.order} AS key, f.id, f.user_id, b.known,
                     CASE WHEN b.known THEN {changed} ELSE 31 END AS changed, {images}
              FROM temp.before b CROSS JOIN main.facts f ON f.{context.order} = b.key)
        WHERE changed
        """,
        {"run": context.run_id, "step": name},
    )
    db.execute(
        f"""INSERT OR IGNORE INTO temp.scope SELECT user_id, attribute
            FROM temp.before b CROSS JOIN main.facts f ON f.{context.order} = b.key WHERE {IDENTIFIED}"""
    )
