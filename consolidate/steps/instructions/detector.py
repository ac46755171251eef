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
from consolidate.steps.instructions.reading import ANY, STEP, STRUCTURAL, Reading, read
from consolidate.steps.instructions.rules import REASONS, RULES, TIGHT, TIGHT_LINKS, Rule

MAX_LAYERS: Final = 4
"""How many encodings inside each other are undone."""

MAX_UNFOLDING: Final = 6
"""How many times the length of a text its undone encodings may have together before it is refused unread."""

_CAMEL_CASE = re.compile(r"(?<=[a-z])(?=[A-Z])")
_NOT_A_LETTER = re.compile(r"[\W_]+")
_LONG_WORD = re.compile(r"[^\W_]{14,}")
_TIGHT_LETTERS = 4
_OPENINGS = frozenset({"always", "not", "hence", "oblige", "urge", "when_asked", "turn", "remember_to"})


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
        or _together(name, value)
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
    return _unspaced(folded)


def _unspaced(folded: str) -> Finding | None:
    """Look for instructions whose words are run together or broken up, which leaves no words to read."""
    glued = "\n".join(word for word in _LONG_WORD.findall(folded))
    letters = _NOT_A_LETTER.sub("", folded)
    for category, pattern in _tight_patterns():
        if pattern.search(glued):
            return _finding(category)
        for match in pattern.finditer(letters):
            if match["verb"] not in folded or match["thing"] not in folded:
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
    last: dict[tuple[str, str], int] = {}
    reported = False
    for sense, language, place, sentence in reading.hits:
        last[sense, language] = last[sense, ANY] = place
        for rule in _rules_of().get(sense, ()):
            scope = ANY if rule.mixed else language
            first = _first_place(rule, last, scope, place)
            if first is None:
                continue
            if (rule.reportable or summary) and reading.narrated(sentence, scope, first):
                reported = True
                continue
            return rule, reported
    return None, reported


def _first_place(rule: Rule, last: dict[tuple[str, str], int], language: str, place: int) -> int | None:
    """Return where the words that satisfy `rule` at `place` begin, or None if it is not satisfied."""
    places = set()
    for need in rule.needs:
        found = last.get((need, ANY if need in STRUCTURAL else language), -1)
        if found < 0 or place - found > rule.span * STEP:
            return None
        places.add(found)
    return min(places) if len(places) == len(rule.needs) else None


def _together(name: str, value: str) -> Finding | None:
    """Read attribute and value as one sentence. The name of an attribute is a noun unless it begins as only an order does."""
    senses = {hit.sense for hit in read(fold(visible(name)), _lexicon()).hits}
    start = "" if senses & _OPENINGS else "about "
    return _words(fold(visible(f"{start}{name} {value}")), summary=False)


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
def _spelling(senses: tuple[str, ...], *, verb_final: bool | None = None) -> frozenset[str]:
    """Return all folded spellings of some senses, of all languages or only of those with or without the verb at the end."""
    return frozenset(
        term
        for language in LANGUAGES
        if verb_final in {None, language.verb_final}
        for sense, term in language.terms()
        if sense in senses
    )


@cache
def _ciphers() -> Ciphers:
    return Ciphers(_spelling(("ignore", "rules", "prior", "reveal", "secret")))


@cache
def _tight_patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return patterns for an instruction without its spaces: verb, links, object; or links, object, verb."""
    patterns = []
    for category, verb, thing in TIGHT:
        for verb_final in (False, True):
            link, verbs, things = (
                _any_of(_spelling(senses, verb_final=verb_final)) for senses in (TIGHT_LINKS, (verb,), (thing,))
            )
            links = f"(?:{link}.{{0,3}}?){{1,5}}?"
            pattern = f"{links}(?P<thing>{things}).{{0,5}}?(?P<verb>{verbs})" if verb_final else f"(?P<verb>{verbs}).{{0,3}}?{links}(?P<thing>{things})"
            patterns.append((category, re.compile(pattern)))
    return tuple(patterns)


def _any_of(terms: Iterable[str]) -> str:
    words = {_NOT_A_LETTER.sub("", term) for term in terms}
    return trie_pattern({word for word in words if len(word) >= _TIGHT_LETTERS})
