"""The plan of every statement that runs, what in a plan takes more than linear time, and stores for which everything must run.

Plans are asked for on the very connection, right before the statement runs: its TEMP tables and indexes are those that the
statement will find.
"""

from __future__ import annotations

import ast
import re
import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import apsw

from consolidate.store import contract
from consolidate.store.values import hashed_tombstone
from tests.stores import DAY, NOW, insert

# What reads no table has no plan: rows of values, definitions, pragmas, transactions.
_READS = re.compile(r"\b(?:FROM|WHERE|UPDATE|JOIN)\b")
_EXPLAINED = re.compile(r"\s*(?:SELECT|INSERT|REPLACE|UPDATE|DELETE|WITH|CREATE\s+(?:TEMP\s+)?TABLE)\b")

_WORDS = "from|where|join|left|cross|inner|on|using|group|order|limit|set|select|union|except|values|indexed"
_TABLE = r'(?:(?:\w+|"[^"]+")\s*\.\s*)?(?:\w+|"[^"]+")'
_ALIAS = rf"\s+(?:AS\s+)?(?!(?:{_WORDS})\b)(\w+)"
_SOURCE = re.compile(
    rf"\b(?:FROM|JOIN|UPDATE(?:\s+OR\s+\w+)?|INTO)\s+({_TABLE})(?:\s+INDEXED\s+BY\s+\S+)?(?:{_ALIAS})?|,\s*({_TABLE}){_ALIAS}",
    re.IGNORECASE,
)
_RECURSIVE = re.compile(r"(?:\bRECURSIVE|,)\s+(\w+)\s*\([\w\s,]*\)\s*AS\s*(?:MATERIALIZED\s*)?\(", re.IGNORECASE)

_LOOP = re.compile(r"(SCAN|SEARCH)\s+(\([a-z]+-\d+\)|\S+)")
_DERIVED = re.compile(r"(?:MATERIALIZE|CO-ROUTINE) (.*)")
_EQUALITY = re.compile(r"(\w+)=\?")

# A statement that runs more often than this in one connection runs as often as there are rows, or so.
MANY = 25

Plan = tuple[tuple[int, int, str], ...]


@dataclass(frozen=True)
class Planned:
    """A statement and one of the plans that SQLite had for it: of each line the id, that of its parent, and the text."""

    sql: str
    plan: Plan

    @property
    def text(self) -> str:
        """The statement on one line."""
        return " ".join(self.sql.split())


@dataclass(frozen=True)
class Finding:
    """One line of a plan that is not linear, and why."""

    planned: Planned
    detail: str
    why: str

    def __str__(self) -> str:
        below: dict[int, int] = {0: 0}
        lines = []
        for node, parent, detail in self.planned.plan:
            below[node] = below[parent] + 1
            lines.append("   " * below[node] + detail)
        return "\n".join([f"{self.detail}: {self.why}", f"   {self.planned.text}", *lines])


@dataclass
class Watch:
    """What ran: each statement once per plan, and how often at most in one connection."""

    seen: dict[Planned, int] = field(default_factory=dict)


@contextmanager
def watching() -> Iterator[Watch]:
    """Note every statement that any apsw connection opened in the block runs."""
    watch = Watch()

    def connected(db: apsw.Connection) -> None:
        counts: Counter[Planned] = Counter()
        explaining = False

        def traced(_: apsw.Cursor, sql: str, bindings: Any) -> bool:
            nonlocal explaining
            if not explaining and _EXPLAINED.match(sql) and _READS.search(sql):
                explaining = True
                try:
                    planned = Planned(sql, plan_of(db, sql, bindings))
                finally:
                    explaining = False
                counts[planned] += 1
                watch.seen[planned] = max(watch.seen.get(planned, 0), counts[planned])
            return True

        db.exec_trace = traced

    apsw.connection_hooks.append(connected)
    try:
        yield watch
    finally:
        apsw.connection_hooks.remove(connected)


