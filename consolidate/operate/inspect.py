"""Reading what a run left: its problems in words with the facts behind them, what it would have changed, where it came from.

Meant for ``.rejected-*`` files, which hold their whole story; any other store tells of the last run that wrote into it. What
facts say is for the person who asked and never goes to the log.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import apsw

from consolidate.config import Settings
from consolidate.errors import ConsolidateError, StorageError
from consolidate.run import history, plan, run_lock
from consolidate.run.waivers import WAIVABLE
from consolidate.store import cells, connections, files
from consolidate.store.connections import translated
from consolidate.store.contract import FACT_COLUMNS, validate
from consolidate.store.files import StorePaths
from consolidate.store.job_tables import PROBLEMS, existing_version
from consolidate.store.reading import Fact

_NAME = re.compile(r"(?P<live>.+)\.(?P<kind>pre|rejected|undone)-(?P<run>\d{8}T\d{6}Z-[0-9a-f]{6})\Z")
MOST_USERS = 20


@dataclass(frozen=True)
class FactBehind:
    """A fact that a problem is about: as it stands in the file, and the status it had before the run."""

    fact: Fact
    status_before: str | None

    def as_json(self) -> dict[str, Any]:
        """Return the fact for JSON."""
        return {**self.fact.as_json(), "status_before": self.status_before}


@dataclass(frozen=True)
class ProblemShown:
    """A failed check with the facts behind it; ``missing`` are ids that the file does not hold."""

    check: str
    user_id: str | None
    message: str
    facts: tuple[FactBehind, ...]
    missing: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """Return the problem for JSON."""
        return {**vars(self), "facts": [fact.as_json() for fact in self.facts], "missing": list(self.missing)}


@dataclass
class Inspected:
    """What a file tells of the run that made it.

    Attributes:
        file: the file.
        kind: ``rejected``, ``pre``, ``undone``, or ``store`` for any other.
        live: the store it was made from, if it lies beside one.
        run_id: the run, or None where no run ever wrote into the file.
        now: the time of the run, Unix seconds.
        record: the run's record.
        problems: what was wrong.
        steps: how many actions each step took.
        users: per user how many actions each step took, those with the most first.
        plan: the actions as sentences.
    """

    file: Path
    kind: str
    live: Path | None
    run_id: str | None = None
    now: float | None = None
    record: dict[str, Any] = field(default_factory=dict)
    problems: list[ProblemShown] = field(default_factory=list)
    steps: dict[str, int] = field(default_factory=dict)
    users: list[tuple[str, dict[str, int]]] = field(default_factory=list)
    plan: list[str] = field(default_factory=list)

    @property
    def next_steps(self) -> list[str]:
        """What a person can do now, one sentence each."""
        if self.kind != "rejected":
            return []
        tenant = str(self.record.get("tenant") or "TENANT")
        advice = [f"If the rules or the data were wrong, mend them and rerun: nightly --tenant {tenant}"]
        for problem in self.problems:
            if problem.check in WAIVABLE:
                whom = "" if problem.user_id is None else f":{problem.user_id}"
                waiver = f"{problem.check}{whom}"
                advice.append(
                    f"If it is right as it is, waive it for one run: nightly --tenant {tenant} --waive {waiver}"
                )
        if self.live is not None:
            advice.append(f"To see every difference: consolidate diff {self.live} {self.file}")
        return list(dict.fromkeys(advice))

    def as_json(self) -> dict[str, Any]:
        """Return everything for JSON."""
        return {
            "file": str(self.file),
            "kind": self.kind,
            "live": None if self.live is None else str(self.live),
            "run_id": self.run_id,
            "now": self.now,
            "run": self.record or None,
            "problems": [problem.as_json() for problem in self.problems],
            "steps": self.steps,
            "users": [{"user_id": user, "steps": steps} for user, steps in self.users],
            "plan": self.plan,
            "next": self.next_steps,
        }


def inspect(file: Path, settings: Settings) -> Inspected:
    """Read a file; nothing is changed.

    Raises:
        StorageError: it does not exist or cannot be read.
        NotAStoreError: it is not a store.
    """
    if files.status(file) is None:
        raise StorageError(f"{file} does not exist.", "Check the name.")
    match = _NAME.match(file.name)
    live = file.with_name(match["live"]) if match else None
    found = Inspected(file, match["kind"] if match else "store", live if live and files.status(live) else None)
    with closing(
        connections.open_snapshot(file, settings.store.extensions, lock_timeout=settings.swap.lock_timeout)
    ) as db:
        validate(db, file)
        with translated(file):
            if not existing_version(db):
                return found
            _read_run(db, found, match["run"] if match and match["kind"] == "rejected" else None)
            if found.run_id is None:
                return found
            _read_problems(db, found)
            _count_actions(db, found)
            found.plan = plan.sentences(db, found.run_id)
    return found


def _read_run(db: apsw.Connection, found: Inspected, wanted: str | None) -> None:
    row = db.execute(
        """SELECT run_id, now, CAST(record AS BLOB) FROM main.consolidation_runs WHERE run_id = :run OR :run IS NULL
           ORDER BY now DESC, run_id DESC LIMIT 1""",
        {"run": wanted},
    ).fetchone()
    if row is None:
        found.run_id = wanted
        return
    found.run_id, found.now = str(row[0]), row[1]
    with suppress(ValueError):
        record = json.loads((row[2] or b"").decode(cells.text_codec(db), "replace"))
        found.record = record if isinstance(record, dict) else {}


def _read_problems(db: apsw.Connection, found: Inspected) -> None:
    known = db.execute("SELECT 1 FROM main.sqlite_master WHERE type = 'table' AND name = ?", (PROBLEMS,)).fetchone()
    rows: list[Any] = []
    if known:
        rows = db.execute(
            f"SELECT check_name, user_id, facts, message FROM main.{PROBLEMS} WHERE run_id = ? ORDER BY rowid",
            (found.run_id,),
        ).fetchall()
    assert found.run_id is not None
    for check, user, facts, message in rows:
        with suppress(ValueError, TypeError):
            ids = [str(item) for item in json.loads(facts)]
            behind = facts_behind(db, ids, found.run_id)
            held = {str(item.fact.id) for item in behind}
            missing = tuple(item for item in ids if item not in held)
            found.problems.append(ProblemShown(str(check), user, str(message), tuple(behind), missing))


def facts_behind(db: apsw.Connection, ids: Sequence[str], run_id: str) -> list[FactBehind]:
    """Return the facts of these ids as they stand in a file, each with the status it had before a run."""
    codec = cells.text_codec(db)
    behind = []
    for identity in ids:
        row = db.execute(
            f"SELECT {cells.select_list(FACT_COLUMNS)} FROM main.facts WHERE id = ? LIMIT 1", (identity,)
        ).fetchone()
        if row is None:
            continue
        before = db.execute(
            """SELECT before_status FROM main.consolidation_actions WHERE run_id = ? AND fact_id = ? AND changed & 1
               ORDER BY seq LIMIT 1""",
            (run_id, identity),
        ).fetchone()
        behind.append(FactBehind(Fact(*cells.decoded(row, codec)), None if before is None else before[0]))
    return behind


def _count_actions(db: apsw.Connection, found: Inspected) -> None:
    users: dict[str, dict[str, int]] = {}
    codec = cells.text_codec(db)
    for step, user, count in db.execute(
        """SELECT step, CAST(user_id AS BLOB), count(*) FROM main.consolidation_actions WHERE run_id = ?
           GROUP BY step, user_id ORDER BY min(seq)""",
        (found.run_id,),
    ):
        name = (user or b"").decode(codec, "replace")
        found.steps[step] = found.steps.get(step, 0) + count
        users.setdefault(name, {})[step] = count
    found.users = sorted(users.items(), key=lambda item: (-sum(item[1].values()), item[0]))


def mark_read(file: Path) -> bool:
    """Note in the history beside a ``.rejected`` that a person has read it, so that ``prune`` may remove it one day.

    Returns:
        Whether it was noted; where the history cannot be written the file stays unread, to no harm.
    """
    match = _NAME.match(file.name)
    if match is None or match["kind"] != "rejected":
        return False
    paths = StorePaths(file.with_name(match["live"]))
    if files.status(paths.runs) is None or match["run"] in history.read_by_people(history.read(paths.runs)):
        return False
    with suppress(ConsolidateError), run_lock.acquire(paths, match["run"]):
        history.mark_read(paths.runs, match["run"], like=paths.runs)
        return True
    return False


__all__ = ["MOST_USERS", "FactBehind", "Inspected", "ProblemShown", "inspect", "mark_read"]
