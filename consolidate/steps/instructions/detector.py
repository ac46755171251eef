"""Decide whether a text is an instruction to the agent instead of a fact about a user (DESIGN section 3, promote)."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Final

from consolidate.steps.instructions.disguises import Ciphers, undisguised
from consolidate.steps.instructions.finding import Finding
from consolidate.steps.instructions.folding import fold, joined_letters, visible, without_leetspeak
from consolidate.steps.instructions.languages import LANGUAGES
from consolidate.steps.instructions.lexicon import Lexicon, trie_pattern
from consolidate.steps.instructions.markers import find_marker
from consolidate.steps.instructions.reading import STEP, Reading, read
from consolidate.steps.instructions.rules import REASONS, RULES, TIGHT, TIGHT_LINKS, Rule

MAX_LAYERS: Final = 4
"""How many encodings inside each other are undone."""

MAX_UNFOLDING: Final = 6
"""How many times the length of a text its undone encodings may have together before it is refused unread."""

_CAMEL_CASE = re.compile(r"(?<=[a-z])(?=[A-Z])")
_NOT_A_LETTER = re.compile(r"[\W_]+")


def find_instruction(text: str) -> Finding | None:
    """Return what makes `text` an instruction to the agent, or None for anything else.

    The whole text is looked at, in time linear in its length, in every supported language at once and under every
    disguise that `folding` and `disguises` know.

    Args:
        text: any text, of any length.
    """
    return _find(text, summary=False)


def check_candidate(attribute: str, value: str, summaries: Sequence[str]) -> Finding | None:
    """Return why a candidate for promotion must be refused as an instruction, or None.

    The attribute and the value must be free of instructions, apart and read together. A summary tells what people said,
    so an instruction *reported* there ("Maya asked the assistant to always book aisle seats") is a fact about them; only one
    that is addressed to the reader counts.

    Args:
        attribute: the attribute of the candidate.
        value: its value.
        summaries: the summaries of the episodes cited as its evidence.
    """
    name = _CAMEL_CASE.sub(" ", attribute)
    return (
        _agent_attribute(name)
        or find_instruction(name)
        or find_instruction(value)
        or _words(fold(visible(f"{name} {value}")), summary=False)
        or next(filter(None, (_find(summary, summary=True) for summary in summaries)), None)
    )


def _find(text: str, *, summary: bool) -> Finding | None:
    """Look at a text and at everything found under its disguises, breadth first."""
    waiting = deque([(text, 0, "")])
    allowance = MAX_UNFOLDING * len(text) + 1000
    while waiting:
        layer, depth, disguise = waiting.popleft()
        seen = visible(layer)
        category = find_marker(seen, summary=summary)
        finding = _finding(category) if category else _words(fold(seen), summary=summary)
        if finding:
            return Finding(finding.category, f"{finding.reason}, hidden by {disguise}") if disguise else finding
        for name, found in undisguised(layer) if depth < MAX_LAYERS else ():
            allowance -= len(found)
            if allowance < 0:
                return Finding("encoded", "is wrapped in more encodings than can be looked into")
            waiting.append((found, depth + 1, name))
    return None


def _finding(category: str) -> Finding:
    return Finding(category, REASONS[category])


def _words(folded: str, *, summary: bool) -> Finding | None:
    """Apply the rules to a folded text in each spelling it can be read in."""
    for disguise, spelling in _spellings(folded):
        reading = read(spelling, _lexicon())
        rule, reported = _match(reading, summary=summary)
        if rule:
            finding = _finding(rule.category)
            return Finding(finding.category, f"{finding.reason}, hidden by {disguise}") if disguise else finding
        if reported:
            return None
    letters = _NOT_A_LETTER.sub("", folded)
    for category, pattern in _tight_patterns():
        if pattern.search(letters):
            return _finding(category)
    return None


def _spellings(folded: str) -> Iterator[tuple[str, str]]:
    yield "", folded
    joined = joined_letters(folded)
    if joined != folded:
        yield "letters set apart", joined
    clear = without_leetspeak(joined)
    if clear is not None:
        yield "digits for letters", clear
    yield from _ciphers().undone(folded)


def _match(reading: Reading, *, summary: bool) -> tuple[Rule | None, bool]:
    """Return the first rule that the reading satisfies, and whether one was satisfied only by reported speech."""
    last: dict[str, int] = {}
    reported = False
    for sense, place, sentence in reading.hits:
        last[sense] = place
        for rule in _rules_of().get(sense, ()):
            places = {last.get(need, -10_000) for need in rule.needs}
            first = min(places)
            if first < 0 or place - first > rule.span * STEP or len(places) < len(rule.needs):
                continue
            if (rule.reportable or summary) and reading.narrated(sentence, first):
                reported = True
                continue
            return rule, reported
    return None, reported


def _agent_attribute(name: str) -> Finding | None:
    """Refuse an attribute that names the agent's own instructions."""
    senses = {hit.sense for hit in read(fold(visible(name)), _lexicon()).hits}
    if "system_rules" in senses or {"agent", "rules"} <= senses:
        return _finding("agent_address")
    return None


@cache
def _lexicon() -> Lexicon:
    return Lexicon(LANGUAGES)


@cache
def _rules_of() -> dict[str, list[Rule]]:
    """Return the rules by each sense they need."""
    by_sense: dict[str, list[Rule]] = {}
    for rule in RULES:
        for sense in rule.needs:
            by_sense.setdefault(sense, []).append(rule)
    return by_sense


@cache
def _ciphers() -> Ciphers:
    spellings = _lexicon().spellings
    return Ciphers(word for sense in ("ignore", "rules", "prior", "reveal", "secret") for word in spellings[sense])


@cache
def _tight_patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return patterns for an instruction written without spaces: verb, links, object, or the reverse order."""
    links = f"(?:.{{0,3}}?{_any_of(TIGHT_LINKS)}){{1,5}}?.{{0,5}}?"
    return tuple(
        (category, re.compile(f"{_any_of([verb])}{links}{_any_of([thing])}|{_any_of([thing])}.{{0,3}}?{_any_of([verb])}"))
        for category, verb, thing in TIGHT
    )


def _any_of(senses: Iterable[str]) -> str:
    spellings = _lexicon().spellings
    words = (_NOT_A_LETTER.sub("", term) for sense in senses for term in spellings[sense])
    return trie_pattern({word for word in words if len(word) > 1})
