"""Whatever an application left in its store, the built-in steps pass their own checks (DESIGN section 5).

The gate judges the run, not the past: on arbitrary stores no night is rejected, nothing is lost, and the next night finds
nothing left to do.
"""

from __future__ import annotations

import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

import structlog
import structlog.testing
from hypothesis import given
from hypothesis import strategies as st

from consolidate.config import PromoteRule, PromoteSettings, Settings, SourceSettings
from consolidate.model import RunRecord
from consolidate.operate.tenants import Tenant
from consolidate.run.nightly import RunOptions, run_tenant
from tests import night
from tests.stores import DAY, NOW, PROFILE, create, fill, stores
from tests.stores import Store as ArbitraryStore

RULES = (
    PromoteRule("city", "Boston", "said", min_support=1),
    PromoteRule("diet", "vegan", "said", multi=True),
    PromoteRule("mood", None, "(?P<value>so)"),
)


def one_night(path: Path, store: ArbitraryStore, now: float, light: bool = False) -> RunRecord:
    settings = Settings(
        attributes=store.attributes,
        sources=SourceSettings(tuple(store.rank)),
        promote=PromoteSettings(max_per_user=store.max_per_user, max_per_run=store.max_per_run, rules=RULES),
    )
    tenant = Tenant(path.parent.name, path.parent.parent, path)
    with structlog.testing.capture_logs():
        return run_tenant(tenant, settings, RunOptions(now=now, light=light)).record


def everything(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Return what no run may change: all columns but the five it owns, and every other table."""
    with closing(sqlite3.connect(path)) as db:
        db.text_factory = bytes
        return {
            table: sorted(db.execute(f"SELECT {columns} FROM {table}").fetchall(), key=repr)
            for table, columns in (
                ("facts", "id, user_id, attribute, value, multi, source, valid_from, expires_at"),
                ("episodes", "*"),
                ("tombstones", "*"),
            )
        }


@PROFILE
@given(store=stores(), nights=st.lists(st.tuples(st.integers(0, 3), st.booleans()), min_size=1, max_size=3))
def test_no_dirt_makes_the_built_in_steps_reject_themselves(
    store: ArbitraryStore, nights: list[tuple[int, bool]]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "acme" / "memory.db"
        path.parent.mkdir()
        create(path, store.schema, store.encoding)
        fill(path, store)
        now = NOW
        for days, light in nights:
            now += days * DAY
            before = everything(path)
            record = one_night(path, store, now, light)
            assert record.outcome in ("swapped", "unchanged"), (record.error, record.problems)
            after = everything(path)
            assert set(map(repr, before["facts"])) <= set(map(repr, after["facts"]))
            assert (before["episodes"], before["tombstones"]) == (after["episodes"], after["tombstones"])
            again = one_night(path, store, now, light)
            if not {"max_per_user", "max_per_run"} & set(record.skipped):  # what a cap held back is tried again
                assert again.outcome == "unchanged", (again.error, again.actions)


def test_first_night_on_many_statements_about_few_attributes(tmp_path: Path) -> None:
    store = night.Store(tmp_path / "tenants")
    for number in range(150):
        store.fact(f"f{number:03}", f"value {number % 7}", day=number / 10, attribute=f"a{number % 10}")
    run = store.good_night()
    assert run["outcome"] == "swapped" and run["problems"] == []
    assert sum(len(store.in_force(attribute=f"a{number}")) for number in range(10)) == 10


def test_dirt_is_reported_where_it_matters(tmp_path: Path) -> None:
    store = night.Store(tmp_path / "tenants")
    store.fact("dangling", "a", day=1, attribute="x", status="merged", superseded_by="gone", valid_to=night.at(1))
    store.fact("c1", "a", day=1, attribute="y", status="superseded", superseded_by="c2", valid_to=night.at(2))
    store.fact("c2", "b", day=1, attribute="y", status="superseded", superseded_by="c1", valid_to=night.at(2))
    store.fact("foreign", "a", day=1, attribute="x", status="merged", superseded_by="tom", valid_to=night.at(1))
    store.fact("tom", "a", day=1, attribute="x", user="tom")
    store.fact("odd", "a", day=1, attribute="z", status="retired", source="rumour", confirmations=0)
    store.fact("backwards", "a", day=9, attribute="w", valid_to=night.at(2))
    store.sql("INSERT INTO facts(id, user_id, attribute, value, status) VALUES ('nobody', NULL, 'x', 'v', 'active')")
    store.fact("old", "Boston", day=1)
    store.fact("new", "Austin", day=2)
    run = store.good_night()
    assert run["outcome"] == "swapped"
    named = {fact for notice in run["notices"] for fact in notice["facts"]}
    assert {"dangling", "c1", "c2", "foreign", "nobody"} <= named, run["notices"]
