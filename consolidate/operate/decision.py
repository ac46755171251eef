"""What a person decides, written to the live store as any other client would: in one short transaction.

It works while the application writes and while a run is going on: the run sees it as a late write and makes another pass
(DESIGN section 4, carry over). Every decision is recorded like a run, with its actions, so that ``history`` can say why.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import apsw

from consolidate.config import Settings
from consolidate.errors import StorageError, UsageError
from consolidate.model import new_run_id
from consolidate.steps import evidence, made, promote, workspace
from consolidate.steps.context import StepContext
from consolidate.steps.workspace import NEXT_ACTION
from consolidate.store import cells, connections, contract, job_tables, statistics
from consolidate.store.cells import Cell
from consolidate.store.connections import translated
from consolidate.store.contract import FACT_COLUMNS, MUTABLE_COLUMNS
from consolidate.store.reading import Fact

# The kinds of ``consolidation_runs`` that a person's decisions have; none of them is a run of the job.
KINDS = ("review", "pin", "unpin", "undo", "forget")

_BITS = {name: 1 << place for place, name in enumerate(MUTABLE_COLUMNS)}


@dataclass(frozen=True)
class Stored:
    """A fact and where its row is (``context.order``)."""

    key: Any
    fact: Fact


@dataclass
class Decision:
    """One decision, inside its transaction.

    Attributes:
        db: the live store, open for writing; triggers are on.
        path: its file, for errors.
        kind: one of `KINDS`.
        context: the run that the decision is recorded as.
    """

    db: apsw.Connection
    path: Path
    kind: str
    context: StepContext

    @property
    def run_id(self) -> str:
        """The run that the decision is recorded as."""
        return self.context.run_id

    def find(self, fact_id: str) -> Stored:
        """Return a fact by its exact id.

        Raises:
            UsageError: there is none.
        """
        found = find_fact(self.db, self.context.order, fact_id)
        if found is None:
            raise unknown_fact(fact_id, self.path)
        return found

    def note(self, key: Any, step: str, reason: str) -> None:
        """Record that something was decided about a fact which stays as it is."""
        self._act(key, step, "update", reason, {}, {})

    def change(
        self, key: Any, step: str, reason: str, columns: Mapping[str, str], values: Mapping[str, Any] | None = None
    ) -> None:
        """Set columns of a fact, and record the change with its before- and after-image.

        Args:
            key: the fact's row.
            step: the name under which the action is recorded.
            reason: why, without memory content.
            columns: for each of the job's mutable columns that is set, SQL for its value over the row ``f``.
            values: the parameters of that SQL.
        """
        values = {**(values or {}), "key": key}
        where = f"FROM main.facts f WHERE f.{self.context.order} = :key"
        differs = ", ".join(f"({sql}) IS NOT f.{name} COLLATE BINARY" for name, sql in columns.items())
        row = self.db.execute(f"SELECT {differs} {where}", values).fetchone()
        changed = {name: sql for (name, sql), differ in zip(columns.items(), row or (), strict=True) if differ}
        self._act(key, step, "update", reason, changed, values)
        if changed:
            assignments = ", ".join(f"{name} = {sql}" for name, sql in changed.items())
            self.db.execute(
                f"UPDATE OR ABORT main.facts AS f SET {assignments} WHERE f.{self.context.order} = :key", values
            )

    def _act(
        self, key: Any, step: str, kind: str, reason: str, columns: Mapping[str, str], values: Mapping[str, Any]
    ) -> None:
        before = ", ".join(f"f.{name}" if name in columns else "NULL" for name in MUTABLE_COLUMNS)
        after = ", ".join(columns.get(name, "NULL") for name in MUTABLE_COLUMNS)
        self.db.execute(
            f"""INSERT INTO main.consolidation_actions
                SELECT :run, {NEXT_ACTION} + 1, :step, :kind, f.id, f.user_id, :reason, {before}, {after}, :changed
                FROM main.facts f WHERE f.{self.context.order} = :key""",
            {
                **values,
                "run": self.run_id,
                "step": step,
                "kind": kind,
                "reason": reason,
                "changed": sum(_BITS[name] for name in columns),
                "key": key,
            },
        )

    def inserted(self, fact_id: str, step: str, reason: str) -> Stored:
        """Record a fact that was just inserted."""
        stored = self.find(fact_id)
        self.db.execute(
            f"""INSERT INTO main.consolidation_actions(run_id, seq, step, kind, fact_id, user_id, reason, after_status,
                    after_valid_to, after_superseded_by, after_evidence, after_confirmations, changed)
                SELECT :run, {NEXT_ACTION} + 1, :step, 'insert', id, user_id, :reason, status, valid_to, superseded_by,
                       evidence, confirmations, 31 FROM main.facts WHERE {self.context.order} = :key""",
            {"run": self.run_id, "step": step, "reason": reason, "key": stored.key},
        )
        made.remember(self.db, self.run_id)
        return stored

    def check(self) -> None:
        """Make sure that what was decided is what stands in the facts.

        Raises:
            StorageError: a trigger of the application changes or refuses it.
        """
        differs = " OR ".join(
            f"(a.changed & {bit} AND f.{name} IS NOT a.after_{name} COLLATE BINARY)" for name, bit in _BITS.items()
        )
        spoiled = self.db.execute(
            f"""SELECT count(*) FROM (
                    SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY fact_id ORDER BY seq DESC) AS place
                                   FROM main.consolidation_actions WHERE run_id = ? AND kind <> 'delete') WHERE place = 1) a
                LEFT JOIN main.facts f ON f.id = a.fact_id AND +f.id IS a.fact_id COLLATE BINARY
                WHERE f.id IS NULL OR {differs}""",
            (self.run_id,),
        ).get
        if spoiled:
            raise StorageError(
                f"A trigger of {self.path} undoes or alters what was decided.",
                "Adapt the trigger; the store is unchanged.",
            )


@contextmanager
def deciding(path: Path, settings: Settings, kind: str, now: float) -> Iterator[Decision]:
    """Open the live store, take its write lock for the block, and commit at its end; an exception leaves it as it was.

    Args:
        path: the live store, which may be a symlink.
        settings: the configuration.
        kind: one of `KINDS`; the decision is recorded as a run of this kind.
        now: Unix seconds.

    Raises:
        BusyError: somebody else kept the store locked for ``swap.lock_timeout``.
        NotAStoreError: the file is not a store.
        StorageError: a trigger or a constraint of the application refuses the decision.
    """
    path = path.resolve()
    db = connections.open_live(path, lock_timeout=settings.swap.lock_timeout, extensions=settings.store.extensions)
    try:
        with translated(path):
            evidence.register(db)
            promote.register(db)
            made.register(db)
            for pragma in ("synchronous=EXTRA", "temp_store=FILE"):
                db.execute(f"PRAGMA {pragma}").fetchall()
            db.execute("BEGIN IMMEDIATE")
            statistics.ignore(db)
            shape = contract.validate(db, path)
            job_tables.migrate(db)
            decision = Decision(db, path, kind, StepContext(new_run_id(now), now, settings, shape))
            yield decision
            decision.check()
            _record(decision)
            db.execute("COMMIT")
    finally:
        if db.in_transaction:
            db.execute("ROLLBACK")
        db.close()


def _record(decision: Decision) -> None:
    """Write the row of the run, unless the decision came to nothing."""
    actions: list[Any] = decision.db.execute(
        "SELECT step, count(*) FROM main.consolidation_actions WHERE run_id = ? GROUP BY step", (decision.run_id,)
    ).fetchall()
    if actions or decision.kind == "forget":
        record = {"run_id": decision.run_id, "kind": decision.kind, "actions": dict(actions)}
        decision.db.execute(
            "INSERT INTO main.consolidation_runs VALUES (?, ?, ?, ?)",
            (decision.run_id, decision.context.now, decision.kind, json.dumps(record)),
        )


def find_fact(db: apsw.Connection, order: str, fact_id: str) -> Stored | None:
    """Return a fact by its exact id; ``order`` is `StepContext.order`."""
    row = db.execute(
        f"SELECT {order}, {cells.select_list(FACT_COLUMNS)} FROM main.facts WHERE id = ?1 AND +id IS ?1 COLLATE BINARY",
        (fact_id,),
    ).fetchone()
    return None if row is None else Stored(row[0], Fact(*cells.decoded(row[1:], cells.text_codec(db))))


def facts_at(db: apsw.Connection, order: str, keys: str, values: Mapping[str, Any] | None = None) -> dict[Any, Fact]:
    """Return facts by row.

    Args:
        db: the store.
        order: `StepContext.order`.
        keys: SQL for the rows, a query of one column.
        values: its parameters.
    """
    codec = cells.text_codec(db)
    rows = db.execute(
        f"SELECT {order}, {cells.select_list(FACT_COLUMNS)} FROM main.facts WHERE {order} IN ({keys}) ORDER BY {order}",
        values or {},
    )
    return {row[0]: Fact(*cells.decoded(row[1:], codec)) for row in rows}


def load_groups(db: apsw.Connection, context: StepContext, scope: str, values: Mapping[str, Any] | None = None) -> None:
    """Load groups (user, attribute) into the TEMP tables of the steps; ``scope`` is a query for both columns."""
    workspace.prepare(db, context)
    db.execute(f"INSERT OR IGNORE INTO temp.scope {scope}", values or {})
    if not workspace.load(db, context, only_scope=True):
        workspace.build_indexes(db)  # what a person decides about is put there all the same


def unknown_fact(fact_id: str, path: Path) -> UsageError:
    """Return the error for an id that no fact has."""
    return UsageError(f"There is no fact {fact_id!a} in {path}.", "consolidate show and review list print the ids.")


def text_of(cell: Cell) -> str:
    """Return a column as text for a message or a document."""
    return cell.decode("utf-8", "replace") if isinstance(cell, bytes) else str(cell)


def is_pinned(db: apsw.Connection, fact_id: Cell) -> bool:
    """Tell whether a fact is pinned."""
    return bool(
        db.execute("SELECT count(*) FROM main.consolidation_pins WHERE fact_id IS ? COLLATE BINARY", (fact_id,)).get
    )
