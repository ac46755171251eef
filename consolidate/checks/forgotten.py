"""forgotten_returned: what a user asked to forget is not in force again (DESIGN sections 2 and 5)."""

from __future__ import annotations

from consolidate.checks import terms
from consolidate.checks.terms import Case


def judge(case: Case) -> None:
    """Report tombstoned values in force: as problems where they were not in force before, as a notice otherwise."""
    if not load_tombstones(case):
        return
    case.fill(
        "arrived",
        "id, user_id, attribute, value",
        f"""
        SELECT f.id, f.user_id, f.attribute, {terms.key("f")}
        FROM temp.touched t JOIN main.facts f ON f.{case.order} = t.key
        WHERE t.in_force AND (NOT t.b_in_force OR t.edited OR t.moved)
        """,
    )
    case.problem(
        "forgotten_returned",
        "fact in force that the user asked to forget",
        f"SELECT user_id, id FROM temp.arrived f WHERE {_FORGOTTEN}",
    )
    report_standing(case, "f.id NOT IN (SELECT id FROM temp.arrived WHERE id IS NOT NULL)")


def examine(case: Case) -> None:
    """Report tombstoned values in force in a single store."""
    if load_tombstones(case):
        report_standing(case, "f.id IS NOT NULL")


def load_tombstones(case: Case) -> bool:
    """Fill ``temp.tombstone`` and tell whether there are any.

    ``scope`` is 1 for everything of the user, 2 for a whole attribute, 3 for a value, 4 for the hash of one. A tombstone
    that looks like a hash covers the value of that spelling as well.
    """
    case.run("CREATE TEMP TABLE tombstone(user_id, attribute, scope INTEGER, value, raw BLOB, kind TEXT)")
    if not case.any("main.tombstones"):
        return False
    case.run(
        f"""
        INSERT INTO temp.tombstone
        SELECT user_id, CASE WHEN scope = 1 THEN '' ELSE attribute END, scope, CASE WHEN scope = 3 THEN value END, raw, kind
        FROM (SELECT user_id, attribute, raw, kind, value,
                     CASE WHEN coalesce(attribute, '') = '' THEN 1 WHEN coalesce(value, '') = '' THEN 2
                          WHEN lower(value) GLOB 'h1:*' THEN 4 ELSE 3 END AS scope
              FROM (SELECT user_id, attribute, CAST(value AS BLOB) AS raw, typeof(value) AS kind, {terms.key("t")} AS value
                    FROM main.tombstones t WHERE user_id IS NOT NULL))
        """
    )
    case.run("CREATE INDEX temp.tombstone_by_group ON tombstone(user_id, attribute, scope, value)")
    return True


_OF_GROUP = "SELECT 1 FROM temp.tombstone t WHERE t.user_id = f.user_id AND t.attribute"
# What is forgotten, cheapest first; f has untyped columns user_id, attribute and value (a key).
_FORGOTTEN = f"""(
    EXISTS ({_OF_GROUP} = '' AND t.scope = 1)
    OR EXISTS ({_OF_GROUP} = f.attribute AND t.scope = 2)
    OR EXISTS ({_OF_GROUP} = f.attribute AND t.scope = 3 AND t.value = f.value)
    OR EXISTS ({_OF_GROUP} = f.attribute AND t.scope = 4 AND tombstone_matches(t.raw, t.kind, f.value)))"""


def report_standing(case: Case, condition: str) -> None:
    """Report as a notice the facts in force that were forgotten and meet a condition on ``f``: live had them before."""
    case.run("CREATE TEMP TABLE forgetful(user_id PRIMARY KEY) WITHOUT ROWID")
    case.run("INSERT OR IGNORE INTO temp.forgetful SELECT user_id FROM temp.tombstone")
    case.fill(
        "remembered",
        "id, user_id, attribute, value",
        f"""
        SELECT f.id, s.user_id, f.attribute, {terms.key("f")}
        FROM {terms.facts_of(case, "main", "forgetful", ("user_id",))}
        WHERE {terms.in_force("f")} AND {condition}
        """,
    )
    case.notice(
        "forgotten_in_force",
        "fact in force that the user asked to forget",
        f"SELECT user_id, id FROM temp.remembered f WHERE {_FORGOTTEN}",
    )
