"""What waits for a person to decide: parked facts, and pairs of facts that may say the same (DESIGN section 3)."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import apsw

from consolidate.config import Settings
from consolidate.operate.decision import facts_at, load_groups
from consolidate.steps.context import IDENTIFIED, IN_FORCE, StepContext
from consolidate.steps.statements import find_holders
from consolidate.steps.workspace import judge_effect
from consolidate.store import cells, connections, contract, job_tables, statistics
from consolidate.store.connections import translated
from consolidate.store.reading import Change, Fact, Reader

CONFLICT, NEAR_DUPLICATE = "conflict", "near_duplicate"


@dataclass(frozen=True)
class Item:
    """Something that waits.

    Attributes:
        id: what ``accept`` and ``dismiss`` take: the id of a parked fact, or of a proposal.
        kind: ``conflict`` or ``near_duplicate``.
        why: why it waits.
        facts: the parked fact, or both facts of a pair.
        keys: their rows.
        holder: the fact that holds against a parked one, if any.
        holder_key: its row.
        holder_latest: its latest statement, Unix seconds.
        holder_pinned: whether it is pinned.
        since: when it was put here, Unix seconds, if known.
        run_id: by which run, if known.
    """

    id: str
    kind: str
    why: str
    facts: tuple[Fact, ...]
    keys: tuple[Any, ...]
    holder: Fact | None = None
    holder_key: Any = None
    holder_latest: float | None = None
    holder_pinned: bool = False
    since: float | None = None
    run_id: str | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the item for JSON."""
        fact = self.facts[0]
        return {
            "id": self.id,
            "kind": self.kind,
            "user_id": cells.as_json(fact.user_id),
            "attribute": cells.as_json(fact.attribute),
            "why": self.why,
            "facts": [item.as_json() for item in self.facts],
            "holder": self.holder and self.holder.as_json(),
            "since": self.since,
            "run_id": self.run_id,
        }


def waiting(
    db: apsw.Connection, context: StepContext, *, user: str | None = None, item_id: str | None = None
) -> list[Item]:
    """Return what waits, by user and attribute.

    Args:
        db: a store with the job's tables; only TEMP tables are made. Called once per connection.
        context: the clock, the settings and the store's shape.
        user: only what is about this user.
        item_id: only this item.
    """
    return [*_conflicts(db, context, user, item_id), *_pairs(db, context, user, item_id)]


def _conflicts(db: apsw.Connection, context: StepContext, user: str | None, item_id: str | None) -> list[Item]:
    narrowed = {"user": user, "id": item_id, "now": context.now}
    parked = f"""FROM main.facts f WHERE f.status = 'review' AND {IDENTIFIED}
                 AND (:user IS NULL OR +f.user_id IS :user COLLATE BINARY)
                 AND (:id IS NULL OR +f.id IS :id COLLATE BINARY)"""
    facts = facts_at(db, context.order, f"SELECT f.{context.order} {parked}", narrowed)
    load_groups(db, context, f"SELECT f.user_id, f.attribute {parked}", narrowed)
    judge_effect(db, context)
    find_holders(db, context)
    holders = {
        key: (holder, latest, bool(pinned))
        for key, holder, latest, pinned in db.execute(
            """SELECT w.key, o.key, o.latest, o.pinned FROM temp.work w JOIN temp.holders h ON h.g = w.g
               JOIN temp.work o ON o.seq = h.seq WHERE w.status = 'review'"""
        )
    }
    held = facts_at(db, context.order, "SELECT o.key FROM temp.holders h JOIN temp.work o ON o.seq = h.seq")
    items = []
    for key, fact in facts.items():
        run_id, since, why = _parked_by(db, key, context.order)
        holder, latest, pinned = holders.get(key, (None, None, False))
        why = why or ("it was put into review by the application" if run_id is None else "")
        items.append(
            Item(_id(fact), CONFLICT, why, (fact,), (key,), held.get(holder), holder, latest, pinned, since, run_id)
        )
    return sorted(items, key=lambda item: _place(item.facts[0]))


def _parked_by(db: apsw.Connection, key: Any, order: str) -> tuple[str | None, float | None, str]:
    row = db.execute(
        f"""SELECT a.run_id, r.now, a.reason FROM main.facts f
            JOIN main.consolidation_actions a ON a.fact_id = f.id LEFT JOIN main.consolidation_runs r USING (run_id)
            WHERE f.{order} = ? AND a.after_status = 'review' ORDER BY a.run_id DESC, a.seq DESC LIMIT 1""",
        (key,),
    ).fetchone()
    return (None, None, "") if row is None else (str(row[0]), row[1], str(row[2]))


