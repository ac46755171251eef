"""The command that removes what retention no longer keeps."""

from __future__ import annotations

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
)
from consolidate.errors import UsageError


@click.command("prune")
@root_option
@option("--tenant", "names", multiple=True, metavar="NAME", help="A tenant; can be given several times.")
@option("--all", "everyone", is_flag=True, help="Every tenant under the root.")
@option("--max-age", metavar="TIME", help="Instead of [retention] max_days, such as 30d.")
@option("--max-megabytes", type=click.FloatRange(min=0), metavar="N", help="Instead of [retention] max_megabytes.")
@option("--dry-run", is_flag=True, help="Only say what would be removed.")
@config_option
@now_option
@json_option
def prune(
    root: str | None,
    names: tuple[str, ...],
    everyone: bool,
    max_age: str | None,
    max_megabytes: float | None,
    dry_run: bool,
    config: str | None,
    now: str | None,
    as_json: bool,
) -> int:
    """Remove copies that are over number, age or size.

    These are the .pre, .rejected and .undone files beside the stores. The newest .pre of each store stays, and every .rejected
    that nobody has read with consolidate inspect. The nightly run prunes by the same settings.
    """
    from dataclasses import replace

    from consolidate.operate.fleet import worst_status
    from consolidate.operate.prune import prune as prune_tenant
    from consolidate.operate.status import size_text
    from consolidate.operate.tenants import all_tenants, find_root, find_tenants
    from consolidate.render import printable
    from consolidate.times import parse_duration

    moment = now_of(now)
    settings = settings_of(config)
    if bool(names) == everyone:
        raise UsageError("It is not clear whose copies to remove.", "Give --tenant NAME, or --all for every tenant.")
    rules = settings.retention
    if max_age is not None:
        rules = replace(rules, max_days=parse_duration(max_age) / 86_400)
    if max_megabytes is not None:
        rules = replace(rules, max_megabytes=max_megabytes)
    folder = find_root(root, settings)
    tenants = find_tenants(folder, names) if names else all_tenants(folder)
    found = [prune_tenant(tenant, rules, now=moment, dry_run=dry_run) for tenant in tenants]
    if as_json:
        print_json({"tenants": [item.as_json() for item in found]})
        return worst_status(item.exit_status for item in found)
    verb = "would be removed" if dry_run else "removed"
    for item in found:
        print_lines(
            f"{printable(item.tenant)}: {name}, {size_text(size)}, {verb}" for name, size in item.removed.items()
        )
        if item.error:
            print_lines([f"{printable(item.tenant)}: error: {printable(item.error)}"])
    total = sum(sum(item.removed.values()) for item in found)
    count = sum(len(item.removed) for item in found)
    print_lines([f"{count} {'file' if count == 1 else 'files'}, {size_text(total)}, {verb}"])
    return worst_status(item.exit_status for item in found)
