"""A night over several tenants: none stops, delays for ever, or harms another (DESIGN section 6)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, wait
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from consolidate.errors import ConsolidateError
from consolidate.model import Outcome, RunRecord, new_run_id
from consolidate.operate import sharing
from consolidate.operate.workers import WorkerDied, Workers, WorkerTimedOut

if TYPE_CHECKING:
    from consolidate.config import Settings
    from consolidate.operate.tenants import Tenant
    from consolidate.run.nightly import RunOptions, RunReport

_WORST_FIRST = (70, 74, 78, 65, 75)

Finished = Callable[["RunReport"], None]


def worst_status(statuses: Iterable[int]) -> int:
    """Return the worst of several exit statuses, 0 where there is none; one that is not foreseen counts as the worst."""
    failed = [status for status in statuses if status]
    return min(failed, key=lambda s: _WORST_FIRST.index(s) if s in _WORST_FIRST else -1, default=0)


@dataclass(frozen=True)
class FleetOptions:
    """How the work is spread.

    Attributes:
        jobs: how many tenants at a time, each in a process of its own; 0 runs one after the other in this process.
        timeout: how long one tenant may take, in seconds; None for as long as it takes.
        whole: this is the night of a whole root: the largest store first, one that nobody touched is passed over, and what
            another night does at the same time is not done again.
        prepare: called once in each worker process.
    """

    jobs: int = 0
    timeout: float | None = None
    whole: bool = False
    prepare: Callable[[], None] | None = None


def run_fleet(
    tenants: Iterable[Tenant],
    settings: Settings,
    options: RunOptions,
    finished: Finished,
    how: FleetOptions | None = None,
    pool: Executor | None = None,
) -> int:
    """Run tenants.

    Args:
        tenants: whom to run.
        settings: the configuration.
        options: how to run.
        finished: told of every run as soon as it has ended, in this thread.
        how: how the work is spread.
        pool: any executor to spread it over, instead of processes of this machine.

    Returns:
        The worst exit status of all runs.

    Raises:
        ConfigError: the configuration's plug-ins cannot be loaded; no tenant is touched.
        KeyboardInterrupt: the night was stopped; live stores are whole.
    """
    from consolidate.run.nightly import load_plugins

    load_plugins(settings, light=options.light)
    how = how or FleetOptions()
    statuses: list[int] = []

    def told(report: RunReport) -> None:
        statuses.append(report.record.exit_status)
        finished(report)

    _Night(settings, options, how, told).run(list(tenants), pool)
    return worst_status(statuses)


@dataclass
class _Night:
    """One night: what is left to do, and what is under way."""

    settings: Settings
    options: RunOptions
    how: FleetOptions
    told: Finished
    under_way: dict[Future[RunReport], Tenant] = field(default_factory=dict)
    before: dict[str, str | None] = field(default_factory=dict)

    def run(self, tenants: list[Tenant], pool: Executor | None) -> None:
        if pool is not None:
            self._elsewhere(pool, tenants)
            return
        shares = self.how.whole and not self.options.dry_run
        if self.how.whole:
            tenants = sharing.largest_first(tenants)
        if shares:
            self.before = {tenant.name: sharing.last_run(tenant) for tenant in tenants}
            tenants = self._pass_over_untouched(tenants)
        if not tenants:
            return
        if not self.how.jobs:
            for tenant in tenants:
                self.told(self._run_here(tenant))
            return
        jobs = min(self.how.jobs, len(tenants)) or 1
        with self._ending(Workers(jobs, self.how.timeout, self.how.prepare)) as workers:
            postponed = self._spread(workers, tenants, sharing.run_unless_done if shares else sharing.run)
            self._spread(workers, postponed, sharing.run_or_await)

    def _elsewhere(self, pool: Executor, tenants: Sequence[Tenant]) -> None:
        """Run tenants whose files may lie on other hosts: all that is to be known about them is asked there."""
        with self._ending(pool):
            self._spread(pool, tenants, sharing.turn)

    @contextmanager
    def _ending(self, pool: Executor) -> Iterator[Executor]:
        """End the pool after the block, at once where the night is stopped."""
        try:
            yield pool
        except BaseException:
            pool.shutdown(wait=True, cancel_futures=True)
            self._tell_of_those_done()
            raise
        pool.shutdown(wait=True)

    def _pass_over_untouched(self, tenants: Sequence[Tenant]) -> list[Tenant]:
        from consolidate.run.skip import skip_untouched

        left = []
        for tenant in tenants:
            report = skip_untouched(tenant, self.settings, self.options)
            if report is None:
                left.append(tenant)
            else:
                self.told(report)
        return left

    def _run_here(self, tenant: Tenant) -> RunReport:
        try:
            return sharing.run(tenant, self.settings, self.options, None)
        except Exception as error:
            return self._died(tenant, f"met an internal error: {type(error).__name__}")

    def _spread(self, pool: Executor, tenants: Sequence[Tenant], task: sharing.Task) -> list[Tenant]:
        """Run tenants in a pool; return those that another night has in hand."""
        postponed = []
        for tenant in tenants:
            before = self.before.get(tenant.name)
            self.under_way[pool.submit(task, tenant, self.settings, self.options, before)] = tenant
        while self.under_way:
            done, _ = wait(self.under_way, return_when=FIRST_COMPLETED)
            for future in sorted(done, key=lambda future: self.under_way[future].name):
                tenant = self.under_way.pop(future)
                report = self._report(tenant, future)
                if report.in_other_hands and task is sharing.run_unless_done:
                    postponed.append(tenant)
                else:
                    self.told(report)
        return postponed

    def _report(self, tenant: Tenant, future: Future[RunReport]) -> RunReport:
        try:
            return future.result()
        except (WorkerDied, WorkerTimedOut) as error:
            return self._died(tenant, f"ended before it was done: {error}")
        except Exception as error:
            return self._died(tenant, f"met an internal error: {type(error).__name__}")

    def _tell_of_those_done(self) -> None:
        for future in [future for future in self.under_way if future.done()]:
            with suppress(CancelledError):
                if future.exception() is None:
                    self.told(future.result())

    def _died(self, tenant: Tenant, how: str) -> RunReport:
        """Report a run that could not report itself, and record it where the run lock is free."""
        from consolidate.run.nightly import RunReport, log_finished

        now = time.time() if self.options.now is None else self.options.now
        record = RunRecord(tenant.name, new_run_id(now), Outcome.FAILED, exit_status=70)
        record.error = f"The run of {tenant.name} {how}; the store is whole."
        if not self.options.dry_run:
            with suppress(ConsolidateError):
                sharing.record_for(tenant, record, now, self.options.kind)
        log_finished(record)
        return RunReport(record)
