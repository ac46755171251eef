"""Instructions whose words are run together or broken up, so that no words are left to read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from consolidate.steps.instructions.lexicon import UNSPACED, Language
from consolidate.steps.instructions.senses import Sense

LINKS: Final[tuple[Sense, ...]] = ("prior", "own", "all")
"""One of these stands in every such instruction: ignore *all previous* rules."""

PAIRS: Final[tuple[tuple[str, Sense, Sense], ...]] = (
    ("override", "ignore", "rules"),
    ("override", "ignore", "system_rules"),
    ("reveal", "reveal", "secret"),
)
"""Category, verb and object of the instructions looked for."""

_KINDS: Final[tuple[Sense, ...]] = (*LINKS, "ignore", "rules", "system_rules", "reveal", "secret")
_BITS: Final[dict[Sense, int]] = {sense: 1 << bit for bit, sense in enumerate(_KINDS)}
_LINK = sum(_BITS[sense] for sense in LINKS)
_ORDERS = tuple((category, _BITS[verb] | _BITS[thing]) for category, verb, thing in PAIRS)

_GAP = 3
_HEAD = 3
_SYLLABLES = 2
_FIRST_SYLLABLE = "\uac00"
_LONGEST_CHAIN = 8
_MANY_CHAINS = 1000
_LETTERS = re.compile(r"[^\W_]+")
_UNSPACED = re.compile(f"[{UNSPACED}]")


class _Found(NamedTuple):
    """A known word at its place in the letters of a text."""

    word: str
    start: int
    end: int
    senses: int


class _Chain(NamedTuple):
    """Known words close behind each other, and the senses they have together, as bits."""

    words: tuple[_Found, ...] = ()
    senses: int = 0

    def and_then(self, found: _Found) -> _Chain:
        """Return this chain with one more word, without its first one if it becomes too long."""
        if len(self.words) < _LONGEST_CHAIN:
            return _Chain((*self.words, found), self.senses | found.senses)
        words = (*self.words[1:], found)
        senses = 0
        for word in words:
            senses |= word.senses
        return _Chain(words, senses)


class Unspaced:
    """A search for chains of known words in a text without its spaces, at most a few letters apart.

    Args:
        languages: the languages whose words are looked for; scripts without spaces need no such search.
    """

    def __init__(self, languages: Sequence[Language]) -> None:
        self._senses: dict[str, int] = {}
        self._spaces: dict[str, set[int]] = {}
        self._heads: dict[str, list[str]] = {}
        for sense in _BITS:
            for language in languages:
                for term in language.terms(sense):
                    self._add(_LETTERS.findall(term), sense)
        for word in sorted(self._senses, key=len, reverse=True):
            self._heads.setdefault(word[: _SYLLABLES if word >= _FIRST_SYLLABLE else _HEAD], []).append(word)

    def _add(self, parts: list[str], sense: Sense) -> None:
        word = "".join(parts)
        shortest = _SYLLABLES if word >= _FIRST_SYLLABLE else _HEAD if sense in LINKS else _HEAD + 1
        if len(word) < shortest or _UNSPACED.search(word):
            return
        self._senses[word] = self._senses.get(word, 0) | _BITS[sense]
        spaces = self._spaces.setdefault(word, set())
        for number in range(1, len(parts)):
            spaces.add(sum(map(len, parts[:number])))

    def find(self, folded: str) -> str | None:
        """Return the category of an instruction written without proper spaces in a folded text, or None."""
        letters = "".join(_LETTERS.findall(folded))
        breaks: set[int] | None = None
        chains: dict[int, _Chain] = {}
        heads = self._heads
        for start, letter in enumerate(letters):
            words = heads.get(letters[start : start + (_HEAD if letter < _FIRST_SYLLABLE else _SYLLABLES)])
            for word in words or ():
                if not letters.startswith(word, start):
                    continue
                chain = _widest_before(chains, start).and_then(
                    _Found(word, start, start + len(word), self._senses[word])
                )
                rival = chains.get(start + len(word))
                if rival is None or chain.senses.bit_count() > rival.senses.bit_count():
                    chains[start + len(word)] = chain
                category = _category(chain.senses)
                if category:
                    breaks = breaks or _breaks(folded)
                    if self._misspaced(chain, breaks):
                        return category
            if len(chains) > _MANY_CHAINS:
                chains = {end: chain for end, chain in chains.items() if end >= start - _GAP}
        return None

    def _misspaced(self, chain: _Chain, breaks: set[int]) -> bool:
        """Tell whether a word of the chain is broken up, or two are run together."""
        for word, start, end, _ in chain.words:
            spaces = self._spaces[word]
            if any(place in breaks and place - start not in spaces for place in range(start + 1, end)):
                return True
        return any(breaks.isdisjoint(range(before.end, after.start + 1)) for before, after in pairwise(chain.words))


def _widest_before(chains: dict[int, _Chain], start: int) -> _Chain:
    """Return the chain with the most senses among those that end close enough before `start`."""
    widest = _Chain()
    for end in range(start - _GAP, start + 1):
        chain = chains.get(end)
        if chain is not None and chain.senses.bit_count() >= widest.senses.bit_count():
            widest = chain
    return widest


def _category(senses: int) -> str | None:
    """Return what kind of instruction the senses of a chain make, if any."""
    if senses & _LINK:
        for category, needed in _ORDERS:
            if senses & needed == needed:
                return category
    return None


def _breaks(folded: str) -> set[int]:
    """Return where words begin, counted in letters."""
    breaks = {0}
    place = 0
    for run in _LETTERS.finditer(folded):
        breaks.add(place)
        place += len(run.group())
    return breaks
