"""The command that tells how the tenants are."""

from __future__ import annotations

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
    wants_colour,
)
from consolidate.errors import DataError

if TYPE_CHECKING:
    from consolidate.operate.status import TenantStatus


@click.command("status")
@root_option
@option(
    "--tenant", "names", multiple=True, metavar="NAME", help="Tell of this tenant in depth; can be given several times."
)
@option("--max-age", default="36h", show_default=True, metavar="TIME", help="How old the last good night may be.")
@config_option
@now_option
@json_option
def status(
    root: str | None, names: tuple[str, ...], max_age: str, config: str | None, now: str | None, as_json: bool
) -> int:
    """Tell how the tenants are, those that need a person first.

    A tenant needs a person if its store is broken, its last run failed, was rejected or did nothing although there was work,
    or its last good full night is older than --max-age (36h, 2d, 90min or seconds). Light runs do not count as nights.

    Exit status: 0 nobody is needed, 65 a tenant needs a person. Reads only.
    """
    from consolidate.operate.status import survey
    from consolidate.operate.tenants import all_tenants, find_root, find_tenants
    from consolidate.times import parse_duration

    moment, longest = now_of(now), parse_duration(max_age)
    settings = settings_of(config)
    folder = find_root(root, settings)
    tenants = find_tenants(folder, names) if names else all_tenants(folder)
    found = survey(tenants, settings, now=moment, max_age=longest)
    if as_json:
        print_json({"now": moment, "tenants": [item.as_json() for item in found]})
    else:
        print_lines(_in_depth(found) if names else _table(found, str(folder)))
    return DataError.exit_status if any(item.needs_a_person for item in found) else 0


_COLOURS = {"look": 33, "ok": 32}


def _table(found: list[TenantStatus], root: str) -> Iterator[str]:
    """Yield one line per tenant, with the reasons of those that need a person below it, and a summary."""
    from consolidate.operate.status import STATES, duration, size_text
    from consolidate.render import printable

    if not found:
        yield f"There are no tenants under {printable(root)}."
        return
    rows = [("STATE", "TENANT", "LAST RUN", "LAST GOOD", "SIZE", "NOTICES", "REJECTED", "REVIEW")]
    rows += [
        (
            item.state,
            printable(item.tenant),
            str(item.last.get("outcome", "-")),
            "never" if item.age is None else f"{duration(item.age)} ago",
            size_text(item.bytes),
            str(len(item.last.get("notices") or ())),
            str(len(item.rejected)),
            "-" if item.review is None else str(item.review),
        )
        for item in found
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    colour = wants_colour()
    for number, row in enumerate(rows):
        line = "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        if number and colour:
            line = f"\x1b[{_COLOURS.get(row[0], 31)}m{line[: len(row[0])]}\x1b[0m{line[len(row[0]) :]}"
        yield line
        if number and found[number - 1].needs_a_person:
            yield from (f"    {printable(reason)}" for reason in found[number - 1].reasons)
    counts = {state: sum(item.state == state for item in found) for state in STATES}
    told = ", ".join(f"{count} {state}" for state, count in counts.items() if count)
    yield f"{len(found)} {'tenant' if len(found) == 1 else 'tenants'}: {told}"


def _in_depth(found: list[TenantStatus]) -> Iterator[str]:
    from consolidate.operate.status import duration, size_text
    from consolidate.render import printable
    from consolidate.times import format_when

    for item in found:
        yield f"{printable(item.tenant)}: {item.state}"
        yield from (f"  {printable(reason)}" for reason in item.reasons)
        good = "never" if item.age is None else f"{format_when(item.last_good)}, {duration(item.age)} ago"
        yield f"  last good night: {good}"
        yield f"  store: {size_text(item.bytes)}, {item.facts if item.facts is not None else 'unknown'} facts"
        yield f"  kept beside it: {size_text(item.kept_bytes)}"
        if item.review:
            yield f"  waiting for review: {item.review}, the oldest since {format_when(item.review_since)}"
        yield f"  rejected and unread: {', '.join(item.rejected) or 'none'}"
        yield f"  runs: {len(item.nights)} recorded" + (", the last of them:" if item.nights else "")
        for run in item.nights[-10:][::-1]:
            counts = run.get("actions") or {}
            done = ", ".join(f"{count} {step}" for step, count in counts.items() if count) or "nothing changed"
            yield printable(
                f"    {format_when(run.get('now'))}  {run.get('outcome')} ({run.get('kind', 'night')}): {done}, "
                f"{len(run.get('problems') or ())} problems, {len(run.get('notices') or ())} notices, run {run.get('run_id')}"
            )
