"""Word tables of all languages, made into one tree that is looked up word by word."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from consolidate.steps.instructions.folding import fold, latin_spelling, visible
from consolidate.steps.instructions.senses import Sense

UNSPACED: Final = "\u3005-\u3007\u3031-\u3035\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff"
"""Scripts written without spaces between words: Han and Kana."""

WORD: Final = "0-9a-z\u00c0-\u1fff\u2c00-\u2dff\u3130-\u318f\ua640-\ua7ff\ua8e0-\uabff\uac00-\ud7ff"
"""Letters, marks and digits of folded words in the other scripts."""

_ANY_WORD = re.compile(f"[{UNSPACED}]+|[{WORD}]+")
_UNSPACED_WORD = re.compile(f"[{UNSPACED}]+")
_HEAD = 2
_PART = 3
_ARTICLES = ("وال", "بال", "فال", "كال", "ال", "لل", "و", "ب", "ل", "ف")
_SKELETON = str.maketrans("i1|", "lll")
_LONG_WORD = 6
_LONGEST_WORD = 40
_SINGLE_LETTERS = re.compile(r"(?<!\S)\S(?: \S)+(?!\S)")
_RUN_TOGETHER = re.compile(f"[{WORD}]{{14,}}")
_TWO_LETTERS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})


@dataclass(frozen=True)
class Language:
    """The word table of one language.

    Args:
        name: the English name of the language.
        words: for each sense its words and phrases, separated by commas; a final ``*`` stands for any ending.
        orders_anywhere: senses whose verbs may give an order wherever they stand: all of them where the verb comes last and
            its form alone tells an order. Elsewhere an order begins with its verb.
    """

    name: str
    words: Mapping[Sense, str]
    orders_anywhere: frozenset[str] = frozenset()

    @property
    def verb_final(self) -> bool:
        """Whether the verb comes last."""
        return "steer" in self.orders_anywhere

    def terms(self, sense: Sense) -> Iterator[str]:
        """Yield the terms of a sense in their folded spelling; German umlauts also as two letters."""
        table = self.words.get(sense, "")
        if self.name == "German":
            table = f"{table}, {table.translate(_TWO_LETTERS)}"
        for term in fold(visible(table)).split(","):
            if stripped := term.strip():
                yield stripped


def combined(firsts: str, seconds: str) -> str:
    """Return a table of all phrases of one word of `firsts` and one of `seconds`."""
    return ", ".join(
        f"{first.strip()} {second.strip()}" for first in firsts.split(",") for second in seconds.split(",")
    )


@dataclass(slots=True, eq=False)
class Node:
    """Words that may come next in a phrase, and what the phrase that ends here means: (language, its senses in it)."""

    after: dict[str, Node] = field(default_factory=dict)
    meanings: list[tuple[Language, frozenset[str]]] = field(default_factory=list)


class Lexicon:
    """All word tables together: a tree of phrases, and the words that occur in them."""

    def __init__(self, languages: Iterable[Language]) -> None:
        self.root = Node()
        self.vocabulary: set[str] = set()
        self._beginnings: dict[str, set[str]] = {}
        meanings: dict[str, list[tuple[Language, frozenset[str]]]] = {}
        for language in languages:
            by_term: dict[str, set[str]] = {}
            for sense in language.words:
                for term in language.terms(sense):
                    by_term.setdefault(term, set()).add(sense)
            for term, senses in by_term.items():
                meanings.setdefault(term, []).append((language, frozenset(senses)))
        self.unspaced_word = _unspaced_words(meanings)
        for term, meant in meanings.items():
            self._add(term).meanings.extend(meant)
        self._look_alikes: dict[str, set[str]] = {}
        self._heads: dict[str, list[str]] = {}
        for word in sorted(self.vocabulary, key=len, reverse=True):
            if len(word) >= _LONG_WORD and word != word.translate(_SKELETON):
                self._look_alikes.setdefault(word.translate(_SKELETON), set()).add(word)
            if len(word) >= _PART and not word.endswith("*") and not _UNSPACED_WORD.match(word):
                self._heads.setdefault(word[:_PART], []).append(word)

    def words(self, text: str) -> list[str]:
        """Return the words of a folded text; runs of unspaced scripts are cut into the words known, else into characters."""
        words = []
        for run in _ANY_WORD.findall(text):
            words += self.unspaced_word.findall(run) if _UNSPACED_WORD.match(run) else [run]
        return words

    def _add(self, term: str) -> Node:
        node = self.root
        words = self.words(term)
        if term.endswith("*"):
            self._beginnings.setdefault(words[-1][:_HEAD], set()).add(words[-1])
            words[-1] += "*"
        for word in words:
            self.vocabulary.add(word)
            node = node.after.setdefault(word, Node())
        return node

    def keys(self, word: str) -> Iterator[str]:
        """Yield the keys under which phrases hold a folded word: itself, and every ``beginning*`` that it starts with."""
        forms = _forms(word)
        forms |= self._look_alikes.get(word.translate(_SKELETON), set()) if len(word) < _LONGEST_WORD else set()
        for form in forms:
            if form in self.vocabulary:
                yield form
            for head in {form[:1], form[:_HEAD]}:
                for beginning in self._beginnings.get(head, ()):
                    if form.startswith(beginning):
                        yield f"{beginning}*"

    def parted(self, folded: str) -> str:
        """Return a folded text in which words that are run together have spaces between them."""
        return _RUN_TOGETHER.sub(lambda run: self._part(run.group()), folded)

    def _part(self, run: str) -> str:
        """Cut a run of letters so that known words cover most of it, long ones first."""
        score = [0] * (len(run) + 1)
        came_from = list(range(-1, len(run)))
        for start in range(len(run)):
            if score[start] > score[start + 1]:
                score[start + 1], came_from[start + 1] = score[start], start
            for word in self._heads.get(run[start : start + _PART], ()):
                end = start + len(word)
                if run.startswith(word, start) and score[start] + len(word) - 1 > score[end]:
                    score[end], came_from[end] = score[start] + len(word) - 1, start
        if score[-1] * 2 < len(run):
            return run
        parts, end = [], len(run)
        while end:
            parts.append(run[came_from[end] : end])
            end = came_from[end]
        return _SINGLE_LETTERS.sub(lambda letters: letters.group().replace(" ", ""), " ".join(reversed(parts)))


def _forms(word: str) -> set[str]:
    """Return the ways in which a word may be meant: as it is, with look-alike letters, without an Arabic article."""
    forms = {word}
    if word.startswith("l"):
        forms.add("i" + word[1:])
    if not word.isascii():
        forms.add(latin_spelling(word))
        forms.update(word.removeprefix(article) for article in _ARTICLES if len(word) - len(article) > 2)
    return forms


def _unspaced_words(terms: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern for the next word of a text in an unspaced script: the longest known one, else one character.

    A term that consists of other terms is no word but a phrase, lest it hide them.
    """
    candidates = {run for term in terms for run in _UNSPACED_WORD.findall(term)}
    words: set[str] = set()
    for candidate in sorted(candidates, key=len):
        ends = {0}
        for start in range(len(candidate)):
            if start in ends:
                ends.update(end for end in range(start + _HEAD, len(candidate) + 1) if candidate[start:end] in words)
        if len(candidate) not in ends:
            words.add(candidate)
    return re.compile(f"{_trie_pattern(words)}|.", re.DOTALL)


def _trie_pattern(words: Iterable[str]) -> str:
    """Return a regular expression for the longest of `words` at a place, as a tree in which no letter is tried twice."""
    heads: dict[str, set[str]] = {}
    optional = False
    for word in words:
        if word:
            heads.setdefault(word[0], set()).add(word[1:])
        else:
            optional = True
    branches = [re.escape(head) + _trie_pattern(rest) for head, rest in sorted(heads.items())]
    if not branches:
        return ""
    return f"(?:{'|'.join(branches)}){'?' if optional else ''}"
