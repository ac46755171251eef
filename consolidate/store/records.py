"""What a fact, an episode or a tombstone from outside must look like to be written: the API and the import share it.

The columns and their types are those of DESIGN section 2, the defaults those of section 6.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from consolidate.store import cells
from consolidate.store.cells import Cell

STATUSES: Final = ("active", "merged", "superseded", "expired", "review")
TABLES: Final = {"fact": "facts", "episode": "episodes", "tombstone": "tombstones"}

_YEARS: Final = (-62135596800, 253402300799)  # 1 to 9999
_REQUIRED: Final = object()
_NOW: Final = object()
_NEW_ID: Final = object()


class UnfitError(ValueError):
    """A record that cannot be written; the message is a reason that holds no memory content."""


def _text(given: Any) -> str:
    if not isinstance(given, str):
        raise UnfitError("must be text")
    if not given.isascii() and not cells.is_text(given):
        raise UnfitError("holds half of a surrogate pair, which is no character")
    return given


def _flag(given: Any) -> int:
    if given not in (0, 1) or not isinstance(given, int):
        raise UnfitError("must be 0 or 1")
    return int(given)


def _time(given: Any) -> float:
    if isinstance(given, bool) or not isinstance(given, (int, float)):
        raise UnfitError("must be a number of Unix seconds")
    if not _YEARS[0] <= given <= _YEARS[1]:  # nor is NaN or an infinity
        raise UnfitError("must be Unix seconds between the years 1 and 9999")
    return given


def _count(given: Any) -> int:
    if isinstance(given, bool) or not isinstance(given, int) or not 0 <= given < 2**63:
        raise UnfitError("must be a whole number that is not negative")
    return given


def _status(given: Any) -> str:
    if given not in STATUSES:
        raise UnfitError(f"must be one of {', '.join(STATUSES)}")
    return str(given)


@dataclass(frozen=True)
class _Column:
    check: Callable[[Any], Cell]
    default: Any = _REQUIRED
    nullable: bool = False


_COLUMNS: Final[Mapping[str, Mapping[str, _Column]]] = {
    "fact": {
        "id": _Column(_text, _NEW_ID),
        "user_id": _Column(_text),
        "attribute": _Column(_text),
        "value": _Column(_text),
        "multi": _Column(_flag, 0),
        "source": _Column(_text, "user"),
        "valid_from": _Column(_time, _NOW),
        "valid_to": _Column(_time, None, nullable=True),
        "expires_at": _Column(_time, None, nullable=True),
        "status": _Column(_status, "active"),
        "superseded_by": _Column(_text, None, nullable=True),
        "evidence": _Column(_text, "", nullable=True),
        "confirmations": _Column(_count, 1, nullable=True),
    },
    "episode": {
        "id": _Column(_text, _NEW_ID),
        "user_id": _Column(_text),
        "occurred_at": _Column(_time, _NOW),
        "summary": _Column(_text),
    },
    "tombstone": {
        "user_id": _Column(_text),
        "attribute": _Column(_text),  # no default: a forgotten key must not forget everything of a user
        "value": _Column(_text, None, nullable=True),
    },
}


def complete(kind: str, given: Mapping[str, Any], now: float, *, exact: bool = False) -> list[Cell]:
    """Check a record and fill in what it leaves out.

    Args:
        kind: ``fact``, ``episode`` or ``tombstone``.
        given: the columns.
        now: the default of ``valid_from`` and ``occurred_at``, in Unix seconds.
        exact: take a column in its exact form (`cells`) as it is, whatever its type.

    Returns:
        The columns of the contract table in its order.

    Raises:
        UnfitError: the first thing that is wrong with it.
    """
    columns = _COLUMNS[kind]
    for key in given:
        if key not in columns:
            raise UnfitError(f"unknown key {key[:40]!a}")
    row: list[Cell] = []
    for name, column in columns.items():
        try:
            if name not in given:
                row.append(_default(kind, column, now))
            elif exact and isinstance(given[name], dict):
                row.append(cells.from_exact_json(given[name]))
            else:
                row.append(_checked(column, given[name]))
        except ValueError as error:
            raise UnfitError(f"{name} {error}") from None
    return row


def _default(kind: str, column: _Column, now: float) -> Any:
    if column.default is _REQUIRED:
        raise UnfitError("is missing")
    return now if column.default is _NOW else new_id(kind) if column.default is _NEW_ID else column.default


def _checked(column: _Column, given: Any) -> Cell:
    if given is not None:
        return column.check(given)
    if not column.nullable:
        raise UnfitError("is null" + ("" if column.default is _REQUIRED else "; leave it out for its default"))
    return None


def as_json(kind: str, row: list[Cell]) -> dict[str, Any]:
    """Return a row of a contract table as an object that `complete` turns back into exactly that row."""
    record: dict[str, Any] = {"kind": kind}
    for (name, column), cell in zip(_COLUMNS[kind].items(), row, strict=True):
        record[name] = cell if _is_natural(column, cell) else cells.exact_json(cell)
    return record


def _is_natural(column: _Column, cell: Cell) -> bool:
    try:
        _checked(column, cell)
    except UnfitError:
        return False
    return True


def new_id(kind: str) -> str:
    """Return a fresh id for a fact or an episode."""
    return f"{kind}-{secrets.token_hex(12)}"
