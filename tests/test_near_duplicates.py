"""Pairs of facts that may say the same are proposed to a person, and nothing is merged without one."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from rapidfuzz.distance import OSA

from consolidate.steps.likeness import Verdict, compare, distance, plain_distance, read
from tests.night import NOW, Finished, Store, command

ALIKE = [
    ("spelling", "prefers aisle seats on long flights", "prefers aisle seats on long fligths"),
    ("spelling", "likes accomodation near the beach", "likes accommodation near the beach"),
    ("same_words", "check in early", "check-in early"),
    ("spelling", "checkin early", "check-in early"),
    ("spelling", "vegetarian", "vegitarian"),
    ("same_words", "hiking, swimming and cycling", "cycling, swimming and hiking"),
    ("same_words", "Hiking, swimming", "swimming, hiking"),
    ("same_words", "plays piano (badly)", "plays piano, badly"),
    ("contained", "volunteers at the animal shelter", "volunteers at the animal shelter on weekends"),
    ("contained", "works as a nurse", "works as a night nurse"),
    ("same_words", "любит чай и кофе", "любит кофе и чай"),
]
APART = [
    ("number", "runs 5 miles a day", "runs 6 miles a day"),
    ("number", "has two older sisters", "has three older sisters"),
    ("number", "was born on 3.4.1990", "was born on 4.3.1990"),
    ("number", "walks the dogs every day", "walks the dogs every day 12"),
    ("unit", "takes 5 mg of it a day", "takes 5 kg of it a day"),
    ("unit", "runs 5 MW plants", "runs 5 mW plants"),
    ("unit", "is 5' tall", 'is 5" tall'),
    ("negation", "is allergic to peanuts", "is not allergic to peanuts"),
    ("negation", "happily married for years", "unhappily married for years"),
    ("negation", "eats meat but not fish", "eats fish but not meat"),
    ("negation", "isst gern Fisch", "isst nicht gern Fisch"),
    ("name", "works with Anna on weekends", "works with Anne on weekends"),
    ("name", "works with Anna on weekends", "works with Robert on weekends"),
    ("name", "Maya admires Roberta", "Roberta admires Maya"),
    ("name", "Lives near Bergamo", "Lives near Bergano"),
    ("symbol", "writes programs in C", "writes programs in C ++"),
    ("symbol", "it costs $5 a day", "it costs €5 a day"),
    ("symbol", "set to -5 degrees at night", "set to 5 degrees at night"),
    ("symbol", "got an A+ in maths", "got an A- in maths"),
]
UNLIKE = [
    ("likes tea", "likes coffee"),
    ("tea", "green tea"),
    ("has a cat", "has a car"),
    ("loves painting at night", "hates painting at night"),
    ("東京", "大阪"),
    ("東京に住んでいる", "大阪に住んでいる"),
    ("", "anything"),
    ("😀", "😢"),
    ("walks", "talks"),
]


@pytest.mark.parametrize(("kind", "one", "other"), ALIKE)
def test_alike(kind: str, one: str, other: str) -> None:
    assert compare(read(one), read(other)) == compare(read(other), read(one)) == Verdict(kind)


@pytest.mark.parametrize(("reason", "one", "other"), APART)
def test_kept_apart_by_what_a_difference_means(reason: str, one: str, other: str) -> None:
    for verdict in (compare(read(one), read(other)), compare(read(other), read(one))):
        assert verdict is not None and verdict.apart == reason


@pytest.mark.parametrize(("one", "other"), UNLIKE)
def test_not_alike(one: str, other: str) -> None:
    verdict = compare(read(one), read(other))
    assert verdict is None or verdict.apart is not None


def test_the_plain_distance_gives_what_rapidfuzz_gives() -> None:
    chance = random.Random(5)
    for _ in range(20_000):
        a, b = ("".join(chance.choices("abcd", k=chance.randint(0, 9))) for _ in range(2))
        for limit in (1, 2):
            assert plain_distance(a, b, limit) == int(OSA.distance(a, b, score_cutoff=limit)) == distance(a, b, limit)


# In the store --------------------------------------------------------------------------------------------------------


@pytest.fixture
def store(tmp_path: Path) -> Store:
    store = Store(tmp_path / "tenants")
    hobby(store, "one", "volunteers at the animal shelter", 1, confirmations=2, evidence="e1")
    hobby(store, "two", "volunteers at the animal shelter on weekends", 5, confirmations=3, evidence="e2 e1")
    hobby(store, "five", "runs 5 miles a day", 1)
    hobby(store, "six", "runs 6 miles a day", 2)
    hobby(store, "other", "volunteers at the animal shelter in winter", 2, user="carlos")
    return store


def hobby(store: Store, id: str, value: Any, day: float, **columns: Any) -> None:
    row: dict[str, Any] = {"attribute": "hobby", "multi": 1, "source": "inferred"}
    store.fact(id, value, day=day, **(row | columns))


def ask(store: Store, *arguments: str) -> Finished:
    place = ("--root", str(store.root), "--tenant", store.tenant, "--config", str(store.config_path), "--now", str(NOW))
    return command(*arguments, *place)


def good(store: Store, *arguments: str) -> Any:
    finished = ask(store, *arguments, "--json")
    assert finished.status == 0, finished.err
    return json.loads(finished.out)


def pairs(store: Store) -> list[tuple[str, ...]]:
    items = good(store, "review", "list")["items"]
    return sorted(tuple(sorted(fact["id"] for fact in item["facts"])) for item in items)


def proposed(store: Store) -> Any:
    (item,) = good(store, "review", "list")["items"]
    assert item["kind"] == "near_duplicate"
    return item["id"]


def test_both_stay_in_force_until_a_person_decides(store: Store) -> None:
    run = store.good_night()
    assert run["outcome"] == "swapped" and sum(run["actions"].values()) == 0
    assert run["skipped"]["kept_apart"] == 1
    assert [notice["kind"] for notice in run["notices"]] == ["near_duplicates"]
    assert pairs(store) == [("one", "two")]
    assert set(store.status("one", "two", "five", "six")) == {"active"}
    (apart,) = good(store, "review", "apart")["items"]
    assert {fact["id"] for fact in apart["facts"]} == {"five", "six"} and apart["why"] == "a number differs"
    assert "≠" in ask(store, "review", "apart", "--user", "maya").out
    assert good(store, "review", "apart", "--user", "nobody")["items"] == []
    assert "the words of one are all in the other" in ask(store, "review", "list").out
    assert "both facts stay" in ask(store, "review", "show", proposed(store)).out
    assert store.good_night()["outcome"] == "unchanged"


def test_accepting_merges_as_the_merge_step_would(store: Store) -> None:
    store.good_night()
    answer = good(store, "review", "accept", proposed(store))
    assert answer["fact"] == "one"
    facts = store.facts()
    assert (facts["two"]["status"], facts["two"]["superseded_by"]) == ("merged", "one")
    assert facts["two"]["valid_to"] == facts["two"]["valid_from"]
    assert (facts["one"]["confirmations"], facts["one"]["evidence"]) == (5, "e1 e2")
    assert pairs(store) == [] and store.good_night()["outcome"] == "unchanged"
    assert ask(store, "check").status == 0, ask(store, "check").out


@pytest.mark.parametrize("held", ["pin", "rank", "expiry"])
def test_the_survivor_is_chosen_as_in_a_merge(store: Store, held: str) -> None:
    if held == "rank":
        store.sql("UPDATE facts SET source = 'user' WHERE id = 'two'")
    elif held == "expiry":
        store.sql("UPDATE facts SET expires_at = ? WHERE id = 'one'", (NOW + 9,))
    store.good_night()
    if held == "pin":
        good(store, "pin", "two")
    assert good(store, "review", "accept", proposed(store))["fact"] == "two"
    assert store.status("one", "two") == ["merged", "active"]
    assert store.good_night()["outcome"] == "unchanged"


def test_two_pinned_facts_are_not_merged(store: Store) -> None:
    store.good_night()
    item = proposed(store)
    good(store, "pin", "one")
    good(store, "pin", "two")
    finished = ask(store, "review", "accept", item)
    assert finished.status == 2 and "both are pinned" in finished.err
    assert store.status("one", "two") == ["active", "active"]


def test_dismissed_pair_is_not_proposed_again_in_any_spelling(store: Store) -> None:
    store.good_night()
    item = proposed(store)
    good(store, "review", "dismiss", item)
    assert store.good_night()["outcome"] == "unchanged"
    store.sql("DELETE FROM facts WHERE id = 'two'")
    hobby(store, "again", "Volunteers at the ANIMAL shelter on weekends.", 9)
    store.good_night()
    assert pairs(store) == []
    hobby(store, "third", "volunteers at the animal shelter in summer", 9)
    store.good_night()
    assert pairs(store) == [("one", "third")]
    finished = ask(store, "review", "accept", item)
    assert finished.status == 2 and "Nothing with the id" in finished.err


def test_proposal_whose_facts_are_gone_is_not_shown_and_comes_back_with_them(store: Store) -> None:
    store.good_night()
    store.sql("UPDATE facts SET status = 'superseded', superseded_by = 'one' WHERE id = 'two'")
    assert pairs(store) == []
    hobby(store, "new", "volunteers at the animal shelter on weekends", 8)
    store.good_night()
    assert pairs(store) == [("new", "one")]


def test_one_valued_attributes_and_light_nights_propose_nothing(store: Store) -> None:
    assert store.good_night("--light")["outcome"] == "unchanged"
    store.config = '[attributes]\nhobby = "single"\n'
    store.good_night()
    assert pairs(store) == []


def test_what_a_cap_holds_back_is_proposed_later(tmp_path: Path) -> None:
    store = Store(tmp_path / "tenants", config="[review]\nmax_per_run = 2\n")
    for number, place in enumerate(("shelter", "library", "hospice", "kitchen", "museum")):
        hobby(store, f"a{number}", f"volunteers at the local {place}", 1)
        hobby(store, f"b{number}", f"volunteers at the local {place} on weekends", 2)
    found, nights = [], 0
    while store.good_night()["outcome"] == "swapped":
        nights += 1
        assert nights < 12
        found.append(len(pairs(store)))
    assert found == [2, 4, 5]
    assert pairs(store) == [(f"a{number}", f"b{number}") for number in range(5)]


def test_of_very_many_new_facts_the_latest_are_compared(tmp_path: Path) -> None:
    store = Store(tmp_path / "tenants", config="[review]\nmax_new_facts = 1\n")
    for number, place in enumerate(("shelter", "library")):
        hobby(store, f"a{number}", f"volunteers at the local {place}", 1)
        hobby(store, f"b{number}", f"volunteers at the local {place} on weekends", 2)
    assert store.good_night()["skipped"]["not_compared"] == 3
    assert pairs(store) == [("a1", "b1")]
    assert store.good_night()["outcome"] == "unchanged"
    hobby(store, "c0", "volunteers at the local library on Sundays", 3)
    hobby(store, "d0", "volunteers at the local shelter in summer", 3)
    assert store.good_night()["skipped"]["not_compared"] == 1
    assert pairs(store) == [("a0", "d0"), ("a1", "b1")]


def test_it_can_be_switched_off_and_mistakes_in_its_settings_are_named(store: Store) -> None:
    store.config = "[review]\nnear_duplicates = false\n"
    assert store.good_night()["outcome"] == "unchanged"
    store.config = "[review]\nmax_per_group = 1\nmax_new_facts = 0\n"
    finished = store.night()
    assert finished.status == 78
    assert "review.max_per_group must be at least 2" in finished.err + finished.out
    assert "review.max_new_facts must be at least 1" in finished.err + finished.out


@pytest.mark.parametrize("schema", ["WITHOUT ROWID", ""])
def test_dirt_is_left_alone(tmp_path: Path, schema: str) -> None:
    from tests.night import SCHEMA

    store = Store(
        tmp_path / "tenants", schema=SCHEMA.replace("confirmations INTEGER)", f"confirmations INTEGER) {schema}")
    )
    for number, value in enumerate(
        (None, b"\xff", 5, "", " ", "plays the piano badly", "plays the piano badly at night")
    ):
        hobby(store, f"f{number}", value, 1)
    store.sql("UPDATE facts SET value = CAST(x'ff6162' AS TEXT) WHERE id = 'f3'")
    store.good_night()
    assert pairs(store) == [("f5", "f6")]
    assert store.good_night()["outcome"] == "unchanged"
