"""Examples from DESIGN section 3, worked out by hand, that the oracle itself must meet."""

from __future__ import annotations

from typing import Any

import pytest

from tests.oracle import Oracle
from tests.oracle_group import Row

DAY = 86_400.0
NOW = 100 * DAY


def day(number: float) -> float:
    return number * DAY


def facts(*rows: tuple[str, Any, float] | tuple[str, Any, float, dict[str, Any]]) -> list[Row]:
    """Facts of one user about one attribute as (id, value, day, other columns), in the order of their rowids."""
    made = []
    for rowid, (name, value, when, *others) in enumerate(rows, 1):
        columns: dict[str, Any] = {"user_id": "maya", "attribute": "home_city"} | (others[0] if others else {})
        made.append(Row(rowid, name, value=value, valid_from=day(when), **columns))
    return made


def night(rows: list[Row], oracle: Oracle | None = None, **options: Any) -> dict[Any, Row]:
    """Run a night, check that a second one right after changes nothing, and return the facts by id."""
    oracle = oracle or Oracle()
    after = oracle.night(rows, NOW, **options)
    assert oracle.night(after, NOW, **options) == after
    return {row.id: row for row in after}


def ending(row: Row) -> tuple[Any, Any, Any]:
    """Status, pointer and the day on which the window ends."""
    return row.status, row.superseded_by, None if row.valid_to is None else row.valid_to / DAY


GUESS = {"source": "inferred"}
IN_FORCE = ("active", None, None)


def test_a_statement_in_another_spelling_is_merged_with_its_confirmations_and_evidence() -> None:
    after = night(
        facts(
            ("a", "Boston", 1, {"evidence": "e1 e2", "confirmations": None}),
            ("b", ' "boston". ', 3, {"evidence": "e2 e3", "confirmations": 2}),
            ("c", "BOSTON", 2, {"evidence": "e4  e1 e4", "confirmations": 3}),
        )
    )
    assert ending(after["a"]) == IN_FORCE
    assert (after["a"].evidence, after["a"].confirmations) == ("e1 e2 e4 e3", 5)
    assert ending(after["b"]) == ("merged", "a", 3)
    assert ending(after["c"]) == ("merged", "a", 2)


def test_one_differing_word_is_never_a_duplicate() -> None:
    after = night(facts(("a", "allergic to nuts", 1, {"multi": 1}), ("b", "not allergic to nuts", 2, {"multi": 1})))
    assert {row.status for row in after.values()} == {"active"}


def test_boston_austin_boston_is_a_return() -> None:
    after = night(facts(("a", "Boston", 1), ("b", "Austin", 2), ("c", "Boston", 3)))
    assert ending(after["a"]) == ("superseded", "b", 2)
    assert ending(after["b"]) == ("superseded", "c", 3)
    assert ending(after["c"]) == IN_FORCE


def test_a_return_is_kept_apart_by_a_fact_that_took_effect_whatever_its_status_now() -> None:
    closed = {"status": "expired", "valid_to": day(2.5)}
    after = night(facts(("a", "Boston", 1), ("b", "Austin", 2, closed), ("c", "Boston", 3)))
    assert ending(after["a"]) == ("superseded", "c", 3)
    assert ending(after["c"]) == IN_FORCE


def test_what_never_took_effect_keeps_nothing_apart() -> None:
    after = night(facts(("a", "Boston", 1), ("b", "Austin", 2, GUESS), ("c", "Boston", 3)))
    assert ending(after["c"]) == ("merged", "a", 3)
    assert ending(after["b"]) == ("superseded", "a", 2)
    assert ending(after["a"]) == IN_FORCE


def test_the_order_of_the_times_counts_and_not_that_of_the_rowids() -> None:
    after = night(facts(("c", "Boston", 3), ("b", "Austin", 2), ("a", "Boston", 1)))
    assert [ending(after[name]) for name in "abc"] == [("superseded", "b", 2), ("superseded", "c", 3), IN_FORCE]


def test_at_one_and_the_same_time_the_later_rowid_holds() -> None:
    after = night(facts(("a", "Boston", 1), ("b", "Austin", 1)))
    assert ending(after["a"]) == ("superseded", "b", 1)
    assert ending(after["b"]) == IN_FORCE


def test_two_user_statements_plus_one_inference_end_with_exactly_one_in_force() -> None:
    after = night(facts(("a", "Boston", 1), ("b", "Austin", 2), ("g", "Chicago", 3, GUESS)))
    assert ending(after["a"]) == ("superseded", "b", 2)
    assert ending(after["b"]) == IN_FORCE
    assert ending(after["g"]) == ("review", None, None)


def test_an_older_inference_is_superseded_with_the_window_in_which_it_held() -> None:
    after = night(facts(("g", "Chicago", 1, GUESS), ("a", "Boston", 4)))
    assert ending(after["g"]) == ("superseded", "a", 4)
    assert ending(after["a"]) == IN_FORCE


