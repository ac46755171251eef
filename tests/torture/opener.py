"""One opener, as a process: connect, read, write, close, pause, until stdin is closed; it logs each insert and how it ended."""

from __future__ import annotations

import json
import os
import random
import select
import sys
import time
from collections import Counter
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path

from tests.torture.clients import Client, RefusedError, UnknownError, connect

SEEDS = 20
_LOOK = "SELECT count(*) FROM facts WHERE id LIKE 'seed%'"
_INSERT = (
    "INSERT INTO facts(id, user_id, attribute, value, multi, source, valid_from, expires_at, status) "
    "VALUES ('{id}', 'late', 'ticket', '{id}', 1, 'user', 1.0, 2.0, 'active')"
)


@dataclass(frozen=True)
class Order:
    """What an opener is to do.

    Attributes:
        store: the live path.
        log: its own log.
        kind: of `clients.KINDS`.
        name: no other opener of the store has it.
        burst: how often it opens the store without a pause.
        pause: the longest pause after that, in seconds.
        timeout: how long it waits for a lock, in seconds; a run waits longer for whoever slipped in during its rename.
    """

    store: str
    log: str
    kind: str
    name: str
    burst: int
    pause: float
    timeout: float = 3.0

    def arguments(self) -> list[str]:
        return [sys.executable, "-m", __name__, json.dumps(asdict(self))]


@dataclass
class Log:
    """What openers logged.

    Attributes:
        meant: the ids of all inserts.
        acked: those that were acknowledged.
        refused: those that SQLite reported an error for.
        errors: by reason (see `clients.RefusedError`), and ``empty`` for a store without the facts that were always there.
    """

    meant: set[str] = field(default_factory=set)
    acked: set[str] = field(default_factory=set)
    refused: set[str] = field(default_factory=set)
    errors: Counter[str] = field(default_factory=Counter)

    def add(self, path: Path) -> None:
        for line in path.read_text("utf-8").splitlines():
            word, _, rest = line.partition(" ")
            if word == "error":
                self.errors[rest] += 1
            else:
                {"meant": self.meant, "acked": self.acked, "refused": self.refused}[word].add(rest)


class _Opener:
    def __init__(self, order: Order) -> None:
        self._order = order
        self._rng = random.Random(order.name)
        self._log = os.open(order.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        self._number = 0

    def work(self) -> None:
        while not select.select([sys.stdin], [], [], 0)[0]:
            for _ in range(self._order.burst):
                self._once()
            time.sleep(self._order.pause * self._rng.random())

    def _once(self) -> None:
        self._number += 1
        name = f"{self._order.name}-{self._number}"
        client: Client | None = None
        meant = False
        try:
            client = connect(self._order.kind, self._order.store, self._order.timeout)
            found = client.run([_LOOK])
            if found != [str(SEEDS)]:
                self._say(f"error empty: {found}")
            self._say(f"meant {name}")
            meant = True
            client.run([_INSERT.format(id=name)])
            self._say(f"acked {name}")
        except RefusedError as error:
            self._say(f"error {error.why}")
            if meant:
                self._say(f"refused {name}")
        except UnknownError as error:
            self._say(f"error {error}")
        if client is not None:
            with suppress(RefusedError):
                client.close()

    def _say(self, line: str) -> None:
        os.write(self._log, (" ".join(line.split()) + "\n").encode())


if __name__ == "__main__":
    _Opener(Order(**json.loads(sys.argv[1]))).work()
