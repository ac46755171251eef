"""Undo: one run's actions are taken back through their before-images, where nothing later stands on them (DESIGN section 3).

What was undone is not done again on the same facts: exceptions keep a fact from being closed by any fact that its attribute
had at the time, or by its date; what is said later may close it. Undoing an undo, or a rollback, takes its exceptions away.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from consolidate.config import Settings
from consolidate.errors import UsageError
from consolidate.operate import undone
from consolidate.operate.decision import Decision, deciding, find_fact, is_pinned, text_of

STEP = "undo"


@dataclass(frozen=True)
class Obstacle:
    """Why a fact cannot be given back: ``by_run`` names the later run, None the application."""

    fact: str
    why: str
    by_run: str | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the obstacle for JSON."""
        return dict(vars(self))


@dataclass
class Undone:
    """What an undo did.

    Attributes:
        run_id: the run that the undo is recorded as; None if it was not made.
        undone_run: the run that was undone.
        restored: facts that are as they were before.
        deleted: facts that the run had made.
        obstacles: what stands in the way; then nothing was changed.
    """

    run_id: str | None
    undone_run: str
    restored: list[str] = field(default_factory=list)
    deleted: list[str] = field(default_factory=list)
    obstacles: list[Obstacle] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """Return the result for JSON."""
        return {**vars(self), "obstacles": [obstacle.as_json() for obstacle in self.obstacles]}


class _Blocked(Exception):  # noqa: N818 - a way out of the transaction, not an error
    def __init__(self, obstacles: list[Obstacle]) -> None:
        super().__init__()
        self.obstacles = obstacles


def undo(path: Path, settings: Settings, run_id: str, now: float, *, fact_id: str | None = None) -> Undone:
    """Take back what a run did, or what it did to one fact and whatever belongs to that; all of it or nothing.

    Args:
        path: the live store.
        settings: the configuration.
        run_id: the run: a night, or a person's review, pin, unpin or undo.
        now: Unix seconds, for the record.
        fact_id: only what was done to this fact: a fact that was merged comes back alone, one that gained from a merge with
            all that was merged into it.

    Returns:
        What was done, or the obstacles.

    Raises:
        UsageError: there is no such run, it did nothing (to the fact), or it is one that cannot be undone.
        BusyError: the store stayed locked.
    """
    try:
        with deciding(path, settings, "undo", now) as decision:
            kind = _kind(decision, run_id)
            if kind in ("pin", "unpin"):
                return _undo_pin(decision, run_id, kind)
            if kind in ("undo", "rollback"):
                return _lift(decision, run_id, fact_id)
            return _undo_run(decision, run_id, kind, fact_id)
    except _Blocked as blocked:
        return Undone(None, run_id, obstacles=blocked.obstacles)


def _kind(decision: Decision, run_id: str) -> str:
    row = decision.db.execute("SELECT kind FROM main.consolidation_runs WHERE run_id = ?", (run_id,)).fetchone()
    if row is None:
        raise UsageError(
            f"The store {decision.path} knows no run {run_id!a}.",
            "A run that changed nothing, was rejected or rolled back left nothing to undo; history names the runs.",
        )
    kind = str(row[0])
    if kind == "forget":
        raise UsageError(f"The run {run_id} erased what a user asked to forget; that cannot be undone.")
    return kind


def _undo_run(decision: Decision, run_id: str, kind: str, fact_id: str | None) -> Undone:
    """Undo a night, or a decision of a review, which is one whatever fact of it is named."""
    undone.collect(decision, run_id, None if kind == "review" else fact_id)
    if kind == "review" and (kept := _reopen_dismissed_pair(decision, run_id)):
        return Undone(decision.run_id, run_id, kept)
    if not decision.db.execute("SELECT count(*) FROM temp.net").get:
        what = "did nothing" if fact_id is None else f"did nothing to the fact {fact_id!a}"
        raise UsageError(f"The run {run_id} {what}.", "history tells which run did what to a fact.")
    _refuse_blocked(decision, run_id)
    if kind == "review":
        _reopen_review(decision)
    else:
        undone.remember_exceptions(decision, run_id)
    restored, deleted = (
        undone.shown(decision.db, f"SELECT fact_id FROM temp.net WHERE {which}")
        for which in ("NOT inserted", "inserted")
    )
    undone.restore(decision, run_id, "undone by a person")
    stranded = undone.stranded(decision)
    if stranded:
        raise _Blocked([Obstacle(fact, "it points to a fact that the run had made") for fact in stranded])
    return Undone(decision.run_id, run_id, restored, deleted)


