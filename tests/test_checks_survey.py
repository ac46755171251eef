"""A large store is surveyed while the steps work, and judged exactly as a small one is (DESIGN section 5)."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from consolidate.checks.integrity import LARGE
from tests.night import Store

PLUGINS = {"PYTHONPATH": str(Path(__file__).parent / "plugins")}


def store_of(folder: Path, *, large: bool) -> Store:
    """A store with something of everything a survey looks for; a large one also has long episodes of somebody else."""
    store = Store(folder)
    for number, (name, city) in enumerate((("old", "Boston"), ("newer", "Austin"), ("new", "Chicago"))):
        store.fact(name, city, day=number + 1)
    for name in ("single", "other"):
        store.fact(name, name, day=1, attribute="drink" if name == "single" else "meal")
    for number, value in enumerate(("cat", "dog", "owl")):
        store.fact(f"pair{number}", value, day=1, attribute="pet", multi=1)
    store.fact("one", "a", day=1, attribute="mixed")
    store.fact("many", "b", day=2, attribute="mixed", multi=1)
    store.fact("tom1", "tea", day=1, user="tom", attribute="drink")
    with closing(sqlite3.connect(store.path)) as db, db:
        db.execute(
            "INSERT INTO facts(id, user_id, attribute, value, status) VALUES ('odd', 'maya', 'x', 'y', 'archived')"
        )
        db.execute("INSERT INTO facts(id, attribute, value, status) VALUES ('nobody', 'x', 'y', 'active')")
        closed = "INSERT INTO facts VALUES (?, 'maya', ?, 'v', 0, 'user', 1.0, 2.0, NULL, 'superseded', ?, NULL, 1)"
        pointers = (
            ("gone", "x1", "nowhere"),
            ("astray", "x2", "tom1"),
            ("round", "x3", "about"),
            ("about", "x3", "round"),
        )
        db.executemany(closed, pointers)
        rows = [(f"long{number}", "else", 1.0, "x" * (1 << 20)) for number in range(LARGE // (1 << 20) + 1)]
        db.executemany("INSERT INTO episodes VALUES (?, ?, ?, ?)", rows * large)
    return store


def told(store: Store, step: str) -> tuple[Any, ...]:
    """What a night says of a store, but for its ids and times; with an extra step if it is named."""
    store.config = f'[steps]\nextra = ["bad_steps:{step}"]\n' if step else ""
    run = store.night(env=PLUGINS).run
    problems = [(item["check"], item["user_id"], item["facts"]) for item in run["problems"]]
    return run["outcome"], run["actions"], run["skipped"], run["notices"], problems


@pytest.mark.parametrize("step", ["", "cross_user_merge", "edited_value", "dangling_pointer", "two_in_force"])
def test_a_large_store_is_judged_as_a_small_one(tmp_path: Path, step: str) -> None:
    small, large = store_of(tmp_path / "small", large=False), store_of(tmp_path / "large", large=True)
    assert large.path.stat().st_size > LARGE > small.path.stat().st_size
    assert told(large, "") == told(small, "")
    for store in (large, small):
        for name in ("aisle", "window"):
            store.fact(name, name, day=1, attribute="seat")
            store.sql("INSERT INTO consolidation_pins VALUES (?, 'maya', 0)", (name,))
    found = told(large, step)
    assert found == told(small, step)
    assert "several_pinned" in [notice["kind"] for notice in found[3]]
    assert not list(large.path.parent.glob("*.shadow*"))


def test_what_the_survey_tells_is_in_the_notices(tmp_path: Path) -> None:
    notices = {item["kind"]: item["facts"] for item in told(store_of(tmp_path, large=True), "")[3]}
    assert notices == {
        "no_identity": ["nobody"],
        "unknown_status": ["odd"],
        "mixed_flags": ["many"],
        "dangling_pointers": ["gone"],
        "astray_pointers": ["astray"],
        "cyclic_pointers": ["about", "round"],
    }
