"""two_current, shrunk, and parking: what a user's memory answers before and after (DESIGN section 5).

An answer is the value of a one-valued attribute, or one distinct value of a multi-valued one. Only groups (user, attribute)
in which something could be wrong are looked into (``temp.scope``), so that a healthy store costs one pass.
"""

from __future__ import annotations

from consolidate.checks import survey, terms
from consolidate.checks.terms import Case

LEAST_ANSWERS = 4


def judge(case: Case) -> None:
    """Report one-valued attributes with several values, facts parked under nothing, and users who lost their answers."""
    case.run("CREATE TEMP TABLE scope(user_id, attribute, PRIMARY KEY(user_id, attribute)) WITHOUT ROWID")
    _find_parked(case)
    _find_departed(case)
    _find_crowded(case)
    _find_standing(case)
    _judge_parked(case)
    _judge_crowded(case, ("base", "main"), as_notice=False)
    _judge_shrinking(case)


def examine(case: Case) -> None:
    """Report one-valued attributes of a single store in which several values are in force; the next run settles them."""
    case.run("CREATE TEMP TABLE scope(user_id, attribute, PRIMARY KEY(user_id, attribute)) WITHOUT ROWID")
    case.fill("crowded", "user_id, attribute", "SELECT user_id, attribute FROM temp.crowded_before")
    _find_standing(case)
    _judge_crowded(case, ("main",), as_notice=True)


def _find_parked(case: Case) -> None:
    """Fill ``temp.parked`` with the facts that the run put into review."""
    case.fill(
        "parked",
        "id, user_id, attribute, rank, single",
        f"""SELECT id, user_id, attribute, rank, {terms.single(case, "t")} FROM temp.touched t
            WHERE status = 'review' AND b_status IS NOT 'review' AND user_id IS NOT NULL AND attribute IS NOT NULL""",
    )
    case.run("INSERT OR IGNORE INTO temp.scope SELECT user_id, attribute FROM temp.parked")


def _find_departed(case: Case) -> None:
    """Fill ``temp.departed`` with the facts that left force, except those whose successor in force still gives the answer."""
    succeeded = f"""EXISTS (SELECT 1 FROM temp.edge e WHERE e.key = t.key AND e.target_in_force
                   AND e.target_user IS e.user_id AND e.target_attribute IS e.attribute
                   AND (e.same_value OR (e.status = 'superseded' AND {terms.single(case, "t")})))"""
    case.fill(
        "departed",
        "id, user_id, attribute, single",
        f"""
        SELECT id, user_id, attribute, {terms.single(case, "t")} FROM temp.touched t
        WHERE b_in_force AND NOT in_force AND NOT {succeeded}
        UNION ALL SELECT id, user_id, attribute, {terms.single(case, "t")} FROM temp.lost t WHERE b_in_force
        """,
    )
    case.run("DELETE FROM temp.departed WHERE id IS NULL OR user_id IS NULL OR attribute IS NULL")
    case.run("INSERT OR IGNORE INTO temp.scope SELECT user_id, attribute FROM temp.departed")


def _find_crowded(case: Case) -> None:
    """Fill ``temp.crowded`` with the groups in which several facts in force look one-valued, and those with a new fact.

    Where the run touched nothing, all is as it was before; so only groups that were crowded then, or have a touched fact in
    force, can be crowded now. If those are many, reading every fact costs less.
    """
    query = survey.crowded(case, "main")
    named = "in_force AND user_id IS NOT NULL AND attribute IS NOT NULL"
    if case.value(
        f"""SELECT {terms.FACTS_OF_GROUP} * ((SELECT count(*) FROM temp.crowded_before) + (SELECT count(*) FROM temp.touched))
                   < (SELECT count(*) FROM main.facts)"""
    ):
        case.run("CREATE TEMP TABLE suspect(user_id, attribute, PRIMARY KEY(user_id, attribute)) WITHOUT ROWID")
        case.run("INSERT INTO temp.suspect SELECT user_id, attribute FROM temp.crowded_before")
        case.run(f"INSERT OR IGNORE INTO temp.suspect SELECT user_id, attribute FROM temp.touched WHERE {named}")
        query = f"""
            SELECT s.user_id, s.attribute FROM {terms.facts_of(case, "main", "suspect")}
            WHERE {terms.in_force("f")} AND {terms.single(case, "f")} AND f.id IS NOT NULL
            GROUP BY s.user_id, s.attribute HAVING count(*) > 1"""
    case.fill("crowded", "user_id, attribute", query)
    case.run(f"INSERT INTO temp.crowded SELECT DISTINCT user_id, attribute FROM temp.touched WHERE is_new AND {named}")


