"""Undo takes back what one run did, refuses where something later stands on it, and is not undone by the next night."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from tests.night import DAY, NOW, Store, ask, at, images, quiet_nights

AISLE = """
[[promote.rules]]
attribute = "seat"
value = "aisle"
pattern = "aisle seat"
"""


@pytest.fixture(params=["DELETE", "WAL"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    return Store(tmp_path / "tenants", journal_mode=request.param)


def undo(store: Store, *arguments: str, status: int = 0) -> Any:
    finished = ask(store, "undo", *arguments, "--json")
    assert finished.status == status, finished.out + finished.err
    return json.loads(finished.out)


def good(store: Store, *arguments: str) -> Any:
    finished = ask(store, *arguments, "--json")
    assert finished.status == 0, finished.err
    return json.loads(finished.out)


def test_a_whole_night_is_taken_back_and_not_taken_again(store: Store) -> None:
    store.fact("boston", "Boston", day=1, confirmations=2, evidence="e1")
    store.fact("again", " boston", day=2, confirmations=3, evidence="e2")
    store.fact("austin", "Austin", day=3)
    store.fact("guess", "Rome", day=4, source="inferred")
    store.fact("lapsed", "vegan", day=1, attribute="diet", expires_at=at(5))
    store.fact("tea", "tea", day=1, attribute="drink", multi=1)
    store.fact("teas", "Tea", day=2, attribute="drink", multi=1)
    before = images(store)
    run = store.good_night()
    changed = {id for id, image in images(store).items() if image != before[id]}
    assert changed == {"boston", "again", "guess", "lapsed", "tea", "teas"}
    result = undo(store, run["run_id"])
    assert set(result["restored"]) == changed and result["deleted"] == []
    assert images(store) == before
    assert store.night(now=NOW).run["outcome"] == "unchanged"
    quiet_nights(store)
    history = ask(store, "history", "--user", "maya", "--attribute", "home_city").out
    assert f"undo: undone by a person: supersede of run {run['run_id']} (review → active)" in history
    assert "undone by a person: merge and supersede" in history


def test_what_is_said_later_closes_what_came_back(store: Store) -> None:
    store.fact("boston", "Boston", day=1)
    store.fact("austin", "Austin", day=3)
    undo(store, store.good_night()["run_id"])
    quiet_nights(store)
    store.fact("paris", "Paris", day=9)
    store.good_night()
    assert store.in_force() == ["Paris"]
    facts = store.facts()
    assert [facts[id]["superseded_by"] for id in ("boston", "austin")] == ["paris", "paris"]
    assert ask(store, "check").status == 0


def test_one_fact_of_a_night(store: Store) -> None:
    store.fact("oslo", "Oslo", day=1)
    store.fact("bern", "Bern", day=2)
    store.fact("kyiv", "Kyiv", day=3)
    run = store.good_night()
    assert undo(store, run["run_id"], "--fact", "oslo")["restored"] == ["oslo"]
    assert store.status("oslo", "bern", "kyiv") == ["active", "superseded", "active"]
    quiet_nights(store)


def test_one_of_several_losers_takes_its_share_of_the_gain_back(store: Store) -> None:
    for number, (confirmations, evidence) in enumerate(((1, "e1"), (2, "e2 e3"), (4, "e3 e4"))):
        store.fact(
            f"tea{number}", "tea" + "." * number, day=number, attribute="drink", multi=1,
            confirmations=confirmations, evidence=evidence,
        )  # fmt: skip
    run = store.good_night()
    assert images(store)["tea0"][3:] == ("e1 e2 e3 e4", 7)
    assert undo(store, run["run_id"], "--fact", "tea1")["restored"] == ["tea0", "tea1"]
    assert store.status("tea0", "tea1", "tea2") == ["active", "active", "merged"]
    assert images(store)["tea0"][3:] == ("e1 e3 e4", 5)
    quiet_nights(store)
    again = undo(store, run["run_id"], "--fact", "tea2", status=65)
    assert [item["fact"] for item in again["obstacles"]] == ["tea0"]


def test_the_survivor_comes_back_with_all_its_losers(store: Store) -> None:
    for number in range(3):
        store.fact(f"tea{number}", "tea" + "." * number, day=number, attribute="drink", multi=1)
    before = images(store)
    run = store.good_night()
    assert len(undo(store, run["run_id"], "--fact", "tea0")["restored"]) == 3
    assert images(store) == before
    quiet_nights(store)


def test_a_promotion_is_removed_and_needs_new_evidence_to_come_back(store: Store) -> None:
    store.config = AISLE
    store.fact("window", "window", day=0, attribute="seat", source="inferred")
    for day in (1, 2):
        store.episode(f"e{day}", "took an aisle seat", day=day)
    run = store.good_night()
    (promoted,) = [id for id in store.facts() if id.startswith("promoted-")]
    assert store.status("window", promoted) == ["superseded", "active"]
    result = undo(store, run["run_id"], "--fact", promoted)
    assert (result["restored"], result["deleted"]) == (["window"], [promoted])
    assert set(store.facts()) == {"window"} and store.status("window") == ["active"]
    store.episode("e3", "took an aisle seat", day=3)
    run = store.good_night()
    assert run["skipped"]["already_decided"] == 1 and set(store.facts()) == {"window"}
    store.episode("e4", "took an aisle seat", day=4)
    store.good_night()
    assert len(store.facts()) == 2 and store.in_force(attribute="seat") == ["aisle"]


def test_what_stands_on_it_is_named_and_nothing_is_changed(store: Store) -> None:
    store.fact("tea0", "tea", day=0, attribute="drink", multi=1)
    store.fact("tea1", "Tea", day=1, attribute="drink", multi=1)
    store.fact("boston", "Boston", day=1)
    store.fact("austin", "Austin", day=3)
    first = store.good_night()["run_id"]
    store.fact("tea2", "TEA", day=2, attribute="drink", multi=1)
    second = store.good_night(now=NOW + DAY)["run_id"]
    store.sql("UPDATE facts SET valid_to = ? WHERE id = 'boston'", (at(2),))
    before = images(store)
    obstacles = {item["fact"]: item for item in undo(store, first, status=65)["obstacles"]}
    assert obstacles["tea0"]["by_run"] == second and f"by run {second} (merge)" in obstacles["tea0"]["why"]
    assert obstacles["boston"]["why"] == "it was changed since, by the application"
    assert "was not undone, and nothing was changed" in ask(store, "undo", first).out
    assert images(store) == before
    undo(store, second)
    store.sql("UPDATE facts SET valid_to = ? WHERE id = 'boston'", (at(3),))
    undo(store, first)
    assert set(store.status("tea0", "tea1", "tea2", "boston", "austin")) == {"active"}
    quiet_nights(store)
    store.sql("DELETE FROM facts WHERE id = 'tea1'")
    assert {item["why"] for item in undo(store, first, status=65)["obstacles"]} >= {"it was deleted since"}


def test_promotion_that_something_points_to_stays(store: Store) -> None:
    store.config = AISLE
    for day in (1, 2):
        store.episode(f"e{day}", "took an aisle seat", day=day)
    run = store.good_night()["run_id"]
    (promoted,) = store.facts()
    store.fact("older", "window", day=1, attribute="seat", source="inferred")
    store.good_night(now=NOW + DAY)
    assert store.facts()["older"]["superseded_by"] == promoted
    (obstacle,) = undo(store, run, status=65)["obstacles"]
    assert obstacle["fact"] == "older" and "points to a fact that the run had made" in obstacle["why"]
    good(store, "pin", promoted)
    (obstacle,) = undo(store, run, status=65)["obstacles"]
    assert obstacle["fact"] == promoted and "it is pinned" in obstacle["why"]
    assert promoted in store.facts()


def test_an_undo_that_is_undone_lets_the_next_night_decide_again(store: Store) -> None:
    store.fact("boston", "Boston", day=1)
    store.fact("austin", "Austin", day=3)
    night = store.good_night()["run_id"]
    undone = undo(store, night)["run_id"]
    quiet_nights(store)
    assert undo(store, undone)["restored"] == ["boston"]
    store.good_night()
    assert store.in_force() == ["Austin"]
    finished = ask(store, "undo", undone)
    assert finished.status == 2 and "keeps nothing from being decided again" in finished.err


@pytest.mark.parametrize("verb", ["accept", "dismiss"])
def test_a_review_decision_waits_again(store: Store, verb: str) -> None:
    store.fact("boston", "Boston", day=1)
    store.fact("austin", "Austin", day=5, source="inferred", evidence="e1")
    store.good_night()
    before = images(store)
    decision = good(store, "review", verb, "austin")
    result = undo(store, decision["run_id"])
    assert result["deleted"] == ([decision["fact"]] if verb == "accept" else [])
    assert images(store) == before and store.sql("SELECT * FROM consolidation_decisions") == []
    assert [item["id"] for item in good(store, "review", "list")["items"]] == ["austin"]
    quiet_nights(store)


@pytest.mark.parametrize("verb", ["accept", "dismiss"])
def test_a_decision_about_a_pair_waits_again(store: Store, verb: str) -> None:
    for id, value in (("one", "plays the piano badly"), ("two", "plays the piano badly at night")):
        store.fact(id, value, day=1, attribute="hobby", multi=1)
    store.good_night()
    (item,) = good(store, "review", "list")["items"]
    decision = good(store, "review", verb, item["id"])
    undo(store, decision["run_id"])
    assert store.status("one", "two") == ["active", "active"]
    assert [again["id"] for again in good(store, "review", "list")["items"]] == [item["id"]]
    finished = ask(store, "undo", decision["run_id"])
    assert finished.status in (2, 65)
    quiet_nights(store)


def test_pins(store: Store) -> None:
    store.fact("boston", "Boston", day=1)
    good(store, "pin", "boston")
    (pin,) = [row[0] for row in store.sql("SELECT run_id FROM consolidation_runs")]
    undo(store, pin)
    assert store.sql("SELECT * FROM consolidation_pins") == []
    (obstacle,) = undo(store, pin, status=65)["obstacles"]
    assert obstacle["why"] == "it was unpinned since"


def test_what_cannot_be_undone_is_an_error(store: Store) -> None:
    store.fact("boston", "Boston", day=1)
    store.fact("austin", "Austin", day=3)
    run = store.good_night()["run_id"]
    erased = good(store, "forget", "--user", "carlos", "--yes")["run_id"]
    for arguments, sentence in (
        (["20200101T000000Z-000000"], "knows no run"),
        ([run, "--fact", "austin"], "did nothing to the fact 'austin'"),
        ([run, "--fact", "nobody"], "did nothing to the fact 'nobody'"),
        ([erased], "cannot be undone"),
    ):
        finished = ask(store, "undo", *arguments)
        assert (finished.status, finished.out) == (2, ""), finished
        assert sentence in finished.err and finished.err.count("\n") == 1


def test_works_while_the_application_has_the_store_open(store: Store) -> None:
    store.fact("boston", "Boston", day=1)
    store.fact("austin", "Austin", day=3)
    db: sqlite3.Connection = store.connect()
    run = store.good_night()["run_id"]
    assert db.execute("SELECT status FROM facts WHERE id = 'boston'").fetchone()[0] == "superseded"
    undo(store, run)
    assert db.execute("SELECT status FROM facts WHERE id = 'boston'").fetchone()[0] == "active"
    db.close()
