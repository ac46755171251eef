"""The command that shows signals over weeks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import click

from consolidate.cli.options import (
    config_option,
    json_option,
    now_of,
    now_option,
    option,
    output_failed,
    print_json,
    print_lines,
    root_option,
    settings_of,
)

if TYPE_CHECKING:
    from consolidate.operate.stats import Series, TenantStats


@click.command("stats")
@root_option
@option("--tenant", "names", multiple=True, metavar="NAME", help="Only this tenant; can be given several times.")
@option("--days", type=click.IntRange(min=2, max=1000), default=30, show_default=True, help="How many days back.")
@option("--html", metavar="FILE", help="Write one page with charts, which needs no network.")
@config_option
@now_option
@json_option
def stats(
    root: str | None,
    names: tuple[str, ...],
    days: int,
    html: str | None,
    config: str | None,
    now: str | None,
    as_json: bool,
) -> None:
    """Show what the nights did over weeks, and how the stores grow.

    Actions per night, clusters of duplicates merged, users with two values in force before a run, superseded facts and the
    longest chain of them, stale rows, the review queue and its age, run and lock times, and size. Reads only.
    """
    from consolidate.operate.stats import gather, series
    from consolidate.operate.tenants import all_tenants, find_root, find_tenants

    moment = now_of(now)
    settings = settings_of(config)
    folder = find_root(root, settings)
    tenants = find_tenants(folder, names) if names else all_tenants(folder)
    found = gather(tenants, settings, days=days, now=moment)
    dates, total = series(found, days=days, now=moment)
    if html is not None and found:
        _write_page(Path(html), found, days, moment)
    if as_json:
        tenants_json = [item.as_json() for item in found]
        print_json({"now": moment, "dates": dates, "total": total, "tenants": tenants_json})
    elif not found:
        print_lines([f"There are no tenants under {folder}."])
    else:
        print_lines(_shown(found, dates, total, moment))


def _write_page(path: Path, found: list[TenantStats], days: int, now: float) -> None:
    from consolidate.operate.stats import series
    from consolidate.operate.stats_page import page

    dates, total = series(found, days=days, now=now)
    own = [series([item], days=days, now=now)[1] for item in found]
    try:
        path.write_text(page(found, dates, total, own, now), "utf-8", errors="replace")
    except OSError as error:
        raise output_failed(error) from error


_ROWS = (
    ("expire", "expired"), ("merge", "merged"), ("supersede", "superseded"), ("promote", "promoted"),
    ("review", "for review"), ("clusters", "clusters merged"), ("two_values", "users with two values"),
    ("late_rows", "late rows"), ("review_queue", "review queue"), ("rejected", "rejected runs"), ("failed", "failed runs"),
)  # fmt: skip


def _shown(found: list[TenantStats], dates: list[str], total: Series, now: float) -> Iterator[str]:
    from consolidate.operate.stats import sparkline
    from consolidate.operate.status import size_text

    yield f"{len(found)} {'tenant' if len(found) == 1 else 'tenants'}, {dates[0]} to {dates[-1]}"
    yield f"{'':22}{'':{len(dates)}}{'last':>9}{'median':>9}{'most':>9}"
    for name, words in _ROWS:
        values = total[name]
        figures = "".join(f"{value:>9.0f}" for value in (values[-1], median(values), max(values)))
        yield f"{words:22}{sparkline(values)}{figures}"
    for name, words, factor, unit in (("seconds", "time taken", 1, "s"), ("lock_seconds", "locked", 1000, "ms")):
        values = [factor * value for value in total[name]]
        figures = "".join(f"{value:>9.1f}" for value in (values[-1], median(values), max(values)))
        yield f"{f'{words} ({unit})':22}{sparkline(values)}{figures}"
    sizes = total["bytes"]
    figures = "".join(f"{size_text(round(value)):>9}" for value in (sizes[-1], median(sizes), max(sizes)))
    yield f"{'size':22}{sparkline(sizes)}{figures}"
    yield ""
    yield from _tenants(found, now)


def _tenants(found: list[TenantStats], now: float) -> Iterator[str]:
    from consolidate.operate.stats import ACTIONS, sparkline
    from consolidate.operate.status import duration, size_text
    from consolidate.render import printable

    rows = [
        ("TENANT", "FACTS", "SUPERSEDED", "CHAIN", "STALE", "REVIEW", "OLDEST", "SIZE", "ACTIONS BY DAY WITH A RUN")
    ]
    for item in found:
        acted = [sum(day.get(action, 0) for action in ACTIONS) for _, day in sorted(item.days.items())]
        rows.append(
            (
                printable(item.tenant),
                str(item.facts),
                str(item.statuses.get("superseded", 0)),
                str(item.longest_chain),
                f"{item.stale_share:.0%}",
                str(item.review),
                "-" if item.review_oldest is None else duration(now - item.review_oldest),
                size_text(item.bytes),
                printable(item.error) if item.error else sparkline(acted[-40:]),
            )
        )
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
