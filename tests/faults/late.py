"""An extra step during which the application writes to the live store, from a process of its own."""

from __future__ import annotations

import json
import os
import sqlite3

import apsw

_passes = 0


def write(_shadow: apsw.Connection, _now: float) -> None:
    """Add a row, change one and delete one, in the first passes of a run; later ones hold the write lock."""
    global _passes  # noqa: PLW0603 - each run has a process of its own
    _passes += 1
    live, acknowledged, wanted = json.loads(os.environ["FAULTS_LATE"])
    if _passes > wanted:
        return
    child = os.fork()
    if child == 0:
        # Nothing of the parent's may run here: the seam counts its operations, and its connections are not for use.
        try:
            _write(live, acknowledged, _passes)
        except BaseException:
            os._exit(1)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def _write(live: str, acknowledged: str, number: int) -> None:
    db = sqlite3.connect(live, timeout=10, isolation_level=None)
    db.execute("BEGIN IMMEDIATE")
    db.execute(
        """INSERT INTO facts(id, user_id, attribute, value, multi, source, valid_from, status, confirmations)
           VALUES (?, 'late', ?, 'x', 0, 'user', 2.0, 'active', 1)""",
        (f"late-{number}", f"a{number}"),
    )
    db.execute("DELETE FROM facts WHERE id = ?", (f"late-{number - 2}",))
    db.execute("UPDATE facts SET confirmations = confirmations + 1 WHERE id = ?", (f"late-{number - 1}",))
    db.execute("INSERT INTO notes(id, text) VALUES (?, 'late')", (1000 + number,))
    db.execute("COMMIT")
    # As an application that goes on running would, it leaves the connection open and dies with it.
    with open(acknowledged, "a", encoding="utf-8") as file:  # noqa: PTH123
        file.write(f"{number}\n")
