"""The application's statistics (ANALYZE) stay what they are in every file, whatever the job does without them meanwhile."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import apsw
import pytest

from consolidate.config import Settings, StepSettings
from consolidate.model import Outcome, Probe, RunRecord, Swap
from consolidate.operate.rollback import roll_back
from consolidate.operate.rollback_plan import Target
from consolidate.operate.tenants import Tenant
from consolidate.run import in_place, rename
from consolidate.store import connections, statistics
from tests import swap_job
from tests.plan_stories import IN_PLACE, SETTINGS, night
from tests.query_plans import GROUP, TRIGGER, make_store, plan_of
from tests.swap_job import RUN
from tests.writers import JOURNALS, journal_of

both_journals = pytest.mark.parametrize("journal", JOURNALS)
both_ways = pytest.mark.parametrize("settings", [SETTINGS, IN_PLACE], ids=["renamed", "in place"])

# What ANALYZE never writes, but an application may: each kind of value, text that is none, gaps between the rows.
ODD = (
    "DELETE FROM sqlite_stat1 WHERE tbl = 'notes'",
    "INSERT INTO sqlite_stat1(rowid, tbl, idx, stat) VALUES (99, 'facts', NULL, '1'), (77, 'a' || char(0) || 'b', 1, 0.5)",
    "INSERT INTO sqlite_stat1 VALUES (CAST(x'ff61' AS TEXT), x'ff61', NULL), (-1e999, 'facts', '')",
    "INSERT INTO sqlite_stat4(rowid, tbl, idx, sample) VALUES (1000, CAST(x'fe' AS TEXT), 'x', x'0203')",
)
Rows = list[tuple[Any, ...]]


def statistics_of(path: Path) -> dict[str, Rows]:
    """Each table of statistics, byte for byte."""
    with closing(
        apsw.Connection(f"file:{path}?immutable=1", flags=apsw.SQLITE_OPEN_URI | apsw.SQLITE_OPEN_READONLY)
    ) as db:
        tables = db.execute("SELECT name FROM sqlite_master WHERE name LIKE 'sqlite_stat_' ORDER BY name").fetchall()
        found: dict[str, Rows] = {}
        for (table,) in tables:
            columns = [str(name) for (name,) in db.execute("SELECT name FROM pragma_table_info(?)", (table,))]
            exact = ", ".join(f"typeof({name}), hex(CAST({name} AS BLOB))" for name in columns)
            found[str(table)] = db.execute(f"SELECT rowid, {exact} FROM {table} ORDER BY rowid").fetchall()
        return found


def make_tenant(folder: Path, journal: str = "delete", more: str = GROUP, odd: tuple[str, ...] = ODD) -> Tenant:
    """A store that was analysed when it had one fact."""
    tenant = Tenant.of(folder, "acme")
    tenant.path.parent.mkdir(parents=True)
    make_store(tenant.path, more=more, analysed=1, users=6)
    with closing(apsw.Connection(str(tenant.path))) as db:
        db.execute(f"PRAGMA journal_mode={journal}").fetchall()
        db.execute("UPDATE sqlite_stat1 SET stat = '1 1 1'")
        if odd:
            db.execute("ANALYZE episodes")
            db.execute(";".join(odd))
    return tenant


def kept(tenant: Tenant, kind: str) -> Path:
    (path,) = tenant.path.parent.glob(f"memory.db.{kind}-*")
    return path


def stepped(settings: Settings, step: str) -> Settings:
    return replace(settings, steps=StepSettings((f"{__name__}:{step}",)))


STATEMENTS: list[str] = []


def execute(shadow: apsw.Connection, now: float) -> None:
    for statement in STATEMENTS:
        shadow.execute(statement).fetchall()


LATE: list[Callable[[], None]] = []


def write_late(shadow: apsw.Connection, now: float) -> None:
    if LATE:
        LATE.pop()()


def write(path: Path, *statements: str) -> None:
    with closing(apsw.Connection(str(path))) as db, db:
        for statement in statements:
            db.execute(statement)


def stepped_night(tenant: Tenant, settings: Settings, *statements: str) -> RunRecord:
    STATEMENTS[:] = statements
    return night(tenant, stepped(settings, "execute"))


@both_journals
@both_ways
@pytest.mark.parametrize("more", [GROUP, GROUP + TRIGGER], ids=["", "trigger"])
def test_a_night_and_its_rollback_leave_them_in_every_file(
    tmp_path: Path, journal: str, settings: Settings, more: str
) -> None:
    tenant = make_tenant(tmp_path, journal, more)
    before = statistics_of(tenant.path)
    assert set(before) == {"sqlite_stat1", "sqlite_stat4"} and all(len(rows) > 3 for rows in before.values())
    run = night(tenant, settings)
    assert run.swap is (Swap.RENAME if settings is SETTINGS else Swap.IN_PLACE)
    assert statistics_of(tenant.path) == statistics_of(kept(tenant, "pre")) == before
    rolled = roll_back(tenant, settings, Target(), NOW_OF_ROLLBACK).record
    assert (rolled.outcome, rolled.swap) == (Outcome.SWAPPED, run.swap)
    assert statistics_of(tenant.path) == statistics_of(kept(tenant, "undone")) == before
    for path in (tenant.path, kept(tenant, "pre"), kept(tenant, "undone")):
        assert journal_of(path) == journal


NOW_OF_ROLLBACK = 21 * 86_400.0


@both_ways
def test_a_rejected_copy_has_them(tmp_path: Path, settings: Settings) -> None:
    tenant = make_tenant(tmp_path)
    before = statistics_of(tenant.path)
    run = night(tenant, replace(settings, probe=(Probe("u1", "city", count=77),)))
    assert run.outcome is Outcome.REJECTED
    assert statistics_of(tenant.path) == statistics_of(kept(tenant, "rejected")) == before


# Made after a night, it is violated where a fact gets back the status it had before.
SHOWN = (
    "CREATE UNIQUE INDEX by_status ON facts(id, status)",
    "CREATE TABLE shown(id, status, FOREIGN KEY(id, status) REFERENCES facts(id, status))",
    "INSERT INTO shown SELECT id, status FROM facts WHERE status = 'merged'",
)


@both_ways
def test_a_rejected_rollback_has_them(tmp_path: Path, settings: Settings) -> None:
    tenant = make_tenant(tmp_path)
    before = statistics_of(tenant.path)
    assert night(tenant, settings).outcome is Outcome.SWAPPED
    write(tenant.path, *SHOWN)
    assert roll_back(tenant, settings, Target(), NOW_OF_ROLLBACK).record.outcome is Outcome.REJECTED
    assert statistics_of(tenant.path) == statistics_of(kept(tenant, "rejected")) == before


@both_journals
@pytest.mark.parametrize("times", [1, 3])
def test_what_is_analysed_meanwhile_is_what_stays(tmp_path: Path, journal: str, times: int) -> None:
    """One pass more, or the last one under the write lock: what others wrote is in the newest snapshot."""
    tenant = make_tenant(tmp_path, journal)
    analyse = partial(write, tenant.path, "ANALYZE", "UPDATE facts SET value = value || '?' WHERE id = 'u1f9'")
    LATE[:] = [analyse] * times
    run = night(tenant, stepped(IN_PLACE, "write_late"))
    assert (run.swap, run.late_rows) == (Swap.IN_PLACE, times) and not LATE
    after = statistics_of(tenant.path)
    assert after == statistics_of(kept(tenant, "pre"))
    assert any("36" in str(row) for row in after["sqlite_stat1"])


@both_journals
def test_a_refused_rename_ends_in_place_with_them(tmp_path: Path, journal: str) -> None:
    tenant = make_tenant(tmp_path, journal)
    write(tenant.path, *(f"UPDATE facts SET id = 'f{n}' WHERE id = 'u1f{n}'" for n in (1, 2, 3)))
    before = statistics_of(tenant.path)
    with swap_job.opened(tenant.path) as (live, _):
        prepared = swap_job.make_pass(live)
        rename.finish(prepared, live)
        rename.finish(prepared, live)
        assert statistics_of(prepared.candidate) == before
        in_place.swap(live, prepared, live.paths.pre(RUN))
        assert not any(statistics_of(prepared.shadow).values())
    assert statistics_of(tenant.path) == statistics_of(kept(tenant, "pre")) == before


@both_ways
@pytest.mark.parametrize("odd", [ODD, ()], ids=["analysed", "hardly"])
def test_a_step_that_analyses_is_rejected_and_shows_what_it_did(
    tmp_path: Path, settings: Settings, odd: tuple[str, ...]
) -> None:
    tenant = make_tenant(tmp_path, odd=odd)
    before = statistics_of(tenant.path)
    run = stepped_night(tenant, settings, "ANALYZE")
    assert run.outcome is Outcome.REJECTED
    assert {problem.check for problem in run.problems} == {"table_changed"}
    assert statistics_of(tenant.path) == before
    assert statistics_of(kept(tenant, "rejected")) != before


@both_ways
def test_a_step_that_analyses_a_store_without_statistics_is_rejected(tmp_path: Path, settings: Settings) -> None:
    tenant = Tenant.of(tmp_path, "acme")
    make_store(tenant.path, users=3)
    run = stepped_night(tenant, settings, "ANALYZE")
    assert run.outcome is Outcome.REJECTED
    assert any("sqlite_stat1" in problem.message for problem in run.problems)
    assert statistics_of(tenant.path) == {}


@both_ways
def test_a_step_that_deletes_them_changes_nothing(tmp_path: Path, settings: Settings) -> None:
    tenant = make_tenant(tmp_path)
    before = statistics_of(tenant.path)
    run = stepped_night(tenant, settings, "DELETE FROM sqlite_stat1", "UPDATE sqlite_stat4 SET tbl = 'x'")
    assert run.outcome is Outcome.SWAPPED
    assert statistics_of(tenant.path) == statistics_of(kept(tenant, "pre")) == before


@both_ways
def test_a_dry_run_and_a_night_without_work_leave_them(tmp_path: Path, settings: Settings) -> None:
    tenant = make_tenant(tmp_path)
    before = statistics_of(tenant.path)
    content = tenant.path.read_bytes()
    assert night(tenant, settings, dry_run=True).outcome is Outcome.PLANNED
    assert tenant.path.read_bytes() == content
    # What a cap holds back one night is for the next.
    assert [night(tenant, settings).outcome for _ in range(4)][-1] is Outcome.UNCHANGED
    assert statistics_of(tenant.path) == before


@both_journals
def test_a_job_that_dies_leaves_them(tmp_path: Path, journal: str) -> None:
    """What a kill leaves beside the store at any step before the swap is a copy without them, which is removed."""
    tenant = make_tenant(tmp_path / "living", journal)
    write(tenant.path, *(f"UPDATE facts SET id = 'f{n}' WHERE id = 'u1f{n}'" for n in (1, 2, 3)))
    before = statistics_of(tenant.path)
    dead: list[Tenant] = []

    def die() -> None:
        folder = tmp_path / f"dead{len(dead)}"
        shutil.copytree(tenant.path.parent, folder / "acme")
        dead.append(Tenant.of(folder, "acme"))

    with swap_job.opened(tenant.path) as (live, _):
        live.snapshot(live.paths.shadow)
        die()
        prepared = swap_job.make_pass(live)
        die()
        rename.finish(prepared, live)
        die()
        live.begin()
        statistics.ignore(live.db)
        die()
        live.rollback()
        die()
    for corpse in dead:
        assert any(path.name.startswith("memory.db.shadow") for path in corpse.path.parent.iterdir())
        run = night(corpse, SETTINGS)
        assert run.outcome is Outcome.SWAPPED and [n for n in run.notices if n.kind == "recovered"]
        assert statistics_of(corpse.path) == statistics_of(kept(corpse, "pre")) == before
        assert not [path for path in corpse.path.parent.iterdir() if "shadow" in path.name]


# A join for whose second table there is an index, and one for whose second table there is only the rowid.
JOINS = (
    "SELECT * FROM temp.asked a LEFT JOIN main.facts f ON f.id = a.id",
    "SELECT * FROM temp.asked a JOIN main.tombstones t ON t.rowid = a.id",
)


def scanned(db: apsw.Connection) -> list[bool]:
    """Whether each of the joins scans its second table for each row of the first."""
    db.execute("CREATE TEMP TABLE IF NOT EXISTS asked(id)")
    return ["SEARCH" not in str(plan_of(db, join)) for join in JOINS]


@both_journals
def test_statements_on_live_are_planned_without_them(tmp_path: Path, journal: str) -> None:
    tenant = make_tenant(tmp_path, journal, odd=())
    write(tenant.path, "INSERT INTO sqlite_stat1 VALUES ('tombstones', NULL, '1')")
    before = statistics_of(tenant.path)
    with closing(connections.open_live(tenant.path, lock_timeout=0)) as db:
        assert scanned(db) == [True, True]
        db.execute("BEGIN IMMEDIATE")
        statistics.ignore(db)
        assert scanned(db) == [False, False]
        db.execute("CREATE TABLE consolidation_more(x PRIMARY KEY)")
        db.execute("CREATE INDEX consolidation_even_more ON consolidation_more(x)")
        db.execute("UPDATE facts SET confirmations = 5")
        assert scanned(db) == [False, False]
        db.execute("COMMIT")
        assert scanned(db) == [False, False]
    assert statistics_of(tenant.path) == before


def test_private_copies_have_none(tmp_path: Path) -> None:
    tenant = make_tenant(tmp_path, odd=())
    write(tenant.path, "INSERT INTO sqlite_stat1 VALUES ('tombstones', NULL, '1')")
    settled = tenant.path.with_name("memory.db.pre-20260301T030000Z-abc123")
    shutil.copy(tenant.path, settled)
    for path in (tenant.path, settled):
        before = statistics_of(path)
        with closing(connections.open_snapshot(path)) as db:
            assert scanned(db) == [False, False]
        assert statistics_of(path) == before


@pytest.mark.parametrize("encoding", ["UTF-8", "UTF-16le", "UTF-16be"])
def test_they_are_the_same_in_any_encoding(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "memory.db"
    with closing(apsw.Connection(str(path))) as db:
        db.execute(f"PRAGMA encoding='{encoding}'; CREATE TABLE a(x UNIQUE, y UNIQUE); INSERT INTO a VALUES ('é', 'b')")
        db.execute("ANALYZE; INSERT INTO sqlite_stat1 VALUES (CAST(x'00d8' AS TEXT), '𝄞', x'00'), (1, 2.5, NULL)")
    before = statistics_of(path)
    with closing(apsw.Connection(str(path))) as db:
        taken = statistics.take_out(db)
        assert taken and not statistics.present(db) and not statistics.take_out(db)
        assert statistics_of(path) == {table: [] for table in before}
        taken.put_back(db)
        taken.put_back(db)
        assert statistics.present(db)
    assert statistics_of(path) == before


def test_tables_that_analyze_did_not_make_stay_alone(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with closing(apsw.Connection(str(path))) as db:
        db.execute("CREATE TABLE a(x UNIQUE); CREATE TABLE b(tbl, idx, stat, mine)")
        db.execute("PRAGMA writable_schema=ON; UPDATE sqlite_master SET name = 'sqlite_stat1', tbl_name = 'sqlite_stat1', "
                   "sql = 'CREATE TABLE sqlite_stat1(tbl, idx, stat, mine)' WHERE name = 'b'")  # fmt: skip
    with closing(apsw.Connection(str(path))) as db:
        db.execute("INSERT INTO sqlite_stat1 VALUES ('a', 'sqlite_autoindex_a_1', '1 1', 'mine')")
    before = statistics_of(path)
    with closing(apsw.Connection(str(path))) as db:
        assert not statistics.take_out(db) and not statistics.present(db)
    assert statistics_of(path) == before