def unwatched(db: apsw.Connection) -> apsw.Connection:
    """Return a connection of the test's own, of which nothing is noted from now on."""
    db.exec_trace = None
    return db


def plan_of(db: apsw.Connection, sql: str, bindings: Any = None) -> Plan:
    """Return the plan of a statement; nothing for one that cannot run."""
    try:
        rows: list[Any] = db.execute(f"EXPLAIN QUERY PLAN {sql}", bindings).fetchall()
    except apsw.SQLError:
        return ()
    return tuple((node, parent, detail) for node, parent, _, detail in rows)


def findings(planned: Planned, vague: frozenset[str], times: int = 1) -> Iterator[Finding]:
    """Yield what takes more than linear time in one plan.

    Args:
        planned: a statement and its plan.
        vague: columns, or with a dot columns of tables, whose values many rows share, so that a search by them finds many.
        times: how often it ran in one connection.
    """
    judge = _Judge(planned, vague)
    for detail, why in judge.below(0, per_row=False):
        yield Finding(planned, detail, why)
    if times > MANY:
        for detail in judge.scans:
            yield Finding(planned, detail, f"a scan that ran {times} times")


class _Judge:
    """Walks the tree of one plan.

    Siblings that scan or search are the loops of a join, the outermost first: what is inside runs per row. So does a
    correlated subquery and the step of a recursion; other subqueries run once.
    """

    def __init__(self, planned: Planned, vague: frozenset[str]) -> None:
        self._below: dict[int, list[tuple[int, str]]] = {}
        for node, parent, detail in planned.plan:
            self._below.setdefault(parent, []).append((node, detail))
        self._tables = tables_by_name(planned.sql)
        self._queues = {name.lower() for name in _RECURSIVE.findall(planned.sql)}
        derived = [(node, match[1].lower()) for node, _, detail in planned.plan if (match := _DERIVED.match(detail))]
        self._derived = {name for _, name in derived}
        self._one_row = {name for node, name in derived if self._is_one_row(node)}
        self._vague = vague
        self.scans: list[str] = []

    def _is_one_row(self, node: int) -> bool:
        return [detail for _, detail in self._below.get(node, ())] == ["SCAN CONSTANT ROW"]

    def below(self, parent: int, *, per_row: bool, step: bool = False) -> Iterator[tuple[str, str]]:
        """Yield what is wrong below a node.

        Args:
            parent: the node.
            per_row: whether all of it runs for each row of something.
            step: whether it is the step of a recursion, which takes one row at a time from its queue.
        """
        inner = per_row
        for node, detail in self._below.get(parent, ()):
            loop = _LOOP.match(detail)
            if detail.startswith(("CORRELATED", "RECURSIVE STEP")):
                yield from self.below(node, per_row=True, step=detail.startswith("RECURSIVE"))
            elif detail.startswith(("LIST SUBQUERY", "SCALAR SUBQUERY")):
                yield from self.below(node, per_row=False)
            elif detail.startswith("MULTI-INDEX OR"):
                for alternative, _ in self._below.get(node, ()):
                    yield from self.below(alternative, per_row=inner)
                inner = True
            elif loop is None:  # a part of the query that runs as often as the whole
                yield from self.below(node, per_row=per_row)
            elif "CONSTANT ROW" not in detail and loop[2].lower() not in self._one_row:
                yield from self._loop(detail, loop, per_row, inner, step)
                inner = True

    def _loop(
        self, detail: str, loop: re.Match[str], per_row: bool, inner: bool, step: bool
    ) -> Iterator[tuple[str, str]]:
        name = loop[2].strip('"').lower()
        tables = self._tables.get(name.split(".")[-1], {name})
        if " AUTOMATIC " in detail:
            # What a subquery gives cannot have an index of its own; one is made once, in n log n.
            if per_row or not tables <= self._derived:
                yield detail, "an index made for this statement alone"
        elif " VIRTUAL TABLE " in detail or (step and tables <= self._queues):
            return  # a function that is fed by the row outside; the row that the recursion is at
        elif loop[1] == "SCAN":
            if inner:
                yield detail, "a scan for each row"
            else:
                self.scans.append(detail)
        elif inner:
            columns = _EQUALITY.findall(detail.lower())
            if not columns:
                yield detail, "a walk over a range for each row"
            elif all(self._is_vague(column, tables) for column in columns):
                yield detail, "a search for each row by what many rows share"

    def _is_vague(self, column: str, tables: set[str]) -> bool:
        return column in self._vague or any(f"{table}.{column}" in self._vague for table in tables)


