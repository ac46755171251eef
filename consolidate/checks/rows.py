"""lost_rows, content_changed, owner_changed: what the job may never do to a row (DESIGN sections 2 and 5).

The one pass over all facts. What differs goes into ``temp.touched``, and every later check reads that instead:

- a changed fact has the snapshot's immutable columns, the mutable ones of the snapshot with the prefix ``b_``, and those
  of the shadow without;
- a new fact (``is_new``) counts as one that was active and empty before;
- facts that are gone are in ``temp.lost``.
"""

from __future__ import annotations

from consolidate.checks import compare, terms
from consolidate.checks.compare import Match
from consolidate.checks.terms import Case
from consolidate.store.contract import MUTABLE_COLUMNS

_IMMUTABLE = ("id", "user_id", "attribute", "source", "valid_from", "expires_at")
_FLAGS = ("missing", "is_new", "edited", "moved", "b_in_force", "in_force", "pinned", "rank", "multi")
_COLUMNS = (
    *("key", *_IMMUTABLE, *_FLAGS),
    *(f"b_{column}" for column in MUTABLE_COLUMNS),
    *MUTABLE_COLUMNS,
)


def compare_facts(case: Case) -> None:
    """Fill ``temp.touched`` and ``temp.lost`` and report what is wrong with the rows themselves."""
    case.db.execute(f"CREATE TEMP TABLE touched({', '.join(_COLUMNS)})")
    case.db.execute("CREATE TEMP TABLE lost(id, user_id, attribute, multi, b_in_force)")
    match = compare.match(case.db, "facts")
    if match is None:
        match = Match("b.id = m.id", "m.id IS NULL", "b.id IS NULL")
    found = {column.name.lower(): column for column in compare.columns(case.db, "main", "facts")}
    both = [column for column in compare.columns(case.db, "base", "facts") if column.name.lower() in found]
    frozen = compare.differ(
        [column for column in both if column.name.lower() not in (*MUTABLE_COLUMNS, "id", "user_id")]
    )
    same_fact = f"{match.same_row} AND b.id IS m.id COLLATE BINARY"
    names = ", ".join(_COLUMNS)
    case.run(
        f"""
        INSERT INTO temp.touched({names}) SELECT {_image(case, match, frozen)}
        FROM base.facts b LEFT JOIN main.facts m ON {same_fact} WHERE {match.no_main} OR {compare.differ(both)}
        """
    )
    if case.value("SELECT EXISTS (SELECT 1 FROM temp.touched WHERE missing)"):
        case.run(
            "INSERT INTO temp.lost SELECT id, user_id, attribute, multi, b_in_force FROM temp.touched WHERE missing"
        )
        case.run("DELETE FROM temp.touched WHERE missing")
    kept = case.value("SELECT (SELECT count(*) FROM base.facts) - (SELECT count(*) FROM temp.lost)")
    if kept < case.value("SELECT count(*) FROM main.facts"):
        _take_in_strangers(case, match, same_fact, frozen)
    case.run("CREATE INDEX temp.touched_by_key ON touched(key)")
    _report(case)


def _take_in_strangers(case: Case, match: Match, same_fact: str, frozen: str) -> None:
    """Add the facts of the shadow that no row of the snapshot answers to; one that only moved to another place is no news."""
    case.fill(
        "stranger",
        "key",
        f"SELECT m.{case.order} FROM main.facts m LEFT JOIN base.facts b ON {same_fact} WHERE {match.no_base}",
    )
    names, columns = ", ".join(_COLUMNS), _image(case, match, frozen, is_new=f"({match.no_base})")
    case.run(
        f"""
        INSERT INTO temp.touched({names}) SELECT {columns}
        FROM temp.stranger s CROSS JOIN main.facts m ON m.{case.order} = s.key
             LEFT JOIN base.facts b ON {terms.id_matches(case, "facts", "b", "m.id", "base")} AND b.id IS m.id COLLATE BINARY
        """
    )
    case.run(
        """DELETE FROM temp.lost WHERE id IN (
           SELECT id FROM temp.touched WHERE NOT is_new AND key IN (SELECT key FROM temp.stranger))"""
    )


def _image(case: Case, match: Match, frozen: str, is_new: str = "") -> str:
    """SQL for the columns of ``temp.touched``, given the snapshot's row as ``b`` and the shadow's as ``m``.

    Args:
        case: what is judged.
        match: how the rows find each other.
        frozen: SQL that compares what the job may not change.
        is_new: SQL that is true where there may be no row of the snapshot; empty if there is always one.
    """

    def was(before: str, otherwise: str) -> str:
        return f"CASE WHEN {is_new} THEN {otherwise} ELSE {before} END" if is_new else before

    sql = {
        "key": f"m.{case.order}",
        **{column: was(f"b.{column}", f"m.{column}") for column in (*_IMMUTABLE, "multi")},
        "missing": match.no_main,
        "is_new": is_new or "0",
        "edited": was(frozen, "0"),
        "moved": was("b.user_id IS NOT m.user_id COLLATE BINARY", "0"),
        "b_in_force": was(terms.in_force("b"), "0"),
        "in_force": terms.in_force("m"),
        "pinned": was(terms.pinned("b"), "0"),
        "rank": was(terms.rank("b"), terms.rank("m")),
        **{f"b_{column}": was(f"b.{column}", "NULL") for column in MUTABLE_COLUMNS},
        **{column: f"m.{column}" for column in MUTABLE_COLUMNS},
        "b_status": was(terms.status("b"), "'active'"),
        "status": terms.status("m"),
    }
    return ", ".join(f"{sql[column]} AS {column}" for column in _COLUMNS)


