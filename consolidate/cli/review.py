"""What waits for a person: review list, show, accept and dismiss."""

from __future__ import annotations

from typing import Any

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


@click.group("review")
def review() -> None:
    """Decide what the job does not decide by itself.

    That is: a newer statement of a lower source against one that holds, and two facts that may say the same.
    """


_item_argument = click.argument("item", type=text, metavar="ITEM")


@review.command("list")
@on_tenant
@option("--user", type=text, metavar="USER", help="Only what is about this user.")
@now_option
@json_option
def list_(target: Target, user: str | None, now: str | None, as_json: bool) -> None:
    """List what waits for a decision."""
    from consolidate.cli.review_text import queue_lines
    from consolidate.operate import queue

    items = queue.listed(target.path, target.settings, now_of(now), user=user)
    if as_json:
        print_json({"tenant": target.name, "items": [item.as_json() for item in items]})
    else:
        print_lines(queue_lines(target.name, items))


@review.command("apart")
@on_tenant
@option("--user", type=text, metavar="USER", help="Only what is about this user.")
@now_option
@json_option
def apart(target: Target, user: str | None, now: str | None, as_json: bool) -> None:
    """List pairs that are alike, but kept apart by a number, unit, negation, name or symbol."""
    from consolidate.cli.review_text import apart_lines
    from consolidate.operate import apart as pairs

    items = pairs.listed(target.path, target.settings, now_of(now), user=user)
    if as_json:
        print_json({"tenant": target.name, "items": [item.as_json() for item in items]})
    else:
        print_lines(apart_lines(target.name, items))


@review.command("show")
@on_tenant
@_item_argument
@now_option
@json_option
def show(target: Target, item: str, now: str | None, as_json: bool) -> None:
    """Show one ITEM with its evidence and its history."""
    from consolidate.cli.review_text import item_lines
    from consolidate.operate import queue, review

    found = queue.detail(target.path, target.settings, item, now_of(now))
    if found is None:
        raise review.nothing_waits(item, target.path)
    if as_json:
        print_json({"tenant": target.name, **found.as_json()})
    else:
        print_lines(item_lines(found))


@review.command("accept")
@on_tenant
@_item_argument
@now_option
@json_option
def accept(target: Target, item: str, now: str | None, as_json: bool) -> None:
    """Accept ITEM: the parked value holds, or the two facts are one."""
    from consolidate.operate import review

    _tell(target, review.accept(target.path, target.settings, item, now_of(now)), as_json)


@review.command("dismiss")
@on_tenant
@_item_argument
@now_option
@json_option
def dismiss(target: Target, item: str, now: str | None, as_json: bool) -> None:
    """Dismiss ITEM: what holds stays, or the two facts are two."""
    from consolidate.operate import review

    _tell(target, review.dismiss(target.path, target.settings, item, now_of(now)), as_json)


_TOLD = {
    ("conflict", "accepted"): "Accepted {id}: it is now the fact {fact}; the next run closes what held.",
    ("conflict", "dismissed"): "Dismissed {id}: what holds stays, and this is not asked again on the same evidence.",
    ("near_duplicate", "accepted"): "Accepted {id}: the two facts are one now, {fact}.",
    ("near_duplicate", "dismissed"): "Dismissed {id}: both facts stay, and this pair is not proposed again.",
}


def _tell(target: Target, answer: dict[str, Any], as_json: bool) -> None:
    from consolidate.render import printable

    if as_json:
        print_json({"tenant": target.name, **answer})
        return
    sentence = _TOLD[answer["kind"], answer["decision"]].format(**answer)
    print_lines([printable(f"{sentence} (run {answer['run_id']})")])
