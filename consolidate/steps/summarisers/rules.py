"""The rules summariser: regular expressions over episode summaries (DESIGN section 6, ``[[promote.rules]]``)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from consolidate.config import PromoteSettings
from consolidate.model import Episode
from consolidate.store.values import normal_form


class RulesSummariser:
    """Proposes a value for each rule whose pattern occurs in a user's episodes.

    A rule with a named group ``value`` proposes each distinct value found (by normal form, spelled as it was found
    first), with the episodes it was found in.
    """

    def __init__(self, settings: PromoteSettings) -> None:
        self._rules = [(rule, re.compile(rule.pattern)) for rule in settings.rules]

    def __call__(self, user_id: str, episodes: Sequence[Episode]) -> Iterable[Mapping[str, Any]]:
        """Return the candidates of one user."""
        for rule, pattern in self._rules:
            found: dict[str, tuple[str, list[str]]] = {}
            for episode in episodes:
                for value in self._values(rule.value, pattern, episode.summary):
                    _, evidence = found.setdefault(normal_form(value), (value, []))
                    if episode.id not in evidence[-1:]:
                        evidence.append(episode.id)
            for value, evidence in found.values():
                yield {
                    "attribute": rule.attribute,
                    "value": value,
                    "evidence": evidence,
                    "multi": rule.multi,
                    "min_support": rule.min_support,
                    "min_days": rule.min_days,
                }

    @staticmethod
    def _values(fixed: str | None, pattern: re.Pattern[str], summary: str) -> Iterable[str]:
        if fixed is not None:
            return [fixed] if pattern.search(summary) else []
        values = (match.group("value") for match in pattern.finditer(summary))
        return [value for value in values if value and value.strip()]
