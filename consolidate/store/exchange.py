"""Import and export: JSON Lines, one ``{"kind": "fact" | "episode" | "tombstone", …columns…}`` a line (DESIGN section 6).

An export imports to the same rows, dirt included: what JSON or a column's type has no form for is written in the exact
form of `cells`. Both stream; memory stays flat.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, Final

import apsw

from consolidate.errors import DataError
from consolidate.store import cells, records
from consolidate.store.connections import open_live, open_snapshot, quoted, translated
from consolidate.store.contract import CONTRACT, validate

LONGEST_LINE: Final = 64 * 1024 * 1024
NAMED_LINES: Final = 20

_STAGED = "temp.consolidate_import"


@dataclass(frozen=True)
class BadLine:
    """A line that cannot be imported; ``reason`` holds no memory content."""

    number: int
    reason: str


class ImportRefusedError(DataError):
    """A file of which nothing was imported.

    Args:
        name: the file.
        lines: the first bad lines.
        count: how many bad lines there are.
    """

    def __init__(self, name: str, lines: Sequence[BadLine], count: int) -> None:
        self.lines = tuple(lines)
        self.count = count
        named = "; ".join(f"line {line.number}: {line.reason}" for line in lines)
        more = f"; and {count - len(lines)} more bad lines" if count > len(lines) else ""
        super().__init__(f"Nothing of {name} was imported: {named}{more}.", "Correct the lines and import it again.")


@dataclass
class _BadLines:
    """Collects bad lines: the first few by number, and how many there are."""

    count: int = 0
    first: list[BadLine] = field(default_factory=list)

    def add(self, number: int, reason: str) -> None:
        self.count += 1
        if len(self.first) < NAMED_LINES or number < self.first[-1].number:
            self.first = sorted([*self.first, BadLine(number, reason)], key=lambda bad: bad.number)[:NAMED_LINES]


def import_lines(
    path: Path,
    stream: BinaryIO,
    name: str,
    *,
    now: float,
    lock_timeout: float = 30.0,
    extensions: Sequence[str] = (),
    restate_forgotten: bool = False,
) -> dict[str, int]:
    """Import one file into a store: all of it in one transaction, or nothing.

    The input is first read into a temporary table, so that the store is locked only while its rows are written, however
    slowly the input arrives.

    Args:
        path: the live store.
        stream: the input, UTF-8.
        name: what the input is called in errors.
        now: the default of ``valid_from`` and ``occurred_at``, in Unix seconds.
        lock_timeout: how long to wait for the store, in seconds.
        extensions: loadable SQLite extensions the schema needs.
        restate_forgotten: take facts and episodes that a tombstone of the store covers, too; otherwise their lines are bad.

    Returns:
        How many rows each table gained.

    Raises:
        ImportRefusedError: a line is bad; the first ones are named.
        NotAStoreError: the file is not a store.
        BusyError: the store stayed locked.
    """
    db = open_live(path, lock_timeout=lock_timeout, extensions=extensions)
    try:
        validate(db, path)
        bad = _BadLines()
        with translated(path):
            _stage(db, stream, now, bad)
            db.execute("PRAGMA synchronous=EXTRA")
            db.execute("BEGIN IMMEDIATE")
            try:
                if not restate_forgotten:
                    _refuse_forgotten(db, bad)
                _insert_staged(db, bad)
                if bad.count:
                    raise ImportRefusedError(name, bad.first, bad.count)
                db.execute("COMMIT")
            except BaseException:
                if db.in_transaction:
                    db.execute("ROLLBACK")
                raise
            return {
                table: db.execute(f"SELECT count(*) FROM {_STAGED} WHERE kind = ?", (kind,)).get
                for kind, table in records.TABLES.items()
            }
    finally:
        db.close()


def _stage(db: apsw.Connection, stream: BinaryIO, now: float, bad: _BadLines) -> None:
    """Read the input into a temporary table, one row a line, and collect the lines that are bad in themselves."""
    width = max(len(columns) for columns in CONTRACT.values())
    names = [f"c{place}" for place in range(width)]
    db.execute("PRAGMA temp_store=FILE").fetchall()
    db.execute(f"CREATE TEMP TABLE consolidate_import(line INTEGER PRIMARY KEY, kind, {', '.join(names)})")
    db.execute("SAVEPOINT staging")
    for number, raw in _lines(stream, bad):
        try:
            kind, row = _parsed(raw, now)
        except records.UnfitError as error:
            bad.add(number, str(error))
            continue
        db.execute(
            f"INSERT INTO {_STAGED}(line, kind, {', '.join(names[: len(row)])}) VALUES (?, ?{', ?' * len(row)})",
            (number, kind, *row),
        )
        for name, cell in zip(names, row, strict=False):
            if isinstance(cell, cells.Undecodable):  # only a stored column is cast without being converted
                db.execute(f"UPDATE {_STAGED} SET {name} = CAST({name} AS TEXT) WHERE line = ?", (number,))
    db.execute("RELEASE staging")


def _lines(stream: BinaryIO, bad: _BadLines) -> Iterator[tuple[int, bytes]]:
    """Yield the number and the bytes of each line that is not blank; a line without end does not fill the memory."""
    number = 0
    while raw := stream.readline(LONGEST_LINE):
        number += 1
        if len(raw) == LONGEST_LINE and not raw.endswith(b"\n"):
            bad.add(number, f"is longer than {LONGEST_LINE // (1024 * 1024)} MiB")
            while raw and not raw.endswith(b"\n"):
                raw = stream.readline(LONGEST_LINE)
            continue
        if number == 1:
            raw = raw.removeprefix(b"\xef\xbb\xbf")
        if raw.strip():
            yield number, raw


def _parsed(raw: bytes, now: float) -> tuple[str, list[cells.Cell]]:
    try:
        record = json.loads(
            raw.decode("utf-8").rstrip(), object_pairs_hook=_without_repeats, parse_constant=_no_constant
        )
    except UnicodeDecodeError as error:
        raise records.UnfitError(f"is not valid UTF-8 at byte {error.start + 1}") from None
    except json.JSONDecodeError as error:
        raise records.UnfitError(f"is not valid JSON at character {error.pos + 1}") from None
    except RecursionError:
        raise records.UnfitError("is nested too deeply") from None
    except records.UnfitError:
        raise
    except ValueError:  # an integer of thousands of digits
        raise records.UnfitError("holds a number that is too long") from None
    if not isinstance(record, dict):
        raise records.UnfitError("is not a JSON object")
    kind = record.pop("kind", None)
    if not isinstance(kind, str) or kind not in records.TABLES:
        raise records.UnfitError("kind is missing" if kind is None else "kind must be fact, episode or tombstone")
    return kind, records.complete(kind, record, now, exact=True)


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) != len(pairs):
        raise records.UnfitError("has the same key twice")
    return record


def _no_constant(name: str) -> float:
    raise records.UnfitError(f"holds {name}, which is no number")


def _refuse_forgotten(db: apsw.Connection, bad: _BadLines) -> None:
    """Collect the lines that would bring back what a user asked to forget (DESIGN section 2, tombstones).

    What counts are the tombstones that are in the store already, so that an export of one that has both comes back whole.
    """
    if not db.execute("SELECT EXISTS (SELECT 1 FROM main.tombstones)").get:
        return
    db.execute("CREATE TEMP TABLE consolidate_forgotten(user_id, attribute, raw, kind)")
    db.execute(
        """INSERT INTO temp.consolidate_forgotten
           SELECT user_id, coalesce(attribute, ''), CAST(value AS BLOB), typeof(value) FROM main.tombstones"""
    )
    db.execute("CREATE INDEX temp.consolidate_forgotten_by_user ON consolidate_forgotten(user_id, attribute)")
    covered = "EXISTS (SELECT 1 FROM temp.consolidate_forgotten t WHERE t.user_id = s.{user} AND t.attribute = {rest})"
    of_fact = "s.c2 AND tombstone_matches(t.raw, t.kind, normal_key(CAST(s.c3 AS BLOB), typeof(s.c3)))"
    for (number,) in db.execute(
        f"""SELECT line FROM {_STAGED} s WHERE (kind = 'fact' AND (
                {covered.format(user="c1", rest="''")} OR {covered.format(user="c1", rest=of_fact)}))
            OR (kind = 'episode' AND {covered.format(user="c1", rest="''")}) ORDER BY line"""
    ):
        bad.add(int(number), "the user asked to forget it (--restate-forgotten takes it all the same)")


def _insert_staged(db: apsw.Connection, bad: _BadLines) -> None:
    """Insert the staged rows, and collect the lines that the store's constraints refuse."""
    if not bad.count and _insert_at_once(db):
        return
    if not db.in_transaction:
        db.execute("BEGIN IMMEDIATE")
    for number, kind in db.execute(f"SELECT line, kind FROM {_STAGED} ORDER BY line"):
        try:
            db.execute(f"{_insertion(kind)} WHERE line = ?", (number,))
        except apsw.ConstraintError as error:
            bad.add(number, _refusal(error))
            if not db.in_transaction:  # a trigger's RAISE(ROLLBACK): nothing more may be written
                return


