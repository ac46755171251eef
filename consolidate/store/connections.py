"""The one place that opens databases.

Only apsw opens a database here: closing a descriptor that the stdlib module opened would drop SQLite's locks on the
same file (SWAP-EVIDENCE in DESIGN section 4).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import apsw

from consolidate.errors import BusyError, ConfigError, ConsolidateError, InternalError, NotAStoreError, StorageError
from consolidate.store import values

CACHE_KIB = 64 * 1024


def quoted(identifier: str) -> str:
    """Quote a table, column or schema name for SQL text; never for values."""
    return '"' + identifier.replace('"', '""') + '"'


_SETTLED = re.compile(r"\.(pre|rejected|undone)-\d{8}T\d{6}Z-[0-9a-f]{6}\Z")


def _uri(path: Path, mode: str) -> str:
    # A kept copy that nobody writes is opened as immutable, so that reading it leaves no -wal or -shm beside it.
    settled = mode == "ro" and _SETTLED.search(path.name) and not path.with_name(f"{path.name}-wal").exists()
    return f"file:{quote(str(path.absolute()))}?mode={mode}{'&immutable=1' if settled else ''}"


def _open(path: Path, mode: str, extensions: Sequence[str], lock_timeout: float = 10.0) -> apsw.Connection:
    flags = (
        apsw.SQLITE_OPEN_URI
        | {
            "ro": apsw.SQLITE_OPEN_READONLY,
            "rw": apsw.SQLITE_OPEN_READWRITE,
            "rwc": apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE,
        }[mode]
    )
    with translated(path):
        db = apsw.Connection(_uri(path, mode), flags=flags)
    db.set_busy_timeout(max(0, int(lock_timeout * 1000)))
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


def open_reader(path: Path, extensions: Sequence[str] = ()) -> apsw.Connection:
    """Open a file read-only, with room to sort in; TEMP tables may be made."""
    db = _open(path, "ro", extensions)
    for pragma in (f"cache_size=-{CACHE_KIB}", "temp_store=FILE"):
        db.execute(f"PRAGMA {pragma}").fetchall()
    set_triggers(db, False)
    return db


def open_snapshot(path: Path, extensions: Sequence[str] = ()) -> apsw.Connection:
    """Open a private copy of a file as it is at one instant, for reading at leisure without a lock on the file.

    The copy is a temporary file of SQLite's own that vanishes with the connection.

    Raises:
        StorageError: the file cannot be opened or read.
    """
    with translated(path):
        source = open_reader(path, extensions)
        try:
            copy = apsw.Connection("")
            with copy.backup("main", source, "main") as backup:
                while not backup.done:
                    backup.step(-1)
        finally:
            source.close()
        copy.execute("PRAGMA temp_store=FILE").fetchall()
    return copy


def attach(db: apsw.Connection, path: Path, schema: str, *, mode: str = "ro") -> None:
    """Attach a file under a schema name; ``mode`` is ``ro``, ``rw`` or ``rwc``."""
    with translated(path):
        db.execute(f"ATTACH ? AS {quoted(schema)}", (_uri(path, mode),))


def set_triggers(db: apsw.Connection, on: bool) -> None:
    """Switch the application's triggers on or off for this connection (DESIGN section 2)."""
    db.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, int(on))


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
    if isinstance(error, (apsw.BusyError, apsw.LockedError)):
        return BusyError(f"{path} is locked by another process.", "Try again later.")
    if isinstance(error, apsw.NotADBError):
        return NotAStoreError(f"{path} is not a store: it is not an SQLite database.", "It was left as it is.")
    if isinstance(error, apsw.CorruptError):
        return NotAStoreError(
            f"{path} is not a store: SQLite finds it damaged ({error}).", "It was left as it is; restore a good copy."
        )
    if isinstance(error, apsw.FullError):
        return StorageError(f"No space is left for {path}.", "Free some space and run again; the store is unchanged.")
    if getattr(error, "extendedresult", 0) == apsw.SQLITE_READONLY_ROLLBACK:
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
    if any(clue in text for clue in ("no such function", "no such collation", "no such module", "no such tokenizer")):
        return StorageError(
            f"The schema of {path} needs something this job lacks: {text}.", "Load it with [store] extensions."
        )
    return InternalError(f"SQLite refused a statement on {path}: {text}.")
