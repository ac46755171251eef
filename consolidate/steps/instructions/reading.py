"""Read a folded text word by word and match the rules as it goes: one pass, whatever the text holds."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from consolidate.steps.instructions.lexicon import UNSPACED, WORD, Node
from consolidate.steps.instructions.reader import EVERYWHERE, SIGNS, STEP, Effect, Reader, Word
from consolidate.steps.instructions.rules import Rule

_SENTENCE_GAP = 1000
_SHORT_SENTENCE = 3
_LONG_AGO = -1_000_000
_EXCUSE = 2 * STEP

_TOOL = (
    "(?:send|delete|remove|http|post|get|read|write|exec|execute|run|drop|transfer|fetch|upload|create|update|forward|export|grant"
    "|make|list|search|move|copy|open|browse|wire|pay|purchase|query|call|shell|file|web|sql|email|bash)_[a-z0-9_]{2,40}"
)

_TOKEN = re.compile(
    rf"(?P<dest>https?://|\bwww\.(?=\w)|(?<=\w) ?(?:@|\[at\]|\(at\)|\{{at\}}) ?(?=\w))"
    rf"|(?P<tool>\b{_TOOL})"
    rf"|(?P<unspaced>[{UNSPACED}]+)"
    rf"|(?P<word>[{WORD}]+)"
    r"|(?P<stop>[.!?;]+)|(?P<blank>\n\s*\n)"
    r"|(?P<colon>:+)|(?P<quote>\"+)"
    r"|(?P<clause>[,\n()\[\]{}<>|#=*-]+)"
)


class Verdict(NamedTuple):
    """What reading a text came to.

    Args:
        rule: the rule that it satisfies, or None.
        reported: whether it satisfies one only in what it tells of somebody.
    """

    rule: Rule | None
    reported: bool


class _Open(NamedTuple):
    """A phrase that may go on with the next word: where it began, and the scopes in which an order could begin there."""

    node: Node
    place: int
    led: int


@dataclass(slots=True)
class _Sentence:
    """What a sentence says about who speaks: by scope, where speech is reported, whether the reader is addressed."""

    reports: dict[int, int] = field(default_factory=dict)
    reported_throughout: set[int] = field(default_factory=set)
    addressed: set[int] = field(default_factory=set)
    last_quote: int = _LONG_AGO
    pending: dict[int, tuple[int, Rule]] = field(default_factory=dict)

    def note(self, effect: Effect, place: int) -> None:
        """Enter a phrase that tells who speaks. An address after a quotation mark is not one to the reader."""
        for scope in (effect.scope, EVERYWHERE):
            if effect.report:
                self.reports.setdefault(scope, place)
                if effect.verb_final:
                    self.reported_throughout.add(scope)
            elif self.last_quote <= self.reports.get(scope, place):
                self.addressed.add(scope)

    def verdict(self) -> Rule | None:
        """Return the rule of a pending match that is addressed to the reader after all."""
        return next((rule for scope, (first, rule) in self.pending.items() if not self._narrated(scope, first)), None)

    def _narrated(self, scope: int, first: int) -> bool:
        report = self.reports.get(scope)
        if scope not in self.reported_throughout and (report is None or report >= first):
            return False
        return scope not in self.addressed


def read(reader: Reader, folded: str, *, summary: bool) -> Verdict:
    """Return the verdict on a folded text, in time linear in its length.

    Args:
        reader: the words and the rules.
        folded: the text, as `folding.fold` returns it.
        summary: whether every rule, not only a reportable one, lets pass what is told of somebody.
    """
    return _Pass(reader, summary).run(folded)


class _Pass:
    """One reading of one text."""

    def __init__(self, reader: Reader, summary: bool) -> None:
        self.reader = reader
        self.summary = summary
        scopes = len(reader.scopes) + 1
        self.last = [[_LONG_AGO] * len(reader.number) for _ in range(scopes)]
        self.seen = [0] * scopes
        self.seen_before = [0] * scopes
        self.signs_seen = 0
        self.window_end = 0
        self.sentence = _Sentence()
        self.reported = False
        self.leads: dict[int, int] = {}
        self.open: list[_Open] = []

    def run(self, folded: str) -> Verdict:
        """Read the text to its end, or to the first match that counts."""
        rule = self._read(folded) or self.sentence.verdict()
        return Verdict(rule, rule is None and (self.reported or bool(self.sentence.pending)))

    def _read(self, folded: str) -> Rule | None:
        find, unspaced_word = self.reader.find, self.reader.lexicon.unspaced_word
        index = place = length = 0
        fresh = True
        for token in _TOKEN.finditer(folded):
            kind = token.lastgroup
            if kind == "word":
                words: Sequence[str] = (token.group(),)
            elif kind == "unspaced":
                words = unspaced_word.findall(token.group())
            elif kind in {"stop", "blank"}:
                fresh = True
                if kind == "blank" or _ends_sentence(folded, token.end()):
                    if length >= _SHORT_SENTENCE:
                        if rule := self._end_sentence():
                            return rule
                        place += _SENTENCE_GAP
                    length = 0
                continue
            else:
                if rule := self._sign(kind or "", place):
                    return rule
                fresh = fresh or kind != "dest"
                words = token.group().split("_") if kind == "tool" else ()
            for word in words:
                known = find(word)
                if known:
                    if rule := self._take(known, index, place, -1 if fresh else self.leads.pop(index, 0)):
                        return rule
                    place += STEP
                else:
                    if self.open:
                        self.open = []
                    place += STEP if kind != "unspaced" else STEP // 2
                index += 1
                length += 1
                fresh = False
        return None

    def _take(self, word: Word, index: int, place: int, led: int) -> Rule | None:
        """Take in a known word: it begins phrases and goes on with open ones. Return a rule that it completes."""
        if place > self.window_end:
            self.window_end = place + self.reader.widest
            self.seen_before, self.seen = self.seen, [0] * len(self.seen)
        for effect in word.effects:
            if rule := self._apply(effect, place, led, index + 1):
                return rule
        if self.open or word.begins:
            longer = [
                _Open(phrase.node.after[key], phrase.place, phrase.led)
                for phrase in self.open
                for key in word.keys
                if key in phrase.node.after
            ]
            self.open = [phrase for phrase in longer if phrase.node.after]
            self.open += [_Open(node, place, led) for node in word.begins]
            for phrase in longer:
                for effect in self.reader.effects(phrase.node):
                    if rule := self._apply(effect, phrase.place, phrase.led, index + 1):
                        return rule
        return None

    def _apply(self, effect: Effect, place: int, led: int, end: int) -> Rule | None:
        """Enter the senses of a phrase that ends before word `end`; return a rule that they complete."""
        scope = effect.scope
        order = led >> scope & 1
        if effect.strong_lead or (order and effect.weak_lead):
            self.leads[end] = self.leads.get(end, 0) | 1 << scope
        if effect.tells_who_speaks:
            self.sentence.note(effect, place)
        numbers, here, everywhere = effect.as_order if order else effect.senses
        if here:
            last = self.last[scope]
            for number in numbers:
                last[number] = place
            self.seen[scope] |= here
            if rule := self._match(scope, here):
                return rule
        if everywhere:
            last = self.last[EVERYWHERE]
            for number in numbers:
                last[number] = place
            self.seen[EVERYWHERE] |= everywhere
            return self._match(EVERYWHERE, everywhere)
        return None

    def _sign(self, kind: str, place: int) -> Rule | None:
        """Take in a sign: a quotation mark, or an address, tool name or colon, which mean the same in every scope."""
        if kind in {"quote", "colon"}:
            self.sentence.last_quote = place
        if kind not in SIGNS:
            return None
        number = self.reader.number[kind]
        self.last[EVERYWHERE][number] = place - 1
        self.signs_seen |= 1 << number
        for scope, seen in enumerate(self.seen):
            if (seen or self.seen_before[scope]) and (rule := self._match(scope, 1 << number)):
                return rule
        return None

    def _match(self, scope: int, mask: int) -> Rule | None:
        """Return a rule that the senses in `mask` complete, unless it may be reported speech."""
        seen = self.seen[scope] | self.seen_before[scope] | self.signs_seen
        ready = self.reader.ready(scope == EVERYWHERE, mask, seen)
        if not ready:
            return None
        last, everywhere, signs = self.last[scope], self.last[EVERYWHERE], self.reader.signs
        for rule, needs in ready:
            places = [everywhere[need] if need in signs else last[need] for need in needs]
            first = min(places)
            if max(places) - first > rule.span * STEP or len(set(places)) < len(needs):
                continue
            if rule.unless and 0 < places[0] - last[self.reader.number[rule.unless]] <= _EXCUSE:
                continue
            if not (rule.reportable or self.summary):
                return rule
            pending = self.sentence.pending.get(scope)
            if pending is None or first < pending[0]:
                self.sentence.pending[scope] = (first, rule)
        return None

    def _end_sentence(self) -> Rule | None:
        rule = self.sentence.verdict()
        self.reported = self.reported or bool(self.sentence.pending)
        self.sentence = _Sentence()
        return rule


def _ends_sentence(folded: str, end: int) -> bool:
    """Tell whether a full stop that ends at `end` ends a sentence, not a part of a number or an address."""
    return end == len(folded) or folded[end] in " \t\n\r\"')]" or not folded[end].isascii()
