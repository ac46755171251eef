"""``scripts/power-cut``: every point at which the power can fail in a run, what the disk can then hold; a table."""

from __future__ import annotations

import argparse
import random
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.faults.disk import Image
from tests.faults.kinds import CONNECTED, KINDS, Kind
from tests.faults.server import Commands
from tests.faults.trials import Failure, Trials

NAMES = ("rename", "in place", "triggers", "rollback", "rejected")
_SHOWN = 10


@dataclass
class Cut:
    """The figures of one kind of run.

    Attributes:
        kind: its name.
        points: how many events of the run a power cut can follow.
        drawn: how many images were made of what the disk then can hold, equal ones included.
        images: how many different ones were tried.
        failures: those that were not all old or all new, or from which the next run did not go on.
    """

    kind: str
    points: int = 0
    drawn: int = 0
    images: int = 0
    failures: list[Failure] = field(default_factory=list)


def powered_kinds() -> list[Kind]:
    """Return the kinds of run that the model is for: those to which nobody else writes."""
    return [*(kind for kind in KINDS if kind.name.startswith(NAMES)), CONNECTED]


@dataclass(frozen=True)
class _Found:
    """An image, and after which event it can be found."""

    image: Image
    number: int
    event: str
    reported: bool


def cut(trials: Trials, seed: int, samples: int, most: int = 0) -> Cut:
    """Let the power fail after every event of a run.

    Args:
        trials: the kind of run.
        seed: of what is drawn.
        samples: how many images are drawn at each point where not all can be tried.
        most: how many images are tried at most, evenly spread over the run; 0 for all.
    """
    chance = random.Random(f"{trials.kind.name} {seed}")
    disk, events, after = trials.trace()
    result = Cut(trials.kind.name, len(events))
    found: dict[object, _Found] = {}
    for number, event in enumerate([None, *events]):
        if event:
            disk.play(event)
        for image in disk.images(chance, samples):
            result.drawn += 1
            reported = number == len(events)
            name = f"{event.kind} {event.name}" if event else ""
            found.setdefault((image.key(), reported), _Found(image, number, name, reported))
    now = disk.now()
    seen = {name: content for name, content in after.items() if not name.endswith("-shm")}  # which nothing syncs
    assert {name: now.contents[file] for name, file in now.names.items()} == seen, "the trace is not complete"
    every = list(found.values())
    step = len(every) / most if most and most < len(every) else 1
    for place in range(int(len(every) / step)):
        _try_image(trials, every[int((place + 1) * step) - 1], result)
    return result


def _try_image(trials: Trials, found: _Found, result: Cut) -> None:
    result.images += 1
    shutil.rmtree(trials.place.store)
    trials.place.store.mkdir()
    found.image.write(trials.place.store)
    try:
        trials.judge_image(reported=found.reported)
    except AssertionError as error:
        result.failures.append(Failure(result.kind, "power cut", found.number, found.event, str(error)[:2000]))


def table(results: Sequence[Cut]) -> Iterator[str]:
    """Yield the lines of the table."""
    width = max(len(item.kind) for item in results)
    yield "  ".join(["kind of run".ljust(width), "points", " drawn", "images", "failures"])
    for item in results:
        figures = (item.points, item.drawn, item.images)
        yield "  ".join([item.kind.ljust(width), *(f"{n:6}" for n in figures), f"{len(item.failures):8}"])


def main() -> int:
    """Read the command line, try everything, print the table; return 1 if anything failed."""
    parser = argparse.ArgumentParser(prog="scripts/power-cut", description=__doc__)
    parser.add_argument("--kind", action="append", metavar="TEXT", help="only kinds of run with this in their name")
    parser.add_argument("--samples", type=int, default=4, metavar="N", help="images drawn per point (default 4)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of what is drawn (default 1)")
    parser.add_argument("--most", type=int, default=0, metavar="N", help="try so many images per kind at most")
    given = parser.parse_args()
    results = []
    with tempfile.TemporaryDirectory(prefix="power-cut-") as folder, Commands(Path(folder) / "commands") as commands:
        for kind in powered_kinds():
            if not given.kind or any(text in kind.name for text in given.kind):
                trials = Trials(kind, commands, Path(folder) / "run")
                results.append(cut(trials, given.seed, given.samples, given.most))
                print(results[-1].kind, *results[-1].failures[:_SHOWN], sep="\n", file=sys.stderr, flush=True)
    print(*table(results), sep="\n")
    return 1 if any(item.failures for item in results) else 0


if __name__ == "__main__":
    sys.exit(main())