def _insert_at_once(db: apsw.Connection) -> bool:
    """Insert the staged rows with one statement for each table, so that the lock is short; tell whether that worked."""
    db.execute("SAVEPOINT at_once")
    try:
        for kind in records.TABLES:
            db.execute(f"{_insertion(kind)} WHERE kind = ? ORDER BY line", (kind,))
    except apsw.ConstraintError:
        if db.in_transaction:
            db.execute("ROLLBACK TO at_once")
            db.execute("RELEASE at_once")
        return False
    db.execute("RELEASE at_once")
    return True


def _insertion(kind: str) -> str:
    names = CONTRACT[records.TABLES[kind]]
    staged = ", ".join(f"c{place}" for place in range(len(names)))
    return f"INSERT INTO main.{records.TABLES[kind]}({', '.join(map(quoted, names))}) SELECT {staged} FROM {_STAGED}"


def _refusal(error: apsw.ConstraintError) -> str:
    if str(error) in ("UNIQUE constraint failed: facts.id", "UNIQUE constraint failed: episodes.id"):
        return "its id is already in the store or on an earlier line"
    return f"the store refuses it: {error}"


def export_lines(
    path: Path, *, ascii_only: bool = False, extensions: Sequence[str] = (), lock_timeout: float = 10.0
) -> Iterator[bytes]:
    """Yield the facts, episodes and tombstones of a store as lines of JSON in UTF-8, each in insertion order.

    They are of one instant, read from a private copy: the store is not locked while the lines are taken.

    Args:
        path: any file that is a store.
        ascii_only: write other characters as escapes, for a terminal.
        extensions: loadable SQLite extensions the schema needs.
        lock_timeout: how long to wait for a lock, in seconds.

    Raises:
        NotAStoreError: the file is not a store.
    """
    db = open_snapshot(path, extensions, lock_timeout=lock_timeout)
    try:
        shape = validate(db, path)
        codec = cells.text_codec(db)
        encoder = json.JSONEncoder(ensure_ascii=ascii_only, allow_nan=False)
        with translated(path):
            for kind, table in records.TABLES.items():
                columns = CONTRACT[table]
                order = getattr(shape, table).order
                for row in db.execute(f"SELECT {cells.select_list(columns)} FROM main.{table} ORDER BY {order}"):
                    record = records.as_json(kind, cells.decoded(row, codec))
                    yield encoder.encode(record).encode("utf-8") + b"\n"
    finally:
        db.close()
