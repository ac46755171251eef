"""A pool of worker processes in which no task can harm another: one that crashes or hangs costs only itself.

The executors of the standard library lose every task when one process dies, and cannot stop a single one. This one is an
`Executor` like them, so that whoever uses it can be given another kind, such as a cluster.
"""

from __future__ import annotations

import multiprocessing
import queue
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from types import FrameType
from typing import Any, NoReturn, ParamSpec, TypeVar

_P = ParamSpec("_P")
_T = TypeVar("_T")

# How long a worker that is told to stop may take to leave everything whole behind it, in seconds; then it is killed.
GRACE = 10.0


class WorkerDied(Exception):  # noqa: N818 - tells how a task ended
    """The process died in the middle of the task."""

    def __init__(self, exit_code: int | None) -> None:
        super().__init__(exit_code)
        self.exit_code = exit_code

    def __str__(self) -> str:
        if self.exit_code is not None and self.exit_code < 0:
            with suppress(ValueError):
                return f"its process was ended by {signal.Signals(-self.exit_code).name}"
        return f"its process ended with status {self.exit_code}"


class WorkerTimedOut(Exception):  # noqa: N818 - tells how a task ended
    """The task took too long and was stopped."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.seconds = seconds

    def __str__(self) -> str:
        return f"it did not finish within {self.seconds:g} seconds and was stopped"


@dataclass
class _Task:
    future: Future[Any]
    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    keywords: dict[str, Any]


class Workers(Executor):
    """Run tasks in spawned processes, one at a time in each.

    Args:
        jobs: how many processes at most.
        timeout: how long a task may take, in seconds; None for as long as it takes.
        prepare: called once in each new process.
    """

    def __init__(self, jobs: int, timeout: float | None = None, prepare: Callable[[], None] | None = None) -> None:
        self._timeout = timeout
        self._prepare = prepare
        self._tasks: queue.SimpleQueue[_Task | None] = queue.SimpleQueue()
        self._stopping = threading.Event()
        self._threads = [threading.Thread(target=self._serve, daemon=True) for _ in range(jobs)]
        for thread in self._threads:
            thread.start()

    def submit(self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> Future[_T]:
        """Queue a task; its future fails with `WorkerDied` or `WorkerTimedOut` where the process did."""
        future: Future[_T] = Future()
        self._tasks.put(_Task(future, fn, args, kwargs))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the pool; with ``cancel_futures`` tasks under way are stopped and those that wait never begin."""
        if cancel_futures:
            self._stopping.set()
        for _ in self._threads:
            self._tasks.put(None)
        if wait:
            for thread in self._threads:
                thread.join()

    def _serve(self) -> None:
        # A terminal sends Ctrl-C to every process; the workers are stopped by this one, and inherit the mask.
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        worker: _Worker | None = None
        while (task := self._tasks.get()) is not None:
            if self._stopping.is_set():
                task.future.cancel()
            if not task.future.set_running_or_notify_cancel():
                continue
            try:
                if worker is None:
                    worker = _Worker(self._prepare)
                task.future.set_result(worker.do(task, self._timeout, self._stopping))
            except _Failed as failed:
                task.future.set_exception(failed.error)
            except BaseException as error:
                if worker is not None:
                    worker.end()
                    worker = None
                task.future.set_exception(error)
        if worker is not None:
            worker.end()


class _Failed(Exception):  # noqa: N818 - carries the task's own exception; the worker is well
    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error = error


class _Worker:
    """One process and the pipe to it."""

    def __init__(self, prepare: Callable[[], None] | None) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process: SpawnProcess = context.Process(target=_work, args=(theirs, prepare), daemon=False)
        try:
            self._process.start()
        finally:
            theirs.close()

    def do(self, task: _Task, timeout: float | None, stopping: threading.Event) -> Any:
        """Have one task done and return its result."""
        deadline = None if timeout is None else time.monotonic() + timeout
        try:
            self._pipe.send((task.function, task.arguments, task.keywords))
            while not self._pipe.poll(0.1 if deadline is None else max(0.0, min(0.1, deadline - time.monotonic()))):
                if stopping.is_set():
                    raise WorkerDied(None)
                if deadline is not None and time.monotonic() >= deadline:
                    assert timeout is not None
                    raise WorkerTimedOut(timeout)
            done, outcome = self._pipe.recv()
        except (EOFError, BrokenPipeError, ConnectionResetError):
            self._process.join(GRACE)
            raise WorkerDied(self._process.exitcode) from None
        if not done:
            raise _Failed(outcome)
        return outcome

    def end(self) -> None:
        """End the process: it is asked to, given time to clean up, and killed if it does not."""
        self._pipe.close()
        if self._process.is_alive():
            self._process.terminate()
        self._process.join(GRACE)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        self._process.close()


def _work(pipe: Connection, prepare: Callable[[], None] | None) -> None:
    """The life of a worker: do tasks until the pipe ends, or a signal asks to stop."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _stop)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    if prepare is not None:
        prepare()
    while True:
        try:
            function, arguments, keywords = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            answer = (True, function(*arguments, **keywords))
        except Exception as error:
            answer = (False, error)
        with suppress(BrokenPipeError):
            pipe.send(answer)


def _stop(number: int, _frame: FrameType | None) -> NoReturn:
    raise SystemExit(128 + number)
