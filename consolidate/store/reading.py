"""What a store says about a user: in force, held at a time, the history of an attribute (DESIGN sections 1 and 3).

Only reads; every answer is one statement, so it is of one instant. Works on any file that is a store: live, ``.pre``,
``.rejected``, with the job's own tables or without.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeGuard

import apsw

from consolidate.store import cells
from consolidate.store.cells import Cell
from consolidate.store.connections import quoted, translated
from consolidate.store.contract import FACT_COLUMNS, validate
from consolidate.store.job_tables import existing_version

_NUMBER = "typeof({0}) IN ('integer', 'real')"
_BEGUN = f"({_NUMBER.format('valid_from')} AND valid_from <= :at)"
_UNEXPIRED = "(expires_at IS NULL OR expires_at > :at)"
_IN_FORCE = f"(status = 'active' AND valid_to IS NULL AND {_BEGUN} AND {_UNEXPIRED})"
_ENDS_LATER = f"({_NUMBER.format('valid_to')} AND valid_to > :at)"
_HELD = f"""({_BEGUN} AND (
    (status = 'active' AND (valid_to IS NULL OR {_ENDS_LATER}) AND {_UNEXPIRED})
    OR (status IN ('superseded', 'expired', 'merged') AND {_ENDS_LATER})))"""
_EXACT = "COLLATE BINARY"  # users and attributes compare exactly, whatever the collation of their columns


@dataclass(frozen=True)
class Fact:
    """One fact as its row stands in the store, dirt included; the columns are those of DESIGN section 2."""

    id: Cell
    user_id: Cell
    attribute: Cell
    value: Cell
    multi: Cell
    source: Cell
    valid_from: Cell
    valid_to: Cell
    expires_at: Cell
    status: Cell
    superseded_by: Cell
    evidence: Cell
    confirmations: Cell

    @property
    def window(self) -> tuple[float, float | None] | None:
        """When the fact held, [from, to) in Unix seconds; ``to`` is None while it lasts; None if it held nowhere."""
        limits: tuple[Cell, ...]
        if self.status == "active":
            limits = (self.valid_to, self.expires_at)
        elif self.status in ("superseded", "expired", "merged") and _is_number(self.valid_to):
            limits = (self.valid_to,)
        else:
            return None
        ends = min((limit for limit in limits if _is_number(limit)), default=None)
        if not _is_number(self.valid_from) or (ends is not None and ends <= self.valid_from):
            return None
        return self.valid_from, ends

    def as_json(self) -> dict[str, Any]:
        """Return the columns for JSON; see `cells.as_json` for those that JSON has no form for."""
        return {column: cells.as_json(getattr(self, column)) for column in FACT_COLUMNS}


@dataclass(frozen=True)
class Change:
    """Why a fact is as it is: one action of a run on it, from the lineage.

    ``at`` is the time of the run in Unix seconds; the statuses are None where the action left the status alone.
    """

    run_id: str
    at: float | None
    step: str
    reason: str
    status_before: str | None
    status_after: str | None

    def as_json(self) -> dict[str, Any]:
        """Return the change for JSON."""
        return dict(vars(self))


@dataclass(frozen=True)
class HistoryEntry:
    """A fact of an attribute's history and what the runs did to it, oldest first."""

    fact: Fact
    changes: tuple[Change, ...]

    def as_json(self) -> dict[str, Any]:
        """Return the entry for JSON: the fact's columns, its window or null, and the changes."""
        window = self.fact.window and [cells.as_json(limit) for limit in self.fact.window]
        return {**self.fact.as_json(), "window": window, "changes": [change.as_json() for change in self.changes]}