def _find_standing(case: Case) -> None:
    """Fill ``temp.standing`` with the facts in force of the groups in scope and of the crowded ones."""
    case.run("INSERT OR IGNORE INTO temp.scope SELECT user_id, attribute FROM temp.crowded")
    case.run("CREATE TEMP TABLE standing(user_id, attribute, key, id, rank, pinned)")
    if case.any("temp.scope"):
        case.run(
            f"""
            INSERT INTO temp.standing
            SELECT s.user_id, s.attribute, f.{case.order}, f.id, {terms.rank("f")}, {terms.pinned("f")}
            FROM {terms.facts_of(case, "main", "scope")} WHERE {terms.in_force("f")} AND f.id IS NOT NULL
            """
        )
    case.run("CREATE INDEX temp.standing_by_group ON standing(user_id, attribute)")


def _judge_parked(case: Case) -> None:
    """A parked fact needs a holder of higher rank or a pinned one (DESIGN section 3, supersede)."""
    case.run(
        "CREATE TEMP TABLE holding(user_id, attribute, rank, pinned, PRIMARY KEY(user_id, attribute)) WITHOUT ROWID"
    )
    case.run(
        """INSERT INTO temp.holding SELECT user_id, attribute, max(rank), max(pinned) FROM temp.standing
           GROUP BY user_id, attribute"""
    )
    parked = "temp.parked p LEFT JOIN temp.holding h USING (user_id, attribute)"
    case.problem(
        "broken_lineage",
        "fact in review although no value of a higher source holds",
        f"SELECT user_id, id FROM {parked} WHERE NOT single OR NOT coalesce(h.pinned OR h.rank > p.rank, 0)",
    )
    case.problem(
        "user_overruled",
        "fact of a higher source in review under a lower one",
        f"SELECT user_id, id FROM {parked} WHERE h.rank < p.rank AND NOT h.pinned",
    )


def _judge_crowded(case: Case, schemas: tuple[str, ...], *, as_notice: bool) -> None:
    """Report one-valued attributes with several values in force; several pinned ones stay, as a notice.

    A fact whose closing a person undid may stay beside the value that closed it.
    """
    if not case.any("temp.crowded"):
        return
    _find_groups(case, "crowded_group", "SELECT user_id, attribute FROM temp.crowded", schemas)
    case.fill(
        "crowd",
        "user_id, attribute, id, pinned, value",
        f"""
        SELECT s.user_id, s.attribute, s.id, s.pinned, {terms.key("f")}
        FROM temp.standing s JOIN temp.crowded_group g USING (user_id, attribute)
             JOIN main.facts f ON f.{case.order} = s.key
        WHERE g.wholly AND NOT EXISTS (SELECT 1 FROM temp.reopened r WHERE r.id = s.id)
        """,
    )
    several = """
        SELECT user_id, id, min(pinned) OVER (PARTITION BY user_id, attribute) AS all_pinned FROM temp.crowd
        WHERE (user_id, attribute) IN (SELECT user_id, attribute FROM temp.crowd GROUP BY user_id, attribute
                                       HAVING count(DISTINCT value) + max(value IS NULL) > 1)"""
    (case.notice if as_notice else case.problem)(
        "two_current",
        "fact in force beside another value of a one-valued attribute",
        f"SELECT user_id, id FROM ({several}) WHERE NOT all_pinned",
    )
    case.notice(
        "several_pinned",
        "pinned fact beside another pinned value of a one-valued attribute",
        f"SELECT user_id, id FROM ({several}) WHERE all_pinned",
    )


