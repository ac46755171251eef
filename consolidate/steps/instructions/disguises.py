"""Texts inside a text: what it says once its encodings are undone.

Each disguise yields what it finds in the whole text, in time linear in its length; nothing here judges what is found.
"""

from __future__ import annotations

import base64
import binascii
import html
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Final
from urllib.parse import unquote

from consolidate.steps.instructions.folding import INVISIBLE

_READABLE = re.compile(
    rb"(?:[\t\n\r\x20-\x7e]|[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|\xf0[\x90-\xbf][\x80-\xbf]{2}){8,}"
)
_NESTED = 3
_LONGEST_WORD = 24
_SHORT_WORD = 5
_LONG_WORD = 6
_ASCII_WORD = re.compile(r"[a-z]{5,}")
_MIRROR = {97 + i: 122 - i for i in range(26)}
_ROT13 = {97 + i: 97 + (i + 13) % 26 for i in range(26)}
_WHITESPACE = re.compile(r"\s+")

_TAG = re.compile(r"<[^<>]*>")
_PERCENT = re.compile(r"(?:%[0-9a-f]{2}.{0,20}?){2}", re.IGNORECASE)
_ESCAPE = re.compile(
    r"\\+([nrt])|\\+u\{?([0-9a-f]{4,6})\}?|\\+x([0-9a-f]{2})|\\+U([0-9a-f]{8})|U\+([0-9a-f]{4,6})[ ]?", re.IGNORECASE
)
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{16,}")
_BASE32 = re.compile(r"(?<![A-Za-z0-9])[A-Z2-7]{16,}={0,6}")
_HEX = re.compile(
    r"(?<![0-9a-z])(?:0x|\\x)?[0-9a-f]{2}(?P<gap>[\s:,]{0,2})(?:0x|\\x)?[0-9a-f]{2}(?:(?P=gap)(?:0x|\\x)?[0-9a-f]{2}){6,}",
    re.IGNORECASE,
)
_HEX_PAIR = re.compile(r"(?:0x|\\x)?([0-9a-f]{2})", re.IGNORECASE)
_BINARY = re.compile(r"(?<![0-9])[01]{8}(?:[\s,]{0,2}[01]{8}){3,}")
_CODES = re.compile(r"(?<![0-9])[0-9]{2,3}(?:[\s,;]{1,2}[0-9]{2,3}){7,}")
_MORSE = re.compile(r"[.\-\u2022\u2013_]{1,7}(?:[ \t]{1,3}[/|]?[ \t]{0,3}[.\-\u2022\u2013_]{1,7}){7,}")
_TAG_LETTERS = re.compile("[\U000e0020-\U000e007e]{2,}")
_SELECTORS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]{4,}")

_HUMPS = re.compile(r"(?<![\w+/=-])[A-Za-z][a-z]+(?:[A-Z][a-z]+){2,}(?![\w+/=-])")

HUMP: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")
"""Where a word begins in camelCase."""

_MORSE_LETTERS: Final = dict(
    zip(
        [
            ".-",
            "-...",
            "-.-.",
            "-..",
            ".",
            "..-.",
            "--.",
            "....",
            "..",
            ".---",
            "-.-",
            ".-..",
            "--",
            "-.",
            "---",
            ".--.",
            "--.-",
            ".-.",
            "...",
            "-",
            "..-",
            "...-",
            ".--",
            "-..-",
            "-.--",
            "--..",
            "-----",
            ".----",
            "..---",
            "...--",
            "....-",
            ".....",
            "-....",
            "--...",
            "---..",
            "----.",
        ],
        "abcdefghijklmnopqrstuvwxyz0123456789",
        strict=True,
    )
)


def _readable(data: bytes) -> str:
    """Return the stretches of `data` that are text."""
    return "\n".join(run.decode("utf-8", "replace") for run in _READABLE.findall(data.replace(b"\0", b"")))


def _base64(text: str) -> Iterator[str]:
    """Decode runs of base64 at each of the four places where one can begin, since words in front are letters too."""
    for run in _BASE64.findall(_WHITESPACE.sub("", text)):
        letters = run.replace("-", "+").replace("_", "/")
        for start in range(4):
            yield _readable(_padded(letters[start:], 4, base64.b64decode))


