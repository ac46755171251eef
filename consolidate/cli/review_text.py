"""Text for people: what waits for a decision, and what each decision would do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from consolidate.operate.queue import CONFLICT, Detail, Item
from consolidate.render import cell_text, counted, printable
from consolidate.store.reading import Fact
from consolidate.times import format_when


def queue_lines(tenant: str, items: Sequence[Item]) -> Iterator[str]:
    """Yield what waits, two lines an item."""
    yield f"{printable(tenant)}, for review: {len(items) or 'nothing'}{'' if not items else ' waiting'}"
    for item in items:
        fact = item.facts[0]
        yield f"  {printable(item.id)}  {cell_text(fact.user_id)}, {cell_text(fact.attribute)}: {_question(item)}"
        since = f", since {format_when(item.since)}" if item.since is not None else ""
        yield f"      {printable(item.why or 'it waits')}{since}"


def apart_lines(tenant: str, items: Sequence[Item]) -> Iterator[str]:
    """Yield the pairs that are kept apart, one a line, each with what does."""
    yield f"{printable(tenant)}: {counted(len(items), 'pair') if items else 'no pair'} alike and kept apart"
    for item in items:
        fact = item.facts[0]
        pair = " ≠ ".join(_value(fact) for fact in item.facts)
        yield f"  {cell_text(fact.user_id)}, {cell_text(fact.attribute)}: {pair}  ({item.why})"


def _question(item: Item) -> str:
    if item.kind != CONFLICT:
        return " = ".join(_value(fact) for fact in item.facts) + " ?"
    held = "nothing holds" if item.holder is None else f"{_value(item.holder)} holds ({cell_text(item.holder.source)})"
    return f"{_value(item.facts[0])} ({cell_text(item.facts[0].source)}) ? {held}"


def _value(fact: Fact) -> str:
    return f"“{cell_text(fact.value)}”"


def item_lines(detail: Detail) -> Iterator[str]:
    """Yield one item with its facts, their history, the evidence and what a person can do."""
    yield from list(queue_lines("One item", [detail.item]))[1:]
    item = detail.item
    named = (
        [("waits", fact) for fact in item.facts] if item.kind == CONFLICT else [("fact", fact) for fact in item.facts]
    )
    named += [("holds", item.holder)] if item.holder else []
    for role, fact in named:
        details = [cell_text(fact.source), f"since {format_when(fact.valid_from)}"]
        details += [f"until {format_when(fact.expires_at)}"] if fact.expires_at is not None else []
        details += [f"confirmations {cell_text(fact.confirmations)}", cell_text(fact.id)]
        yield f"  {role}: {_value(fact)}  ({', '.join(details)})"
        for change in detail.changes.get(str(fact.id), ()):
            yield f"      {printable(f'{change.step}: {change.reason}, run {change.run_id}')}"
    for name, found in detail.episodes.items():
        told = "no such episode" if found is None else f"{format_when(found[0])}  {cell_text(found[1])}"
        yield f"  evidence {printable(name)}: {told}"
    yield from (f"  {sentence}" for sentence in _choices(item))


def _choices(item: Item) -> tuple[str, str]:
    if item.kind == CONFLICT:
        held = "what holds" if item.holder is None else _value(item.holder)
        return (
            f"accept:  {_value(item.facts[0])} becomes a statement of the highest source, newer than {held}",
            f"dismiss: {held} stays, and this is not asked again on the same evidence",
        )
    return (
        "accept:  one of the two facts merges into the other, with its confirmations and evidence",
        "dismiss: both facts stay, and this pair is not proposed again",
    )
