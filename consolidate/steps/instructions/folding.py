"""Bring a text into the one spelling in which the word tables are written.

Case, accents, full-width and ornamental letters, invisible characters and letters that merely look Latin are the cheapest
way round a list of words, so none of them survives here. Every step is linear in the length of the text.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import Final

_MARKS_TO_DROP = "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u20d0-\u20f0"
"""Accents, Hebrew points and Arabic vowel signs. Indic vowel signs and Japanese voicing marks are letters and stay."""

_DROPPED = re.compile(f"[{_MARKS_TO_DROP}]+")

INVISIBLE: Final = re.compile(
    "[\u00ad\u034f\u061c\u0640\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164"
    "\ufdfa\ufdfb\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffc\U0001d173-\U0001d17a\U000e0000-\U000e0fff\x00-\x08\x0e-\x1f\x7f]+"
)
"""Characters without a shape of their own; two ligatures that unfold into whole phrases are dropped with them."""

_ORNAMENTAL = {
    **{0x1F1E6 + i: chr(97 + i) for i in range(26)},
    **{start + i: chr(97 + i) for start in (0x1F130, 0x1F150, 0x1F170) for i in range(26)},
    **dict(zip(map(ord, "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡʏᴢɑɡɩɾʋ"), "abcdefghijklmnopqrstuvwyzagirv", strict=True)),
}
"""Regional indicators, squared, circled and small-capital letters, which Unicode does not decompose."""

_LETTERS = str.maketrans(
    {
        **dict(zip("ıłøđðħŧþɨʉəɛɔ", "ilodohtbiueeo", strict=True)),
        "æ": "ae",
        "œ": "oe",
        "ß": "ss",
        **dict.fromkeys("أإآٱا", "ا"),
        "ة": "ه",
        **dict.fromkeys("ىیي", "ي"),
        "ک": "ك",
        "ؤ": "و",
        "ئ": "ي",
        **dict(zip("‘’ʼ´`′＇", "'''''''", strict=True)),
        **dict.fromkeys("“”„«»「」『』‹›＂", '"'),
        **dict.fromkeys("。।॥۔‼", "."),
        "؟": "?",
        **dict.fromkeys("،、", ","),
        "؛": ";",
        **dict.fromkeys("–—―‐‑‒−", "-"),
        **dict.fromkeys("\u2028\u2029\x85", "\n"),
    }
)

_LOOKALIKES = str.maketrans(
    "авсԁеҽғԍһіїјкӏмпорԛгѕтцѵԝхуүзьαβγδεζηικλμνορστυχωѡѓґңҥқҡөәѳ",
    "abcdeefghiijklmnopqrstuvwxyyzbabydeznikluvopotuxwwrrnnkkoeo",
)
"""Cyrillic and Greek letters taken for Latin ones, after `fold`."""

_LEET = str.maketrans("0134578@$!|€£9", "oieastbasiiel" + "g")
_LEET_WORD = re.compile(r"[a-z][0134578@$!|€£9]+[a-z]|[013457@$!|€£][a-z]{2}|[a-z]{2}[013457@$|€£]\b")
_LEET_SIGNS = re.compile(
    r"(?:[0134578$!|€£9]|@(?![a-z0-9-]+\.))+(?=[a-z])|(?<=[a-z])(?:[0134578$|€£9]|@(?![a-z0-9-]+\.))+"
)

_SPACED_LETTERS = re.compile(r"(?<![^\W_])[^\W_](?:(?P<gap> {1,3}|[.\-_*|/·+,~@^])[^\W_](?:(?P=gap)[^\W_])*)(?![^\W_])")

_HYPHENATED_BREAK = re.compile(r"(?<=[^\W\d_])(?:[*~`\u00b7]+|-\n)(?=[^\W\d_])")


@cache
def _runs_of_marks() -> re.Pattern[str]:
    """Long runs of combining marks, which take `unicodedata.normalize` quadratic time to sort."""
    marks = "".join(chr(c) for c in range(0x300, 0x1E950) if unicodedata.combining(chr(c)))
    return re.compile(f"(?<=[{marks}]{{3}})[{marks}]+")


def visible(text: str) -> str:
    """Return `text` with its compatibility characters unfolded and without what cannot be seen; case is kept."""
    text = INVISIBLE.sub("", text)
    if text.isascii():
        return text
    text = _runs_of_marks().sub("", _DROPPED.sub("", text)).translate(_ORNAMENTAL)
    if unicodedata.is_normalized("NFKD", text):
        return text
    return unicodedata.normalize("NFC", _DROPPED.sub("", unicodedata.normalize("NFKD", text)))


def fold(text: str) -> str:
    """Return a `visible` text in lower case, with one spelling for each letter and for each kind of punctuation."""
    text = text.casefold()
    if not text.isascii():
        text = _DROPPED.sub("", text).translate(_LETTERS)
    return _HYPHENATED_BREAK.sub("", text)


def latin_spelling(word: str) -> str:
    """Return a folded word with look-alike letters of other alphabets replaced by the Latin ones they imitate."""
    return word.translate(_LOOKALIKES)


def without_leetspeak(folded: str) -> str:
    """Return a folded text with digits and signs inside words read as letters."""
    if not _LEET_WORD.search(folded):
        return folded
    return _LEET_SIGNS.sub(lambda signs: signs.group().translate(_LEET), folded)


def joined_letters(folded: str) -> str:
    """Return a folded text with words written letter by letter put together again."""
    return _SPACED_LETTERS.sub(lambda run: run.group().replace(run.group("gap"), ""), folded)
