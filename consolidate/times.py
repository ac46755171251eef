"""Reading and writing points in time; all times are Unix seconds, UTC (DESIGN section 2)."""

from __future__ import annotations

import math
from datetime import UTC, datetime

from consolidate.errors import UsageError


def parse_when(text: str) -> float:
    """Read a point in time as ``--now`` and ``--as-of`` take it (DESIGN section 6).

    Args:
        text: ISO 8601 (no offset means UTC) or Unix seconds.

    Returns:
        Unix seconds.

    Raises:
        UsageError: the text is neither.
    """
    text = text.strip()
    try:
        seconds = float(text)
    except ValueError:
        try:
            moment = datetime.fromisoformat(text)
        except ValueError:
            raise UsageError(
                f"{text!r} is not a point in time.", "Give ISO 8601 such as 2026-03-01T03:00:00Z, or Unix seconds."
            ) from None
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    if not math.isfinite(seconds) or not -62135596800 <= seconds <= 253402300799:
        raise UsageError(f"{text!r} is not a point in time.", "Unix seconds must lie between the years 1 and 9999.")
    return seconds


def format_when(seconds: object) -> str:
    """Write Unix seconds for people: a date, with the time of day where it is not midnight; anything else as it is."""
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)):
        return "never" if seconds is None else str(seconds)
    try:
        moment = datetime.fromtimestamp(seconds, UTC)
    except (OverflowError, ValueError, OSError):
        return str(seconds)
    return f"{moment:%Y-%m-%d}" if moment.time().isoformat() == "00:00:00" else f"{moment:%Y-%m-%d %H:%M:%S}"


_UNITS = {"s": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0, "w": 604800.0}


def parse_duration(text: str) -> float:
    """Read a length of time such as ``36h``, ``90min``, ``2d`` or plain seconds.

    Returns:
        Seconds.

    Raises:
        UsageError: it is none.
    """
    number, unit = text.strip(), "s"
    for name in sorted(_UNITS, key=len, reverse=True):
        if number.endswith(name):
            number, unit = number.removesuffix(name).strip(), name
            break
    try:
        seconds = float(number) * _UNITS[unit]
    except ValueError:
        seconds = math.nan
    if not 0 < seconds <= 3_155_760_000:
        raise UsageError(f"{text!r} is not a length of time.", "Give one such as 36h, 2d, 90min or 3600.")
    return seconds
