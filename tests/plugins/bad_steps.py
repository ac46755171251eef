"""Extra steps that do what no step may do; each is caught by the check it is named after, or the night would swap it in."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable

import apsw

Step = Callable[[apsw.Connection, float], None]

_NEW_FACT = """INSERT INTO facts VALUES ('fresh', 'maya', 'pet', {value}, 1, {source}, {at}, NULL, NULL, 'active', NULL,
               {evidence}, {confirmations})"""


def _sql(text: str) -> Step:
    def step(shadow: apsw.Connection, now: float) -> None:
        shadow.execute(text)

    return step


def _new_fact(evidence: str, value: str = "'cat'", source: str = "'inferred'", confirmations: int = 2) -> Step:
    text = _NEW_FACT.format(
        value=value, source=source, at="1777600000.0", evidence=evidence, confirmations=confirmations
    )
    return _sql(text)


cross_user_merge = _sql(
    "UPDATE facts SET status = 'merged', superseded_by = 'tom1', valid_to = valid_from WHERE id = 'single'"
)
deleted_row = _sql("DELETE FROM facts WHERE id = 'single'")
edited_value = _sql("UPDATE facts SET value = 'Paris' WHERE id = 'single'")
moved_owner = _sql("UPDATE facts SET user_id = 'tom' WHERE id = 'single'")
edited_time = _sql("UPDATE facts SET valid_from = valid_from - 1 WHERE id = 'single'")
mass_retirement = _sql(
    """UPDATE facts SET status = 'superseded', valid_to = valid_from + 1,
           superseded_by = (SELECT max(k.id) FROM facts k WHERE k.attribute = facts.attribute AND k.id <> facts.id
                            AND k.user_id = 'many')
       WHERE user_id = 'many' AND id LIKE '%a'"""
)
dangling_pointer = _sql(
    "UPDATE facts SET status = 'superseded', superseded_by = 'nobody', valid_to = valid_from + 1 WHERE id = 'single'"
)
cyclic_pointer = _sql(
    """UPDATE facts SET status = 'superseded', valid_to = valid_from + 1,
           superseded_by = CASE id WHEN 'pair1' THEN 'pair2' ELSE 'pair1' END WHERE id IN ('pair1', 'pair2')"""
)
# Without the pins, which no step may set, the supersede rules that follow would settle it.
two_in_force = _sql(
    """UPDATE facts SET status = 'active', valid_to = NULL, superseded_by = NULL WHERE id = 'old';
       INSERT INTO consolidation_pins VALUES ('old', 'maya', 0), ('new', 'maya', 0)"""
)
invented_fact = _new_fact("''", confirmations=0)
foreign_evidence = _new_fact("'t1 t2'")
inference_posing_as_user = _new_fact("'m1 m2'", source="'user'")
forgotten_revived = _new_fact("'m1 m2'", value="'Ferret'")
edited_episode = _sql("UPDATE episodes SET summary = 'nothing happened' WHERE id = 'm1'")
deleted_episode = _sql("DELETE FROM episodes WHERE id = 'm1'")
deleted_tombstone = _sql("DELETE FROM tombstones")
inflated_confirmations = _sql("UPDATE facts SET confirmations = 99 WHERE id = 'single'")
dropped_evidence = _sql("UPDATE facts SET evidence = 'm2' WHERE id = 'proven'")
changed_application_row = _sql("UPDATE notes SET body = 'x'")
dropped_application_table = _sql("DROP TABLE notes")
status_without_pointer = _sql(
    "UPDATE facts SET status = 'superseded', valid_to = valid_from + 1, superseded_by = NULL WHERE id = 'single'"
)
displaced_user = _sql(
    "UPDATE facts SET status = 'superseded', valid_to = valid_from + 1, superseded_by = 'guess' WHERE id = 'pair1'"
)
merged_contradiction = _sql(
    "UPDATE facts SET status = 'merged', valid_to = valid_from, superseded_by = 'pair2' WHERE id = 'pair1'"
)
retired_as_unrepeated = _sql("UPDATE facts SET status = 'expired', valid_to = valid_from + 1 WHERE confirmations < 2")
dropped_index = _sql("DROP INDEX notes_by_body")
changed_user_version = _sql("PRAGMA user_version = 99")


def failing(shadow: apsw.Connection, now: float) -> None:
    """Fail half way."""
    shadow.execute("DELETE FROM facts")
    raise RuntimeError("a secret value")


def committing(shadow: apsw.Connection, now: float) -> None:
    """End the transaction it was given."""
    shadow.execute("COMMIT")


def harmless(shadow: apsw.Connection, now: float) -> None:
    """Look, and touch nothing."""
    shadow.execute("SELECT count(*) FROM facts").fetchall()


def _signal(number: signal.Signals) -> Step:
    def step(shadow: apsw.Connection, now: float) -> None:
        shadow.execute("DELETE FROM facts")
        os.kill(os.getpid(), number)
        shadow.execute("SELECT count(*) FROM facts").fetchall()

    return step


interrupted = _signal(signal.SIGINT)
terminated = _signal(signal.SIGTERM)
killed = _signal(signal.SIGKILL)
