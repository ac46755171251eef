"""The words of DESIGN sections 1 to 3 in SQL, for the checks; written apart from the steps on purpose (DESIGN section 5).

TEMP tables declare no column types: what is copied into them keeps its storage class and compares byte for byte, whatever
types and collations the application gave its columns. A unary plus takes the type off a column in a comparison.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import apsw

from consolidate.checks import findings
from consolidate.config import Settings
from consolidate.model import Problem
from consolidate.store.connections import quoted
from consolidate.store.contract import Shape, affinity

STATUSES = ("active", "merged", "superseded", "expired", "review")
NUMBER = "typeof({}) IN ('integer', 'real')"
# A group or user is taken to have this many facts; reading them through an index pays off while that is less than the table.
FACTS_OF_GROUP, FACTS_OF_USER = 20, 400


@dataclass
class Case:
    """What is being judged: a connection with the store as ``main``, the clock, the settings and the store's shape."""

    db: apsw.Connection
    now: float
    settings: Settings
    shape: Shape
    problems: list[Problem] = field(default_factory=list)

    @property
    def order(self) -> str:
        """SQL that names a fact's row: an alias of the rowid, or ``id``."""
        return self.shape.facts.order

    def run(self, sql: str) -> int:
        """Execute one statement and return how many rows it changed."""
        self.db.execute(sql, {"now": self.now})
        return int(self.db.changes())

    def fill(self, table: str, columns: str, query: str) -> int:
        """Create a TEMP table of untyped columns, fill it with a query's rows and return how many there are."""
        self.db.execute(f"CREATE TEMP TABLE {table}({columns})")
        return self.run(f"INSERT INTO temp.{table} {query}")

    def value(self, sql: str) -> Any:
        """Return the first column of the first row of a query."""
        return self.db.execute(sql, {"now": self.now}).get

    def any(self, table: str) -> bool:
        """Tell whether a table has rows."""
        return bool(self.value(f"SELECT EXISTS (SELECT 1 FROM {table})"))

    def problem(self, check: str, reason: str, rows: str) -> None:
        """Report each (user, fact id) that the query ``rows`` returns as a problem."""
        self._report("problem", check, reason, rows)

    def problems_among(self, table: str, wrong: Sequence[tuple[str, str, str]]) -> None:
        """Report what is wrong with the rows of a TEMP table, which is read once where nothing is.

        Args:
            table: it has the columns ``user_id`` and ``id``; perhaps with an alias.
            wrong: check, reason and SQL condition of each problem.
        """
        conditions = ", ".join(f"max({condition})" for _, _, condition in wrong)
        met = self.db.execute(f"SELECT {conditions} FROM {table}", {"now": self.now}).fetchone() or ()
        for (check, reason, condition), some in zip(wrong, met, strict=True):
            if some:
                self.problem(check, reason, f"SELECT user_id, id FROM {table} WHERE {condition}")

    def notice(self, kind: str, reason: str, rows: str) -> None:
        """Report each (user, fact id) that the query ``rows`` returns as a notice."""
        self._report("notice", kind, reason, rows)

    def _report(self, level: str, name: str, reason: str, rows: str) -> None:
        self.db.execute(
            f"INSERT INTO temp.finding SELECT :level, :name, :reason, * FROM ({rows})",
            {"now": self.now, "level": level, "name": name, "reason": reason},
        )


@contextmanager
def temporary(db: apsw.Connection) -> Iterator[None]:
    """Read the files as of one moment, and leave no TEMP table behind."""
    db.execute("SAVEPOINT checks")
    try:
        yield
    finally:
        db.execute("ROLLBACK TO checks")
        db.execute("RELEASE checks")


def prepare(case: Case, pins: str) -> None:
    """Create the TEMP tables of findings, source ranks, attribute modes, pins and undone decisions.

    Args:
        case: what is judged.
        pins: the schema whose pins and undone decisions count.
    """
    db, settings = case.db, case.settings
    findings.prepare(db)
    db.execute("CREATE TEMP TABLE ranks(source PRIMARY KEY, rank INTEGER) WITHOUT ROWID")
    db.executemany("INSERT INTO temp.ranks VALUES (?, ?)", [(s, n) for n, s in enumerate(settings.sources.rank)])
    db.execute("CREATE TEMP TABLE modes(attribute PRIMARY KEY, single INTEGER) WITHOUT ROWID")
    db.executemany(
        "INSERT INTO temp.modes VALUES (?, ?)",
        [(attribute, int(mode == "single")) for attribute, mode in settings.attributes.items()],
    )
    db.execute("CREATE TEMP TABLE pins(id TEXT PRIMARY KEY) WITHOUT ROWID")
    if has_table(db, pins, "consolidation_pins"):
        db.execute(
            f"INSERT OR IGNORE INTO temp.pins SELECT fact_id FROM {pins}.consolidation_pins WHERE fact_id IS NOT NULL"
        )
    db.execute("CREATE TEMP TABLE reopened(id PRIMARY KEY)")
    if has_table(db, pins, "consolidation_exceptions"):
        db.execute(f"INSERT OR IGNORE INTO temp.reopened SELECT fact_id FROM {pins}.consolidation_exceptions")


def has_table(db: apsw.Connection, schema: str, name: str) -> bool:
    """Tell whether a schema has an ordinary table of this name."""
    found = db.execute(
        f"SELECT 1 FROM {quoted(schema)}.sqlite_master WHERE type = 'table' AND lower(name) = ?", (name,)
    ).fetchone()
    return found is not None