def _find_groups(case: Case, table: str, scope: str, schemas: tuple[str, ...]) -> None:
    """Create a TEMP table that tells which groups are one-valued (DESIGN section 3).

    What the snapshot says counts, so that a new fact cannot turn an attribute into a multi-valued one. ``wholly`` also asks
    the rows that lack an id, which are left alone otherwise.

    Args:
        case: what is judged.
        table: the table to create.
        scope: a query for the groups.
        schemas: where to look; the first that has a group decides on it.
    """
    columns = "user_id, attribute, single INTEGER, wholly INTEGER, PRIMARY KEY(user_id, attribute)"
    case.run(f"CREATE TEMP TABLE {table}({columns}) WITHOUT ROWID")
    case.run(f"INSERT OR IGNORE INTO temp.{table}(user_id, attribute) {scope}")
    for schema in schemas:
        case.run(
            f"""
            INSERT INTO temp.{table}
            SELECT s.user_id, s.attribute, min(CASE WHEN f.id IS NULL THEN 1 ELSE {terms.single(case, "f")} END),
                   min({terms.single(case, "f")})
            FROM {terms.facts_of(case, schema, table)} GROUP BY s.user_id, s.attribute
            ON CONFLICT DO UPDATE SET single = coalesce(single, excluded.single), wholly = coalesce(wholly, excluded.wholly)
            """
        )


def _judge_shrinking(case: Case) -> None:
    """Count the answers of every user who may have lost one, before and after."""
    case.run("CREATE TEMP TABLE shrinking(user_id PRIMARY KEY) WITHOUT ROWID")
    case.run(
        """
        INSERT OR IGNORE INTO temp.shrinking
        SELECT d.user_id FROM temp.departed d
        WHERE NOT (d.single AND EXISTS (SELECT 1 FROM temp.standing s
                                        WHERE s.user_id = d.user_id AND s.attribute = d.attribute))
        """
    )
    if not case.any("temp.shrinking"):
        return
    groups = " UNION ALL ".join(
        f"""SELECT s.user_id, +f.attribute FROM {terms.facts_of(case, schema, "shrinking", ("user_id",))}
            WHERE f.attribute IS NOT NULL"""
        for schema in ("base", "main")
    )
    _find_groups(case, "answer_group", groups, ("base", "main"))
    case.run("CREATE TEMP TABLE answers(user_id PRIMARY KEY, before INTEGER, after INTEGER) WITHOUT ROWID")
    case.run("INSERT INTO temp.answers SELECT user_id, 0, 0 FROM temp.shrinking")
    for schema, column in (("base", "before"), ("main", "after")):
        case.run(
            f"""
            UPDATE temp.answers AS a SET {column} = d.answers
            FROM (SELECT user_id, count(*) AS answers FROM (
                      SELECT DISTINCT s.user_id, s.attribute, CASE WHEN NOT s.single THEN {terms.key("f")} END
                      FROM {terms.facts_of(case, schema, "answer_group")} WHERE {terms.in_force("f")} AND f.id IS NOT NULL)
                  GROUP BY user_id) AS d
            WHERE d.user_id = a.user_id
            """
        )
    max_shrink = float(case.settings.verify.max_shrink)
    case.run(
        f"""
        INSERT INTO temp.finding
        SELECT 'problem', 'shrunk', 'fact out of force, with which the answers fell from ' || before || ' to ' || after,
               d.user_id, d.id
        FROM temp.departed d JOIN temp.answers a USING (user_id)
        WHERE a.before >= {LEAST_ANSWERS} AND a.before - a.after > {max_shrink!r} * a.before
        """
    )
