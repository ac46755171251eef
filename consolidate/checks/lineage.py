"""foreign_lineage, broken_lineage, user_overruled: how each fact that the run closed, parked or re-linked says so.

Only what differs from the snapshot is judged (``temp.touched``); a pointer that was there before in the same status is the
past. A new pointer is an edge of ``temp.edge``: that of a fact which is merged or superseded now and was not, or pointed
elsewhere. A pointer of an active, parked or expired fact is no lineage.
"""

from __future__ import annotations

from consolidate.checks import cycles, terms
from consolidate.checks.terms import Case

_SAME_GROUP = "target_user IS user_id AND target_attribute IS attribute"
_STATUS_CHANGED = "(status IS NOT b_status)"
_WINDOW_CHANGED = "(valid_to IS NOT b_valid_to OR superseded_by IS NOT b_superseded_by)"
_POINTER = "key, id, user_id, attribute, rank, status, b_status, superseded_by, valid_from, valid_to, confirmations"


def judge(case: Case) -> None:
    """Report every change of status, window and pointer that the rules cannot have made."""
    find_edges(
        case,
        "edge",
        f"""SELECT {_POINTER} FROM temp.touched WHERE status IN ('merged', 'superseded')
            AND NOT (b_status IS status AND b_superseded_by IS superseded_by)""",
    )
    case.problems_among("temp.touched", [*_TRANSITIONS, *_EXPIRY, _PINNED])
    case.problems_among("temp.edge e", [*_pointers(), *_ENDS, _OVERRULED])
    _judge_windows(case)
    cycles.judge(case)


def examine(case: Case) -> None:
    """Report what is wrong with the pointers of a single store, as if each had just been set."""
    closed = f"f.status IN ('merged', 'superseded') AND {terms.identified('f')}"
    find_edges(case, "edge", f"SELECT {pointer_columns(case)} FROM main.facts f WHERE {closed}")
    missing, *others = _pointers(_merged_by_a_person(case))
    if _was_erased_from(case):
        case.notice("erased_successor", missing[1], f"SELECT user_id, id FROM temp.edge WHERE {missing[2]}")
    else:
        others.insert(0, missing)
    case.problems_among("temp.edge e", others)
    if cycles.find_among(case, "edge"):
        case.problem("broken_lineage", "fact whose pointers lead back to it", cycles.on_cycle("temp.edge"))


def pointer_columns(case: Case) -> str:
    """SQL for the columns `find_edges` needs of facts ``f`` that are not in ``temp.touched``."""
    return f"""f.{case.order} AS key, f.id, f.user_id, f.attribute, {terms.rank("f")} AS rank, {terms.status("f")} AS status,
               'active' AS b_status, f.superseded_by, f.valid_from, f.valid_to, f.confirmations"""


def find_edges(case: Case, table: str, facts: str, *, compare: bool = True) -> None:
    """Fill a TEMP table with the pointers of closed facts and what they point to.

    Args:
        case: what is judged.
        table: the table to create.
        facts: a query for closed facts with the columns ``_POINTER``.
        compare: whether to compare the values of merged facts with those of their survivors.
    """
    same_value, own_row = "NULL", ""
    if compare:
        same_value = f"f.value IS g.value COLLATE BINARY OR {terms.key('f')} IS {terms.key('g')}"
        own_row = f"LEFT JOIN main.facts f ON f.{case.order} = t.key AND t.status = 'merged'"
    case.fill(
        table,
        "key, id, user_id, attribute, rank, status, b_status, pointer, valid_from, valid_to, confirmations, target, dangling, "
        "target_user, target_attribute, target_from, target_to, target_rank, target_pinned, target_in_force, target_points_on, "
        "same_value",
        f"""
        SELECT t.*, g.{case.order}, g.id IS NULL, g.user_id, g.attribute, g.valid_from, g.valid_to, {terms.rank("g")},
               {terms.pinned("g")}, {terms.in_force("g")},
               g.superseded_by IS NOT NULL AND g.status IN ('merged', 'superseded'),
               CASE WHEN t.status = 'merged' THEN {same_value} END
        FROM ({facts}) t
             LEFT JOIN main.facts g ON {terms.id_matches(case, "facts", "g", "t.superseded_by")}
             {own_row}
        """,
    )
    case.run(f"CREATE INDEX temp.{table}_by_key ON {table}(key)")


def _pointers(excused: str = "0") -> list[tuple[str, str, str]]:
    """Return what can be wrong with the pointers in ``temp.edge`` themselves, a missing one first.

    Args:
        excused: SQL that is true for an edge ``e`` which may merge two values.
    """
    return [
        ("broken_lineage", "fact closed without a pointer to what took its place", "pointer IS NULL"),
        ("broken_lineage", "fact whose pointer leads nowhere", "pointer IS NOT NULL AND dangling"),
        (
            "foreign_lineage",
            "fact whose pointer leads to a fact of another user",
            "NOT dangling AND target_user IS NOT user_id",
        ),
        (
            "broken_lineage",
            "fact whose pointer leads to a fact of another attribute",
            "NOT dangling AND target_user IS user_id AND target_attribute IS NOT attribute",
        ),
        (
            "broken_lineage",
            "fact merged into one with another value",
            f"{_SAME_GROUP} AND status = 'merged' AND NOT same_value AND NOT {excused}",
        ),
    ]


