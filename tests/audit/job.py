"""The program: reads one order per line, runs the command in a forked child, and answers how that ended.

The child is the real command under the audit of `tests.audited`. It counts its operations: the calls that change the file
system, SQLite's writes, syncs, truncations and deletions, and SQL statements; at one of them something happens. Nothing
here may import the stdlib module sqlite3.
"""

from __future__ import annotations

import errno
import json
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

import apsw

import consolidate.cli.main
import consolidate.cli.nightly
import consolidate.operate.fleet
import consolidate.run.nightly
from tests.audit.disk import Disk
from tests.audited import CARELESS, Audit

_OPERATIONS = (
    "link",
    "replace",
    "unlink",
    "fsync",
    "pwrite",
    "ftruncate",
    "chmod",
    "chown",
    "setxattr",
    "copy_file_range",
)
_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")


class Happening:
    """One thing that happens at one operation."""

    def __init__(self, order: dict[str, Any], protocol: int) -> None:
        self._do: str = order["do"]
        self._left: int = order["at"]
        self._only, self._target = order["only"], order["target"]
        self._again: int = order["again"]
        self._into, self._names_arrived = order["into"], order["names_arrived"]
        self._protocol = protocol
        self._shadow = 0
        self._due = False
        self.disk = Disk(Path(order["folder"])) if self._into else None

    def around(self, name: str, path: object, operation: Callable[[], Any]) -> Any:
        """Run an operation, and let happen what is to happen at it."""
        if not self._is_the_one(name, str(path)):
            return operation()
        os.write(self._protocol, json.dumps({"last": f"{name} {Path(str(path)).name}"}).encode() + b"\n")
        if self._do == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        if self._do == "pause":
            self._pause()
            return operation()
        if self._do == "cut":
            self._cut()
        if self.fails and not self._do.endswith("after"):
            self._fail(name)
        try:
            done = operation()
        finally:
            if self._do in _SIGNALS:
                self._signal(later=name.startswith("sql"))
        if self._do == "cut after":
            self._cut()
        if self._do == "EIO after":
            self._fail(name)
        return done

    def _is_the_one(self, name: str, path: str) -> bool:
        if not self._do or not name.startswith(self._only) or not path.endswith(self._target):
            return False
        if not self._only and ".shadow" in path and name.startswith(("sqlite.", "os.unlink", "sql ")):
            # Most operations write or remove a shadow, which is disposable: of those every tenth counts.
            self._shadow += 1
            if self._shadow % 10 != 1:
                return False
        self._left -= 1
        return self._left == 0

    def _pause(self) -> None:
        os.write(self._protocol, b'{"paused": true}\n')
        assert os.read(0, 100) == b"go\n"

    def _signal(self, *, later: bool) -> None:
        """Let the signal come: now, or as soon as the call of SQLite that is under way has returned."""
        self._left, self._again = self._again, 0
        self._only = self._target = ""
        if later:
            self._due = True
        else:
            os.kill(os.getpid(), signal.Signals[self._do])

    def profile(self, frame: FrameType, event: str, argument: object) -> None:
        """Called by the interpreter as often as something is called or returns."""
        if self._due and frame.f_code.co_filename != __file__:
            self._due = False
            os.kill(os.getpid(), signal.Signals[self._do])

    def _cut(self) -> NoReturn:
        assert self.disk is not None
        self.disk.leave(Path(self._into), names_arrived=self._names_arrived)
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError

    def _fail(self, name: str) -> NoReturn:
        if name.startswith("os."):
            number = getattr(errno, self._do.split()[0])
            raise OSError(number, os.strerror(number))
        raise apsw.FullError("full") if self._do == "ENOSPC" else apsw.IOError("input/output error")

    @property
    def fails(self) -> bool:
        """Whether operations fail."""
        return self._do.startswith(("EIO", "ENOSPC"))

    @property
    def counts_statements(self) -> bool:
        """A signal that comes during a call of SQLite is seen when that returns; in the middle of it nothing can be raised."""
        return self._do in _SIGNALS or self._do.startswith("cut")

    @property
    def counts_files_of_sqlite(self) -> bool:
        """Whether SQLite's own writes and syncs count."""
        return self._do not in ("", "pause", *_SIGNALS)


def count_file_operations(happening: Happening) -> None:
    """Count the calls by which the job changes the file system."""
    for name in _OPERATIONS:
        setattr(os, name, _counted(getattr(os, name), name, happening))


