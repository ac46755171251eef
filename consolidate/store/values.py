"""What "the same value" means: the normal form of a value and the keys made of it (DESIGN section 3).

Two values are the same when their normal forms are equal. Calling two different things the same would make the job
close a true fact, while missing a sameness only leaves two facts unmerged: every doubtful case here stays different.

Read from the bottom of the first part: ``normal_form`` names the rules in the order in which they apply.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Callable
from functools import lru_cache, partial
from itertools import chain
from typing import TYPE_CHECKING, Any, Final
from unicodedata import combining, decomposition, is_normalized, name, normalize

if TYPE_CHECKING:
    import apsw

# --- Unicode NFKC, "but superscripts, subscripts and fractions stay what they are" ------------------------------------

_KEPT_KINDS: Final = {"<super>", "<sub>", "<fraction>", "<circle>"}
# A numero sign must not become the word "no", an information sign not "i", a number set (ℝ) not a letter (R).
_KEPT_SIGNS: Final = frozenset("№ℹℂℍℕℙℚℝℤ")

# CPython sorts combining marks by insertion, in quadratic time; from this length on they are sorted beforehand.
_LONG: Final = 256
_MARKS: Final = re.compile(rb"[^\x00]{2,}")


@lru_cache(maxsize=1 << 14)
def _spelled_out(char: str) -> str:
    """One character decomposed as NFKD would, except where that loses or runs together what is meant."""
    parts = normalize("NFD", char)
    if parts != char:
        return "".join(map(_spelled_out, parts))
    kind, *codes = decomposition(char).split() or [""]
    if not codes or kind in _KEPT_KINDS or char in _KEPT_SIGNS or name(char, "").startswith("SQUARED "):
        return char
    spelled = "".join(_spelled_out(chr(int(code, 16))) for code in codes)
    if len(spelled) > 1 and (spelled[0] == " " or any(map(str.isdecimal, spelled))):
        return char  # a spacing accent is no blank and accent; in "5⒈" the digits would run together as "51."
    return spelled


def _composed(text: str) -> str:
    """Return the NFC of `text`, in linear time for any text."""
    if len(text) > _LONG:
        text = _marks_in_order("".join(map(partial(normalize, "NFD"), text)))
    return normalize("NFC", text)


def _marks_in_order(text: str) -> str:
    """Put the combining marks of fully decomposed `text` in canonical order."""
    pieces, done = [], 0
    for run in _MARKS.finditer(bytes(map(combining, text))):
        pieces += [text[done : run.start()], *sorted(text[run.start() : run.end()], key=combining)]
        done = run.end()
    return "".join([*pieces, text[done:]])


def _compatible(text: str) -> str:
    """Apply Unicode NFKC with the exceptions above: full-width letters, ligatures and ㎎ become ordinary text."""
    if len(text) <= _LONG and is_normalized("NFKC", text):
        return text
    return _composed("".join(map(_spelled_out, text)))


# --- "whitespace collapsed" -------------------------------------------------------------------------------------------


def _spaced(text: str) -> str:
    """Collapse every run of Unicode whitespace to one blank and strip the ends; only blanks become one blank."""
    return " ".join(text.split()) or " "


# --- "casefold, but a unit right after a number keeps its case" -------------------------------------------------------

# SI-like symbols: each row gives prefixes and the symbols that are used with them and without.
_UNITS: Final = (
    ("p n μ u m c d k M", "m g"),
    ("f p n μ u m k M G T P", "s S A C V W J N F H T K Pa Hz eV Ω ohm"),
    ("n μ u m k M G T", "Wh Ah VA var bar mol rad cal Bq Gy Sv Da Ci Jy Torr Nm Wb lm lx pc"),
    ("f p n μ u m c k", "M"),  # molar, centimorgan; alone also a million
    ("n μ u m k", "G"),  # gauss; alone also giga
    ("k M G", "t"),
    ("n μ u m c d h k M G", "l"),
    ("k K M G T P E Ki Mi Gi Ti Pi Ei", "b B bps Bps"),
    ("", "k h kn pt Cal ka Ma Ga fm"),  # thousand, hour, knot, point, large calorie, 10³ 10⁶ 10⁹ years, femtometre
    # Cyrillic
    ("п н мк м с д к М Г", "м г с"),
    ("п н мк м к М Г Т П", "А В Вт Дж Н Ф Гн Тл К Ом См Кл Вб Бк Гр Зв Гц эВ бар моль рад кал"),
    ("м г к М Г", "Па л т"),
    ("к К М Г Т П", "б Б"),
    ("", "к М Г Т С"),
    # Armenian
    ("մ կ Մ Գ", "Վտ Վ Ա Հց Պա Ջ գ մ վ լ"),
)
# Spelled with capitals these are everyday words ("5 PM", "5 US dollars", "98 FM") or careless units ("70 KG").
_EVERYDAY: Final = frozenset({"am", "cm", "fm", "kg", "km", "pm", "us"})


def _unit_spellings() -> dict[str, str]:
    """Every symbol of the table with each of its prefixes, and the one spelling that stands for it."""
    spellings: dict[str, str] = {}
    for prefixes, symbols in _UNITS:
        for symbol in symbols.split():
            for prefix in ("", *prefixes.split()):
                spellings[prefix + symbol] = prefix + symbol
                if symbol == "l":  # the litre has two symbols
                    spellings[prefix + "L"] = prefix + "l"
                if prefix == "μ":  # a Greek capital Μ folds to μ but reads as mega
                    spellings["Μ" + symbol] = "Μ" + symbol
    return spellings


def _ambiguous(spellings: dict[str, str]) -> frozenset[str]:
    """The folded symbols that two different units share, such as "mw": only these need their case."""
    units: dict[str, set[str]] = {}
    for spelling, unit in spellings.items():
        units.setdefault(spelling.casefold(), set()).add(unit)
    return frozenset(folded for folded, sharing in units.items() if len(sharing) > 1)


_SPELLINGS: Final = _unit_spellings()
_UNIT_FOLDS: Final = frozenset(map(str.casefold, _SPELLINGS))
_CASE_MATTERS: Final = _ambiguous(_SPELLINGS)

_NUMBER = r"[\d²³¹⁰⁴-⁹¼-¾⅐-⅞↉〇零一二三四五六七八九十百千万億亿兆]"
_LETTER = r"[A-Za-zΜμΩωА-Яа-яЁёԱ-Ֆա-և]"
_POWER = r"(?:\^?[-⁻]?[23²³¹])?"
# Not followed by more of the same word or formula; a Japanese or Thai word may follow without a blank.
_WORD_ENDS = r"(?![A-Za-z\d_₀-₉À-ÖØ-öø-ɏ̀-ͯͰ-ԯԱ-ևḀ-ỿἀ-῿])"
_ANY_NUMBER: Final = re.compile(_NUMBER)
_LETTERS: Final = re.compile(f"{_LETTER}+")
_AFTER_NUMBER: Final = re.compile(
    rf"(?<={_NUMBER})(?:\+? ?|[-‐])(?P<units>{_LETTER}{{1,5}}+(?:{_POWER}[/∕⁄·⋅∙*]{_LETTER}{{1,5}}+)*+)"
    rf"(?={_POWER}{_WORD_ENDS})"
)


def _unit_case(symbol: str) -> str:
    """Fold one symbol unless another unit differs from it only in case."""
    folded = symbol.casefold()
    if folded not in _CASE_MATTERS or (folded in _EVERYDAY and symbol in {symbol.upper(), symbol.title()}):
        return folded
    return _SPELLINGS.get(symbol, symbol)


def _inside_word(text: str, begin: int, end: int) -> bool:
    """Tell whether the letter after a number belongs to a word like ``B2B``: no unit, though ``5B`` is one."""
    if end - begin > 1:
        return False
    start = begin
    while start and text[start - 1].isdecimal():
        start -= 1
    return 0 < start < begin and text[start - 1].isalpha() and text[start - 1].isascii()


def _folded(text: str) -> str:
    """Casefold `text` except the units right after a number: ``5 mW`` ≠ ``5 MW``, but ``12 Oak St`` = ``12 oak st``."""
    if not _ANY_NUMBER.search(text):
        return text.casefold()
    pieces, done = [], 0
    for match in _AFTER_NUMBER.finditer(text):
        begin, end = match.span("units")
        first = _LETTERS.match(text, begin)
        if first and first[0].casefold() in _UNIT_FOLDS and not _inside_word(text, begin, end):
            units = _LETTERS.sub(lambda letters: _unit_case(letters[0]), text[begin:end])
            pieces += [text[done:begin].casefold(), units]
            done = end
    return "".join([*pieces, text[done:].casefold()])


# --- "a matching pair of surrounding quotes and sentence-ending punctuation removed" ----------------------------------

_QUOTES: Final = {
    '"': '"', "'": "'", "“": "”", "‘": "’", "„": "“”", "‚": "‘’", "”": "”", "’": "’",
    "«": "»", "»": "«»", "‹": "›", "›": "‹›", "「": "」", "『": "』", "〝": "〞〟",
}  # fmt: skip
_SENTENCE_END: Final = ".!?‽⸮。؟۔।॥։።፧፨།༎။។៕᠃᠉᙮᱾᱿෴꓿꘎꘏"
_PEELABLE: Final = frozenset(chain(_SENTENCE_END, *_QUOTES.values()))
# After one of these a full stop or question mark belongs to a path, a pattern or code: `a/..`, `[ab]?`.
_CODE: Final = frozenset("/\\*^$|&<>=@~_:;]}")
_LOOSE_APOSTROPHE: Final = re.compile(r"(?<![^\W\d_])['’]|['’](?![^\W\d_])")
_FACTORIAL: Final = re.compile(r"(?!.*[a-z]{2})[\da-z ()+\-*/^=.,!]*[\da-z)] ?!+", re.IGNORECASE | re.ASCII)


def _without_quotes(text: str) -> str:
    """Remove the quotes around the whole value, but not those of ``"a" or "b"``."""
    opening, closing = text[0], text[-1]
    if closing not in _QUOTES.get(opening, ""):
        return text
    inner = text[1:-1].strip()
    for mark in (opening, closing):
        if mark in inner and (mark not in "'’" or _LOOSE_APOSTROPHE.search(inner)):
            return text
    return inner


def _without_sentence_end(text: str) -> str:
    """Remove punctuation that ends a sentence, but not that of ``cd ..``, ``[ab]?`` or ``5!``."""
    body = text.rstrip(_SENTENCE_END + " ")
    end = text[len(body) :]
    if not end or body[-1] in _CODE or " ." in end:
        return text
    if end.lstrip()[0] == "!" and _FACTORIAL.fullmatch(text):
        return text
    return body


def _bare(text: str) -> str:
    """Peel quotes and sentence ends until none is left; a value without letter or digit keeps all its symbols."""
    if text[-1] not in _PEELABLE or not any(map(str.isalnum, text)):
        return text
    peeled = _without_quotes(_without_sentence_end(text))
    while peeled != text:
        text, peeled = peeled, _without_quotes(_without_sentence_end(peeled))
    return text


# --- The normal form --------------------------------------------------------------------------------------------------

# A round can bring forth what another one changes (a folded iota subscript is a letter); property tests show the bound.
_ROUNDS: Final = 8


def normal_form(value: str) -> str:
    """Return the normal form of a value: two values are the same when these are equal (DESIGN section 3).

    Args:
        value: any text, of any script and length.

    Returns:
        The normal form: its own normal form, and empty only for the empty text. Takes linear time.
    """
    if not value:
        return ""
    if value.isascii():
        return _bare(_folded(_spaced(value)))
    return _normal_form_of_unicode(value)


def _normal_form_of_unicode(value: str) -> str:
    """Apply the rules to non-empty text of any script until nothing changes."""
    for _ in range(_ROUNDS):
        before, value = value, _bare(_composed(_folded(_spaced(_compatible(value)))))
        if value == before:
            break
    return value


# --- Keys of stored values --------------------------------------------------------------------------------------------

_TEXT, _UNDECODABLE, _BLOB = b"t", b"u", b"b"


def value_key(raw: bytes | None, kind: str, encoding: str = "utf-8") -> str | bytes | None:
    """Return what a stored value of any SQLite storage class is compared by (DESIGN section 3).

    Args:
        raw: ``CAST(value AS BLOB)``.
        kind: ``typeof(value)``.
        encoding: the database's text encoding (``PRAGMA encoding``), in which SQLite casts text to a BLOB.

    Returns:
        The normal form of text or of a number's text; for a BLOB and for text that cannot be decoded its bytes after
        one byte that tells the two apart; None for NULL.
    """
    if raw is None or kind == "null":
        return None
    if kind == "blob":
        return _BLOB + raw
    try:
        return normal_form(raw.decode(encoding))
    except UnicodeDecodeError:
        return _UNDECODABLE + raw


# --- Tombstones -------------------------------------------------------------------------------------------------------

_HASHED: Final = re.compile(r"h1:((?:[0-9a-f]{2})+):([0-9a-f]{64})", re.IGNORECASE)


def hash_key(key: str | bytes, salt: str) -> str:
    """Return the salted SHA-256 of a value's key in hexadecimal (DESIGN section 2, tombstones).

    Args:
        key: what ``value_key`` returned.
        salt: hexadecimal digits, two for each byte.

    Raises:
        ValueError: `salt` is not hexadecimal.
    """
    content = _TEXT + key.encode("utf-8", "surrogatepass") if isinstance(key, str) else key
    return hashlib.sha256(bytes.fromhex(salt) + content).hexdigest()


def hashed_tombstone(key: str | bytes) -> str:
    """Return a tombstone value ``h1:<salt>:<hash>`` for a value's key, with a new random salt of 16 bytes."""
    salt = secrets.token_hex(16)
    return f"h1:{salt}:{hash_key(key, salt)}"


