"""The one place that opens databases.

Only apsw opens a database here: closing a descriptor that the stdlib module opened would drop SQLite's locks on the
same file (SWAP-EVIDENCE in DESIGN section 4).
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import apsw

from consolidate.errors import BusyError, ConfigError, ConsolidateError, InternalError, NotAStoreError, StorageError
from consolidate.store import statistics, values
from consolidate.store.paths import SHADOW, sidecars

CACHE_KIB = 64 * 1024
# Between two tries for a lock, in seconds: short, so that clients who never pause cannot starve the job.
_LONGEST_WAIT = 0.005


def quoted(identifier: str) -> str:
    """Quote a table, column or schema name for SQL text; never for values."""
    return '"' + identifier.replace('"', '""') + '"'


_SETTLED = re.compile(r"\.(pre|rejected|undone)-\d{8}T\d{6}Z-[0-9a-f]{6}\Z")


def _reading_mode(path: Path) -> str:
    """Return the mode in which reading a file leaves nothing beside it.

    A read-only connection to a store in write-ahead mode makes the log that is missing, and cannot take it away again. Where
    there is a log, or a journal that is perhaps to be played back, a writable one would do more than read.
    """
    beside = any(item.exists() for item in sidecars(path))
    return "ro" if _is_settled(path) or SHADOW in path.name or beside else "rw"


def _uri(path: Path, mode: str) -> str:
    immutable = "&immutable=1" if mode == "ro" and _is_settled(path) else ""
    return f"file:{quote(str(path.absolute()))}?mode={mode}{immutable}"


def _is_settled(path: Path) -> bool:
    """Tell whether a file is a kept copy that nobody writes: reading it needs no lock and leaves no -wal or -shm beside it."""
    return _SETTLED.search(path.name) is not None and not path.with_name(f"{path.name}-wal").exists()


def _open(path: Path, mode: str, extensions: Sequence[str], lock_timeout: float = 10.0) -> apsw.Connection:
    # The address says what is allowed with this file; the flags limit those that are attached later, too.
    flags = apsw.SQLITE_OPEN_URI | apsw.SQLITE_OPEN_READWRITE | (apsw.SQLITE_OPEN_CREATE if mode == "rwc" else 0)
    with translated(path):
        db = apsw.Connection(_uri(path, mode), flags=flags)
    wait_for_locks(db, lock_timeout)
    try:
        with translated(path):
            values.register(db)  # reads the file: it may be locked, or no database
        load_extensions(db, extensions)
    except ConsolidateError:
        db.close()
        raise
    return db


def load_extensions(db: apsw.Connection, extensions: Sequence[str]) -> None:
    """Load the SQLite extensions the application's schema needs (DESIGN section 6, ``[store] extensions``).

    Raises:
        ConfigError: one of them cannot be loaded.
    """
    if not extensions:
        return
    db.enable_load_extension(True)
    try:
        for extension in extensions:
            try:
                db.load_extension(extension)
            except (apsw.ExtensionLoadingError, apsw.SQLError) as error:
                raise ConfigError(
                    f"The SQLite extension {extension} cannot be loaded: {error}.", "Correct [store] extensions."
                ) from error
    finally:
        db.enable_load_extension(False)


def open_live(path: Path, *, lock_timeout: float, extensions: Sequence[str] = ()) -> apsw.Connection:
    """Open an existing store for reading and writing; never creates one.

    Args:
        path: the resolved path of ``memory.db``.
        lock_timeout: how long a statement waits for a lock, in seconds.
        extensions: loadable SQLite extensions.

    Raises:
        StorageError: the file cannot be opened.
    """
    return _open(path, "rw", extensions, lock_timeout)


def open_untouched(path: Path, *, writable: bool, extensions: Sequence[str] = ()) -> apsw.Connection:
    """Open a store in such a way that nothing beside it changes, not even when the connection is closed (DESIGN section 6).

    Nothing is read yet, so the caller can still choose a locking mode. What a dead application left in a write-ahead log
    stays there.

    Args:
        path: the resolved path of ``memory.db``.
        writable: a store with a write-ahead log cannot be read through a read-only descriptor; one with a hot journal must
            be opened read-only, since the first reader that can would play it back.
        extensions: loadable SQLite extensions.
    """
    flags = apsw.SQLITE_OPEN_URI | (apsw.SQLITE_OPEN_READWRITE if writable else apsw.SQLITE_OPEN_READONLY)
    with translated(path):
        db = apsw.Connection(_uri(path, "rw" if writable else "ro"), flags=flags)
    try:
        db.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        load_extensions(db, extensions)
        wait_for_locks(db, 0)
        set_triggers(db, False)
    except BaseException:
        db.close()
        raise
    return db


def create_store(path: Path) -> apsw.Connection:
    """Create a new, empty database file and open it."""
    return _open(path, "rwc", ())


def open_scratch(path: Path, extensions: Sequence[str] = ()) -> apsw.Connection:
    """Open (or create) a file of the job's own that a crash may spoil: a shadow or its companions.

    Nothing is synced, the rollback journal stays a file so that memory stays flat, and application triggers are off
    (DESIGN section 2).
    """
    db = _open(path, "rwc", extensions)
    for pragma in ("journal_mode=TRUNCATE", "synchronous=OFF", f"cache_size=-{CACHE_KIB}", "temp_store=FILE"):
        db.execute(f"PRAGMA {pragma}").fetchall()
    set_triggers(db, False)
    return db


def open_reader(path: Path, extensions: Sequence[str] = (), *, lock_timeout: float = 10.0) -> apsw.Connection:
    """Open a file for reading, with room to sort in; TEMP tables may be made. Nothing is left beside it.

    Args:
        path: the file.
        extensions: loadable SQLite extensions.
        lock_timeout: how long a statement waits for a lock, in seconds.
    """
    db = _open(path, _reading_mode(path), extensions, lock_timeout)
    _prepare_reading(db)
    return db


def open_snapshot(path: Path, extensions: Sequence[str] = (), *, lock_timeout: float = 10.0) -> apsw.Connection:
    """Open a private copy of a file as it is at one instant, for reading at leisure without a lock on the file.

    The copy is a temporary file of SQLite's own that vanishes with the connection. A file that nobody writes is read itself,
    unless it has statistics that statements would be planned by. ``lock_timeout`` is that of `open_reader`.

    Raises:
        StorageError: the file cannot be opened or read.
    """
    source = open_reader(path, extensions, lock_timeout=lock_timeout)
    try:
        with translated(path):
            if _is_settled(path) and not statistics.present(source):
                return source
        copy = open_copy_of(source, path, extensions)
    except BaseException:
        source.close()
        raise
    source.close()
    return copy


def open_copy_of(source: apsw.Connection, path: Path, extensions: Sequence[str] = ()) -> apsw.Connection:
    """Open a private copy of what a connection reads, which can be changed and vanishes when it is closed.

    It has no statistics (see `statistics`).

    Raises:
        StorageError: the file cannot be read; ``path`` is its name.
    """
    copy = apsw.Connection("")
    try:
        with translated(path), copy.backup("main", source, "main") as backup:
            while not backup.done:
                backup.step(-1)
        with translated(path):
            if statistics.take_out(copy):
                statistics.reload(copy)
        values.register(copy)
        load_extensions(copy, extensions)
        _prepare_reading(copy)
    except BaseException:
        copy.close()
        raise
    return copy


def _prepare_reading(db: apsw.Connection) -> None:
    for pragma in (f"cache_size=-{CACHE_KIB}", "temp_store=FILE"):
        db.execute(f"PRAGMA {pragma}").fetchall()
    set_triggers(db, False)


def attach(db: apsw.Connection, path: Path, schema: str, *, mode: str | None = None) -> None:
    """Attach a file under a schema name; ``mode`` is ``rw`` or ``rwc``, and reading if not given."""
    with translated(path):
        db.execute(f"ATTACH ? AS {quoted(schema)}", (_uri(path, mode or _reading_mode(path)),))


def set_triggers(db: apsw.Connection, on: bool) -> None:
    """Switch the application's triggers on or off for this connection (DESIGN section 2)."""
    db.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, int(on))


