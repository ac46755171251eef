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

_GAP = 3
_HEAD = 3
_SYLLABLES = 2
_FIRST_SYLLABLE = "\uac00"
_LONGEST_CHAIN = 8
_LETTERS = re.compile(r"[^\W_]+")
_UNSPACED = re.compile(f"[{UNSPACED}]")


class _Found(NamedTuple):
    """A known word at its place in the letters of a text."""

    word: str
    start: int
    end: int


class Unspaced:
    """A search for chains of known words in a text without its spaces, at most a few letters apart.

    Args:
        languages: the languages whose words are looked for; scripts without spaces need no such search.
    """

    def __init__(self, languages: Sequence[Language]) -> None:
        self._senses: dict[str, set[Sense]] = {}
        self._spaces: dict[str, set[int]] = {}
        self._heads: dict[str, list[str]] = {}
        for sense in {*LINKS, *(sense for _, *pair in PAIRS for sense in pair)}:
            for language in languages:
                for term in language.terms(sense):
                    self._add(_LETTERS.findall(term), sense)
        for word in sorted(self._senses, key=len, reverse=True):
            self._heads.setdefault(_head(word, 0), []).append(word)

    def _add(self, parts: list[str], sense: Sense) -> None:
        word = "".join(parts)
        shortest = _SYLLABLES if word >= _FIRST_SYLLABLE else _HEAD if sense in LINKS else _HEAD + 1
        if len(word) < shortest or _UNSPACED.search(word):
            return
        self._senses.setdefault(word, set()).add(sense)
        spaces = self._spaces.setdefault(word, set())
        for number in range(1, len(parts)):
            spaces.add(sum(map(len, parts[:number])))

    def find(self, folded: str) -> str | None:
        """Return the category of an instruction written without proper spaces in a folded text, or None."""
        letters = "".join(_LETTERS.findall(folded))
        breaks: set[int] | None = None
        chain: list[_Found] = []
        place = end = 0
        last = len(letters) - _SYLLABLES
        while place <= last:
            for word in self._heads.get(_head(letters, place), ()):
                if letters.startswith(word, place):
                    break
            else:
                place += 1
                continue
            if place - end > _GAP:
                chain = []
            end = place + len(word)
            chain = [*chain[1 - _LONGEST_CHAIN :], _Found(word, place, end)]
            place = end
            category = self._category(chain)
            if category:
                breaks = breaks or _breaks(folded)
                if self._misspaced(chain, breaks):
                    return category
        return None

    def _category(self, chain: list[_Found]) -> str | None:
        senses = set().union(*(self._senses[found.word] for found in chain))
        if senses.isdisjoint(LINKS):
            return None
        return next((category for category, verb, thing in PAIRS if verb in senses and thing in senses), None)

    def _misspaced(self, chain: list[_Found], breaks: set[int]) -> bool:
        """Tell whether a word of the chain is broken up, or two are run together."""
        for word, start, end in chain:
            spaces = self._spaces[word]
            if any(place in breaks and place - start not in spaces for place in range(start + 1, end)):
                return True
        return any(breaks.isdisjoint(range(before.end, after.start + 1)) for before, after in pairwise(chain))


def _head(letters: str, place: int) -> str:
    """Return the letters by which a word that begins at `place` is looked up; a Hangul syllable counts for more."""
    return letters[place : place + (_SYLLABLES if letters[place] >= _FIRST_SYLLABLE else _HEAD)]


def _breaks(folded: str) -> set[int]:
    """Return where words begin, counted in letters."""
    breaks = {0}
    place = 0
    for run in _LETTERS.finditer(folded):
        breaks.add(place)
        place += len(run.group())
    return breaks
