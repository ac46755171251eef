"""An extra step that lets another process write to the live store while the run is under way, once."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import apsw

WRITER = """
import sqlite3, sys
db = sqlite3.connect(sys.argv[1], timeout=30)
db.executescript(sys.argv[2])
db.close()
"""


def write_once(shadow: apsw.Connection, now: float) -> None:
    """Run the SQL in ``$LATE_SQL`` on ``$LATE_STORE`` in a process of its own, the first time only."""
    done = Path(os.environ["LATE_STORE"] + "-late-done")
    if not done.exists():
        subprocess.run([sys.executable, "-c", WRITER, os.environ["LATE_STORE"], os.environ["LATE_SQL"]], check=True)
        done.touch()
