"""``scripts/bench``: one table in one run; ratios, since machines differ in speed."""

from __future__ import annotations

import argparse
import contextlib
import itertools
import math
import os
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from bench import fleets, measure, stores
from bench.measure import Measured
from bench.stores import DAY, NOW, Plan

STAGES = ("backup", "steps", "checks")
FIRST = "first"


@dataclass
class Size:
    """What was measured of one size.

    Attributes:
        facts: how many there are.
        floors: seconds that SQLite needs for the store as it was made, and for the store after its first night.
        nights: what was measured of each kind.
    """

    facts: int
    floors: tuple[float, float]
    nights: dict[str, Measured]

    def floor_of(self, night: str) -> float:
        """Return the floor for the very file that a night began with."""
        return self.floors[night != FIRST]


@contextlib.contextmanager
def environment(**variables: str) -> Iterator[None]:
    """Set variables for the commands that are run inside the block."""
    os.environ.update(variables)
    try:
        yield
    finally:
        for name in variables:
            os.environ.pop(name, None)


class Bench:
    """The stores of one size, each kept as it was made, and copied for each run."""

    def __init__(self, folder: Path, repeat: int, plan: Plan) -> None:
        self.folder, self.repeat = folder / str(plan.facts), repeat
        self.pristine = self.folder / "pristine.db"
        stores.create(self.pristine, plan)
        self.facts = plan.facts
        self.settled = self.folder / "settled.db"

    @property
    def live(self) -> Path:
        return self.folder / "root" / "acme" / "memory.db"

    def fresh(self, source: Path) -> None:
        """Put a copy of a store at the live path, and nothing else beside it."""
        shutil.rmtree(self.live.parent, ignore_errors=True)
        self.live.parent.mkdir(parents=True)
        shutil.copyfile(source, self.live)

    def night(self, config: str = "", now: float = NOW) -> Measured:
        path = self.folder / "consolidate.toml"
        path.write_text(config)
        return measure.command("--root", self.folder / "root", "--tenant", "acme", config=path, now=now)

    def measure(self) -> Size:
        """Run every kind of night."""
        made = measure.median_of(self.repeat, lambda: measure.floor(self.pristine))
        nights = {FIRST: self._repeated(self._first)}
        self._first()
        shutil.copyfile(self.live, self.settled)
        after = measure.median_of(self.repeat, lambda: measure.floor(self.settled))
        nights["unchanged"] = self._repeated(lambda: self._later(0.0))
        nights["1 % new"] = self._repeated(lambda: self._later(0.01))
        nights["1 % in place"] = self._repeated(lambda: self._later(0.01, opened=True))
        nights["10 % in place"] = self._repeated(lambda: self._later(0.1, opened=True))
        nights["1 %, 1,000 late"] = self._repeated(lambda: self._later(0.01, late=1000))
        nights["1 %, 1,000 late, in place"] = self._repeated(lambda: self._later(0.01, late=1000, opened=True))
        return Size(self.facts, (made, after), nights)

    def _repeated(self, once: object) -> Measured:
        assert callable(once)
        return measure.middle([once() for _ in range(self.repeat)])

    def _first(self) -> Measured:
        self.fresh(self.pristine)
        return self.night()

    def _later(self, share: float, *, late: int = 0, opened: bool = False) -> Measured:
        """A night after the first one, with new rows; beside an application that has the store open, if asked."""
        self.fresh(self.settled)
        now = NOW + DAY
        if share:
            stores.grow(self.live, share, now)
        step = '[steps]\nextra = ["bench.late:write_once"]\n' if late else ""
        told = {"BENCH_LATE_STORE": str(self.live), "BENCH_LATE_ROWS": str(late), "BENCH_LATE_ROWS_LEFT": "1"}
        with closing(sqlite3.connect(self.live)) as application, environment(**(told if late else {})):
            if opened:
                application.execute("SELECT count(*) FROM tombstones").fetchall()
            else:
                application.close()
            return self.night(step, now)


def rows_of(size: Size) -> Iterator[list[str]]:
    """Yield a row of the table for each kind of night."""
    for name, floor in zip(("floor", "floor after the first"), size.floors, strict=True):
        yield [f"{size.facts:,}", name, f"{floor:.2f}", "1.0", *([""] * (len(STAGES) + 5))]
    for name, night in size.nights.items():
        run = night.run
        stages = [run["seconds"].get(stage, 0) for stage in STAGES]
        done = ", ".join(f"{count:,} {step}" for step, count in run["actions"].items() if count)
        yield [
            f"{size.facts:,}", name, f"{night.seconds:.2f}", f"{night.seconds / size.floor_of(name):.1f}",
            *(f"{seconds:.2f}" for seconds in (*stages, night.seconds - sum(stages))), f"{1000 * run['lock_seconds']:.0f}",
            f"{night.megabytes:.0f}", run["swap"] or run["outcome"], done or "nothing",
        ]  # fmt: skip


def growth(sizes: list[Size]) -> Iterator[str]:
    """Yield the exponent by which each kind of night grows from one size to the next; 1 is linear."""
    for small, large in itertools.pairwise(sizes):
        factor = large.facts / small.facts
        told = [
            f"{name} {math.log(large.nights[name].seconds / small.nights[name].seconds, factor):.2f}"
            for name in large.nights
        ]
        yield f"growth exponent from {small.facts:,} to {large.facts:,} facts: {', '.join(told)}"


def table(head: list[str], rows: list[list[str]]) -> None:
    widths = [max(len(row[place]) for row in (head, *rows)) for place in range(len(head))]
    for row in (head, *rows):
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip(), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="scripts/bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small sizes, once each: shows that it works")
    parser.add_argument("--sizes", help="numbers of facts; 10000,100000,1000000 if not given")
    parser.add_argument("--repeat", type=int, default=3, help="the median of so many")
    parser.add_argument("--tenants", type=int, help="of the large fleet, 10000 if not given; 0 leaves the fleets out")
    parser.add_argument("--journal", default="wal", choices=("wal", "delete"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--without-index", action="store_true", help="of stores without an index of users and attributes"
    )
    asked = parser.parse_args()
    sizes_asked = asked.sizes or ("1000,3000" if asked.quick else "10000,100000,1000000")
    tenants = asked.tenants if asked.tenants is not None else 20 if asked.quick else 10_000
    repeat = 1 if asked.quick else asked.repeat
    sizes = []
    with tempfile.TemporaryDirectory(prefix="consolidate-bench.") as folder:
        for facts in map(int, filter(None, sizes_asked.split(","))):
            sizes.append(
                Bench(
                    Path(folder),
                    repeat,
                    Plan(facts, journal=asked.journal, seed=asked.seed, indexed=not asked.without_index),
                ).measure()
            )
            shutil.rmtree(Path(folder) / str(facts))
        head = ["facts", "night", "seconds", "× floor", *STAGES, "start, swap", "lock ms", "MB", "swap", "actions"]
        table(head, [row for size in sizes for row in rows_of(size)])
        for line in growth(sizes):
            print(line)
        if tenants:
            fleets.measure_fleets(Path(folder), tenants, repeat)


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))
    main()
