"""An extra step that lets another process write to the live store while the run is under way, once per run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import apsw

WRITER = """
import sqlite3, sys
path, rows, now = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
with sqlite3.connect(path, timeout=60) as db:
    users = [user for (user,) in db.execute("SELECT DISTINCT user_id FROM facts LIMIT ?", (rows,))]
    db.executemany(
        "INSERT INTO facts VALUES (?,?,?,?,0,'user',?,NULL,NULL,'active',NULL,NULL,1)",
        [(f"late-{now}-{number}", users[number % len(users)], "trait_01", f"value {number}", now - 1) for number in range(rows)],
    )
db.close()
"""


def write_once(shadow: apsw.Connection, now: float) -> None:
    """Write ``$BENCH_LATE_ROWS`` facts to ``$BENCH_LATE_STORE`` in a process of its own, the first time only."""
    store = os.environ.get("BENCH_LATE_STORE")
    if not store or not os.environ.pop("BENCH_LATE_ROWS_LEFT", None):
        return
    rows = os.environ["BENCH_LATE_ROWS"]
    subprocess.run([sys.executable, "-c", WRITER, str(Path(store)), rows, str(now)], check=True)
