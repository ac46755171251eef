"""The oracle's reading of merge and supersede: one (user, attribute) at a time (DESIGN section 3).

Text is ``str`` (bytes that are no UTF-8 are kept as surrogates), a BLOB is ``bytes``, SQL NULL is None. Nothing here is
fast, clever or shared with the steps, except the normal form of a value, which has tests of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol

from consolidate.store.values import value_key

CLOSED = ("superseded", "merged", "expired")


@dataclass
class Row:
    """One fact: the columns of the contract, after its rowid."""

    rowid: int
    id: Any
    user_id: Any
    attribute: Any
    value: Any = None
    multi: Any = 0
    source: Any = "user"
    valid_from: Any = None
    valid_to: Any = None
    expires_at: Any = None
    status: Any = "active"
    superseded_by: Any = None
    evidence: Any = None
    confirmations: Any = None


def is_time(value: object) -> bool:
    """Only a number is a point in time; NULL, text and BLOBs in a column of times are dirt."""
    return isinstance(value, (int, float))


def sql_order(value: Any) -> tuple[int, Any]:
    """SQLite's order of what a column can hold: numbers, then text, then BLOBs; NULL, no end, comes after them all."""
    if is_time(value):
        return (1, value)
    if isinstance(value, str):
        return (2, value.encode("utf-8", "surrogateescape"))
    return (3, value) if isinstance(value, bytes) else (4, None)


def due(row: Row, now: float) -> bool:
    """'Past ``expires_at`` (≤ now)'."""
    return sql_order(row.expires_at) <= sql_order(now)


def in_force(row: Row, now: float) -> bool:
    """'status ``active``, ``valid_to`` is NULL, ``valid_from`` ≤ now, not past ``expires_at``'."""
    started = is_time(row.valid_from) and row.valid_from <= now
    return row.status == "active" and row.valid_to is None and started and not due(row, now)


def waiting(row: Row, now: float) -> bool:
    """'A fact whose ``valid_from`` is in the future waits.'"""
    return row.status == "active" and row.valid_to is None and is_time(row.valid_from) and row.valid_from > now


def held(row: Row, when: float) -> bool:
    """'A window is [``valid_from``, ``valid_to``), of an active fact also ends at ``expires_at``; a closed fact without
    ``valid_to`` held nowhere.'"""
    if not is_time(row.valid_from) or row.valid_from > when:
        return False
    if row.status == "active":
        return all(sql_order(when) < sql_order(end) for end in (row.valid_to, row.expires_at))
    return row.status in CLOSED and row.valid_to is not None and sql_order(when) < sql_order(row.valid_to)


def has_window(row: Row) -> bool:
    """A window that is not empty contains at least its own beginning."""
    return is_time(row.valid_from) and held(row, row.valid_from)


def place(row: Row) -> tuple[float, int]:
    """'(``valid_from``, rowid) order'."""
    return (row.valid_from, row.rowid)


def stored(value: Any) -> tuple[bytes | None, str]:
    """A value as its bytes and its storage class."""
    if isinstance(value, str):
        return value.encode("utf-8", "surrogateescape"), "text"
    return value, "null" if value is None else "blob"


@lru_cache(maxsize=1000)
def key(value: Any) -> str | bytes | None:
    """'Normal form of a value (what "the same value" means).'"""
    return value_key(*stored(value))


def same_words(one: Any, other: Any) -> bool:
    """Whether two values are the same; NULL is the same as NULL."""
    return key(one) == key(other)


def counted(confirmations: object) -> int:
    """'NULL counts 0', and so does anything that is no integer; a count is no larger than 10^15 either way."""
    return max(-(10**15), min(10**15, confirmations)) if isinstance(confirmations, int) else 0


def ids_in(evidence: str | bytes | None) -> list[str]:
    """'ids separated by spaces'; a BLOB is read as the text of the same bytes."""
    text = evidence.decode("utf-8", "surrogateescape") if isinstance(evidence, bytes) else evidence or ""
    return [word for word in text.split(" ") if word]


