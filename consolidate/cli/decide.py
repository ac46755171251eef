"""What a person decides about facts: pin, unpin, forget and undo."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from consolidate.cli.options import (
    Target,
    json_option,
    now_of,
    now_option,
    on_tenant,
    option,
    print_json,
    print_lines,
    text,
)
from consolidate.errors import DataError, UsageError

if TYPE_CHECKING:
    from consolidate.operate.forget import Report
    from consolidate.operate.undo import Undone

# More ids than this are a list for a program: --json has them all.
_SHOWN = 20

_fact_argument = click.argument("fact", type=text, metavar="FACT")


@click.command("pin")
@on_tenant
@_fact_argument
@now_option
@json_option
def pin(target: Target, fact: str, now: str | None, as_json: bool) -> None:
    """Hold on to FACT, whatever the rules say.

    It ranks above all others, and is never merged away, superseded, parked or expired.
    """
    from consolidate.operate import pins

    answer = pins.pin(target.path, target.settings, fact, now_of(now))
    _tell(target, answer, as_json, f"Pinned {fact}." if answer["changed"] else f"{fact} was pinned already.")


@click.command("unpin")
@on_tenant
@_fact_argument
@now_option
@json_option
def unpin(target: Target, fact: str, now: str | None, as_json: bool) -> None:
    """Let the rules judge FACT again."""
    from consolidate.operate import pins

    answer = pins.unpin(target.path, target.settings, fact, now_of(now))
    _tell(target, answer, as_json, f"Unpinned {fact}." if answer["changed"] else f"{fact} was not pinned.")


def _tell(target: Target, answer: dict[str, Any], as_json: bool, sentence: str) -> None:
    from consolidate.render import printable

    if as_json:
        print_json({"tenant": target.name, **answer})
    else:
        print_lines([printable(sentence)])


@click.command("forget")
@on_tenant
@option("--user", required=True, type=text, metavar="USER", help="Who asked to be forgotten.")
@option("--attribute", type=text, metavar="ATTRIBUTE", help="What to forget; without it, everything of the user.")
@option("--value", type=text, metavar="VALUE", help="The value to forget, in any spelling; without it, all of them.")
@option("--episodes", is_flag=True, help="Erase the episodes that mention it as well.")
@option("--yes", is_flag=True, help="Do it; without this, only say what would be done.")
@now_option
@json_option
def forget(
    target: Target,
    user: str,
    attribute: str | None,
    value: str | None,
    episodes: bool,
    yes: bool,
    now: str | None,
    as_json: bool,
) -> int:
    """Erase what a user asked to forget.

    It goes from the live store and from every kept copy, with what the job recorded of it, and a tombstone without the value
    keeps it from coming back. What cannot be reached is named.

    Exit status: 0 done, 75 a run or a reader is in the way, 74 a file failed.
    """
    from consolidate.operate import forget as erasing
    from consolidate.operate.needles import Request

    if value is not None and (attribute is None or not value.strip()):
        raise UsageError("A value to forget needs its attribute, and must not be empty.", "Leave --value out for all.")
    if attribute == "" or user == "":
        raise UsageError("The user and the attribute must not be empty.", "Leave --attribute out for everything.")
    moment = now_of(now)
    request = Request(user, attribute, value, episodes)
    report = (
        erasing.forget(target.path, target.settings, request, moment)
        if yes
        else erasing.plan(target.path, target.settings, request)
    )
    if as_json:
        print_json({"tenant": target.name, "user": user, "attribute": attribute, **report.as_json()})
    else:
        print_lines(_report_lines(target.name, report))
    return report.exit_status


def _report_lines(tenant: str, report: Report) -> Iterator[str]:
    """Yield what went where, and what is still there; the value itself is not repeated."""
    from consolidate.render import printable

    planned = report.run_id is None
    yield f"{printable(tenant)}: {'would be erased' if planned else f'erased, run {report.run_id}'}"
    yield from (f"  {printable(sentence)}" for sentence in report.said)
    for entry in report.files:
        counts = [f"{entry[name]} {nouns[entry[name] != 1]}" for name, nouns in _NOUNS.items() if entry.get(name)]
        yield f"  {printable(entry['file'])}: {', '.join(counts) or 'nothing'}"
    if report.left:
        yield f"  {'would still be' if planned else 'still'} there:"
    for trace in report.left:
        where = [trace.file, *([f"table {trace.table}"] if trace.table else [])]
        where += [f"column {trace.column}"] if trace.column else []
        where += [] if trace.rows is None else [f"{trace.rows} row{'' if trace.rows == 1 else 's'}"]
        yield f"    {printable(', '.join(where))}: {printable(trace.why)}"
    if planned:
        yield "  nothing was changed; --yes does it"


_NOUNS = {
    "facts": ("fact", "facts"),
    "episodes": ("episode", "episodes"),
    "tombstones": ("tombstone written", "tombstones written"),
    "replaced_tombstones": ("tombstone that named it replaced", "tombstones that named it replaced"),
    "pointers": ("pointer to it set anew", "pointers to it set anew"),
    "actions": ("action record", "action records"),
    "promotions": ("promotion record", "promotion records"),
    "decisions": ("decision record", "decision records"),
    "proposals": ("proposal", "proposals"),
    "made": ("record of a fact made", "records of facts made"),
    "pins": ("pin", "pins"),
    "exceptions": ("exception", "exceptions"),
    "records": ("run record without its ids", "run records without its ids"),
}


@click.command("undo")
@on_tenant
@click.argument("run", type=text, metavar="RUN")
@option("--fact", type=text, metavar="FACT", help="Only what the run did to this fact, and what belongs to it.")
@now_option
@json_option
def undo(target: Target, run: str, fact: str | None, now: str | None, as_json: bool) -> int:
    """Take back what RUN did to facts, where nothing later stands on it.

    RUN is a night or a person's decision; history names it. What was undone is not done again on the same facts.

    Exit status: 0 done, 65 something later stands on it; it is named, and nothing was changed.
    """
    from consolidate.operate import undo as undoing

    result = undoing.undo(target.path, target.settings, run, now_of(now), fact_id=fact)
    if as_json:
        print_json({"tenant": target.name, **result.as_json()})
    else:
        print_lines(_undone_lines(result))
    return DataError.exit_status if result.obstacles else 0


def _undone_lines(result: Undone) -> Iterator[str]:
    from consolidate.render import printable

    if result.obstacles:
        yield f"The run {printable(result.undone_run)} was not undone, and nothing was changed:"
        for obstacle in result.obstacles[:_SHOWN]:
            yield f"  {printable(obstacle.fact)}: {printable(obstacle.why)}"
        if len(result.obstacles) > _SHOWN:
            yield f"  and {len(result.obstacles) - _SHOWN} more"
        return
    yield f"Undone (run {result.run_id}): what the run {printable(result.undone_run)} did"
    for what, facts in (("as before", result.restored), ("removed", result.deleted)):
        if facts:
            more = f" and {len(facts) - _SHOWN} more" if len(facts) > _SHOWN else ""
            yield f"  {what}: {printable(', '.join(facts[:_SHOWN]))}{more}"
