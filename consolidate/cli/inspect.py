"""Commands for reading what runs left beside a store: inspect and diff."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from consolidate.cli.options import config_option, json_option, option, print_json, print_lines, settings_of

if TYPE_CHECKING:
    from consolidate.operate.diff import Comparison, Difference
    from consolidate.operate.inspect import Inspected


@click.command("inspect")
@click.argument("file", metavar="FILE")
@config_option
@option("--keep-unread", is_flag=True, help="Do not note in the history that a person has read it.")
@json_option
def inspect_(file: str, config: str | None, keep_unread: bool, as_json: bool) -> None:
    """Show what was wrong with a rejected run, and what to do.

    FILE is a memory.db.rejected-RUN, or any other store: its last run is shown. With the problems, the facts behind them, and
    what the run would have changed. The file is only read; that it was is noted in the history beside it, unless with --json.
    """
    from consolidate.operate.inspect import inspect, mark_read

    found = inspect(Path(file), settings_of(config))
    if as_json:
        print_json(found.as_json())
        return
    print_lines(_inspected(found))
    if not keep_unread:
        mark_read(found.file)


def _inspected(found: Inspected) -> Iterator[str]:
    from consolidate.operate.inspect import MOST_USERS
    from consolidate.render import cell_text, printable
    from consolidate.times import format_when

    yield f"{printable(str(found.file))}: {found.kind}"
    if found.run_id is None:
        yield "  No run has written into this file."
        return
    record = found.record
    tenant = printable(str(record.get("tenant", "unknown")))
    yield f"  run {found.run_id} of {tenant}, {format_when(found.now)}, {record.get('outcome', 'unknown')}"
    if found.live is not None:
        yield f"  made from {printable(str(found.live))}" + (", which is unchanged" if found.kind == "rejected" else "")
    yield f"Problems: {len(found.problems) or 'none'}"
    for problem in found.problems:
        whom = "" if problem.user_id is None else f", user {cell_text(problem.user_id)}"
        yield f"  {problem.check}{whom}: {printable(problem.message)}"
        for behind in problem.facts:
            fact = behind.fact
            before = f"{behind.status_before} → " if behind.status_before not in (None, fact.status) else ""
            by = "" if fact.superseded_by is None else f" by {cell_text(fact.superseded_by)}"
            shown = f"{cell_text(fact.attribute)}: “{cell_text(fact.value)}”"
            yield f"    [{cell_text(fact.id)}] {shown}, {before}{cell_text(fact.status)}{by}, {cell_text(fact.source)}"
        if problem.missing:
            yield f"    not in this file: {printable(', '.join(problem.missing))}"
    verb = "would have changed" if found.kind == "rejected" else "changed"
    yield f"What the run {verb}: " + (", ".join(f"{n} by {printable(s)}" for s, n in found.steps.items()) or "nothing")
    for user, steps in found.users[:MOST_USERS]:
        yield f"  {cell_text(user)}: " + ", ".join(f"{count} by {printable(step)}" for step, count in steps.items())
    if len(found.users) > MOST_USERS:
        yield f"  … and {len(found.users) - MOST_USERS} users more"
    yield from (f"    {printable(sentence)}" for sentence in found.plan)
    if found.next_steps:
        yield "What to do next:"
        yield from (f"  {printable(sentence)}" for sentence in found.next_steps)


@click.command("diff")
@click.argument("a", metavar="A")
@click.argument("b", metavar="B")
@config_option
@json_option
def diff(a: str, b: str, config: str | None, as_json: bool) -> None:
    """Show how two stores differ, per user and attribute.

    A and B are any two of a live store and its .pre, .rejected and .undone files. A leading - is a fact that only A has, a + one
    that only B has, and a ~ one that changed from A to B. Reads only.
    """
    from consolidate.operate.diff import compare

    found = compare(Path(a), Path(b), settings_of(config))
    if as_json:
        print_json(found.as_json())
    else:
        print_lines(_compared(found))


def _compared(found: Comparison) -> Iterator[str]:
    from consolidate.render import cell_text, counted, printable

    yield f"- {printable(str(found.a))}"
    yield f"+ {printable(str(found.b))}"
    group = None
    for difference in found.facts:
        fact = difference.fact
        if group != (fact.user_id, fact.attribute):
            group = (fact.user_id, fact.attribute)
            yield f"{cell_text(fact.user_id)}, {cell_text(fact.attribute)}"
        yield from _difference(difference)
    users = len({difference.fact.user_id for difference in found.facts})
    verb = "differs" if len(found.facts) == 1 else "differ"
    counts = (
        f"{counted(len(found.facts), 'fact')} of {counted(users, 'user')} {verb}" if found.facts else "No fact differs"
    )
    others = [
        f"{table}: {only_a} only in A, {only_b} only in B"
        for table, (only_a, only_b) in found.other.items()
        if only_a or only_b
    ]
    yield f"{counts}; {'; '.join(others) or 'episodes and tombstones are the same'}."


def _difference(difference: Difference) -> Iterator[str]:
    from consolidate.render import cell_text, printable

    fact = difference.fact
    sign = "+" if difference.before is None else "-" if difference.after is None else "~"
    details = [
        f"{column} {_shown(column, was)} → {_shown(column, now)}" for column, (was, now) in difference.changed.items()
    ]
    if not details:
        details = [cell_text(fact.status), cell_text(fact.source)]
    yield f"  {sign} “{cell_text(fact.value)}” [{cell_text(fact.id)}]: {', '.join(details)}"
    for reason in difference.reasons:
        run = f"run {reason.run_id}, only in {reason.known_to.upper()}"
        yield printable(f"      {reason.step}: {reason.reason} ({run})")


def _shown(column: str, cell: object) -> str:
    from consolidate.render import cell_text
    from consolidate.times import format_when

    if column in ("valid_from", "valid_to", "expires_at") and isinstance(cell, (int, float)):
        return format_when(cell)
    return "nothing" if cell is None or cell == "" else cell_text(cell)  # type: ignore[arg-type]
