"""An extra step during which a person decides something, once: the commands run as processes of their own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import apsw


def decide_once(shadow: apsw.Connection, now: float) -> None:
    marker = Path(os.environ["LATE_STORE"]).with_suffix(".decided")
    if marker.exists():
        return
    marker.touch()
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CONSOLIDATE_")}
    for order in json.loads(os.environ["DECISIONS"]):
        subprocess.run([sys.executable, "-m", "consolidate", *order], check=True, env=environment, capture_output=True)
