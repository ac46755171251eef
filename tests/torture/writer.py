"""One writer, as a process: it logs what it is about to do, does it, and logs how that ended, until stdin is closed.

A line of its log is written by one call, so that a kill leaves whole lines, but for the last one perhaps.
"""

from __future__ import annotations

import json
import os
import random
import select
import sys
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tests.torture.application import ACCOUNTS, BALANCE, Application
from tests.torture.clients import Client, RefusedError, UnknownError, connect


@dataclass(frozen=True)
class Order:
    """What a writer is to do.

    Attributes:
        store: the live path.
        log: its own log.
        kind: of `clients.KINDS`.
        writer, life, seed: see `Application`.
        lasting: operations per connection; 1 opens one for each.
        pause: longest pause between two operations, in seconds.
        rest: all writers rest together for this long, and work as long, in seconds; 0: none rests.
        hold: longest time of a read transaction, in seconds; 0: none is held.
        timeout: how long it waits for a lock, in seconds.
    """

    store: str
    log: str
    kind: str
    writer: int
    life: int
    seed: str
    lasting: int = 1
    pause: float = 0.02
    rest: float = 0.0
    hold: float = 0.0
    timeout: float = 20.0

    def arguments(self) -> list[str]:
        return [sys.executable, "-m", __name__, json.dumps(asdict(self))]


_LOOK = "SELECT (SELECT count(*) FROM oplog), (SELECT sum(balance) FROM accounts), (SELECT count(*) FROM facts)"


class _Writer:
    def __init__(self, order: Order) -> None:
        self._order = order
        self._application = Application(order.writer, order.life, order.seed)
        self._rng = random.Random(f"{order.seed}/{order.writer}/{order.life}/pace")
        self._log = os.open(order.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        self._client: Client | None = None
        self._left = 0
        self._seen = 0

    def work(self) -> None:
        while not select.select([sys.stdin], [], [], 0)[0]:
            self._rest()
            try:
                self._one()
            except UnknownError:
                self._drop()
            except RefusedError as error:
                self._say({"refused": error.why})
                self._drop()
            time.sleep(self._order.pause * self._rng.random())
        self._drop()

    def _rest(self) -> None:
        rest = self._order.rest
        if not rest:
            return
        into = time.time() % (2 * rest)
        if into > rest:
            self._drop()
            time.sleep(2 * rest - into)

    def _one(self) -> None:
        if self._client is None:
            self._client, self._left = (
                connect(self._order.kind, self._order.store, self._order.timeout),
                self._order.lasting,
            )
        if self._order.hold and self._rng.random() < 0.03:
            self._hold(self._client)
        elif self._rng.random() < 0.1:
            self._look(self._client, [_LOOK])
        else:
            self._operate(self._client)
        self._left -= 1
        if self._left <= 0:
            self._drop()

    def _operate(self, client: Client) -> None:
        operation = self._application.next()
        self._say({"intent": operation.as_json()})
        how, why = "ack", ""
        try:
            client.run(operation.statements())
        except RefusedError as error:
            how, why = "refused", error.why
            self._drop()
        except UnknownError:
            how = "unknown"
            self._drop()
        self._application.settle(operation, how)
        self._say({"end": operation.name, "how": how, "why": why})
        self._seen += how == "ack"

    def _hold(self, client: Client) -> None:
        """Read twice in one transaction, with a pause between: both must be alike, whoever swaps or writes meanwhile."""
        client.run(["BEGIN"])
        before = self._look(client, [_LOOK])
        time.sleep(self._order.hold * self._rng.random())
        after = self._look(client, [_LOOK, "COMMIT"])
        if before != after:
            self._say({"fault": f"a read transaction saw two states, {before} and {after}"})

    def _look(self, client: Client, statements: list[str]) -> list[str]:
        found = client.run(statements)
        operations, money, _ = found[0].split("|")
        if int(money or 0) != ACCOUNTS * BALANCE:
            self._say({"fault": f"the accounts hold {money}"})
        if int(operations) < self._seen:
            self._say({"stale": f"{operations} operations where {self._seen} of this writer alone were acknowledged"})
        return found

    def _drop(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            with suppress(RefusedError):
                client.close()

    def _say(self, line: dict[str, Any]) -> None:
        os.write(self._log, (json.dumps(line) + "\n").encode())


def read_log(path: Path, offset: int) -> tuple[list[dict[str, Any]], int]:
    """Return the whole lines of a log from an offset on, and the offset after them."""
    with path.open("rb") as file:
        file.seek(offset)
        data = file.read()
    whole = data[: data.rfind(b"\n") + 1]
    return [json.loads(line) for line in whole.splitlines()], offset + len(whole)


if __name__ == "__main__":
    _Writer(Order(**json.loads(sys.argv[1]))).work()
