"""Passing over a store that nobody touched since its last run, without opening it (DESIGN section 8)."""

from __future__ import annotations

import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from consolidate.config import Settings
from consolidate.errors import ConsolidateError
from consolidate.model import Notice, Outcome, RunRecord, new_run_id
from consolidate.run import fingerprint, history, retention, run_lock
from consolidate.run.nightly import RunOptions, RunReport, log_finished
from consolidate.store import files
from consolidate.store.files import StorePaths

if TYPE_CHECKING:
    from consolidate.operate.tenants import Tenant

# What a run says of itself alone; anything else is still so in a store that did not change.
_OF_ONE_RUN = frozenset({"recovered", "late", "review_growing", "anomaly", "waived", "waiver_unused", "shared"})


def skip_untouched(tenant: Tenant, settings: Settings, options: RunOptions) -> RunReport | None:
    """Record a run that changes nothing if it is certain, by what the last run noted, that this is what it would come to.

    Returns:
        The run, with the outcome ``unchanged`` and the notices that still stand; None where the store must be looked into.
    """
    if options.dry_run or options.waivers:
        return None
    with suppress(ConsolidateError):
        return _skip(tenant, settings, options)
    return None


def _skip(tenant: Tenant, settings: Settings, options: RunOptions) -> RunReport | None:
    began = time.perf_counter()
    now = time.time() if options.now is None else options.now
    paths = StorePaths.of(tenant.path)
    if not _is_untouched(history.last(paths.runs), paths, settings, options, now):
        return None
    record = RunRecord(tenant.name, new_run_id(now), Outcome.UNCHANGED)
    if files.size(paths.lock):  # somebody holds it, or died with it
        return None
    with run_lock.acquire(paths, record.run_id):
        last = history.last(paths.runs)
        if not _is_untouched(last, paths, settings, options, now):
            return None
        record.notices = [notice for notice in notices_of(last) if notice.kind not in _OF_ONE_RUN]
        record.seconds["total"] = time.perf_counter() - began
        more = {"kind": options.kind, "skipped_untouched": True, "bytes": files.size(paths.live), "seen": last["seen"]}
        history.append_cheaply(paths.runs, record, now, **more)
        retention.apply(paths, settings.retention, now)
    record.seconds["total"] = time.perf_counter() - began
    log_finished(record)
    return RunReport(record)


def _is_untouched(last: dict[str, Any], paths: StorePaths, settings: Settings, options: RunOptions, now: float) -> bool:
    if last.get("outcome") not in (Outcome.SWAPPED, Outcome.UNCHANGED):
        return False
    return fingerprint.holds(last.get("seen"), last, paths, settings, now=now, light=options.light)


def notices_of(run: dict[str, Any]) -> list[Notice]:
    """Return the notices of a recorded run."""
    found = run.get("notices")
    return [
        Notice(str(item.get("kind")), str(item.get("message")), item.get("user_id"), tuple(item.get("facts") or ()))
        for item in (found if isinstance(found, list) else ())
        if isinstance(item, dict)
    ]
