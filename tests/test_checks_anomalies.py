"""Notices about a night that is unlike the nights before."""

from __future__ import annotations

from typing import Any

import pytest

from consolidate.checks.anomalies import notices
from consolidate.config import VerifySettings
from consolidate.model import RunRecord


def night(**actions: int) -> dict[str, Any]:
    return RunRecord("acme", "r", actions=actions).as_json() | {"outcome": "swapped"}


def kinds(actions: dict[str, int], history: list[Any], factor: float = 10.0) -> list[str]:
    record = RunRecord("acme", "r", actions=actions)
    return [notice.message for notice in notices(record, history, VerifySettings(anomaly_factor=factor))]


@pytest.mark.parametrize(
    ("count", "usual", "factor", "found"),
    [
        (20, [1, 1, 1, 1, 1], 10.0, True),
        (19, [0, 0, 0, 0, 0], 10.0, False),
        (20, [0, 0, 0, 0, 0], 10.0, True),
        (20, [2, 2, 2, 2, 2], 10.0, False),
        (21, [2, 2, 2, 2, 2], 10.0, True),
        (21, [2, 2, 2, 2], 10.0, False),
        (900, [1, 1, 100, 100, 100], 10.0, False),
        (900, [1, 1, 1, 100, 100], 10.0, True),
        (30, [10, 10, 10, 10, 10], 2.0, True),
    ],
)
def test_action_counts_above_the_median(count: int, usual: list[int], factor: float, found: bool) -> None:
    messages = kinds({"merge": count, "expire": 0}, [night(merge=merges) for merges in usual], factor)
    assert bool(messages) is found
    assert all(f"{count} actions of the kind merge" in message for message in messages)


def test_only_swapped_runs_count_and_only_the_last_of_them() -> None:
    quiet = [night(merge=1) | {"outcome": "unchanged"} for _ in range(9)]
    assert kinds({"merge": 500}, quiet) == []
    busy = [night(merge=100) for _ in range(60)]
    assert kinds({"merge": 500}, busy + [night(merge=1) for _ in range(30)]) != []
    assert kinds({"merge": 500}, [night(merge=1) for _ in range(30)] + busy) == []


def test_lines_of_another_kind_are_passed_over() -> None:
    odd = [
        {},
        {"outcome": "swapped"},
        {"outcome": "swapped", "actions": None},
        {"outcome": "swapped", "actions": {"merge": "x"}},
    ]
    assert kinds({"merge": 500}, odd) == []
    assert len(kinds({"merge": 500}, [*odd, *odd])) == 1


def test_facts_parked_for_review_are_told() -> None:
    assert kinds({"review": 0}, []) == []
    assert kinds({"review": 1}, []) == ["1 fact more waits for a person's review."]
    assert kinds({"review": 3}, []) == ["3 facts more wait for a person's review."]