def _padded(letters: str, block: int, decode: Callable[[str], bytes]) -> bytes:
    """Decode a run whose padding may be missing; a last letter that no padding completes is left out."""
    try:
        return decode(letters + "=" * (-len(letters) % block))
    except binascii.Error:
        return decode(letters[: len(letters) // block * block])


def _base32(text: str) -> Iterator[str]:
    for run in _BASE32.findall(text):
        yield _readable(_padded(run.rstrip("="), 8, base64.b32decode))


def _hex(text: str) -> Iterator[str]:
    for run in _HEX.finditer(text):
        yield _readable(bytes(int(pair, 16) for pair in _HEX_PAIR.findall(run.group())))


def _binary(text: str) -> Iterator[str]:
    for run in _BINARY.finditer(text):
        bits = re.sub(r"[^01]", "", run.group())
        yield _readable(bytes(int(bits[i : i + 8], 2) for i in range(0, len(bits), 8)))


def _codes(text: str) -> Iterator[str]:
    for run in _CODES.finditer(text):
        numbers = [int(number) for number in re.findall("[0-9]+", run.group())]
        yield _readable(bytes(number for number in numbers if number < 256))


def _morse(text: str) -> Iterator[str]:
    for run in _MORSE.finditer(text):
        signs = run.group().translate(str.maketrans("\u2022\u2013_|", ".--/"))
        words = re.sub(r"[ \t]*/[ \t]*|[ \t]{2,}", " / ", signs).split(" ")
        yield "".join(" " if word == "/" else _MORSE_LETTERS.get(word, "") for word in words)


def _escapes(text: str) -> Iterator[str]:
    """Undo HTML entities, character escapes and percent encoding together, over and over as far as they are nested."""
    for _ in range(_NESTED):
        before = text
        if "&" in text:
            text = html.unescape(text)
        text = _ESCAPE.sub(_unescape, text)
        if _PERCENT.search(text):
            text = unquote(text.replace("+", " "))
        if text == before:
            break
    yield text


def _unescape(escape: re.Match[str]) -> str:
    code = next(group for group in escape.groups() if group)
    if code in "nrtNRT":
        return "\n"
    number = int(code, 16)
    return chr(number) if number < 0x110000 and not 0xD800 <= number < 0xE000 else ""


def _tags(text: str) -> Iterator[str]:
    if "<" in text:
        yield _TAG.sub("", text)


def _invisible_letters(text: str) -> Iterator[str]:
    """Read tag characters as the ASCII letters they stand for, and variation selectors as bytes."""
    if text.isascii():
        return
    for run in _TAG_LETTERS.findall(text):
        yield "".join(chr(ord(letter) - 0xE0000) for letter in run)
    for run in _SELECTORS.findall(text):
        yield _readable(bytes(ord(s) - 0xFE00 if ord(s) < 0x10000 else ord(s) - 0xE0100 + 16 for s in run))


def _invisible_as_spaces(text: str) -> Iterator[str]:
    yield INVISIBLE.sub(" ", text)


def _humps(text: str) -> Iterator[str]:
    """Part words that are run together as in camelCase."""
    if _HUMPS.search(text):
        yield _HUMPS.sub(lambda word: HUMP.sub(" ", word.group()), text)


SURFACES: Final[tuple[tuple[str, Callable[[str], Iterable[str]]], ...]] = (
    ("character escapes", _escapes),
    ("markup inside words", _tags),
    ("invisible characters", _invisible_as_spaces),
    ("capitals for spaces", _humps),
)
"""Disguises that leave most of a text as it is; they are undone one on top of the other, in this order."""

PAYLOADS: Final[tuple[tuple[str, Callable[[str], Iterable[str]]], ...]] = (
    ("base64", _base64),
    ("base32", _base32),
    ("hexadecimal", _hex),
    ("binary", _binary),
    ("character codes", _codes),
    ("Morse code", _morse),
    ("invisible characters", _invisible_letters),
)
"""Encodings of a text inside another."""


def undisguised(text: str, *, surface: bool = True) -> Iterator[tuple[str, str, bool]]:
    """Yield (name of the disguise, text found under it, whether it was a payload) for every disguise that `text` wears.

    Args:
        text: the text.
        surface: whether disguises of its surface are to be undone; they need not be twice.
    """
    for name, undo in PAYLOADS:
        found = "\n".join(filter(None, undo(text)))
        if found:
            yield name, found, True
    for name, undo in SURFACES if surface else ():
        for found in undo(text):
            if found != text:
                yield name, found, False
                text = found


MOST_SHIFTS: Final = 3
"""How many letter shifts of one text are read."""


class Ciphers:
    """Letter shifts, mirrored alphabets and reversed writing, recognised by at least two known words that they hide.

    Args:
        words: folded words that instructions consist of; those of ASCII letters are used.
    """

    def __init__(self, words: Iterable[str]) -> None:
        known = {word for word in words if len(word) >= _SHORT_WORD and word.isascii() and word.isalpha()}
        self._reversed = {word[::-1] for word in known} - known
        self._mirrored = {word.translate(_MIRROR) for word in known} - known
        self._rotated = {word.translate(_ROT13) for word in known} - known
        self._shapes = {_shape(word): ord(word[0]) for word in known if len(word) >= _LONG_WORD}

    def undone(self, folded: str) -> Iterator[tuple[str, str]]:
        """Yield (name of the cipher, folded text in clear) for what a folded text may be."""
        words = set(_ASCII_WORD.findall(folded))
        if len(words & self._reversed) > 1:
            yield "reversed writing", folded[::-1]
            yield "reversed words", _ASCII_WORD.sub(lambda word: word.group()[::-1], folded)
        if len(words & self._mirrored) > 1:
            yield "a mirrored alphabet", folded.translate(_MIRROR)
        if len(words & self._rotated) > 1:
            yield "a letter shift", folded.translate(_ROT13)
        shifts = Counter(
            (ord(word[0]) - self._shapes[shape]) % 26
            for word in words
            if len(word) >= _LONG_WORD and (shape := _shape(word[:_LONGEST_WORD])) in self._shapes
        )
        for shift, times in shifts.most_common(MOST_SHIFTS + 2):
            if times > 1 and shift not in {0, 13}:
                yield "a letter shift", folded.translate(_shifted(-shift))


def _shifted(shift: int) -> dict[int, int]:
    return {97 + i: 97 + (i + shift) % 26 for i in range(26)}


@lru_cache(maxsize=20_000)
def _shape(word: str) -> tuple[int, ...]:
    """Return what a letter shift does not change: the distances between neighbouring letters."""
    return tuple((ord(b) - ord(a)) % 26 for a, b in pairwise(word))