def tables_by_name(sql: str) -> Mapping[str, set[str]]:
    """Return the tables that each name of a statement stands for somewhere in it, without their schemas, in lower case."""
    found: dict[str, set[str]] = {}
    for match in _SOURCE.finditer(sql):
        table, alias = match[1] or match[3], match[2] or match[4]
        name = re.split(r"\s*\.\s*", table)[-1].strip('"').lower()
        for known in {name, (alias or name).lower()}:
            found.setdefault(known, set()).add(name)
    return found


def statements_of(module: Path) -> Iterator[tuple[int, re.Pattern[str]]]:
    """Yield the statements that read tables in the source of a module: the line, and a pattern for it without blanks."""
    tree = ast.parse(module.read_text("utf-8"))
    strings = [node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)]
    pieces = {id(piece) for string in strings for piece in string.values}
    strings += [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in pieces]  # type: ignore[misc]
    for string in strings:
        values: Sequence[ast.expr] = string.values if isinstance(string, ast.JoinedStr) else [string]
        parts = [value.value if isinstance(value, ast.Constant) else None for value in values]
        text = "".join(part if isinstance(part, str) else "{}" for part in parts)
        if _EXPLAINED.match(text) and _READS.search(text):
            yield string.lineno, re.compile(".*?".join(map(re.escape, re.split(r"\{[^{}]*\}", "".join(text.split())))))


USERS = 40
COLUMNS = """user_id TEXT, attribute TEXT, value TEXT, multi INTEGER, source TEXT, valid_from REAL, valid_to REAL,
  expires_at REAL, status TEXT, superseded_by TEXT, evidence TEXT, confirmations INTEGER"""
PLAIN = f"facts(id TEXT PRIMARY KEY, {COLUMNS})"
# What the facts of an application may look like, and what indexes it may have on them.
TABLES = {
    "without rowid": f"{PLAIN} WITHOUT ROWID",
    "numbered": f"facts(nr INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT UNIQUE, {COLUMNS})",
    "rowid is taken": f"facts(rowid TEXT, id TEXT PRIMARY KEY, {COLUMNS})",
    "no case": PLAIN.replace("TEXT", "TEXT COLLATE NOCASE"),
    "no types": PLAIN.replace("TEXT", "").replace("REAL", "").replace("INTEGER", ""),
}
GROUP = "CREATE INDEX facts_by_group ON facts(user_id, attribute);"
EACH = [f"CREATE INDEX by_{name} ON facts({name});" for name in contract.FACT_COLUMNS if name != "id"]
INDEXES = {
    "none": "",
    "user": "CREATE INDEX facts_by_user ON facts(user_id, status);",
    "attribute": "CREATE INDEX facts_by_attribute ON facts(attribute);",
    "attribute and user": "CREATE INDEX facts_by_attribute ON facts(attribute, user_id);",
    "each column": "".join(EACH),
    "each column, and group": GROUP + "".join(EACH),
}
TRIGGER = """CREATE TABLE log(fact_id, was, at INTEGER PRIMARY KEY);
CREATE TRIGGER logged AFTER UPDATE ON facts BEGIN INSERT INTO log(fact_id, was) VALUES (new.id, old.status); END;"""
OTHERS = """
CREATE TABLE episodes(id TEXT PRIMARY KEY, user_id TEXT, occurred_at REAL, summary TEXT);
CREATE TABLE tombstones(user_id TEXT, attribute TEXT, value TEXT);
CREATE TABLE notes(id INTEGER PRIMARY KEY AUTOINCREMENT, fact_id TEXT REFERENCES facts(id), "mood" TEXT);
CREATE INDEX notes_by_fact ON notes(fact_id);
CREATE TABLE tags(name TEXT, owner TEXT, PRIMARY KEY(name, owner)) WITHOUT ROWID;
CREATE TABLE nameless(rowid, _rowid_, oid);
CREATE VIRTUAL TABLE words USING fts5(value);
"""


