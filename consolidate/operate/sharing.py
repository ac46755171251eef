"""What one tenant's turn in a night is, and how two nights over the same root share the work.

The run lock decides who has a tenant in hand; the history beside the store tells what the other night made of it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from consolidate.errors import BusyError, ConsolidateError, StorageError
from consolidate.model import Notice, Outcome, Problem, RunRecord, Swap, empty_actions
from consolidate.run import history, run_lock
from consolidate.run.skip import notices_of
from consolidate.store import files
from consolidate.store.files import StorePaths

if TYPE_CHECKING:
    from consolidate.config import Settings
    from consolidate.operate.tenants import Tenant
    from consolidate.run.nightly import RunOptions, RunReport

    Task = Callable[[Tenant, Settings, RunOptions, str | None], RunReport]

# How often a tenant that another night has in hand is looked at, in seconds.
_POLL = 0.05


def size_of(tenant: Tenant) -> int:
    """Return the size of a tenant's store in bytes, 0 where it cannot be told."""
    try:
        paths = StorePaths.of(tenant.path)
        return files.size(paths.live) + files.size(paths.wal)
    except StorageError:
        return 0


def largest_first(tenants: Sequence[Tenant]) -> list[Tenant]:
    """Return tenants by the size of their store, so that the longest run does not begin last; by name where equal."""
    return sorted(tenants, key=lambda tenant: (-size_of(tenant), tenant.name))


def last_run(tenant: Tenant) -> str | None:
    """Return the last recorded run of a tenant."""
    with suppress(StorageError):
        run_id = history.last(StorePaths.of(tenant.path).runs).get("run_id")
        return None if run_id is None else str(run_id)
    return None


def run(tenant: Tenant, settings: Settings, options: RunOptions, before: str | None) -> RunReport:
    """Run a tenant, whoever else did; ``before`` is not asked."""
    from consolidate.run.nightly import run_tenant

    del before
    return run_tenant(tenant, settings, options)


def run_unless_done(tenant: Tenant, settings: Settings, options: RunOptions, before: str | None) -> RunReport:
    """Run a tenant unless another night has run it since ``before`` was its last run, or has it in hand."""
    from consolidate.run.nightly import RunReport

    if (report := _done_by_another(tenant, options, before)) is not None:
        return report
    if not _in_other_hands(tenant):
        report = run(tenant, settings, options, before)
        if report.record.outcome is not Outcome.BUSY or not _in_other_hands(tenant):
            return report
    return RunReport(RunRecord(tenant.name, "", Outcome.BUSY, exit_status=BusyError.exit_status), in_other_hands=True)


def run_or_await(tenant: Tenant, settings: Settings, options: RunOptions, before: str | None) -> RunReport:
    """Wait, up to ``swap.lock_timeout``, for what another night makes of a tenant; run it if that night lets go of it."""
    deadline = time.monotonic() + settings.swap.lock_timeout
    while True:
        if (report := _done_by_another(tenant, options, before)) is not None:
            return report
        if not _in_other_hands(tenant) or time.monotonic() >= deadline:
            return run(tenant, settings, options, before)
        time.sleep(_POLL)


def turn(tenant: Tenant, settings: Settings, options: RunOptions, before: str | None) -> RunReport:
    """Run a tenant, or pass over it where nobody touched it; for a host that was not asked before."""
    from consolidate.run.skip import skip_untouched

    return skip_untouched(tenant, settings, options) or run(tenant, settings, options, before)


def record_for(tenant: Tenant, record: RunRecord, now: float, kind: str) -> None:
    """Record a run that died before it could do so itself.

    Raises:
        BusyError: another run has the store in hand.
        StorageError: the history cannot be written.
    """
    paths = StorePaths.of(tenant.path)
    if files.status(paths.live) is not None:
        with run_lock.acquire(paths, record.run_id):
            history.append(paths.runs, record, now, like=paths.live, kind=kind)


def _in_other_hands(tenant: Tenant) -> bool:
    """Tell whether a run that is alive holds the run lock; what a dead one left is no sign of it.

    The live file is not opened: that would keep the other night from swapping by rename.
    """
    try:
        paths = StorePaths.of(tenant.path)
        if files.size(paths.lock):
            with run_lock.acquire(paths, "look"):
                pass
    except BusyError:
        return True
    except ConsolidateError:
        return False
    return False


def _done_by_another(tenant: Tenant, options: RunOptions, before: str | None) -> RunReport | None:
    """Return the run that another night made of a tenant since ``before``, if it did all that this one is to do."""
    from consolidate.run.nightly import RunReport

    with suppress(StorageError):
        last = history.last(StorePaths.of(tenant.path).runs)
        enough = ("night",) if not options.light else ("night", "light")
        if last.get("run_id") not in (None, before) and last.get("kind") in enough:
            record = record_of(last)
            record.notices.append(Notice("shared", "Another night that ran at the same time did this run."))
            return RunReport(record)
    return None


def record_of(run: dict[str, Any]) -> RunRecord:
    """Return a recorded run as the history has it."""
    problems = [
        Problem(str(item.get("check")), item.get("user_id"), tuple(item.get("facts") or ()), str(item.get("message")))
        for item in run.get("problems") or ()
    ]
    return RunRecord(
        str(run.get("tenant")),
        str(run.get("run_id")),
        Outcome(run["outcome"]),
        Swap(run["swap"]) if run.get("swap") else None,
        dict(run.get("actions") or empty_actions()),
        dict(run.get("skipped") or {}),
        int(run.get("late_rows") or 0),
        problems,
        notices_of(run),
        run.get("pre"),
        run.get("rejected"),
        dict(run.get("seconds") or {}),
        float(run.get("lock_seconds") or 0.0),
        run.get("error"),
        int(run.get("exit_status") or 0),
        run.get("model"),
    )