def wait_for_locks(db: apsw.Connection, seconds: float) -> None:
    """Let every statement of a connection wait up to ``seconds`` for a lock; a signal still gets through while it waits."""
    deadline = 0.0

    def wait(attempts: int) -> bool:
        nonlocal deadline
        now = time.monotonic()
        if attempts == 0:
            deadline = now + seconds
        if now >= deadline:
            return False
        time.sleep(min(0.001 * (attempts + 1), _LONGEST_WAIT, deadline - now))
        return True

    db.set_busy_handler(wait if seconds > 0 else None)


def data_version(db: apsw.Connection) -> int:
    """Return the number that changes whenever another connection has changed the main database since the last look."""
    return int(db.execute("PRAGMA main.data_version").get)


def set_exclusive(db: apsw.Connection, on: bool) -> None:
    """Choose whether the connection keeps the locks it takes on the main database, from its next access on."""
    db.execute(f"PRAGMA main.locking_mode={'EXCLUSIVE' if on else 'NORMAL'}").fetchall()


def change_journal_mode(db: apsw.Connection, mode: str) -> str:
    """Ask for another journal mode of the main database and return the mode it has then, in lower case."""
    return str(db.execute(f"PRAGMA main.journal_mode={mode}").get).lower()


def set_journal_mode(path: Path, mode: str, *, lock_timeout: float = 0.0) -> None:
    """Give a file a journal mode that is kept in its header; nothing is left beside it.

    Args:
        path: the file.
        mode: ``wal`` or ``delete``.
        lock_timeout: how long to wait for other connections, in seconds.

    Raises:
        BusyError: others have the file open.
        StorageError: it cannot be written.
    """
    with opened(path) as db:
        wait_for_locks(db, lock_timeout)
        make_lasting(db)
        ensure_journal_mode(db, mode, path)