class Reader:
    """Questions to one open store.

    Args:
        db: an open connection; only read from.
        path: its file, for errors.
        attributes: the configuration's ``[attributes]``: ``single`` or ``multi``, over the rows' flags.
        rank: the configuration's ``[sources] rank``, lowest first.

    Raises:
        NotAStoreError: the file is not a store.
    """

    def __init__(self, db: apsw.Connection, path: Path, attributes: Mapping[str, str], rank: Sequence[str]) -> None:
        self._db = db
        self._path = path
        self._overrides = dict(attributes)
        self._ranks = list(rank)
        self._order = validate(db, path).facts.order
        self._codec = cells.text_codec(db)

    def in_force(self, user: str, at: float) -> list[Fact]:
        """Return the user's facts in force at ``at`` (Unix seconds), by attribute, then by beginning.

        Before a night's run a one-valued attribute may have several; `as_of` gives the one that answers it.
        """
        with translated(self._path):
            return self._facts(f"user_id = :user {_EXACT} AND {_IN_FORCE}", {"user": user, "at": at})

    def as_of(self, user: str, at: float) -> list[Fact]:
        """Return what held at ``at`` (Unix seconds): the one answer of each one-valued attribute, all of the others.

        Of several windows that contain the time the highest rank counts, then the latest beginning (DESIGN section 3). All
        pinned facts have the same rank.
        """
        with translated(self._path):
            pinned = "0"
            if existing_version(self._db):
                pinned = "(status = 'active' AND id IN (SELECT fact_id FROM main.consolidation_pins))"
            names = ", ".join(quoted(column) for column in FACT_COLUMNS)
            partition = f"PARTITION BY attribute {_EXACT}"
            parameters: dict[str, Any] = {"user": user, "at": at}
            source = f"""(
                SELECT *, row_number() OVER (
                    {partition} ORDER BY {pinned} DESC, CASE WHEN NOT {pinned} THEN {self._rank(parameters)} END DESC,
                                         valid_from DESC, place DESC) AS answer
                FROM (SELECT {names}, {self._order} AS place, {self._single(parameters)} AS single
                      FROM main.facts WHERE user_id = :user {_EXACT})
                WHERE {_HELD})"""
            return self._facts("NOT single OR answer = 1", parameters, source, "place")

    def history(self, user: str, attribute: str) -> list[HistoryEntry]:
        """Return every fact of an attribute, whatever its status, by beginning, with what the runs did to it."""
        where = f"user_id = :user {_EXACT} AND attribute = :attribute {_EXACT}"
        parameters = {"user": user, "attribute": attribute}
        with translated(self._path), self._db:
            facts = self._facts(where, parameters)
            changes = self._changes(where, parameters) if existing_version(self._db) else {}
        return [HistoryEntry(fact, tuple(changes.get(fact.id, ()))) for fact in facts]

    def _facts(self, where: str, parameters: dict[str, Any], source: str = "main.facts", order: str = "") -> list[Fact]:
        rows = self._db.execute(
            f"SELECT {cells.select_list(FACT_COLUMNS)} FROM {source} WHERE {where} "
            f"ORDER BY attribute {_EXACT}, valid_from, {order or self._order}",
            parameters,
        )
        return [Fact(*cells.decoded(row, self._codec)) for row in rows]

    def _single(self, parameters: dict[str, Any]) -> str:
        """Return SQL that tells whether the attribute of a row is one-valued."""
        cases = []
        for number, (attribute, mode) in enumerate(self._overrides.items()):
            parameters[f"attribute{number}"] = attribute
            cases.append(f"WHEN attribute = :attribute{number} {_EXACT} THEN {int(mode == 'single')}")
        flags = f"min(CASE WHEN id IS NOT NULL THEN coalesce(multi = 0, 0) END) OVER (PARTITION BY attribute {_EXACT})"
        return f"CASE {' '.join(cases)} ELSE {flags} END" if cases else flags

    def _rank(self, parameters: dict[str, Any]) -> str:
        """Return SQL for the rank of a row's source."""
        cases = []
        for number, source in enumerate(self._ranks):
            parameters[f"source{number}"] = source
            cases.append(f"WHEN source = :source{number} {_EXACT} THEN {number}")
        return f"CASE {' '.join(cases)} ELSE -1 END" if cases else "-1"

    def _changes(self, where: str, parameters: dict[str, Any]) -> dict[Cell, list[Change]]:
        columns = ("fact_id", "run_id", "now", "step", "reason", "before_status", "after_status")
        rows = self._db.execute(
            f"""SELECT {cells.select_list(columns)}
                FROM main.consolidation_actions LEFT JOIN main.consolidation_runs USING (run_id)
                WHERE fact_id IN (SELECT id FROM main.facts WHERE {where}) ORDER BY run_id, seq""",
            parameters,
        )
        changes: dict[Cell, list[Change]] = {}
        for row in rows:
            fact_id, run_id, at, step, reason, before, after = cells.decoded(row, self._codec)
            change = Change(
                str(run_id),
                at if _is_number(at) else None,
                str(step),
                str(reason or ""),
                None if before is None else str(before),
                None if after is None else str(after),
            )
            changes.setdefault(fact_id, []).append(change)
        return changes


def _is_number(cell: Cell) -> TypeGuard[float]:
    return isinstance(cell, (int, float))
