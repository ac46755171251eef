"""Expire: what is past its date says so (DESIGN section 3)."""

from __future__ import annotations

import apsw

from consolidate.steps.context import IDENTIFIED, StepContext
from consolidate.steps.workspace import NEXT_ACTION


def expire(db: apsw.Connection, context: StepContext) -> int:
    """Give every due fact the status ``expired``.

    A fact in force or closed by nobody ends at its ``expires_at``; a parked one never held, so its window is empty. A
    pinned fact keeps its status, as does one whose expiry a person undid. A fact the application closed itself is history.

    Returns:
        How many facts expired.
    """
    db.execute(
        f"""
        CREATE TEMP TABLE due AS
        SELECT {context.order} AS key, CASE status WHEN 'review' THEN valid_from ELSE expires_at END AS ends
        FROM main.facts f
        WHERE expires_at <= :now AND {IDENTIFIED}
          AND ((status = 'active' AND valid_to IS NULL
                AND NOT EXISTS (SELECT 1 FROM main.consolidation_pins p WHERE p.fact_id = f.id)) OR status = 'review')
          AND NOT EXISTS (SELECT 1 FROM main.consolidation_exceptions e WHERE e.fact_id = f.id AND e.target = x'')
        """,
        {"now": context.now},
    )
    db.execute(
        f"""
        INSERT INTO main.consolidation_actions(run_id, seq, step, kind, fact_id, user_id, reason, before_status,
                                               before_valid_to, after_status, after_valid_to, changed)
        SELECT :run, {NEXT_ACTION} + row_number() OVER (ORDER BY d.key), 'expire', 'update', f.id, f.user_id,
               'its expiry date has passed', f.status, CASE WHEN f.valid_to IS NOT d.ends THEN f.valid_to END, 'expired',
               CASE WHEN f.valid_to IS NOT d.ends THEN d.ends END, 1 + 2 * (f.valid_to IS NOT d.ends)
        FROM temp.due d JOIN main.facts f ON f.{context.order} = d.key
        """,
        {"run": context.run_id},
    )
    expired = db.changes()
    if expired:
        db.execute(
            f"""UPDATE main.facts AS f SET status = 'expired', valid_to = d.ends
                FROM temp.due d WHERE f.{context.order} = d.key"""
        )
    db.execute("DROP TABLE temp.due")
    return expired