def make_lasting(db: apsw.Connection) -> None:
    """Let no power cut undo what a connection commits; FULL can lose a commit in rollback-journal mode (DESIGN section 4)."""
    db.execute("PRAGMA main.synchronous=EXTRA")


def ensure_journal_mode(db: apsw.Connection, mode: str, path: Path) -> None:
    """Give the main database of a connection a journal mode, or raise as `set_journal_mode` does."""
    with translated(path):
        if journal_mode(db) != mode and change_journal_mode(db, mode) != mode:
            raise BusyError(f"The journal mode of {path} cannot be changed now.", "Try again later.")


@contextmanager
def opened(path: Path) -> Iterator[apsw.Connection]:
    """Open an existing file for work on the file itself, not on its content: nothing is registered and nothing read yet."""
    with translated(path):
        db = apsw.Connection(_uri(path, "rw"), flags=apsw.SQLITE_OPEN_URI | apsw.SQLITE_OPEN_READWRITE)
        try:
            yield db
        finally:
            db.close()


def journal_mode(db: apsw.Connection) -> str:
    """Return the journal mode of the main database in lower case."""
    return str(db.pragma("journal_mode")).lower()


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turn SQLite's errors inside the block into errors a user can read, naming ``path``."""
    try:
        yield
    except apsw.Error as error:
        raise translate(error, path) from error


def translate(error: apsw.Error, path: Path) -> ConsolidateError:
    """Return the user's error for one of SQLite's, naming ``path`` (exit statuses of DESIGN section 6)."""
    first = error.__context__
    if isinstance(first, apsw.Error) and str(error).startswith(("cannot rollback", "no such savepoint")):
        # A full disk or a failing one makes SQLite roll back by itself; there was nothing left to roll back after that.
        return translate(first, path)
    if isinstance(error, (apsw.BusyError, apsw.LockedError)):
        return BusyError(f"{path} is locked by another process.", "Try again later.")
    if isinstance(error, apsw.NotADBError):
        return NotAStoreError(f"{path} is not a store: it is not an SQLite database.", "It was left as it is.")
    if isinstance(error, apsw.CorruptError):
        return NotAStoreError(
            f"{path} is not a store: SQLite finds it damaged ({error}).", "It was left as it is; restore a good copy."
        )
    extended = getattr(error, "extendedresult", 0)
    # The index of a write-ahead log cannot grow: a full disk, although SQLite does not call it that.
    if isinstance(error, apsw.FullError) or extended == apsw.SQLITE_IOERR_SHMSIZE:
        return StorageError(f"No space is left for {path}.", "Free some space and run again; the store is unchanged.")
    if extended == apsw.SQLITE_READONLY_ROLLBACK:
        return StorageError(
            f"{path} was left in the middle of a write by a process that died, and reading does not repair it.",
            "The next program that writes to the store does, such as the nightly run.",
        )
    if isinstance(error, (apsw.ReadOnlyError, apsw.PermissionsError)):
        return StorageError(f"{path} cannot be written: {error}.", "Check the permissions of the file and its folder.")
    if isinstance(error, apsw.CantOpenError):
        return StorageError(f"{path} cannot be opened.", "Check that it exists and its permissions and folder.")
    if isinstance(error, (apsw.IOError, apsw.NoMemError, apsw.TooBigError)):
        return StorageError(f"Reading or writing {path} failed: {error}.", "Check the disk; the store is unchanged.")
    if isinstance(error, apsw.ConstraintError):
        return StorageError(f"A constraint of {path} refuses the run's changes: {error}.", "Adapt the schema.")
    text = str(error)
    if "no such savepoint" in text:
        # All that apsw tells when SQLite has rolled back by itself, as it does when the disk fails or is full.
        return StorageError(f"Writing beside {path} failed.", "Check the disk and its space; the store is unchanged.")
    if any(clue in text for clue in ("no such function", "no such collation", "no such module", "no such tokenizer")):
        return StorageError(
            f"The schema of {path} needs something this job lacks: {text}.", "Load it with [store] extensions."
        )
    return InternalError(f"SQLite refused a statement on {path}: {text}.")
