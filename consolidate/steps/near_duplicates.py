"""Proposals for review: pairs of facts in force that may say the same (DESIGN section 3, review).

Both facts stay in force until a person decides. Only attributes with several values at a time have such pairs. Facts that
are new since the last night are compared, with the latest of their attribute. The work of a night is bounded: of very many new
facts only the latest are compared, and what the cap on proposals holds back is taken up by the next night.
"""

from __future__ import annotations

import hashlib
import itertools
import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import apsw

from consolidate.model import Notice
from consolidate.steps.context import IDENTIFIED, IN_FORCE, StepContext
from consolidate.steps.likeness import Reading, compare, read
from consolidate.steps.promote import value_digest
from consolidate.store import contract
from consolidate.store.cells import text_codec
from consolidate.store.connections import quoted
from consolidate.store.values import normal_form

_PROGRESS = "near_duplicates"


@dataclass(frozen=True)
class _Value:
    """A fact in force: its row, whether it is to be compared with the others, whether it is pinned, what it says."""

    key: Any
    fresh: bool
    pinned: bool
    digest: str
    reading: Reading


@dataclass(frozen=True)
class Pair:
    """Two values of one attribute of one user that are alike.

    Attributes:
        user, attribute: as stored, in bytes.
        one, other: the values, in order of arrival.
        kind: how they are alike.
        apart: the kind of word or sign that keeps them apart all the same, if any.
    """

    user: bytes
    attribute: bytes
    one: _Value
    other: _Value
    kind: str
    apart: str | None = None

    @property
    def digests(self) -> tuple[str, str]:
        """The digests of the two values, in an order that does not depend on the facts."""
        first, second = sorted((self.one.digest, self.other.digest))
        return first, second


def propose(db: apsw.Connection, context: StepContext) -> bool:
    """Compare what is new and note pairs that may say the same, unless a person decided about them before.

    Args:
        db: the shadow, after all other steps.
        context: the run; its ``skipped`` and ``notices`` are added to.

    Returns:
        Whether there is anything new to keep: proposals, or progress that a cap ended.
    """
    settings = context.settings.review
    if not settings.near_duplicates:
        return False
    seen, before = _progress(db)
    arrived = _find_fresh(db, context, seen, before)
    latest = list(itertools.islice(arrived, 1))
    newest = latest[0] if latest and context.order != "id" else None
    arrived = itertools.chain(latest, arrived)
    fresh = list(itertools.islice(arrived, settings.max_new_facts))
    context.skip("not_compared", sum(1 for _ in arrived))
    proposed, skipped = 0, {"kept_apart": 0, "max_proposals": 0}
    for pair in _pairs(db, context, fresh):
        if pair.apart:
            skipped["kept_apart"] += 1
        elif proposed >= settings.max_per_run:
            skipped["max_proposals"] += 1
        else:
            proposed += _note(db, context, pair)
    for reason, count in skipped.items():
        context.skip(reason, count)
    if proposed:
        message = (
            f"{proposed} pair{'s' if proposed > 1 else ''} of facts may say the same; see consolidate review list."
        )
        context.notices.append(Notice(_PROGRESS, message))
    if newest is not None and not skipped["max_proposals"]:
        _keep_progress(db, newest if seen is None else max(seen, newest), context.now)
    return proposed > 0


def kept_apart(db: apsw.Connection, context: StepContext) -> list[Pair]:
    """Return the pairs in force that are alike and never proposed, since a number, unit, negation, name or symbol differs.

    Args:
        db: a store with the TEMP tables of `workspace.prepare`.
        context: its settings say how many of the latest values of an attribute are compared.
    """
    return [pair for pair in _pairs(db, context, list(_find_fresh(db, context, None, 0.0))) if pair.apart]


def _progress(db: apsw.Connection) -> tuple[Any, float]:
    """Return the last row that was compared, and when, in Unix seconds."""
    row = db.execute("SELECT value FROM main.consolidation_meta WHERE key = ?", (_PROGRESS,)).fetchone()
    if row is None:
        return None, 0.0
    found = json.loads(str(row[0]))
    return found["seen"], found["now"]


def _keep_progress(db: apsw.Connection, reached: Any, now: float) -> None:
    """Note how far the comparison came; it is no change by itself, so it is kept with the next one."""
    db.execute(
        "INSERT OR REPLACE INTO main.consolidation_meta VALUES (?, ?)",
        (_PROGRESS, json.dumps({"seen": reached, "now": now})),
    )


def _find_fresh(db: apsw.Connection, context: StepContext, seen: Any, before: float) -> Iterator[Any]:
    """Yield the rows of facts in force that were not compared yet, the latest first; without rowids all are new again."""
    several = (
        "coalesce((SELECT NOT m.single FROM temp.modes m WHERE m.attribute = f.attribute), coalesce(multi <> 0, 1))"
    )
    arrival = context.order if context.order != "id" else "valid_from DESC, id"
    rows = db.execute(
        f"""SELECT {_key(context)} FROM main.facts f
            WHERE (:seen IS NULL OR {context.order} > :seen OR valid_from > :before)
              AND {IN_FORCE} AND {IDENTIFIED} AND {several} AND typeof(value) = 'text'
            ORDER BY {arrival} DESC""",
        {"now": context.now, "seen": seen, "before": before},
    )
    yield from _decoded(rows, text_codec(db))


def _key(context: StepContext) -> str:
    """SQL for what names the row of a fact ``f``: text, which an id may be, as its bytes, and whether it is text."""
    key = f"f.{context.order}"
    return f"CASE typeof({key}) WHEN 'text' THEN CAST({key} AS BLOB) ELSE {key} END AS key, typeof({key}) = 'text' AS is_text"


