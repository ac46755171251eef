"""Rollback: what runs did is taken back on a shadow, and what was written since stays; then the shadow is swapped in.

It is made and swapped in like a run, so whatever the application wrote, before or meanwhile, is in the snapshot that the
reversal is made on (DESIGN section 4, rollback). Unlike an undo it is not stopped by what was changed since: it leaves that.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import structlog

from consolidate.checks import restored
from consolidate.checks.findings import Findings
from consolidate.config import Settings
from consolidate.errors import ConsolidateError, UsageError
from consolidate.model import Notice, Outcome, RunRecord, new_run_id
from consolidate.operate import rollback_plan, spared, undone
from consolidate.operate.decision import Decision
from consolidate.operate.rollback_plan import Target
from consolidate.operate.tenants import Tenant
from consolidate.run import history, recovery, retention, run_lock, settling
from consolidate.run.live import Live, Prepared
from consolidate.run.snapshots import Snapshots
from consolidate.steps import evidence, made, promote
from consolidate.steps.context import StepContext
from consolidate.store import connections, files, job_tables
from consolidate.store.connections import translated
from consolidate.store.files import StorePaths

log = structlog.get_logger()

KIND = "rollback"


@dataclass
class Rollback:
    """What a rollback of one tenant did.

    Attributes:
        record: outcome, swap, problems, notices…, as those of a run.
        undone: the runs that were undone, the last one first.
        restored: how many facts are as they were before.
        deleted: how many facts, made by the runs, are gone.
        stays: why facts stay as they are, or in part (`spared.REASONS`), and how many.
        kept_file: the name of the file that holds what was replaced.
        plan: of a dry run, what comes back and what stays, in sentences; they show what facts say.
    """

    record: RunRecord
    undone: list[str] = field(default_factory=list)
    restored: int = 0
    deleted: int = 0
    stays: dict[str, int] = field(default_factory=dict)
    kept_file: str | None = None
    plan: list[str] = field(default_factory=list)

    def as_json(self, *, plan: bool = False) -> dict[str, Any]:
        """Return the rollback for JSON: the record of a run, and more; ``plan`` tells whether the sentences are wanted."""
        told = {key: value for key, value in vars(self).items() if key not in ("record", "plan")}
        return {**self.record.as_json(), "kind": KIND, **told, **({"plan": self.plan} if plan else {})}


class _Rejected(Exception):  # noqa: N818 - a way out of the swap, not an error
    def __init__(self, findings: Findings) -> None:
        super().__init__()
        self.findings = findings


def roll_back(tenant: Tenant, settings: Settings, target: Target, now: float, *, dry_run: bool = False) -> Rollback:
    """Take back what a run and those after it did to a tenant.

    Args:
        tenant: whose store.
        settings: the configuration.
        target: which run; it is undone together with all runs after it.
        now: Unix seconds, for the record.
        dry_run: do everything but the swap, and leave no file behind.

    Returns:
        What was done; an error, such as a busy store, is part of its record. Nothing to undo is ``unchanged``.

    Raises:
        UsageError: the store knows no such run, or it is none of the job's.
    """
    began = time.perf_counter()
    rollback = Rollback(RunRecord(tenant.name, new_run_id(now)))
    work = _Work(tenant, settings, target, now, dry_run, rollback)
    try:
        work.execute()
    except UsageError:
        raise
    except ConsolidateError as error:
        rollback.record.fail(error)
    except Exception as error:  # of several tenants one never stops another
        log.debug("rollback.crashed", exc_info=True)
        rollback.record.crash(error)
    rollback.record.seconds["total"] = time.perf_counter() - began
    return rollback


@dataclass
class _Work:
    tenant: Tenant
    settings: Settings
    target: Target
    now: float
    dry_run: bool
    result: Rollback

    @property
    def record(self) -> RunRecord:
        return self.result.record

    def execute(self) -> None:
        """Lock, recover, reverse, check, swap, record."""
        paths = StorePaths.of(self.tenant.path, plan=self.dry_run)
        extensions = self.settings.store.extensions
        Live.check(paths, extensions)
        with run_lock.acquire(paths, self.record.run_id, keep=not self.dry_run) as lock:
            for sentence in recovery.recover(paths, lock, dry_run=self.dry_run):
                self.record.notices.append(Notice("recovered", sentence))
            timeout = self.settings.swap.lock_timeout
            try:
                with Live.open(
                    paths, lock=lock, lock_timeout=timeout, extensions=extensions, dry_run=self.dry_run
                ) as live:
                    self._roll_back(live)
            except UsageError:
                raise
            except ConsolidateError as error:
                self.record.fail(error)
            finally:
                files.remove_shadows(paths)
            if not self.dry_run:
                told = {key: value for key, value in self.result.as_json().items() if key not in self.record.as_json()}
                history.append(paths.runs, self.record, self.now, like=paths.live, bytes=files.size(paths.live), **told)
                retention.apply(paths, self.settings.retention, self.now)

    def _roll_back(self, live: Live) -> None:
        snapshots = Snapshots(live)

        def make() -> Prepared | None:
            snapshots.take()
            self.record.late_rows = snapshots.late_rows
            return self._reverse(live)

        kept = live.paths.undone(self.record.run_id)
        try:
            prepared = make()
            if self.dry_run:
                self.record.outcome = Outcome.PLANNED
                self.record.exit_status = 65 if self.record.problems else 0
                return
            if prepared is not None:
                # Before the swap: lost, the cursor only costs calls; wrong, it hides work.
                files.unlink(live.paths.state)
            swapped = settling.settle(live, self.settings.swap, kept, prepared, make)
        except _Rejected as rejected:
            self._reject(live, rejected.findings)
            return
        self.record.lock_seconds = swapped.lock_seconds
        self.record.notices += swapped.notices
        self.record.swap = swapped.swap
        self.record.outcome = Outcome.UNCHANGED if swapped.swap is None else Outcome.SWAPPED
        self.result.kept_file = None if swapped.swap is None else kept.name

    def _reverse(self, live: Live) -> Prepared | None:
        """Take the runs back on a fresh shadow and check the result; None if nothing of them is left to take back."""
        paths = live.paths
        with translated(paths.live):
            db = connections.open_scratch(paths.shadow, live.extensions)
            try:
                for register in (evidence.register, promote.register, made.register):
                    register(db)
                with db:
                    job_tables.migrate(db)
                    context = StepContext(self.record.run_id, self.now, self.settings, live.shape)
                    runs = self.target.runs(db, paths.live)
                    self._take_back(Decision(db, paths.live, KIND, context), live, runs)
                if self.dry_run:
                    connections.attach(db, paths.base, "base")
                    self.result.plan = rollback_plan.sentences(db, paths, self.result)
            finally:
                db.close()
        if not self.result.undone:
            return None
        self._check(live)
        return Prepared(self.record.run_id, paths.shadow, paths.base, live.shape, deletes=True)

    def _take_back(self, decision: Decision, live: Live, runs: list[str]) -> None:
        db, result = decision.db, self.result
        stays: Counter[str] = Counter()
        result.restored = result.deleted = 0
        for run_id in runs:
            undone.collect(decision, run_id, None)
            stays += spared.spare(decision, live.shape, run_id)
            undone.remember_exceptions(decision, run_id)
            undone.restore(decision, run_id, "rolled back")
            db.execute("DELETE FROM main.consolidation_proposals WHERE run_id = ? AND decision IS NULL", (run_id,))
        counts: Any = db.execute(
            """SELECT count(DISTINCT fact_id) FILTER (WHERE kind = 'update'), count(*) FILTER (WHERE kind = 'delete')
               FROM main.consolidation_actions WHERE run_id = ?""",
            (self.record.run_id,),
        ).fetchone()
        result.restored, result.deleted = counts
        result.undone, result.stays = runs, dict(stays)
        if runs:
            told = {"run_id": self.record.run_id, "kind": KIND, "undone": runs}
            db.execute(
                "INSERT INTO main.consolidation_runs VALUES (?, ?, ?, ?)",
                (self.record.run_id, self.now, KIND, json.dumps(told)),
            )

    def _check(self, live: Live) -> None:
        with translated(live.paths.live):
            db = connections.open_reader(live.paths.shadow, live.extensions)
            try:
                connections.attach(db, live.paths.base, "base")
                findings = restored.verify(
                    db, now=self.now, settings=self.settings, shape=live.shape, run_id=self.record.run_id,
                    undone=self.result.undone,
                )  # fmt: skip
            finally:
                db.close()
        self.record.problems = findings.problems
        self.record.notices = [notice for notice in self.record.notices if notice.kind == "recovered"]
        self.record.notices += findings.notices
        if findings.problems and not self.dry_run:
            raise _Rejected(findings)

    def _reject(self, live: Live, findings: Findings) -> None:
        """Keep the shadow for someone to read in the morning."""
        kept = live.paths.rejected(self.record.run_id)
        self.record.outcome, self.record.exit_status, self.record.rejected = Outcome.REJECTED, 65, kept.name
        with translated(live.paths.live):
            db = connections.open_scratch(live.paths.shadow, live.extensions)
            try:
                with db:
                    job_tables.record_problems(db, self.record.run_id, findings.problems)
                    live.statistics.put_back(db)
            finally:
                db.close()
        files.publish(live.paths.shadow, kept, like=live.paths.live)
