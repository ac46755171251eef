"""Single columns as they stand in a store, dirt included: read without loss, and written as JSON without loss.

Columns hold anything (DESIGN section 2): blobs, text that is not decodable, infinities. Text is therefore read as its
bytes and decoded here. In JSON an object with one of these keys names a column's exact content:

``{"$null": true}``, ``{"$integer": 5}``, ``{"$real": 0.5}`` or ``{"$real": "inf"}``, ``{"$text": "…"}``,
``{"$bytes": "ff61"}`` (TEXT that is not decodable, its bytes in hexadecimal), ``{"$blob": "00ff"}``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import apsw

from consolidate.store.connections import quoted

Cell = str | int | float | bytes | None

_INFINITIES = {"inf": math.inf, "-inf": -math.inf}


class Undecodable(bytes):
    """The bytes of a TEXT that is not text in the store's encoding; it equals only itself (DESIGN section 3)."""

    __slots__ = ()


def text_codec(db: apsw.Connection) -> str:
    """Return the encoding in which SQLite casts text of the main database to a BLOB (``PRAGMA encoding``)."""
    return str(db.pragma("encoding"))


def select_list(columns: Sequence[str]) -> str:
    """Return the SQL that reads ``columns`` for `decoded`: a mask of those that are text, then each of them."""
    names = [quoted(column) for column in columns]
    mask = " | ".join(f"((typeof({name}) = 'text') << {place})" for place, name in enumerate(names))
    as_bytes = (f"CASE typeof({name}) WHEN 'text' THEN CAST({name} AS BLOB) ELSE {name} END" for name in names)
    return ", ".join([mask, *as_bytes])


def decoded(row: Sequence[Any], codec: str) -> list[Cell]:
    """Return the columns of a row that was read with `select_list`; text that is none becomes `Undecodable`.

    Args:
        row: the row.
        codec: `text_codec` of the database.
    """
    mask = row[0]
    cells: list[Cell] = list(row[1:])
    for place, cell in enumerate(cells):
        if isinstance(cell, bytes) and mask >> place & 1:
            try:
                cells[place] = cell.decode(codec)
            except UnicodeDecodeError:
                cells[place] = Undecodable(cell)
    return cells


def is_text(text: str) -> bool:
    """Tell whether a Python string can be stored: half a surrogate pair cannot."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def as_json(cell: Cell) -> Any:
    """Return a column for JSON: text, numbers and NULL as they are, anything else in its exact form."""
    if isinstance(cell, bytes) or (isinstance(cell, float) and not math.isfinite(cell)):
        return exact_json(cell)
    return cell


def exact_json(cell: Cell) -> dict[str, Any]:
    """Return a column for JSON in the exact form that `from_exact_json` reads back."""
    match cell:
        case None:
            return {"$null": True}
        case Undecodable():
            return {"$bytes": cell.hex()}
        case bytes():
            return {"$blob": cell.hex()}
        case str():
            return {"$text": cell}
        case int():
            return {"$integer": cell}
        case _:
            return {"$real": cell if math.isfinite(cell) else "inf" if cell > 0 else "-inf"}


def from_exact_json(form: Mapping[str, Any]) -> Cell:
    """Read the exact form of a column.

    Raises:
        ValueError: it is not one of the forms; the message is a reason without any content.
    """
    with suppress(ValueError):
        match list(form.items()):
            case [("$null", True)]:
                return None
            case [("$bytes", str() as digits)]:
                return Undecodable(bytes.fromhex(digits))
            case [("$blob", str() as digits)]:
                return bytes.fromhex(digits)
            case [("$text", str() as text)] if is_text(text):
                return text
            case [("$integer", int() as number)] if not isinstance(number, bool) and -(2**63) <= number < 2**63:
                return number
            case [("$real", "inf" | "-inf" as name)]:
                return _INFINITIES[name]
            case [("$real", float() as number)] if math.isfinite(number):
                return number
    raise ValueError("is an object that is none of the exact forms of a column")
