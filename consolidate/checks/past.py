"""What live already had wrong: notices at most, for the gate judges the run and not the past (DESIGN section 5)."""

from __future__ import annotations

from consolidate.checks import terms
from consolidate.checks.terms import Case


def report(case: Case) -> None:
    """Report what the run found and left as it was."""
    report_strange_rows(case)
    case.notice(
        "dangling_pointers",
        "fact whose pointer led nowhere already before the run",
        f"""SELECT f.user_id, f.id FROM main.facts f
            WHERE f.status IN ('merged', 'superseded') AND f.superseded_by IS NOT NULL
              AND NOT EXISTS (SELECT 1 FROM main.facts g WHERE {terms.id_matches(case, "facts", "g", "f.superseded_by")})
              AND f.{case.order} NOT IN (SELECT key FROM temp.edge WHERE key IS NOT NULL)""",
    )


def report_strange_rows(case: Case) -> None:
    """Report facts that the rules leave alone because they lack an identity or have an unknown status."""
    case.fill(
        "strange",
        "user_id, id, identified",
        f"""
        SELECT f.user_id, f.id, {terms.identified("f")} FROM main.facts f
        WHERE f.status IS NULL OR f.status NOT IN {terms.STATUSES} OR NOT {terms.identified("f")}
        """,
    )
    case.notice(
        "no_identity",
        "fact without id, user or attribute that is left alone",
        "SELECT user_id, id FROM temp.strange WHERE NOT identified",
    )
    case.notice(
        "unknown_status",
        "fact with an unknown status that is left alone",
        "SELECT user_id, id FROM temp.strange WHERE identified",
    )
