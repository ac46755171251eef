"""The command that a failed unit starts: tell a person."""

from __future__ import annotations

import os

import click

from consolidate.cli.options import (
    config_option,
    json_option,
    now_of,
    now_option,
    option,
    print_json,
    root_option,
    settings_of,
)
from consolidate.errors import StorageError


@click.command("alert")
@option("--unit", required=True, metavar="UNIT", help="The unit that failed.")
@option("--max-age", default="36h", show_default=True, metavar="TIME", help="How old the last good night may be.")
@root_option
@config_option
@now_option
@json_option
def alert(unit: str, max_age: str, root: str | None, config: str | None, now: str | None, as_json: bool) -> None:
    """Tell a person that a unit has failed.

    The [alert] command gets JSON on stdin: what systemd says of the unit, the tenants that need a person, and the rejected
    copies that nobody has read. The same is logged as an error, and printed with --json.
    """
    import structlog

    from consolidate import logs
    from consolidate.operate import alerts
    from consolidate.operate.status import survey
    from consolidate.operate.tenants import all_tenants, find_root
    from consolidate.times import parse_duration

    moment, longest = now_of(now), parse_duration(max_age)
    settings = settings_of(config)
    tenants = all_tenants(find_root(root, settings))
    document = alerts.of_unit(unit, os.environ, survey(tenants, settings, now=moment, max_age=longest))
    logs.configure()
    structlog.get_logger().error("unit.failed", **document)
    if as_json:
        print_json(document)
    if settings.alert.command and (failure := alerts.send(document, settings.alert)):
        raise StorageError(failure, "Correct [alert] command.")
