"""The steps and the oracle agree on crowds of users over several nights on a real file (DESIGN section 3)."""

from __future__ import annotations

import os

import pytest

from tests.crowds import Crowd, crowd, with_orders
from tests.plays import disagreements, only, smallest

SEEDS = range(int(os.environ.get("CONSOLIDATE_EXAMPLES", "40")) // 4)


def assert_agreement(story: Crowd) -> None:
    """Store and oracle agree; else a small story that shows where they do not."""
    wrong = disagreements(story)
    if not wrong:
        return
    alone = only(story, wrong[0][0])
    if disagreements(alone):
        story = smallest(alone)
    facts = [
        {name: value for name, value in row.items() if value is not None} for batch in story.arrivals for row in batch
    ]
    told = (*facts, *story.offers, story.nights, story.orders, story.rolled_back, story.store.pins, story.store.rank)
    pytest.fail("\n".join(map(str, [*told, *disagreements(story)[:9]])))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_crowd_over_several_nights(seed: int) -> None:
    assert_agreement(crowd(seed))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_crowd_that_decides_and_takes_back(seed: int) -> None:
    assert_agreement(with_orders(crowd(1000 + seed, users=60), seed))
