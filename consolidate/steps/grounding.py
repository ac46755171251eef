"""Whether the value of a candidate occurs in the episodes it cites (DESIGN section 3, promote; ``[promote] grounded``).

Both sides are compared in their normal form: the value's must occur in the summary's, and must stand there by itself.

- An end of the value that is a letter, mark, digit or underscore does not stand next to another one: ``art`` is not in ``party``.
- Between characters of which one belongs to a script written without blanks (Han, Kana, Thai, Lao, Khmer, Burmese, Tibetan)
  there is no such boundary, so nothing is asked: ``東京`` is in ``東京に行った``. Korean words take endings, so a value may be
  followed by Hangul, but not preceded by it: ``보스턴`` is in ``보스턴에서``.
- What would make another value of it does not stand next to it (the pairs of DESIGN section 3): after a letter or digit no
  ``+``, ``#`` or closing minus (``C`` is not in ``C++``, ``A`` not in ``A-``), before a digit no sign, currency or decimal mark
  with digits (``5`` is not in ``-5``, ``$5`` or ``1.5``), after a digit no decimal mark with digits, percent, degree or currency.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, cast
from unicodedata import category

import apsw

from consolidate.store.cells import text_codec
from consolidate.store.values import normal_form

_UNSPACED: Final = re.compile(
    "[\u0e00-\u0eff\u0f00-\u109f\u1780-\u17ff\u19e0-\u19ff\u3005-\u3007\u3031-\u3035\u3040-\u30ff\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\ua9e0-\ua9ff\uaa60-\uaa7f\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff]"
)
_HANGUL: Final = re.compile("[\u1100-\u11ff\u3130-\u318f\uac00-\ud7ff]")
_MINUS: Final = r"\-‐‑−"
_CURRENCY: Final = "$¢£¤¥֏؋৲৳฿៛₠-⃀"
# What stands before a digit, or behind a letter or digit, and makes another value of it.
_SIGN_BEFORE_DIGIT: Final = re.compile(rf"(?:\d[.,]|[{_CURRENCY}] ?|(?<!\w)[+±{_MINUS}])\Z")
_SIGN_BEHIND: Final = re.compile(rf"[+#]|[{_MINUS}](?!\w)")
_SIGN_BEHIND_DIGIT: Final = re.compile(rf"[.,]\d|[%‰°{_CURRENCY}]")
_NEAR: Final = 3


@lru_cache(maxsize=1 << 12)
def _is_word(char: str) -> bool:
    return char == "_" or category(char)[0] in "LMN"


def _joined(left: str, right: str) -> bool:
    """Tell whether two neighbouring characters belong to one word."""
    if not (_is_word(left) and _is_word(right)):
        return False
    return not (_UNSPACED.match(left) or _UNSPACED.match(right))


def _stands_alone(text: str, begin: int, end: int) -> bool:
    first, last = text[begin], text[end - 1]
    before, behind = text[max(0, begin - _NEAR) : begin], text[end : end + _NEAR]
    if before and _joined(before[-1], first):
        return False
    if behind and _joined(last, behind[0]) and not _HANGUL.match(behind[0]):
        return False
    if first.isdecimal() and _SIGN_BEFORE_DIGIT.search(before):
        return False
    if last.isdecimal() and _SIGN_BEHIND_DIGIT.match(behind):
        return False
    return not (_is_word(last) and _SIGN_BEHIND.match(behind))


def occurs_in(value: str, summary: str) -> bool:
    """Tell whether a value occurs in a summary.

    Args:
        value: the normal form of a value; an empty one occurs nowhere.
        summary: the normal form of a summary.
    """
    begin = summary.find(value) if value else -1
    while begin >= 0:
        if _stands_alone(summary, begin, begin + len(value)):
            return True
        begin = summary.find(value, begin + 1)
    return False


def ungrounded(db: apsw.Connection) -> list[int]:
    """Return the candidates, as yet not refused, whose value occurs in none of their cited episodes.

    Args:
        db: a connection with ``temp.candidate`` and ``temp.cited`` of `promote.load_candidates`.
    """
    codec = text_codec(db)

    @lru_cache(maxsize=256)
    def form(episode: bytes) -> str:
        summary = db.execute(
            "SELECT CAST(coalesce(summary, '') AS BLOB) FROM main.episodes WHERE id = CAST(? AS TEXT)", (episode,)
        ).get
        return normal_form(bytes(summary or b"").decode(codec, "replace"))

    cited: dict[int, list[bytes]] = {}
    for row in db.execute(
        """SELECT c.n, CAST(x.episode_id AS BLOB) FROM temp.candidate c JOIN temp.cited x ON x.n = c.n
           WHERE c.refusal IS NULL AND x.counts ORDER BY c.n, x.occurred_at"""
    ):
        number, episode = cast(tuple[int, bytes], row)
        cited.setdefault(number, []).append(episode)
    rows = db.execute("SELECT n, CAST(value AS BLOB) FROM temp.candidate WHERE refusal IS NULL").fetchall()
    refused = []
    for number, value in cast(list[tuple[int, bytes]], rows):
        wanted = normal_form(value.decode(codec, "replace"))
        if not any(occurs_in(wanted, form(episode)) for episode in cited.get(number, ())):
            refused.append(number)
    return refused
