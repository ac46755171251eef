"""What merge and supersede come to in a group without a past (DESIGN section 3): rules on rows, no SQL.

A group is given in the order in which its facts speak, all active, open, without a date and unpinned; `decide_sources` and
`stays_parked` say where they need more, or may have less, than that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import NamedTuple

from consolidate.steps.merge import SAYS_THE_SAME
from consolidate.steps.supersede import OVERRULED, OVERRULES, PARKED, REPLACED

GAINED_EVIDENCE, GAINED_CONFIRMATIONS = 8, 16

Key = Callable[..., str | bytes | None]


class Row(NamedTuple):
    """An open or parked fact of a group with several facts.

    ``facts`` is how many facts the group has altogether, ``mode`` what the configuration says of the attribute, ``plain``
    whether nothing about this fact needs the general rules; only then the columns after it are to be relied on.
    """

    g: int
    facts: int
    mode: int | None
    plain: int
    parked: int
    key: int
    single: int
    valid_from: float
    rank: int
    value: bytes
    id: bytes
    evidence: bytes | None
    confirmations: int | None


in_time = attrgetter("valid_from", "key")


@dataclass(slots=True)
class Decision:
    """What is decided about one fact: the status it gets and why, and what it gains from those merged into it."""

    g: int
    key: int
    status: str | None = None
    ends: float | None = None
    successor: bytes | None = None
    reason: str | None = None
    gains: int = 0
    evidence: bytes | None = None
    confirmations: int | None = None
    losers: int = 0


@dataclass(slots=True)
class Sweep:
    """What was decided about many groups, and is not written yet.

    Attributes:
        decided: decisions, one per fact at most.
        gained: ids of evidence that pass from one fact to another, by group.
        returned: how many values of a group are returns, and the group.
    """

    decided: list[Decision] = field(default_factory=list)
    gained: list[tuple[int, bytes]] = field(default_factory=list)
    returned: list[tuple[int, int]] = field(default_factory=list)


def decide_one_valued(sweep: Sweep, rows: list[Row], keys: Sequence[object] | None) -> None:
    """Merge what one source says again right after itself, and let each statement give way to the next.

    Args:
        sweep: takes the decisions.
        rows: the facts of a one-valued attribute, all of one rank, in time.
        keys: what their values are compared by; None if all are different.
    """
    if keys is None:
        decisions = [Decision(row.g, row.key) for row in rows[:-1]]
    else:
        runs = [[row for row, _ in run] for _, run in groupby(zip(rows, keys, strict=True), itemgetter(1))]
        sweep.returned.append((len(runs) - len(set(keys)), rows[0].g))
        decisions = [_absorb(sweep, run[0], run[1:]) for run in runs]
        rows = [run[0] for run in runs]
        if decisions[-1].gains:
            sweep.decided.append(decisions[-1])
    for decision, following in zip(decisions, rows[1:], strict=False):
        decision.status, decision.ends, decision.successor = "superseded", following.valid_from, following.id
        decision.reason = REPLACED
        sweep.decided.append(decision)


def decide_many_valued(sweep: Sweep, rows: list[Row], keys: Sequence[object]) -> None:
    """Merge equal values of a multi-valued attribute, whoever said them and whenever, into the first of the highest source."""
    alike: dict[object, list[Row]] = {}
    for row, key in zip(rows, keys, strict=True):
        alike.setdefault(key, []).append(row)
    for same in alike.values():
        if len(same) > 1:
            survivor = min(same, key=lambda row: -row.rank)
            decision = _absorb(sweep, survivor, [row for row in same if row is not survivor])
            if decision.gains:
                sweep.decided.append(decision)


def decide_sources(sweep: Sweep, rows: list[Row], keys: Sequence[object] | None) -> bool:
    """Settle a one-valued attribute of which several sources speak.

    A fact takes effect unless a higher source spoke before. Equal values merge unless another value took effect in between;
    the last statement of the highest source holds.

    Returns:
        Whether it was settled; what repeats the holder without having taken effect is left to the general rules, since its
        merge comes after the others.
    """
    keys = range(len(rows)) if keys is None else keys  # all different
    took = [not any(b.rank > a.rank and b.valid_from <= a.valid_from for b in rows) for a in rows]
    stretches: dict[tuple[object, int], list[int]] = {}
    effects, of_value = 0, dict.fromkeys(keys, 0)
    for place, key in enumerate(keys):
        effects += took[place]
        of_value[key] += took[place]
        stretches.setdefault((key, effects - of_value[key]), []).append(place)
    merged = {min(same, key=lambda place: (-rows[place].rank, place)): same for same in stretches.values()}
    spoken = {
        one: [rows[place] for place in same if rows[place].rank >= rows[one].rank] for one, same in merged.items()
    }
    place_of = {one: (rows[one].rank, *in_time(said[-1])) for one, said in spoken.items()}
    holder = max(merged, key=place_of.__getitem__)
    if any(one != holder and not took[one] and keys[one] == keys[holder] for one in merged):
        return False
    if len(set(keys)) < len(rows):
        sweep.returned.append((len(merged) - len(set(keys)), rows[0].g))
    for one, same in merged.items():
        losers = [rows[place] for place in same if place != one]
        decision = _absorb(sweep, rows[one], losers, [rows[place] for place in same if not took[place]])
        if one != holder:
            if took[one]:
                later = [other for other in merged if took[other] and place_of[other] > place_of[one]]
                _give_way(decision, rows, one, holder, {other: spoken[other] for other in later})
            elif place_of[one][1:] > place_of[holder][1:]:
                decision.status, decision.reason = "review", PARKED
            else:
                decision.status, decision.ends = "superseded", rows[one].valid_from
                decision.successor, decision.reason = rows[holder].id, OVERRULED
        if decision.status or decision.gains:
            sweep.decided.append(decision)
    return True


def _give_way(decision: Decision, rows: Sequence[Row], one: int, holder: int, spoken: dict[int, list[Row]]) -> None:
    """Let a fact that took effect end where the next one speaks that is later in the order, or else the holder."""
    after = [
        (in_time(row), other) for other, said in spoken.items() for row in said if in_time(row) > in_time(rows[one])
    ]
    moment, target = min(after, default=(in_time(rows[one]), holder))
    decision.status, decision.ends, decision.successor = "superseded", moment[0], rows[target].id
    decision.reason = OVERRULES if rows[target].rank > rows[one].rank else REPLACED


def stays_parked(rows: Sequence[Row], key: Key) -> bool:
    """Tell whether a one-valued attribute is as an earlier night left it: one fact holds, and what waits beside it still does.

    Args:
        rows: all facts of the group, some of them parked.
        key: what values are compared by.
    """
    open_rows = [row for row in rows if not row.parked]
    if len(open_rows) != 1 or len(rows) < rows[0].facts:
        return False
    holder = open_rows[0]
    held = key(holder.value, "text")
    return all(
        row.rank > holder.rank or (in_time(row) > in_time(holder) and key(row.value, "text") != held)
        for row in rows
        if row.parked
    )


def _absorb(sweep: Sweep, survivor: Row, losers: list[Row], never_took: Sequence[Row] = ()) -> Decision:
    """Merge facts, in time, into another; return what that one gains. What never took effect gets an empty window."""
    decision = Decision(survivor.g, survivor.key, losers=len(losers))
    if not losers:
        return decision
    for loser in losers:
        ends = loser.valid_from if loser in never_took else max(loser.valid_from, survivor.valid_from)
        sweep.decided.append(Decision(loser.g, loser.key, "merged", ends, survivor.id, SAYS_THE_SAME))
    own = survivor.evidence or b""
    known = set(own.split(b" "))
    new = [token for row in losers for token in (row.evidence or b"").split(b" ")]
    ids = [token for token in dict.fromkeys(new) if token and token not in known]
    if ids:
        sweep.gained += [(survivor.g, token) for token in ids]
        decision.gains = GAINED_EVIDENCE
        decision.evidence = b" ".join([own, *ids] if own else ids)
    gain = sum(row.confirmations or 0 for row in losers)
    if gain:
        decision.gains |= GAINED_CONFIRMATIONS
        decision.confirmations = (survivor.confirmations or 0) + gain
    return decision
