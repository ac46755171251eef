"""The writers of one store: started, killed at any moment, started again, stopped."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import time
from collections import Counter
from pathlib import Path

from tests.torture.clients import KINDS
from tests.torture.commands import environment
from tests.torture.logs import Logs
from tests.torture.writer import Order


class Crowd:
    """So many writers, of each kind of client in turn.

    Args:
        store: the live path.
        logs: where they log.
        seed: of everything random.
        count: how many.
        lasting: whether half of them keep their connections open and hold read transactions; else all rest now and then.
        pause: their longest pause between two operations, in seconds.
    """

    def __init__(self, store: Path, logs: Logs, seed: str, count: int, lasting: bool, pause: float) -> None:
        self._store = store
        self._logs = logs
        self._seed = seed
        self._count = count
        self._lasting = lasting
        self._pause = pause
        self._lives: Counter[int] = Counter()
        self._writers: dict[int, subprocess.Popen[bytes]] = {}

    def __bool__(self) -> bool:
        return bool(self._writers)

    def start(self) -> None:
        """Start the writers and wait until each has been acknowledged something."""
        for writer in range(self._count):
            self._start(writer)
        while not {name.split(".")[0] for name in self._logs.acked()} >= {str(one) for one in range(self._count)}:
            time.sleep(0.02)
            self._logs.read()

    def _start(self, writer: int) -> None:
        self._lives[writer] += 1
        life, kind = self._lives[writer], KINDS[writer % len(KINDS)]
        lasts = self._lasting and writer // len(KINDS) % 2 == 0
        order = Order(
            store=str(self._store),
            log=str(self._logs.folder / f"{writer}-{life}-{kind}"),
            kind=kind,
            writer=writer,
            life=life,
            seed=self._seed,
            lasting=1000 if lasts else 1,
            pause=self._pause,
            rest=0.0 if self._lasting else 0.35,
            hold=(4.0 if life % 3 == 0 else 0.6) if lasts else 0.0,
            timeout=0.05 if (writer + life) % 3 == 0 else 20.0,
        )
        self._writers[writer] = subprocess.Popen(
            order.arguments(), stdin=subprocess.PIPE, env=environment(), start_new_session=True
        )

    def kill_one(self, rng: random.Random) -> None:
        """Kill one writer and its shell, and start its successor."""
        writer = rng.choice(list(self._writers))
        _kill(self._writers.pop(writer))
        self._start(writer)

    def stop(self) -> list[str]:
        """Let the writers end what they do, and return what was wrong with that."""
        wrong = []
        for writer, process in self._writers.items():
            assert process.stdin is not None
            process.stdin.close()
            try:
                status = process.wait(timeout=120)
            except subprocess.TimeoutExpired:
                status = None
                _kill(process)
            if status != 0:
                wrong.append(f"writer {writer} ended with status {status}")
        self._writers.clear()
        return wrong

    def abandon(self) -> None:
        """Kill whatever is left."""
        for process in self._writers.values():
            _kill(process)
        self._writers.clear()


def _kill(process: subprocess.Popen[bytes]) -> None:
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert process.stdin is not None
    process.stdin.close()
