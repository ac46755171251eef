"""The benchmark runs and tells of every kind of night; its figures are for a machine of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).parent.parent


def test_it_measures_every_kind_of_night() -> None:
    paths = os.pathsep.join(map(str, (PROJECT, PROJECT / "scripts" / "lib")))
    call = [sys.executable, "-m", "bench.main", "--quick", "--sizes", "500", "--tenants", "10"]
    done = subprocess.run(
        call, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": paths}, cwd=PROJECT, check=False
    )
    assert done.returncode == 0, done.stderr
    lines = {tuple(line.split()[:2]): line for line in done.stdout.splitlines()}
    assert "49 merge" in lines["500", "first"] and " rename " in lines["500", "first"]
    assert " unchanged " in lines["500", "unchanged"]
    nights = [line for line in done.stdout.splitlines() if line.startswith("500")]
    assert len(nights) == 9 and sum(" in-place " in line for line in nights) == 3
    assert sum("1,0" in line and "supersede" in line for line in nights) == 2  # the late rows are in the result
    assert "10 tenants of 1,000 facts of which 1 % changed" in done.stdout
