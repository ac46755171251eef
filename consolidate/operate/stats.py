"""Signals over weeks: what the nights did, and how the stores grow, from the outside history and the stores themselves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import apsw

from consolidate.config import Settings
from consolidate.errors import ConsolidateError
from consolidate.model import empty_actions
from consolidate.operate.tenants import Tenant
from consolidate.run import history, untouched
from consolidate.store import files
from consolidate.store.connections import translated
from consolidate.store.contract import validate
from consolidate.store.files import StorePaths
from consolidate.store.job_tables import existing_version

ACTIONS = tuple(empty_actions())
OUTCOMES = ("swapped", "unchanged", "rejected", "failed", "busy")
# What is added up over the runs of a day, and over tenants.
COUNTS = (*ACTIONS, *OUTCOMES, "clusters", "two_values", "late_rows", "seconds", "lock_seconds")
# What is as it was until a run says otherwise.
LEVELS = ("bytes", "review_queue")
_LOCK_TIMEOUT = 5.0

Series = dict[str, list[float]]


@dataclass
class TenantStats:
    """One tenant.

    Attributes:
        tenant: its name.
        days: per UTC date with a run, what the runs of that day came to: `COUNTS` and `LEVELS`.
        facts: how many facts there are, and how many of each status.
        stale_share: the share of facts that are not active.
        longest_chain: how many values the longest chain of superseded facts has.
        review_oldest: since when the oldest fact waits for review, Unix seconds.
        bytes: the size of the store.
        error: why the store could not be asked.
    """

    tenant: str
    days: dict[str, dict[str, float]] = field(default_factory=dict)
    facts: int = 0
    statuses: dict[str, int] = field(default_factory=dict)
    stale_share: float = 0.0
    longest_chain: int = 0
    review_oldest: float | None = None
    bytes: int = 0
    error: str | None = None

    @property
    def review(self) -> int:
        """How many facts wait for review."""
        return self.statuses.get("review", 0)

    def as_json(self) -> dict[str, Any]:
        """Return the figures for JSON."""
        return {**vars(self), "review": self.review}


def gather(tenants: Iterable[Tenant], settings: Settings, *, days: int, now: float) -> list[TenantStats]:
    """Gather the figures of tenants.

    Args:
        tenants: whose.
        settings: the configuration.
        days: how many days back, in UTC dates.
        now: Unix seconds.
    """
    first = _date(now - (days - 1) * 86_400)
    return [_of(tenant, settings, first, _date(now)) for tenant in tenants]


def series(found: Sequence[TenantStats], *, days: int, now: float) -> tuple[list[str], Series]:
    """Return one value per day of each signal, added up over tenants.

    Returns:
        The UTC dates, oldest first, and for each of `COUNTS` and `LEVELS` as many values.
    """
    dates = [_date(now - back * 86_400) for back in range(days - 1, -1, -1)]
    summed: Series = {name: [0.0] * days for name in (*COUNTS, *LEVELS)}
    for item in found:
        level = dict.fromkeys(LEVELS, 0.0)
        for place, date in enumerate(dates):
            day = item.days.get(date, {})
            for name in COUNTS:
                summed[name][place] += day.get(name, 0.0)
            for name in LEVELS:
                level[name] = day.get(name, level[name])
                summed[name][place] += level[name]
    return dates, summed


def sparkline(values: Sequence[float]) -> str:
    """Draw values as blocks, the largest as a full one; nothing is a point."""
    top = max(values, default=0.0)
    return "".join("·" if value <= 0 else "▁▂▃▄▅▆▇█"[min(7, int(8 * value / top))] for value in values)


def _date(moment: float) -> str:
    return f"{datetime.fromtimestamp(moment, UTC):%Y-%m-%d}"


def _of(tenant: Tenant, settings: Settings, first: str, last: str) -> TenantStats:
    stats = TenantStats(tenant.name)
    try:
        paths = StorePaths.of(tenant.path)
        runs = [run for run in history.read(paths.runs) if "outcome" in run]
        stats.bytes = files.size(paths.live) + files.size(paths.wal)
        inside: dict[str, tuple[int, int]] = {}
        try:
            inside = _ask_store(stats, paths, settings)
        finally:
            _by_day(stats, runs, inside, first, last)
    except ConsolidateError as error:
        stats.error = error.message
    return stats


def _by_day(
    stats: TenantStats, runs: Sequence[Mapping[str, Any]], inside: Mapping[str, tuple[int, int]], first: str, last: str
) -> None:
    for run in runs:
        now = run.get("now")
        if not isinstance(now, (int, float)) or not first <= (date := _date(now)) <= last:
            continue
        day = stats.days.setdefault(date, {})
        clusters, users = inside.get(str(run.get("run_id")), (0, 0))
        actions = run.get("actions") or {}
        done = run.get("outcome") == "swapped"
        counts: dict[str, Any] = {action: actions.get(action, 0) if done else 0 for action in ACTIONS}
        counts |= {str(run.get("outcome")): 1, "clusters": clusters, "two_values": users}
        counts |= {"late_rows": run.get("late_rows"), "lock_seconds": run.get("lock_seconds")}
        counts["seconds"] = (run.get("seconds") or {}).get("total")
        for name, count in counts.items():
            if isinstance(count, (int, float)):
                day[name] = day.get(name, 0) + count
        if isinstance(run.get("bytes"), int):
            day["bytes"] = run["bytes"]
        if not run.get("skipped_untouched") and run.get("outcome") in ("swapped", "unchanged"):
            day["review_queue"] = (run.get("skipped") or {}).get("parked", 0) + actions.get("review", 0)


def _ask_store(stats: TenantStats, paths: StorePaths, settings: Settings) -> dict[str, tuple[int, int]]:
    """Fill in what the store itself says; return per run how many clusters it merged and how many users had two values."""
    try:
        opened = untouched.open_in_place(paths, settings.store.extensions, _LOCK_TIMEOUT)
    except untouched.NeedsRecovery:
        stats.error = f"{paths.live} was left in the middle of a write."
        return {}
    with closing(opened) as db, translated(paths.live):
        validate(db, paths.live)
        rows: list[Any] = db.execute(
            "SELECT CAST(status AS BLOB), count(*) FROM main.facts GROUP BY status COLLATE BINARY"
        ).fetchall()
        for status, count in rows:
            name = (status or b"none").decode("utf-8", "replace")
            stats.statuses[name] = stats.statuses.get(name, 0) + count
        stats.facts = sum(stats.statuses.values())
        stats.stale_share = 1 - stats.statuses.get("active", 0) / stats.facts if stats.facts else 0.0
        stats.longest_chain = _longest_chain(db)
        if not existing_version(db):
            return {}
        stats.review_oldest = db.execute(
            """SELECT min(r.now) FROM main.facts f JOIN main.consolidation_actions a ON a.fact_id = f.id
               JOIN main.consolidation_runs r USING (run_id) WHERE f.status = 'review' AND a.after_status = 'review'"""
        ).get
        per_run = db.execute(
            """SELECT run_id, count(DISTINCT CASE WHEN after_status = 'merged' THEN after_superseded_by END),
                      count(DISTINCT CASE WHEN step = 'supersede' AND after_status IN ('superseded', 'review')
                                          THEN CAST(user_id AS BLOB) END)
               FROM main.consolidation_actions WHERE changed & 1 GROUP BY run_id"""
        )
        return {str(run): (int(clusters), int(users)) for run, clusters, users in per_run}


def _longest_chain(db: apsw.Connection) -> int:
    """Return how many values the longest chain of superseded facts has, the one that holds included; 0 if there is none."""
    rows: list[Any] = db.execute(
        """SELECT CAST(id AS BLOB), CAST(superseded_by AS BLOB) FROM main.facts
           WHERE status = 'superseded' AND id IS NOT NULL AND superseded_by IS NOT NULL"""
    ).fetchall()
    after: dict[bytes, bytes] = dict(rows)
    lengths: dict[bytes, int] = {}
    for start in after:
        path: list[bytes] = []
        seen: set[bytes] = set()
        fact = start
        while fact in after and fact not in lengths and fact not in seen:
            seen.add(fact)
            path.append(fact)
            fact = after[fact]
        length = lengths.get(fact, 1)
        for item in reversed(path):
            length += 1
            lengths[item] = length
    return max(lengths.values(), default=0)
