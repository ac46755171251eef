"""Examples of promotion from DESIGN section 3, worked out by hand, that the oracle itself must meet."""

from __future__ import annotations

from typing import Any

import pytest

from tests.oracle import Candidate, Decided, Oracle
from tests.oracle_group import Row

DAY = 86_400.0
NOW = 100 * DAY


def day(number: float) -> float:
    return number * DAY


SEEN = {f"e{number}": ("maya", day(number)) for number in range(1, 9)} | {
    "soon": ("maya", day(101)),
    "theirs": ("noah", day(1)),
    "evening": ("maya", day(3.5)),
}


def aisle(*evidence: str, **options: Any) -> Candidate:
    return Candidate("seat", "aisle", evidence, user_id="maya", **options)


def promoted(oracle: Oracle, rows: list[Row], *candidates: Candidate) -> list[Row]:
    """Return the facts that a night promotes; a second night right after changes nothing."""
    known = len(rows)
    after = oracle.night(rows, NOW, candidates=candidates)
    skipped = oracle.skipped.copy()
    assert oracle.night(after, NOW, candidates=candidates) == after
    oracle.skipped = skipped
    return after[known:]


def test_a_candidate_with_enough_evidence_becomes_a_fact() -> None:
    (fact,) = promoted(Oracle(episodes=SEEN), [], aisle("e3", "e1", "e3", "soon", multi=True))
    assert (fact.source, fact.status, fact.valid_from) == ("inferred", "active", day(3))
    assert (fact.confirmations, fact.evidence, fact.multi) == (2, "e1 e3", 1)


@pytest.mark.parametrize(
    ("candidate", "reason"),
    [
        (Candidate("", "aisle", ("e1", "e2"), user_id="maya"), "malformed"),
        (aisle("e1", "e2", "nowhere"), "unknown_evidence"),
        (aisle("e1", "e2", "theirs"), "foreign_evidence"),
        (aisle("e1", "e1", "soon"), "too_few_episodes"),
        (aisle("e3", "evening", min_days=2), "too_few_days"),
    ],
)
def test_a_candidate_that_is_refused(candidate: Candidate, reason: str) -> None:
    oracle = Oracle(episodes=SEEN)
    assert promoted(oracle, [], candidate) == []
    assert oracle.skipped == {reason: 1}


@pytest.mark.parametrize(
    "tombstone",
    [("maya", "seat", '"Aisle".'), ("maya", "seat", None), ("maya", "seat", ""), ("maya", "", None)],
)
def test_what_a_user_asked_to_forget_is_never_brought_back(tombstone: tuple[Any, Any, Any]) -> None:
    oracle = Oracle(episodes=SEEN, tombstones=[tombstone])
    assert promoted(oracle, [], aisle("e1", "e2")) == []
    assert oracle.skipped == {"tombstoned": 1}
    assert promoted(Oracle(episodes=SEEN, tombstones=[("noah", "", None)]), [], aisle("e1", "e2")) != []


OLD = {"valid_to": day(2), "evidence": "e1 e2"}


@pytest.mark.parametrize(
    ("value", "when", "columns", "reason"),
    [
        ("Aisle", 1, {}, "already_stored"),
        ("Aisle", 101, {}, "already_stored"),
        ("Aisle", 1, {"status": "review", "evidence": "e1 e2"}, "already_decided"),
        ("Aisle", 1, {"status": "superseded"} | OLD, "already_decided"),
        ("Aisle", 1, {"status": "expired"} | OLD, "already_decided"),
        ("Window", 1, {"status": "expired"} | OLD, None),
    ],
)
def test_what_is_stored_or_decided_is_not_promoted(
    value: str, when: float, columns: dict[str, Any], reason: str | None
) -> None:
    row = Row(1, "a", "maya", "seat", value, valid_from=day(when), **columns)
    oracle = Oracle(episodes=SEEN)
    fresh = promoted(oracle, [row], aisle("e1", "e2", "e3"))
    assert oracle.skipped == ({reason: 1} if reason else {})
    assert len(fresh) == (0 if reason else 1)


def test_a_decided_value_comes_back_with_enough_evidence_new_to_all_decided_facts_of_that_value() -> None:
    rows = [
        Row(1, "a", "maya", "seat", "Aisle", valid_from=day(1), status="expired", valid_to=day(2), evidence="e1"),
        Row(2, "b", "maya", "seat", "aisle", valid_from=day(1), status="expired", valid_to=day(2), evidence="e2"),
    ]
    assert promoted(Oracle(episodes=SEEN), rows, aisle("e1", "e2", "e3")) == []
    assert len(promoted(Oracle(episodes=SEEN), rows, aisle("e1", "e2", "e3", "e4"))) == 1


def test_a_promoted_fact_that_the_application_deleted_is_not_promoted_again() -> None:
    oracle = Oracle(episodes=SEEN)
    assert len(promoted(oracle, [], aisle("e1", "e2"))) == 1
    assert promoted(oracle, [], aisle("e2", "e1", "e3")) == []
    assert len(promoted(oracle, [], aisle("e3", "e4"))) == 1


def test_a_dismissed_value_is_remembered() -> None:
    oracle = Oracle(episodes=SEEN, decided=[Decided("maya", "seat", "AISLE", "e1 e2")])
    assert promoted(oracle, [], aisle("e1", "e2")) == []


def test_the_caps_hold_back_what_is_left() -> None:
    wishes = [Candidate("seat", value, ("e1", "e2"), True, user_id="maya") for value in ("aisle", "window", "middle")]
    oracle = Oracle(episodes=SEEN, max_per_user=2)
    assert [row.value for row in oracle.night([], NOW, candidates=wishes)] == ["aisle", "window"]
    assert oracle.skipped == {"max_per_user": 1}
    oracle = Oracle(episodes=SEEN, max_per_run=1)
    assert [row.value for row in oracle.night([], NOW, candidates=wishes)] == ["aisle"]
    assert oracle.skipped == {"max_per_run": 2}


def test_a_promoted_fact_meets_the_stored_ones_in_the_same_night() -> None:
    stored = Row(1, "a", "maya", "seat", "window", valid_from=day(2))
    (newer,) = promoted(Oracle(episodes=SEEN), [stored], aisle("e3", "e4", multi=True))
    assert (newer.status, newer.multi) == ("review", 0)
    (older,) = promoted(Oracle(episodes=SEEN | {"e0": ("maya", 0.0)}), [stored], aisle("e0", "e1"))
    assert (older.status, older.superseded_by, older.valid_to) == ("superseded", "a", day(2))


def test_a_light_night_promotes_nothing() -> None:
    assert Oracle(episodes=SEEN).night([], NOW, light=True, candidates=[aisle("e1", "e2")]) == []