def test_a_users_own_words_are_never_absorbed_by_an_inference() -> None:
    after = night(facts(("g", "Boston", 1, GUESS | {"confirmations": 9}), ("a", "boston", 4)))
    assert ending(after["g"]) == ("merged", "a", 4)
    assert (ending(after["a"]), after["a"].confirmations) == (IN_FORCE, 9)


def test_a_guess_that_repeats_what_the_user_said_does_not_make_it_newer() -> None:
    after = night(facts(("a", "Boston", 1), ("g", "Boston", 5, GUESS), ("h", "Chicago", 4, GUESS)))
    assert ending(after["g"]) == ("merged", "a", 5)
    assert ending(after["h"]) == ("review", None, None)


def test_a_restated_time_bound_fact_does_not_lapse_at_the_older_date() -> None:
    after = night(
        facts(("a", "Boston", 1, {"expires_at": day(110)}), ("b", "Boston", 2, {"expires_at": day(120)})),
    )
    assert ending(after["a"]) == ("merged", "b", 2)
    assert ending(after["b"]) == IN_FORCE


def test_a_date_given_by_the_user_is_not_prolonged_by_an_inference() -> None:
    after = night(facts(("a", "Boston", 1, {"expires_at": day(110)}), ("g", "Boston", 2, GUESS)))
    assert ending(after["g"]) == ("merged", "a", 2)
    assert after["a"].expires_at == day(110)


def test_a_holder_that_expires_brings_nothing_back() -> None:
    old = {"status": "superseded", "superseded_by": "b", "valid_to": day(2)}
    after = night(facts(("a", "Boston", 1, old), ("b", "Austin", 2, {"expires_at": NOW})))
    assert ending(after["a"]) == ("superseded", "b", 2)
    assert ending(after["b"]) == ("expired", None, 100)


def test_a_parked_fact_that_falls_due_expires_with_an_empty_window() -> None:
    after = night(facts(("g", "Boston", 3, GUESS | {"status": "review", "expires_at": day(50)})))
    assert ending(after["g"]) == ("expired", None, 3)


def test_a_fact_of_the_future_waits() -> None:
    after = night(facts(("a", "Boston", 1), ("b", "Austin", 101)))
    assert ending(after["a"]) == IN_FORCE
    assert ending(after["b"]) == IN_FORCE


def test_a_back_dated_statement_is_spliced_into_the_history() -> None:
    old = {"status": "superseded", "superseded_by": "c", "valid_to": day(9)}
    after = night(facts(("a", "Boston", 1, old), ("c", "Austin", 9), ("b", "Chicago", 5)))
    assert ending(after["a"]) == ("superseded", "b", 5)
    assert ending(after["b"]) == ("superseded", "c", 9)
    assert ending(after["c"]) == IN_FORCE


def test_a_back_dated_statement_relinks_only_the_fact_whose_window_contains_it() -> None:
    first = {"status": "superseded", "superseded_by": "b", "valid_to": day(3)}
    second = {"status": "superseded", "superseded_by": "d", "valid_to": day(9)}
    after = night(facts(("a", "Boston", 1, first), ("b", "Austin", 3, second), ("d", "Dallas", 9), ("c", "Chicago", 5)))
    assert [ending(after[name]) for name in "abcd"] == [
        ("superseded", "b", 3),
        ("superseded", "c", 5),
        ("superseded", "d", 9),
        IN_FORCE,
    ]


def test_a_restatement_makes_the_holder_newer_and_splits_no_history() -> None:
    restated = {"status": "merged", "superseded_by": "a", "valid_to": day(7)}
    after = night(facts(("a", "Boston", 1), ("r", "Boston", 7, restated), ("b", "Austin", 5)))
    assert ending(after["a"]) == IN_FORCE
    assert ending(after["b"]) == ("superseded", "a", 7)


def test_a_parked_fact_is_judged_again_and_merges_into_the_holder_once_it_has_its_value() -> None:
    parked = GUESS | {"status": "review"}
    after = night(facts(("a", "Boston", 1), ("g", "Chicago", 3, parked), ("b", "Chicago", 2)))
    assert ending(after["a"]) == ("superseded", "b", 2)
    assert ending(after["g"]) == ("merged", "b", 3)


def test_a_parked_fact_older_than_the_holder_is_superseded_with_an_empty_window() -> None:
    after = night(facts(("g", "Chicago", 3, GUESS | {"status": "review"}), ("a", "Boston", 4)))
    assert ending(after["g"]) == ("superseded", "a", 3)


def test_without_a_holder_a_parked_fact_stays() -> None:
    after = night(facts(("g", "Chicago", 3, GUESS | {"status": "review"})))
    assert ending(after["g"]) == ("review", None, None)


def test_an_expired_fact_displaces_nobody() -> None:
    closed = {"status": "expired", "valid_to": day(4)}
    after = night(facts(("a", "Boston", 1), ("b", "Austin", 2, closed), ("c", "Chicago", 6)))
    assert ending(after["a"]) == ("superseded", "c", 6)


