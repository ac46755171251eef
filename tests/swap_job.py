"""One small run, from the lock to the swap, for the tests of swapping; as a program, a job with one fault in it.

As a program it reads one order per line from stdin, runs it in a forked child, and answers how the child ended. A child counts
every call with which the job changes the file system and every write, sync, truncation and deletion of SQLite; one of them
goes wrong.
"""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any

import apsw

from consolidate.errors import ConsolidateError
from consolidate.run import in_place, recovery, rename, run_lock
from consolidate.run.live import Live, NotFree, NotQuiet, Prepared, SwapResult
from consolidate.store import connections, files, job_tables
from consolidate.store.files import StorePaths
from tests.writers import environment

RUN = "20260301T030000Z-abc123"
SECOND = "20260302T030000Z-abc124"

Decide = Callable[[apsw.Connection], None]


def decide(db: apsw.Connection) -> None:
    """The decisions of the run: two facts changed, one made."""
    db.execute("UPDATE facts SET status = 'merged', superseded_by = 'f1', valid_to = 5.0 WHERE id = 'f2'")
    db.execute("UPDATE facts SET confirmations = 7 WHERE id = 'f3'")
    db.execute(
        """INSERT INTO facts(id, user_id, attribute, value, multi, source, valid_from, status, evidence, confirmations)
           VALUES ('promoted', 'u1', 'diet', 'vegan', 1, 'inferred', 5.0, 'active', 'e1 e2', 2)"""
    )


def make_pass(live: Live, run_id: str = RUN, decisions: Decide = decide) -> Prepared:
    """Make one pass: snapshot, base, decisions, record."""
    paths = live.paths
    live.snapshot(paths.shadow)
    files.copy_scratch(paths.shadow, paths.base)
    with connections.translated(paths.live):
        db = connections.open_scratch(paths.shadow)
        try:
            db.execute("BEGIN")
            job_tables.migrate(db)
            decisions(db)
            db.execute("INSERT INTO consolidation_runs VALUES (?, 1.0, 'night', '{}')", (run_id,))
            db.execute("COMMIT")
        finally:
            db.close(True)
    return Prepared(run_id, paths.shadow, paths.base, live.shape)


@contextmanager
def opened(path: Path, run_id: str = RUN, lock_timeout: float = 20.0) -> Iterator[tuple[Live, list[str]]]:
    """Hold the run lock and the live connection; gives also what recovery said."""
    paths = StorePaths.of(path)
    with run_lock.acquire(paths, run_id) as lock:
        said = recovery.recover(paths, lock)
        try:
            with Live.open(paths, lock=lock, lock_timeout=lock_timeout) as live:
                yield live, said
        finally:
            files.remove_shadows(paths)


def swap(live: Live, prepared: Prepared, way: str) -> SwapResult:
    pre = live.paths.pre(prepared.run_id)
    if way == "auto":
        way = "rename" if rename.possible(live) else "in-place"
    if way == "in-place":
        return in_place.swap(live, prepared, pre)
    rename.finish(prepared, live)
    return rename.swap(live, prepared, pre)


def run(path: Path, way: str, run_id: str = RUN, decisions: Decide = decide) -> SwapResult:
    """Make one whole run."""
    with opened(path, run_id) as (live, _):
        return swap(live, make_pass(live, run_id, decisions), way)


@dataclass
class Ended:
    """How a faulty job ended.

    Attributes:
        how: ``done``, ``killed``, ``interrupted``, or the name of the error.
        last: the operation at which the fault came, or an empty text if the job was over before.
        message: the error.
    """

    how: str
    last: str
    message: str


class FaultyJob:
    """The program below, as a child process."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment(),
        )

    def __enter__(self) -> FaultyJob:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.communicate()

    def run(self, path: Path, way: str, at: int, fault: str = "kill", only: str = "", user: int | None = None) -> Ended:
        """Make one run with one fault in it.

        Args:
            path: the store.
            way: ``rename``, ``in-place`` or ``auto``.
            at: the number of the operation at which the fault comes, of those alone whose name begins with ``only``.
            fault: ``kill`` (SIGKILL before the operation), ``EIO`` or ``ENOSPC`` (it fails), ``EIO after`` (it is done, and
                fails all the same), ``interrupt`` (KeyboardInterrupt; the operations are then lines of code).
            only: the beginning of a name.
            user: the user id to run as.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        order = {"path": str(path), "way": way, "at": at, "fault": fault, "only": only, "user": user}
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        if answer["status"] == -signal.SIGKILL:
            return Ended("killed", answer["told"], "")
        assert answer["status"] == 0, answer
        how, last, message = answer["told"].split("\t")
        return Ended(how, last, message)


