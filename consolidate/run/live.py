"""The connection to the live store, from the backup to the swap (DESIGN section 4).

One connection holds on to live through the whole run: `Live.quiet` compares SQLite's ``data_version``, and that means something
only on the connection which noted it. Nothing else in this process may open live outside SQLite.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType

import apsw

from consolidate.errors import BusyError, InternalError, StorageError
from consolidate.model import Notice, Swap
from consolidate.run import lease, untouched
from consolidate.run.run_lock import RunLock
from consolidate.store import connections, contract, copies, files
from consolidate.store.connections import translated
from consolidate.store.contract import Shape
from consolidate.store.files import Identity, StorePaths
from consolidate.store.statistics import Statistics

# A shadow and its base, and the same again for what the steps and the swap write.
_COPIES = 3


class NotQuiet(Exception):  # noqa: N818 - asks for another pass, no error
    """Live was written since the snapshot."""


class NotFree(Exception):  # noqa: N818 - asks for the other way of swapping, no error
    """Live cannot be renamed over: somebody has it open, or its owner or attributes cannot be carried."""


@dataclass(frozen=True)
class Prepared:
    """The outcome of a pass, ready to be swapped in.

    Attributes:
        run_id: the run.
        shadow: the copy with all decisions of the run, checked; closed.
        base: the snapshot of live which the shadow began as; closed, never written.
        shape: what live's schema was at the snapshot.
        deletes: whether the shadow may lack facts of the base, as only a rollback's does.
    """

    run_id: str
    shadow: Path
    base: Path
    shape: Shape
    deletes: bool = False

    @property
    def candidate(self) -> Path:
        """The file that `rename` puts in live's place: the shadow, or its twin made with the application's triggers on."""
        return self.shadow.with_name(self.shadow.name + "-final") if self.shape.fact_triggers else self.shadow


@dataclass
class SwapResult:
    """How a swap ended.

    Attributes:
        swap: the way it was made, or None if there was nothing to change after all.
        lock_seconds: how long live was locked against writers, in seconds.
        notices: what a person should look at.
        moved: the status of the new file right before it was renamed, if it was.
    """

    swap: Swap | None
    lock_seconds: float = 0.0
    notices: list[Notice] = field(default_factory=list)
    moved: os.stat_result | None = None


class Live:
    """The live store, open; made by `Live.open`, closed at the end of its block.

    Attributes:
        paths: the files of the store.
        lock: the run lock, which takes notes for the next run.
        lock_timeout: how long to wait for a lock, in seconds.
        extensions: loadable SQLite extensions.
        identity: device and inode of live.
        shape: its schema, as of the last snapshot.
        journal: its journal mode, as of the last snapshot.
        statistics: what the last snapshot lacks until `copies.complete` gives it back.
        swapped: whether the result of this run stands at the live path.
    """

    def __init__(
        self, paths: StorePaths, lock: RunLock, lock_timeout: float, extensions: Sequence[str], dry_run: bool
    ) -> None:
        self.paths = paths
        self.lock = lock
        self.lock_timeout = lock_timeout
        self.extensions = extensions
        self.identity = _identity_of_regular_file(paths, dry_run)
        self.statistics = Statistics()
        self.swapped = False
        self._dry_run = dry_run
        self._version = -1
        self._db: apsw.Connection | None = None
        if dry_run:
            self._db = untouched.open_somehow(paths, extensions, lock_timeout)
        else:
            self._db = connections.open_live(paths.live, lock_timeout=lock_timeout, extensions=extensions)
        try:
            self._look()
        except BaseException:
            self.close()
            raise

    @classmethod
    def open(
        cls,
        paths: StorePaths,
        *,
        lock: RunLock,
        lock_timeout: float,
        extensions: Sequence[str] = (),
        dry_run: bool = False,
    ) -> Live:
        """Open the live store of a run.

        Args:
            paths: the files of the store.
            lock: the run lock, held.
            lock_timeout: how long to wait for a lock, in seconds.
            extensions: loadable SQLite extensions.
            dry_run: change nothing, not even what a dead application left beside the store; the connection then ends with
                the first snapshot.

        Raises:
            NotAStoreError: the file breaks the store contract.
            StorageError: it is missing, not a regular file, has several hard links, or cannot be read.
            BusyError: it is locked for longer than ``lock_timeout``.
        """
        return cls(paths, lock, lock_timeout, extensions, dry_run)

    @staticmethod
    def check(paths: StorePaths, extensions: Sequence[str] = ()) -> None:
        """Check that there is a store before anything is written beside it; nothing is changed, and no lock waited for.

        A store with a hot journal passes: only who holds the run lock may repair it. So does one that is locked, perhaps by
        another run.

        Raises:
            NotAStoreError: the file breaks the store contract.
            StorageError: it is missing, not a regular file, or cannot be read.
        """
        _regular_file(paths)
        with suppress(untouched.NeedsRecovery, BusyError):
            db = untouched.open_in_place(paths, extensions, 0)
            try:
                contract.validate(db, paths.live)
            finally:
                with suppress(apsw.Error):  # as in `close`
                    db.close()

    def __enter__(self) -> Live:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    @property
    def db(self) -> apsw.Connection:
        """The connection."""
        if self._db is None:
            raise InternalError(f"The connection to {self.paths.live} is closed.")
        return self._db

    @property
    def is_open(self) -> bool:
        """Whether the connection is open."""
        return self._db is not None

    @property
    def lasting_journal(self) -> str:
        """The journal mode that live and its copies are to have, even if a dead run could not give it back yet."""
        return self.lock.note.mode if self.lock.note else self.journal

    def close(self) -> None:
        """Close the connection, giving up whatever it had not committed; harmless when it is closed already.

        Never fails: a write-ahead log that cannot be emptied on the way out stays for the next opener.
        """
        db, self._db = self._db, None
        if db is not None:
            with suppress(apsw.Error):
                db.close(True)

    def snapshot(self, target: Path) -> None:
        """Copy live, as it is at one instant, to ``target``, and note that instant for `quiet`.

        The copy is a closed file without a write-ahead log and without the planner's statistics. Inside `begin` it is made
        through a second connection, because the one that writes cannot be copied from.

        Raises:
            StorageError: there is no space, or reading or writing failed.
            NotAStoreError: live does not meet the contract any more.
        """
        files.remove(target)
        files.create_private(target)
        source = self.db
        if self.db.in_transaction:
            source = connections.open_live(self.paths.live, lock_timeout=self.lock_timeout, extensions=self.extensions)
        try:
            with translated(self.paths.live):
                self._copy(source, target)
        finally:
            if source is not self._db:
                source.close(True)
        if self._dry_run:
            self.close()

    def _copy(self, source: apsw.Connection, target: Path) -> None:
        source.execute("BEGIN")
        try:
            self.shape = contract.validate(source, self.paths.live)
            self.journal = connections.journal_mode(source)
            version = connections.data_version(self.db)
            pages = source.execute("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size").get
            files.require_space(self.paths.folder, _COPIES * int(pages))
            self.statistics = copies.copy_into(source, target)
        finally:
            if source.in_transaction:
                source.execute("ROLLBACK")
        self._version = version

    def _look(self) -> None:
        with translated(self.paths.live):
            self.shape = contract.validate(self.db, self.paths.live)
            self.journal = connections.journal_mode(self.db)
            connections.set_triggers(self.db, False)
            if not self._dry_run:
                # EXTRA: in rollback-journal mode FULL can lose a commit that has returned to a power cut.
                for pragma in (
                    "main.synchronous=EXTRA",
                    f"main.cache_size=-{connections.CACHE_KIB}",
                    "temp_store=FILE",
                ):
                    self.db.execute(f"PRAGMA {pragma}").fetchall()

    def quiet(self) -> bool:
        """Tell whether nobody has written live since the last snapshot; certain while live is locked."""
        with translated(self.paths.live):
            return self._db is None or connections.data_version(self.db) == self._version

    def begin(self) -> None:
        """Take the write lock of live, waiting up to ``lock_timeout``.

        Raises:
            BusyError: somebody else held it all the time; live is untouched.
        """
        try:
            self.db.execute("BEGIN IMMEDIATE")
        except apsw.BusyError as error:
            raise BusyError(
                f"{self.paths.live} was locked by another process for {self.lock_timeout:g} seconds.",
                "It is unchanged; try again later.",
            ) from error
        except apsw.Error as error:
            raise connections.translate(error, self.paths.live) from error

    def rollback(self) -> None:
        """Give up the open transaction, if there is one."""
        if self._db is not None and self._db.in_transaction:
            with translated(self.paths.live):
                self._db.execute("ROLLBACK")

    def check_place(self) -> None:
        """Make sure that the live path still leads to the file that is open, and that the run lock still stands.

        Raises:
            BusyError: the file was replaced, or the run lock removed.
            StorageError: it has got a further hard link.
        """
        found = files.status(self.paths.live)
        if found is None or (found.st_dev, found.st_ino) != self.identity:
            raise BusyError(
                f"{self.paths.live} was replaced by another file while the run worked on it.",
                "Nothing was changed; run again.",
            )
        if found.st_nlink != 1:
            raise _several_links(self.paths, found.st_nlink)
        self.lock.check()

    def check_write_lock(self) -> None:
        """Make sure that the write lock taken by `begin` still stands.

        Raises:
            InternalError: code in this process opened and closed live by itself, which drops SQLite's locks.
        """
        wanted = [(self.identity, lease.RESERVED_BYTE)]
        if self.journal == "wal":
            shm = files.identity(self.paths.shm)
            wanted = [(self.identity, lease.SHARED_BYTE), *([(shm, lease.WAL_WRITE_BYTE)] if shm else [])]
        for identity, byte in wanted:
            found = lease.descriptors(identity)
            if found and not lease.holds_lock(found[0], byte):
                raise lock_lost(self.paths)


def lock_lost(paths: StorePaths) -> InternalError:
    """Return the error for a write lock that vanished."""
    return InternalError(
        f"The write lock on {paths.live} was lost: something in this process opened and closed the file by itself.",
        "Nothing was changed. A summariser or an extra step must never open the live store.",
    )


def _regular_file(paths: StorePaths) -> int:
    """Return the number of hard links of live, which must be a regular file."""
    found = files.status(paths.live)
    if found is None:
        raise StorageError(f"There is no store at {paths.live}.", "Check the root and the tenant.")
    if not stat.S_ISREG(found.st_mode):
        raise StorageError(f"{paths.live} is not a regular file.", "Check the root and the tenant.")
    return found.st_nlink


def _identity_of_regular_file(paths: StorePaths, dry_run: bool) -> Identity:
    links = _regular_file(paths)
    identity = files.identity(paths.live)
    assert identity is not None
    own = [path for kind in ("pre", "undone") for path in files.existing(paths, kind)] if links > 1 and dry_run else []
    # What a killed run linked is removed by the next run that changes anything; a dry run sees past it.
    links -= sum(files.identity(path) == identity for path in own)
    if links > 1:
        raise _several_links(paths, links)
    return identity


def _several_links(paths: StorePaths, links: int) -> StorageError:
    return StorageError(
        f"{paths.live} has {links} hard links: a swap would leave the others with the old content.",
        "Remove the other names.",
    )