def _pairs(db: apsw.Connection, context: StepContext, user: str | None, item_id: str | None) -> list[Item]:
    """Return the open proposals of which both facts are still in force."""
    rows: list[Any] = db.execute(
        f"""
        WITH standing AS (SELECT {context.order} AS key, id, user_id, attribute FROM main.facts f WHERE {IN_FORCE})
        SELECT p.proposal_id, p.kind, p.run_id, p.proposed_at, one.key, other.key
        FROM main.consolidation_proposals p
             JOIN standing one ON one.id = p.one_fact AND +one.user_id IS p.user_id AND +one.attribute IS p.attribute
             JOIN standing other ON other.id = p.other_fact AND +other.user_id IS p.user_id
                  AND +other.attribute IS p.attribute
        WHERE p.decision IS NULL AND (:user IS NULL OR p.user_id IS :user) AND (:id IS NULL OR p.proposal_id IS :id)
        """,
        {"now": context.now, "user": user, "id": item_id},
    ).fetchall()
    items = []
    for proposal, kind, run_id, since, *keys in rows:
        found = facts_at(db, context.order, "SELECT value FROM json_each(:keys)", {"keys": json.dumps(keys)})
        if len(found) == 2:
            facts = tuple(found[key] for key in keys)
            items.append(
                Item(
                    str(proposal),
                    NEAR_DUPLICATE,
                    KINDS.get(kind, str(kind)),
                    facts,
                    tuple(keys),
                    since=since,
                    run_id=run_id,
                )
            )
    return sorted(items, key=lambda item: (*_place(item.facts[0]), item.id))


# Why two facts may say the same, by the kind of the proposal.
KINDS = {
    "same_words": "both have the same words in another order",
    "contained": "the words of one are all in the other",
    "spelling": "they differ in a few letters",
}


def _id(fact: Fact) -> str:
    return fact.id if isinstance(fact.id, str) else str(cells.as_json(fact.id))


def _place(fact: Fact) -> tuple[str, str, str]:
    return str(fact.user_id), str(fact.attribute), str(fact.id)


@contextmanager
def reading(path: Path, settings: Settings) -> Iterator[tuple[apsw.Connection, StepContext]]:
    """Open a store to read what waits.

    One that has no tables of the job yet is read from a private copy that gets them; so is one with statistics.
    """
    extensions, lock_timeout = settings.store.extensions, settings.swap.lock_timeout
    with closing(connections.open_reader(path, extensions, lock_timeout=lock_timeout)) as db:
        shape = contract.validate(db, path)
        with translated(path):
            if job_tables.existing_version(db) and not statistics.present(db):
                with db:
                    yield db, StepContext("", 0.0, settings, shape)
                return
    copied = connections.open_snapshot(path, extensions, lock_timeout=lock_timeout)
    with closing(copied) as copy, translated(path), copy:
        job_tables.migrate(copy)
        yield copy, StepContext("", 0.0, settings, shape)


def listed(path: Path, settings: Settings, now: float | None = None, *, user: str | None = None) -> list[Item]:
    """Return what waits in a store.

    Args:
        path: the store.
        settings: the configuration.
        now: Unix seconds; None asks the clock.
        user: only what is about this user.

    Raises:
        NotAStoreError: the file is not a store.
    """
    with reading(path, settings) as (db, context):
        context.now = time.time() if now is None else now
        return waiting(db, context, user=user)


@dataclass(frozen=True)
class Detail:
    """One item with what a person needs to decide: the episodes cited, and what was done to the facts.

    ``episodes`` has per id the time, Unix seconds, and the summary, or None where there is no such episode of the user.
    """

    item: Item
    episodes: dict[str, tuple[Any, Any] | None]
    changes: dict[str, list[Change]]

    def as_json(self) -> dict[str, Any]:
        """Return the detail for JSON."""
        return {
            **self.item.as_json(),
            "episodes": [
                {"id": name, "occurred_at": cells.as_json(found[0]), "summary": cells.as_json(found[1])}
                for name, found in self.episodes.items()
                if found is not None
            ],
            "changes": {name: [change.as_json() for change in changes] for name, changes in self.changes.items()},
        }


def detail(path: Path, settings: Settings, item_id: str, now: float | None = None) -> Detail | None:
    """Return one item with its evidence and its history, or None if nothing of that id waits."""
    with reading(path, settings) as (db, context):
        context.now = time.time() if now is None else now
        found = waiting(db, context, item_id=item_id)
        if not found:
            return None
        item = found[0]
        facts = [*item.facts, *([item.holder] if item.holder else [])]
        codec = cells.text_codec(db)
        episodes: dict[str, tuple[Any, Any] | None] = {}
        for fact in facts:
            for name in fact.evidence.split(" ") if isinstance(fact.evidence, str) else ():
                row = db.execute(
                    f"""SELECT {cells.select_list(("occurred_at", "summary"))} FROM main.episodes
                        WHERE id = ?1 AND +id IS ?1 COLLATE BINARY AND +user_id IS ?2 COLLATE BINARY""",
                    (name, fact.user_id),
                ).fetchone()
                if name:
                    at, summary = cells.decoded(row, codec) if row else (None, None)
                    episodes[name] = (at, summary) if row else None
        reader = Reader(db, path, settings.attributes, settings.sources.rank)
        user, attribute = facts[0].user_id, facts[0].attribute
        history = reader.history(user, attribute) if isinstance(user, str) and isinstance(attribute, str) else []
        wanted = {fact.id for fact in facts}
        changes = {str(entry.fact.id): list(entry.changes) for entry in history if entry.fact.id in wanted}
        return Detail(item, episodes, changes)
