"""Openers that never stop against swaps that never stop: ``python -m tests.torture.openers``, which `scripts/openers` runs."""

from __future__ import annotations

import argparse
import json
import secrets
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from consolidate.store.contract import SCHEMA
from tests.torture.clients import KINDS
from tests.torture.commands import PROJECT, environment
from tests.torture.opener import SEEDS, Log, Order
from tests.torture.table import table

JOURNALS = ("wal", "delete")
# So many swaps are made on one store, so that it stays small.
LEG = 250
_LOUD = ("busy", "moved", "no such table", "malformed")
# Bursts without a pause, and the longest pause in seconds: somebody always comes just when the store is swapped.
_PACES = ((1, 0.3), (3, 0.6), (1, 0.5), (2, 0.8))


@dataclass
class Result:
    """What came of the swaps of one journal mode.

    Attributes:
        journal: the journal mode.
        counts: swaps by outcome and way; ``met``: drains that met somebody with the old file; ``stragglers``: notices.
        errors: what the openers were told, by reason.
        acknowledged: inserts.
        lost: inserts that were acknowledged and are not there.
        invented: inserts that were refused, or that nobody made, and are there.
        damage: what an integrity check says; what else went wrong.
    """

    journal: str
    counts: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    acknowledged: int = 0
    lost: list[str] = field(default_factory=list)
    invented: list[str] = field(default_factory=list)
    damage: list[str] = field(default_factory=list)

    @property
    def unheard(self) -> dict[str, int]:
        """What the openers must never be told; that the file was moved, only those who stayed longer than a run waits."""
        told = {why: count for why, count in self.errors.items() if why not in ("busy", "moved")}
        moved = self.errors["moved"] - self.counts["stragglers"]
        return told | ({"moved": moved} if moved > 0 else {})

    @property
    def good(self) -> bool:
        return not (self.lost or self.invented or self.damage or self.unheard)

    def row(self) -> list[object]:
        empty = sum(count for why, count in self.errors.items() if why.startswith("empty"))
        others = sum(count for why, count in self.unheard.items() if why not in _LOUD) - empty
        counts, errors = self.counts, self.errors
        return [
            self.journal, counts["swapped"], counts["rename"], counts["in-place"], counts["unchanged"], counts["busy"],
            counts["met"], counts["stragglers"], self.acknowledged, len(self.lost), errors["no such table"], empty,
            errors["malformed"] + len(self.damage), errors["moved"], errors["busy"], others, len(self.invented),
        ]  # fmt: skip


HEAD = (
    "journal", "swaps", "renames", "in-place", "unchanged", "busy runs", "drains met", "stragglers", "acknowledged", "lost",
    "no such table", "empty", "malformed", "loud errors", "busy errors", "other errors", "refused but there",
)  # fmt: skip


class _Crowd:
    """The openers of one store."""

    def __init__(self, folder: Path, store: Path, count: int) -> None:
        self._logs = folder / "logs"
        self._logs.mkdir()
        self._processes = []
        for number in range(count):
            kind = KINDS[number % len(KINDS)]
            burst, pause = _PACES[number % len(_PACES)]
            order = Order(str(store), str(self._logs / str(number)), kind, f"o{number}", burst, pause)
            self._processes.append(subprocess.Popen(order.arguments(), stdin=subprocess.PIPE, env=environment()))

    def wait_until_busy(self) -> None:
        """Return when each opener has been acknowledged something."""
        waited = time.monotonic()
        while len({name.split("-")[0] for name in self.read().acked}) < len(self._processes):
            assert time.monotonic() - waited < 300, "the openers do not open anything"
            time.sleep(0.02)

    def read(self) -> Log:
        log = Log()
        for path in self._logs.iterdir():
            log.add(path)
        return log

    def stop(self) -> list[int]:
        """Let them end, and return their exit statuses."""
        for process in self._processes:
            assert process.stdin is not None
            process.stdin.close()
        return [process.wait(timeout=120) for process in self._processes]

    def kill(self) -> None:
        for process in self._processes:
            process.kill()
            process.wait()


