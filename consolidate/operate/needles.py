"""What is to be forgotten, as text that can be looked for: normal forms and every spelling that was stored (DESIGN section 3)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from consolidate.store.cells import Cell
from consolidate.store.values import normal_form, value_key

# Shorter values occur everywhere by chance: they are looked for as whole values only.
SHORTEST = 4


@dataclass(frozen=True)
class Request:
    """What a user asked to forget.

    Attributes:
        user: who asked.
        attribute: what to forget; None is everything of the user.
        value: the value to forget; None is the whole attribute.
        episodes: whether the episodes that mention it go as well.
    """

    user: str
    attribute: str | None = None
    value: str | None = None
    episodes: bool = False

    @property
    def key(self) -> str | bytes | None:
        """The normal form of the value."""
        return None if self.value is None else value_key(self.value.encode("utf-8"), "text")


@dataclass
class Needles:
    """The values that are forgotten.

    Attributes:
        spellings: each text as it was stored.
        ids: the ids of the facts that are erased, in any of the files.
    """

    spellings: set[str] = field(default_factory=set)
    ids: set[Cell] = field(default_factory=set)
    _pattern: re.Pattern[str] | None = None
    _bytes: re.Pattern[bytes] | None = None

    def add(self, spellings: Iterable[str]) -> None:
        """Add texts."""
        self.spellings.update(text for text in spellings if text.strip())
        self._pattern = self._bytes = None

    def mentioned_in(self, text: str) -> bool:
        """Tell whether a text says one of the values, in any spelling, as whole words."""
        if not self.spellings:
            return False
        if self._pattern is None:
            forms = {form for text in self.spellings for form in (normal_form(text), _folded(text))}
            self._pattern = re.compile("|".join(map(_whole_words, sorted(forms, key=lambda form: (-len(form), form)))))
        return any(self._pattern.search(form) for form in (normal_form(text), _folded(text)))

    def in_bytes(self, raw: bytes) -> bool:
        """Tell whether raw bytes hold one of the values, as UTF-8 or UTF-16; ASCII letters of either case."""
        if self._bytes is None:
            long = sorted(text for text in self.spellings if len(text) >= SHORTEST)
            forms = [re.escape(text.encode(codec)) for text in long for codec in ("utf-8", "utf-16-le", "utf-16-be")]
            self._bytes = re.compile(b"|".join(forms) or b"(?!)", re.IGNORECASE)
        return self._bytes.search(raw) is not None

    def longest(self) -> int:
        """Return the length of the longest form that `in_bytes` looks for, in bytes."""
        return max((4 * len(text) for text in self.spellings), default=0)

    def held_by(self, raw: bytes | None, kind: str, codec: str) -> bool:
        """Tell whether a stored column holds one of the values.

        Args:
            raw: ``CAST(x AS BLOB)``.
            kind: ``typeof(x)``.
            codec: the text encoding of the database.
        """
        if raw is None or kind == "null":
            return False
        return self.in_bytes(raw) or (kind != "blob" and self.mentioned_in(raw.decode(codec, "replace")))


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def _whole_words(form: str) -> str:
    """Return a pattern for a text that is not part of longer words; scripts without blanks have no words to be part of."""
    before = r"(?<!\w)" if _has_words(form[0]) else ""
    after = r"(?!\w)" if _has_words(form[-1]) else ""
    return f"{before}{re.escape(form)}{after}"


def _has_words(char: str) -> bool:
    return char.isdecimal() or char.lower() != char.upper()
