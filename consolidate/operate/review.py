"""Accepting and dismissing what waits in review (DESIGN section 3, "Dismissed" and "Accepted")."""

from __future__ import annotations

import math
import secrets
from pathlib import Path
from typing import Any

from consolidate.config import Settings
from consolidate.errors import UsageError
from consolidate.operate.decision import Decision, deciding
from consolidate.operate.queue import CONFLICT, Item, waiting
from consolidate.steps.merge import absorb
from consolidate.steps.workspace import PINNED_RANK
from consolidate.store.contract import FACT_COLUMNS

STEP = "review"

_DIGEST = "value_digest(normal_key(CAST({0}.value AS BLOB), typeof({0}.value)))"


def accept(path: Path, settings: Settings, item_id: str, now: float) -> dict[str, Any]:
    """Accept a parked fact, or that two facts say the same.

    A parked fact becomes a fact of the highest source, which begins just after the latest statement of what holds, or when
    the parked fact does, if that is later; the parked one merges into it, and the next run closes what held. Of two facts
    that say the same one merges into the other, by the rules of the merge step.

    Args:
        path: the live store.
        settings: the configuration.
        item_id: the parked fact, or the proposal.
        now: Unix seconds; only tells what is in force.

    Returns:
        ``id``, ``kind``, ``decision``, ``run_id``, and ``fact``: the fact that stands for the value now.

    Raises:
        UsageError: nothing of that id waits, or it cannot be accepted as things are.
        BusyError: the store stayed locked.
    """
    with deciding(path, settings, "review", now) as decision:
        item = _item(decision, item_id)
        fact = _accept_parked(decision, item) if item.kind == CONFLICT else _merge_pair(decision, item)
        return _answer(decision, item, "accepted", fact)


def dismiss(path: Path, settings: Settings, item_id: str, now: float) -> dict[str, Any]:
    """Dismiss a parked fact, or that two facts say the same; it is remembered, so that nobody is asked twice.

    A parked fact is closed by what holds, with an empty window, and remembered with its evidence. Two facts stay as they
    are, and the pair of their values is not proposed again. Takes, returns and raises what `accept` does.
    """
    with deciding(path, settings, "review", now) as decision:
        item = _item(decision, item_id)
        if item.kind == CONFLICT:
            _dismiss_parked(decision, item)
        else:
            _settle_proposal(decision, item, "dismissed")
            for key in item.keys:
                decision.note(key, STEP, "kept apart from a fact like it by a person")
        return _answer(decision, item, "dismissed", None)


def _answer(decision: Decision, item: Item, decided: str, fact: Any) -> dict[str, Any]:
    run = {"run_id": decision.run_id, "fact": fact}
    return {"id": item.id, "kind": item.kind, "decision": decided, **run}


def _item(decision: Decision, item_id: str) -> Item:
    found = waiting(decision.db, decision.context, item_id=item_id)
    if not found:
        raise nothing_waits(item_id, decision.path)
    return found[0]


def nothing_waits(item_id: str, path: Path) -> UsageError:
    """Return the error for an id of which nothing waits."""
    return UsageError(
        f"Nothing with the id {item_id!a} waits for a decision in {path}.", "consolidate review list prints what does."
    )


# Parked facts ------------------------------------------------------------------------------------------------------


def _accept_parked(decision: Decision, item: Item) -> str:
    _refuse_what_cannot_hold(decision, item)
    db, context = decision.db, decision.context
    ranks = context.settings.sources.rank
    parameters = {
        "key": item.keys[0],
        "id": f"accepted-{secrets.token_hex(12)}",
        "source": ranks[-1] if ranks else "user",
        "after": None if item.holder_latest is None else math.nextafter(item.holder_latest, math.inf),
    }
    begins = "CASE WHEN :after > f.valid_from THEN :after ELSE f.valid_from END"
    db.execute(
        f"""INSERT OR ABORT INTO main.facts({", ".join(FACT_COLUMNS)})
            SELECT :id, f.user_id, f.attribute, f.value, f.multi, :source, {begins}, NULL, f.expires_at, 'active', NULL, '', 1
            FROM main.facts f WHERE f.{context.order} = :key""",
        parameters,
    )
    accepted = decision.inserted(str(parameters["id"]), STEP, "accepted by a person")
    _remember(decision, item, "accepted")
    _absorb(decision, [item.keys[0]], accepted.key, took=False, reason="accepted by a person")
    return str(parameters["id"])


def _refuse_what_cannot_hold(decision: Decision, item: Item) -> None:
    fact, now = item.facts[0], decision.context.now
    if item.holder_pinned:
        raise UsageError(
            f"{item.id!a} cannot be accepted: the value that holds is pinned, and a pin outranks everybody.",
            "Unpin that fact first, or dismiss this one.",
        )
    if not isinstance(fact.valid_from, (int, float)):
        raise UsageError(f"{item.id!a} cannot be accepted: it does not say since when it holds.", "Dismiss it.")
    if isinstance(fact.expires_at, (int, float)) and fact.expires_at <= now:
        raise UsageError(f"{item.id!a} cannot be accepted: its expiry date has passed.", "The next run closes it.")
    forgotten = decision.db.execute(
        f"""SELECT count(*) FROM main.facts f JOIN main.tombstones t ON t.user_id IS f.user_id COLLATE BINARY
            WHERE f.{decision.context.order} = ? AND (coalesce(t.attribute, '') = '' OR
                  (t.attribute IS f.attribute COLLATE BINARY AND tombstone_matches(CAST(t.value AS BLOB), typeof(t.value),
                   normal_key(CAST(f.value AS BLOB), typeof(f.value)))))""",
        (item.keys[0],),
    ).get
    if forgotten:
        raise UsageError(f"{item.id!a} cannot be accepted: the user asked to forget it.", "Dismiss it.")