def _report(case: Case) -> None:
    case.problem("lost_rows", "fact missing", "SELECT user_id, id FROM temp.lost")
    case.problems_among(
        "temp.touched",
        [
            ("content_changed", "fact with another content in a column that the job may not change", "edited"),
            ("owner_changed", "fact moved to another user", "moved"),
        ],
    )


def compare_episodes(case: Case) -> None:
    """Report every episode missing, changed, given to another user, or new."""
    match = compare.match(case.db, "episodes") or Match("b.id = m.id", "m.id IS NULL", "b.id IS NULL")
    found = {column.name.lower() for column in compare.columns(case.db, "main", "episodes")}
    both = [column for column in compare.columns(case.db, "base", "episodes") if column.name.lower() in found]
    content = [column for column in both if column.name.lower() not in ("id", "user_id")]
    same_episode = f"{match.same_row} AND b.id IS m.id COLLATE BINARY"
    # One that is not in its place may be in another (r).
    elsewhere = f"{terms.id_matches(case, 'episodes', 'r', 'b.id')} AND b.id IS r.id COLLATE BINARY"
    case.fill(
        "odd_episode",
        "user_id, missing, edited, moved",
        f"""
        SELECT b.user_id, {match.no_main} AND r.id IS NULL,
               CASE WHEN {match.no_main} THEN {compare.differ(content, "r")} ELSE {compare.differ(content)} END,
               b.user_id IS NOT CASE WHEN {match.no_main} THEN r.user_id ELSE m.user_id END COLLATE BINARY
        FROM base.episodes b LEFT JOIN main.episodes m ON {same_episode} LEFT JOIN main.episodes r ON {elsewhere}
        WHERE {match.no_main} OR {compare.differ(content)} OR b.user_id IS NOT m.user_id COLLATE BINARY
        """,
    )
    for check, reason, condition in (
        ("lost_rows", "episode missing", "missing"),
        ("content_changed", "episode with other content", "edited AND NOT missing"),
        ("owner_changed", "episode moved to another user", "moved AND NOT missing"),
    ):
        case.problem(check, reason, f"SELECT user_id, NULL FROM temp.odd_episode WHERE {condition}")
    gone = case.value("SELECT count(*) FROM temp.odd_episode WHERE missing")
    if case.value("SELECT count(*) FROM main.episodes") > case.value("SELECT count(*) FROM base.episodes") - gone:
        strangers = f"""
            SELECT m.user_id, NULL FROM main.episodes m LEFT JOIN base.episodes b ON {same_episode}
            WHERE {match.no_base} AND NOT EXISTS (SELECT 1 FROM base.episodes b
                WHERE {terms.id_matches(case, "episodes", "b", "m.id", "base")} AND b.id IS m.id COLLATE BINARY)"""
        case.problem("table_changed", "episode not there before", strangers)


def compare_tombstones(case: Case) -> None:
    """Report every tombstone missing or new; a tombstone has no identity but its content."""
    columns = compare.columns(case.db, "base", "tombstones")
    found = {column.name.lower() for column in compare.columns(case.db, "main", "tombstones")}
    both = [column for column in columns if column.name.lower() in found]
    match = compare.match(case.db, "tombstones")
    if match and not case.value(
        f"""
        SELECT (SELECT count(*) FROM base.tombstones) <> (SELECT count(*) FROM main.tombstones) OR EXISTS (
            SELECT 1 FROM base.tombstones b LEFT JOIN main.tombstones m ON {match.same_row}
            WHERE {match.no_main} OR {compare.differ(both)})
        """
    ):
        return
    for check, reason, left, right in (
        ("lost_rows", "tombstone missing", "base", "main"),
        ("table_changed", "tombstone not there before", "main", "base"),
    ):
        rows = f"SELECT user_id, NULL FROM ({compare.surplus('tombstones', both, left, right)})"
        case.problem(check, reason, rows)


def compare_decisions(case: Case) -> None:
    """Report every pin and review decision that is missing: they are a person's, though the job keeps them."""
    for table in ("consolidation_pins", "consolidation_decisions"):
        if not all(terms.has_table(case.db, schema, table) for schema in ("main", "base")):
            continue
        found = {column.name for column in compare.columns(case.db, "main", table)}
        both = [column for column in compare.columns(case.db, "base", table) if column.name in found]
        missing = compare.surplus(table, both, "base", "main")
        case.problem("lost_rows", "decision of a person missing", f"SELECT user_id, fact_id FROM ({missing})")
