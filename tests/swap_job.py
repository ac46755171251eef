"""One small run, from the lock to the swap, for the tests of swapping; as a program, a job that dies at a chosen operation.

As a program it reads one order per line from stdin, runs it in a forked child, and answers how the child ended. A child counts
every operation of ``consolidate.store.files`` and every write, sync, truncation and deletion of SQLite, and kills itself with
SIGKILL at the one that was asked for.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any

import apsw

from consolidate.run import in_place, recovery, rename, run_lock
from consolidate.run.live import Live, Prepared, SwapResult
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
    db = connections.open_scratch(paths.shadow)
    try:
        db.execute("BEGIN")
        job_tables.migrate(db)
        decisions(db)
        db.execute("INSERT INTO consolidation_runs VALUES (?, 1.0, 'night', '{}')", (run_id,))
        db.execute("COMMIT")
    finally:
        db.close()
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


class DyingJob:
    """The program below, as a child process."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment(),
        )

    def __enter__(self) -> DyingJob:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._process.communicate()

    def run(self, path: Path, way: str, die_at: int, only: str = "", user: int | None = None) -> str | None:
        """Run once, as ``user``, dying at operation number ``die_at`` of those alone whose name begins with ``only``.

        Returns:
            The operation at which it died, or None if it came to its end.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        order = {"path": str(path), "way": way, "die_at": die_at, "only": only, "user": user}
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        assert answer["status"] in (0, -signal.SIGKILL), answer
        return answer["last"] if answer["status"] else None


class _Countdown:
    """Counts operations and ends the process at one of them, leaving its name behind."""

    def __init__(self, die_at: int, only: str, tell: int) -> None:
        self._left, self._only, self._tell = die_at, only, tell

    def step(self, name: str) -> None:
        if name.startswith(self._only):
            self._left -= 1
            if self._left == 0:
                os.write(self._tell, name.encode())
                os.kill(os.getpid(), signal.SIGKILL)


def _count_file_operations(countdown: _Countdown) -> None:
    for name in (
        "link",
        "rename",
        "unlink",
        "fsync_file",
        "fsync_folder",
        "create_private",
        "copy_metadata",
        "append",
        "cut",
    ):
        setattr(files, name, _counted(getattr(files, name), f"files.{name}", countdown))


def _counted(operation: Callable[..., Any], name: str, countdown: _Countdown) -> Callable[..., Any]:
    def counted(*arguments: Any, **named: Any) -> Any:
        countdown.step(name)
        return operation(*arguments, **named)

    return counted


def _count_sqlite_operations(countdown: _Countdown) -> apsw.VFS:
    class File(apsw.VFSFile):
        def xWrite(self, data: bytes, offset: int) -> None:
            countdown.step("sqlite.write")
            super().xWrite(data, offset)

        def xSync(self, flags: int) -> None:
            countdown.step("sqlite.sync")
            super().xSync(flags)

        def xTruncate(self, size: int) -> None:
            countdown.step("sqlite.truncate")
            super().xTruncate(size)

    class Files(apsw.VFS):
        def __init__(self) -> None:
            super().__init__("counting", "unix", makedefault=True)

        def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:
            return File("unix", name, flags)

        def xDelete(self, name: str, sync: bool) -> None:
            countdown.step("sqlite.delete")
            super().xDelete(name, sync)

    return Files()


def _one_order(order: dict[str, Any], tell: int) -> None:
    if order["user"] is not None:
        os.setgroups([])
        os.setgid(order["user"])
        os.setuid(order["user"])
    countdown = _Countdown(order["die_at"], order["only"], tell)
    _count_file_operations(countdown)
    vfs = _count_sqlite_operations(countdown)
    run(Path(order["path"]), order["way"])
    vfs.unregister()


def _main() -> None:
    for line in sys.stdin:
        told, tell = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                _one_order(json.loads(line), tell)
            except BaseException as error:
                print(f"{type(error).__name__}: {error}", file=sys.stderr, flush=True)
                os._exit(1)
            os._exit(0)
        os.close(tell)
        _, status = os.waitpid(child, 0)
        last = os.read(told, 100).decode()
        os.close(told)
        print(json.dumps({"status": os.waitstatus_to_exitcode(status), "last": last}), flush=True)


if __name__ == "__main__":
    _main()