# A merged fact ends where it or its survivor begins, a re-linked one where its successor does.
_ENDS = (
    (
        "broken_lineage",
        "fact merged with a window that ends elsewhere than it must",
        f"""status = 'merged' AND {_SAME_GROUP} AND NOT {terms.same_time("valid_to", "valid_from")}
            AND NOT {terms.same_time("valid_to", "max(valid_from, target_from)")}""",
    ),
    (
        "broken_lineage",
        "fact re-linked with a window that ends elsewhere than its successor begins",
        f"""status = 'superseded' AND b_status = 'superseded' AND {_SAME_GROUP}
            AND NOT {terms.same_time("valid_to", "target_from")}""",
    ),
)
# A higher source is never displaced by a lower one (DESIGN section 3, rank).
_OVERRULED = (
    "user_overruled",
    "fact of a higher source that gave way to a lower one",
    f"{_SAME_GROUP} AND rank > target_rank AND NOT target_pinned",
)


def _was_erased_from(case: Case) -> bool:
    """Tell whether ``consolidate forget`` was run on the store."""
    if not terms.has_table(case.db, "main", "consolidation_runs"):
        return False
    return bool(case.value("SELECT count(*) FROM main.consolidation_runs WHERE kind = 'forget'"))


def _merged_by_a_person(case: Case) -> str:
    """SQL: whether it was a person who said that the fact of an edge ``e`` and its survivor are one (review)."""
    if not terms.has_table(case.db, "main", "consolidation_actions"):
        return "0"
    return """EXISTS (SELECT 1 FROM main.consolidation_actions a WHERE a.fact_id = e.id AND a.step = 'review'
                      AND a.after_status = 'merged' AND a.after_superseded_by = e.pointer)"""


# Which status may follow which: nothing returns, and what was closed stays closed.
_TRANSITIONS = (
    (
        "broken_lineage",
        "fact that returned to the status active",
        "status = 'active' AND b_status IS NOT 'active'",
    ),
    (
        "broken_lineage",
        "fact with a new window or pointer that its status does not explain",
        f"""{_WINDOW_CHANGED}
            AND (coalesce(status IN ('active', 'review'), 0) OR (NOT {_STATUS_CHANGED} AND status IS NOT 'superseded'))""",
    ),
    (
        "broken_lineage",
        "fact closed before and given another status",
        f"""{_STATUS_CHANGED} AND status IS NOT 'active'
            AND NOT coalesce(b_status = 'review' OR (b_status = 'active' AND b_valid_to IS NULL), 0)""",
    ),
    (
        "broken_lineage",
        "fact with a status that does not exist",
        f"{_STATUS_CHANGED} AND NOT coalesce(status IN {terms.STATUSES}, 0)",
    ),
)
# Expired means due; an active fact ends at its date, a parked one never held (DESIGN section 3, expire).
_NEWLY_EXPIRED = f"status = 'expired' AND {_STATUS_CHANGED}"
_DATE = "CASE b_status WHEN 'review' THEN valid_from ELSE expires_at END"
_EXPIRY = (
    (
        "broken_lineage",
        "fact that expired before its date",
        f"{_NEWLY_EXPIRED} AND (NOT coalesce(expires_at <= :now, 0) OR (pinned AND b_status = 'active'))",
    ),
    (
        "broken_lineage",
        "fact that expired with a wrong end or a new pointer",
        f"""{_NEWLY_EXPIRED} AND coalesce(expires_at <= :now, 0)
            AND NOT ({terms.same_time("valid_to", _DATE)} AND superseded_by IS b_superseded_by)""",
    ),
)
# A pinned fact is displaced by nobody (DESIGN section 3, rank).
_PINNED = (
    "user_overruled",
    "pinned fact that gave way",
    "pinned AND b_status = 'active' AND status IN ('merged', 'superseded', 'review')",
)


def _judge_windows(case: Case) -> None:
    """A superseded fact ends where a statement of its attribute begins, or has an empty window."""
    case.fill(
        "unexplained_end",
        "key, id, user_id, attribute, valid_to",
        f"""
        SELECT key, id, user_id, attribute, valid_to FROM temp.edge
        WHERE status = 'superseded' AND {_SAME_GROUP} AND b_status IS NOT 'superseded'
          AND NOT {terms.same_time("valid_to", "valid_from")} AND NOT {terms.same_time("valid_to", "target_from")}
        """,
    )
    if case.any("temp.unexplained_end"):
        case.run("CREATE TEMP TABLE ended(user_id, attribute, PRIMARY KEY(user_id, attribute)) WITHOUT ROWID")
        case.run("INSERT OR IGNORE INTO temp.ended SELECT user_id, attribute FROM temp.unexplained_end")
        case.fill(
            "beginning",
            "user_id, attribute, t",
            f"SELECT s.user_id, s.attribute, +CAST(f.valid_from AS REAL) FROM {terms.facts_of(case, 'main', 'ended')}",
        )
        case.run("CREATE INDEX temp.beginning_in_time ON beginning(user_id, attribute, t)")
        case.problem(
            "broken_lineage",
            "fact superseded with a window that ends where no statement begins",
            """SELECT user_id, id FROM temp.unexplained_end u WHERE NOT EXISTS (
               SELECT 1 FROM temp.beginning b WHERE b.user_id = u.user_id AND b.attribute = u.attribute
               AND b.t = +CAST(u.valid_to AS REAL))""",
        )
    case.problem(
        "broken_lineage",
        "fact superseded before, with another window now but the same pointer",
        f"""SELECT t.user_id, t.id FROM temp.touched t
            LEFT JOIN main.facts g ON {terms.id_matches(case, "facts", "g", "t.superseded_by")}
            WHERE t.status = 'superseded' AND t.b_status = 'superseded' AND t.superseded_by IS t.b_superseded_by
            AND t.valid_to IS NOT t.b_valid_to AND NOT {terms.same_time("t.valid_to", "g.valid_from")}""",
    )