def _counted(operation: Callable[..., Any], name: str, happening: Happening) -> Callable[..., Any]:
    def counted(*arguments: Any, **named: Any) -> Any:
        path = arguments[1] if name in ("link", "replace", "copy_file_range") else arguments[0]
        if isinstance(path, int):
            path = os.readlink(f"/proc/self/fd/{path}")  # noqa: PTH115 - as the kernel says it

        def run() -> Any:
            done = operation(*arguments, **named)
            if name == "fsync" and happening.disk:
                happening.disk.sync_descriptor(arguments[0])
            return done

        return happening.around(f"os.{name}", path, run)

    return counted


def count_statements(happening: Happening) -> None:
    """Count the statements of every connection, each when it has ended."""

    def connected(db: apsw.Connection) -> None:
        def ended(event: dict[str, Any]) -> None:
            happening.around(f"sql {event['sql']}", db.filename, lambda: None)

        db.trace_v2(apsw.SQLITE_TRACE_PROFILE, ended)

    apsw.connection_hooks.append(connected)


def count_sqlite_operations(happening: Happening) -> apsw.VFS:
    """Count SQLite's writes, syncs, truncations and deletions."""

    class File(apsw.VFSFile):
        def __init__(self, name: str | apsw.URIFilename | None, flags: list[int]) -> None:
            super().__init__("unix", name, flags)
            self.path = str(name.filename() if isinstance(name, apsw.URIFilename) else name)

        def xWrite(self, data: bytes, offset: int) -> None:
            happening.around("sqlite.write", self.path, lambda: apsw.VFSFile.xWrite(self, data, offset))

        def xSync(self, flags: int) -> None:
            happening.around("sqlite.sync", self.path, lambda: self._sync(flags))

        def _sync(self, flags: int) -> None:
            super().xSync(flags)
            if happening.disk and self.path != "None":
                happening.disk.sync_database(self.path)

        def xTruncate(self, size: int) -> None:
            happening.around("sqlite.truncate", self.path, lambda: apsw.VFSFile.xTruncate(self, size))

    class Files(apsw.VFS):
        def __init__(self) -> None:
            super().__init__("watched", "unix", makedefault=True)

        def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:
            return File(name, flags)

        def xDelete(self, name: str, sync: bool) -> None:
            if happening.fails and name.endswith("-wal"):
                self._delete(name, sync)  # whether this succeeds SQLite does not ask
            else:
                happening.around("sqlite.delete", name, lambda: self._delete(name, sync))

        def _delete(self, name: str, sync: bool) -> None:
            try:
                super().xDelete(name, sync)
            except apsw.IOError as error:
                if getattr(error, "extendedresult", 0) != apsw.SQLITE_IOERR_DELETE_NOENT:  # that is no error to SQLite
                    raise
            if happening.disk and sync:
                happening.disk.sync_folder()

    return Files()


def _child(order: dict[str, Any], protocol: int) -> NoReturn:
    audit = Audit()
    audit.install()
    happening = Happening(order, protocol)
    watched = count_sqlite_operations(happening) if happening.counts_files_of_sqlite else None
    count_file_operations(happening)
    if happening.counts_statements:
        count_statements(happening)
        sys.setprofile(happening.profile)
    sys.argv = ["consolidate", *order["arguments"]]
    try:
        consolidate.cli.main.main()
    except SystemExit as ended:
        status = ended.code if isinstance(ended.code, int) else 1
    for sentence in audit.violations:
        print(sentence, file=sys.stderr)
    sys.stdout.flush()
    sys.stderr.flush()
    del watched
    os._exit(CARELESS if audit.violations else status)


def _run(order: dict[str, Any]) -> dict[str, Any]:
    out, err = os.memfd_create("out"), os.memfd_create("err")
    protocol = os.dup(1)
    child = os.fork()
    if child == 0:
        try:
            os.dup2(out, 1)
            os.dup2(err, 2)
            _child(order, protocol)
        except BaseException:
            sys.excepthook(*sys.exc_info())
        finally:
            os._exit(1)
    os.close(protocol)
    _, status = os.waitpid(child, 0)
    answer: dict[str, Any] = {"status": os.waitstatus_to_exitcode(status)}
    for name, descriptor in (("out", out), ("err", err)):
        os.lseek(descriptor, 0, os.SEEK_SET)
        with os.fdopen(descriptor, encoding="utf-8", errors="replace") as file:
            answer[name] = file.read()
    return answer


def _main() -> None:
    # apsw reports here what it cannot raise, such as a fault while a file is closed.
    sys.unraisablehook = lambda _: None
    while order := os.read(0, 100_000):
        answer = _run(json.loads(order))
        os.write(1, json.dumps(answer).encode() + b"\n")


if __name__ == "__main__":
    _main()
