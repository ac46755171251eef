"""What must hold after a fault, looked at from outside with the stdlib's SQLite (DESIGN section 4)."""

from __future__ import annotations

import re
import shutil
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

RUN = r"\d{8}T\d{6}Z-[0-9a-f]{6}"
LASTING = re.compile(rf"memory\.db(\.lock|\.pre-{RUN}|\.rejected-{RUN}|\.undone-{RUN}|\.runs\.jsonl|\.state\.json)?\Z")
KEPT = re.compile(rf"memory\.db\.(pre|undone)-{RUN}\Z")
DISPOSABLE = re.compile(r"memory\.db\.shadow|\.part(-journal|-wal|-shm)?\Z")
_LATE = 1000  # the first number of the application's late notes


class Wrong(AssertionError):
    """Something does not hold."""


@dataclass(frozen=True)
class State:
    """What a store holds, but for what the application wrote late.

    Attributes:
        rows: every row of every table of the application, as text.
        runs: how many runs it knows.
        actions: how many actions.
        late: what the application wrote late.
    """

    rows: tuple[str, ...]
    runs: int
    actions: int
    late: tuple[str, ...] = ()

    def without_late(self) -> State:
        """Return the state without what was written late."""
        return State(self.rows, self.runs, self.actions)


def wrong(sentence: str) -> Wrong:
    return Wrong(sentence)


def state(path: Path) -> State:
    """Read a store that no other process is using; what a dead one left beside it is played back.

    Raises:
        Wrong: it is missing or damaged.
    """
    if not path.is_file():
        raise wrong(f"there is no file {path.name}")
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=rw", uri=True, timeout=0)) as db:
            db.text_factory = bytes
            found = db.execute("PRAGMA integrity_check").fetchall()
            if found != [(b"ok",)]:
                raise wrong(f"{path.name} is damaged: {found[:3]}")
            return _read(db)
    except sqlite3.Error as error:
        raise wrong(f"{path.name} cannot be read: {error}") from error


def _read(db: sqlite3.Connection) -> State:
    schema = sorted(map(str, db.execute("SELECT name, sql FROM sqlite_master WHERE name NOT LIKE '%consolidation_%'")))
    tables = [name.decode() for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY 1")]
    rows, late = [*schema, str(db.execute("PRAGMA user_version").fetchone())], list[str]()
    for table in tables:
        if table.startswith(("consolidation_", "sqlite_")):
            continue
        for row in sorted(db.execute(f"SELECT * FROM {table}"), key=repr):
            is_late = (table == "facts" and row[1] == b"late") or (table == "notes" and row[0] >= _LATE)
            (late if is_late else rows).append(f"{table}: {row!r}")
    counts = [
        db.execute(f"SELECT count(*) FROM {table}").fetchone()[0] if table in tables else 0
        for table in ("consolidation_runs", "consolidation_actions")
    ]
    return State(tuple(rows), counts[0], counts[1], tuple(late))


def peek(folder: Path, name: str = "memory.db") -> State:
    """Read a store without touching it: a copy of its folder is read, with whatever a dead process left there."""
    copy = folder.parent / "peek"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(folder, copy, ignore=shutil.ignore_patterns("*.shadow*"))
    return state(copy / name)


def journal_mode(path: Path) -> str:
    """Return the journal mode that a file's header asks for."""
    with path.open("rb") as file:
        return "wal" if file.read(20)[18:] == b"\x02\x02" else "delete"


def expected_late(acknowledged: Path) -> tuple[str, ...]:
    """Return the late rows that must be there: see `tests.faults.late`."""
    numbers = [int(line) for line in acknowledged.read_text("utf-8").split()] if acknowledged.exists() else []
    last = max(numbers, default=0)
    facts = []
    for n in numbers:
        if n > last - 2:
            row = (f"late-{n}".encode(), b"late", f"a{n}".encode(), b"x", 0, b"user", 2.0, None, None, b"active")
            facts.append(f"facts: {(*row, None, None, 1 + (n < last))!r}")
    return (*facts, *(f"notes: {(_LATE + n, b'late')!r}" for n in numbers))


def check_late(found: State, acknowledged: Path) -> None:
    """Check that every acknowledged late row is there, and nothing else that was written late.

    Raises:
        Wrong: it is not so.
    """
    expected = expected_late(acknowledged)
    if found.late != expected:
        raise wrong(f"late rows: {sorted(set(expected) ^ set(found.late))} differ")


def check_folder(folder: Path, journal: str) -> None:
    """Check what lies in a tenant's folder once everything is done and cleaned up.

    Raises:
        Wrong: there is litter, a hard link of live, or another journal mode than ``journal``.
    """
    names = [path.name for path in folder.iterdir()]
    if litter := sorted(name for name in names if not LASTING.match(name)):
        raise wrong(f"litter: {litter}")
    live = folder / "memory.db"
    if live.stat().st_nlink != 1:
        raise wrong("live has a second name")
    for name in ["memory.db", *filter(KEPT.match, names)]:
        if journal_mode(folder / name) != journal:
            raise wrong(f"the journal mode of {name} is {journal_mode(folder / name)}, not {journal}")


def kept_files(folder: Path) -> list[str]:
    """Return the names of the kept files; a second name of live is none."""
    live = folder / "memory.db"
    return sorted(path.name for path in folder.iterdir() if KEPT.match(path.name) and not path.samefile(live))


def check_kept(folder: Path, expected: dict[str, State]) -> None:
    """Check that the kept files are whole and hold what they must, by name, and that a rejected copy is whole.

    Raises:
        Wrong: one of them does not, or is missing.
    """
    for path in folder.glob("memory.db.rejected-*"):
        peek(folder, path.name)
    for name, state in expected.items():
        if (found := peek(folder, name).without_late()) != state:
            raise wrong(f"{name} is not the store as it was: {difference(found, state)}")


def difference(one: State, other: State) -> str:
    """Say how two states differ, briefly."""
    rows = sorted(set(one.rows) ^ set(other.rows))
    return f"runs {one.runs}/{other.runs}, actions {one.actions}/{other.actions}, {len(rows)} rows such as {rows[:2]}"
