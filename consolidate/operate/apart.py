"""Pairs of facts that are alike and that nobody is asked about, since something in them keeps them apart (DESIGN section 3)."""

from __future__ import annotations

import json
import time
from pathlib import Path

from consolidate.config import Settings
from consolidate.operate.decision import facts_at
from consolidate.operate.queue import Item, reading
from consolidate.steps import near_duplicates, workspace

KEPT_APART = "kept_apart"

_WHY = {
    "number": "a number differs",
    "unit": "a unit differs",
    "negation": "one of them is negated",
    "name": "a name differs",
    "symbol": "a symbol differs",
}


def listed(path: Path, settings: Settings, now: float | None = None, *, user: str | None = None) -> list[Item]:
    """Return the pairs that are kept apart, and by what.

    Args:
        path: the store.
        settings: the configuration; ``review.max_per_group`` bounds how many values of an attribute are compared.
        now: Unix seconds; None asks the clock.
        user: only what is about this user.

    Raises:
        NotAStoreError: the file is not a store.
        BusyError: it is locked.
    """
    with reading(path, settings) as (db, context):
        context.now = time.time() if now is None else now
        workspace.prepare(db, context)
        items = []
        for pair in near_duplicates.kept_apart(db, context):
            keys = (pair.one.key, pair.other.key)
            found = facts_at(db, context.order, "SELECT value FROM json_each(:keys)", {"keys": json.dumps(keys)})
            facts = tuple(found[key] for key in keys)
            if user is None or facts[0].user_id == user:
                why = _WHY.get(pair.apart or "", str(pair.apart))
                items.append(
                    Item(
                        near_duplicates.proposal_id(pair.user, pair.attribute, pair.digests),
                        KEPT_APART,
                        why,
                        facts,
                        keys,
                    )
                )
    return items
