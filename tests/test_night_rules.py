"""The traps of the rules (DESIGN section 3), each through the nightly command on a real store."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.night import NOW, Store, at

AISLE = """
[[promote.rules]]
attribute = "seat_preference"
value = "aisle"
pattern = "aisle seat"
"""


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "tenants", config=AISLE)


def test_return_to_an_earlier_value_is_no_duplicate(store: Store) -> None:
    for number, city in enumerate(["Boston", "Austin", "Boston"]):
        store.fact(f"f{number}", city, day=number)
    run = store.good_night()
    facts = store.facts()
    assert store.in_force() == ["Boston"]
    assert store.status("f0", "f1", "f2") == ["superseded", "superseded", "active"]
    assert [facts[id]["superseded_by"] for id in ("f0", "f1")] == ["f1", "f2"]
    assert [facts[id]["valid_to"] for id in ("f0", "f1")] == [at(1), at(2)]
    assert run["skipped"]["return"] == 1


def test_users_own_words_survive_a_merge(store: Store) -> None:
    store.fact("guess", "Boston", day=1, source="inferred", confirmations=5)
    store.fact("words", "boston.", day=2, source="user", confirmations=None)
    store.good_night()
    facts = store.facts()
    assert store.status("guess", "words") == ["merged", "active"]
    assert facts["guess"]["superseded_by"] == "words"
    assert facts["words"]["confirmations"] == 5


def test_restated_time_bound_fact_does_not_lapse_at_the_older_date(store: Store) -> None:
    store.fact("old", "on holiday", day=1, attribute="mood", expires_at=NOW + 10)
    store.fact("new", "On holiday", day=2, attribute="mood", expires_at=NOW + 1000)
    store.good_night()
    assert store.status("old", "new") == ["merged", "active"]
    assert store.in_force(attribute="mood", now=NOW + 500) == ["On holiday"]


def test_date_of_a_higher_source_is_not_prolonged_by_a_lower_one(store: Store) -> None:
    store.fact("words", "vegan", day=1, attribute="diet", expires_at=NOW + 10)
    store.fact("guess", "vegan", day=2, attribute="diet", source="inferred")
    store.good_night()
    assert store.status("words", "guess") == ["active", "merged"]
    store.good_night(now=NOW + 20)
    assert store.status("words") == ["expired"]
    assert store.facts()["words"]["valid_to"] == NOW + 10
    assert store.in_force(attribute="diet", now=NOW + 20) == []


def test_two_user_statements_and_a_guess_end_with_one_in_force(store: Store) -> None:
    store.fact("first", "Boston", day=1)
    store.fact("second", "Austin", day=2)
    store.fact("guess", "Denver", day=3, source="inferred")
    run = store.good_night()
    assert store.in_force() == ["Austin"]
    assert store.status("first", "second", "guess") == ["superseded", "active", "review"]
    assert run["actions"] == {"expire": 0, "merge": 0, "supersede": 1, "promote": 0, "review": 1}


def test_guess_before_the_users_first_word_is_history(store: Store) -> None:
    store.fact("guess", "Denver", day=1, source="inferred")
    store.fact("words", "Boston", day=2)
    store.good_night()
    guess = store.facts()["guess"]
    assert (guess["status"], guess["superseded_by"], guess["valid_to"]) == ("superseded", "words", at(2))


def test_back_dated_statement_is_spliced_into_the_chain_in_the_same_night(store: Store) -> None:
    store.fact("a", "Boston", day=1)
    store.fact("c", "Denver", day=9)
    store.fact("b", "Austin", day=5)
    store.good_night()
    facts = store.facts()
    assert [(facts[id]["superseded_by"], facts[id]["valid_to"]) for id in "ab"] == [("b", at(5)), ("c", at(9))]
    assert store.in_force() == ["Denver"]


def test_back_dated_statement_is_spliced_into_the_chain_on_a_later_night(store: Store) -> None:
    store.fact("a", "Boston", day=1)
    store.fact("c", "Denver", day=9)
    store.good_night()
    assert store.facts()["a"]["superseded_by"] == "c"
    store.fact("b", "Austin", day=5)
    store.good_night()
    facts = store.facts()
    assert [(facts[id]["superseded_by"], facts[id]["valid_to"]) for id in "ab"] == [("b", at(5)), ("c", at(9))]
    assert store.in_force() == ["Denver"]


def test_restatement_counts_as_recent(store: Store) -> None:
    store.fact("a", "Boston", day=1)
    store.fact("again", "Boston", day=8)
    store.good_night()
    store.fact("late", "Austin", day=5)
    store.good_night()
    facts = store.facts()
    assert store.in_force() == ["Boston"]
    assert (facts["late"]["status"], facts["late"]["superseded_by"], facts["late"]["valid_to"]) == (
        "superseded",
        "a",
        at(8),
    )


def test_guess_that_repeats_the_user_does_not_make_it_newer(store: Store) -> None:
    store.fact("boston", "Boston", day=1)
    store.fact("guess", "Boston", day=9, source="inferred")
    store.good_night()
    store.fact("austin", "Austin", day=5)
    store.good_night()
    assert store.in_force() == ["Austin"]


def test_future_fact_waits_for_its_time(store: Store) -> None:
    store.fact("now", "Boston", day=1)
    store.fact("soon", "Austin", day=40)
    run = store.good_night()
    assert run["outcome"] == "unchanged" and run["skipped"]["waiting"] == 1
    assert store.in_force() == ["Boston"]
    store.good_night(now=at(41))
    assert store.in_force(now=at(41)) == ["Austin"]


def test_three_copies_do_not_outvote_one_move(store: Store) -> None:
    for number in range(3):
        store.fact(f"copy{number}", "Boston", day=number, confirmations=9)
    store.fact("move", "Austin", day=5)
    store.good_night()
    assert store.in_force() == ["Austin"]


def test_multi_valued_attribute_merges_copies_and_keeps_every_value(store: Store) -> None:
    for number, pet in enumerate(["Cat", "dog", "cat ", "Dog."]):
        store.fact(f"f{number}", pet, day=number, attribute="pet", multi=1)
    store.good_night()
    assert store.in_force(attribute="pet") == ["Cat", "dog"]


def test_users_never_influence_one_another(store: Store) -> None:
    store.fact("m", "Boston", day=1, user="maya")
    store.fact("t", "Boston", day=2, user="tom")
    store.fact("M", "Boston", day=3, user="Maya")
    assert store.good_night()["outcome"] == "unchanged"


def test_no_comeback_when_the_holder_expires(store: Store) -> None:
    store.fact("home", "Boston", day=1)
    store.fact("trip", "Rome", day=5, expires_at=NOW + 5)
    store.good_night()
    store.good_night(now=NOW + 10)
    assert store.status("home", "trip") == ["superseded", "expired"]
    assert store.in_force(now=NOW + 10) == []


def test_parked_guess_merges_once_the_user_says_the_same(store: Store) -> None:
    store.fact("words", "Boston", day=1)
    store.fact("guess", "Austin", day=2, source="inferred")
    store.good_night()
    assert store.status("guess") == ["review"]
    store.fact("moved", "austin", day=3)
    store.good_night()
    guess = store.facts()["guess"]
    assert (guess["status"], guess["superseded_by"], guess["valid_to"]) == ("merged", "moved", at(2))


def test_evidence_is_appended_in_time_order_and_not_of_another_user(store: Store) -> None:
    store.episode("theirs", "something", day=1, user="tom")
    store.fact("keep", "Boston", day=1, evidence="e1 e2")
    store.fact("later", "Boston", day=4, evidence="e9 e2")
    store.fact("sooner", "Boston", day=3, evidence="theirs e5")
    store.good_night()
    assert store.facts()["keep"]["evidence"] == "e1 e2 e5 e9"
    assert store.facts()["keep"]["confirmations"] == 3


@pytest.mark.parametrize("mode", ["DELETE", "WAL"])
def test_second_night_changes_nothing(tmp_path: Path, mode: str) -> None:
    store = Store(tmp_path / "tenants", config=AISLE, journal_mode=mode)
    for number, city in enumerate(["Boston", "boston", "Austin", "Boston", "Denver"]):
        store.fact(f"f{number}", city, day=number, source="inferred" if number == 4 else "user")
    for number in (1, 2):
        store.episode(f"e{number}", "She wants an aisle seat", day=number)
    assert store.good_night()["outcome"] == "swapped"
    before = store.facts()
    assert store.good_night()["outcome"] == "unchanged"
    assert {id: tuple(row) for id, row in store.facts().items()} == {id: tuple(row) for id, row in before.items()}
