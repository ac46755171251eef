"""An extra step that does what no step may do; the run must be rejected."""

from __future__ import annotations

import apsw


def edit_values(shadow: apsw.Connection, now: float) -> None:
    shadow.execute("UPDATE facts SET value = value || ' or so' WHERE id LIKE 'seed%'")
