"""broken_lineage: pointers that lead back to where they began (DESIGN section 5).

Pointers are followed within one user and attribute only, as everywhere. By doubling — each round jumps twice as far —
a chain of any length costs a logarithmic number of rounds, and no fact is walked more than once per round.
"""

from __future__ import annotations

from consolidate.checks import terms
from consolidate.checks.terms import Case


def judge(case: Case) -> None:
    """Report every edge of ``temp.edge`` that lies on a cycle; cycles without a new edge are the past."""
    start = """SELECT key, target FROM temp.edge
               WHERE target_user IS user_id AND target_attribute IS attribute AND target_points_on"""
    if not case.any(f"({start})"):
        return
    _walk(case, start)
    if not case.any("temp.walk"):
        return
    case.fill("on_cycle", "key", "SELECT DISTINCT next FROM temp.walk")
    case.run("CREATE INDEX temp.on_cycle_by_key ON on_cycle(key)")
    case.problem(
        "broken_lineage",
        "fact whose pointers lead back to it",
        "SELECT user_id, id FROM temp.edge WHERE key IN (SELECT key FROM temp.on_cycle)",
    )
    case.notice(
        "cyclic_pointers",
        "fact whose pointers led back to it already before the run",
        f"""SELECT f.user_id, f.id FROM temp.on_cycle c JOIN main.facts f ON f.{case.order} = c.key
            WHERE c.key NOT IN (SELECT key FROM temp.edge)""",
    )


def _walk(case: Case, start: str) -> None:
    """Leave in ``temp.walk`` only the facts that lead to a cycle, each with a fact on that cycle as ``next``.

    Of the old pointers only those are walked that new ones lead to.
    """
    case.run("CREATE TEMP TABLE walk(key PRIMARY KEY, next)")
    case.run("CREATE TEMP TABLE stride(key PRIMARY KEY, next)")
    case.run(f"INSERT OR IGNORE INTO temp.walk {start}")
    case.run(
        f"""
        WITH RECURSIVE old(key, next) AS (
            SELECT NULL, target FROM ({start}) WHERE target NOT IN (SELECT key FROM temp.edge)
            UNION
            SELECT f.{case.order}, g.{case.order}
            FROM old o JOIN main.facts f ON f.{case.order} = o.next
                 JOIN main.facts g ON {terms.id_matches(case, "facts", "g", "f.superseded_by")}
            WHERE f.status IN ('merged', 'superseded') AND o.next NOT IN (SELECT key FROM temp.edge)
              AND +g.user_id IS +f.user_id COLLATE BINARY AND +g.attribute IS +f.attribute COLLATE BINARY)
        INSERT OR IGNORE INTO temp.walk SELECT key, next FROM old WHERE key IS NOT NULL
        """
    )
    total = remaining = case.value("SELECT count(*) FROM temp.walk")
    length = 1
    while remaining and length <= total:
        case.run("INSERT INTO temp.stride SELECT w.key, n.next FROM temp.walk w JOIN temp.walk n ON n.key = w.next")
        case.run("DELETE FROM temp.walk")
        case.run("INSERT INTO temp.walk SELECT key, next FROM temp.stride")
        case.run("DELETE FROM temp.stride")
        remaining = case.value("SELECT count(*) FROM temp.walk")
        length *= 2
