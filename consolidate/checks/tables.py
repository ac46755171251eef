"""table_changed: everything that is neither a fact, an episode, a tombstone nor the job's own is as it was (DESIGN section 2)."""

from __future__ import annotations

from consolidate.checks import compare
from consolidate.checks.terms import Case
from consolidate.model import Problem
from consolidate.store.connections import quoted
from consolidate.store.contract import CONTRACT, JOB_PREFIX

PRAGMAS = ("user_version", "application_id", "page_size", "auto_vacuum", "encoding")

# What the application owns; a table's indexes and triggers go with it.
_FOREIGN = f"substr(lower(tbl_name), 1, {len(JOB_PREFIX)}) <> '{JOB_PREFIX}'"
# The job adds facts, so a counter of theirs may grow.
_COUNTERS = "lower(name) <> 'facts' AND substr(lower(name), 1, {length}) <> '{prefix}'"


def judge(case: Case) -> None:
    """Report every difference in pragmas, schema objects and the rows of ordinary tables.

    A virtual table is compared through its shadow tables, which are ordinary ones, so that its module need not be loaded.
    """
    _judge_pragmas(case)
    _judge_schema(case)
    _judge_counters(case)
    names = [str(name) for (name,) in case.db.execute(_ORDINARY_IN_BOTH).fetchall()]
    for table in names:
        if table.lower() not in (*CONTRACT, "sqlite_sequence") and _rows_differ(case, table):
            _report(case, f"The rows of the table {table} are not as they were.")


def contract_intact(case: Case) -> bool:
    """Tell whether the shadow still has the tables and columns of the contract; without them no other check can run."""
    for table, wanted in CONTRACT.items():
        found = {column.name.lower() for column in compare.columns(case.db, "main", table)}
        if not found.issuperset(wanted):
            return False
    return True


_ORDINARY_IN_BOTH = f"""
    SELECT b.name FROM base.sqlite_master b JOIN main.sqlite_master m ON m.name = b.name AND m.type = 'table'
    WHERE b.type = 'table' AND b.rootpage > 0 AND m.rootpage > 0 AND {_FOREIGN.replace("tbl_name", "b.tbl_name")}
    ORDER BY b.name"""


def _judge_pragmas(case: Case) -> None:
    for pragma in PRAGMAS:
        if case.value(f"PRAGMA main.{pragma}") != case.value(f"PRAGMA base.{pragma}"):
            _report(case, f"The pragma {pragma} is not as it was.")


def _judge_schema(case: Case) -> None:
    def objects(schema: str) -> str:
        return f"SELECT type, name, tbl_name, sql FROM {schema}.sqlite_master WHERE {_FOREIGN}"

    verbs: dict[tuple[str, str], str] = {}
    for left, right, verb in (("base", "main", "is gone"), ("main", "base", "was not there before")):
        for kind, name, _, _ in case.db.execute(f"{objects(left)} EXCEPT {objects(right)}"):
            verbs[kind, name] = "is not as it was" if (kind, name) in verbs else verb
    for (kind, name), verb in sorted(verbs.items()):
        _report(case, f"The {kind} {name} {verb}.")


def _judge_counters(case: Case) -> None:
    """Compare the counters of AUTOINCREMENT tables."""
    present = [
        bool(case.value(f"SELECT count(*) FROM {schema}.sqlite_master WHERE name = 'sqlite_sequence'"))
        for schema in ("main", "base")
    ]
    if not any(present):
        return
    others = _COUNTERS.format(length=len(JOB_PREFIX), prefix=JOB_PREFIX)
    rows = [
        sorted(case.db.execute(f"SELECT name, seq FROM {schema}.sqlite_sequence WHERE {others}").fetchall(), key=repr)
        if there
        else []
        for schema, there in zip(("main", "base"), present, strict=True)
    ]
    if rows[0] != rows[1]:
        _report(case, "The counters of tables with AUTOINCREMENT are not as they were.")


def _rows_differ(case: Case, table: str) -> bool:
    """Compare a table row by row in one pass, or as a bag of rows where rows have no name."""
    in_main = {column.name for column in compare.columns(case.db, "main", table)}
    both = [column for column in compare.columns(case.db, "base", table) if column.name in in_main]
    counts = [case.value(f"SELECT count(*) FROM {schema}.{quoted(table)}") for schema in ("main", "base")]
    if counts[0] != counts[1]:
        return True
    match = compare.match(case.db, table)
    if match is None:
        return case.any(f"({compare.surplus(table, both, 'base', 'main')})")
    name = quoted(table)
    return case.any(
        f"""(SELECT 1 FROM base.{name} b LEFT JOIN main.{name} m ON {match.same_row}
             WHERE {match.no_main} OR {compare.differ(both)})"""
    )


def _report(case: Case, message: str) -> None:
    case.problems.append(Problem("table_changed", None, (), message))
