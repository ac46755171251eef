"""Whether two different values may say the same, and what keeps them apart; nothing is merged on its word.

Deterministic and without knowledge of the world: the same words in another order, one contained in the other, a few letters
that differ. A difference in a number, a unit, a negation, a name or a symbol is always one in meaning.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final
from unicodedata import normalize

SAME_WORDS, CONTAINED, SPELLING = "same_words", "contained", "spelling"
NUMBER, UNIT, NEGATION, NAME, SYMBOL = "number", "unit", "negation", "name", "symbol"
# A capitalised word at the beginning of a value: a name, or just the beginning.
LEAD: Final = "lead"
_TELLING: Final = (NUMBER, UNIT, NEGATION, NAME, SYMBOL)

# A value that is contained in another must have this many words, and this share of the other's.
LEAST_WORDS: Final = 3
LEAST_SHARE: Final = 0.5
# How many words may be spelled otherwise; how long a word must be to be off by one letter, or by two.
MOST_MISSPELLED: Final = 2
LONG_FOR_ONE: Final = 6
LONG_FOR_TWO: Final = 10

_TOKEN: Final = re.compile(r"\d+(?:[.,:/]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)*|[^\w\s]|_")
_PUNCTUATION: Final = frozenset(".,;:!?\"'“”‘’„«»‹›()[]…‐–—/·、。，；：！？「」『』")
_DASHES: Final = frozenset("-‐–—−")
_WORDS_OF_NEGATION: Final = """
not no never none nothing nobody nor neither without cannot except unless hardly barely stopped quit former formerly ex
nicht kein keine keinen keiner nie niemals ohne weder ne pas jamais sans aucun aucune ni non mai senza nessun nunca sin
tampoco ningún ninguna não sem nem niet geen nooit zonder bez żaden nigdy не нет без ни никогда ليس لا بدون नहीं بلا
"""
_WORDS_OF_NUMBER: Final = """
one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty sixty seventy eighty ninety
hundred thousand million half double twice once first second third last next several many few some all both every
zwei drei vier fünf sechs sieben acht neun zehn deux trois quatre cinq sept huit neuf dix dos tres cuatro cinco seis
siete ocho nueve diez due tre quattro cinque sei sette otto nove dieci два три четыре пять
"""
_NEGATIONS: Final = frozenset(_WORDS_OF_NEGATION.split())
_NUMBERS: Final = frozenset(_WORDS_OF_NUMBER.split())
_NEGATING: Final = ("un", "in", "im", "ir", "il", "dis", "non", "mis", "anti")


@dataclass(frozen=True)
class Word:
    """One word or sign of a value: what it is compared by, and what a difference in it would mean (or nothing)."""

    text: str
    kind: str


@dataclass(frozen=True)
class Reading:
    """A value as it is compared."""

    words: tuple[Word, ...]
    texts: tuple[str, ...]
    known: frozenset[str]
    joined: str


@dataclass(frozen=True)
class Verdict:
    """What comes of comparing two values: ``kind`` of likeness, and what keeps them ``apart`` all the same."""

    kind: str
    apart: str | None = None


def read(value: str) -> Reading:
    """Split a value into the words and signs that carry meaning."""
    words = tuple(_words(normalize("NFKC", value)))
    texts = tuple(word.text for word in words)
    return Reading(words, texts, frozenset(texts), "".join(texts))


def _words(value: str) -> Iterator[Word]:
    after_number = False
    for place, match in enumerate(_TOKEN.finditer(value)):
        token = match[0]
        if token[0].isdecimal() or token.isnumeric():
            yield Word(token, NUMBER)
            after_number = True
            continue
        if not token[0].isalpha():
            kind = _sign(value, match.start(), match.end())
            if kind:
                yield Word(token, kind)
            after_number = after_number and token in _DASHES
            continue
        text = token.casefold()
        if after_number:
            yield Word(token if len(token) <= 3 else text, UNIT)
        elif text in _NEGATIONS or text.endswith(("n't", "n’t")):
            yield Word(text, NEGATION)
        elif text in _NUMBERS:
            yield Word(text, NUMBER)
        elif token[0].isupper():
            yield Word(text, NAME if place else LEAD)
        else:
            yield Word(text, "")
        after_number = False


def _sign(value: str, begin: int, end: int) -> str:
    """Return what a sign means: punctuation means nothing, unless it is a minus, or stands right after a number or a letter
    where no punctuation would.
    """
    sign, before, after = value[begin:end], value[begin - 1 : begin], value[end : end + 1]
    if sign in _DASHES:
        joins = before.isalnum() and after.isalnum()
        alone = not before.strip() and not after.strip()
        return "" if joins or alone else SYMBOL
    if sign in _PUNCTUATION:
        return UNIT if before.isdecimal() and sign in "'\"’”!" else ""
    return SYMBOL


def compare(one: Reading, other: Reading) -> Verdict | None:
    """Tell how two values that are not the same are alike, if they are."""
    if len(one.texts) > len(other.texts):
        one, other = other, one
    if one.joined == other.joined and one.texts:
        return Verdict(SPELLING if one.texts != other.texts else SAME_WORDS, _kinds_apart(one.words, other.words))
    unlike = len(one.known ^ other.known)
    if unlike == 0 and len(one.texts) == len(other.texts) and Counter(one.texts) == Counter(other.texts):
        return Verdict(SAME_WORDS, _order_apart(one, other))
    if one.known <= other.known:
        return _contained(one, other)
    if len(one.texts) == len(other.texts) and unlike <= 2 * MOST_MISSPELLED:
        return _misspelled(one, other)
    return None


def _kinds_apart(one: tuple[Word, ...], other: tuple[Word, ...]) -> str | None:
    """Values that differ in blanks and punctuation alone: their numbers and signs must be the same ones."""
    for kind in (NUMBER, UNIT, NEGATION, SYMBOL):
        if [word.text for word in one if word.kind == kind] != [word.text for word in other if word.kind == kind]:
            return kind
    return None


def _order_apart(one: Reading, other: Reading) -> str | None:
    """The same words in another order: what carries the meaning must stand in the same order."""
    names = {word.text for word in (*one.words, *other.words) if word.kind == NAME}
    orders = [
        [
            (
                NAME if word.text in names else word.kind,
                word.text,
                reading.texts[place + 1 : place + 2] * (word.kind == NEGATION),
            )
            for place, word in enumerate(reading.words)
            if word.kind in _TELLING or word.text in names
        ]
        for reading in (one, other)
    ]
    if orders[0] == orders[1]:
        return None
    return next((a[0] for a, b in zip(*orders, strict=False) if a != b), NAME)


def _contained(one: Reading, other: Reading) -> Verdict | None:
    """All words of one stand in the other, in the same order."""
    if len(one.texts) < LEAST_WORDS or len(one.texts) < LEAST_SHARE * len(other.texts):
        return None
    extra = []
    wanted = iter(one.texts)
    following = next(wanted, None)
    for word in other.words:
        if word.text == following:
            following = next(wanted, None)
        else:
            extra.append(word)
    if following is not None:
        return None
    return Verdict(CONTAINED, next((word.kind for word in extra if word.kind in _TELLING), None))


def _misspelled(one: Reading, other: Reading) -> Verdict | None:
    """The same words but for one or two that differ in a letter or two."""
    pairs = [(a, b) for a, b in zip(one.words, other.words, strict=True) if a.text != b.text]
    if not pairs or len(pairs) > MOST_MISSPELLED or len(one.texts) < len(pairs):
        return None
    apart = None
    for a, b in pairs:
        kind = _meant(a, b)
        if kind and (len(one.texts) > 1 or _near(a.text, b.text)):
            apart = apart or kind
        elif not _near(a.text, b.text):
            return None
    return Verdict(SPELLING, apart)


def _meant(a: Word, b: Word) -> str | None:
    """What a difference between two words means; a word that only begins its value is not yet a name."""
    for kind in (NUMBER, UNIT, NEGATION, SYMBOL):
        if kind in (a.kind, b.kind):
            return kind
    if a.kind in (NAME, LEAD) and b.kind in (NAME, LEAD):
        return NAME
    short, long = sorted((a.text, b.text), key=len)
    if any(long == prefix + short for prefix in _NEGATING):
        return NEGATION
    return NAME if NAME in (a.kind, b.kind) and not _near(a.text, b.text) else None


def _near(a: str, b: str) -> bool:
    """Tell whether two words may be spellings of one: long, of an alphabet, alike at the beginning."""
    shorter = min(len(a), len(b))
    if shorter < LONG_FOR_ONE or a[0] != b[0] or a.upper() == a:
        return False
    limit = 2 if shorter >= LONG_FOR_TWO else 1
    return distance(a, b, limit) <= limit


# Distance ----------------------------------------------------------------------------------------------------------


def plain_distance(a: str, b: str, limit: int) -> int:
    """Return how many letters must be put in, left out, replaced or swapped with their neighbour, at most ``limit`` + 1."""
    if abs(len(a) - len(b)) > limit:
        return limit + 1
    older: list[int] = []
    old = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        new = [i]
        for j, y in enumerate(b, 1):
            best = min(old[j] + 1, new[j - 1] + 1, old[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                best = min(best, older[j - 2] + 1)
            new.append(best)
        if min(new) > limit and (not older or min(old) > limit):
            return limit + 1
        older, old = old, new
    return min(old[-1], limit + 1)


def _chosen_distance() -> Callable[[str, str, int], int]:
    try:
        from rapidfuzz.distance import OSA
    except ImportError:
        return plain_distance
    return lambda a, b, limit: int(OSA.distance(a, b, score_cutoff=limit))


distance = _chosen_distance()
