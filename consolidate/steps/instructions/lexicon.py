"""Word tables of all languages, made into one dictionary that is looked up word by word."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from consolidate.steps.instructions.folding import fold, latin_spelling, visible
from consolidate.steps.instructions.senses import Sense

UNSPACED: Final = "\u3005-\u3007\u3031-\u3035\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff"
"""Scripts written without spaces between words: Han and Kana."""

WORD: Final = "0-9a-z\u00c0-\u1fff\u2c00-\u2dff\u3130-\u318f\ua640-\ua7ff\ua8e0-\uabff\uac00-\ud7ff"
"""Letters, marks and digits of folded words in the other scripts."""

_ANY_WORD = re.compile(f"[{UNSPACED}]+|[{WORD}]+")
_UNSPACED_WORD = re.compile(f"[{UNSPACED}]+")
_LONGEST_PREFIX = 24
_ARTICLES = ("وال", "بال", "فال", "كال", "ال", "لل", "و", "ب", "ل", "ف")


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

    def terms(self) -> Iterable[tuple[Sense, str]]:
        """Yield every (sense, term) of the table in its folded spelling; German umlauts also as two letters."""
        for sense, table in self.words.items():
            for term in table.split(","):
                spellings = {term.strip()}
                if self.name == "German":
                    spellings.add(re.sub("[äöü]", lambda m: {"ä": "ae", "ö": "oe", "ü": "ue"}[m.group()], term.strip()))
                for spelling in sorted(spellings):
                    yield sense, fold(visible(spelling))


class Meaning(NamedTuple):
    """What a phrase can mean in one language.

    Args:
        sense: one of `senses.SENSES`.
        language: the name of the language.
        order: whether it may give an order wherever it stands.
    """

    sense: str
    language: str
    order: bool


@dataclass
class Node:
    """Words that may come next in a phrase, and the meanings of the phrase that ends here."""

    after: dict[str, Node] = field(default_factory=dict)
    meanings: set[Meaning] = field(default_factory=set)


class Lexicon:
    """All word tables together.

    A word is known by its *keys*: itself, and every ``beginning*`` of the tables that it starts with; a phrase is a path
    of keys.
    """

    def __init__(self, languages: Iterable[Language]) -> None:
        self.root = Node()
        self._words: set[str] = set()
        self._prefixes: set[str] = set()
        self._known: dict[str, tuple[str, ...]] = {}
        languages = tuple(languages)
        self.verb_final = frozenset(language.name for language in languages if language.verb_final)
        unspaced: set[str] = set()
        for language in languages:
            for sense, term in language.terms():
                self._add(term, Meaning(sense, language.name, sense in language.orders_anywhere))
                unspaced.update(_UNSPACED_WORD.findall(term))
        self.unspaced_word = re.compile(f"{trie_pattern(unspaced)}|.", re.DOTALL)

    def _add(self, term: str, meaning: Meaning) -> None:
        node = self.root
        words = _ANY_WORD.findall(term)
        for place, word in enumerate(words):
            is_prefix = term.endswith("*") and place == len(words) - 1
            (self._prefixes if is_prefix else self._words).add(word)
            node = node.after.setdefault(f"{word}*" if is_prefix else word, Node())
        node.meanings.add(meaning)

    def keys(self, word: str) -> tuple[str, ...]:
        """Return the keys under which a folded word is known; none for most words."""
        keys = self._known.get(word)
        if keys is None:
            keys = self._known[word] = tuple(self._find_keys(word))
            if len(self._known) > 100_000:
                self._known.clear()
        return keys

    def _find_keys(self, word: str) -> Iterable[str]:
        for form in _forms(word):
            if form in self._words:
                yield form
            for end in range(1, min(len(form), _LONGEST_PREFIX) + 1):
                if form[:end] in self._prefixes:
                    yield f"{form[:end]}*"


def _forms(word: str) -> set[str]:
    """Return the ways in which a word may be meant: as it is, with look-alike letters, without an Arabic article."""
    forms = {word, word.replace("l", "i"), word.replace("i", "l")}
    if not word.isascii():
        forms.add(latin_spelling(word))
        forms.update(word.removeprefix(article) for article in _ARTICLES if len(word) - len(article) > 2)
    return forms


def trie_pattern(words: Iterable[str]) -> str:
    """Return a regular expression for the longest of `words` at a place, as a tree in which no letter is tried twice."""
    heads: dict[str, set[str]] = {}
    optional = False
    for word in words:
        if word:
            heads.setdefault(word[0], set()).add(word[1:])
        else:
            optional = True
    branches = [re.escape(head) + trie_pattern(rest) for head, rest in sorted(heads.items())]
    if not branches:
        return ""
    return f"(?:{'|'.join(branches)}){'?' if optional else ''}"