def test_a_pinned_guess_holds_against_the_user_and_several_pins_stay() -> None:
    rows = facts(("p", "Boston", 1, GUESS), ("q", "Austin", 2, GUESS), ("a", "Chicago", 3))
    after = night(rows, Oracle(pins=["p", "q"]))
    assert ending(after["p"]) == IN_FORCE
    assert ending(after["q"]) == IN_FORCE
    assert ending(after["a"]) == ("review", None, None)


def test_a_pinned_fact_survives_a_merge_and_is_not_in_force_past_its_expiry() -> None:
    rows = facts(("a", "Boston", 1), ("p", "Boston", 2, GUESS))
    assert ending(night(rows, Oracle(pins=["p"]))["a"]) == ("merged", "p", 2)
    rows = facts(("a", "Boston", 3), ("p", "Austin", 1, GUESS | {"expires_at": day(2)}))
    after = night(rows, Oracle(pins=["p"]))
    assert [ending(after[name]) for name in "ap"] == [IN_FORCE, IN_FORCE]


def test_only_an_active_fact_can_be_held_by_a_pin() -> None:
    after = night(facts(("g", "Chicago", 3, GUESS | {"status": "review"}), ("a", "Boston", 4)), Oracle(pins=["g"]))
    assert ending(after["g"]) == ("superseded", "a", 3)


@pytest.mark.parametrize("flags", [(0, 1), (0, None), (1, 1)])
def test_rows_that_disagree_make_the_attribute_multi_valued(flags: tuple[Any, Any]) -> None:
    rows = facts(("a", "Boston", 1, {"multi": flags[0]}), ("b", "Austin", 2, {"multi": flags[1]}))
    assert {row.status for row in night(rows).values()} == {"active"}
    assert night(rows, Oracle(attributes={"home_city": "single"}))["a"].status == "superseded"


def test_a_source_that_is_not_listed_ranks_lowest() -> None:
    after = night(facts(("a", "Boston", 1, GUESS), ("x", "Austin", 2, {"source": "hearsay"})))
    assert ending(after["x"]) == ("review", None, None)
    assert ending(after["a"]) == IN_FORCE


def test_users_and_attributes_are_never_compared_with_each_other() -> None:
    rows = facts(
        ("a", "Boston", 1), ("b", "Boston", 2, {"user_id": "Maya"}), ("c", "Austin", 3, {"attribute": "Home_city"})
    )
    assert {row.status for row in night(rows).values()} == {"active"}


def test_evidence_of_another_user_is_not_passed_on() -> None:
    rows = facts(("a", "Boston", 1), ("b", "Boston", 2, {"evidence": "e1 theirs e2"}))
    oracle = Oracle(episodes={"e1": ("maya", day(1)), "theirs": ("noah", day(1))})
    assert night(rows, oracle)["a"].evidence == "e1 e2"


def test_a_fact_without_an_identity_is_left_alone() -> None:
    rows = facts(("a", "Boston", 1, {"user_id": None, "expires_at": day(2)}), ("b", "Austin", 2), ("c", "Boston", 3))
    rows.append(Row(4, None, "maya", "home_city", "Dallas", valid_from=day(4)))
    after = night(rows)
    assert ending(after["a"]) == IN_FORCE
    assert ending(after[None]) == IN_FORCE
    assert ending(after["c"]) == IN_FORCE


def test_the_history_of_a_chain_is_followed_past_facts_that_held_earlier() -> None:
    rows = facts(("g", "Chicago", 1, GUESS), ("a", "Boston", 3), ("h", "Dallas", 4, GUESS), ("b", "Austin", 6))
    after = night(rows)
    assert ending(after["g"]) == ("superseded", "a", 3)
    assert ending(after["a"]) == ("superseded", "b", 6)
    assert ending(after["h"]) == ("superseded", "b", 4)


@pytest.mark.parametrize(
    ("when", "held"), [(0.5, None), (1, "a"), (1.9, "a"), (2, "b"), (4, "b"), (6, "c"), (200, "c")]
)
def test_what_held_at_a_time(when: float, held: str | None) -> None:
    rows = facts(("a", "Boston", 1), ("b", "Austin", 2), ("c", "Boston", 5), ("g", "Dallas", 7, GUESS))
    oracle = Oracle()
    row = oracle.held_at(oracle.night(rows, NOW), "maya", "home_city", day(when))
    assert (row.id if row else None) == held


def test_of_several_windows_the_highest_rank_counts_before_the_latest_beginning() -> None:
    guess = GUESS | {"status": "superseded", "superseded_by": "a", "valid_to": day(8)}
    rows = facts(("a", "Boston", 1), ("g", "Austin", 2, guess))
    row = Oracle().held_at(rows, "maya", "home_city", day(3))
    assert row is not None
    assert row.id == "a"