def facts(users: int) -> Iterator[dict[str, Any]]:
    """Facts on which every rule has something to do."""
    plain = {"multi": 0, "source": "user", "status": "active", "confirmations": 1, "evidence": None}
    cities = (
        ("Boston", 9, "user"), ("boston", 8, "user"), ("Austin", 7, "user"), ("Boston", 6, "import"), ("Oslo", 6.5, "user"),
        ("Paris", 5, "inferred"), ("Austin", 4, "user"), ("Rome", 3, "inferred"),
    )  # fmt: skip
    hobbies = ("hiking, swimming", "swimming, hiking", "chess", "Chess.", "likes chess a lot on sundays")
    for number in range(users):
        user, back = f"u{number}", f"u{number}j0" if number % 2 else "nobody"
        foreign = f"{user}e1 u{number - number % 5}e2"
        rows: list[dict[str, Any]] = [
            *({"attribute": "city", "value": value, "day": day, "source": source} for value, day, source in cities),
            *(
                {"attribute": "hobby", "value": value, "day": 5, "multi": 1,
                 "evidence": foreign if value == "Chess." else f"{user}e0"}
                for value in hobbies
            ),
            *({"attribute": f"answer{n}", "value": "x", "day": 5, "expires_at": NOW + n * DAY} for n in range(5)),
            *({"attribute": "diet", "value": "vegan", "day": 6, "multi": flag} for flag in (0, 1)),
            *(
                {"id": f"{user}j{n}", "attribute": "job", "value": f"j{n}", "day": 9 - n, "status": "superseded",
                 "valid_to": NOW - (8 - n) * DAY, "superseded_by": f"{user}j{n + 1}" if n < 3 else back}
                for n in range(4)
            ),
            *({"attribute": "team", "value": value, "day": 5 - n} for n, value in enumerate(("red", "Red", "blue"))),
        ]  # fmt: skip
        for place, row in enumerate(rows):
            yield {"id": f"{user}f{place}", "user_id": user, **plain, **row, "valid_from": NOW - row.pop("day") * DAY}


def make_store(path: Path, table: str = PLAIN, more: str = GROUP, *, analysed: int = 0, users: int = USERS) -> None:
    """Make a store; the application has ANALYZE run once, when there are so many facts, or never."""
    path.parent.mkdir(exist_ok=True)
    with closing(sqlite3.connect(path)) as db, db:
        db.executescript(f"PRAGMA synchronous = OFF; CREATE TABLE {table}; {OTHERS} {more}")
        for number, row in enumerate(facts(users), 1):
            insert(db, "facts", {name: value for name, value in row.items() if name != "day"})
            if number == analysed:
                db.execute("ANALYZE")
        said = ("asked for an aisle seat, drinks tea", "aisle seat, drinks tea, calm", "calm")
        db.executemany(
            "INSERT INTO episodes VALUES (?, ?, ?, ?)",
            [(f"u{n}e{e}", f"u{n}", NOW - (9 - e) * DAY, said[e]) for n in range(users) for e in range(3)],
        )
        tea = hashed_tombstone("tea")
        stones = [("u3", "seat", None), ("u4", "", None), ("u5", "drink", "tea"), ("u6", "drink", tea)]
        db.executemany("INSERT INTO tombstones VALUES (?, ?, ?)", stones)
        db.execute("INSERT INTO notes(fact_id) SELECT id FROM facts")
        db.execute("INSERT INTO tags SELECT value, id FROM facts")
        db.execute("INSERT INTO nameless SELECT id, value, 1 FROM facts")
        db.execute("INSERT INTO words SELECT value FROM facts")
