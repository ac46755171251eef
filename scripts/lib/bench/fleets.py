"""Many small tenants: a fleet of which few changed, and one that all changed."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

from bench import measure, stores
from bench.measure import Measured
from bench.stores import DAY, NOW, Plan

FACTS = 1_000
JOBS = 2


def measure_fleets(folder: Path, tenants: int, repeat: int) -> None:
    """Measure both fleets, and print a line for each."""
    few = max(1, tenants // 10)
    root = folder / "fleet"
    pristine = folder / "small.db"
    stores.create(pristine, Plan(FACTS))
    _lay_out(root, tenants, pristine)
    first = _night(root, NOW)
    print(_line("all of them for the first time", tenants, first))
    quiet = [_changed(root, tenants, max(1, tenants // 100), NOW + DAY * (day + 1)) for day in range(repeat)]
    print(_line("of which 1 % changed", tenants, measure.middle(quiet)))
    shutil.rmtree(root)
    _lay_out(root, few, pristine)
    _night(root, NOW)
    busy = [_changed(root, few, few, NOW + DAY * (day + 1)) for day in range(repeat)]
    print(_line("that all changed", few, measure.middle(busy)))


def _names(count: int) -> Iterator[str]:
    return (f"tenant-{number:06}" for number in range(count))


def _lay_out(root: Path, tenants: int, pristine: Path) -> None:
    for name in _names(tenants):
        (root / name).mkdir(parents=True)
        shutil.copyfile(pristine, root / name / "memory.db")


def _changed(root: Path, tenants: int, count: int, now: float) -> Measured:
    """A night after some tenants got a few new facts."""
    for number, name in enumerate(_names(tenants)):
        if number % (tenants // count) == 0:
            stores.grow(root / name / "memory.db", 0.01, now, seed=round(now + number))
    return _night(root, now)


def _night(root: Path, now: float) -> Measured:
    return measure.command("--root", root, "--all", "--jobs", str(JOBS), now=now)


def _line(what: str, tenants: int, night: Measured) -> str:
    runs = night.document["runs"]
    swapped = sum(run["outcome"] == "swapped" for run in runs)
    return (
        f"{tenants:,} tenants of {FACTS:,} facts {what}: {night.seconds:.1f} s, {tenants / night.seconds:.0f} tenants/s, "
        f"{swapped:,} swapped, {night.megabytes:.0f} MB"
    )
