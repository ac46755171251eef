"""Commands that ask a store: show and history."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from typing import TYPE_CHECKING, TypeVar

import click

from consolidate.cli.options import Target, json_option, now_of, on_store, option, print_json, print_lines, text

if TYPE_CHECKING:
    from consolidate.store.reading import Reader

_Answer = TypeVar("_Answer")


def _ask(target: Target, question: Callable[[Reader], _Answer]) -> _Answer:
    from consolidate.store.connections import open_reader
    from consolidate.store.reading import Reader

    settings = target.settings
    with closing(open_reader(target.path, settings.store.extensions, lock_timeout=settings.swap.lock_timeout)) as db:
        return question(Reader(db, target.path, settings.attributes, settings.sources.rank))


@click.command("show")
@on_store
@option("--user", required=True, type=text, metavar="USER", help="Whom the facts are about.")
@option("--as-of", metavar="WHEN", help="What held at this time instead of what is in force now.")
@json_option
def show(target: Target, user: str, as_of: str | None, as_json: bool) -> None:
    """Show a user's facts: those in force, or what held at a time."""
    from consolidate import render
    from consolidate.times import format_when

    moment = now_of(as_of)
    facts = _ask(target, lambda store: store.in_force(user, moment) if as_of is None else store.as_of(user, moment))
    if as_json:
        document = {"tenant": target.name, "user": user, "as_of": None if as_of is None else moment}
        print_json({**document, "facts": [fact.as_json() for fact in facts]})
        return
    title = "in force" if as_of is None else f"as of {format_when(moment)}"
    print_lines(render.fact_lines(f"{user} in {target.name}, {title}", facts))


@click.command("history")
@on_store
@option("--user", required=True, type=text, metavar="USER", help="Whom the facts are about.")
@option("--attribute", required=True, type=text, metavar="ATTRIBUTE", help="What they are about.")
@json_option
def history(target: Target, user: str, attribute: str, as_json: bool) -> None:
    """Show every fact of an attribute, and why.

    With when it held, its status, and what the runs did to it.
    """
    from consolidate import render

    entries = _ask(target, lambda store: store.history(user, attribute))
    if as_json:
        document = {"tenant": target.name, "user": user, "attribute": attribute}
        print_json({**document, "facts": [entry.as_json() for entry in entries]})
        return
    print_lines(render.history_lines(f"{attribute} of {user} in {target.name}", entries))
