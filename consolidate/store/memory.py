"""The API of the daytime application: remember, record, forget, and ask (DESIGN sections 1 and 2).

Nothing of it is needed to use a store; plain SQL is as good. Every call is one short transaction, so that the
application and the nightly run do not wait for each other.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import apsw

from consolidate.errors import DataError
from consolidate.store import records
from consolidate.store.connections import create_store, open_live, quoted, translated
from consolidate.store.contract import CONTRACT, SCHEMA
from consolidate.store.reading import Fact, HistoryEntry, Reader


def create_schema(db: apsw.Connection, path: Path) -> bool:
    """Create the contract's tables in a database that is still empty.

    Args:
        db: an open connection.
        path: its file, for errors.

    Returns:
        Whether they were created; False where the database already has a schema, which is left alone.
    """
    empty = "SELECT count(*) = 0 FROM main.sqlite_master"
    with translated(path):
        if not db.execute(empty).get:
            return False
        db.execute("BEGIN IMMEDIATE")
        try:
            if not db.execute(empty).get:
                return False
            db.execute(SCHEMA)
            db.execute("COMMIT")
            return True
        finally:
            if db.in_transaction:
                db.execute("ROLLBACK")


class Memory:
    """One tenant's store, open for the application; a context manager that closes it.

    It may live for one call or for as long as the application does, in every journal mode. One object belongs to one
    thread at a time. Use `Memory.open`.
    """

    def __init__(self, db: apsw.Connection, path: Path, reader: Reader, clock: Callable[[], float]) -> None:
        self._db = db
        self._path = path
        self._reader = reader
        self._clock = clock

    @classmethod
    def open(
        cls,
        path: Path | str,
        create: bool = False,
        *,
        clock: Callable[[], float] = time.time,
        attributes: Mapping[str, str] | None = None,
        rank: Sequence[str] = ("inferred", "user"),
        extensions: Sequence[str] = (),
        busy_timeout: float = 10.0,
    ) -> Self:
        """Open a store.

        Args:
            path: the file ``memory.db``.
            create: create the store where there is no file; its folder must exist.
            clock: returns the time in Unix seconds.
            attributes: the configuration's ``[attributes]``, ``single`` or ``multi``, over the facts' own flags.
            rank: the configuration's ``[sources] rank``, lowest first.
            extensions: loadable SQLite extensions the schema needs.
            busy_timeout: how long a call waits for somebody else's lock, in seconds.

        Raises:
            NotAStoreError: the file is not a store.
            StorageError: it cannot be opened.
            BusyError: somebody else kept it locked.
        """
        path = Path(path)
        if create:
            fresh = create_store(path)
            try:
                create_schema(fresh, path)
            finally:
                fresh.close()
        db = open_live(path, lock_timeout=busy_timeout, extensions=extensions)
        try:
            with translated(path):
                db.execute("PRAGMA synchronous=EXTRA")  # in rollback-journal mode FULL may lose a commit to a power cut
            return cls(db, path, Reader(db, path, attributes or {}, rank), clock)
        except BaseException:
            db.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the store; closing it again does nothing."""
        self._db.close()

    def remember(
        self,
        user: str,
        attribute: str,
        value: str,
        *,
        multi: bool = False,
        source: str = "user",
        valid_from: float | None = None,
        expires_at: float | None = None,
        evidence: Iterable[str] = (),
        id: str | None = None,
    ) -> str:
        """Store a fact as it was stated; the nightly run sorts out what it replaces.

        Args:
            user: whom the fact is about.
            attribute: what it is about.
            value: what is stated.
            multi: the attribute can have several values at a time.
            source: ``user``, ``inferred`` or another one of the configuration's ``[sources] rank``.
            valid_from: since when it holds, in Unix seconds; None is now.
            expires_at: until when it holds, in Unix seconds; None is without end.
            evidence: ids of the episodes it rests on.
            id: the fact's id; None makes a fresh one.

        Returns:
            The fact's id.

        Raises:
            DataError: an argument cannot be stored, or the id is already taken.
            BusyError: somebody else kept the store locked.
        """
        given = {
            "user_id": user,
            "attribute": attribute,
            "value": value,
            "multi": multi,
            "source": source,
            "expires_at": expires_at,
            "evidence": _joined(evidence),
        }
        return self._insert("fact", given | _present(id=id, valid_from=valid_from))

    def record_episode(self, user: str, summary: str, occurred_at: float | None = None, id: str | None = None) -> str:
        """Store the one-line summary of a conversation.

        Args:
            user: who had the conversation.
            summary: what was said.
            occurred_at: when, in Unix seconds; None is now.
            id: the episode's id; None makes a fresh one.

        Returns:
            The episode's id.

        Raises:
            DataError: an argument cannot be stored, or the id is already taken.
            BusyError: somebody else kept the store locked.
        """
        return self._insert("episode", {"user_id": user, "summary": summary} | _present(id=id, occurred_at=occurred_at))

    def forget(self, user: str, attribute: str | None = None, value: str | None = None) -> None:
        """Write a tombstone: promotion never brings this back; what is stored stays until it is erased.

        Args:
            user: who asked.
            attribute: what to forget; None is everything about the user.
            value: the value to forget; None is the whole attribute.

        Raises:
            DataError: an argument cannot be stored, or there is a value without an attribute.
            BusyError: somebody else kept the store locked.
        """
        if value and not attribute:
            raise DataError("A value to forget needs its attribute.", "Name the attribute as well.")
        self._insert("tombstone", {"user_id": user, "attribute": attribute or "", "value": value})

    def in_force(self, user: str, now: float | None = None) -> list[Fact]:
        """Return the user's facts in force, by attribute; ``now`` is in Unix seconds, None asks the clock.

        Between two runs a one-valued attribute may have several; `as_of` gives the one that answers it.
        """
        return self._reader.in_force(user, self._clock() if now is None else now)

    def as_of(self, user: str, when: float) -> list[Fact]:
        """Return what held at ``when`` (Unix seconds): of a one-valued attribute the answer, of others every value."""
        return self._reader.as_of(user, when)

    def history(self, user: str, attribute: str) -> list[HistoryEntry]:
        """Return every fact of an attribute, whatever its status, by beginning, and why the runs changed it."""
        return self._reader.history(user, attribute)

    def _insert(self, kind: str, given: Mapping[str, Any]) -> str:
        try:
            row = records.complete(kind, given, self._clock())
        except records.UnfitError as error:
            raise DataError(f"The {kind} cannot be stored: {error}.", "Correct the argument.") from None
        table = records.TABLES[kind]
        names = ", ".join(map(quoted, CONTRACT[table]))
        with translated(self._path):
            try:
                self._db.execute(f"INSERT INTO main.{table}({names}) VALUES (?{', ?' * (len(row) - 1)})", row)
            except apsw.ConstraintError as error:
                raise DataError(f"The {kind} cannot be stored: {error}.", "An id can be used once.") from None
        return str(row[0])


def _present(**given: Any) -> dict[str, Any]:
    return {key: value for key, value in given.items() if value is not None}


def _joined(evidence: Iterable[str]) -> str:
    ids = [evidence] if isinstance(evidence, str) else list(evidence)
    if any(not isinstance(id, str) or id.split() != [id] for id in ids):
        raise DataError("Evidence must be ids of episodes without spaces.", "Give a list of ids.")
    return " ".join(ids)
