"""Three kinds of clients: the stdlib module, apsw, and the command-line shell of SQLite, all given the same SQL."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from typing import IO, Any, Protocol

import apsw

SHELL = shutil.which("sqlite3")
KINDS = ("stdlib", "apsw", "shell") if SHELL else ("stdlib", "apsw")

_CLASSES = (
    ("readonly", "moved"),
    ("locked", "busy"),
    ("no such table", "no such table"),
    ("malformed", "malformed"),
    ("not a database", "malformed"),
)


class RefusedError(Exception):
    """SQLite reported an error: nothing of the transaction may be in the store.

    Attributes:
        why: ``busy``, ``moved`` (the file was renamed over: the loud error), ``no such table``, ``malformed``, or the message.
    """

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.why = next((name for clue, name in _CLASSES if clue in message), message)


class UnknownError(Exception):
    """The client died before it could say how the transaction ended."""


class Client(Protocol):
    """One connection."""

    def run(self, statements: Sequence[str]) -> list[str]:
        """Run statements and return the rows of all of them as text, their columns separated by ``|``.

        Raises:
            RefusedError: SQLite reported an error; what was open is rolled back.
            UnknownError: the client died.
        """

    def close(self) -> None:
        """Close the connection."""


def connect(kind: str, path: str, timeout: float) -> Client:
    """Open a connection; ``timeout`` in seconds is how long it waits for a lock.

    Raises:
        RefusedError: the file could not be opened.
    """
    if kind == "stdlib":
        return _Stdlib(path, timeout)
    return _Apsw(path, timeout) if kind == "apsw" else _Shell(path, timeout)


def _text(row: Sequence[Any]) -> str:
    return "|".join("" if cell is None else str(cell) for cell in row)


class _Stdlib:
    def __init__(self, path: str, timeout: float) -> None:
        try:
            self._db = sqlite3.connect(path, timeout=timeout, isolation_level=None)
        except sqlite3.Error as error:
            raise RefusedError(str(error)) from error

    def run(self, statements: Sequence[str]) -> list[str]:
        try:
            return [_text(row) for statement in statements for row in self._db.execute(statement).fetchall()]
        except sqlite3.Error as error:
            if self._db.in_transaction:
                with suppress(sqlite3.Error):
                    self._db.execute("ROLLBACK")
            raise RefusedError(str(error)) from error

    def close(self) -> None:
        self._db.close()


class _Apsw:
    def __init__(self, path: str, timeout: float) -> None:
        try:
            self._db = apsw.Connection(path)
        except apsw.Error as error:
            raise RefusedError(str(error)) from error
        self._db.set_busy_timeout(int(timeout * 1000))

    def run(self, statements: Sequence[str]) -> list[str]:
        try:
            return [_text(row) for statement in statements for row in self._db.execute(statement).fetchall()]
        except apsw.Error as error:
            if self._db.in_transaction:
                with suppress(apsw.Error):
                    self._db.execute("ROLLBACK")
            raise RefusedError(str(error)) from error

    def close(self) -> None:
        with suppress(apsw.Error):
            self._db.close(True)


class _Shell:
    """The command-line shell, which stops at the first error and gives its transaction up by that."""

    _END = "=end="

    def __init__(self, path: str, timeout: float) -> None:
        assert SHELL
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - open as long as the process
        self._process = subprocess.Popen(
            [SHELL, "-batch", "-bail", path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
        )
        with suppress(BrokenPipeError):
            self._pipe("stdin").write(f".timeout {int(timeout * 1000)}\n")

    def run(self, statements: Sequence[str]) -> list[str]:
        # One line for all, so that what follows an error is not even read.
        script = " ".join(f"{statement};" for statement in (*statements, f"SELECT '{self._END}'")) + "\n"
        with suppress(BrokenPipeError):
            self._pipe("stdin").write(script)
            self._pipe("stdin").flush()
        rows: list[str] = []
        for line in self._pipe("stdout"):
            if line == self._END + "\n":
                return rows
            rows.append(line.rstrip("\n"))
        status = self._process.wait()
        self._errors.seek(0)
        message = self._errors.read().decode("utf-8", "replace").strip()
        if status < 0 or not message:
            raise UnknownError(f"the shell ended with status {status}")
        raise RefusedError(message)

    def close(self) -> None:
        with suppress(BrokenPipeError):
            self._pipe("stdin").close()
        self._pipe("stdout").close()
        self._process.wait()
        self._errors.close()

    def _pipe(self, name: str) -> IO[str]:
        pipe: IO[str] | None = getattr(self._process, name)
        assert pipe is not None
        return pipe
