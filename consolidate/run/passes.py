"""One pass: a snapshot of live, everything decided on it, everything checked (DESIGN section 4).

A pass never waits for, or keeps, a lock on live. When live was written since, the whole pass is made again on live as it is
now, with the candidates the summariser gave the first time: whatever the application changed, in whatever table, is then in
the snapshot by construction.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field

import apsw

from consolidate.checks import probes as golden
from consolidate.checks.findings import Findings
from consolidate.checks.integrity import LARGE
from consolidate.checks.survey import Survey, surveying
from consolidate.checks.verify import verify
from consolidate.config import Settings
from consolidate.model import Notice, Probe, RunRecord
from consolidate.run import cursor, rename
from consolidate.run.live import Live, Prepared
from consolidate.run.snapshots import Snapshots
from consolidate.steps.candidates import Harvest, Progress
from consolidate.steps.context import StepContext
from consolidate.steps.extra import ExtraStep
from consolidate.steps.harvest import gather
from consolidate.steps.pipeline import Decisions, consolidate_shadow, count_waiting
from consolidate.steps.summarisers import Summariser
from consolidate.store import connections, files, job_tables
from consolidate.store.connections import translated
from consolidate.store.files import StorePaths


@dataclass
class Plugins:
    """What the operator added, loaded before anything else so that a mistake is found before any work."""

    summariser: Summariser | None
    extra: list[tuple[str, ExtraStep]]


@dataclass
class PassResult:
    """What one pass found.

    Attributes:
        prepared: the shadow and its base, closed.
        decisions: what the steps did.
        findings: failed checks and what a person should look at.
        skipped: refusals by reason.
    """

    prepared: Prepared
    decisions: Decisions
    findings: Findings
    skipped: dict[str, int]


@dataclass
class Passes:
    """The passes of one run of one tenant.

    Attributes:
        live: the open live store.
        paths: its files.
        settings: the configuration.
        probes: the golden probes, of the configuration and of the tenant.
        run_id: the run.
        now: its time, Unix seconds.
        light: only expire, merge and supersede.
        seconds: time spent by stage; added to.
        harvest: what the summariser gave, once it was asked.
        progress: told how far the summariser is.
        due: when the next fact or episode falls due, as of the last pass, Unix seconds; None if none will.
    """

    live: Live
    paths: StorePaths
    settings: Settings
    plugins: Plugins
    probes: tuple[Probe, ...]
    run_id: str
    now: float
    light: bool
    seconds: dict[str, float] = field(default_factory=dict)
    harvest: Harvest = field(default_factory=Harvest)
    capped: list[bytes] = field(default_factory=list)
    progress: Progress | None = None
    due: float | None = None
    snapshots: Snapshots = field(init=False)

    def __post_init__(self) -> None:
        self.snapshots = Snapshots(self.live)

    def make(self) -> PassResult:
        """Make one pass.

        Raises:
            ConsolidateError: the store is damaged, an extra step failed, space ran out…; live is untouched.
        """
        with self._stage("backup"):
            self.snapshots.take()
        context = StepContext(self.run_id, self.now, self.settings, self.live.shape, self.light)
        scratch = self.paths.base.with_name(f"{self.paths.base.name}-survey")
        with surveying(self.paths.base, scratch, now=self.now, settings=self.settings, shape=self.live.shape) as survey:
            with self._stage("steps"):
                decisions = self._decide(context)
            publishing = files.written_out(self.paths.shadow) if self._will_be_renamed(decisions) else nullcontext()
            with self._stage("checks"), publishing:
                findings = self._check(decisions, survey, context)
        findings.notices[:0] = [*self.harvest.notices, *context.notices]
        prepared = Prepared(self.run_id, self.paths.shadow, self.paths.base, self.live.shape)
        return PassResult(prepared, decisions, findings, context.skipped)

    def _decide(self, context: StepContext) -> Decisions:
        asks = self.plugins.summariser is not None and not self.light
        with translated(self.paths.live), self._scratch() as db:
            if asks:
                connections.attach(db, self.paths.scratch, "scratch", mode="rwc")
                if self.snapshots.taken == 1:
                    self._ask(db, context)
                context.skip("malformed", self.harvest.malformed)
            decisions = consolidate_shadow(db, context, self.plugins.extra, candidates=asks)
        self.capped = decisions.capped
        return decisions

    def _ask(self, db: apsw.Connection, context: StepContext) -> None:
        assert self.plugins.summariser is not None
        for pragma in ("journal_mode=OFF", "synchronous=OFF"):  # a crash may spoil it: nothing of it is ever kept
            db.execute(f"PRAGMA scratch.{pragma}").fetchall()
        known = cursor.read(self.paths.state)
        with db:
            self.harvest = gather(db, "scratch", context, self.plugins.summariser, known, self.progress)

    def _check(self, decisions: Decisions, survey: Survey, context: StepContext) -> Findings:
        with translated(self.paths.live):
            db = connections.open_reader(self.paths.shadow, self.settings.store.extensions)
            try:
                connections.attach(db, self.paths.base, "base")
                survey.attach(db)
                findings = verify(
                    db, now=self.now, settings=self.settings, shape=self.live.shape, run_id=self.run_id,
                    meanwhile=lambda: self._count(db, context),
                )  # fmt: skip
                failed = golden.run(db, self.probes, now=self.now, settings=self.settings, shape=self.live.shape)
            finally:
                db.close()
        if decisions.changed or findings.problems:
            findings.problems.extend(failed)
        else:
            findings.notices.extend(Notice("probe", item.message, item.user_id, item.facts) for item in failed)
        return findings

    def _will_be_renamed(self, decisions: Decisions) -> bool:
        """Tell whether a shadow that takes long to write out will probably be put in live's place.

        Never under the write lock: what is applied in place is read from the shadow, whose file then goes.
        """
        if not decisions.changed or files.size(self.paths.shadow) < LARGE or self.settings.swap.mode == "in-place":
            return False
        return self.live.is_open and not self.live.db.in_transaction and rename.possible(self.live)

    def _count(self, db: apsw.Connection, context: StepContext) -> None:
        self.due = count_waiting(db, context)

    def write_record(self, record: RunRecord, problems: bool = False) -> None:
        """Write the row of the run into the shadow.

        Args:
            record: the run.
            problems: whether the shadow is kept as rejected: it gets what was wrong, so that the file tells by itself, and
                the application's statistics.
        """
        with translated(self.paths.live), self._scratch() as db, db:
            kind = "light" if self.light else "night"
            text = json.dumps(record.as_json(), ensure_ascii=False)
            db.execute(
                "INSERT OR REPLACE INTO consolidation_runs VALUES (?, ?, ?, ?)", (self.run_id, self.now, kind, text)
            )
            if problems:
                job_tables.record_problems(db, self.run_id, record.problems)
                self.live.statistics.put_back(db)

    @contextmanager
    def _scratch(self) -> Iterator[apsw.Connection]:
        db = connections.open_scratch(self.paths.shadow, self.settings.store.extensions)
        try:
            yield db
        finally:
            db.close()

    @contextmanager
    def _stage(self, name: str) -> Iterator[None]:
        began = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - began
