"""Pin and unpin: a person holds on to a fact, whatever the rules say (DESIGN section 3, rank)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from consolidate.config import Settings
from consolidate.errors import UsageError
from consolidate.operate.decision import Decision, deciding, find_fact, is_pinned, unknown_fact
from consolidate.store import cells


def pin(path: Path, settings: Settings, fact_id: str, now: float) -> dict[str, Any]:
    """Pin an active fact: it ranks above all, survives merges, holds, and is never superseded, parked or expired.

    Args:
        path: the live store.
        settings: the configuration.
        fact_id: the fact.
        now: Unix seconds.

    Returns:
        ``fact``, ``user_id``, ``attribute``, and ``changed``: whether it was not pinned before.

    Raises:
        UsageError: there is no such fact, or it is not active.
        BusyError: the store stayed locked.
    """
    with deciding(path, settings, "pin", now) as decision:
        stored = decision.find(fact_id)
        fact = stored.fact
        if fact.status != "active":
            raise UsageError(
                f"The fact {fact_id!a} cannot be pinned: its status is {str(fact.status)!a}, not 'active'.",
                "Only an active fact can be held; history shows what took its place.",
            )
        if fact.valid_to is not None:
            raise UsageError(
                f"The fact {fact_id!a} cannot be pinned: the application closed it.",
                "Only a fact that lasts can be held.",
            )
        changed = not is_pinned(decision.db, fact_id)
        if changed:
            decision.note(stored.key, "pin", "pinned by a person")
            decision.db.execute(
                f"""INSERT INTO main.consolidation_pins
                    SELECT id, user_id, :now FROM main.facts WHERE {decision.context.order} = :key""",
                {"now": now, "key": stored.key},
            )
        return _answer(fact_id, fact.user_id, fact.attribute, changed)


def unpin(path: Path, settings: Settings, fact_id: str, now: float) -> dict[str, Any]:
    """Take the pin off a fact; the next run judges it by the rules again.

    Args:
        path: the live store.
        settings: the configuration.
        fact_id: the fact; a pin whose fact is gone can be taken off as well.
        now: Unix seconds.

    Returns:
        As `pin`; ``changed`` tells whether it was pinned.

    Raises:
        UsageError: there is neither such a fact nor such a pin.
        BusyError: the store stayed locked.
    """
    with deciding(path, settings, "unpin", now) as decision:
        stored = find_fact(decision.db, decision.context.order, fact_id)
        changed = is_pinned(decision.db, fact_id)
        if stored is None and not changed:
            raise unknown_fact(fact_id, decision.path)
        if changed:
            if stored is not None:
                decision.note(stored.key, "unpin", "unpinned by a person")
            _remove(decision, fact_id)
        fact = stored.fact if stored else None
        return _answer(fact_id, fact and fact.user_id, fact and fact.attribute, changed)


def _remove(decision: Decision, fact_id: str) -> None:
    decision.db.execute("DELETE FROM main.consolidation_pins WHERE fact_id IS ? COLLATE BINARY", (fact_id,))


def _answer(fact_id: str, user: Any, attribute: Any, changed: bool) -> dict[str, Any]:
    shown = {"user_id": cells.as_json(user), "attribute": cells.as_json(attribute)}
    return {"fact": fact_id, **shown, "changed": changed}
