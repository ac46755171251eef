"""Forget: what a user asked to forget goes from every file of the tenant, and nothing brings it back (DESIGN section 2).

Read from `forget`. The live store comes first, so that it stops being served; each kept copy is then written anew and put in
place of the old one in one step, so that a crash leaves whole files, and doing it again finishes the rest.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import apsw

from consolidate.config import Settings
from consolidate.errors import BusyError, ConsolidateError, StorageError
from consolidate.model import new_run_id
from consolidate.operate import erasure, traces, wiping
from consolidate.operate.needles import Needles, Request
from consolidate.operate.traces import Trace
from consolidate.run import cursor, recovery, run_lock, untouched
from consolidate.steps.candidates import user_key
from consolidate.store import connections, contract, files, job_tables
from consolidate.store.connections import translated
from consolidate.store.files import PART, StorePaths
from consolidate.store.values import hashed_tombstone

KEPT = ("pre", "rejected", "undone")


@dataclass
class Report:
    """What an erasure did, or would do.

    Attributes:
        run_id: the run that it is recorded as; None for a dry run.
        files: per file the counts of `erasure.COUNTED`.
        left: what still holds it, or may.
        said: what recovery found and did before.
        exit_status: 0 if everything was reached that the job can reach, 75 if a reader kept it from that, 74 if a file failed.
    """

    run_id: str | None
    files: list[dict[str, Any]] = field(default_factory=list)
    left: list[Trace] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    exit_status: int = 0

    def as_json(self) -> dict[str, Any]:
        """Return the report for JSON."""
        return {
            "run_id": self.run_id,
            "dry_run": self.run_id is None,
            "files": self.files,
            "left": [trace.as_json() for trace in self.left],
            "recovered": self.said,
            "exit_status": self.exit_status,
        }


def plan(path: Path, settings: Settings, request: Request) -> Report:
    """Tell what `forget` would do; only private copies are changed.

    Takes and raises what `forget` does.
    """
    paths = StorePaths.of(path)
    report = Report(None)
    copies: list[tuple[str, apsw.Connection]] = []
    needles = _needles_of(request)
    try:
        for file in _stores(paths):
            try:
                db = _private_copy(paths, file, settings)
                copies.append((file.name, db))
                _survey(db, file, request, needles)
            except ConsolidateError as error:
                _fail(report, file, error)
        for name, db in copies:
            with translated(paths.folder / name), db:
                erasure.prepare(db, needles)
                _count(report, name, erasure.erase(db, request, needles, _tombstone(request)))
                report.left += traces.in_store(db, name, request, needles)
    finally:
        for _, db in copies:
            db.close()
    report.left += traces.in_other_files(paths, needles)
    return report


def _private_copy(paths: StorePaths, file: Path, settings: Settings) -> apsw.Connection:
    extensions = settings.store.extensions
    source = None
    if file == paths.live:
        with suppress(untouched.NeedsRecovery):  # nobody can read it then; opening it below says so
            source = untouched.open_in_place(paths, extensions, settings.swap.lock_timeout)
    with closing(source or connections.open_reader(file, extensions)) as source:
        return connections.open_copy_of(source, file, extensions)


def forget(path: Path, settings: Settings, request: Request, now: float) -> Report:
    """Erase what a user asked to forget from the live store and from every kept copy, and write tombstones into all of them.

    Args:
        path: the live store.
        settings: the configuration.
        request: what to forget.
        now: Unix seconds, for the record.

    Returns:
        What went where, and what could not be reached.

    Raises:
        BusyError: a run, or somebody else's lock, was in the way; nothing was changed.
        NotAStoreError: the live file is not a store; nothing was changed.
        StorageError: the live store could not be written, or a trigger of the application refused; nothing was changed.
    """
    paths = StorePaths.of(path)
    report = Report(new_run_id(now))
    needles, tombstone = _needles_of(request), _tombstone(request)
    with run_lock.acquire(paths, str(report.run_id)) as lock:
        report.said = recovery.recover(paths, lock)
        readable = []
        for file in _stores(paths):
            try:
                timeout, extensions = settings.swap.lock_timeout, settings.store.extensions
                with closing(connections.open_reader(file, extensions, lock_timeout=timeout)) as db:
                    _survey(db, file, request, needles)
                readable.append(file)
            except ConsolidateError as error:
                if file == paths.live:
                    raise
                _fail(report, file, error)
        _erase_live(paths, settings, request, needles, tombstone, now, report)
        for file in readable[1:]:
            try:
                _erase_copy(file, settings, request, needles, tombstone, report, now)
            except ConsolidateError as error:
                files.remove(file.with_name(file.name + PART))
                _fail(report, file, error)
        _scrub_history(paths, needles, report)
        _forget_cursor(paths, request)
    report.left += traces.in_other_files(paths, needles)
    return report


def _stores(paths: StorePaths) -> list[Path]:
    return [paths.live, *(file for kind in KEPT for file in files.existing(paths, kind))]


def _needles_of(request: Request) -> Needles:
    needles = Needles()
    needles.add([] if request.value is None else [request.value])
    return needles


def _tombstone(request: Request) -> str | None:
    return None if request.key is None else hashed_tombstone(request.key)


def _survey(db: apsw.Connection, file: Path, request: Request, needles: Needles) -> None:
    contract.validate(db, file)
    with translated(file):
        erasure.survey(db, request, needles)


def _count(report: Report, name: str, counts: dict[str, int]) -> None:
    report.files.append({"file": name, **counts})


def _fail(report: Report, file: Path, error: ConsolidateError) -> None:
    report.left.append(Trace(file.name, None, None, None, f"it could not be worked on: {error.message}"))
    report.exit_status = BusyError.exit_status if isinstance(error, BusyError) else StorageError.exit_status


def _erase_live(
    paths: StorePaths,
    settings: Settings,
    request: Request,
    needles: Needles,
    tombstone: str | None,
    now: float,
    report: Report,
) -> None:
    """Erase from the live store in one transaction, then leave no trace of it in free pages and the write-ahead log."""
    timeout, extensions = settings.swap.lock_timeout, settings.store.extensions
    with closing(connections.open_live(paths.live, lock_timeout=timeout, extensions=extensions)) as db:
        with _transaction(db, paths.live):
            job_tables.migrate(db)
            _erase(db, paths.live, request, needles, tombstone, report, now)
        try:
            with translated(paths.live):
                wiping.compact(db)
        except BusyError:
            report.left.append(
                Trace(
                    paths.live.name, None, None, None, "an open reader keeps old pages of the file or of its log in use"
                )
            )
            report.exit_status = report.exit_status or BusyError.exit_status
        with translated(paths.live):
            report.left += traces.in_store(db, paths.live.name, request, needles)


def _erase_copy(
    file: Path,
    settings: Settings,
    request: Request,
    needles: Needles,
    tombstone: str | None,
    report: Report,
    now: float,
) -> None:
    """Write a kept copy anew without what is forgotten, and put it in the place of the old one."""
    part = file.with_name(file.name + PART)
    if any(files.status(side) for side in files.sidecars(file)):
        # Somebody looked at it with a client of their own: what that left beside it belongs into the file.
        with closing(connections.open_live(file, lock_timeout=settings.swap.lock_timeout)) as db, translated(file):
            wiping.empty_log(db)
    files.require_space(file.parent, 2 * files.size(file))
    files.copy_scratch(file, part)
    with closing(connections.open_live(part, lock_timeout=0, extensions=settings.store.extensions)) as db:
        with _transaction(db, file):
            _erase(db, file, request, needles, tombstone, report, now)
        with translated(file):
            wiping.compact(db)
            found = list(traces.in_store(db, file.name, request, needles))
    files.publish(part, file, like=file)
    report.left += found


@contextmanager
def _transaction(db: apsw.Connection, path: Path) -> Iterator[None]:
    with translated(path):
        wiping.overwrite_deleted(db)
        db.execute("PRAGMA main.synchronous=EXTRA")
        db.execute("BEGIN IMMEDIATE")
        try:
            yield
            db.execute("COMMIT")
        finally:
            if db.in_transaction:
                db.execute("ROLLBACK")


def _erase(
    db: apsw.Connection,
    file: Path,
    request: Request,
    needles: Needles,
    tombstone: str | None,
    report: Report,
    now: float,
) -> None:
    """Erase from one store, and record it, without a word of what it was, where the job has its tables."""
    contract.validate(db, file)
    erasure.prepare(db, needles)
    counts = erasure.erase(db, request, needles, tombstone)
    for table in wiping.tidy_full_text(db):
        report.left.append(Trace(file.name, table, None, None, "a virtual table whose inside the job does not know"))
    if job_tables.existing_version(db):
        record = json.dumps({"run_id": report.run_id, "kind": "forget", "actions": {"forget": counts["facts"]}})
        db.execute("INSERT INTO main.consolidation_runs VALUES (?, ?, 'forget', ?)", (report.run_id, now, record))
    _count(report, file.name, counts)


def _scrub_history(paths: StorePaths, needles: Needles, report: Report) -> None:
    """Take the ids of erased facts out of the history of the runs; it never holds values."""
    if files.status(paths.runs) is None:
        return
    lines = paths.runs.read_text("utf-8", errors="replace").removesuffix("\n").split("\n")
    scrubbed = [erasure.scrub(line, needles.ids) or "" for line in lines]
    changed = sum(line != new for line, new in zip(lines, scrubbed, strict=True))
    if changed:
        files.replace_text(paths.runs, "\n".join(scrubbed) + "\n", like=paths.live)
        _count(report, paths.runs.name, {"records": changed})


def _forget_cursor(paths: StorePaths, request: Request) -> None:
    if request.attribute is None:
        users = cursor.read(paths.state)
        if users.pop(user_key(request.user.encode("utf-8")), None) is not None:
            cursor.write(paths.state, users, like=paths.live)
