"""Runs and rollbacks as the processes they are, killed at a chosen moment or left to end."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).parents[2]
# Longer than any run may take on the slowest machine.
_HANGS = 300.0

_KILLED = (
    -signal.SIGKILL, -signal.SIGTERM, -signal.SIGINT, 128 + signal.SIGTERM, 128 + signal.SIGINT,
)  # fmt: skip

Meanwhile = Callable[[float], None]


@dataclass
class Ended:
    """How a command ended.

    Attributes:
        what: the action it was: ``plain``, ``light``, ``dry run``, ``probe``, ``step``, ``rollback``, or a signal's name.
        status: its exit status, negative for a signal.
        document: what it printed, if it was not killed.
        complaint: what it wrote to stderr.
        seconds: how long it took.
    """

    what: str
    status: int
    document: dict[str, Any] = field(default_factory=dict)
    complaint: str = ""
    seconds: float = 0.0

    @property
    def outcome(self) -> str:
        return str(self.document.get("outcome") or ("killed" if self.killed else "none"))

    @property
    def interrupted_at_once(self) -> bool:
        """Python itself had not started yet, or had not imported the command."""
        return self.complaint.rstrip().endswith("KeyboardInterrupt") and ", in _status" not in self.complaint

    @property
    def killed(self) -> bool:
        return self.interrupted_at_once or self.status in _KILLED

    @property
    def stragglers(self) -> int:
        return sum(notice.get("kind") == "straggler" for notice in self.document.get("notices") or ())


def environment() -> dict[str, str]:
    """The environment of programs that import the package and these tests, without settings of whoever runs them."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("CONSOLIDATE_")}
    return kept | {"PYTHONPATH": str(PROJECT), "PYTHONIOENCODING": "utf-8"}


def run(
    what: str,
    arguments: Sequence[str],
    *,
    kill: tuple[Callable[[float], bool], signal.Signals] | None = None,
    meanwhile: Meanwhile | None = None,
) -> Ended:
    """Run ``consolidate`` and return how it ended.

    Args:
        what: what to call it.
        arguments: the command, without ``--json``.
        kill: tells, from the time since the start in seconds, whether it is time to send which signal.
        meanwhile: called again and again with the time since the start, in seconds.
    """
    began = time.monotonic()
    process = subprocess.Popen(
        [sys.executable, "-m", "consolidate", *arguments, "--json"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
        start_new_session=True,
    )
    out, complaint = "", ""
    while True:
        passed = time.monotonic() - began
        if kill and kill[0](passed):
            process.send_signal(kill[1])
            kill = None
        if meanwhile:
            meanwhile(passed)
        try:
            out, complaint = process.communicate(timeout=0.003 if kill else 0.02)
            break
        except subprocess.TimeoutExpired:
            if passed > _HANGS:
                process.kill()
    ended = Ended(what, process.returncode, {}, complaint, time.monotonic() - began)
    try:
        document = json.loads(out) if out.strip() else {}
    except ValueError:
        ended.complaint += f" This on stdout is no document: {out[:500]}"
        return ended
    done = document.get("runs", document.get("rollbacks", [document]))
    ended.document = done[0] if done else {}
    return ended


def hear_interrupts() -> None:
    """Whoever started the torture in the background may have had these ignored, and every command would inherit that."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def can_roll_back() -> bool:
    """Tell whether there is a command for that."""
    command = [sys.executable, "-m", "consolidate", "rollback", "--help"]
    return subprocess.run(command, env=environment(), capture_output=True, check=False, cwd=PROJECT).returncode == 0