def leg(
    folder: Path, result: Result, swaps: int, openers: int, tell: Callable[[str], None], both: bool = False
) -> None:
    """Swap one store so often beside its openers, and add what came of it to the result.

    Args:
        folder: where everything goes.
        result: added to.
        swaps: how many.
        openers: how many.
        tell: called with a line now and then.
        both: go on until each way of swapping was taken.
    """
    store = folder / "tenants" / "acme" / "memory.db"
    store.parent.mkdir(parents=True)
    with closing(sqlite3.connect(store)) as db:
        db.execute(f"PRAGMA journal_mode={result.journal}")
        db.executescript(SCHEMA)
        with db:
            for number in range(SEEDS):
                db.execute(
                    "INSERT INTO facts(id, user_id, attribute, status) VALUES (?, 'u', 'a', 'active')",
                    (f"seed{number}",),
                )
    config = folder / "config.toml"
    config.write_text("[swap]\nlock_timeout = 5.0\n[retention]\nkeep_pre = 2\n", "utf-8")
    crowd = _Crowd(folder, store, openers)
    try:
        crowd.wait_until_busy()
        _swap(folder, config, result, swaps, tell, both)
        statuses = crowd.stop()
    finally:
        crowd.kill()
    result.damage += [f"an opener ended with status {status}" for status in statuses if status]
    try:
        _audit(store, crowd.read(), result)
    except sqlite3.Error as error:
        result.damage.append(f"the store cannot be read: {error}")


def _swap(folder: Path, config: Path, result: Result, swaps: int, tell: Callable[[str], None], both: bool) -> None:
    command = [sys.executable, "-m", "tests.torture.swapper", str(folder / "tenants"), "acme", str(config), str(swaps)]
    with subprocess.Popen(
        [*command, "both" if both else "any"], stdout=subprocess.PIPE, text=True, env=environment(), cwd=PROJECT
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            found = json.loads(line)
            if "fault" in found:
                result.damage.append(found["fault"])
            elif "done" in found:
                result.counts.update(found["done"])
            else:
                tell(f"{result.journal}: {result.counts['swapped'] + found['counts']['swapped']} swaps")
    if process.returncode:
        result.damage.append(f"the runs ended with status {process.returncode}")


def _audit(store: Path, log: Log, result: Result) -> None:
    with closing(sqlite3.connect(store)) as db:
        there = Counter(row[0] for row in db.execute("SELECT id FROM facts NOT INDEXED WHERE id LIKE 'o%'"))
        result.damage += [row[0] for row in db.execute("PRAGMA integrity_check") if row[0] != "ok"]
        seeds = db.execute("SELECT count(*) FROM facts WHERE id LIKE 'seed%'").fetchone()[0]
        found = db.execute("PRAGMA journal_mode").fetchone()[0]
    if seeds != SEEDS:
        result.damage.append(f"{seeds} facts are left of {SEEDS}")
    if found != result.journal:
        result.damage.append(f"the journal mode is {found}")
    result.acknowledged += len(log.acked)
    result.errors += log.errors
    result.lost += sorted(log.acked - there.keys())
    result.invented += sorted((log.refused & there.keys()) | (there.keys() - log.meant))
    result.damage += [f"{name} is there {count} times" for name, count in there.items() if count > 1]


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="scripts/openers", description="Swap stores thousands of times while clients open, read and write them."
    )
    parser.add_argument("--swaps", type=int, default=2000, help="swaps of each journal mode (default: 2000)")
    parser.add_argument("--openers", type=int, default=4, help="openers at a time (default: 4)")
    parser.add_argument("--journal", choices=JOURNALS, help="only this journal mode")
    parser.add_argument("--keep", action="store_true", help="keep the folder of a failure")
    options = parser.parse_args()
    results = []
    folder = Path(tempfile.mkdtemp(prefix="consolidate-openers."))
    began = time.monotonic()
    told = began

    def tell(line: str) -> None:
        nonlocal told
        if time.monotonic() - told >= 60:
            told = time.monotonic()
            print(f"{(told - began) / 60:4.1f} min | {line}", flush=True)

    for journal in JOURNALS if options.journal is None else (options.journal,):
        result = Result(journal)
        results.append(result)
        while result.counts["swapped"] < options.swaps and result.good:
            place = folder / secrets.token_hex(4)
            leg(place, result, min(LEG, options.swaps - result.counts["swapped"]), options.openers, tell)
            if result.good:
                shutil.rmtree(place)
    print(table([HEAD, *(result.row() for result in results)]), flush=True)
    good = all(result.good for result in results)
    for result in results:
        for text in [*result.damage[:10], *result.lost[:10], *result.invented[:10], *result.unheard][:20]:
            print(f"{result.journal}: {text}")
    if not good and options.keep:
        print(f"Everything is kept in {folder}.")
    else:
        shutil.rmtree(folder)
    return int(not good)


if __name__ == "__main__":
    sys.exit(main())
