"""One fault in one command: which operation goes wrong, and how (DESIGN section 4, "Nothing is lost at any instant")."""

from __future__ import annotations

import errno
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Any

import apsw

import consolidate
from tests.faults.seam import Operation, Perform

KILLS = ("kill", "kill after", "torn")
ERRORS = ("EIO", "EIO after", "ENOSPC", "EACCES", "EIO reading")
SIGNALS = ("SIGINT", "SIGTERM")
FAULTS = (*KILLS, *ERRORS, *SIGNALS)

_PACKAGE = str(Path(consolidate.__file__).parent)
_NEEDS_SPACE = (
    "sqlite.write", "sqlite.sync", "sqlite.open", "os.open", "os.pwrite", "os.write", "os.copy_file_range", "os.link",
    "os.replace", "os.fsync", "os.setxattr", "os.statvfs",
)  # fmt: skip
_NEEDS_PERMISSION = (
    "sqlite.open", "sqlite.delete", "os.open", "os.link", "os.replace", "os.unlink", "os.chmod", "os.chown", "os.setxattr",
    "os.removexattr", "os.listdir", "fcntl.lease",
)  # fmt: skip
_CODES = {
    "sqlite.write": apsw.SQLITE_IOERR_WRITE, "sqlite.sync": apsw.SQLITE_IOERR_FSYNC, "sqlite.read": apsw.SQLITE_IOERR_READ,
    "sqlite.truncate": apsw.SQLITE_IOERR_TRUNCATE, "sqlite.delete": apsw.SQLITE_IOERR_DELETE,
}  # fmt: skip


def applies(fault: str, operation: Operation) -> bool:
    """Tell whether a fault can come at an operation, and makes a difference there.

    A death before an operation that changes nothing on the disk is the same as one before the next that does.
    """
    name = operation.name
    if fault in ("kill", "kill after"):
        return operation.changes
    if fault == "torn":
        return operation.changes and operation.divisible
    if name == "sqlite.read" or fault == "EIO reading":
        return name == "sqlite.read" and fault == "EIO reading"
    if fault == "ENOSPC":
        return name in _NEEDS_SPACE and (operation.changes or not name.endswith(".open"))
    if fault == "EACCES":
        return name in _NEEDS_PERMISSION
    return fault != "EIO after" or operation.changes or name.endswith("sync")


class Injector:
    """Counts the operations at which a fault can come and lets it come at one of them.

    Args:
        fault: one of `FAULTS`, or empty for none.
        at: the number of the operation, from 1.
        tell: a descriptor on which the fault is told as it comes.
    """

    def __init__(self, fault: str, at: int, tell: int) -> None:
        self._fault, self._left, self._tell = fault, at, tell
        self._write = os.write
        self._injected: list[BaseException] = []

    def around(self, operation: Operation, perform: Perform) -> Any:
        """Do the operation, or let it go wrong."""
        if not applies(self._fault, operation):
            return perform()
        self._left -= 1
        if self._left:
            return perform()
        self._write(self._tell, f"{operation.name} {Path(operation.path).name}".encode())
        return self._go_wrong(operation, perform)

    def _go_wrong(self, operation: Operation, perform: Perform) -> Any:
        if self._fault in KILLS:
            if self._fault != "kill":
                with suppress(Exception):
                    (operation.half if self._fault == "torn" and operation.half else perform)()
            os.kill(os.getpid(), signal.SIGKILL)
        if self._fault in SIGNALS:
            try:
                return perform()
            finally:
                _interrupt(signal.Signals[self._fault])
        if self._fault == "EIO after":
            perform()
        error = self._error(operation)
        self._injected.append(error)
        raise error

    def _error(self, operation: Operation) -> BaseException:
        number = getattr(errno, self._fault.split()[0])
        if not operation.name.startswith("sqlite."):
            return OSError(number, os.strerror(number))
        if operation.name == "sqlite.open":
            return apsw.CantOpenError("unable to open database file")
        if self._fault == "ENOSPC" and operation.name == "sqlite.write":
            return apsw.FullError("database or disk is full")
        error: Any = apsw.IOError("disk I/O error")
        error.extendedresult = _CODES[operation.name]
        raised: BaseException = error
        return raised

    def watch_unraisable(self, report: Callable[[Any], Any]) -> None:
        """Keep quiet about injected errors that Python cannot raise where they come, such as while a file is closed."""

        def hook(unraisable: Any) -> None:
            if not any(unraisable.exc_value is error for error in self._injected):
                report(unraisable)

        sys.unraisablehook = hook


class Lister:
    """Lists the operations without harm."""

    def __init__(self) -> None:
        self.result: list[Operation] = []

    def around(self, operation: Operation, perform: Perform) -> Any:
        """Do the operation."""
        self.result.append(replace(operation, data=b"", half=None))
        return perform()


def _interrupt(number: int) -> None:
    """Let a signal arrive as soon as the package's own code goes on.

    A handler of Python's never runs inside SQLite, but it would inside the seam.
    """

    def profile(frame: FrameType, event: str, _: object) -> None:
        if frame.f_code.co_filename.startswith(_PACKAGE):
            sys.setprofile(None)
            signal.raise_signal(number)

    sys.setprofile(profile)