class Rules(Protocol):
    """What a group must know of the settings, the pins and the episodes."""

    attributes: Mapping[str, str]

    def pinned(self, row: Row) -> bool: ...
    def rank_of(self, row: Row) -> float: ...
    def source_rank(self, row: Row) -> float: ...
    def foreign(self, episode: object, user: object) -> bool: ...
    def excepted(self, row: Row, target: Row) -> bool: ...
    def dismissed(self, row: Row) -> bool: ...


class Group:
    """All facts of one user about one attribute: 'nothing else is ever compared'; one without an id is left alone."""

    def __init__(self, rows: Sequence[Row], rules: Rules, now: float) -> None:
        self.rows = [row for row in rows if row.id is not None]
        self.rules = rules
        self.now = now

    @property
    def single(self) -> bool:
        """'An attribute that the configuration calls ``single``, else one whose every row for that user, whatever its
        status, has ``multi`` = 0.'"""
        configured = self.rules.attributes.get(self.rows[0].attribute) if self.rows else None
        return configured == "single" if configured else all(row.multi == 0 for row in self.rows)

    def in_force(self) -> list[Row]:
        return [row for row in self.rows if in_force(row, self.now)]

    def took(self, row: Row) -> bool:
        """'It took effect if nothing of higher rank held at its ``valid_from``. […] A parked fact, and one closed with
        an empty window, never took effect (a merged one is a restatement and may have).'"""
        if not is_time(row.valid_from) or row.valid_from > self.now:
            return False
        if row.status != "merged" and not (row.status in ("active", "superseded", "expired") and has_window(row)):
            return False
        rank = self.rules.rank_of
        return not any(rank(other) > rank(row) and held(other, row.valid_from) for other in self.rows)

    # Merge

    def merge(self) -> None:
        """'Equal normal forms in force merge.'"""
        took = [row for row in self.rows if self.took(row)] if self.single else self.rows
        for alike in self.duplicates(took):
            survivor = self.survivor(alike)
            self.merge_into(survivor, [row for row in alike if self.mergeable(row, survivor)], took)

    def duplicates(self, took: Sequence[Row]) -> list[list[Row]]:
        """'A one-valued attribute that went Boston → Austin → Boston is a return, not a duplicate: any fact between the
        two in (``valid_from``, rowid) order that took effect, whatever its status now, keeps them apart. […] What lies
        between two equal values keeps them apart only if its value is another one.'"""
        groups: list[list[Row]] = []
        for row in sorted(self.in_force(), key=place):
            for group in groups:
                if same_words(group[0].value, row.value) and not self.kept_apart(group[-1], row, took):
                    group.append(row)
                    break
            else:
                groups.append([row])
        return groups

    def kept_apart(self, first: Row, second: Row, took: Sequence[Row]) -> bool:
        return self.single and any(
            place(first) < place(between) < place(second) and not same_words(between.value, first.value)
            for between in took
        )

    def survivor(self, alike: Sequence[Row]) -> Row:
        """'Survivor: highest rank, then no expiry / latest expiry, then earliest ``valid_from``, then lowest rowid.'"""
        highest = max(self.rules.rank_of(row) for row in alike)
        alike = [row for row in alike if self.rules.rank_of(row) == highest]
        last = max(sql_order(row.expires_at) for row in alike)
        return min((row for row in alike if sql_order(row.expires_at) == last), key=place)

    def mergeable(self, row: Row, survivor: Row) -> bool:
        """Two facts whose merge was taken back stay apart, whichever of them would be the survivor now."""
        undone = self.rules.excepted(row, survivor) or self.rules.excepted(survivor, row)
        return row is not survivor and not undone

    def merge_into(self, survivor: Row, losers: Sequence[Row], took: Sequence[Row]) -> None:
        """'The losers get status ``merged``, ``superseded_by`` the survivor, ``valid_to`` = the later of their own and
        the survivor's ``valid_from`` […]; a merge loser that never took effect gets [an empty window].'"""
        losers = [row for row in losers if not self.rules.pinned(row)]
        gain = sum(counted(row.confirmations) for row in losers)
        if gain != 0:
            survivor.confirmations = counted(survivor.confirmations) + gain
        for row in sorted(losers, key=place):
            self.pass_on_evidence(row, survivor)
            row.status, row.superseded_by = "merged", survivor.id
            effective = any(row is one for one in took)
            row.valid_to = max(row.valid_from, survivor.valid_from) if effective else row.valid_from

    def pass_on_evidence(self, loser: Row, survivor: Row) -> None:
        """'The distinct ids of their evidence, appended. […] Evidence ids that belong to another user are not passed on
        by a merge.'"""
        if isinstance(survivor.evidence, bytes):
            return
        for word in ids_in(loser.evidence):
            if word not in ids_in(survivor.evidence) and not self.rules.foreign(word, survivor.user_id):
                survivor.evidence = f"{survivor.evidence} {word}" if survivor.evidence else word

    # Statements and their order

    def statements(self, row: Row) -> list[tuple[float, int]]:
        """'A fact's statements are its ``valid_from`` and those of the facts merged into it (followed transitively,
        within user and attribute, cycles cut). […] A merged fact of a lower source adds no statement.'"""
        lowest = self.rules.source_rank(row)
        merged = [one for one in self.merged_into(row) if self.rules.source_rank(one) >= lowest]
        said = [row, *merged]
        return [place(one) for one in said if is_time(one.valid_from) and one.valid_from <= self.now]

    def merged_into(self, row: Row) -> list[Row]:
        found: list[Row] = []
        reached = [row]
        while reached:
            target = reached.pop()
            for one in self.rows:
                if one.status == "merged" and one.superseded_by == target.id and one not in (row, *found):
                    found.append(one)
                    reached.append(one)
        return found

    def latest(self, row: Row) -> tuple[float, int]:
        """'Facts are ordered by their latest statement […]; ties go by the rowid of that latest statement.'"""
        return max(self.statements(row))

    def weight(self, row: Row) -> tuple[float, tuple[float, int]]:
        return (self.rules.rank_of(row), self.latest(row))

    def holder(self) -> Row | None:
        """'The last one of the highest rank holds.'"""
        return max(self.in_force(), key=self.weight, default=None)

    def first_after(self, row: Row, other: Row) -> tuple[float, int] | None:
        """The other fact's first statement after this fact's own ``valid_from``."""
        return min((one for one in self.statements(other) if one > place(row)), default=None)

    # Supersede

    def supersede(self) -> None:
        """Settle a one-valued attribute: one fact holds, the others become history or wait for a person."""
        holder = self.holder() if self.single else None
        if holder is None:
            return
        took = [row for row in self.rows if self.took(row)]
        self.merge_into(holder, self.restatements(holder, took), took)
        took = [row for row in self.rows if self.took(row)]
        decisions = []
        rivals = [row for row in self.in_force() if row is not holder and not self.rules.pinned(row)]
        overtaken = []
        for row in [row for row in rivals if row in took]:
            following = self.successor(row, holder, took)
            if following:
                overtaken.append(row)
                decisions.append((row, "superseded", following[0].id, following[1]))
        for row in [*(row for row in rivals if row not in took), *self.parked()]:
            if self.rules.excepted(row, holder) or (row.status == "review" and self.outranks(row, holder)):
                continue
            if self.latest(row) > self.latest(holder) and not self.rules.dismissed(row):
                decisions.append((row, "review", row.superseded_by, row.valid_to))
            else:
                decisions.append((row, "superseded", holder.id, row.valid_from))
        relinks = self.relinks(overtaken, took)
        for row, status, pointer, end in decisions:
            row.status, row.superseded_by, row.valid_to = status, pointer, end
        self.apply_relinks(relinks)

    def parked(self) -> list[Row]:
        """'Parked facts are judged again each night in the same way'; one whose ``valid_from`` is no time or is still
        to come is not."""
        started = [row for row in self.rows if is_time(row.valid_from) and row.valid_from <= self.now]
        return [row for row in started if row.status == "review"]

    def outranks(self, parked: Row, holder: Row) -> bool:
        """A parked fact of a higher source than a holder that nobody pinned is for a person to judge."""
        return not self.rules.pinned(holder) and self.rules.source_rank(parked) > self.rules.source_rank(holder)

    def restatements(self, holder: Row, took: Sequence[Row]) -> list[Row]:
        """'What never took effect and has the holder's value merges into it before anything is ordered.'"""
        free = [row for row in self.in_force() if row is not holder and row not in took]
        free += [row for row in self.parked() if not self.outranks(row, holder)]
        return [row for row in free if same_words(row.value, holder.value) and self.mergeable(row, holder)]

    def successor(self, row: Row, holder: Row, took: Sequence[Row]) -> tuple[Row, float] | None:
        """'The next in order is the one that speaks first after this fact's own ``valid_from``, never one of lower
        rank, never one whose pointers lead back to this fact; expired facts displace nobody; with none left, the
        holder.' Never one against which this fact was given back; with none left at all, it stays."""
        next_ones = [
            (first, other)
            for other in self.rows
            if other in took
            and (other.status == "superseded" or in_force(other, self.now))
            and self.weight(other) > self.weight(row)
            and (first := self.first_after(row, other))
            and self.leads_on(other, row)
            and not self.rules.excepted(row, other)
        ]
        if next_ones:
            (moment, _), following = min(next_ones, key=lambda one: one[0])
            return following, moment
        if self.rules.excepted(row, holder):
            return None
        spoken = self.first_after(row, holder)
        return holder, spoken[0] if spoken else row.valid_from

    def leads_on(self, other: Row, row: Row) -> bool:
        """Following the pointers from the other fact never comes back to this one, nor to one in force before it."""
        trail = self.trail(other)
        end = trail[-1]
        return row not in trail and not (in_force(end, self.now) and self.weight(end) <= self.weight(row))

    def trail(self, row: Row) -> list[Row]:
        """The fact and what its pointer leads to, as long as the facts on the way were merged or superseded; cycles are
        cut. Any other fact has no successor, whatever its pointer says."""
        trail = [row]
        while trail[-1].status in ("merged", "superseded"):
            following = [one for one in self.rows if one.id == trail[-1].superseded_by and one not in trail]
            if not following:
                break
            trail += following
        return trail

    def relinks(self, overtaken: Sequence[Row], took: Sequence[Row]) -> list[tuple[Row, Row]]:
        """'A back-dated statement that arrives late does not win; only the superseded fact whose window contains it is
        re-linked to it.'"""
        found: list[tuple[Row, Row]] = []
        for row in sorted(overtaken, key=place):
            around = [
                one
                for one in took
                if one.status == "superseded"
                and held(one, row.valid_from)
                and place(one) < place(row)
                and self.weight(one) < self.weight(row)
                and not self.rules.excepted(one, row)
            ]
            earlier = max(around, key=lambda one: (self.rules.rank_of(one), place(one)), default=None)
            if earlier is not None and earlier not in [one for one, _ in found]:
                found.append((earlier, row))
        return found

    def apply_relinks(self, relinks: Sequence[tuple[Row, Row]]) -> None:
        """Point the earlier facts to the back-dated ones, except where that would close a cycle."""
        before = [(earlier, earlier.superseded_by, earlier.valid_to) for earlier, _ in relinks]
        for earlier, row in relinks:
            earlier.superseded_by, earlier.valid_to = row.id, row.valid_from
        cycles = [earlier for earlier, row in relinks if earlier in self.trail(row)]
        for earlier, pointer, end in before:
            if earlier in cycles:
                earlier.superseded_by, earlier.valid_to = pointer, end
