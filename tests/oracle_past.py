"""The oracle's reading of what people do between the nights: decide, undo, roll back (DESIGN sections 3 and 4).

What a run did is the difference between the facts before and after it. Nothing here is fast, clever or shared with the job.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from consolidate.store.values import tombstone_matches
from tests.oracle import Decided, Exempt, Oracle
from tests.oracle_group import Group, Row, counted, due, has_window, ids_in, is_time, key, place, stored

MUTABLE = ("status", "valid_to", "superseded_by", "evidence", "confirmations")
CLOSING = MUTABLE[:3]


class RefusedError(Exception):
    """Nothing is done: there is nothing to do it to, something later stands on it, or the rules forbid it."""


@dataclass
class Run:
    """A run and what it did; ``kind`` as in the store, ``rolled_back`` once a rollback undid it.

    ``born`` has the evidence of the facts that it promoted, as they were before they gained any.
    """

    id: str
    kind: str
    now: float
    before: Sequence[Row] = ()
    after: Sequence[Row] = ()
    fact: Any = None
    rolled_back: bool = False
    pair: frozenset[Any] = frozenset()
    born: dict[Any, str] = field(default_factory=dict)

    @cached_property
    def found(self) -> dict[Any, Row]:
        """The facts before the run."""
        return by_id(self.before)

    @cached_property
    def made_or_left(self) -> dict[Any, Row]:
        """The facts after the run."""
        return by_id(self.after)

    def was(self, name: object) -> Row:
        """A fact before the run, or as the run made it."""
        if name in self.found:
            return self.found[name]
        born = self.born.get(name, "")
        return replace(self.left(name), evidence=born, confirmations=len(ids_in(born)))

    def left(self, name: object) -> Row:
        return self.made_or_left[name]

    @cached_property
    def made(self) -> list[Any]:
        return [name for name in self.made_or_left if name not in self.found]

    def changed(self, name: object) -> list[str]:
        """The columns of a fact that the run changed; of one that it made, all."""
        if name in self.made:
            return list(MUTABLE)
        return [column for column in MUTABLE if getattr(self.was(name), column) != getattr(self.left(name), column)]

    @cached_property
    def net(self) -> list[Any]:
        return [name for name in self.made_or_left if self.changed(name)]

    def closed_by(self, name: object, *statuses: str) -> list[Any]:
        """The facts that the run itself closed in favour of this one, or pointed to it, with one of these statuses."""
        pointing = [one for one in self.net if {"status", "superseded_by"} & set(self.changed(one))]
        return [one for one in pointing if self.left(one).superseded_by == name and self.left(one).status in statuses]


def by_id(rows: Iterable[Row]) -> dict[Any, Row]:
    """The facts that have an id."""
    return {row.id: row for row in rows if row.id is not None}


@dataclass
class Past:
    """Everything that was done to a store, and what follows from it."""

    oracle: Oracle
    runs: list[Run] = field(default_factory=list)

    def add_night(self, run: Run) -> None:
        """Keep a night that did something; the facts that it promoted stand in the order of their promotion."""
        if run.before != run.after:
            made = run.made
            promoted = self.oracle.promoted[len(self.oracle.promoted) - len(made) :]
            run.born = {name: fact[3] for name, fact in zip(made, promoted, strict=True)}
            self.runs.append(run)

    # Decisions

    def parked(self, rows: Sequence[Row]) -> list[Row]:
        """What waits for a person: 'status review'."""
        named = [row for row in rows if None not in (row.id, row.user_id, row.attribute)]
        return [row for row in named if row.status == "review"]

    def group_of(self, rows: Sequence[Row], row: Row, now: float) -> Group:
        alike = [one for one in rows if (one.user_id, one.attribute) == (row.user_id, row.attribute)]
        return Group(alike, self.oracle, now)

    def holder(self, rows: Sequence[Row], row: Row, now: float) -> Row | None:
        group = self.group_of(rows, row, now)
        return group.holder() if group.single else None

    def accept(self, rows: Sequence[Row], name: object, now: float, run_id: str, made: Any = "made") -> list[Row]:
        """'Accepted: a fact of the highest source with that value, ``valid_from`` = the later of the parked fact's and
        just after the holder's latest statement (never the clock); the parked fact merges into it.'"""
        rows = [replace(row) for row in rows]
        parked = by_id(rows)[name]
        holder = self.holder(rows, parked, now)
        if (holder and self.oracle.pinned(holder)) or not is_time(parked.valid_from) or due(parked, now):
            raise RefusedError
        if self.forgotten(parked):
            raise RefusedError
        begins = parked.valid_from
        if holder:
            latest, _ = self.group_of(rows, parked, now).latest(holder)
            begins = max(begins, math.nextafter(latest, math.inf))
        source = self.oracle.rank[-1] if self.oracle.rank else "user"
        rowid = max(row.rowid for row in rows) + 1
        fact = Row(rowid, made, parked.user_id, parked.attribute, parked.value, parked.multi, source)
        fact.valid_from, fact.expires_at, fact.evidence, fact.confirmations = begins, parked.expires_at, "", 1
        self.remember(parked, "accepted", run_id)
        self.group_of([*rows, fact], parked, now).merge_into(fact, [parked], [])
        return [*rows, fact]

    def dismiss(self, rows: Sequence[Row], name: object, now: float, run_id: str) -> list[Row]:
        """'Dismissed in review: ``superseded`` by the holder with an empty window, remembered in the job's table.' Where
        nothing holds, by what held last; if there never was anything, there is nothing to point to."""
        rows = [replace(row) for row in rows]
        parked = by_id(rows)[name]
        self.remember(parked, "dismissed", run_id)
        holder = self.holder(rows, parked, now) or self.held_last(rows, parked, now)
        parked.valid_to = parked.valid_from
        if holder is None:
            parked.status = "expired"
        else:
            parked.status, parked.superseded_by = "superseded", holder.id
        return rows

    def held_last(self, rows: Sequence[Row], parked: Row, now: float) -> Row | None:
        others = [one for one in self.group_of(rows, parked, now).rows if one is not parked]
        others = [one for one in others if is_time(one.valid_from) and one.valid_from <= now]
        others = [one for one in others if one.status in ("active", "superseded", "expired")]
        others = [one for one in others if parked not in self.group_of(rows, parked, now).trail(one)]
        return max(others, key=lambda one: (has_window(one), place(one)), default=None)

    def remember(self, parked: Row, verdict: str, run_id: str) -> None:
        decided = (parked.user_id, parked.attribute, parked.value, parked.evidence)
        self.oracle.decided.append(Decided(*decided, verdict, run_id))

    def forgotten(self, row: Row) -> bool:
        """Whether a tombstone names the value, the attribute or the user."""
        for user, attribute, value in self.oracle.tombstones:
            if user != row.user_id or user is None:
                continue
            if attribute in ("", None):
                return True
            if attribute == row.attribute and tombstone_matches(*stored(value), key(row.value)):
                return True
        return False

    def accept_pair(self, rows: Sequence[Row], names: Sequence[Any], now: float) -> list[Row]:
        """A person says that two facts in force say the same: one merges into the other by the rules of the merge."""
        rows = [replace(row) for row in rows]
        pair = [by_id(rows)[name] for name in names]
        if all(self.oracle.pinned(row) for row in pair):
            raise RefusedError
        group = self.group_of(rows, pair[0], now)
        survivor = group.survivor(pair)
        group.merge_into(survivor, [row for row in pair if row is not survivor], pair)
        return rows

    # Undo

    def undo(self, rows: Sequence[Row], run: Run, run_id: str, fact: object = None) -> list[Row]:
        """Take back what a run did, or what it did to one fact and whatever belongs to that; all of it or nothing."""
        if run.kind in ("undo", "rollback"):
            return self.lift(rows, run, fact)
        if run.kind in ("pin", "unpin"):
            return self.undo_pin(rows, run)
        if run.pair:
            return list(rows)
        concerned = set(run.net) if fact is None or run.kind == "review" else self.belonging(run, fact)
        if not concerned & set(run.net):
            raise RefusedError
        shares = self.shares(run, concerned)
        now = by_id(rows)
        for name in [*concerned, *shares]:
            columns = shares[name] if name in shares else run.changed(name)
            if name not in now or any(
                getattr(now[name], column) != getattr(run.left(name), column) for column in columns
            ):
                raise RefusedError
        made = [name for name in run.made if name in concerned]
        if any(
            name in self.oracle.pins or replace(now[name], rowid=0) != replace(run.left(name), rowid=0) for name in made
        ):
            raise RefusedError
        result = [replace(row) for row in rows if row.id not in made]
        for name, row in by_id(result).items():
            for column in run.changed(name) if name in concerned else ():
                setattr(row, column, getattr(run.was(name), column))
            for column, share in shares.get(name, {}).items():
                setattr(row, column, share)
        if any(row.superseded_by in made for row in result):
            raise RefusedError
        if run.kind == "review":
            self.oracle.decided = [one for one in self.oracle.decided if one.run_id != run.id]
        else:
            self.remember_exceptions(rows, run, {name: run.changed(name) for name in concerned}, run_id)
        return result

    def belonging(self, run: Run, fact: object) -> set[Any]:
        """A fact and what was merged into it, or closed by it if the run had made it; and so on."""
        found = {fact} & set(run.net)
        reached = list(found)
        while reached:
            name = reached.pop()
            statuses = ("merged", "superseded") if name in run.made else ("merged",)
            if name in run.made or {"evidence", "confirmations"} & set(run.changed(name)):
                fresh = set(run.closed_by(name, *statuses)) - found
                found |= fresh
                reached += fresh
        return found

    def shares(self, run: Run, concerned: set[Any]) -> dict[Any, dict[str, Any]]:
        """What is left of the gain of those that the facts concerned were merged into, and so on upwards."""
        above: set[Any] = set()
        reached = [name for name in concerned if name in run.closed_by(run.left(name).superseded_by, "merged")]
        while reached:
            name = run.left(reached.pop()).superseded_by
            if name not in concerned | above:
                above.add(name)
                reached += [name] if name in run.closed_by(run.left(name).superseded_by, "merged") else []
        left = {name: self.without(run, name, concerned) for name in above}
        shared = {
            name: {column: value for column, value in columns.items() if column in run.changed(name)}
            for name, columns in left.items()
        }
        return {name: columns for name, columns in shared.items() if columns}

    def without(self, run: Run, name: object, concerned: set[Any]) -> dict[str, Any]:
        """Confirmations and evidence of a survivor as if the facts concerned had not been merged into it."""
        others = [self.without(run, one, concerned) for one in run.closed_by(name, "merged") if one not in concerned]
        was, left = run.was(name), run.left(name)
        gain = sum(counted(one["confirmations"]) for one in others)
        brought = {word for one in others for word in ids_in(one["evidence"])}
        evidence = was.evidence
        if isinstance(left.evidence, str) and left.evidence != was.evidence:
            first = was.evidence or ""
            kept = [word for word in ids_in(left.evidence[len(first) :]) if word in brought]
            evidence = " ".join([*([first] if first else []), *kept]) if kept else was.evidence
        return {"confirmations": counted(was.confirmations) + gain if gain else was.confirmations, "evidence": evidence}

    def remember_exceptions(self, rows: Sequence[Row], run: Run, restored: dict[Any, list[str]], run_id: str) -> None:
        """What was taken back is not done again by any fact that the attribute had at the time, nor by the date."""
        now = by_id(rows)
        for name, columns in restored.items():
            if name in run.made or not set(columns) & set(CLOSING):
                continue
            fact = now[name]
            for other in now.values():
                alike = (other.user_id, other.attribute) == (fact.user_id, fact.attribute)
                if alike and other is not fact and not (is_time(other.valid_from) and other.valid_from > run.now):
                    self.oracle.exempt.append(Exempt(name, other.id, run_id))
            if run.left(name).status == "expired" and "status" in columns:
                self.oracle.exempt.append(Exempt(name, None, run_id))

    def lift(self, rows: Sequence[Row], run: Run, fact: object) -> list[Row]:
        """Undoing an undo, or a rollback, takes its exceptions away."""
        lifted = [one for one in self.oracle.exempt if one.run_id == run.id and fact in (None, one.fact)]
        if not lifted:
            raise RefusedError
        self.oracle.exempt = [one for one in self.oracle.exempt if one not in lifted]
        return list(rows)

    def undo_pin(self, rows: Sequence[Row], run: Run) -> list[Row]:
        row = by_id(rows).get(run.fact)
        pins = set(self.oracle.pins)
        if row is None or (run.fact in pins) != (run.kind == "pin") or (run.kind == "unpin" and row.status != "active"):
            raise RefusedError
        self.oracle.pins = sorted(pins ^ {run.fact}, key=repr)
        return list(rows)

    # Rollback

    def roll_back(self, rows: Sequence[Row], first: Run, run_id: str) -> tuple[list[Row], list[str]]:
        """Take back a night and those after it, whatever was written since; return the facts and the runs, the last first."""
        nights = [run for run in self.runs if run.kind in ("night", "light")]
        undone = [run for run in nights[nights.index(first) :] if not run.rolled_back][::-1]
        rows = [replace(row) for row in rows]
        for run in undone:
            rows = self.take_back(rows, run, run_id)
            run.rolled_back = True
        return rows, [run.id for run in undone]

    def take_back(self, rows: list[Row], run: Run, run_id: str) -> list[Row]:
        """'A column that differs from the run's after-image is a later edit and stays, as does an edited promoted fact;
        what the job itself wrote goes. Later tombstones apply.'"""
        now = by_id(rows)
        going = {name for name in run.made if name in now and name not in self.oracle.pins}
        going = {name for name in going if replace(now[name], rowid=0) == replace(run.left(name), rowid=0)}
        restored: dict[Any, Row] = {}
        for name in [name for name in run.net if name in now and name not in run.made]:
            columns = [one for one in run.changed(name) if getattr(now[name], one) == getattr(run.left(name), one)]
            row = replace(now[name], **{column: getattr(run.was(name), column) for column in columns})
            reopened = open_ended(row) and not open_ended(now[name])
            if columns and not (reopened and self.forgotten(row)) and not self.leads_nowhere(row, columns, now):
                restored[name] = row
        while stuck := going & {row.superseded_by for name, row in (now | restored).items() if name not in going}:
            going -= stuck  # what stays still points to it
        self.remember_exceptions(
            rows, run, {name: self.differing(now[name], row) for name, row in restored.items()}, run_id
        )
        return [restored.get(row.id, row) for row in rows if row.id not in going]

    @staticmethod
    def differing(one: Row, other: Row) -> list[str]:
        return [column for column in MUTABLE if getattr(one, column) != getattr(other, column)]

    @staticmethod
    def leads_nowhere(row: Row, columns: Sequence[str], now: dict[Any, Row]) -> bool:
        """Whether a pointer that comes back is one to a fact that is not there any more."""
        if "superseded_by" not in columns or row.superseded_by is None or row.status not in ("merged", "superseded"):
            return False
        return row.superseded_by not in now or now[row.superseded_by].user_id != row.user_id


def open_ended(row: Row) -> bool:
    """In force, now or in the future."""
    return row.status == "active" and row.valid_to is None
