"""A pin holds a fact against every rule until it is taken off."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.night import NOW, Finished, Store, command


@pytest.fixture
def store(tmp_path: Path) -> Store:
    store = Store(tmp_path / "tenants")
    store.fact("boston", "Boston", day=1)
    store.fact("tea", "tea", day=1, attribute="drink", multi=1, expires_at=NOW - 5)
    return store


def decide(store: Store, verb: str, fact: str, *more: str) -> Finished:
    return command(verb, fact, "--root", str(store.root), "--tenant", store.tenant, "--now", str(NOW), *more)


def good(store: Store, verb: str, fact: str) -> Any:
    finished = decide(store, verb, fact, "--json")
    assert finished.status == 0, finished.err
    return json.loads(finished.out)


def pins(store: Store) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in store.sql("SELECT * FROM consolidation_pins ORDER BY fact_id")]


def test_pinned_before_the_first_night_and_held_against_every_rule(store: Store) -> None:
    answer = good(store, "pin", "boston")
    assert answer == {"tenant": "acme", "fact": "boston", "user_id": "maya", "attribute": "home_city", "changed": True}
    good(store, "pin", "tea")
    assert pins(store) == [("boston", "maya", NOW), ("tea", "maya", NOW)]
    store.fact("austin", "Austin", day=5)
    store.fact("copy", " BOSTON ", day=0, source="user")
    run = store.good_night()
    assert store.status("boston", "tea", "copy", "austin") == ["active", "active", "merged", "review"]
    assert run["skipped"]["pinned"] == 1
    assert store.good_night()["outcome"] == "unchanged"


def test_unpinned_fact_is_judged_by_the_rules_again(store: Store) -> None:
    good(store, "pin", "boston")
    store.fact("austin", "Austin", day=5)
    store.good_night()
    assert good(store, "unpin", "boston")["changed"] is True
    assert pins(store) == []
    store.good_night()
    assert store.status("boston", "tea") == ["active", "expired"]
    store.fact("paris", "Paris", day=6)
    store.good_night()
    assert store.in_force() == ["Paris"]


def test_history_says_who_held_it(store: Store) -> None:
    good(store, "pin", "boston")
    good(store, "unpin", "boston")
    place = ("--root", str(store.root), "--tenant", "acme", "--user", "maya", "--attribute", "home_city")
    told = command("history", *place).out
    assert "pin: pinned by a person" in told and "unpin: unpinned by a person" in told


def test_doing_it_again_changes_nothing(store: Store) -> None:
    good(store, "pin", "boston")
    before = store.path.read_bytes()
    assert good(store, "pin", "boston")["changed"] is False
    assert good(store, "unpin", "tea")["changed"] is False
    assert "boston was pinned already" in decide(store, "pin", "boston").out
    assert "tea was not pinned" in decide(store, "unpin", "tea").out
    assert store.path.read_bytes() == before


def test_what_cannot_be_pinned_is_an_error_that_leaves_the_store_as_it_is(store: Store) -> None:
    store.fact("old", "Oslo", day=0, status="superseded")
    store.fact("closed", "Rome", day=0, valid_to=NOW)
    before = store.path.read_bytes()
    for verb, fact, sentence in (
        ("pin", "nobody", "There is no fact 'nobody'"),
        ("unpin", "nobody", "There is no fact 'nobody'"),
        ("pin", "BOSTON", "There is no fact 'BOSTON'"),
        ("pin", "old", "its status is 'superseded', not 'active'"),
        ("pin", "closed", "the application closed it"),
        ("pin", "", "There is no fact ''"),
    ):
        finished = decide(store, verb, fact)
        assert (finished.status, finished.out) == (2, ""), finished
        assert sentence in finished.err and finished.err.count("\n") == 1
    assert store.path.read_bytes() == before


def test_pin_of_a_fact_that_was_deleted_can_be_taken_off(store: Store) -> None:
    good(store, "pin", "boston")
    store.sql("DELETE FROM facts WHERE id = 'boston'")
    assert good(store, "unpin", "boston") == {
        "tenant": "acme", "fact": "boston", "user_id": None, "attribute": None, "changed": True,
    }  # fmt: skip
    assert pins(store) == []
