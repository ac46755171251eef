"""What the detector says about a text it refuses."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    """An instruction to the agent where a fact about the user was expected.

    Args:
        category: one of the categories of `rules.RULES`, `markers.MARKERS` or `disguises`, such as ``override``.
        reason: one plain English sentence; it never repeats the text it is about.
    """

    category: str
    reason: str
