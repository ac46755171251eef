"""Two extra steps for the demonstration: one lets another process write during the run, one is a bad idea."""

from __future__ import annotations

import os
import subprocess
import sys

import apsw

APPLICATION = """
import sys
from consolidate.store.memory import Memory
with Memory.open(sys.argv[1]) as memory:
    memory.remember("maya", "phone", "+43 1 2345", valid_from=float(sys.argv[2]))
"""


def application_writes(shadow: apsw.Connection, now: float) -> None:
    """While the run is under way, the application (another process) remembers one more thing, once."""
    if os.environ.pop("DEMO_LATE_STORE", None):
        store = os.environ["DEMO_STORE"]
        subprocess.run([sys.executable, "-c", APPLICATION, store, str(now - 60)], check=True)


def retire_everything_old(shadow: apsw.Connection, now: float) -> None:
    """A well-meant rule: what nobody has repeated must be stale, so retire it."""
    shadow.execute(
        """UPDATE facts SET status = 'expired', valid_to = ? WHERE status = 'active' AND confirmations < 2""", (now,)
    )
