"""integrity: SQLite itself finds nothing wrong with the file that it did not find before (DESIGN section 5)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import apsw

from consolidate.checks.findings import Findings
from consolidate.checks.terms import Case
from consolidate.config import Settings
from consolidate.model import Notice, Problem
from consolidate.store import connections

MOST_FAULTS = 1_000
SHOWN = 3
# From so many bytes on, what takes long and needs nothing of the rest is done beside it; less is over before a thread has begun.
LARGE = 16 << 20


class Integrity:
    """``PRAGMA integrity_check`` of the shadow, begun early and asked for late."""

    def __init__(self, db: apsw.Connection, reader: apsw.Connection | None, pool: ThreadPoolExecutor | None) -> None:
        self._db = db
        self._running: Future[list[str]] | None = pool.submit(_faults, reader, "main") if pool and reader else None

    def result(self) -> list[str]:
        """Return what SQLite finds wrong; empty if nothing."""
        return self._running.result() if self._running else _faults(self._db, "main")


@contextmanager
def checking(db: apsw.Connection, settings: Settings) -> Iterator[Integrity]:
    """Check the integrity of ``main`` for the duration of a block, beside it if the file is large."""
    size = db.execute("SELECT page_count * page_size FROM pragma_page_count('main'), pragma_page_size('main')").get
    if size < LARGE or not db.filename:
        yield Integrity(db, None, None)
        return
    reader = connections.open_reader(Path(db.filename), settings.store.extensions)
    try:
        with ThreadPoolExecutor(1) as pool:
            try:
                yield Integrity(db, reader, pool)
            finally:
                reader.interrupt()
    finally:
        reader.close()


def judge(case: Case, integrity: Integrity) -> list[Notice]:
    """Report faults that the snapshot does not have; those that it has are a notice."""
    notices = []
    faults = integrity.result()
    if faults:
        known = {_kind(fault) for fault in _faults(case.db, "base")}
        fresh = [fault for fault in faults if _kind(fault) not in known]
        if fresh:
            case.problems.append(_problem(fresh))
        if len(fresh) < len(faults):
            old = len(faults) - len(fresh)
            notices.append(Notice("integrity", f"SQLite found the file faulty ({old}) already before the run."))
    notices += _judge_foreign_keys(case)
    return notices


def examine(case: Case, found: Findings) -> None:
    """Report every fault of a single store."""
    faults = _faults(case.db, "main")
    if faults:
        found.problems.append(_problem(faults))
    broken = sum(count for *_, count in _violations(case, "main"))
    if broken:
        found.problems.append(
            Problem("integrity", None, (), f"References to other tables lead nowhere (rows: {broken}).")
        )


def _problem(faults: list[str]) -> Problem:
    shown = "; ".join(faults[:SHOWN])
    return Problem("integrity", None, (), f"SQLite finds the file faulty ({len(faults)}): {shown}.")


def _faults(db: apsw.Connection, schema: str) -> list[str]:
    rows = db.execute(f"PRAGMA {schema}.integrity_check({MOST_FAULTS})").fetchall()
    lines = [line for (text,) in rows for line in str(text).splitlines()]
    return [] if lines == ["ok"] else [line for line in lines if not line.startswith("***")]


def _kind(fault: str) -> str:
    """Return a fault without the numbers of rows and pages, which differ between two files with the same fault."""
    return re.sub(r"\d+", "#", fault)


def _judge_foreign_keys(case: Case) -> list[Notice]:
    after = _violations(case, "main")
    if not after:
        return []
    before = {(table, parent): count for table, parent, count in _violations(case, "base")}
    old = 0
    for table, parent, count in after:
        known = before.get((table, parent), 0)
        old += min(count, known)
        if count > known:
            message = f"References from {table} to {parent} lead nowhere (rows: {count - known})."
            case.problems.append(Problem("integrity", None, (), message))
    return (
        [Notice("integrity", f"References to other tables led nowhere already before the run (rows: {old}).")]
        if old
        else []
    )


def _violations(case: Case, schema: str) -> list[tuple[str, str, int]]:
    """Count the rows whose foreign key leads nowhere, per table and parent; none where the keys themselves are wrong."""
    tables = case.db.execute(
        f"""SELECT DISTINCT m.name FROM {schema}.sqlite_master m, pragma_foreign_key_list(m.name, '{schema}')
            WHERE m.type = 'table' AND m.rootpage > 0"""
    ).fetchall()
    found: list[Any] = []
    for (table,) in tables:
        with suppress(apsw.SQLError):
            found += case.db.execute(
                """SELECT "table", parent, count(*) FROM pragma_foreign_key_check(?, ?) GROUP BY "table", parent""",
                (table, schema),
            ).fetchall()
    return found