def _refuse_blocked(decision: Decision, run_id: str) -> None:
    found = []
    for net, fact, gone, pinned in undone.obstructed(decision, run_id):
        if gone:
            found.append(Obstacle(fact, "it was deleted since"))
        elif pinned:
            found.append(Obstacle(fact, "it is pinned, and the run had made it"))
        else:
            later = undone.later_run(decision, run_id, net)
            why = f"it was changed since, by {later[1]}" if later else "it was changed since, by the application"
            found.append(Obstacle(fact, why, later[0] if later else None))
    if found:
        raise _Blocked(found)


def _reopen_review(decision: Decision) -> None:
    """Forget what a person had decided about the facts concerned: it waits again."""
    concerned = "(SELECT fact_id FROM temp.net)"
    decision.db.execute(f"DELETE FROM main.consolidation_decisions WHERE fact_id IN {concerned}")
    decision.db.execute(
        f"""UPDATE main.consolidation_proposals SET decision = NULL, decided_at = NULL
            WHERE decision IS NOT NULL AND one_fact IN {concerned} AND other_fact IN {concerned}"""
    )


def _reopen_dismissed_pair(decision: Decision, run_id: str) -> list[str]:
    """Let a pair that the run dismissed wait again, and return its facts; nothing where the run was another decision."""
    db = decision.db
    row = db.execute(
        """SELECT p.rowid FROM main.consolidation_proposals p JOIN main.consolidation_runs r ON r.now = p.decided_at
           WHERE r.run_id = :run AND p.decision = 'dismissed' AND 2 = (
                 SELECT count(*) FROM main.consolidation_actions a
                 WHERE a.run_id = :run AND a.changed = 0 AND a.fact_id IN (p.one_fact, p.other_fact))""",
        {"run": run_id},
    ).fetchone()
    if row is None:
        return []
    db.execute("UPDATE main.consolidation_proposals SET decision = NULL, decided_at = NULL WHERE rowid = ?", row)
    pair = " UNION ".join(
        f"SELECT {name} AS fact_id FROM main.consolidation_proposals WHERE rowid = :pair"
        for name in ("one_fact", "other_fact")
    )
    return _note(decision, pair, {"pair": row[0]}, f"the dismissal of run {run_id} was undone by a person")


def _note(decision: Decision, facts: str, values: dict[str, Any], reason: str) -> list[str]:
    """Record something about facts that stay as they are, and return their ids; ``facts`` is a query of ``fact_id``."""
    keys = decision.db.execute(
        f"""SELECT f.{decision.context.order} FROM ({facts}) n
            JOIN main.facts f ON f.id = n.fact_id AND +f.id IS n.fact_id COLLATE BINARY ORDER BY 1""",
        values,
    ).fetchall()
    for (key,) in keys:
        decision.note(key, STEP, reason)
    return undone.shown(decision.db, facts, values)


def _undo_pin(decision: Decision, run_id: str, kind: str) -> Undone:
    row = decision.db.execute(
        "SELECT fact_id FROM main.consolidation_actions WHERE run_id = ? AND step = ?", (run_id, kind)
    ).fetchone()
    fact_id = text_of(row[0]) if row else ""
    stored = find_fact(decision.db, decision.context.order, fact_id)
    if stored is None:
        raise _Blocked([Obstacle(fact_id, "it was deleted since")])
    if is_pinned(decision.db, fact_id) != (kind == "pin"):
        raise _Blocked([Obstacle(fact_id, f"it was {'unpinned' if kind == 'pin' else 'pinned'} since")])
    if kind == "pin":
        decision.db.execute("DELETE FROM main.consolidation_pins WHERE fact_id IS ? COLLATE BINARY", (fact_id,))
    elif stored.fact.status != "active":
        raise _Blocked([Obstacle(fact_id, "it is not active any more")])
    else:
        decision.db.execute(
            f"""INSERT INTO main.consolidation_pins
                SELECT id, user_id, ? FROM main.facts WHERE {decision.context.order} = ?""",
            (decision.context.now, stored.key),
        )
    decision.note(stored.key, STEP, f"the {kind} of run {run_id} was undone by a person")
    return Undone(decision.run_id, run_id, [fact_id])


def _lift(decision: Decision, run_id: str, fact_id: str | None) -> Undone:
    """Take away the exceptions of an undo or a rollback: the next run decides by the rules again."""
    where = "FROM main.consolidation_exceptions WHERE run_id = :run AND (:fact IS NULL OR fact_id IS :fact)"
    values = {"run": run_id, "fact": fact_id}
    reason = f"may be decided again: the run {run_id} was undone by a person"
    facts = _note(decision, f"SELECT DISTINCT fact_id {where}", values, reason)
    if not facts:
        raise UsageError(
            f"The run {run_id} keeps nothing from being decided again.", "The next run judges by the rules as it is."
        )
    decision.db.execute(f"DELETE {where}", values)
    return Undone(decision.run_id, run_id, facts)
