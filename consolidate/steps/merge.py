"""Merge: equal statements in force become one (DESIGN section 3)."""

from __future__ import annotations

import apsw

from consolidate.steps import evidence
from consolidate.steps.context import StepContext
from consolidate.steps.statements import find_holders
from consolidate.steps.workspace import commit_decisions, judge_effect

STEP = "merge"
SAYS_THE_SAME = "says the same as another fact in force"


def merge(db: apsw.Connection, context: StepContext) -> None:
    """Merge equal normal forms in force, then what repeats the holder without ever having taken effect.

    Works on the loaded groups (``workspace.load``).
    """
    judge_effect(db, context)
    db.execute("CREATE TEMP TABLE merging(loser INTEGER PRIMARY KEY, survivor INTEGER, reason)")
    _pair_equal_facts(db, context)
    _keep_apart(db)
    absorb(db, context)
    judge_effect(db, context)
    find_holders(db, context)
    _pair_with_holder(db, context)
    _keep_apart(db)
    absorb(db, context)
    db.execute("DROP TABLE temp.merging")


def _pair_equal_facts(db: apsw.Connection, context: StepContext) -> None:
    """Pair each loser with its survivor.

    A return is no duplicate: of two equal values in (valid_from, rowid) order, the number of facts of *other* values that
    took effect up to each tells whether one lies between. That number is (all that took effect) - (those of this value).
    """
    db.execute(
        """
        CREATE TEMP TABLE cluster AS
        SELECT seq, g, value, stretch, valid_from, pinned,
               first_value(seq) OVER best AS survivor, row_number() OVER best AS place
        FROM (SELECT *, CASE WHEN single THEN
                     count(CASE WHEN took THEN 1 END) OVER (PARTITION BY g ORDER BY valid_from, seq ROWS UNBOUNDED PRECEDING)
                     - count(CASE WHEN took THEN 1 END) OVER (PARTITION BY g, value ORDER BY valid_from, seq
                                                              ROWS UNBOUNDED PRECEDING)
                     ELSE 0 END AS stretch
              FROM temp.work WHERE (took OR in_force)
                AND g IN (SELECT g FROM temp.work WHERE in_force GROUP BY g, value HAVING count(*) > 1))
        WHERE in_force
        WINDOW best AS (PARTITION BY g, value, stretch
                        ORDER BY rank DESC, expires_at IS NULL DESC, expires_at DESC, valid_from, seq)
        """
    )
    db.execute(
        "INSERT INTO temp.merging SELECT seq, survivor, ? FROM temp.cluster WHERE place > 1 AND NOT pinned",
        (SAYS_THE_SAME,),
    )
    returns = db.execute(
        "SELECT total(stretches - 1) FROM (SELECT count(DISTINCT stretch) AS stretches FROM temp.cluster GROUP BY g, value)"
    ).get
    if returns:
        context.skipped["return"] = max(int(returns), context.skipped.get("return", 0))
    db.execute("DROP TABLE temp.cluster")


def _pair_with_holder(db: apsw.Connection, context: StepContext) -> None:
    """Pair what has the holder's value but never took effect, parked facts included, with the holder.

    A parked fact of a higher source than an unpinned holder stays parked: a user's own words are never absorbed by an
    inference.
    """
    db.execute(
        """
        INSERT INTO temp.merging
        SELECT w.seq, h.seq, 'says the same as the value that holds'
        FROM temp.holders h JOIN temp.work o ON o.seq = h.seq
             JOIN temp.work w ON w.g = h.g AND w.seq <> h.seq AND w.value = o.value
        WHERE NOT w.took AND NOT w.pinned
          AND (w.in_force OR (w.status = 'review' AND w.valid_from <= :now
                              AND (o.pinned OR w.source_rank <= o.source_rank)))
        """,
        {"now": context.now},
    )


def _keep_apart(db: apsw.Connection) -> None:
    """Drop the pairs whose merge a person undid, whichever of the two would be the loser now."""
    db.execute(
        """DELETE FROM temp.merging WHERE EXISTS (SELECT 1 FROM temp.apart a WHERE
           (a.seq = loser AND a.target = survivor) OR (a.seq = survivor AND a.target = loser))"""
    )


def absorb(db: apsw.Connection, context: StepContext, step: str = STEP) -> None:
    """Turn the pairs in ``temp.merging`` into decisions: the losers close, the survivor gains confirmations and evidence."""
    db.execute(
        """
        INSERT INTO temp.decision(seq, changed, status, valid_to, superseded_by, reason)
        SELECT l.seq, 7, 'merged', CASE WHEN l.took THEN max(l.valid_from, s.valid_from) ELSE l.valid_from END, s.id,
               m.reason
        FROM temp.merging m JOIN temp.work l ON l.seq = m.loser JOIN temp.work s ON s.seq = m.survivor
        """
    )
    if db.changes():
        evidence.gain(db, context)
        commit_decisions(db, context, step)
    db.execute("DELETE FROM temp.merging")
