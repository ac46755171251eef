"""Notices about a night that is unlike the nights before (DESIGN section 5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

from consolidate.config import VerifySettings
from consolidate.model import Notice, Outcome, RunRecord

LEAST_RUNS = 5
LEAST_COUNT = 20
# Enough nights to know what is usual, few enough to follow a growing store.
LAST_RUNS = 30


def notices(record: RunRecord, history: Sequence[Mapping[str, Any]], settings: VerifySettings) -> list[Notice]:
    """Compare the action counts of a run with those of the last swapped runs.

    Args:
        record: the run; only its ``actions`` are read.
        history: records of earlier runs of the tenant as JSON objects, oldest first, as ``.runs.jsonl`` has them; anything
            else in it is passed over.
        settings: ``[verify]``.

    Returns:
        One notice per kind of action whose count is above ``anomaly_factor`` times the median, and one if facts were parked for
        review.
    """
    found = []
    nights = [run for run in history if run.get("outcome") == Outcome.SWAPPED and run.get("kind") != "rollback"]
    counts = [_counts(earlier) for earlier in nights[-LAST_RUNS:]]
    for action, count in record.actions.items():
        usual = median(earlier.get(action, 0) for earlier in counts) if counts else 0
        if len(counts) >= LEAST_RUNS and count >= LEAST_COUNT and count > settings.anomaly_factor * usual:
            found.append(
                Notice(
                    "anomaly",
                    f"{count} actions of the kind {action}, where the last {len(counts)} runs had {usual:g} (median).",
                )
            )
    parked = record.actions.get("review", 0)
    if parked:
        noun = "fact more waits" if parked == 1 else "facts more wait"
        found.append(Notice("review_growing", f"{parked} {noun} for a person's review."))
    return found


def _counts(earlier: Mapping[str, Any]) -> dict[str, int]:
    actions = earlier.get("actions")
    if not isinstance(actions, Mapping):
        return {}
    return {str(action): count for action, count in actions.items() if isinstance(count, int)}
