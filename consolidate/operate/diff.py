"""Comparing two files that are stores: per user and attribute, before and after, with the runs' reasons."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import apsw

from consolidate.config import Settings
from consolidate.errors import StorageError
from consolidate.store import cells, connections, files
from consolidate.store.cells import Cell
from consolidate.store.connections import translated
from consolidate.store.contract import EPISODE_COLUMNS, FACT_COLUMNS, TOMBSTONE_COLUMNS, validate
from consolidate.store.job_tables import existing_version
from consolidate.store.reading import Fact


@dataclass(frozen=True)
class Reason:
    """Why a fact differs: an action of a run that only one of the files knows (``known_to``: ``a`` or ``b``)."""

    known_to: str
    run_id: str
    step: str
    reason: str


@dataclass(frozen=True)
class Difference:
    """One fact that is not the same in both files; ``before`` is None where only B has it, ``after`` where only A has it."""

    before: Fact | None
    after: Fact | None
    reasons: tuple[Reason, ...] = ()

    @property
    def fact(self) -> Fact:
        """The fact as either file has it."""
        found = self.after or self.before
        assert found is not None
        return found

    @property
    def changed(self) -> dict[str, tuple[Cell, Cell]]:
        """The columns that differ, with both contents; empty where one file lacks the fact."""
        if self.before is None or self.after is None:
            return {}
        pairs = {column: (getattr(self.before, column), getattr(self.after, column)) for column in FACT_COLUMNS}
        return {column: pair for column, pair in pairs.items() if _differ(*pair)}

    def as_json(self) -> dict[str, Any]:
        """Return the difference for JSON."""
        kind = "added" if self.before is None else "removed" if self.after is None else "changed"
        return {
            "user_id": cells.as_json(self.fact.user_id),
            "attribute": cells.as_json(self.fact.attribute),
            "fact": cells.as_json(self.fact.id),
            "kind": kind,
            "before": self.before and self.before.as_json(),
            "after": self.after and self.after.as_json(),
            "reasons": [dict(vars(reason)) for reason in self.reasons],
        }


@dataclass
class Comparison:
    """How two files differ.

    Attributes:
        a: the first file.
        b: the second.
        facts: the facts that differ, by user, attribute and beginning.
        other: per table how many rows only A and only B has.
    """

    a: Path
    b: Path
    facts: list[Difference] = field(default_factory=list)
    other: dict[str, tuple[int, int]] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Return the comparison for JSON."""
        return {
            "a": str(self.a),
            "b": str(self.b),
            "facts": [difference.as_json() for difference in self.facts],
            "other": {table: {"only_a": only_a, "only_b": only_b} for table, (only_a, only_b) in self.other.items()},
        }


def compare(a: Path, b: Path, settings: Settings) -> Comparison:
    """Compare two files; neither is changed.

    Raises:
        StorageError: one does not exist or cannot be read.
        NotAStoreError: one is not a store.
    """
    for path in (a, b):
        if files.status(path) is None:
            raise StorageError(f"{path} does not exist.", "Check the name.")
    with closing(connections.open_reader(a, settings.store.extensions, lock_timeout=settings.swap.lock_timeout)) as db:
        connections.attach(db, b, "b")
        validate(db, a)
        validate(db, b, "b")
        found = Comparison(a, b)
        with translated(b), db:
            _compare(db, found)
    return found


def _compare(db: apsw.Connection, found: Comparison) -> None:
    _find_differing(db)
    before, after = ({fact.id: fact for fact in _facts(db, schema)} for schema in ("main", "b"))
    reasons = _reasons(db)
    found.facts = [
        Difference(before.get(identity), after.get(identity), tuple(reasons.get(identity, ())))
        for identity in dict.fromkeys([*before, *after])
    ]
    found.facts.sort(key=lambda difference: _place(difference.fact))
    for table, columns in (("episodes", EPISODE_COLUMNS), ("tombstones", TOMBSTONE_COLUMNS)):
        names = ", ".join(columns)
        only = "SELECT count(*) FROM (SELECT {0} FROM {1}.{3} EXCEPT SELECT {0} FROM {2}.{3})"
        only_a, only_b = (
            int(db.execute(only.format(names, one, other, table)).get) for one, other in (("main", "b"), ("b", "main"))
        )
        found.other[table] = (only_a, only_b)


def _find_differing(db: apsw.Connection) -> None:
    """Fill ``temp.differing`` with the ids of the facts that are not the same in both."""
    db.execute("CREATE TEMP TABLE differing(id PRIMARY KEY) WITHOUT ROWID")
    differs = " OR ".join(f"x.{column} IS NOT y.{column} COLLATE BINARY" for column in FACT_COLUMNS[1:])
    for one, other, also in (("main", "b", differs), ("b", "main", "0")):
        db.execute(
            f"""INSERT OR IGNORE INTO temp.differing SELECT x.id FROM {one}.facts x LEFT JOIN {other}.facts y ON y.id = x.id
                WHERE x.id IS NOT NULL AND (y.id IS NULL OR {also})"""
        )


def _facts(db: apsw.Connection, schema: str) -> Iterable[Fact]:
    codec = cells.text_codec(db)
    for row in db.execute(
        f"SELECT {cells.select_list(FACT_COLUMNS)} FROM {schema}.facts WHERE id IN (SELECT id FROM temp.differing)"
    ):
        yield Fact(*cells.decoded(row, codec))


def _reasons(db: apsw.Connection) -> dict[Cell, list[Reason]]:
    """Return the actions on the differing facts by runs that only one of the files knows."""
    found: dict[Cell, list[Reason]] = {}
    codec = cells.text_codec(db)
    columns = ("fact_id", "run_id", "step", "reason")
    for name, schema, other in (("a", "main", "b"), ("b", "b", "main")):
        if not existing_version(db, schema):
            continue
        known = f"run_id NOT IN (SELECT run_id FROM {other}.consolidation_runs)" if existing_version(db, other) else "1"
        for row in db.execute(
            f"""SELECT {cells.select_list(columns)} FROM {schema}.consolidation_actions
                WHERE fact_id IN (SELECT id FROM temp.differing) AND {known} ORDER BY run_id, seq"""
        ):
            fact, run_id, step, reason = cells.decoded(row, codec)
            found.setdefault(fact, []).append(Reason(name, str(run_id), str(step), str(reason or "")))
    return found


def _differ(left: Cell, right: Cell) -> bool:
    return (type(left), left) != (type(right), right) and not (
        isinstance(left, (int, float)) and isinstance(right, (int, float)) and left == right
    )


def _place(fact: Fact) -> tuple[str, str, float, str]:
    begins = fact.valid_from if isinstance(fact.valid_from, (int, float)) else 0.0
    return str(fact.user_id), str(fact.attribute), begins, str(fact.id)
