"""The nightly run of one tenant or many."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from consolidate.cli.options import (
    config_option,
    json_option,
    mute_stdout,
    now_option,
    option,
    output_failed,
    print_json,
    print_lines,
    report_error,
    root_option,
    settings_of,
    wants_colour,
)
from consolidate.errors import StorageError, UsageError

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from consolidate.config import Settings
    from consolidate.operate.cluster import Cluster
    from consolidate.operate.fleet import FleetOptions
    from consolidate.operate.tenants import Tenant
    from consolidate.run.nightly import RunOptions, RunReport


# How old a good night may be in the metrics before the tenant needs a person, in seconds: a night and a half.
_MAX_AGE = 129_600.0


@click.command("nightly")
@root_option
@option("--tenant", "names", multiple=True, metavar="NAME", help="A tenant; can be given several times.")
@option("--all", "everyone", is_flag=True, help="Every tenant under the root, each in a process of its own.")
@config_option
@now_option
@option("--light", is_flag=True, help="Only expire, merge and supersede.")
@option("--dry-run", is_flag=True, help="Do everything but the swap, print the plan, leave no file behind.")
@option("--jobs", type=click.IntRange(min=1), metavar="N", help="How many tenants at a time; 1 if not given.")
@option("--scheduler", metavar="ADDRESS", help="Run on the hosts of a Dask cluster, each tenant where its file is.")
@option("--timeout", metavar="TIME", help="Stop a tenant that takes longer, such as 90min; the others go on.")
@click.option("--waive", multiple=True, metavar="CHECK[:USER]", help="Take a problem of this check in this one run.")
@json_option
@click.pass_context
def nightly(
    context: click.Context,
    root: str | None,
    names: tuple[str, ...],
    everyone: bool,
    config: str | None,
    now: str | None,
    light: bool,
    dry_run: bool,
    jobs: int | None,
    scheduler: str | None,
    timeout: str | None,
    waive: tuple[str, ...],
    as_json: bool,
) -> int:
    """Consolidate the memory of tenants.

    Each run expires, merges, supersedes and promotes on a copy, checks it, and swaps it in.

    Exit status: 0 done, 65 a run was rejected, 70 an internal error, 74 input/output, 75 busy, 78 configuration.
    """
    from consolidate.times import parse_duration, parse_when

    moment = None if now is None else parse_when(now)
    longest = None if timeout is None else parse_duration(timeout)
    settings = settings_of(config)
    cluster = _joined(scheduler, root, names, settings, longest)
    if cluster is None:
        folder, tenants, everyone = _chosen(context, root, names, everyone, settings)
    else:
        folder, tenants, everyone = Path(root or settings.root or "/"), cluster.tenants, True

    from consolidate import logs
    from consolidate.operate import metrics
    from consolidate.operate.fleet import FleetOptions
    from consolidate.run.nightly import RunOptions
    from consolidate.run.waivers import Waiver

    waivers = tuple(Waiver.parse(text) for text in waive)
    if waivers and len(tenants) != 1:
        raise UsageError("A problem is waived for one tenant at a time.", "Give one --tenant NAME.")
    if settings.metrics.textfile is not None:
        metrics.require()
    logs.configure()
    apart = everyone or jobs is not None or longest is not None
    bar = _bar(len(tenants)) if everyone else None
    users = _UsersBar() if settings.promote.summariser == "llm" and not apart and sys.stderr.isatty() else None
    how = FleetOptions((jobs or 1) if apart else 0, longest, everyone, _quietly if bar else logs.configure)
    if bar:
        _quietly()
    night = _Told(
        settings,
        RunOptions(moment, light, dry_run, waivers, users),
        as_json,
        everyone,
        folder,
        tenants,
        bar,
        cluster,
        scheduler,
    )
    try:
        return night.run(how)
    finally:
        if users:
            users.end()


@dataclass
class _Told:
    """A night that is told about while it goes on."""

    settings: Settings
    options: RunOptions
    as_json: bool
    everyone: bool
    folder: Path
    tenants: list[Tenant]
    bar: Any
    pool: Executor | None = None
    scheduler: str | None = None
    reports: list[RunReport] = field(default_factory=list)
    statuses: list[int] = field(default_factory=list)

    def run(self, how: FleetOptions) -> int:
        from consolidate.operate.fleet import run_fleet, worst_status

        began = time.monotonic()
        try:
            if self.bar:
                with self.bar:
                    status = run_fleet(self.tenants, self.settings, self.options, self._finished, how, self.pool)
            else:
                status = run_fleet(self.tenants, self.settings, self.options, self._finished, how, self.pool)
        except KeyboardInterrupt:  # a night that is stopped still tells of the runs it finished
            self._end(time.monotonic() - began)
            raise
        self._end(time.monotonic() - began)
        return worst_status([status, *self.statuses])

    def _finished(self, report: RunReport) -> None:
        self.reports.append(report)
        if self.bar:
            rejected = sum(item.record.exit_status == 65 for item in self.reports)
            self.bar.update(1, f"{rejected} rejected" if rejected else report.record.tenant)
        elif not self.as_json:
            self.statuses.append(_told(lambda: print_lines(self._lines(report))))
        if not self.options.dry_run:
            self._alert(report)

    def _alert(self, report: RunReport) -> None:
        from consolidate.operate import alerts

        if alerts.is_worth_one(report.record, self.settings.alert):
            store = self.folder / report.record.tenant / "memory.db"
            self._complain("alert.failed", alerts.send(alerts.of_run(report.record, store), self.settings.alert))

    def _complain(self, event: str, sentence: str | None) -> None:
        """Report what went wrong beside the runs; it changes nothing about them."""
        import structlog

        if sentence:
            structlog.get_logger().critical(event, error=sentence)

    def _write_metrics(self) -> None:
        from consolidate.errors import ConsolidateError
        from consolidate.operate import metrics
        from consolidate.operate.status import survey
        from consolidate.operate.tenants import all_tenants

        textfile = self.settings.metrics.textfile
        if textfile is None or self.options.dry_run:
            return
        now = time.time() if self.options.now is None else self.options.now
        try:
            if self.scheduler is None:
                found = survey(all_tenants(self.folder), self.settings, now=now, max_age=_MAX_AGE)
            else:
                from consolidate.operate.cluster import survey_hosts

                found = survey_hosts(self.scheduler, self.folder, self.settings, now=now, max_age=_MAX_AGE)
            metrics.write(textfile, found)
        except ConsolidateError as error:
            self._complain("metrics.failed", str(error))

    def _lines(self, report: RunReport) -> Iterator[str]:
        from consolidate import render

        return render.run_lines(report.record, report.plan, colour=wants_colour())

    def _end(self, seconds: float) -> None:
        self._write_metrics()
        if self.everyone:
            self.reports.sort(key=lambda report: report.record.tenant)
        if self.as_json:
            document = {"runs": [self._json(report) for report in self.reports]}
            self.statuses.append(_told(lambda: print_json(document)))
        elif not self.tenants:
            print_lines([f"There are no tenants under {self.folder}."])
        elif self.everyone:
            self.statuses.append(_told(lambda: print_lines(self._summary(seconds))))

    def _json(self, report: RunReport) -> dict[str, Any]:
        return report.record.as_json() | ({"plan": report.plan} if self.options.dry_run else {})

    def _summary(self, seconds: float) -> Iterator[str]:
        if self.bar:  # what the bar kept back, but for the tenants on which there is nothing to say
            for report in self.reports:
                if report.record.outcome.value != "unchanged" or report.record.notices:
                    yield from self._lines(report)
        counts = Counter(report.record.outcome.value for report in self.reports)
        told = ", ".join(f"{count} {outcome}" for outcome, count in counts.most_common())
        missing = len(self.tenants) - len(self.reports)
        told += f", {missing} not run" if missing else ""
        yield f"{len(self.tenants)} {'tenant' if len(self.tenants) == 1 else 'tenants'} in {seconds:.1f} s: {told}"


def _joined(
    scheduler: str | None, root: str | None, names: tuple[str, ...], settings: Settings, timeout: float | None
) -> Cluster | None:
    """Return the cluster that is to run the night, if one is named."""
    if scheduler is None:
        return None
    if names:
        raise UsageError("A cluster runs every tenant of its hosts.", "Give --all with --scheduler.")
    from consolidate.operate.cluster import Cluster

    where = settings.root if root is None else Path(root)
    return Cluster(scheduler, where, timeout)


def _bar(length: int) -> Any:
    """Return a progress bar where there is a terminal to show it on, and something to show."""
    if length < 2 or not sys.stderr.isatty():
        return None
    return click.progressbar(
        length=length, label="Tenants", file=sys.stderr, show_pos=True, show_eta=True, item_show_func=_shortened
    )


class _UsersBar:
    """A progress bar over the users of one tenant for whom a model is asked."""

    def __init__(self) -> None:
        self._bar: Any = None

    def __call__(self, done: int, total: int) -> None:
        if self._bar is None:
            self._bar = click.progressbar(length=total, label="Users", file=sys.stderr, show_pos=True, show_eta=True)
        self._bar.update(1)
        if done == total:
            self.end()

    def end(self) -> None:
        """Leave the line and show the cursor again."""
        if self._bar is not None:
            self._bar.render_finish()
            self._bar = None


def _shortened(item: str | None) -> str | None:
    from consolidate.render import printable

    return None if item is None else printable(item)[:40]


def _quietly() -> None:
    """Keep the log of each run from tearing a progress bar apart; the lines at the end say the same."""
    import logging

    import structlog

    from consolidate import logs

    logs.configure()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))


def _told(tell: Callable[[], None]) -> int:
    """Print, and return the exit status of that: output that fails does not stop the night."""
    try:
        tell()
    except BrokenPipeError:  # the reader has seen enough
        mute_stdout()
    except OSError as error:
        mute_stdout()
        report_error(output_failed(error))
        return StorageError.exit_status
    return 0


def _chosen(
    context: click.Context, root: str | None, names: tuple[str, ...], everyone: bool, settings: Settings
) -> tuple[Path, list[Tenant], bool]:
    """Return the root, the tenants asked for, and whether they are all; what the command line says wins over the environment."""
    from consolidate.operate.tenants import all_tenants, find_root, find_tenants

    if names and everyone:
        typed = {name for name in ("names", "everyone") if _is_typed(context, name)}
        if len(typed) != 1:
            raise UsageError("--tenant and --all cannot be given together.", "Give one of them.")
        names, everyone = (names, False) if typed == {"names"} else ((), True)
    if not names and not everyone:
        raise UsageError("No tenant is named.", "Give --tenant NAME, or --all for every tenant.")
    folder = find_root(root, settings)
    return folder, all_tenants(folder) if everyone else find_tenants(folder, names), everyone


def _is_typed(context: click.Context, parameter: str) -> bool:
    return context.get_parameter_source(parameter) is ParameterSource.COMMANDLINE
