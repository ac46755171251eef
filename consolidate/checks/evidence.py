"""content_changed, foreign_lineage, confirmations_wrong: what survivors gained, and from where (DESIGN section 3, merge).

Evidence may only be appended to, by ids of the facts that were merged into this one, and never by episodes of another user.
Confirmations grow by those of the merged facts. Merges are the new edges of ``temp.edge`` within one user and attribute.
"""

from __future__ import annotations

from consolidate.checks import terms
from consolidate.checks.terms import Case

# Beyond this confirmations are dirt that the steps clamp; sums of dirt are not checked.
MOST_CONFIRMATIONS = 10**15

_MERGE = "e.status = 'merged' AND e.b_status IS NOT 'merged' AND e.target_user IS e.user_id AND e.target_attribute IS e.attribute"


def split(text: str) -> str:
    """SQL for a FROM clause: the ids in an evidence column as ``value``, in order; they are separated by spaces."""
    return f"json_each('[' || replace(json_quote(CAST({text} AS TEXT)), ' ', '\",\"') || ']')"


def judge(case: Case) -> None:
    """Report every change of evidence and confirmations that no merge accounts for."""
    _find_gains(case)
    case.problem(
        "content_changed",
        "fact whose evidence lost an id",
        f"""SELECT user_id, id FROM temp.touched WHERE NOT is_new AND evidence IS NOT b_evidence
            AND NOT {_APPENDED}""",
    )
    case.problem(
        "content_changed",
        "fact whose evidence gained an id that no merged fact has",
        """SELECT DISTINCT t.user_id, t.id FROM temp.gained g JOIN temp.touched t ON t.key = g.key
           WHERE NOT t.is_new AND NOT g.merged_in""",
    )
    case.problem(
        "foreign_lineage",
        "fact whose evidence gained an episode of another user",
        "SELECT DISTINCT t.user_id, t.id FROM temp.gained g JOIN temp.touched t ON t.key = g.key WHERE g.foreign_episode",
    )
    _judge_confirmations(case)


_BEFORE = "CAST(coalesce(b_evidence, '') AS BLOB)"
_REST = f"CAST(substr(CAST(evidence AS BLOB), length({_BEFORE}) + 1) AS TEXT)"
# Byte for byte what it was, then a space, then more; a substring of nothing is NULL.
_APPENDED = f"""(length({_BEFORE}) = 0 OR coalesce(
    substr(CAST(evidence AS BLOB), 1, length({_BEFORE})) = {_BEFORE}
    AND (substr({_REST}, 1, 1) = ' ' OR substr(CAST(b_evidence AS TEXT), -1) = ' '), 0))"""


def _find_gains(case: Case) -> None:
    """Fill ``temp.gained``: per fact each distinct id that its evidence has and the snapshot's did not."""
    case.run("CREATE TEMP TABLE gained_id(key, id TEXT, PRIMARY KEY(key, id)) WITHOUT ROWID")
    case.run("CREATE TEMP TABLE brought_id(key, id TEXT, PRIMARY KEY(key, id)) WITHOUT ROWID")
    case.run(
        f"""
        INSERT OR IGNORE INTO temp.gained_id SELECT t.key, i.value
        FROM (SELECT key, CASE WHEN {_APPENDED} THEN {_REST} ELSE evidence END AS gain FROM temp.touched
              WHERE key IS NOT NULL AND evidence IS NOT b_evidence AND evidence IS NOT NULL) t
             CROSS JOIN {split("t.gain")} i WHERE i.value <> ''
        """
    )
    if case.any("temp.gained_id"):
        case.run(
            f"""
            INSERT OR IGNORE INTO temp.brought_id SELECT e.target, i.value
            FROM temp.edge e CROSS JOIN temp.touched t ON t.key = e.key CROSS JOIN {split("t.evidence")} i
            WHERE {_MERGE} AND t.evidence IS NOT NULL AND e.target IN (SELECT key FROM temp.gained_id)
            """
        )
    case.fill(
        "gained",
        "key, id, episode, occurred_at, foreign_episode, merged_in",
        f"""
        SELECT g.key, g.id, e.id IS NOT NULL, e.occurred_at, e.id IS NOT NULL AND t.user_id IS NOT e.user_id,
               EXISTS (SELECT 1 FROM temp.brought_id l WHERE l.key = g.key AND l.id = g.id)
        FROM temp.gained_id g CROSS JOIN temp.touched t ON t.key = g.key
             LEFT JOIN base.episodes e ON {terms.id_matches(case, "episodes", "e", "g.id", "base")}
        """,
    )
    case.run("CREATE INDEX temp.gained_by_key ON gained(key)")


def _judge_confirmations(case: Case) -> None:
    """Compare each survivor's confirmations with what the facts merged into it had; NULL and what is no integer count 0."""
    case.fill(
        "gain",
        "key, exact, gain",
        f"""
        SELECT key, losses < {MOST_CONFIRMATIONS}, CASE WHEN losses < {MOST_CONFIRMATIONS} THEN CAST(gain AS INTEGER) END
        FROM (SELECT e.target AS key, total({_counted("e.confirmations")}) AS gain,
                     total(abs({_counted("e.confirmations")})) AS losses
              FROM temp.edge e WHERE {_MERGE} GROUP BY e.target)
        """,
    )
    case.run("CREATE INDEX temp.gain_by_key ON gain(key)")
    own = _counted("t.b_confirmations")
    case.problem(
        "confirmations_wrong",
        "fact whose confirmations are not those of what was merged into it",
        f"""
        SELECT t.user_id, t.id FROM temp.touched t LEFT JOIN temp.gain g ON g.key = t.key
        WHERE NOT t.is_new AND CASE
            WHEN t.confirmations IS t.b_confirmations THEN g.gain <> 0
            WHEN g.key IS NULL THEN 1
            WHEN NOT g.exact OR abs({own}) + abs(g.gain) >= {MOST_CONFIRMATIONS} THEN 0
            ELSE t.confirmations IS NOT {own} + g.gain END
        UNION ALL
        SELECT f.user_id, f.id FROM temp.gain g JOIN main.facts f ON f.{case.order} = g.key
        WHERE g.gain <> 0 AND g.key NOT IN (SELECT key FROM temp.touched WHERE key IS NOT NULL)
        """,
    )


def _counted(column: str) -> str:
    """SQL: what a fact's confirmations count."""
    most = MOST_CONFIRMATIONS
    return f"CASE WHEN typeof({column}) = 'integer' THEN max(-{most}, min({most}, {column})) ELSE 0 END"
