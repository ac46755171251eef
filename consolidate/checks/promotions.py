"""unsupported: a fact that was not there before stands on the evidence its rule asks for (DESIGN section 3, promote)."""

from __future__ import annotations

from consolidate.checks import terms
from consolidate.checks.terms import Case

SECONDS_PER_DAY = 86_400


def judge(case: Case) -> None:
    """Report every new fact that no promotion can have made; the snapshot's episodes are the only evidence."""
    if not case.value("SELECT EXISTS (SELECT 1 FROM temp.touched WHERE is_new)"):
        return
    _count_support(case)
    for reason, condition in (
        ("new fact without id, user or attribute", "key IS NULL OR id IS NULL OR user_id IS NULL OR attribute IS NULL"),
        ("new fact whose source is not inferred", "source IS NOT 'inferred'"),
        ("new fact with evidence that is no episode of its user", "invalid > 0"),
        ("new fact with too few episodes for it", f"coalesce(support, 0) < {_least(case, 'min_support')}"),
        ("new fact with episodes on too few days", f"coalesce(days, 0) < {_least(case, 'min_days')}"),
        ("new fact that begins when none of its episodes did", "support > 0 AND NOT coalesce(begins, 0)"),
    ):
        case.problem("unsupported", reason, f"SELECT user_id, id FROM temp.supported WHERE {condition}")
    case.problem(
        "confirmations_wrong",
        "new fact whose confirmations are not the number of its episodes",
        """SELECT s.user_id, s.id FROM temp.supported s LEFT JOIN temp.gain g ON g.key = s.key
           WHERE coalesce(g.exact, 1) AND NOT coalesce(s.confirmations - coalesce(g.gain, 0) BETWEEN s.own AND s.ids, 0)""",
    )


def _count_support(case: Case) -> None:
    """Fill ``temp.supported``: per new fact what its evidence is worth.

    ``ids`` counts distinct ids, ``own`` those that no merged fact brought, ``invalid`` those among them that are no evidence,
    ``support`` the user's episodes up to now, ``days`` the days (UTC) they fall on.
    """
    counts = f"episode AND NOT foreign_episode AND {terms.NUMBER.format('occurred_at')} AND occurred_at <= :now"
    case.fill(
        "supported",
        "key, id, user_id, attribute, source, confirmations, ids, own, invalid, support, days, begins",
        f"""
        SELECT t.key, t.id, t.user_id, t.attribute, t.source, t.confirmations,
               count(g.id), total(g.id IS NOT NULL AND NOT g.merged_in),
               total(g.id IS NOT NULL AND NOT g.merged_in AND NOT coalesce({counts}, 0)), total(coalesce({counts}, 0)),
               count(DISTINCT CASE WHEN {counts} THEN floor(occurred_at / {SECONDS_PER_DAY}.0) END),
               max({counts} AND {terms.same_time("t.valid_from", "occurred_at")})
        FROM temp.touched t LEFT JOIN temp.gained g ON g.key = t.key
        WHERE t.is_new GROUP BY t.key, t.id
        """,
    )


def _least(case: Case, setting: str) -> int:
    """Return the lowest value that the configuration allows for a setting in any rule."""
    promote = case.settings.promote
    of_rules = [getattr(rule, setting) for rule in promote.rules]
    return int(min([getattr(promote, setting), *(value for value in of_rules if value is not None)]))
