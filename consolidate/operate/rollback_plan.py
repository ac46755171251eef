"""Which runs a rollback undoes, and what it brings back and keeps, in words (DESIGN section 4, rollback).

The sentences are for the person who asked and show what facts say; they never go to the log.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import apsw

from consolidate.errors import UsageError
from consolidate.operate.decision import KINDS
from consolidate.operate.spared import REASONS
from consolidate.run.plan import MOST_LINES, shortened
from consolidate.store import connections, files
from consolidate.store.cells import text_codec
from consolidate.store.contract import FACT_COLUMNS, MUTABLE_COLUMNS
from consolidate.store.files import StorePaths
from consolidate.times import format_when

if TYPE_CHECKING:
    from consolidate.operate.rollback import Rollback

NOTHING = "There is no run to roll back: none was made, or all of them were rolled back already."

_FROZEN = tuple(name for name in FACT_COLUMNS if name not in MUTABLE_COLUMNS)


@dataclass(frozen=True)
class Target:
    """Which run is undone, together with all after it: one by its id, the first of a night (a UTC date), or else the last one."""

    run_id: str | None = None
    night: date | None = None

    def runs(self, db: apsw.Connection, path: Path) -> list[str]:
        """Return the runs to undo, the last one first; none if all of them are undone already, or the night had none.

        Args:
            db: the store as ``main``.
            path: the store, for errors.

        Raises:
            UsageError: there is no such run, or it is none of the job's.
        """
        rows: list[Any] = db.execute(
            "SELECT run_id, now, kind, record FROM main.consolidation_runs ORDER BY rowid"
        ).fetchall()
        gone = {run for _, _, kind, record in rows if kind == "rollback" for run in _undone_by(record)}
        own = [(str(run), now) for run, now, kind, _ in rows if kind not in (*KINDS, "rollback")]
        place = self._place(own, {str(run): str(kind) for run, _, kind, _ in rows}, path)
        return [run for run, _ in reversed(own[place:]) if run not in gone]

    def _place(self, own: list[tuple[str, Any]], kinds: dict[str, str], path: Path) -> int:
        if self.night is not None:
            return next((place for place, (_, now) in enumerate(own) if _date(now) == self.night), len(own))
        if self.run_id is None:
            return max(0, len(own) - 1)
        for place, (run, _) in enumerate(own):
            if run == self.run_id:
                return place
        if self.run_id in kinds:
            raise UsageError(
                f"The run {self.run_id} is not one of the job's: it is of the kind {kinds[self.run_id]}.",
                "consolidate undo takes back what a person decided.",
            )
        raise UsageError(
            f"The store {path} knows no run {self.run_id!a}.",
            "A run that changed nothing or was rejected left nothing to roll back; status --tenant names the runs.",
        )


def _undone_by(record: str) -> list[str]:
    with suppress(ValueError):
        found = json.loads(record)
        if isinstance(found, dict) and isinstance(found.get("undone"), list):
            return [str(run) for run in found["undone"]]
    return []


def _date(now: object) -> date | None:
    with suppress(ValueError, OverflowError, OSError):
        if isinstance(now, (int, float)):
            return datetime.fromtimestamp(now, UTC).date()
    return None


def sentences(db: apsw.Connection, paths: StorePaths, rollback: Rollback) -> list[str]:
    """Return what a rollback brings back, what goes and what stays.

    Args:
        db: the shadow after the reversal, as ``main``, with the snapshot attached as ``base``.
        paths: the files of the store.
        rollback: what was done.
    """
    if not rollback.undone:
        return [NOTHING]
    lines = list(_runs(db, rollback.undone))
    lines += _facts(db, rollback.record.run_id)
    if not rollback.restored and not rollback.deleted:
        lines.append("No fact changes.")
    for reason, words in REASONS.items():
        if count := rollback.stays.get(reason):
            lines.append(f"Stays: {count} {'fact' if count == 1 else 'facts'}, each of which {words}.")
    lines += _written_since(db, paths, rollback.undone)
    lines.append(f"The store as it is now is kept, as {paths.live.name}.undone- with the id of the rollback.")
    return lines


def _runs(db: apsw.Connection, undone: list[str]) -> Iterator[str]:
    for run in reversed(undone):
        moment = db.execute("SELECT now FROM main.consolidation_runs WHERE run_id = ?", (run,)).get
        yield f"Undoes the run {run} of {format_when(moment)}{', which came later' if run != undone[-1] else ''}."


def _facts(db: apsw.Connection, run_id: str) -> Iterator[str]:
    codec = text_codec(db)
    texts = ("b.user_id", "b.attribute", "b.id", "substr(b.value, 1, 1000)", "f.status")
    rows: Any = db.execute(
        f"""SELECT a.kind, b.status IS NOT f.status, a.steps, {", ".join(f"CAST({text} AS BLOB)" for text in texts)}
            FROM (SELECT fact_id, min(kind) AS kind, group_concat(reason, '; ' ORDER BY seq) AS steps, min(seq) AS seq
                  FROM main.consolidation_actions WHERE run_id = ? GROUP BY fact_id) a
                 JOIN base.facts b ON b.id = a.fact_id LEFT JOIN main.facts f ON f.id = a.fact_id
            ORDER BY a.seq""",
        (run_id,),
    )
    told = 0
    for kind, turned, why, *raw in rows:
        told += 1
        if told > MOST_LINES:
            continue
        user, attribute, fact, value, status = (shortened(item, codec) for item in raw)
        becomes = f"is {status} again" if turned else "gets back what it was like"
        yield f"{user}, {attribute} [{fact}]: “{value}” {'goes' if kind == 'delete' else becomes} ({why})."
    if told > MOST_LINES:
        yield f"… and {told - MOST_LINES} more."


def _written_since(db: apsw.Connection, paths: StorePaths, undone: list[str]) -> list[str]:
    """Say what the application wrote since the oldest run that is undone, as far as its ``.pre`` is still there to tell."""
    pre = paths.pre(undone[-1])
    if files.status(pre) is None:
        return ["What was written since stays."]
    connections.attach(db, pre, "pre")
    parts = []
    made = f"SELECT fact_id FROM main.consolidation_actions WHERE run_id IN ({', '.join('?' * len(undone))})"
    for table, columns in (("facts", _FROZEN), ("episodes", ("user_id", "occurred_at", "summary"))):
        differs = " OR ".join(f"p.{name} IS NOT b.{name} COLLATE BINARY" for name in columns)
        not_ours = f" AND b.id NOT IN ({made} AND kind = 'insert')" if table == "facts" else ""
        values = undone if table == "facts" else ()
        counts = {
            "new": db.execute(
                f"""SELECT count(*) FROM base.{table} b LEFT JOIN pre.{table} p ON p.id = b.id
                    WHERE p.id IS NULL{not_ours}""",
                values,
            ).get,
            "changed": db.execute(
                f"SELECT count(*) FROM base.{table} b JOIN pre.{table} p ON p.id = b.id WHERE {differs}"
            ).get,
            "deleted": db.execute(
                f"SELECT count(*) FROM pre.{table} p LEFT JOIN base.{table} b ON b.id = p.id WHERE b.id IS NULL"
            ).get,
        }
        told = ", ".join(f"{count} {word}" for word, count in counts.items() if count)
        parts += [f"{table}: {told}"] if told else []
    tombstones = db.execute("SELECT (SELECT count(*) FROM base.tombstones) - (SELECT count(*) FROM pre.tombstones)").get
    parts += [f"tombstones: {tombstones} new"] if tombstones > 0 else []
    db.execute("DETACH pre")
    if not parts:
        return ["Since then no fact, episode or tombstone was added, reworded or deleted by others."]
    return [f"Stays, since it was written since by others: {'; '.join(parts)}."]
