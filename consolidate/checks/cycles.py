"""broken_lineage: pointers that lead back to where they began (DESIGN section 5).

Pointers are followed within one user and attribute only, as everywhere. By doubling — each round jumps twice as far —
a chain of any length costs a logarithmic number of rounds, and no fact is walked more than once per round.
"""

from __future__ import annotations

from consolidate.checks import terms
from consolidate.checks.terms import Case

_POINTS_ON = "target_user IS user_id AND target_attribute IS attribute AND target_points_on"


def judge(case: Case) -> None:
    """Report every new pointer (``temp.edge``) that lies on a cycle, which old pointers may be part of."""
    start = f"SELECT key, target FROM temp.edge WHERE {_POINTS_ON}"
    old = f"""
        WITH RECURSIVE old(key, next) AS (
            SELECT NULL, target FROM ({start}) WHERE target NOT IN (SELECT key FROM temp.edge)
            UNION
            SELECT f.{case.order}, g.{case.order}
            FROM old o JOIN main.facts f ON f.{case.order} = o.next
                 JOIN main.facts g ON {terms.id_matches(case, "facts", "g", "f.superseded_by")}
            WHERE f.status IN ('merged', 'superseded') AND o.next NOT IN (SELECT key FROM temp.edge)
              AND +g.user_id IS +f.user_id COLLATE BINARY AND +g.attribute IS +f.attribute COLLATE BINARY)
        SELECT key, next FROM old WHERE key IS NOT NULL"""
    if case.any(f"({start})") and _find_cycles(case, start, old):
        case.problem("broken_lineage", "fact whose pointers lead back to it", on_cycle("temp.edge"))


def find_among(case: Case, table: str) -> bool:
    """Find the cycles that lie wholly among the pointers of one TEMP table and tell whether there are any.

    In a sound history a fact ends before its successor does. Every cycle has a pointer that breaks this, so only what such
    pointers lead to is walked.
    """
    reached = f"""
        WITH RECURSIVE reached(key, next) AS (
            SELECT key, target FROM temp.{table} WHERE {_POINTS_ON} AND NOT coalesce(valid_to < target_to, 0)
            UNION
            SELECT e.key, e.target FROM reached r JOIN temp.{table} e ON e.key = r.next WHERE {_POINTS_ON})
        SELECT key, next FROM reached"""
    return _find_cycles(case, reached)


def on_cycle(table: str) -> str:
    """SQL for the facts of a TEMP table of pointers that lie on one of the cycles found last."""
    return f"SELECT user_id, id FROM {table} WHERE key IN (SELECT next FROM temp.walk)"


def _find_cycles(case: Case, *pointers: str) -> bool:
    """Leave in ``temp.walk`` only the facts that lead to a cycle, each with a fact on that cycle as ``next``."""
    case.run("CREATE TEMP TABLE IF NOT EXISTS walk(key PRIMARY KEY, next)")
    case.run("CREATE TEMP TABLE IF NOT EXISTS stride(key PRIMARY KEY, next)")
    case.run("DELETE FROM temp.walk")
    for query in pointers:
        case.run(f"INSERT OR IGNORE INTO temp.walk {query}")
    total = remaining = case.value("SELECT count(*) FROM temp.walk")
    length = 1
    while remaining and length <= total:
        case.run("INSERT INTO temp.stride SELECT w.key, n.next FROM temp.walk w JOIN temp.walk n ON n.key = w.next")
        case.run("DELETE FROM temp.walk")
        remaining = case.run("INSERT INTO temp.walk SELECT key, next FROM temp.stride")
        case.run("DELETE FROM temp.stride")
        length *= 2
    return bool(remaining)
