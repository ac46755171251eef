"""The night of several hosts: each tenant is run by the Dask worker that holds its file, and by no other.

A worker looks under its own root: ``$CONSOLIDATE_ROOT`` where its environment has one, else the root that the night was given.
Each tenant is run in a process of its own there, since a swap needs a main thread, and so that a hang can be ended.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from consolidate.config import Settings
from consolidate.errors import ConfigError, StorageError
from consolidate.operate.tenants import Tenant
from consolidate.operate.workers import GRACE, WorkerDied, WorkerTimedOut

if TYPE_CHECKING:
    from consolidate.operate.status import TenantStatus

_P = ParamSpec("_P")
_T = TypeVar("_T")

# How often it is asked which workers are still there, in seconds, and how long a first answer may take.
_WATCH = 0.5
_PATIENCE = 10


class HostLost(WorkerDied):
    """The worker that held the tenant went away in the middle of its run."""

    def __init__(self, address: str) -> None:
        super().__init__(None)
        self.address = address

    def __reduce__(self) -> tuple[type[HostLost], tuple[str]]:
        return type(self), (self.address,)

    def __str__(self) -> str:
        return f"the worker {self.address} that holds it was lost"


class Contested(WorkerDied):
    """Several workers claim the tenant, so nobody can tell which file is the live one."""

    def __init__(self, addresses: tuple[str, ...]) -> None:
        super().__init__(None)
        self.addresses = addresses

    def __str__(self) -> str:
        return f"several workers claim it ({', '.join(self.addresses)}), so it was not run by any of them"


@dataclass
class _Held:
    """A run that a worker has in hand."""

    address: str
    future: Future[Any]
    remote: Any


class Cluster(Executor):
    """An executor that runs each tenant where its file is.

    Args:
        address: the Dask scheduler, such as ``tcp://host:8786``.
        root: where workers look that have no root of their own.
        timeout: how long one tenant may take, in seconds; None for as long as it takes.

    Raises:
        ConfigError: Dask is not installed.
        StorageError: the scheduler cannot be reached, or has no workers.
    """

    def __init__(self, address: str, root: Path | None, timeout: float | None = None) -> None:
        self._client: Any = _joined(address)
        self._timeout = timeout
        self._held: list[_Held] = []
        self._guard = threading.Lock()
        self._ended = threading.Event()
        self._claims: dict[str, list[tuple[str, Tenant, int]]] = {}
        self._ask(root)
        self._watcher = threading.Thread(target=self._watch, daemon=True)
        self._watcher.start()

    @property
    def tenants(self) -> list[Tenant]:
        """Every tenant that a worker holds, the largest first."""
        claims = sorted(self._claims.values(), key=lambda claims: (-claims[0][2], claims[0][1].name))
        return [claim[0][1] for claim in claims]

    def _ask(self, root: Path | None) -> None:
        answers = self._client.run(tenants_here, None if root is None else str(root), on_error="return")
        if not answers:
            self._client.close()
            raise StorageError("The scheduler has no workers.", "Start one on each host that holds tenants.")
        for address, answer in sorted(answers.items()):
            if isinstance(answer, BaseException):
                self._client.close()
                raise StorageError(f"The worker {address} cannot say which tenants it holds: {answer}")
            for tenant, size in answer:
                self._claims.setdefault(tenant.name, []).append((address, tenant, size))

    def submit(self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> Future[_T]:
        """Run a task on the worker that holds the tenant, which is its first argument."""
        tenant = args[0]
        assert isinstance(tenant, Tenant)
        future: Future[_T] = Future()
        future.set_running_or_notify_cancel()
        claims = self._claims[tenant.name]
        if len(claims) > 1:
            future.set_exception(Contested(tuple(address for address, _, _ in claims)))
            return future
        address = claims[0][0]
        remote = self._client.submit(
            run_apart, fn, args, self._timeout, workers=[address], allow_other_workers=False, pure=False, retries=0
        )
        with self._guard:
            self._held.append(_Held(address, future, remote))
        remote.add_done_callback(lambda done: self._settle(future, done))
        return future

    def _settle(self, future: Future[Any], remote: Any) -> None:
        with self._guard:
            self._held = [held for held in self._held if held.future is not future]
        if future.done():
            return
        if remote.status == "finished":
            future.set_result(remote.result())
        elif remote.status == "error":
            future.set_exception(remote.exception())
        else:
            future.set_exception(WorkerDied(None))

    def _watch(self) -> None:
        """Give up what a worker had in hand that went away; Dask itself would wait for it to come back."""
        while not self._ended.wait(_WATCH):
            try:
                alive = set(self._client.sync(self._client.scheduler.identity)["workers"])
            except Exception:
                alive = set()
            with self._guard:
                lost = [held for held in self._held if held.address not in alive]
                self._held = [held for held in self._held if held.address in alive]
            for held in lost:
                if not held.future.done():
                    held.future.set_exception(HostLost(held.address))
                with suppress(Exception):
                    held.remote.cancel()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Leave the cluster, which goes on; with ``cancel_futures`` what has not begun never does."""
        self._ended.set()
        self._watcher.join()
        with self._guard:
            held, self._held = self._held, []
        if cancel_futures:
            for item in held:
                with suppress(Exception):
                    item.remote.cancel()
        self._client.close()


