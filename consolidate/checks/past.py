"""What live already had wrong: notices at most, for the gate judges the run and not the past (DESIGN section 5)."""

from __future__ import annotations

from consolidate.checks import cycles, lineage, terms
from consolidate.checks.terms import Case


def report(case: Case) -> None:
    """Report what the run found and left as it was.

    Pointers that lead nowhere are looked for everywhere; those that lead astray among the users whose facts the run touched.
    """
    report_strange_rows(case)
    report_mixed_flags(case)
    old = "f.status IN ('merged', 'superseded') AND {} NOT IN (SELECT key FROM temp.edge WHERE key IS NOT NULL)"
    of_before = f"""temp.pointer_before p CROSS JOIN main.facts f ON f.{case.order} = p.key
                    WHERE {old.format("p.key")} AND f.superseded_by IS NOT NULL"""
    case.notice(
        "dangling_pointers",
        "fact whose pointer led nowhere already before the run",
        f"""SELECT f.user_id, f.id FROM {of_before} AND p.dangling
            AND NOT EXISTS (SELECT 1 FROM main.facts g WHERE {terms.id_matches(case, "facts", "g", "f.superseded_by")})""",
    )
    of_touched = "p.user_id IN (SELECT user_id FROM temp.touched WHERE user_id IS NOT NULL)"
    case.notice(
        "astray_pointers",
        "fact whose pointer led to another user or attribute already before the run",
        f"SELECT f.user_id, f.id FROM {of_before} AND p.astray AND {of_touched}",
    )
    case.run("CREATE TEMP TABLE suspected_user(user_id PRIMARY KEY) WITHOUT ROWID")
    case.run(
        f"INSERT OR IGNORE INTO temp.suspected_user SELECT p.user_id FROM temp.pointer_before p WHERE p.unsound AND {of_touched}"
    )
    if not case.any("temp.suspected_user"):
        return
    among = terms.facts_of(case, "main", "suspected_user", ("user_id",))
    of_users = f"SELECT {lineage.pointer_columns(case)} FROM {among} WHERE {old.format(f'f.{case.order}')}"
    lineage.find_edges(case, "old_edge", of_users, compare=False)
    if cycles.find_among(case, "old_edge"):
        case.notice(
            "cyclic_pointers",
            "fact whose pointers led back to it already before the run",
            cycles.on_cycle("temp.old_edge"),
        )


def report_strange_rows(case: Case) -> None:
    """Report facts that the rules leave alone because they lack an identity or have an unknown status."""
    case.notice(
        "no_identity",
        "fact without id, user or attribute, left alone",
        "SELECT user_id, id FROM temp.strange WHERE NOT identified",
    )
    case.notice(
        "unknown_status",
        "fact with an unknown status, left alone",
        "SELECT user_id, id FROM temp.strange WHERE identified",
    )


def report_mixed_flags(case: Case) -> None:
    """Report attributes whose rows disagree on being one-valued, unless the configuration decides (DESIGN section 3).

    Few attributes have both flags among all users: only those are looked into per user.
    """
    if case.any("temp.mixed"):
        case.notice(
            "mixed_flags",
            "fact of an attribute whose rows disagree on being one-valued",
            f"""SELECT f.user_id, min(f.id) FROM main.facts f
                WHERE {terms.identified("f")} AND +f.attribute COLLATE BINARY IN (SELECT attribute FROM temp.mixed)
                GROUP BY f.user_id COLLATE BINARY, f.attribute COLLATE BINARY
                HAVING min(coalesce(f.multi = 0, 0)) <> max(coalesce(f.multi = 0, 0))""",
        )