def _decoded(rows: Iterable[Sequence[Any]], codec: str) -> Iterator[Any]:
    """Yield what names rows, but for ids that are no text in the store's encoding: nobody could decide about those facts."""
    for key, is_text in rows:
        with suppress(UnicodeDecodeError):
            yield key.decode(codec) if is_text else key


def _pairs(db: apsw.Connection, context: StepContext, fresh: list[Any]) -> Iterator[Pair]:
    """Yield the pairs that are alike and of which one at least is fresh."""
    if not fresh:
        return
    db.execute("CREATE TEMP TABLE fresh(key PRIMARY KEY) WITHOUT ROWID")
    db.executemany("INSERT INTO temp.fresh VALUES (?)", [(key,) for key in fresh])
    db.execute("DELETE FROM temp.scope")
    db.execute(
        f"""INSERT OR IGNORE INTO temp.scope
            SELECT user_id, attribute FROM main.facts WHERE {context.order} IN (SELECT key FROM temp.fresh)"""
    )
    for (user, attribute), group in itertools.groupby(_standing(db, context), key=lambda row: row[:2]):
        values = [_value(row) for row in group]
        for place, one in enumerate(values):
            for other in values[:place]:
                if (one.fresh or other.fresh) and one.digest != other.digest and not (one.pinned and other.pinned):
                    verdict = compare(one.reading, other.reading)
                    if verdict:
                        yield Pair(user, attribute, other, one, verdict.kind, verdict.apart)
    db.execute("DROP TABLE temp.fresh")


def _standing(db: apsw.Connection, context: StepContext) -> list[tuple[Any, ...]]:
    """Return the facts in force of the groups in scope, the latest of each group, in order of arrival."""
    codec = text_codec(db)
    index = contract.group_index(db)
    if index is None:
        joined = "main.facts f CROSS JOIN temp.scope s ON s.user_id = +f.user_id AND s.attribute = +f.attribute"
    else:
        joined = f"""temp.scope s CROSS JOIN main.facts f INDEXED BY {quoted(index)}
                     ON f.user_id = s.user_id COLLATE BINARY AND f.attribute = s.attribute COLLATE BINARY"""
    rows = db.execute(
        f"""
        SELECT user, attribute, key, is_text, fresh, pinned, value FROM (
            SELECT CAST(s.user_id AS BLOB) AS user, CAST(s.attribute AS BLOB) AS attribute, {_key(context)},
                   f.{context.order} AS arrived,
                   EXISTS (SELECT 1 FROM temp.fresh n WHERE n.key = +f.{context.order}) AS fresh,
                   EXISTS (SELECT 1 FROM main.consolidation_pins p WHERE p.fact_id = f.id) AS pinned,
                   CAST(f.value AS BLOB) AS value, count(*) OVER (PARTITION BY s.user_id, s.attribute) AS several,
                   row_number() OVER (PARTITION BY s.user_id, s.attribute
                                      ORDER BY f.valid_from DESC, f.{context.order} DESC) AS place
            FROM {joined}
            WHERE {IN_FORCE} AND f.id IS NOT NULL AND typeof(f.value) = 'text')
        WHERE several > 1 AND place <= :most
        ORDER BY user, attribute, arrived
        """,
        {"now": context.now, "most": context.settings.review.max_per_group},
    )
    found: list[tuple[Any, ...]] = []
    for user, attribute, key, is_text, fresh, pinned, raw in rows:
        with suppress(UnicodeDecodeError):
            name = key.decode(codec) if is_text else key
            found.append((user, attribute, name, bool(fresh), bool(pinned), raw.decode(codec)))
    return found


def _value(row: tuple[Any, ...]) -> _Value:
    text = row[5]
    return _Value(row[2], row[3], row[4], value_digest(normal_form(text)), read(text))


def proposal_id(user: bytes, attribute: bytes, digests: tuple[str, str]) -> str:
    """Return the id of a proposal: the same for the same two values of the same attribute of the same user."""
    whole = hashlib.sha256()
    for part in (user, attribute, *(digest.encode() for digest in digests)):
        whole.update(len(part).to_bytes(8, "big") + part)
    return f"pair-{whole.hexdigest()[:16]}"


def _note(db: apsw.Connection, context: StepContext, pair: Pair) -> int:
    """Write a proposal, unless it stands already or was dismissed; tell how many were written."""
    identity = proposal_id(pair.user, pair.attribute, pair.digests)
    db.execute(
        f"""
        INSERT INTO main.consolidation_proposals
        SELECT :id, f.user_id, f.attribute, :first, :second, f.id,
               (SELECT g.id FROM main.facts g WHERE g.{context.order} = :other), :kind, :run, :now, NULL, NULL
        FROM main.facts f WHERE f.{context.order} = :one
        ON CONFLICT (proposal_id) DO UPDATE SET one_fact = excluded.one_fact, other_fact = excluded.other_fact,
            kind = excluded.kind, run_id = excluded.run_id, proposed_at = excluded.proposed_at, decision = NULL,
            decided_at = NULL
        WHERE decision IS NOT 'dismissed' AND (one_fact IS NOT excluded.one_fact OR other_fact IS NOT excluded.other_fact)
        """,
        {
            "id": identity,
            "first": pair.digests[0],
            "second": pair.digests[1],
            "one": pair.one.key,
            "other": pair.other.key,
            "kind": pair.kind,
            "run": context.run_id,
            "now": context.now,
        },
    )
    return int(db.changes())
