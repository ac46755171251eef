"""Arbitrary stores: Hypothesis strategies for facts that hurt, and a client that writes them into a real SQLite file.

Facts are plain dicts. Text is ``str`` (bytes that are no UTF-8 are kept as surrogates), a BLOB is ``bytes``.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import apsw
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st

from consolidate.config import PromoteSettings, Settings, SourceSettings
from consolidate.model import new_run_id
from consolidate.steps import candidates as candidates_module
from consolidate.steps.context import StepContext
from consolidate.steps.pipeline import consolidate_shadow
from consolidate.store import connections, contract, job_tables
from tests.oracle import Candidate
from tests.oracle_group import Row

EXAMPLES = int(os.environ.get("CONSOLIDATE_EXAMPLES", "40"))
PROFILE = settings(
    max_examples=EXAMPLES,
    stateful_step_count=12,
    deadline=None,
    derandomize="CONSOLIDATE_EXAMPLES" not in os.environ,
    database=None,
    phases=[Phase.explicit, Phase.generate, Phase.shrink],
    suppress_health_check=list(HealthCheck),
)

COLUMNS = tuple(name for name in Row.__dataclass_fields__ if name != "rowid")
DAY = 86_400.0
NOW = 20 * DAY

USERS = ("ann", "Ann", "zo\u00eb", "zoe\u0308", "ann ", "")
ATTRIBUTES = ("city", "City", "diet")
WORDS = ("Boston", "  boston ", '"BOSTON"', "Austin", "austin.", "Cafe\u0301", "Caf\u00e9", "5 mW", "5 MW")
ODD_VALUES = (None, "", " ", b"Boston", b"\xff", "Bost\udcff", "!!", "\x00", "Bos\x00ton", "5")
SOURCES = ("user", "inferred", "import", "User", "", None, b"user")
RANKS = (("inferred", "user"), ("inferred", "import", "user"), ("user",), ())
STATUSES = ("merged", "superseded", "expired", "review", "archived", "Active", "", None, b"active")
IDS = (
    *(f"f{number}" for number in range(1, 13)),
    "F1",
    "f\u00e9",
    "fe\u0301",
    "",
    "f 1",
    "o'f",
    b"f1",
    "f\udcff",
    None,
)
EPISODES = ("e1", "e2", "e3", "e4", "e5", "e10", "E1", "\u00e91")
STRANGERS = ("x1", "x10")

CODECS = {"UTF-8": ("utf-8", "surrogateescape"), "UTF-16le": ("utf-16-le", "surrogatepass")}
# How the columns of text compare, whether facts have a rowid, and whether an index tells the facts of a user and attribute.
SCHEMAS = {
    "plain": ("", "", True),
    "bare": ("", "", False),
    "nocase": (" COLLATE NOCASE", "", True),
    "rtrim": (" COLLATE RTRIM", "", False),
    "keyed": ("", " WITHOUT ROWID", True),
}
BY_GROUP = "CREATE INDEX facts_by_user ON facts(user_id COLLATE BINARY, attribute COLLATE BINARY)"


def weighted(usual: st.SearchStrategy[Any], odd: st.SearchStrategy[Any], usually: int = 4) -> st.SearchStrategy[Any]:
    """Draw from ``usual`` most of the time."""
    return st.integers(0, usually).flatmap(lambda roll: odd if roll == usually else usual)


def days(low: int, high: int) -> st.SearchStrategy[float]:
    return st.integers(low, high).map(lambda number: number * DAY)


odd_times = st.sampled_from((None, "later", b"\x00", float("inf"), float("-inf"), NOW - 0.5, "", 5e-324))
moments = weighted(days(15, 21), odd_times, 9)
ends = weighted(st.none() | days(16, 23), odd_times, 9)
values = weighted(st.sampled_from(WORDS), st.sampled_from(ODD_VALUES), 6)
words_of_evidence = st.lists(st.sampled_from((*EPISODES, *STRANGERS, "nobody")), max_size=4)
evidence = weighted(
    st.none() | words_of_evidence.map(" ".join),
    words_of_evidence.map("  ".join)
    | words_of_evidence.map(lambda words: " " + "\t".join(words) + " ")
    | st.sampled_from((b"e1 e2", "e\udcff e1", "\x00 e1", "e1\x00 e2")),
    6,
)
confirmations = weighted(
    st.none() | st.integers(0, 3), st.sampled_from((-2, 2.5, "many", b"1", 10**17, -(10**18), float("inf"))), 6
)


@st.composite
def facts(draw: st.DrawFn, *, dirty: bool = True, multi: Sequence[Any] = (0,)) -> dict[str, Any]:
    """One fact without an id: that of a tidy application, or (``dirty``) one with whatever a column can hold."""
    tidy = not dirty or draw(st.integers(0, 2)) > 0
    users = st.sampled_from(USERS[:2]) if tidy else st.sampled_from((*USERS, None))
    return {
        "user_id": draw(weighted(st.just("ann"), users, 5)),
        "attribute": draw(weighted(st.just("city"), st.sampled_from((*ATTRIBUTES, *((None,) if dirty else ()))), 7)),
        "value": draw(st.sampled_from(WORDS) if tidy else values),
        "multi": draw(st.sampled_from(multi)),
        "source": draw(st.sampled_from(SOURCES[:2] if tidy else SOURCES)),
        "valid_from": draw(days(15, 21) if tidy else moments),
        "valid_to": None if tidy else draw(ends),
        "expires_at": draw(weighted(st.none(), days(15, 23), 3) if tidy else ends),
        "status": "active" if tidy else draw(weighted(st.sampled_from(STATUSES[:4]), st.sampled_from(STATUSES), 6)),
        "superseded_by": None if tidy else draw(st.none() | st.sampled_from((*IDS, "gone"))),
        "evidence": draw(st.none() | words_of_evidence.map(" ".join) if tidy else evidence),
        "confirmations": draw(st.none() | st.integers(0, 3) if tidy else confirmations),
    }


flags = weighted(st.just((0,)), st.sampled_from(((1,), (0, 0, 0, 1), (0, None), (None,), (1, "yes", b"0"))), 3)


@st.composite
def tables(draw: st.DrawFn, *, dirty: bool = True, most: int = 9) -> list[dict[str, Any]]:
    """The facts of a store; the order of the rowids is not that of the times."""
    multi = draw(flags)
    rows: list[dict[str, Any]] = draw(st.lists(facts(dirty=dirty, multi=multi), max_size=most))
    ids = draw(st.permutations(IDS[:12] if not dirty else IDS))
    return [
        {"rowid": 10 * number, "id": name} | row for number, (name, row) in enumerate(zip(ids, rows, strict=False), 1)
    ]


@st.composite
def episodes(draw: st.DrawFn, *, dirty: bool = True) -> dict[Any, tuple[Any, Any]]:
    """Episodes by id: most of one user, ``STRANGERS`` of another; some are still to come."""
    times = moments if dirty else days(15, 21)
    mine = {name: (draw(weighted(st.just("ann"), st.sampled_from(USERS), 8)), draw(times)) for name in EPISODES}
    return mine | {name: ("Ann", draw(times)) for name in STRANGERS}


tombstones = st.lists(
    st.tuples(
        st.sampled_from(("ann", "Ann", "zo\u00eb", None)),
        weighted(st.sampled_from(("city", "diet")), st.sampled_from(("", None, "City", b"city")), 4),
        weighted(st.sampled_from(WORDS), st.sampled_from((None, "", b"Boston", "h1::", "h1:x:y")), 3),
    ),
    max_size=3,
)


@dataclass(repr=False)
class Store:
    """A store as plain Python, and the settings of a night."""

    facts: list[dict[str, Any]]
    episodes: Mapping[Any, tuple[Any, Any]] = field(default_factory=dict)
    tombstones: Sequence[tuple[Any, Any, Any]] = ()
    pins: Sequence[Any] = ()
    rank: Sequence[str] = ("inferred", "user")
    attributes: Mapping[str, str] = field(default_factory=dict)
    max_per_user: int = 20
    max_per_run: int = 10_000
    schema: str = "plain"
    encoding: str = "UTF-8"

    def _repr_pretty_(self, printer: Any, _: bool) -> None:
        printer.text(repr(self))

    def __repr__(self) -> str:
        """Only what is out of the ordinary, so that a small counterexample is short."""
        rows = [{name: value for name, value in row.items() if value is not None} for row in self.facts]
        cited = " ".join(str(row["evidence"]) for row in rows if "evidence" in row)
        others = {name: value for name, value in vars(self).items() if value and name not in ("facts", "episodes")}
        seen = {name: value for name, value in self.episodes.items() if name in cited}
        return "\n  ".join(["Store", *map(str, rows), f"episodes {seen}", str(others)])


@st.composite
def stores(draw: st.DrawFn, *, dirty: bool = True, most: int = 9) -> Store:
    """A whole store of any shape."""
    encoding = draw(weighted(st.just("UTF-8"), st.just("UTF-16le"), 9))
    rows = draw(tables(dirty=dirty, most=most))
    if encoding != "UTF-8":
        rows = [row for row in rows if "\\udcff" not in repr(row)]
    names = [row["id"] for row in rows if row["id"] is not None]
    return Store(
        facts=rows,
        episodes=draw(episodes(dirty=dirty)),
        tombstones=draw(tombstones),
        pins=draw(weighted(st.just([]), st.lists(st.sampled_from(names or ["gone"]), max_size=3, unique=True), 3)),
        rank=draw(weighted(st.just(RANKS[0]), st.sampled_from(RANKS), 4)),
        attributes=draw(weighted(st.just({}), st.sampled_from(({"city": "single"}, {"city": "multi"})), 4)),
        max_per_user=draw(weighted(st.just(20), st.integers(0, 2), 5)),
        max_per_run=draw(weighted(st.just(10_000), st.integers(0, 2), 8)),
        schema=draw(weighted(st.just("plain"), st.sampled_from(sorted(SCHEMAS)), 6)),
        encoding=encoding,
    )


candidates = st.lists(
    st.builds(
        Candidate,
        user_id=weighted(st.just("ann"), st.sampled_from(USERS[:4]), 6),
        attribute=weighted(st.just("city"), st.sampled_from(ATTRIBUTES), 4),
        value=st.sampled_from(WORDS),
        evidence=weighted(
            st.lists(st.sampled_from(EPISODES), max_size=4),
            st.lists(st.sampled_from((*EPISODES, *STRANGERS, "nobody"))),
            4,
        ).map(tuple),
        multi=st.booleans(),
        min_support=st.integers(1, 2),
        min_days=st.integers(1, 2),
    ),
    max_size=3,
)


def bound(value: object) -> tuple[str, object]:
    """A place for a value in a statement, and what to bind there: text that is no UTF-8 is cast back from its bytes."""
    if isinstance(value, str) and any("\ud800" <= char <= "\udfff" for char in value):
        return "CAST(? AS TEXT)", value.encode("utf-8", "surrogateescape")
    return "?", value


def insert(db: sqlite3.Connection, table: str, row: Mapping[str, Any]) -> None:
    """Insert one row with values of any type, by the names of its columns; an id that is taken stays as it is."""
    places, values = zip(*map(bound, row.values()), strict=True)
    db.execute(f"INSERT OR IGNORE INTO {table}({', '.join(row)}) VALUES ({', '.join(places)})", values)


def create(path: Path, schema: str = "plain", encoding: str = "UTF-8") -> None:
    """Create an empty store with one of ``SCHEMAS``."""
    collation, options, indexed = SCHEMAS[schema]
    text = f"TEXT{collation}"
    with closing(sqlite3.connect(path)) as db, db:
        db.executescript(
            f"""PRAGMA encoding = '{encoding}';
            PRAGMA synchronous = OFF;
            CREATE TABLE facts(id TEXT PRIMARY KEY, user_id {text}, attribute {text}, value {text}, multi INTEGER,
              source {text}, valid_from REAL, valid_to REAL, expires_at REAL, status TEXT, superseded_by {text},
              evidence {text}, confirmations INTEGER){options};
            CREATE TABLE episodes(id TEXT PRIMARY KEY, user_id {text}, occurred_at REAL, summary TEXT);
            CREATE TABLE tombstones(user_id {text}, attribute {text}, value {text});
            {BY_GROUP if indexed else ""};
            """
        )


def fill(path: Path, store: Store) -> None:
    """Write the rows of a store into the file; pins are another matter, since the job owns their table."""
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("PRAGMA synchronous = OFF")
        for row in store.facts:
            insert(db, "facts", {name: row[name] for name in row if name != "rowid" or store.schema != "keyed"})
        for name, (user, moment) in store.episodes.items():
            insert(db, "episodes", {"id": name, "user_id": user, "occurred_at": moment, "summary": "said so"})
        for user, attribute, value in store.tombstones:
            insert(db, "tombstones", {"user_id": user, "attribute": attribute, "value": value})


def read_facts(path: Path) -> list[Row]:
    """Read the facts of a store in the order of their rowids (numbered in the order of their ids where there are none),
    text as ``str`` even where it is not well-formed."""
    parts = ", ".join(
        f"typeof({name}), CASE typeof({name}) WHEN 'text' THEN CAST({name} AS BLOB) ELSE {name} END" for name in COLUMNS
    )
    with closing(sqlite3.connect(path)) as db:
        codec = CODECS[db.execute("PRAGMA encoding").fetchone()[0]]
        keyed = db.execute("SELECT wr FROM pragma_table_list WHERE name = 'facts'").fetchone()[0]
        order = "row_number() OVER (ORDER BY id)" if keyed else "rowid"
        found = db.execute(f"SELECT {order} AS place, {parts} FROM facts ORDER BY place").fetchall()
    pairs = [(row[0], zip(row[1::2], row[2::2], strict=True)) for row in found]
    return [
        Row(place, *(value.decode(*codec) if kind == "text" else value for kind, value in row)) for place, row in pairs
    ]


def settings_of(store: Store) -> Settings:
    promote = PromoteSettings(max_per_user=store.max_per_user, max_per_run=store.max_per_run)
    return Settings(attributes=store.attributes, sources=SourceSettings(tuple(store.rank)), promote=promote)


def night_of_steps(
    path: Path, store: Store, now: float, *, light: bool = False, candidates: Sequence[Candidate] = ()
) -> StepContext:
    """Run the steps on a file, with a store's pins and settings and with these candidates; return what they counted."""
    settings = settings_of(store)
    with closing(connections.open_scratch(path)) as db:
        with db:
            job_tables.migrate(db)
            db.execute("DELETE FROM consolidation_pins")
            for pin in store.pins:
                place, name = bound(pin)
                db.execute(f"INSERT INTO consolidation_pins(fact_id) VALUES ({place})", (name,))
        context = StepContext(new_run_id(now), now, settings, contract.validate(db, path), light)
        db.execute("ATTACH ':memory:' AS scratch")
        for statement in candidates_module.SCHEMA.split(";"):
            db.execute(statement.replace("CREATE TABLE ", "CREATE TABLE scratch."))
        for number, candidate in enumerate(candidates, 1):
            _offer(db, number, candidate)
        decisions = consolidate_shadow(db, context, candidates=bool(candidates))
        if decisions.changed:
            run = (context.run_id, now, "light" if light else "night", "{}")
            db.execute("INSERT INTO consolidation_runs VALUES (?, ?, ?, ?)", run)
    return context


def _offer(db: apsw.Connection, number: int, candidate: Candidate) -> None:
    """Store a candidate as a summariser's answer would be."""
    db.execute(
        """INSERT INTO scratch.candidate(n, user_id, attribute, value, multi, min_support, min_days)
           VALUES (?, ?, ?, ?, ?, ?, ?)""",
        (
            number,
            candidate.user_id,
            candidate.attribute,
            candidate.value,
            int(candidate.multi),
            candidate.min_support,
            candidate.min_days,
        ),
    )
    db.executemany(
        "INSERT OR IGNORE INTO scratch.cited VALUES (?, ?, ?)",
        [(number, place, episode) for place, episode in enumerate(candidate.evidence)],
    )
