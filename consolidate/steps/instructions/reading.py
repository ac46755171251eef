"""Read a folded text: which senses occur where, in which sentence, and whether a verb stands where an order begins."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from consolidate.steps.instructions.lexicon import UNSPACED, WORD, Lexicon, Meaning

STEP: Final = 2
"""Distance of two neighbouring words; an unknown character of an unspaced script is half a word."""

ANY: Final = "any language"

STRUCTURAL: Final = frozenset({"dest", "tool", "colon"})
"""What is the same in every language: an address, the name of a tool, a colon."""

_SENTENCE_GAP = 1000
_SHORT_SENTENCE = 3
_STRONG_LEADS = frozenset({"lead", "oblige", "urge", "remember_to", "turn", "note_to", "when_asked", "hence"})
_WEAK_LEADS = frozenset({"always", "not", "agent"})
_ADDRESSES = frozenset({"you", "own", "oblige"})

_TOOL = (
    "(?:send|delete|remove|http|post|get|read|write|exec|execute|run|drop|transfer|fetch|upload|create|update|forward|export|grant"
    "|make|list|search|move|copy|open|browse|wire|pay|purchase|query|call|shell|file|web|sql|email|bash)_[a-z0-9_]{2,40}"
)

_TOKEN = re.compile(
    rf"(?P<dest>https?://|\bwww\.(?=\w)|(?<=\w)(?:@|\[at\]|\(at\)|\{{at\}})(?=\w))"
    rf"|(?P<tool>\b{_TOOL})"
    rf"|(?P<unspaced>[{UNSPACED}]+)"
    rf"|(?P<word>[{WORD}]+)"
    r"|(?P<end>[.!?;]+(?=[\s\"')\]]|$)|[.!?](?=[^\x00-\x7f])|\n\s*\n)"
    r"|(?P<colon>:)|(?P<quote>\")"
    r"|(?P<clause>[,\n()\[\]{}<>|#=*-])"
)


class Hit(NamedTuple):
    """One word or phrase of the tables found in a text.

    Args:
        sense: a sense of `senses`, with ``!`` where an order can begin here; or ``dest``, ``tool``, ``colon``.
        language: the language in which it has that sense; `ANY` for what is the same in all.
        place: where it stands; two neighbouring words are `STEP` apart, sentences far apart.
        sentence: the number of its sentence.
    """

    sense: str
    language: str
    place: int
    sentence: int


class _Known(NamedTuple):
    index: int
    place: int
    sentence: int
    starts_clause: bool
    keys: tuple[str, ...]


@dataclass
class Reading:
    """All hits of a text in order, and what tells reported speech from direct address, by (sentence, language)."""

    hits: list[Hit] = field(default_factory=list)
    verb_final: frozenset[str] = frozenset()
    reports: dict[tuple[int, str], int] = field(default_factory=dict)
    reported_throughout: set[tuple[int, str]] = field(default_factory=set)
    addressed: set[tuple[int, str]] = field(default_factory=set)
    quotes: dict[int, list[int]] = field(default_factory=dict)

    def narrated(self, sentence: int, language: str, first: int) -> bool:
        """Tell whether what stands at place `first` of `sentence` is told of somebody and not addressed to the reader."""
        here = (sentence, language)
        report = self.reports.get(here)
        if here not in self.reported_throughout and (report is None or report >= first):
            return False
        return here not in self.addressed

    def note(self, meaning: Meaning, word: _Known, *, fresh: bool) -> None:
        """Enter one meaning of a phrase that begins with `word`, and its use as an order where that can be meant."""
        sense, language, order = meaning
        self.hits.append(Hit(sense, language, word.place, word.sentence))
        if fresh or order:
            self.hits.append(Hit(f"{sense}!", language, word.place, word.sentence))
        for here in (word.sentence, language), (word.sentence, ANY):
            if sense == "report":
                self.reports.setdefault(here, word.place)
                if language in self.verb_final:
                    self.reported_throughout.add(here)
            elif sense in _ADDRESSES and not self._quoted(here, word.place):
                self.addressed.add(here)

    def _quoted(self, here: tuple[int, str], place: int) -> bool:
        """Tell whether a quotation begins between a word that reports speech and `place`."""
        report = self.reports.get(here)
        return report is not None and any(report < quote <= place for quote in self.quotes.get(here[0], ()))


def read(folded: str, lexicon: Lexicon) -> Reading:
    """Return the reading of a folded text. Linear in its length."""
    reading = Reading(verb_final=lexicon.verb_final)
    known = list(_known_words(folded, lexicon, reading))
    led: defaultdict[str, int] = defaultdict(lambda: -2)
    for number, word in enumerate(known):
        if word.keys[0] in STRUCTURAL:
            reading.hits.append(Hit(word.keys[0], ANY, word.place, word.sentence))
            continue
        for meaning, end in _phrases(known, number, lexicon):
            fresh = word.starts_clause or led[meaning.language] == word.index
            if meaning.sense in _STRONG_LEADS or (fresh and meaning.sense in _WEAK_LEADS):
                led[meaning.language] = max(led[meaning.language], end)
            reading.note(meaning, word, fresh=fresh)
    return reading


def _known_words(folded: str, lexicon: Lexicon, reading: Reading) -> Iterator[_Known]:
    """Yield the words that the lexicon knows, with destinations, tool names and colons among them."""
    index = place = sentence = length = 0
    fresh = True
    for token in _TOKEN.finditer(folded):
        kind = token.lastgroup or ""
        if kind in STRUCTURAL:
            yield _Known(-1, place, sentence, False, (kind,))
        if kind == "word":
            words = [token.group()]
        elif kind == "unspaced":
            words = lexicon.unspaced_word.findall(token.group())
        elif kind == "tool":
            words = token.group().split("_")
        else:
            fresh = fresh or kind != "dest"
            if kind in {"quote", "colon"}:
                reading.quotes.setdefault(sentence, []).append(place)
            elif kind == "end":
                if length >= _SHORT_SENTENCE:
                    place += _SENTENCE_GAP
                    sentence += 1
                length = 0
            continue
        for word in words:
            keys = lexicon.keys(word)
            if keys:
                yield _Known(index, place, sentence, fresh, keys)
            index += 1
            length += 1
            place += STEP if keys or kind != "unspaced" else STEP // 2
            fresh = False


def _phrases(known: list[_Known], number: int, lexicon: Lexicon) -> Iterator[tuple[Meaning, int]]:
    """Yield every meaning of every phrase that begins with a known word, and the index of the word after it."""
    nodes = [lexicon.root]
    index = known[number].index
    while nodes and number < len(known):
        word = known[number]
        number += 1
        if word.index == -1:
            continue
        if word.index != index:
            return
        nodes = [node.after[key] for node in nodes for key in word.keys if key in node.after]
        index += 1
        for node in nodes:
            for meaning in node.meanings:
                yield meaning, index
