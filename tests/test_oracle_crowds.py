"""The steps and the oracle agree on crowds of users over several nights on a real file (DESIGN section 3)."""

from __future__ import annotations

import os

import pytest

from tests.crowds import crowd, disagreements, only, smallest

SEEDS = range(int(os.environ.get("CONSOLIDATE_EXAMPLES", "40")) // 4)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_crowd_over_several_nights(seed: int) -> None:
    story = crowd(seed)
    wrong = disagreements(story)
    if wrong:
        story = smallest(only(story, wrong[0][0]))
    facts = [
        {name: value for name, value in row.items() if value is not None} for batch in story.arrivals for row in batch
    ]
    assert not wrong, "\n".join(map(str, [*facts, *story.offers, story.nights, *disagreements(story)]))
