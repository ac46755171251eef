"""Summarisers: what turns the episodes of one user into candidates for promotion (DESIGN sections 3 and 6)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from consolidate.config import PromoteSettings
from consolidate.model import Episode
from consolidate.steps.plugins import load_callable
from consolidate.steps.summarisers.llm.summariser import ModelSummariser
from consolidate.steps.summarisers.rules import RulesSummariser

Summariser = Callable[[str, Sequence[Episode]], Iterable[Mapping[str, Any]]]


def load_summariser(settings: PromoteSettings) -> Summariser:
    """Return the summariser that the configuration names.

    Raises:
        ConfigError: it cannot be imported, or what it needs is not installed.
    """
    if settings.summariser == "rules":
        return RulesSummariser(settings)
    if settings.summariser == "llm":
        return ModelSummariser(settings)
    summariser: Summariser = load_callable(settings.summariser, "promote.summariser")
    return summariser
