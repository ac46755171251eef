"""The command that takes back what runs did."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from consolidate.cli.options import (
    config_option,
    json_option,
    now_of,
    now_option,
    option,
    print_json,
    print_lines,
    root_option,
    settings_of,
    text,
    wants_colour,
)
from consolidate.errors import UsageError

if TYPE_CHECKING:
    from consolidate.operate.rollback import Rollback
    from consolidate.operate.rollback_plan import Target


@click.command("rollback")
@root_option
@option("--tenant", "names", multiple=True, metavar="NAME", help="A tenant; can be given several times.")
@option("--all", "everyone", is_flag=True, help="Every tenant under the root.")
@option("--run", type=text, metavar="RUN", help="This run of the tenant and all after it; without it, the last one.")
@option("--night", metavar="DATE", help="The runs of this UTC date and all after them, such as 2026-03-01.")
@option("--dry-run", is_flag=True, help="Only say what would come back and what would stay; leave no file behind.")
@option("--yes", is_flag=True, help="Do it without asking.")
@config_option
@now_option
@json_option
def rollback(
    root: str | None,
    names: tuple[str, ...],
    everyone: bool,
    run: str | None,
    night: str | None,
    dry_run: bool,
    yes: bool,
    config: str | None,
    now: str | None,
    as_json: bool,
) -> int:
    """Take back what the last run did, or RUN and all after it.

    The application may go on: what it wrote since stays. What is replaced is kept as .undone-<run>. What was taken back is not
    done again on the same facts. On a terminal it first says what comes back and asks.

    Exit status: 0 done or nothing to do, 65 it failed its checks, 74 input/output, 75 busy.
    """
    from consolidate import logs
    from consolidate.operate.fleet import worst_status
    from consolidate.operate.rollback import roll_back
    from consolidate.operate.tenants import all_tenants, find_root, find_tenants

    moment, settings, target = now_of(now), settings_of(config), _target(run, night, names, everyone)
    logs.configure()  # else a line about late writes would stand on stdout
    folder = find_root(root, settings)
    tenants = all_tenants(folder) if everyone else find_tenants(folder, names)
    if not dry_run and not yes:
        if as_json or not sys.stdin.isatty():
            raise UsageError("A rollback is not made unasked.", "Give --yes, or --dry-run to see what it would do.")
        plans = [roll_back(tenant, settings, target, moment, dry_run=True) for tenant in tenants]
        for plan in plans:
            print_lines(_lines(plan))
        if not any(plan.undone for plan in plans):
            return worst_status(plan.record.exit_status for plan in plans)
        if not click.confirm("Roll back?"):
            print_lines(["Nothing was changed."])
            return 0
    done = [roll_back(tenant, settings, target, moment, dry_run=dry_run) for tenant in tenants]
    if as_json:
        print_json({"rollbacks": [item.as_json(plan=dry_run) for item in done]})
    else:
        for item in done:
            print_lines(_lines(item))
    return worst_status(item.record.exit_status for item in done)


def _target(run: str | None, night: str | None, names: tuple[str, ...], everyone: bool) -> Target:
    from datetime import date

    from consolidate.operate.rollback_plan import Target

    if bool(names) == everyone:
        raise UsageError(
            "It is not clear which tenants to roll back.", "Give --tenant NAME, or --all with --night DATE."
        )
    if run is not None and (night is not None or everyone or len(names) != 1):
        raise UsageError("A run is one tenant's.", "Give --run with one --tenant, or --night DATE.")
    if everyone and night is None:
        raise UsageError("Every tenant is rolled back by one night.", "Give --night DATE with --all.")
    if night is None:
        return Target(run)
    try:
        return Target(None, date.fromisoformat(night))
    except ValueError:
        raise UsageError(
            f"{night!a} is no date.", "Write it as 2026-03-01; a night's date is that of its start in UTC."
        ) from None


def _lines(done: Rollback) -> Iterator[str]:
    from consolidate import render
    from consolidate.operate.rollback_plan import NOTHING

    record = done.record
    planned = record.outcome.value == "planned"
    yield from render.run_lines(record, done.plan if planned else (), colour=wants_colour())
    if planned or record.exit_status:
        return
    if record.swap is None:
        yield f"  {NOTHING}"
        return
    yield f"  undone: {', '.join(done.undone)}"
    restored, gone = render.counted(done.restored, "fact"), render.counted(done.deleted, "fact")
    yield f"  {restored} as before, {gone} that the job had made gone"
    if stays := sum(done.stays.values()):
        yield f"  {render.counted(stays, 'fact')} left as they are, or in part: they were changed since"
    yield f"  what was replaced is kept as {done.kept_file}"
