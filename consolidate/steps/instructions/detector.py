"""Decide whether a text is an instruction to the agent instead of a fact about a user (DESIGN section 3, promote)."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import Final

from consolidate.steps.instructions.disguises import HUMP, Ciphers, undisguised
from consolidate.steps.instructions.finding import Finding
from consolidate.steps.instructions.folding import fold, joined_letters, visible, without_leetspeak
from consolidate.steps.instructions.languages import LANGUAGES
from consolidate.steps.instructions.lexicon import Lexicon
from consolidate.steps.instructions.markers import find_marker
from consolidate.steps.instructions.reader import Reader
from consolidate.steps.instructions.reading import read
from consolidate.steps.instructions.rules import REASONS, RULES
from consolidate.steps.instructions.senses import Sense
from consolidate.steps.instructions.unspaced import Unspaced

MAX_LAYERS: Final = 4
"""How many encodings inside each other are undone; a text with more of them is refused unread."""

MAX_UNFOLDING: Final = 6
"""How many times the length of a text its undone encodings may have together before it is refused unread."""

_NOT_A_LETTER = re.compile(r"[\W_]+")
_WORTH_HIDING = 16
_BETWEEN_SENTENCES = re.compile(r"(?<=[.!?])[ \n]+(?=\S\S)")
_AGENT_RULES: Final[frozenset[Sense]] = frozenset({"system_rules"})
_AGENT: Final[frozenset[Sense]] = frozenset({"agent"})
_RULES: Final[frozenset[Sense]] = frozenset({"rules"})
_OPENINGS: Final[frozenset[Sense]] = frozenset(
    {"always", "not", "hence", "oblige", "urge", "when_asked", "turn", "remember_to"}
)


def find_instruction(text: str) -> Finding | None:
    """Return what makes `text` an instruction to the agent, or None for anything else.

    The whole text is looked at, in time linear in its length, in every supported language at once and under every
    disguise that `folding` and `disguises` know.

    Args:
        text: any text, of any length.
    """
    return _find(text, summary=False)


def find_in_summary(summary: str) -> Finding | None:
    """Return what makes the summary of an episode an instruction to its reader, or None.

    A summary tells what people said, so an instruction *reported* there ("Maya asked the assistant to always book aisle
    seats") is a fact about them; only one that is addressed to the reader counts.
    """
    return _find(summary, summary=True)


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
    name = HUMP.sub(" ", attribute)
    return (
        _agent_attribute(name)
        or find_instruction(name)
        or find_instruction(value)
        or _together(name, value)
        or next(filter(None, map(find_in_summary, summaries)), None)
    )


def _find(text: str, *, summary: bool) -> Finding | None:
    """Look at a text and at everything found under its disguises, breadth first."""
    waiting: deque[tuple[str, tuple[str, ...], bool]] = deque([(text, (), True)])
    seen = {text}
    allowance = MAX_UNFOLDING * len(text) + 1000
    while waiting:
        layer, worn, surface = waiting.popleft()
        shown = visible(layer)
        category = find_marker(shown, summary=summary)
        finding = _finding(category) if category else _words(fold(shown), summary=summary)
        if finding:
            return Finding(finding.category, ", ".join((finding.reason, *(f"hidden by {name}" for name in worn))))
        for name, found, payload in undisguised(layer, surface=surface):
            if len(worn) == MAX_LAYERS:
                if payload and len(found) >= _WORTH_HIDING:
                    return _finding("encoded")
            elif found not in seen:
                seen.add(found)
                allowance -= len(found)
                waiting.append((found, (*worn, name), payload))
        if allowance < 0:
            return _finding("encoded")
    return None


def _finding(category: str, disguise: str = "") -> Finding:
    return Finding(category, REASONS[category] + (f", hidden by {disguise}" if disguise else ""))


def _words(folded: str, *, summary: bool) -> Finding | None:
    """Apply the rules to a folded text in each spelling it can be read in."""
    reported = False
    for disguise, spelling in _spellings(folded):
        verdict = read(_reader(), spelling, summary=summary)
        if verdict.rule:
            return _finding(verdict.rule.category, disguise)
        reported = reported or verdict.reported
    category = None if reported else _unspaced().find(folded)
    return _finding(category, "missing spaces") if category else None


def _spellings(folded: str) -> Iterator[tuple[str, str]]:
    """Yield (disguise, text) for the text as it is and for what it is without the disguises that change letters."""
    yield "", folded
    sentences = _BETWEEN_SENTENCES.split(folded)
    clear = [_lexicon().parted(without_leetspeak(joined_letters(sentence))) for sentence in sentences]
    changed = {number for number, sentence in enumerate(sentences) if sentence != clear[number]}
    if changed:
        near = sorted(changed | {number + step for number in changed for step in (-1, 1)})
        yield "signs or spaces out of place", " ".join(clear[number] for number in near if 0 <= number < len(clear))
    yield from _ciphers().undone(folded)


def _together(name: str, value: str) -> Finding | None:
    """Read attribute and value as one sentence.

    The name of an attribute is a noun unless it begins as only an order does, and a noun may look like a verb; so only the
    rules that common words cannot satisfy are applied.
    """
    if _words_with(name, _OPENINGS):
        return _words(fold(visible(f"{name} {value}")), summary=False)
    verdict = read(_strict_reader(), fold(visible(f"about {name} is {value}")), summary=False)
    return _finding(verdict.rule.category) if verdict.rule else None


def _agent_attribute(name: str) -> Finding | None:
    """Refuse an attribute that names the agent's own instructions."""
    if _words_with(name, _AGENT_RULES) or (_words_with(name, _AGENT) and _words_with(name, _RULES)):
        return _finding("agent_address")
    return None


@lru_cache(maxsize=64)
def _words_with(name: str, senses: frozenset[Sense]) -> bool:
    """Tell whether a name holds a phrase with one of some senses."""
    padded = f" {_NOT_A_LETTER.sub(' ', fold(visible(name)))} "
    return any(f" {term} " in padded for term in _terms(senses))


@cache
def _terms(senses: frozenset[Sense]) -> frozenset[str]:
    return frozenset(term for language in LANGUAGES for sense in senses for term in language.terms(sense))


@cache
def _lexicon() -> Lexicon:
    return Lexicon(LANGUAGES)


@cache
def _reader() -> Reader:
    return Reader(_lexicon(), LANGUAGES, RULES)


@cache
def _strict_reader() -> Reader:
    return Reader(_lexicon(), LANGUAGES, [rule for rule in RULES if not rule.reportable])


@cache
def _unspaced() -> Unspaced:
    return Unspaced(LANGUAGES)


@cache
def _ciphers() -> Ciphers:
    return Ciphers(_lexicon().vocabulary)
