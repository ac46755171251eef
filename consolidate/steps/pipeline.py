"""expire → merge → supersede → promote → re-supersede, on a shadow, in one transaction (DESIGN section 3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import apsw

from consolidate.model import empty_actions
from consolidate.steps import evidence, made, near_duplicates, plain, promote, workspace
from consolidate.steps.context import IDENTIFIED, StepContext
from consolidate.steps.expire import expire
from consolidate.steps.extra import ExtraStep, run_extra_step
from consolidate.steps.merge import merge
from consolidate.steps.supersede import supersede
from consolidate.store import job_tables


@dataclass(frozen=True)
class Decisions:
    """What the steps of one pass did.

    Attributes:
        actions: counts of what stands in the result, by the keys of the JSON contract.
        changed: whether any fact differs from the snapshot, or there is something new for review.
        capped: users (as stored, in bytes) whom a cap kept from promotion.
    """

    actions: dict[str, int]
    changed: bool
    capped: list[bytes]


def consolidate_shadow(
    db: apsw.Connection, context: StepContext, extra: Sequence[tuple[str, ExtraStep]] = (), *, candidates: bool = False
) -> Decisions:
    """Run the steps on a shadow.

    Args:
        db: the shadow, open for writing with triggers off (``connections.open_scratch``); with ``candidates`` the scratch
            database that ``candidates.collect`` filled is attached as ``scratch``.
        context: the run; its ``skipped`` and ``notices`` are added to.
        extra: the operator's steps, by name.
        candidates: whether there is anything to promote from.

    Raises:
        InternalError: an extra step failed.
        apsw.Error: SQLite refused something; the shadow is then worthless.
    """
    evidence.register(db)
    promote.register(db)
    made.register(db)
    with db:
        job_tables.migrate(db)
        workspace.prepare(db, context)
        expire(db, context)
        _merge_and_supersede(db, context)
        capped: list[bytes] = []
        proposed = False
        if not context.light:
            capped = _promote_and_supersede(db, context, extra, candidates)
            proposed = near_duplicates.propose(db, context)
            made.remember(db, context.run_id)
        counts = _count_actions(db, context)
        changed = proposed or bool(
            db.execute(
                "SELECT EXISTS (SELECT 1 FROM main.consolidation_actions WHERE run_id = ?)", (context.run_id,)
            ).get
        )
    return Decisions(counts, changed, capped)


def _merge_and_supersede(db: apsw.Connection, context: StepContext) -> None:
    """Settle every group: those without a past in one sweep where that is possible, the others by the general rules."""
    counted = context.skipped.pop("return", 0)
    returned = plain.settle(db, context)
    _settle_loaded(db, context, only_scope=returned is not None)
    returned = (returned or 0) + context.skipped.pop("return", 0)
    context.skip("return", max(counted, returned))


def _settle_loaded(db: apsw.Connection, context: StepContext, *, only_scope: bool) -> None:
    """Settle groups, all or those in ``temp.scope``, by the general rules."""
    if workspace.load(db, context, only_scope=only_scope):
        merge(db, context)
        supersede(db, context)


def _promote_and_supersede(
    db: apsw.Connection, context: StepContext, extra: Sequence[tuple[str, ExtraStep]], candidates: bool
) -> list[bytes]:
    """Promote, run the extra steps once, supersede again; repeat until nothing more is promoted."""
    if candidates:
        promote.load_candidates(db, context)
    db.execute("DELETE FROM temp.scope")
    promoted = promote.promote(db, context) if candidates else 0
    meddled = [run_extra_step(db, context, name, step) for name, step in extra]
    if any(meddled):
        _merge_and_supersede(db, context)
    elif extra or promoted:
        _settle_loaded(db, context, only_scope=True)
    while promoted:
        promoted = promote.promote(db, context)
        if promoted:
            _settle_loaded(db, context, only_scope=True)
    return promote.count_refusals(db, context) if candidates else []


def count_waiting(db: apsw.Connection, context: StepContext) -> float | None:
    """Count what the rules left alone and why, in one look at the facts; nothing is written.

    Args:
        db: the shadow after the steps.
        context: the run; its ``skipped`` is added to.

    Returns:
        When the next fact begins or expires or the next episode becomes evidence, Unix seconds; None if none will.
    """
    later = "min({0}) FILTER (WHERE typeof({0}) IN ('integer', 'real') AND {0} > :now)"
    waiting, parked, pinned, nameless, *moments = db.execute(
        f"""
        SELECT total({IDENTIFIED} AND status = 'active' AND valid_to IS NULL AND valid_from > :now),
               total({IDENTIFIED} AND status = 'review' AND NOT EXISTS (
                     SELECT 1 FROM main.consolidation_actions a WHERE a.fact_id = facts.id AND a.run_id = :run)),
               total(status = 'active' AND valid_to IS NULL AND expires_at <= :now AND EXISTS (
                     SELECT 1 FROM main.consolidation_pins p WHERE p.fact_id = facts.id)),
               total(NOT {IDENTIFIED}), {later.format("valid_from")}, {later.format("expires_at")},
               (SELECT {later.format("occurred_at")} FROM main.episodes WHERE occurred_at > :now)
        FROM main.facts
        WHERE status = 'review' OR valid_from > :now OR expires_at IS NOT NULL OR NOT {IDENTIFIED}
        """,
        {"now": context.now, "run": context.run_id},
    ).fetchone() or (0, 0, 0, 0)
    for reason, count in (("waiting", waiting), ("parked", parked), ("pinned", pinned), ("no_identity", nameless)):
        context.skip(reason, int(count))
    return min((moment for moment in moments if moment is not None), default=None)


def _count_actions(db: apsw.Connection, context: StepContext) -> dict[str, int]:
    """Count what stands in the result, not what was tried: per fact the last status this run gave it."""
    counts = empty_actions()
    names = {"expired": "expire", "merged": "merge", "superseded": "supersede", "review": "review"}
    for status, count in db.execute(
        """SELECT after_status, count(*) FROM (
               SELECT after_status, kind, row_number() OVER (PARTITION BY fact_id ORDER BY seq DESC) AS place
               FROM main.consolidation_actions WHERE run_id = ? AND changed & 1)
           WHERE place = 1 GROUP BY after_status""",
        (context.run_id,),
    ):
        if status in names:
            counts[names[status]] += count
    counts["promote"] = db.execute(
        "SELECT count(*) FROM main.consolidation_actions WHERE run_id = ? AND step = 'promote'", (context.run_id,)
    ).get
    return counts
