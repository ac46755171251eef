"""The nightly run of one tenant or many."""

from __future__ import annotations

from collections.abc import Callable
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
    from consolidate.config import Settings
    from consolidate.operate.tenants import Tenant
    from consolidate.run.nightly import RunReport


@click.command("nightly")
@root_option
@option("--tenant", "names", multiple=True, metavar="NAME", help="A tenant; can be given several times.")
@option("--all", "everyone", is_flag=True, help="Every tenant under the root.")
@config_option
@now_option
@option("--light", is_flag=True, help="Only expire, merge and supersede.")
@option("--dry-run", is_flag=True, help="Do everything but the swap, print the plan, leave no file behind.")
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
    as_json: bool,
) -> int:
    """Consolidate the memory of tenants.

    Each run expires, merges, supersedes and promotes on a copy, checks it, and swaps it in.

    Exit status: 0 done, 65 a run was rejected, 70 an internal error, 74 input/output, 75 busy, 78 configuration.
    """
    from consolidate.times import parse_when

    moment = None if now is None else parse_when(now)
    settings = settings_of(config)
    tenants = _chosen(context, root, names, everyone, settings)

    from consolidate import logs, render
    from consolidate.operate.fleet import run_fleet, worst_status
    from consolidate.run.nightly import RunOptions

    logs.configure()
    options = RunOptions(moment, light, dry_run)
    runs: list[dict[str, Any]] = []
    told: list[int] = []

    def finished(report: RunReport) -> None:
        runs.append(report.record.as_json() | ({"plan": report.plan} if dry_run else {}))
        if not as_json:
            lines = render.run_lines(report.record, report.plan, colour=wants_colour())
            told.append(_told(lambda: print_lines(lines)))

    def end() -> None:
        if as_json:
            told.append(_told(lambda: print_json({"runs": runs})))
        elif not tenants:
            print_lines([f"There are no tenants under {root or settings.root}."])

    try:
        status = run_fleet(tenants, settings, options, finished)
    except KeyboardInterrupt:  # a night that is stopped still tells of the runs it finished
        end()
        raise
    end()
    return worst_status([status, *told])


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
) -> list[Tenant]:
    """Return the tenants asked for; what the command line says wins over the environment."""
    from consolidate.operate.tenants import all_tenants, find_root, find_tenants

    if names and everyone:
        typed = {name for name in ("names", "everyone") if _is_typed(context, name)}
        if len(typed) != 1:
            raise UsageError("--tenant and --all cannot be given together.", "Give one of them.")
        names, everyone = (names, False) if typed == {"names"} else ((), True)
    if not names and not everyone:
        raise UsageError("No tenant is named.", "Give --tenant NAME, or --all for every tenant.")
    folder = find_root(root, settings)
    return all_tenants(folder) if everyone else find_tenants(folder, names)


def _is_typed(context: click.Context, parameter: str) -> bool:
    return context.get_parameter_source(parameter) is ParameterSource.COMMANDLINE
