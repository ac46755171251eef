"""The story of one run of one tenant, read top to bottom (DESIGN section 4)."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import structlog

from consolidate.checks import anomalies
from consolidate.config import Settings, load_probes
from consolidate.errors import ConsolidateError
from consolidate.model import Notice, Outcome, Probe, RunRecord, new_run_id
from consolidate.run import (
    cursor,
    fingerprint,
    history,
    plan,
    recovery,
    retention,
    run_lock,
    settling,
    waivers,
    work,
)
from consolidate.run.live import Live, Prepared, SwapResult
from consolidate.run.passes import Passes, PassResult, Plugins
from consolidate.run.run_lock import RunLock
from consolidate.run.waivers import Waiver
from consolidate.steps.candidates import Progress, user_key
from consolidate.steps.extra import load_extra_steps
from consolidate.steps.summarisers import load_summariser
from consolidate.store import files
from consolidate.store.files import StorePaths

if TYPE_CHECKING:
    from consolidate.operate.tenants import Tenant

log = structlog.get_logger()


@dataclass(frozen=True)
class RunOptions:
    """How to run: ``now`` in Unix seconds replaces the clock; see ``nightly --help`` for the others.

    ``progress`` is told how many of the users the summariser has been through; only where the run is in this very process.
    """

    now: float | None = None
    light: bool = False
    dry_run: bool = False
    waivers: tuple[Waiver, ...] = ()
    progress: Progress | None = None

    @property
    def kind(self) -> str:
        """What the history calls such a run."""
        return "light" if self.light else "night"


@dataclass
class RunReport:
    """What came of a run: its record and, for a dry run, the plan in sentences.

    ``in_other_hands`` says that it did not take place, since another night has the tenant in hand.
    """

    record: RunRecord
    plan: list[str] = field(default_factory=list)
    in_other_hands: bool = False


class _Rejected(Exception):  # noqa: N818 - a way out of the swap, not an error
    """A pass failed its checks."""

    def __init__(self, result: PassResult) -> None:
        super().__init__()
        self.result = result


def load_plugins(settings: Settings, *, light: bool) -> Plugins:
    """Load the summariser and the extra steps.

    Raises:
        ConfigError: one of them cannot be loaded.
    """
    if light:
        return Plugins(None, [])
    asks = settings.promote.summariser != "rules" or settings.promote.rules
    return Plugins(load_summariser(settings.promote) if asks else None, load_extra_steps(settings.steps.extra))


def run_tenant(tenant: Tenant, settings: Settings, options: RunOptions) -> RunReport:
    """Run one tenant from the run lock to the record.

    Never raises for what goes wrong with the tenant: the record then says ``rejected``, ``busy`` or ``failed``, why, and
    the exit status. KeyboardInterrupt and SystemExit leave live whole and go through.
    """
    began = time.perf_counter()
    now = time.time() if options.now is None else options.now
    run = _Run(tenant, settings, options, now, RunRecord(tenant.name, new_run_id(now)))
    try:
        run.execute()
    except ConsolidateError as error:
        run.record.fail(error)
    except Exception as error:
        log.debug("run.crashed", exc_info=True)
        run.record.crash(error)
    run.record.seconds["total"] = time.perf_counter() - began
    log_finished(run.record)
    return RunReport(run.record, run.plan)


@dataclass
class _Run:
    tenant: Tenant
    settings: Settings
    options: RunOptions
    now: float
    record: RunRecord
    plan: list[str] = field(default_factory=list)
    began: int = 0
    moved: os.stat_result | None = None
    due: float | None = None
    noted: dict[str, Any] = field(default_factory=dict)
    started: float = field(default_factory=time.perf_counter)

    def execute(self) -> None:
        """Lock, recover, make a pass, swap, record."""
        plugins = load_plugins(self.settings, light=self.options.light)
        paths = StorePaths.of(self.tenant.path, plan=self.options.dry_run)
        Live.check(paths, self.settings.store.extensions)
        probes = (*self.settings.probe, *load_probes(paths.probes))
        with run_lock.acquire(paths, self.record.run_id, keep=not self.options.dry_run) as lock:
            self.began = fingerprint.clock(paths)
            for sentence in recovery.recover(paths, lock, dry_run=self.options.dry_run):
                self.record.notices.append(Notice("recovered", sentence))
            try:
                self._consolidate(paths, lock, plugins, probes)
                self._note(paths)
            except ConsolidateError as error:
                self.record.fail(error)
            finally:
                files.remove_shadows(paths)
            self._keep_record(paths)

    def _consolidate(self, paths: StorePaths, lock: RunLock, plugins: Plugins, probes: tuple[Probe, ...]) -> None:
        with Live.open(
            paths, lock_timeout=self.settings.swap.lock_timeout, extensions=self.settings.store.extensions, lock=lock,
            dry_run=self.options.dry_run,
        ) as live:  # fmt: skip
            passes = Passes(
                live, paths, self.settings, plugins, probes, self.record.run_id, self.now, self.options.light,
                self.record.seconds, progress=self.options.progress,
            )  # fmt: skip
            try:
                result = self._take(passes, passes.make())
            finally:  # what was spent is accounted for, whatever comes of it
                spent = passes.harvest.model
                self.record.model = None if spent is None else spent.as_json()
            if self.options.dry_run:
                self.record.outcome = Outcome.PLANNED
                self.record.exit_status = 65 if result.findings.problems else 0
                self.plan = plan.describe(paths.shadow, self.record, self.settings)
                return
            self._settle(passes, result)
        if self.record.outcome in (Outcome.SWAPPED, Outcome.UNCHANGED) and not self.options.light:
            self._move_cursor(paths, passes)

    def _take(self, passes: Passes, result: PassResult) -> PassResult:
        """Let the record say what the newest pass found."""
        kept = [notice for notice in self.record.notices if notice.kind in ("recovered", "late")]
        self.record.actions, self.record.skipped = result.decisions.actions, result.skipped
        waivers.apply(self.options.waivers, result.findings)
        self.record.problems = result.findings.problems
        self.due = passes.due
        self.record.notices = kept + result.findings.notices
        self.record.late_rows = passes.snapshots.late_rows
        runs = history.read(passes.paths.runs)
        self.record.notices += anomalies.notices(self.record, runs, self.settings.verify)
        return result

    def _settle(self, passes: Passes, result: PassResult) -> None:
        """Find the way to end this run: unchanged, rejected, or swapped in one of the two ways."""

        def prepared(found: PassResult) -> Prepared | None:
            if found.findings.problems:
                raise _Rejected(found)
            if not found.decisions.changed:
                return None
            self.record.outcome = Outcome.SWAPPED
            passes.write_record(self.record)
            return found.prepared

        def make() -> Prepared | None:
            return prepared(self._take(passes, passes.make()))

        pre = passes.paths.pre(self.record.run_id)
        try:
            swapped = settling.settle(passes.live, self.settings.swap, pre, prepared(result), make)
        except _Rejected as rejected:
            self._reject(passes, rejected.result)
            return
        self.moved = swapped.moved
        self._swapped(swapped, pre.name)

    def _swapped(self, result: SwapResult, pre: str) -> None:
        self.record.lock_seconds = result.lock_seconds
        self.record.notices += result.notices
        if result.swap is None:
            self.record.outcome = Outcome.UNCHANGED
            return
        self.record.outcome, self.record.swap, self.record.pre = Outcome.SWAPPED, result.swap, pre

    def _reject(self, passes: Passes, result: PassResult) -> None:
        """Keep the shadow, with the problems inside, for someone to read in the morning."""
        kept = passes.paths.rejected(self.record.run_id)
        self.record.outcome, self.record.exit_status, self.record.rejected = Outcome.REJECTED, 65, kept.name
        passes.write_record(self.record, problems=True)
        files.publish(passes.paths.shadow, kept, like=passes.paths.live)

    def _move_cursor(self, paths: StorePaths, passes: Passes) -> None:
        """Note how far the summariser has read; users whom a cap held back are asked again next time."""
        if passes.plugins.summariser is None:
            return
        held_back = {user_key(user) for user in passes.capped}
        digests = {user: digest for user, digest in passes.harvest.digests.items() if digest and user not in held_back}
        try:
            if digests != cursor.read(paths.state):
                cursor.write(paths.state, digests, like=paths.live)
        except ConsolidateError as error:  # it only costs calls of the summariser
            self.record.notices.append(Notice("cursor", error.message))

    def _note(self, paths: StorePaths) -> None:
        """Note for the history what lets the next night skip this store, and what a run that changed nothing left undone."""
        if self.options.dry_run or self.record.outcome not in (Outcome.SWAPPED, Outcome.UNCHANGED):
            return
        self.noted["seen"] = fingerprint.note(
            paths,
            self.settings,
            self.record,
            now=self.now,
            light=self.options.light,
            began=self.began,
            moved=self.moved,
            due=self.due,
        )
        if self.record.outcome is Outcome.UNCHANGED:
            self.noted["work"] = work.count(paths.base, self.now, self.settings)

    def _keep_record(self, paths: StorePaths) -> None:
        if self.options.dry_run:
            return
        self.record.seconds["total"] = time.perf_counter() - self.started
        more = {"kind": self.options.kind, "bytes": files.size(paths.live), **self.noted}
        history.append(paths.runs, self.record, self.now, like=paths.live, **more)
        retention.apply(paths, self.settings.retention, self.now)


def log_finished(record: RunRecord) -> None:
    """Log the run with every figure of the JSON contract; ids and counts, no memory content."""
    event = record.as_json()
    level = log.info if record.outcome in (Outcome.SWAPPED, Outcome.UNCHANGED, Outcome.PLANNED) else log.error
    level("run.finished", **event)


__all__ = ["RunOptions", "RunReport", "load_plugins", "log_finished", "run_tenant"]
