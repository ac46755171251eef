"""Text for people: runs, facts and histories on a terminal, with nothing in them that a terminal would act on."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from consolidate.store.cells import Cell, Undecodable
from consolidate.times import format_when

if TYPE_CHECKING:
    from consolidate.model import Notice, Problem, RunRecord
    from consolidate.store.reading import Change, Fact, HistoryEntry

LONGEST_VALUE = 200
SHOWN_FACTS = 5

_DONE = {
    "expire": "expired",
    "merge": "merged",
    "supersede": "superseded",
    "promote": "promoted",
    "review": "for review",
}
_COLOURS = {"swapped": 32, "unchanged": 32, "planned": 36, "busy": 33, "rejected": 31, "failed": 31}
_JOINERS = "\u200c\u200d"  # parts of words in some scripts, and of emoji


def printable(text: str) -> str:
    """Return text on one line with everything escaped that a terminal acts on or that hides or reorders text.

    That is: control characters, format characters such as right-to-left overrides, line separators, and what is no
    character at all. Letters of every script and emoji stay.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(_escaped(char) if _is_unsafe(char) else char for char in text)


def _is_unsafe(char: str) -> bool:
    return unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp") and char not in _JOINERS


def _escaped(char: str) -> str:
    return char.encode("unicode_escape").decode("ascii")


def cell_text(cell: Cell) -> str:
    """Return a column for people: one line, not too long."""
    match cell:
        case None:
            return "(nothing)"
        case Undecodable():
            return f"{_shortened(cell.decode('utf-8', 'replace'))} (not decodable)"
        case bytes():
            return f"({len(cell)} bytes)"
        case _:
            return _shortened(str(cell))


def _shortened(text: str) -> str:
    if len(text) <= LONGEST_VALUE:
        return printable(text)
    return f"{printable(text[:LONGEST_VALUE])}… ({len(text)} characters)"


def run_lines(record: RunRecord, plan: Sequence[str], *, colour: bool = False) -> Iterator[str]:
    """Yield the lines that tell of one run: what came of it, and below it what a person should look at.

    A plan says by itself what was skipped and found.
    """
    outcome = record.outcome.value
    head = f"{printable(record.tenant)}: {_coloured(outcome, _COLOURS[outcome]) if colour else outcome}"
    if record.swap:
        head += f" ({record.swap.value})"
    counts = [f"{count} {_DONE.get(step, f'by {step}')}" for step, count in record.actions.items() if count]
    skipped = sum(record.skipped.values())
    counts += [f"{skipped} skipped"] if skipped else []
    counts += [f"{record.late_rows} late"] if record.late_rows else []
    if counts:
        head += f": {printable(', '.join(counts))}"
    if "total" in record.seconds:
        head += f", in {record.seconds['total']:.2f} s"
    yield head
    if record.error:
        yield f"  error: {printable(record.error)}"
    if plan:
        if record.model is not None and record.model["calls"]:
            yield f"  {model_sentence(record.model)}"
        yield from (f"  {printable(sentence)}" for sentence in plan)
        return
    if record.model is not None and record.model["calls"]:
        yield f"  {model_sentence(record.model)}"
    yield from _findings(record.problems, record.notices)
    if record.pre:
        yield f"  the store as it was is kept as {printable(record.pre)}"
    if record.rejected:
        yield f"  the live store is unchanged; the rejected copy is kept as {printable(record.rejected)}"


def model_sentence(figures: Mapping[str, Any]) -> str:
    """Return what a run asked of models and what it cost."""
    tokens = f"{figures['input_tokens']} input and {figures['output_tokens']} output tokens"
    failed = f", {figures['failed']} failed" if figures["failed"] else ""
    cost = f", cost {figures['cost']:g}" if figures["cost"] else ""
    return f"model: {counted(figures['calls'], 'call')}{failed}, {tokens}{cost}"


def findings_lines(title: str, problems: Sequence[Problem], notices: Sequence[Notice]) -> Iterator[str]:
    """Yield what is wrong with a store, and what a person should look at."""
    counts = [counted(len(problems), "problem") if problems else "no problems"]
    counts += [counted(len(notices), "notice")] if notices else []
    yield f"{printable(title)}: {', '.join(counts)}"
    yield from _findings(problems, notices)


def _findings(problems: Sequence[Problem], notices: Sequence[Notice]) -> Iterator[str]:
    for problem in problems:
        yield f"  problem ({problem.check}){_concerned(problem)}: {printable(problem.message)}"
    for notice in notices:
        yield f"  notice ({notice.kind}){_concerned(notice)}: {printable(notice.message)}"


def _concerned(item: Problem | Notice) -> str:
    """Say whom and which facts it is about; the ids are as many as a person may want to look up."""
    whom = [] if item.user_id is None else [f"user {cell_text(item.user_id)}"]
    facts = [cell_text(fact) for fact in item.facts[:SHOWN_FACTS]]
    more = [f"{len(item.facts) - SHOWN_FACTS} more"] if len(item.facts) > SHOWN_FACTS else []
    whom += [f"{'fact' if len(item.facts) == 1 else 'facts'} {', '.join(facts + more)}"] if facts else []
    return f", {', '.join(whom)}" if whom else ""


def _coloured(text: str, code: int) -> str:
    return f"\x1b[{code}m{text}\x1b[0m"


def fact_lines(title: str, facts: Sequence[Fact]) -> Iterator[str]:
    """Yield the facts of a user, one a line."""
    yield f"{printable(title)}: {'nothing' if not facts else counted(len(facts), 'fact')}"
    for fact in facts:
        details = [cell_text(fact.source), f"since {_when(fact.valid_from)}"]
        details += [f"until {_when(fact.expires_at)}"] if fact.expires_at is not None else []
        details += (
            [f"confirmed {cell_text(fact.confirmations)} times"] if fact.confirmations not in (None, 0, 1) else []
        )
        yield f"  {cell_text(fact.attribute)}: {cell_text(fact.value)}  ({', '.join(details)}; {cell_text(fact.id)})"


def history_lines(title: str, entries: Sequence[HistoryEntry]) -> Iterator[str]:
    """Yield the facts of an attribute by beginning, each with its window, its status and why."""
    yield f"{printable(title)}: {'nothing' if not entries else counted(len(entries), 'fact')}"
    for entry in entries:
        fact = entry.fact
        details = [cell_text(fact.status)]
        details += [f"by {cell_text(fact.superseded_by)}"] if fact.superseded_by is not None else []
        details += [cell_text(fact.source), cell_text(fact.id)]
        yield f"  {_window(fact)}  {cell_text(fact.value)}  ({', '.join(details)})"
        yield from (f"      {_change(change)}" for change in entry.changes)


def _window(fact: Fact) -> str:
    if fact.window is None:
        return f"{_when(fact.valid_from)} – never held"
    begins, ends = fact.window
    return f"{_when(begins)} – {'now' if ends is None else _when(ends)}"


def _change(change: Change) -> str:
    when = "" if change.at is None else f"{_when(change.at)} "
    moved = ""
    if change.status_after is not None:
        moved = f" ({change.status_before or 'new'} → {change.status_after})"
    return printable(f"{when}{change.step}: {change.reason}{moved}, run {change.run_id}")


def _when(moment: Cell) -> str:
    return cell_text(moment) if isinstance(moment, (str, bytes)) else format_when(moment)


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, which takes an s."""
    return f"{number} {noun}{'' if number == 1 else 's'}"
