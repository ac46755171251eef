"""Groups without a past are settled in one sweep, and come to what the general rules come to (DESIGN section 3)."""

from __future__ import annotations

import os
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from consolidate.model import new_run_id
from consolidate.steps import evidence, plain, workspace
from consolidate.steps.context import StepContext
from consolidate.store import connections, contract, job_tables
from tests.crowds import PLAIN, Crowd, crowd
from tests.oracle_group import Row
from tests.stores import DAY, NOW, Store, create, fill, insert, night_of_steps, read_facts, settings_of

SEEDS = range(int(os.environ.get("CONSOLIDATE_EXAMPLES", "40")) // 2)

Told = tuple[list[Row], Counter[Any], dict[str, int]]
Said = tuple[str | bytes, int, dict[str, Any]]


def played(path: Path, story: Crowd, schema: str) -> Told:
    """The facts after all nights, what was recorded in whatever order, and what was skipped."""
    create(path, schema)
    fill(path, story.store)
    skipped: Counter[str] = Counter()
    for batch, now in zip(story.arrivals, story.nights, strict=True):
        with closing(sqlite3.connect(path)) as db, db:
            for row in batch:
                insert(db, "facts", row)
        skipped.update(night_of_steps(path, story.store, now, candidates=story.offers).skipped)
    return read_facts(path), actions(path), dict(skipped)


def actions(path: Path) -> Counter[Any]:
    with closing(sqlite3.connect(path)) as db:
        db.text_factory = bytes
        names = [name for _, name, *_ in db.execute("PRAGMA table_info(consolidation_actions)")]
        told = ", ".join(name.decode() for name in names if name not in (b"run_id", b"seq"))
        return Counter(db.execute(f"SELECT {told} FROM consolidation_actions"))


@pytest.mark.parametrize("seed", SEEDS)
def test_an_index_of_users_and_attributes_changes_nothing_but_the_time_it_takes(tmp_path: Path, seed: int) -> None:
    story = crowd(3000 + seed, users=100)
    assert played(tmp_path / "indexed.db", story, "plain") == played(tmp_path / "bare.db", story, "bare")


def facts(*told: Said, attribute: str = "city") -> list[dict[str, Any]]:
    """Facts of one user, each as (value, day, other columns)."""
    return [
        PLAIN | {"id": f"{attribute}-{number}", "user_id": "maya", "attribute": attribute, "value": value} | others
        | {"valid_from": day * DAY}
        for number, (value, day, others) in enumerate(told)
    ]  # fmt: skip


SEVERAL = {"multi": 1}
GUESS = {"source": "inferred"}
GROUPS = {
    "contradiction": facts(("Boston", 1, {}), ("Austin", 3, {}), ("Chicago", 2, {})),
    "repetition": facts(("Boston", 1, {}), (" boston.", 2, {}), ("Austin", 3, {}), ("AUSTIN", 4, {"confirmations": 2})),
    "return": facts(("Boston", 1, {}), ("Austin", 2, {}), ("Boston", 3, {}), ("boston", 4, {"evidence": "e1 e2"})),
    "the same moment": facts(("Boston", 1, {}), ("Austin", 1, {}), ("Boston", 1, {})),
    "several values": facts(("tea", 2, SEVERAL), ("Tea", 1, SEVERAL | {"evidence": "e1"}), ("coffee", 1, SEVERAL)),
    "several sources": facts(("tea", 2, SEVERAL), ("Tea", 1, SEVERAL | {"source": "inferred", "confirmations": 1})),
    "evidence": facts(
        ("x", 1, {"evidence": "e2  e1"}), ("X", 2, {"evidence": "e3 e1 "}), ("x.", 3, {"evidence": "e3 e4"})
    ),
    "own evidence": facts(("x", 1, {"evidence": ""}), ("X", 2, {"evidence": None, "confirmations": -2})),
    "a guess that is newer": facts(("Boston", 1, {}), ("Austin", 2, GUESS)),
    "a guess that is older": facts(("Boston", 1, GUESS), ("Austin", 2, {})),
    "a guess at the same moment": facts(("Boston", 1, GUESS), ("Austin", 1, {}), ("Chicago", 1, GUESS)),
    "a repeated holder": facts(
        ("Boston", 1, {}), ("a", 2, GUESS), ("Austin", 3, {}), ("boston", 4, GUESS), ("boston", 5, {})
    ),
    "a guess in between": facts(("Boston", 1, {}), ("Austin", 2, GUESS | {"evidence": "e1"}), ("boston", 3, {})),
    "guesses that repeat": facts(("x", 1, GUESS), ("X", 2, {}), ("x.", 3, GUESS), ("y", 4, GUESS), ("Y", 5, GUESS)),
    "three sources": facts(
        ("x", 1, {"source": "import"}), ("y", 2, GUESS), ("x", 3, {"source": "import"}), ("z", 4, {})
    ),
    "three sources at once": facts(("x", 1, {"source": "import"}), ("y", 2, GUESS), ("z", 2, {}), ("w", 3, {})),
    "waiting for a person": facts(("Boston", 1, {}), ("Austin", 2, GUESS | {"status": "review"})),
    "waiting of a higher source": facts(("Boston", 3, GUESS), ("Austin", 2, {"status": "review"})),
    "full width": facts(("Ａ1", 1, {}), ("a1", 2, {}), ("b", 3, {})),
    "not text that can be decoded": facts(("a\udcff", 1, {}), ("A\udcff", 2, {}), ("a\udcff", 3, {})),
}
RETURNS = {
    "return": 1,
    "the same moment": 1,
    "three sources": 1,
    "a repeated holder": 1,
    "not text that can be decoded": 1,
}
# What the sweep must leave alone, since something got in the way before or will.
KNOTTY = {
    "a date": facts(("Boston", 1, {}), ("Austin", 2, {"expires_at": NOW + DAY})),
    "a later beginning": facts(("Boston", 1, {}), ("Austin", 2, {}), ("Chicago", 10**6, {})),
    "a past": facts(("Boston", 1, {}), ("Austin", 2, {}), ("Chicago", 0, {"status": "superseded", "valid_to": DAY})),
    "parked and older": facts(("Boston", 3, {}), ("Austin", 2, GUESS | {"status": "review"})),
    "parked and the same": facts(("Boston", 1, {}), ("boston", 2, GUESS | {"status": "review"})),
    "parked beside several": facts(("Boston", 1, {}), ("Austin", 2, {}), ("Chicago", 3, GUESS | {"status": "review"})),
    "parked after a past": facts(
        ("Boston", 1, {}),
        ("Chicago", 2, GUESS | {"status": "review"}),
        ("x", 0, {"status": "superseded", "valid_to": DAY}),
    ),
    "a guess that came true": facts(("Chicago", 1, {}), ("boston", 2, GUESS), ("Austin", 3, {}), ("Boston", 4, {})),
    "a pin": facts(("Boston", 1, {}), ("Austin", 2, {})),
    "foreign evidence": facts(("x", 1, {}), ("X", 2, {"evidence": "e1 theirs"})),
    "no number": facts(("x", 1, {}), ("X", 2, {"confirmations": "many"})),
    "an amount that is dirt": facts(("x", 1, {}), ("X", 2, {"confirmations": 10**14})),
    "a pointer": facts(("x", 1, {}), ("y", 2, {"superseded_by": "gone"})),
    "a long value": facts(("x" * 2000, 1, {}), ("X" * 2000, 2, {})),
    "long evidence": facts(("x", 1, {}), ("X", 2, {"evidence": "e1 " * 500})),
    "no text": facts(("x", 1, {}), (b"x", 2, {})),
    "no id": facts(("x", 1, {}), ("y", 2, {}), ("z", 3, {"id": None})),
}
EPISODES = {"e1": ("maya", DAY), "theirs": ("noah", DAY)}


def store_of(rows: list[dict[str, Any]], name: str) -> Store:
    return Store(rows, episodes=EPISODES, pins=["city-0"] if name == "a pin" else [])


def left_over(path: Path, store: Store) -> tuple[int, int | None]:
    """How many groups the sweep leaves to the general rules, and how many returns it found."""
    with closing(connections.open_scratch(path)) as db:
        job_tables.migrate(db)
        db.executemany("INSERT INTO consolidation_pins(fact_id) VALUES (?)", [(pin,) for pin in store.pins])
        context = StepContext(new_run_id(NOW), NOW, settings_of(store), contract.validate(db, path))
        evidence.register(db)
        workspace.prepare(db, context)
        returned = plain.settle(db, context)
        return int(db.execute("SELECT count(*) FROM temp.scope").get), returned


@pytest.mark.parametrize("name", [*GROUPS, *KNOTTY])
def test_a_group_comes_to_the_same_either_way(tmp_path: Path, name: str) -> None:
    store = store_of((GROUPS | KNOTTY)[name], name)
    story = Crowd(store, [[], []], [NOW, NOW + DAY], [])
    indexed, bare = tmp_path / "indexed.db", tmp_path / "bare.db"
    assert played(indexed, story, "plain") == played(bare, story, "bare")


@pytest.mark.parametrize("name", GROUPS)
def test_what_has_no_past_is_settled_in_one_sweep(tmp_path: Path, name: str) -> None:
    store = store_of(GROUPS[name], name)
    create(tmp_path / "memory.db")
    fill(tmp_path / "memory.db", store)
    assert left_over(tmp_path / "memory.db", store) == (0, RETURNS.get(name, 0))


@pytest.mark.parametrize("name", KNOTTY)
def test_what_has_one_is_left_to_the_general_rules(tmp_path: Path, name: str) -> None:
    store = store_of(KNOTTY[name], name)
    create(tmp_path / "memory.db")
    fill(tmp_path / "memory.db", store)
    assert left_over(tmp_path / "memory.db", store) == (1, 0)


def test_a_huge_group_is_left_to_the_general_rules(tmp_path: Path) -> None:
    rows = facts(*((f"v{number}", 1, SEVERAL) for number in range(plain.LARGEST + 1)), attribute="note")
    store = store_of(rows + GROUPS["contradiction"], "")
    create(tmp_path / "memory.db")
    fill(tmp_path / "memory.db", store)
    assert left_over(tmp_path / "memory.db", store) == (1, 0)


@pytest.mark.parametrize("schema", ["bare", "nocase", "keyed"])
def test_stores_in_which_such_groups_cannot_be_told_cheaply_are_left_alone(tmp_path: Path, schema: str) -> None:
    create(tmp_path / "memory.db", schema)
    store = store_of(GROUPS["contradiction"], "")
    fill(tmp_path / "memory.db", store)
    assert left_over(tmp_path / "memory.db", store)[1] == (0 if schema == "nocase" else None)
