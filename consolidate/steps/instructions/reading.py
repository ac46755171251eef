"""Read a folded text: which senses occur where, in which sentence, and whether a verb stands where an order begins."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from consolidate.steps.instructions.lexicon import UNSPACED, WORD, Lexicon

STEP: Final = 2
"""Distance of two neighbouring words; an unknown character of an unspaced script is half a word."""

_SENTENCE_GAP = 1000
_SHORT_SENTENCE = 3
_STRONG_LEADS = frozenset({"lead", "oblige", "remember_to", "turn", "note_to", "when_asked", "hence"})
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
        place: where it stands; two neighbouring words are `STEP` apart, sentences far apart.
        sentence: the number of its sentence.
    """

    sense: str
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
    """All hits of a text in order, and what tells reported speech from direct address."""

    hits: list[Hit]
    reports: dict[int, int]
    reported_throughout: set[int]
    addresses: dict[int, list[int]]
    quotes: dict[int, list[int]]

    def narrated(self, sentence: int, first: int) -> bool:
        """Tell whether what stands at place `first` of `sentence` is told of somebody and not addressed to the reader."""
        report = self.reports.get(sentence)
        if sentence not in self.reported_throughout and (report is None or report >= first):
            return False
        if any(quote < first for quote in self.quotes.get(sentence, ())):
            return True
        return not self.addresses.get(sentence)


def read(folded: str, lexicon: Lexicon) -> Reading:
    """Return the reading of a folded text. Linear in its length."""
    reading = Reading([], {}, set(), {}, {})
    known = list(_known_words(folded, lexicon, reading))
    lead_until = -1
    for number, word in enumerate(known):
        fresh = word.starts_clause or word.index == lead_until
        if word.keys[0] in _STRUCTURAL:
            reading.hits.append(Hit(word.keys[0], word.place, word.sentence))
            continue
        for senses, end in _phrases(known, number, lexicon):
            if senses & _STRONG_LEADS or (fresh and senses & _WEAK_LEADS):
                lead_until = max(lead_until, end)
            for sense in senses:
                _note(reading, sense, word, fresh)
    return reading


_STRUCTURAL = frozenset({"dest", "tool", "colon"})


def _known_words(folded: str, lexicon: Lexicon, reading: Reading) -> Iterator[_Known]:
    """Yield the words that the lexicon knows, with destinations, tool names and colons among them."""
    index = place = sentence = length = 0
    fresh = True
    for token in _TOKEN.finditer(folded):
        kind = token.lastgroup
        if kind == "word":
            words = [token.group()]
        elif kind == "unspaced":
            words = lexicon.unspaced_word.findall(token.group())
        else:
            if kind in _STRUCTURAL:
                yield _Known(-1, place, sentence, False, (kind or "",))
            if kind == "quote":
                reading.quotes.setdefault(sentence, []).append(place)
            if kind == "tool":
                words = token.group().split("_")
            elif kind == "end":
                if length >= _SHORT_SENTENCE:
                    place += _SENTENCE_GAP
                    sentence += 1
                length = 0
                fresh = True
                continue
            else:
                fresh = fresh or kind != "dest"
                continue
        for word in words:
            keys = lexicon.keys(word)
            if keys:
                yield _Known(index, place, sentence, fresh, keys)
            index += 1
            length += 1
            place += STEP if keys or kind != "unspaced" else STEP // 2
            fresh = False


def _phrases(known: list[_Known], number: int, lexicon: Lexicon) -> Iterator[tuple[set[str], int]]:
    """Yield the senses of every phrase that begins with a known word, and the index of the word after it."""
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
            if node.senses:
                yield node.senses, index


def _note(reading: Reading, sense: str, word: _Known, fresh: bool) -> None:
    """Enter one sense of a word, and its imperative form where one can stand."""
    plain = sense.removesuffix("!")
    reading.hits.append(Hit(plain, word.place, word.sentence))
    if fresh or plain != sense:
        reading.hits.append(Hit(f"{plain}!", word.place, word.sentence))
    if plain == "report":
        reading.reports.setdefault(word.sentence, word.place)
        if plain != sense:
            reading.reported_throughout.add(word.sentence)
    elif plain in _ADDRESSES:
        reading.addresses.setdefault(word.sentence, []).append(word.place)
