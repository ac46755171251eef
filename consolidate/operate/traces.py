"""Looking for what an erasure did not reach: other tables of the application, and files that are not the job's."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import apsw

from consolidate.errors import StorageError
from consolidate.operate.needles import Needles, Request
from consolidate.store import files
from consolidate.store.connections import quoted
from consolidate.store.contract import CONTRACT, JOB_PREFIX
from consolidate.store.files import StorePaths


@dataclass(frozen=True)
class Trace:
    """A place that still holds what was to be forgotten, or may; never the content itself.

    Attributes:
        file: the name of the file.
        table: the table, or None for the file as a whole.
        column: its column, or None.
        rows: how many rows, or None where they cannot be counted.
        why: why it is still there.
    """

    file: str
    table: str | None
    column: str | None
    rows: int | None
    why: str

    def as_json(self) -> dict[str, Any]:
        """Return the trace for JSON."""
        return dict(vars(self))


def in_store(db: apsw.Connection, name: str, request: Request, needles: Needles) -> Iterator[Trace]:
    """Yield the columns of a store that hold one of the values; `erasure.prepare` was called for the connection.

    Of the contract's tables only the rows of the user are looked at: what others said is theirs.
    """
    for table, columns in _tables(db):
        own = table.lower() in CONTRACT
        where = " AND user_id IS :user COLLATE BINARY" if own else ""
        why = _why(request).get(table.lower(), "a table of the application, which the job never changes")
        for column in columns:
            if own and column.lower() == "user_id":
                continue
            held = f"mentions(CAST({quoted(column)} AS BLOB), typeof({quoted(column)})){where}"
            rows = db.execute(
                f"SELECT count(*) FROM main.{quoted(table)} WHERE {held}", {"user": request.user} if own else ()
            ).get
            if rows:
                yield Trace(name, table, column, int(rows), why)


def _why(request: Request) -> dict[str, str]:
    episodes = "--episodes erases them as well"
    if request.value is None:
        episodes += ", at once, or later together with each --value"
    return {
        "facts": "in other facts of the user, which were not asked for",
        "episodes": f"in the user's episodes; {episodes}",
        "tombstones": "in another tombstone of the user",
    }


def _tables(db: apsw.Connection) -> Iterator[tuple[str, list[str]]]:
    """Yield the ordinary tables with their columns, without the job's own and without the inside of full-text indexes."""
    inside = {
        f"{name}_{part}"
        for (name,) in db.execute("SELECT name FROM main.sqlite_master WHERE type = 'table' AND rootpage = 0")
        for part in ("data", "idx", "docsize", "config", "segments", "segdir", "stat")
    }
    for (name,) in db.execute(
        "SELECT name FROM main.sqlite_master WHERE type = 'table' AND rootpage > 0 ORDER BY name"
    ).fetchall():
        table = str(name)
        if table.lower().startswith((JOB_PREFIX, "sqlite_")) or table in inside:
            continue
        columns = [str(column) for (column,) in db.execute("SELECT name FROM pragma_table_info(?)", (table,))]
        yield table, columns


def in_other_files(paths: StorePaths, needles: Needles) -> Iterator[Trace]:
    """Yield the files beside a store that are not the job's and hold one of the values, probes included."""
    own = {path.name for path in (paths.live, paths.lock, paths.runs, paths.state)}
    for kind in ("pre", "rejected", "undone"):
        own.update(path.name for path in files.existing(paths, kind))
    live = files.identity(paths.live)
    own |= {f"{name}{suffix}" for name in own for suffix in files.SIDECARS}
    for name in files.names(paths.folder):
        path = paths.folder / name
        if name in own or not path.is_file() or files.identity(path) == live:
            continue
        why = "golden probes that name it" if path == paths.probes else "a file that is not the job's"
        if _holds(path, needles):
            yield Trace(name, None, None, None, why)


def _holds(path: Path, needles: Needles) -> bool:
    try:
        return any(needles.in_bytes(chunk) for chunk in files.chunks(path, needles.longest()))
    except StorageError:
        return False
