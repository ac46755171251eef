"""No statement that a night runs on stores scans a table for each row of another: its work is linear, or n log n, in the store.

Whole nights are run, and what people do between them, so that every statement is; judged is the plan that each had as it ran.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import cache
from pathlib import Path

import apsw
import pytest

import consolidate
from consolidate.config import Settings
from consolidate.model import Outcome
from consolidate.operate.tenants import Tenant
from consolidate.store import contract
from tests.plan_stories import IN_PLACE, SETTINGS, STORIES, night, nights
from tests.query_plans import (
    GROUP,
    INDEXES,
    TRIGGER,
    Finding,
    Planned,
    Watch,
    findings,
    make_store,
    plan_of,
    statements_of,
    watching,
)

# Columns whose values many rows share: looked up by these alone for each row of something, it is no longer linear.
VAGUE = frozenset(
    {f"facts.{name}" for name in contract.FACT_COLUMNS if name not in ("id", "user_id", "superseded_by")}
    | {f"consolidation_{table}.run_id" for table in ("actions", "made", "promotions")}
)
# What is not as it should be by the letter, and why it is all the same: part of the statement, of the plan, the reason.
JUSTIFIED = (
    ("FROM temp.asked a LEFT JOIN temp.answer r", "SCAN r ", "probes are few: a person wrote each of them"),
    ("tombstones GROUP BY user_id, attribute, value) b", "tombstones", "an index is made of it, once for all rows"),
    ("tombstones GROUP BY user_id, attribute, value) b", "SEARCH b USING AUTOMATIC", "that index, n log n"),
    ("main.sqlite_master m ON m.name", "SEARCH m USING AUTOMATIC", "made once, of the few objects of a schema"),
    ("FROM main.facts f JOIN main.tombstones t", "SCAN t", "for the one fact that a person accepts"),
    ("UPDATE temp.share AS s SET lost", "SCAN b", "the chain of what one fact was merged into in one night"),
    ("CROSS JOIN main.tombstones t ON t.user_id =", "AUTOMATIC", "made once: the contract has no such index"),
    ("CROSS JOIN main.facts f ON f.superseded_by =", "AUTOMATIC", "made once: the contract has no such index"),
    ("FROM main.consolidation_proposals p JOIN", "SCAN p", "for the one run that is undone"),
    ("FROM main.consolidation_proposals p JOIN", "SEARCH a ", "a decision of a person has few actions"),
)
# Modules whose statements must all be run here, and the statements that cannot be.
MODULES = ("steps/*", "checks/*", "run/*", "operate/undo*", "operate/rollback*", "operate/spared*", "operate/erasure*")
NEVER_RUN = {"SELECTcount(*)FROMmain.consolidation_runsWHERErun_id=?": "asks whether a commit that failed was made"}


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Watch]:
    """What ran in a story; each is played once."""

    @cache
    def play(name: str) -> Watch:
        with watching() as watch:
            STORIES[name](Tenant.of(tmp_path_factory.mktemp("tenants"), "acme"))
        return watch

    return play


def reasons(finding: Finding) -> list[int]:
    """The places in ``JUSTIFIED`` of what speaks for a finding."""
    return [
        place
        for place, (statement, line, _) in enumerate(JUSTIFIED)
        if statement in finding.planned.text and line in finding.detail + " "
    ]


def found(watch: Watch) -> Iterator[Finding]:
    for planned, times in watch.seen.items():
        yield from findings(planned, VAGUE, times)


@pytest.mark.parametrize("name", STORIES)
def test_nothing_is_scanned_for_each_row_of_something(name: str, seen: Callable[[str], Watch]) -> None:
    wrong = [str(finding) for finding in found(seen(name)) if not reasons(finding)]
    assert not wrong, "\n".join(wrong)


def test_every_statement_of_a_night_was_looked_at(seen: Callable[[str], Watch]) -> None:
    """As it stands in the source; what is put together at run time is a gap in the pattern."""
    ran = {planned.text.replace(" ", "") for name in STORIES for planned in seen(name).seen}
    assert len(ran) > 400
    package = Path(consolidate.__file__).parent
    unseen = [
        f"{module.relative_to(package)}:{line} {pattern.pattern[:90]}"
        for folder in MODULES
        for module in sorted(package.glob(f"{folder}.py"))
        for line, pattern in statements_of(module)
        if pattern.pattern.replace("\\", "") not in NEVER_RUN and not any(map(pattern.search, ran))
    ]
    assert not unseen, "\n".join(unseen)


def test_every_justification_is_needed(seen: Callable[[str], Watch]) -> None:
    needed = {place for name in STORIES for finding in found(seen(name)) for place in reasons(finding)}
    assert needed == set(range(len(JUSTIFIED)))


def test_plans_depend_on_indexes_and_not_on_sizes(tmp_path: Path) -> None:
    """Nobody runs ANALYZE, so a store of thirty times the size has the same plans."""
    plans: list[dict[str, set[tuple[str, ...]]]] = []
    for users in (10, 300):
        with watching() as watch:
            nights(Tenant.of(tmp_path, f"of {users}"), IN_PLACE, users=users)
        plans.append({})
        for planned in watch.seen:
            plans[-1].setdefault(planned.text, set()).add(tuple(detail for *_, detail in planned.plan))
    both = plans[0].keys() & plans[1].keys()
    assert len(both) > 200
    assert not [text for text in both if plans[0][text] != plans[1][text]]


TOYS = """
CREATE TABLE a(x INTEGER, y TEXT);
CREATE TABLE b(id INTEGER PRIMARY KEY, v INTEGER, kind TEXT);
CREATE TABLE k(user_id TEXT, n INTEGER, PRIMARY KEY(user_id, n)) WITHOUT ROWID;
CREATE INDEX b_by_kind ON b(kind);
CREATE TEMP TABLE t(x, y);
"""
WRONG = (
    "SELECT * FROM a JOIN b ON b.v < a.x",
    "SELECT * FROM a JOIN b ON b.v = a.x",
    "SELECT * FROM a CROSS JOIN t ON t.x = +a.x + 1",
    "SELECT * FROM a LEFT JOIN b ON b.v + 1 = a.x",
    "SELECT * FROM a JOIN b ON b.kind = a.y",
    "SELECT * FROM a JOIN b ON b.id > a.x",
    "SELECT * FROM a JOIN b ON b.id = a.x OR b.v + 0 = a.x",
    "SELECT * FROM a WHERE EXISTS (SELECT 1 FROM t WHERE t.x + 0 = a.x)",
    "SELECT (SELECT v FROM b WHERE b.v > a.x LIMIT 1) FROM a",
    "SELECT x FROM a WHERE x IN (SELECT t.x FROM t WHERE t.y > a.y)",
    "SELECT * FROM b WHERE id <> (SELECT min(d.id) FROM b d WHERE d.v = b.v)",
    "SELECT * FROM a WHERE x > (SELECT count(*) FROM (SELECT DISTINCT y FROM t WHERE t.x > a.x))",
    "SELECT * FROM a CROSS JOIN (SELECT y, count(*) AS n FROM t GROUP BY y) d WHERE d.n > a.x",
    "WITH RECURSIVE r(n) AS (SELECT 1 UNION SELECT b.id FROM r JOIN b ON b.v > r.n) SELECT * FROM r",
    "UPDATE a SET y = b.kind FROM b WHERE b.v > a.x",
    "DELETE FROM a WHERE EXISTS (SELECT 1 FROM t WHERE t.x = a.x AND t.y > a.y)",
    "INSERT INTO t SELECT a.x, b.v FROM a, b",
    "CREATE TEMP TABLE s AS SELECT a.x FROM a JOIN t ON t.x > a.x",
    "SELECT x FROM a UNION ALL SELECT a.x FROM a JOIN t ON t.y > a.y",
)
RIGHT = (
    "SELECT * FROM a",
    "SELECT * FROM a JOIN b ON b.id = a.x",
    "SELECT * FROM b JOIN a ON b.id = a.x LEFT JOIN k ON k.user_id = a.y AND k.n > a.x",
    "SELECT * FROM a WHERE x IN (SELECT v FROM b)",
    "SELECT * FROM a WHERE x NOT IN (SELECT v FROM b) AND x > (SELECT max(v) FROM b)",
    "SELECT * FROM a WHERE EXISTS (SELECT 1 FROM b WHERE b.id = a.x)",
    "SELECT * FROM a WHERE EXISTS (SELECT 1 FROM k WHERE k.user_id = a.y)",
    "SELECT *, row_number() OVER (PARTITION BY y ORDER BY x) FROM a",
    "SELECT * FROM a JOIN (SELECT v, count(*) AS n FROM b GROUP BY v) d ON d.v = a.x",
    "SELECT * FROM a CROSS JOIN json_each(a.y) i",
    "SELECT * FROM a WHERE EXISTS (SELECT 1 FROM (SELECT a.y AS ids) o CROSS JOIN json_each(o.ids) i WHERE i.value = 1)",
    "WITH RECURSIVE r(n) AS (SELECT 1 UNION SELECT b.v FROM r JOIN b ON b.id = r.n) SELECT * FROM r",
    "WITH RECURSIVE r(n) AS (SELECT 1 UNION SELECT s.n + 1 FROM r AS s WHERE s.n < 9) SELECT * FROM r",
    "SELECT * FROM a JOIN b ON b.id = a.x OR b.id = a.x + 1",
    "SELECT y FROM a EXCEPT SELECT kind FROM b",
    "SELECT * FROM b WHERE kind = 'x'",
    "SELECT * FROM b WHERE id NOT IN (SELECT min(d.id) FROM b d GROUP BY d.v)",
    "UPDATE b SET kind = d.y FROM a d WHERE d.x = b.id",
    "DELETE FROM b WHERE id IN (SELECT x FROM t)",
    "INSERT INTO t SELECT x, (SELECT kind FROM b WHERE b.id = a.x) FROM a",
)


@pytest.fixture(scope="module")
def toys() -> Iterator[apsw.Connection]:
    with closing(apsw.Connection("")) as db:
        db.execute(TOYS)
        yield db


@pytest.mark.parametrize("sql", WRONG)
def test_what_is_not_linear_is_found(sql: str, toys: apsw.Connection) -> None:
    assert list(findings(Planned(sql, plan_of(toys, sql)), frozenset({"b.kind"}))), plan_of(toys, sql)


@pytest.mark.parametrize("sql", RIGHT)
def test_what_is_linear_is_let_pass(sql: str, toys: apsw.Connection) -> None:
    plan = plan_of(toys, sql)
    assert plan
    assert not list(findings(Planned(sql, plan), frozenset({"b.kind"})))


def test_a_scan_that_runs_as_often_as_there_are_rows_is_found() -> None:
    with watching() as watch, closing(apsw.Connection("")) as db:
        db.execute(TOYS)
        db.executemany("UPDATE a SET y = NULL WHERE x = ?", [(number,) for number in range(99)])
        db.executemany("UPDATE b SET kind = NULL WHERE id = ?", [(number,) for number in range(99)])
    assert [finding.detail for finding in found(watch)] == ["SCAN a"]


@pytest.mark.parametrize("settings", [SETTINGS, IN_PLACE], ids=["renamed", "in place"])
@pytest.mark.parametrize("more", [GROUP, INDEXES["none"], GROUP + TRIGGER], ids=["index", "no index", "trigger"])
def test_no_index_or_table_but_those_of_the_job_is_left(tmp_path: Path, more: str, settings: Settings) -> None:
    tenant = Tenant.of(tmp_path, "acme")
    make_store(tenant.path, more=more)

    def objects() -> set[tuple[str, ...]]:
        with closing(sqlite3.connect(tenant.path)) as db:
            return set(db.execute("SELECT type, name, tbl_name, sql FROM sqlite_master"))

    before = objects()
    assert night(tenant, settings).outcome is Outcome.SWAPPED
    assert before <= objects()
    assert all(table.startswith("consolidation_") for _, _, table, _ in objects() - before)