def _joined(address: str) -> Any:
    try:
        from distributed import Client
    except ImportError:
        raise ConfigError("--scheduler needs the package dask[distributed].", "Install consolidate[fleet].") from None
    try:
        return Client(address, timeout=_PATIENCE, set_as_default=False)  # type: ignore[no-untyped-call]
    except (OSError, ValueError, TimeoutError):
        raise StorageError(
            f"The scheduler {address} cannot be reached.", "Check the address and the network."
        ) from None


def survey_hosts(
    address: str, root: Path | None, settings: Settings, *, now: float, max_age: float
) -> list[TenantStatus]:
    """Ask every worker how its tenants are; a worker that cannot say is left out, as its tenants are.

    Takes what `Cluster` and `status.survey` take, and raises what `Cluster` raises.
    """
    client = _joined(address)
    try:
        answers = client.run(
            survey_here, None if root is None else str(root), settings, now, max_age, on_error="return"
        )
    finally:
        client.close()
    return [status for answer in answers.values() if isinstance(answer, list) for status in answer]


def survey_here(root: str | None, settings: Settings, now: float, max_age: float) -> list[TenantStatus]:
    """Return how the tenants under a worker's own root are; called on the worker."""
    from consolidate.operate.status import survey

    return survey([tenant for tenant, _ in tenants_here(root)], settings, now=now, max_age=max_age)


def tenants_here(root: str | None) -> list[tuple[Tenant, int]]:
    """Return the tenants under a worker's own root, with the size of their stores in bytes; called on the worker.

    Raises:
        StorageError: there is no such folder.
    """
    from consolidate.operate.sharing import size_of
    from consolidate.operate.tenants import all_tenants

    own = os.environ.get("CONSOLIDATE_ROOT") or root
    if not own:
        raise StorageError("It has no root.", "Set CONSOLIDATE_ROOT there, or give --root.")
    return [(tenant, size_of(tenant)) for tenant in all_tenants(Path(own))]


def run_apart(fn: Callable[..., Any], args: tuple[Any, ...], timeout: float | None) -> Any:
    """Call a function in a process of its own; called on the worker.

    Raises:
        WorkerDied: the process died.
        WorkerTimedOut: it took too long, and was stopped.
    """
    call = [sys.executable, "-c", "from consolidate.operate.cluster import serve_one; serve_one()"]
    process = subprocess.Popen(call, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)
    try:
        answer, _ = process.communicate(pickle.dumps((fn, args)), timeout)
    except subprocess.TimeoutExpired:
        assert timeout is not None
        process.terminate()
        try:
            process.communicate(timeout=GRACE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
        raise WorkerTimedOut(timeout) from None
    if process.returncode:
        raise WorkerDied(process.returncode)
    return pickle.loads(answer)


def serve_one() -> None:
    """Do the one call that stands on stdin, and answer on stdout; the life of a process of `run_apart`."""
    from consolidate import logs

    def stop(number: int, _frame: object) -> None:
        raise SystemExit(128 + number)

    signal.signal(signal.SIGTERM, stop)
    logs.configure()
    fn, args = pickle.load(sys.stdin.buffer)
    answer = pickle.dumps(fn(*args))
    sys.stdout.buffer.write(answer)
    sys.stdout.buffer.flush()


__all__ = ["Cluster", "Contested", "HostLost", "run_apart", "serve_one", "survey_hosts", "tenants_here"]
