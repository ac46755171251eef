"""Outside clients in processes of their own, spoken to line by line, so that tests never wait for luck.

A `Client` holds one connection of the stdlib module or of apsw in another process; every statement is answered by one line. It
can be killed at any moment, as an application is by a power cut.
"""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from types import TracebackType
from typing import Any

import consolidate
from consolidate.store.contract import SCHEMA

JOURNALS = ("delete", "wal")
FACTS = 40

_PROGRAM = """
import json, sys
kind, path, timeout, opened = sys.argv[1], sys.argv[2], float(sys.argv[3]), {}
def connect():
    if kind == "sqlite3":
        import sqlite3
        return sqlite3.connect(path, timeout=timeout, isolation_level=None)
    if kind == "file":
        return open(path, "rb")
    import apsw
    db = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READWRITE)
    db.set_busy_timeout(int(timeout * 1000))
    return db
def run(order):
    if order["do"] == "open":
        opened["db"] = connect()
        return []
    if order["do"] == "close":
        opened.pop("db").close()
        return []
    return [list(row) for row in opened["db"].execute(order["sql"], order["args"])]
for line in sys.stdin:
    order = json.loads(line)
    if order.get("announce"):
        print(json.dumps({"begun": True}), flush=True)
    try:
        answer = {"rows": run(order)}
    except Exception as error:
        answer = {"error": f"{type(error).__name__}: {error}"}
    print(json.dumps(answer), flush=True)
"""


def environment() -> dict[str, str]:
    """The environment of programs that import the package and these tests."""
    here = str(Path(__file__).parents[1])
    package = str(Path(consolidate.__file__).parents[1])
    return os.environ | {"PYTHONPATH": os.pathsep.join((here, package))}


class ClientError(Exception):
    """A statement of an outside client failed."""


class Client:
    """One connection in another process.

    Args:
        path: the database.
        kind: ``sqlite3``, ``apsw``, or ``file`` for a program that has the file open without SQLite.
        timeout: how long a statement waits for a lock, in seconds.
        opened: whether to open the connection at once.
    """

    def __init__(self, path: Path, kind: str = "sqlite3", timeout: float = 20.0, opened: bool = True) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", _PROGRAM, kind, str(path), str(timeout)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        if opened:
            self.open()

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.kill()

    def open(self) -> None:
        """Open the connection; as with any SQLite client, nothing is read yet."""
        self._send({"do": "open"})
        self.answer()

    def close(self) -> None:
        """Close the connection properly; the process goes on."""
        self._send({"do": "close"})
        self.answer()

    def sql(self, statement: str, *arguments: Any) -> list[list[Any]]:
        """Run a statement and return its rows."""
        self._send({"do": "sql", "sql": statement, "args": arguments})
        return self.answer()

    def begin(self, statement: str, *arguments: Any) -> None:
        """Start a statement that may have to wait, and return when the client has reached it; `answer` gives its rows."""
        self._send({"do": "sql", "sql": statement, "args": arguments, "announce": True})
        assert self._read() == {"begun": True}

    def answer(self) -> list[list[Any]]:
        """Wait for the answer to what was sent."""
        answer = self._read()
        if "error" in answer:
            raise ClientError(answer["error"])
        rows: list[list[Any]] = answer["rows"]
        return rows

    def kill(self) -> None:
        """Kill the process with SIGKILL: nothing is closed, nothing rolled back."""
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            pipe.close()

    def _send(self, order: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()

    def _read(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, "the client is gone"
        found: dict[str, Any] = json.loads(line)
        return found


def make_store(folder: Path, journal: str = "delete", extra: str = "", schema: str = SCHEMA) -> Path:
    """Create a store as an application would: ``FACTS`` facts f0, f1, … of four users; ``extra`` is SQL run before."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "memory.db"
    with closing(sqlite3.connect(path)) as db:
        db.execute(f"PRAGMA journal_mode={journal}")
        db.executescript(schema + extra)
        with db:
            for number in range(FACTS):
                insert_fact(db, f"f{number}", f"u{number % 4}", f"v{number}")
    assert not list(folder.glob("memory.db-*")) or journal == "persist"
    return path


def insert_fact(db: sqlite3.Connection, fact_id: str | None, user: str, value: str) -> None:
    db.execute(
        """INSERT INTO facts(id, user_id, attribute, value, multi, source, valid_from, status, evidence, confirmations)
           VALUES (?, ?, 'city', ?, 0, 'user', 1.0, 'active', '', 1)""",
        (fact_id, user, value),
    )


INSERT = (
    "INSERT INTO facts(id, user_id, attribute, value, multi, source, valid_from, status, confirmations) "
    "VALUES (?, 'late', 'city', 'x', 0, 'user', 2.0, 'active', 1)"
)


def look(path: Path, sql: str, *arguments: Any) -> list[tuple[Any, ...]]:
    """Read a database in this process with the stdlib module; only when this process has it open nowhere else."""
    with closing(sqlite3.connect(path)) as db:
        return db.execute(sql, arguments).fetchall()


def state(path: Path) -> tuple[str, ...]:
    """Return the parts of a store by which tests tell old from new, after checking that it is sound."""
    assert look(path, "PRAGMA integrity_check") == [("ok",)]
    rows = look(path, "SELECT id, status, superseded_by, confirmations FROM facts ORDER BY id")
    return tuple("|".join(map(str, row)) for row in rows)


def journal_of(path: Path) -> str:
    return str(look(path, "PRAGMA journal_mode")[0][0])


def contents(folder: Path, leave_out: Sequence[str] = ()) -> dict[str, bytes]:
    """Return every file of a folder, byte for byte."""
    return {item.name: item.read_bytes() for item in sorted(folder.iterdir()) if item.name not in leave_out}


def names(folder: Path) -> list[str]:
    return sorted(os.listdir(folder))  # noqa: PTH208 - names, not paths
