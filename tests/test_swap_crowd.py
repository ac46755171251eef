"""Many swaps beside clients that open, read, write and close all the time: nothing acknowledged is lost (DESIGN section 4)."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from consolidate.model import Swap
from consolidate.run import in_place, rename
from consolidate.run.live import NotFree, NotQuiet, Prepared
from tests import swap_job
from tests.writers import INSERT, JOURNALS, environment, look, make_store, state

SWAPS = 8

_WRITER = f"""
import json, select, sqlite3, sys
path, name, acknowledged, errors = sys.argv[1], sys.argv[2], 0, []
def asked_to_stop():
    return select.select([sys.stdin], [], [], 0)[0]
while not asked_to_stop():
    db = sqlite3.connect(path, timeout=60, isolation_level=None)
    try:
        db.execute("SELECT count(*) FROM facts").fetchall()
        db.execute({INSERT!r}, (f"{{name}}-{{acknowledged}}",))
        acknowledged += 1
    except sqlite3.Error as error:
        errors.append(str(error))
    db.close()
    if acknowledged == 1:
        print("busy", flush=True)
print(json.dumps([acknowledged, errors]), flush=True)
"""


def start(path: Path, name: str) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", _WRITER, str(path), name],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=environment(),
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "busy\n"
    return process


def stop(process: subprocess.Popen[str]) -> tuple[int, list[str]]:
    out, _ = process.communicate("stop\n")
    acknowledged, errors = json.loads(out.splitlines()[-1])
    return acknowledged, errors


def swap_somehow(path: Path, number: int) -> Swap | None:
    run_id = f"20260301T0300{number:02}Z-abc123"

    def decide(db: Any) -> None:
        db.execute("UPDATE facts SET confirmations = ? WHERE id = 'f3'", (100 + number,))

    with swap_job.opened(path, run_id) as (live, _):
        pre = live.paths.pre(run_id)
        prepared = swap_job.make_pass(live, run_id, decide)
        if rename.possible(live):
            rename.finish(prepared, live)
            try:
                return rename.swap(live, prepared, pre).swap
            except (NotFree, NotQuiet):
                pass

        def again() -> Prepared:
            return swap_job.make_pass(live, run_id, decide)

        return in_place.swap(live, prepared, pre, again=again).swap


@pytest.mark.parametrize("journal", JOURNALS)
def test_nothing_acknowledged_is_lost(tmp_path: Path, journal: str) -> None:
    path = make_store(tmp_path, journal)
    writers = {name: start(path, name) for name in ("one", "two")}
    for number in range(SWAPS):
        assert swap_somehow(path, number) is not None
    ended = {name: stop(process) for name, process in writers.items()}
    assert state(path)
    for name, (acknowledged, errors) in ended.items():
        # Whoever found the old file by its path just before a rename is told so, in a loud error.
        assert {error for error in errors if "readonly" not in error} == set()
        found = {row[0] for row in look(path, "SELECT id FROM facts WHERE id LIKE ?", f"{name}-%")}
        assert found == {f"{name}-{number}" for number in range(acknowledged)}
    assert look(path, "SELECT confirmations FROM facts WHERE id = 'f3'") == [(100 + SWAPS - 1,)]
    assert look(path, "SELECT count(*) FROM consolidation_runs") == [(SWAPS,)]
