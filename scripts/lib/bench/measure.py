"""Running one command and measuring it; and the floor that it is compared with."""

from __future__ import annotations

import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import apsw


@dataclass
class Measured:
    """One command.

    Attributes:
        seconds: from its start to its end.
        megabytes: the most memory it had at a time.
        document: what it printed.
    """

    seconds: float
    megabytes: float
    document: dict[str, Any] = field(default_factory=dict)

    @property
    def run(self) -> dict[str, Any]:
        """The only run of a ``nightly --json``."""
        (run,) = self.document["runs"]
        assert isinstance(run, dict)
        return run


def command(*arguments: str | Path, config: Path | None = None, now: float | None = None) -> Measured:
    """Run ``nightly --json`` as a process of its own, and measure it.

    Raises:
        SystemExit: it failed; its output is shown.
    """
    words = [sys.executable, "-m", "consolidate", "nightly", *map(str, arguments), "--json"]
    words += ["--config", str(config)] if config else []
    words += ["--now", str(now)] if now is not None else []
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        began = time.perf_counter()
        child = os.posix_spawn(
            sys.executable, words, os.environ,
            file_actions=[(os.POSIX_SPAWN_DUP2, out.fileno(), 1), (os.POSIX_SPAWN_DUP2, err.fileno(), 2)],
        )  # fmt: skip
        _, status, usage = os.wait4(child, 0)
        seconds = time.perf_counter() - began
        out.seek(0)
        err.seek(0)
        text = out.read().decode()
        if os.waitstatus_to_exitcode(status) not in (0, 75):
            sys.exit(f"{' '.join(words)} failed:\n{text}{err.read().decode()}")
        return Measured(seconds, usage.ru_maxrss / 1024, json.loads(text))


def floor(path: Path) -> float:
    """Return how many seconds SQLite needs to back a store up and to check the copy quickly: the least a night can cost."""
    copy = path.with_name("floor.db")
    copy.unlink(missing_ok=True)
    began = time.perf_counter()
    source, target = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY), apsw.Connection(str(copy))
    with target.backup("main", source, "main") as backup:
        while not backup.done:
            backup.step(-1)
    target.execute("PRAGMA quick_check").fetchall()
    seconds = time.perf_counter() - began
    source.close()
    target.close()
    copy.unlink()
    return seconds


def median_of(repeat: int, once: Callable[[], float]) -> float:
    """Return the median of some measurements."""
    return statistics.median(once() for _ in range(repeat))


def middle(found: Sequence[Measured]) -> Measured:
    """Return the measurement with the median time."""
    return sorted(found, key=lambda item: item.seconds)[len(found) // 2]
