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