def _dismiss_parked(decision: Decision, item: Item) -> None:
    """Close a parked fact with an empty window; where nothing holds, by what held last, or by nothing as expired."""
    _remember(decision, item, "dismissed")
    key = item.holder_key if item.holder_key is not None else _held_last(decision, item)
    ended = {"valid_to": "f.valid_from"}
    if key is None:
        decision.change(item.keys[0], STEP, "dismissed by a person", {"status": "'expired'", **ended})
        return
    successor = f"(SELECT h.id FROM main.facts h WHERE h.{decision.context.order} = :holder)"
    columns = {"status": "'superseded'", "superseded_by": successor, **ended}
    decision.change(item.keys[0], STEP, "dismissed by a person", columns, {"holder": key})


def _held_last(decision: Decision, item: Item) -> Any:
    """Return the row of the fact that held last, never one whose pointers lead back to the parked fact."""
    return decision.db.execute(
        f"""
        WITH RECURSIVE
        alike AS MATERIALIZED (
            SELECT h.{decision.context.order} AS key, h.id, h.status, h.superseded_by, h.valid_from,
                   CASE h.status WHEN 'active' THEN min(coalesce(h.valid_to, 9e999), coalesce(h.expires_at, 9e999))
                                 ELSE h.valid_to END AS ends
            FROM main.facts f JOIN main.facts h
                 ON +h.user_id IS f.user_id COLLATE BINARY AND +h.attribute IS f.attribute COLLATE BINARY
            WHERE f.{decision.context.order} = :key AND h.id IS NOT NULL),
        leading(id) AS (
            SELECT id FROM alike WHERE key = :key
            UNION
            SELECT a.id FROM leading l JOIN alike a ON a.superseded_by COLLATE BINARY = l.id
            WHERE a.status IN ('merged', 'superseded'))
        SELECT key FROM alike
        WHERE id NOT IN (SELECT id FROM leading) AND status IN ('active', 'superseded', 'expired')
              AND valid_from <= :now
        ORDER BY coalesce(ends > valid_from, 0) DESC, valid_from DESC, key DESC LIMIT 1
        """,
        {"key": item.keys[0], "now": decision.context.now},
    ).get


def _remember(decision: Decision, item: Item, decided: str) -> None:
    decision.db.execute(
        f"""INSERT OR REPLACE INTO main.consolidation_decisions
            SELECT f.user_id, f.attribute, {_DIGEST.format("f")}, f.id, :decided, f.evidence, :now
            FROM main.facts f WHERE f.{decision.context.order} = :key""",
        {"decided": decided, "now": decision.context.now, "key": item.keys[0]},
    )


# Near-duplicates ---------------------------------------------------------------------------------------------------


def _merge_pair(decision: Decision, item: Item) -> str:
    """Merge one of two facts into the other: the survivor is the one that the merge step would choose."""
    rank = f"""CASE WHEN EXISTS (SELECT 1 FROM main.consolidation_pins p WHERE p.fact_id = f.id) THEN {PINNED_RANK}
               ELSE coalesce((SELECT r.rank FROM temp.ranks r WHERE r.source = f.source), -1) END"""
    order = decision.context.order
    rows = decision.db.execute(
        f"""SELECT f.{order}, f.id, {rank} AS rank FROM main.facts f WHERE f.{order} IN (?, ?)
            ORDER BY rank DESC, f.expires_at IS NULL DESC, f.expires_at DESC, f.valid_from, f.{order}""",
        item.keys,
    ).fetchall()
    (survivor, survivor_id, _), (loser, _, loser_rank) = rows
    if loser_rank == PINNED_RANK:
        raise UsageError(
            f"The facts of {item.id!a} cannot be merged: both are pinned.",
            "Unpin the one that may go, or dismiss this.",
        )
    _absorb(decision, [loser], survivor, took=True, reason="a person says that it says the same as another fact")
    _settle_proposal(decision, item, "accepted")
    return str(survivor_id)


def _settle_proposal(decision: Decision, item: Item, decided: str) -> None:
    decision.db.execute(
        "UPDATE main.consolidation_proposals SET decision = ?, decided_at = ? WHERE proposal_id = ?",
        (decided, decision.context.now, item.id),
    )


def _absorb(decision: Decision, losers: list[Any], survivor: Any, *, took: bool, reason: str) -> None:
    """Let a fact absorb others as the merge step would: with their confirmations and their evidence.

    Args:
        decision: the open decision.
        losers: rows of the facts that close.
        survivor: the row of the fact that stays.
        took: whether the losers ever took effect.
        reason: why they close.
    """
    db, order = decision.db, decision.context.order
    for table in ("groups", "work", "decision"):
        db.execute(f"DELETE FROM temp.{table}")
    db.execute("CREATE TEMP TABLE merging(loser INTEGER PRIMARY KEY, survivor INTEGER, reason)")
    db.execute(
        f"INSERT INTO temp.groups(g, user_id, attribute) SELECT 1, user_id, attribute FROM main.facts WHERE {order} = ?",
        (survivor,),
    )
    for key in (survivor, *losers):
        db.execute(
            f"""INSERT INTO temp.work(key, id, g, single, valid_from, valid_to, status, superseded_by, in_force, took)
                SELECT {order}, id, 1, 1, valid_from, valid_to, status, superseded_by, 0, :took
                FROM main.facts WHERE {order} = :key""",
            {"key": key, "took": int(took)},
        )
    db.execute("INSERT INTO temp.merging SELECT seq, 1, ? FROM temp.work WHERE seq > 1", (reason,))
    absorb(db, decision.context, STEP)