def has_schema(db: apsw.Connection, name: str) -> bool:
    """Tell whether a database is attached under this name."""
    return db.execute("SELECT 1 FROM pragma_database_list WHERE name = ?", (name,)).fetchone() is not None


def in_force(alias: str) -> str:
    """SQL: whether a fact is in force (DESIGN section 1); text or NULL in ``valid_from`` is never <= a number."""
    return (
        f"coalesce({alias}.status = 'active' AND {alias}.valid_to IS NULL AND {alias}.valid_from <= :now"
        f" AND ({alias}.expires_at IS NULL OR {alias}.expires_at > :now), 0)"
    )


def identified(alias: str) -> str:
    """SQL: whether a fact has all it takes to be consolidated (DESIGN section 2)."""
    return f"({alias}.id IS NOT NULL AND {alias}.user_id IS NOT NULL AND {alias}.attribute IS NOT NULL)"


def status(alias: str) -> str:
    """SQL: a fact's status, spelled as in the contract where the column's collation says that it is the same."""
    spelled = " ".join(f"WHEN '{name}' THEN '{name}'" for name in STATUSES)
    return f"CASE {alias}.status {spelled} ELSE {alias}.status END"


def rank(alias: str) -> str:
    """SQL: the rank of a fact's source; one that is not listed ranks lowest (DESIGN section 3)."""
    return f"coalesce((SELECT r.rank FROM temp.ranks r WHERE r.source = +{alias}.source), -1)"


def pinned(alias: str) -> str:
    """SQL: whether a fact is pinned (DESIGN section 3)."""
    return f"coalesce({alias}.status = 'active' AND EXISTS (SELECT 1 FROM temp.pins p WHERE p.id = +{alias}.id), 0)"


def key(alias: str) -> str:
    """SQL: what a fact's value is compared by (DESIGN section 3)."""
    return f"normal_key(CAST({alias}.value AS BLOB), typeof({alias}.value))"


def single(case: Case, alias: str) -> str:
    """SQL: what a fact's own row says about its attribute being one-valued, unless the configuration does."""
    by_row = f"coalesce({alias}.multi = 0, 0)"
    if not case.settings.attributes:
        return by_row
    return f"coalesce((SELECT o.single FROM temp.modes o WHERE o.attribute = +{alias}.attribute), {by_row})"


def window_end(alias: str) -> str:
    """SQL: when a fact stops holding; NULL if it held nowhere (DESIGN section 3, fine print)."""
    return (
        f"CASE WHEN {alias}.status = 'active'"
        f" THEN min(coalesce({alias}.valid_to, 9e999), coalesce({alias}.expires_at, 9e999))"
        f" WHEN {alias}.status IN ('superseded', 'expired', 'merged') THEN {alias}.valid_to END"
    )


def same_time(left: str, right: str) -> str:
    """SQL: whether two times are the same, also where their columns have different types."""
    return f"({left} IS {right} OR CAST({left} AS REAL) IS CAST({right} AS REAL))"


def id_matches(case: Case, table: str, alias: str, wanted: str, schema: str = "main") -> str:
    """SQL: whether a row's ``id`` is ``wanted``, in a form that finds the row through the index of ids.

    Args:
        case: what is judged.
        table: ``facts`` or ``episodes``.
        alias: under which name the query knows the table.
        wanted: SQL for the id that is looked for.
        schema: ``main`` or ``base``.
    """
    declared = case.value(f"SELECT type FROM pragma_table_xinfo('{table}', '{schema}') WHERE lower(name) = 'id'")
    if affinity(str(declared)) == "TEXT":
        return f"{alias}.id = {wanted}"
    # Other columns have turned a number into text.
    return (
        f"({alias}.id IN ({wanted}, CAST({wanted} AS INTEGER), CAST({wanted} AS REAL)) AND ({alias}.id IS {wanted}"
        f" OR ({NUMBER.format(f'{alias}.id')} AND CAST({alias}.id AS TEXT) = {wanted})))"
    )


def facts_of(case: Case, schema: str, scope: str, columns: tuple[str, ...] = ("user_id", "attribute")) -> str:
    """SQL for a FROM clause: the facts ``f`` of a schema that belong to the users or groups ``s`` of a TEMP table.

    Goes through the application's index where it has one that pays off, and reads the table once otherwise.

    Args:
        case: what is judged.
        schema: ``main`` or ``base``.
        scope: a TEMP table whose primary key is ``columns``.
        columns: what identifies a row of it.
    """
    by_index = " AND ".join(f"f.{name} = s.{name} AND +f.{name} IS s.{name} COLLATE BINARY" for name in columns)
    wanted = " AND ".join(f"f.{name} = ?" for name in columns)
    plan = case.db.execute(f"EXPLAIN QUERY PLAN SELECT 1 FROM {schema}.facts f WHERE {wanted}", ("",) * len(columns))
    indexed = any("user_id=?" in str(row[-1]) for row in plan.fetchall())
    each = FACTS_OF_GROUP if "attribute" in columns else FACTS_OF_USER
    if indexed and case.value(
        f"SELECT {each} * (SELECT count(*) FROM temp.{scope}) < (SELECT count(*) FROM {schema}.facts)"
    ):
        return f"temp.{scope} s CROSS JOIN {schema}.facts f ON {by_index}"
    by_scan = " AND ".join(f"s.{name} = +f.{name}" for name in columns)
    return f"{schema}.facts f CROSS JOIN temp.{scope} s ON {by_scan}"
