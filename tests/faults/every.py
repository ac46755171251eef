"""``scripts/faults``: every fault at every operation of every kind of run, and of the run after each death; a table."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from tests.faults.injection import FAULTS
from tests.faults.kinds import KINDS, RECOVERED, Kind
from tests.faults.server import Commands
from tests.faults.trials import Trials, Tried

_RECOVERY_FAULTS = ("kill", "torn", "EIO", "EACCES")
_SHOWN = 10


def try_kind(trials: Trials, faults: Sequence[str], dull: int, stride: int = 1) -> Tried:
    """Let faults come at the operations of a run; a death at every one of them.

    Args:
        trials: the kind of run.
        faults: which faults.
        dull: of the operations on disposable files, at every how many the other faults come.
        stride: of what is then left, at every how many.
    """
    tried = Tried(trials.kind.name, len(trials.operations))
    for place, fault in enumerate(faults):
        numbers = trials.numbers(fault) if fault == "kill" else trials.numbers(fault, dull)[place % stride :: stride]
        trials.try_all(fault, numbers, tried)
    return tried


def try_recovery(trials: Trials, left: dict[tuple[str, ...], int], folder: Path, faults: Sequence[str]) -> Tried:
    """Let faults come at every operation with which the next run clears up after a death, for each stage of the death.

    Args:
        trials: the kind of run that dies.
        left: the stages: what a death left, and the number of the operation at which it came.
        folder: room.
        faults: which faults.
    """
    tried = Tried(f"recovery of {trials.kind.name}")
    following = replace(trials.kind, command=trials.kind.following[0], special="", late=0)
    for number in left.values():
        after = Trials(following, trials.commands, folder, (trials, number))
        tried.points += len(after.numbers_of_recovery("kill"))
        for fault in faults:
            after.try_all(fault, after.numbers_of_recovery(fault), tried)
    return tried


def table(results: Sequence[Tried]) -> Iterator[str]:
    """Yield the lines of the table: per kind of run the operations, the trials per fault, the failures."""
    width = max(len(item.kind) for item in results)
    faults = [fault for fault in FAULTS if any(fault in item.trials for item in results)]
    yield "  ".join(["kind of run".ljust(width), "    N", *faults, "failures"])
    for item in results:
        counts = [str(item.trials.get(fault, 0)).rjust(max(len(fault), 4)) for fault in faults]
        yield "  ".join([item.kind.ljust(width), str(item.points).rjust(5), *counts, str(len(item.failures)).rjust(8)])
    total = sum(sum(item.trials.values()) for item in results)
    yield f"{total} trials, {sum(len(item.failures) for item in results)} failures"


def run(kinds: Sequence[Kind], faults: Sequence[str], dull: int, stride: int, folder: Path) -> list[Tried]:
    """Try kinds of run, and say on stderr how far it is."""
    results = []
    with Commands(folder / "commands") as commands:
        for kind in kinds:
            trials = Trials(kind, commands, folder / "run")
            results.append(try_kind(trials, faults, dull, stride))
            if kind.name in RECOVERED and "kill" in faults:
                some = [fault for fault in _RECOVERY_FAULTS if fault in faults]
                results.append(try_recovery(trials, results[-1].left, folder / "recovery", some))
            for item in results:
                if item.kind.endswith(kind.name):
                    said = f"{item.kind}: {sum(item.trials.values())} trials, N = {item.points}"
                    print(said, *item.failures[:_SHOWN], sep="\n", file=sys.stderr, flush=True)
    return results


def main() -> int:
    """Read the command line, try everything, print the table; return 1 if anything failed."""
    parser = argparse.ArgumentParser(prog="scripts/faults", description=__doc__)
    parser.add_argument("--kind", action="append", metavar="TEXT", help="only kinds of run with this in their name")
    parser.add_argument("--fault", action="append", choices=FAULTS, help="only this fault")
    parser.add_argument(
        "--dull",
        type=int,
        default=10,
        metavar="N",
        help="on disposable files faults other than death come at every N-th operation (default 10)",
    )
    parser.add_argument(
        "--stride", type=int, default=1, metavar="N", help="and at every N-th of the others (default 1)"
    )
    given = parser.parse_args()
    kinds = [kind for kind in KINDS if not given.kind or any(text in kind.name for text in given.kind)]
    with tempfile.TemporaryDirectory(prefix="faults-") as folder:
        results = run(kinds, given.fault or FAULTS, given.dull, given.stride, Path(folder))
    print(*table(results), sep="\n")
    failures = [failure for item in results for failure in item.failures]
    print(*failures[:_SHOWN], sep="\n")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
