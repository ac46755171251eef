"""A night over several tenants: one after the other, none stopping the next (DESIGN section 6)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from consolidate.model import RunRecord, new_run_id

if TYPE_CHECKING:
    from consolidate.config import Settings
    from consolidate.operate.tenants import Tenant
    from consolidate.run.nightly import RunOptions, RunReport

_WORST_FIRST = (70, 74, 78, 65, 75)


def worst_status(statuses: Iterable[int]) -> int:
    """Return the worst of several exit statuses, 0 where there is none; one that is not foreseen counts as the worst."""
    failed = [status for status in statuses if status]
    return min(failed, key=lambda s: _WORST_FIRST.index(s) if s in _WORST_FIRST else -1, default=0)


def run_fleet(
    tenants: Iterable[Tenant], settings: Settings, options: RunOptions, finished: Callable[[RunReport], None]
) -> int:
    """Run each tenant in turn.

    Args:
        tenants: whom to run.
        settings: the configuration.
        options: how to run.
        finished: told of every run as soon as it has ended.

    Returns:
        The worst exit status of all runs.

    Raises:
        ConfigError: the configuration's plug-ins cannot be loaded; no tenant is touched.
        KeyboardInterrupt: the night was stopped; live stores are whole.
    """
    from consolidate.run.nightly import RunReport, load_plugins, run_tenant

    load_plugins(settings, light=options.light)
    statuses = []
    for tenant in tenants:
        try:
            report = run_tenant(tenant, settings, options)
        except Exception as error:
            record = RunRecord(tenant.name, new_run_id(options.now or 0.0), exit_status=70)
            record.error = f"The run of {tenant.name} met an internal error: {type(error).__name__}."
            report = RunReport(record)
        statuses.append(report.record.exit_status)
        finished(report)
    return worst_status(statuses)
