"""The word tables and the rules, made ready for reading: what each phrase does, and which rules a set of senses satisfies.

Senses are counted apart for each language (a *scope*), since words of one language are other words in another, and once
more over all languages together for the rules that say so.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from consolidate.steps.instructions.lexicon import Language, Lexicon, Node
from consolidate.steps.instructions.rules import Rule

STEP: Final = 2
"""Distance of two neighbouring words; an unknown character of an unspaced script is half a word."""

EVERYWHERE: Final = 0
"""The scope of all languages together; those of the languages follow it."""

SIGNS: Final = ("dest", "tool", "colon")
"""Needs of rules that no language has a word for: an address, the name of a tool, a colon."""

_STRONG_LEADS = frozenset({"lead", "oblige", "urge", "remember_to", "turn", "note_to", "when_asked", "hence"})
_WEAK_LEADS = frozenset({"always", "not", "agent"})
_ADDRESSES = frozenset({"you", "own", "oblige"})
_REMEMBERED = 50_000
_LONG_WORD = 64


class Senses(NamedTuple):
    """Senses as numbers, and as bits.

    Args:
        numbers: the numbers of the senses.
        here: the bits of those that matter in the scope of a language.
        everywhere: the bits of those that matter in the scope of all languages together.
    """

    numbers: tuple[int, ...]
    here: int
    everywhere: int


class Effect(NamedTuple):
    """What a phrase does in the scope of one language.

    Args:
        scope: the number of the language.
        senses: the senses it brings.
        as_order: the senses it brings where an order can begin.
        strong_lead: whether an order can begin after it.
        weak_lead: whether one can begin after it if one could before it.
        tells_who_speaks: whether it reports speech or addresses the reader.
        report: whether it reports speech.
        verb_final: whether the verb of the language comes last, so that a report ends its sentence.
    """

    scope: int
    senses: Senses
    as_order: Senses
    strong_lead: bool
    weak_lead: bool
    tells_who_speaks: bool
    report: bool
    verb_final: bool


class Word(NamedTuple):
    """A word of the tables.

    Args:
        effects: what it does by itself.
        begins: the phrases that it begins.
        keys: the keys under which other phrases hold it.
    """

    effects: tuple[Effect, ...]
    begins: tuple[Node, ...]
    keys: tuple[str, ...]


Needs = tuple[tuple[Rule, tuple[int, ...]], ...]


class Reader:
    """The lexicon and the rules, made ready for reading.

    Args:
        lexicon: the words of all languages.
        languages: the languages, each of which becomes a scope.
        rules: the rules, strongest first.
    """

    def __init__(self, lexicon: Lexicon, languages: Sequence[Language], rules: Sequence[Rule]) -> None:
        self.lexicon = lexicon
        self.scopes = {language.name: scope for scope, language in enumerate(languages, start=1)}
        names = sorted({need for rule in rules for need in (*rule.needs, rule.unless) if need}.union(SIGNS))
        self.number = {name: number for number, name in enumerate(names)}
        self.signs = frozenset(self.number[name] for name in SIGNS)
        self.widest = STEP * max(rule.span for rule in rules)
        self._rules = [(rule, tuple(self.number[need] for need in rule.needs)) for rule in rules]
        self._bits = [
            sum({1 << need for rule, needs in self._rules if rule.mixed == mixed for need in needs})
            for mixed in (False, True)
        ]
        self._effects: dict[int, tuple[Effect, ...]] = {}
        self._words: dict[str, Word | None] = {}
        self._ready: dict[tuple[bool, int, int], Needs] = {}

    def ready(self, everywhere: bool, mask: int, seen: int) -> Needs:
        """Return the rules of a scope that need one of the senses in `mask` and nothing beyond those in `seen`."""
        key = (everywhere, mask, seen)
        found = self._ready.get(key)
        if found is None:
            if len(self._ready) > _REMEMBERED:
                self._ready.clear()
            found = self._ready[key] = tuple(
                (rule, needs)
                for rule, needs in self._rules
                if rule.mixed == everywhere
                and any(mask >> need & 1 for need in needs)
                and all(seen >> need & 1 for need in needs)
            )
        return found

    def find(self, word: str) -> Word | None:
        """Return what is known of a folded word; nothing is of most words."""
        try:
            return self._words[word]
        except KeyError:
            found = self._find(word)
            if len(self._words) > _REMEMBERED:
                self._words.clear()
            if len(word) <= _LONG_WORD:
                self._words[word] = found
            return found

    def _find(self, word: str) -> Word | None:
        keys = tuple(self.lexicon.keys(word))
        if not keys:
            return None
        nodes = [self.lexicon.root.after[key] for key in keys if key in self.lexicon.root.after]
        effects = tuple(effect for node in nodes for effect in self.effects(node))
        return Word(effects, tuple(node for node in nodes if node.after), keys)

    def effects(self, node: Node) -> tuple[Effect, ...]:
        """Return what the phrase that ends at `node` does, language by language."""
        effects = self._effects.get(id(node))
        if effects is None:
            effects = self._effects[id(node)] = tuple(self._effect(*meaning) for meaning in node.meanings)
        return effects

    def _effect(self, language: Language, senses: frozenset[str]) -> Effect:
        return Effect(
            self.scopes[language.name],
            self._numbered({*senses, *(f"{sense}!" for sense in senses & language.orders_anywhere)}),
            self._numbered({*senses, *(f"{sense}!" for sense in senses)}),
            bool(senses & _STRONG_LEADS),
            bool(senses & _WEAK_LEADS),
            "report" in senses or bool(senses & _ADDRESSES),
            "report" in senses,
            language.verb_final,
        )

    def _numbered(self, names: set[str]) -> Senses:
        numbers = tuple(sorted(self.number[name] for name in names if name in self.number))
        mask = sum(1 << number for number in numbers)
        return Senses(numbers, mask & self._bits[False], mask & self._bits[True])