class _Faults:
    """Counts operations and lets one of them go wrong."""

    def __init__(self, order: dict[str, Any], tell: int) -> None:
        self._left, self._only, self._fault, self._tell = order["at"], order["only"], order["fault"], tell
        self._shadow = 0
        self.last = ""

    def _is_dull(self, name: str, path: str) -> bool:
        """Most operations write or remove a shadow, which is disposable: of those every tenth counts."""
        if ".shadow" not in path or not name.startswith(("sqlite.", "os.unlink")):
            return False
        self._shadow += 1
        return self._shadow % 10 != 1

    def trace(self, frame: FrameType, event: str, _: object) -> Any:
        """Interrupt at one of the lines of the modules that hold locks."""
        name = Path(frame.f_code.co_filename).name
        if name not in _INTERRUPTED:
            return None
        if event == "line":
            self._left -= 1
            if self._left == 0:
                self.last = f"{name}:{frame.f_lineno}"
                raise KeyboardInterrupt
        return self.trace

    def around(self, name: str, path: object, operation: Callable[[], Any]) -> Any:
        if not name.startswith(self._only) or self._is_dull(name, str(path)):
            return operation()
        self._left -= 1
        if self._left:
            return operation()
        self.last = name
        if self._fault == "kill":
            os.write(self._tell, name.encode())
            os.kill(os.getpid(), signal.SIGKILL)
        if self._fault == "EIO after":
            operation()
        if name.startswith("os."):
            number = getattr(errno, self._fault.split()[0])
            raise OSError(number, os.strerror(number))
        raise apsw.FullError("full") if self._fault == "ENOSPC" else apsw.IOError("input/output error")


_INTERRUPTED = ("rename.py", "in_place.py", "live.py", "run_lock.py", "recovery.py")
_OPERATIONS = (
    "link", "replace", "unlink", "fsync", "pwrite", "ftruncate", "chmod", "chown", "setxattr", "copy_file_range", "listdir",
)  # fmt: skip


def _count_file_operations(faults: _Faults) -> None:
    for name in _OPERATIONS:
        setattr(os, name, _counted(getattr(os, name), f"os.{name}", faults))


def _counted(operation: Callable[..., Any], name: str, faults: _Faults) -> Callable[..., Any]:
    def counted(*arguments: Any, **named: Any) -> Any:
        if arguments and str(arguments[0]).startswith("/proc"):
            return operation(*arguments, **named)
        return faults.around(name, arguments[0], lambda: operation(*arguments, **named))

    return counted


def _count_sqlite_operations(faults: _Faults) -> apsw.VFS:
    class File(apsw.VFSFile):
        def __init__(self, name: str | apsw.URIFilename | None, flags: list[int]) -> None:
            super().__init__("unix", name, flags)
            self.path = name.filename() if isinstance(name, apsw.URIFilename) else name

        def xWrite(self, data: bytes, offset: int) -> None:
            faults.around("sqlite.write", self.path, lambda: apsw.VFSFile.xWrite(self, data, offset))

        def xSync(self, flags: int) -> None:
            faults.around("sqlite.sync", self.path, lambda: apsw.VFSFile.xSync(self, flags))

        def xTruncate(self, size: int) -> None:
            faults.around("sqlite.truncate", self.path, lambda: apsw.VFSFile.xTruncate(self, size))

    class Files(apsw.VFS):
        def __init__(self) -> None:
            super().__init__("faulty", "unix", makedefault=True)

        def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:
            return File(name, flags)

        def xDelete(self, name: str, sync: bool) -> None:
            faults.around("sqlite.delete", name, lambda: apsw.VFS.xDelete(self, name, sync))

    return Files()


def _one_order(order: dict[str, Any], tell: int) -> None:
    if order["user"] is not None:
        os.setgroups([])
        os.setgid(order["user"])
        os.setuid(order["user"])
    faults = _Faults(order, tell)
    vfs = None
    if order["fault"] == "interrupt":
        sys.settrace(faults.trace)
    else:
        _count_file_operations(faults)
        vfs = _count_sqlite_operations(faults)
    how, message = "done", ""
    try:
        run(Path(order["path"]), order["way"])
    except KeyboardInterrupt:
        how = "interrupted"
    except (ConsolidateError, NotFree, NotQuiet) as error:
        how, message = type(error).__name__, " ".join(str(error).split())
    os.write(tell, f"{how}\t{faults.last}\t{message}".encode())
    if vfs:
        vfs.unregister()


def _main() -> None:
    sys.unraisablehook = lambda _: (
        None
    )  # apsw reports here what it cannot raise, such as a fault while a file is closed
    for line in sys.stdin:
        told, tell = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                _one_order(json.loads(line), tell)
            except BaseException as error:
                traceback.print_exception(error)
                os._exit(1)
            os._exit(0)
        os.close(tell)
        _, status = os.waitpid(child, 0)
        answer = {"status": os.waitstatus_to_exitcode(status), "told": os.read(told, 10_000).decode()}
        os.close(told)
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    _main()