def parse_hash(tombstone_value: str) -> tuple[str, str] | None:
    """Return salt and hash of a tombstone value ``h1:<salt>:<hash>`` in lower case, or None for any other text."""
    match = _HASHED.fullmatch(tombstone_value)
    return (match[1].lower(), match[2].lower()) if match else None


def tombstone_matches(
    tombstone_value: bytes | None, tombstone_kind: str, key: str | bytes | None, encoding: str = "utf-8"
) -> bool:
    """Tell whether a tombstone's value covers a value (DESIGN section 2); its user and attribute are the caller's.

    Args:
        tombstone_value: ``CAST(value AS BLOB)`` of the tombstone; NULL and '' cover every value.
        tombstone_kind: ``typeof(value)`` of the tombstone.
        key: the other value's ``value_key``.
        encoding: the database's text encoding.
    """
    forgotten = value_key(tombstone_value, tombstone_kind, encoding)
    if forgotten is None or forgotten == "":
        return True
    if key is None:
        return False
    if forgotten == key:
        return True
    hashed = parse_hash(forgotten) if isinstance(forgotten, str) else None
    return hashed is not None and hash_key(key, hashed[0]) == hashed[1]


# Longer values, in bytes, are not kept at hand.
_LONGEST_REMEMBERED: Final = 64


def remembering_keys(encoding: str, most: int = 1 << 14) -> Callable[..., str | bytes | None]:
    """Return `value_key` for one encoding, which keeps the last keys of short values at hand: many users say the same.

    Args:
        encoding: the database's text encoding.
        most: how many keys are kept.
    """
    remembered = lru_cache(most)(partial(value_key, encoding=encoding))

    def key(*cell: Any) -> str | bytes | None:
        raw, kind = cell
        if raw is None or len(raw) > _LONGEST_REMEMBERED:
            return value_key(raw, kind, encoding)
        return remembered(raw, kind)

    return key


def register(db: apsw.Connection) -> None:
    """Give a connection the deterministic SQL functions of this module.

    ``normal_key(CAST(value AS BLOB), typeof(value))`` is ``value_key``, and
    ``tombstone_matches(CAST(t AS BLOB), typeof(t), key)`` is the function of that name. Both read text in the
    encoding which the database has now.

    Args:
        db: an open connection.
    """
    encoding = str(db.pragma("encoding"))
    matches = partial(tombstone_matches, encoding=encoding)
    db.create_scalar_function("normal_key", remembering_keys(encoding), 2, deterministic=True)
    db.create_scalar_function("tombstone_matches", matches, 3, deterministic=True)
