"""The one place that touches the file system itself, so that one place takes injected faults (DESIGN section 7).

Nothing here opens the live file: closing any descriptor on it in this process would drop SQLite's locks (DESIGN section 4).
``stat``, ``link``, ``rename``, ``chown`` and extended attributes go by path and are safe. Every OSError becomes a
StorageError that names the file, with the OSError as its cause.
"""

from __future__ import annotations

import errno
import fcntl
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from consolidate.errors import BusyError, StorageError
from consolidate.store import metadata
from consolidate.store.metadata import can_own
from consolidate.store.paths import PART, SIDECARS, StorePaths, sidecars

_FICLONE = 0x40049409
_CHUNK = 64 * 1024 * 1024
_NO_CLONE = (errno.EXDEV, errno.ENOSYS, errno.EINVAL, errno.EOPNOTSUPP, errno.ENOTTY, errno.EPERM)
# SQLite's lock bytes in a database file: PENDING, and the range that readers share.
_PENDING_BYTE = 0x40000000
_SHARED_FIRST, _SHARED_SIZE = _PENDING_BYTE + 2, 510

Identity = tuple[int, int]


@contextmanager
def _naming(path: Path, doing: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise storage_error(error, path, doing) from error


def storage_error(error: OSError, path: Path, doing: str) -> StorageError:
    """Return the user's error for a failed file operation; ``doing`` completes "could not be …"."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return StorageError(f"No space is left for {path}.", "Free some space and run again; the store is whole.")
    if error.errno in (errno.EACCES, errno.EPERM):
        return StorageError(
            f"{path} could not be {doing}: permission denied.", "Check the permissions of the file and its folder."
        )
    if error.errno == errno.EROFS:
        return StorageError(f"{path} could not be {doing}: the file system is read-only.", "Mount it for writing.")
    reason = (error.strerror or "unknown error").lower()
    hint = "Check the disk; the store is whole." if error.errno == errno.EIO else ""
    return StorageError(f"{path} could not be {doing}: {reason}.", hint)


# Looking -----------------------------------------------------------------------------------------------------------


def status(path: Path) -> os.stat_result | None:
    """Return the status of a path without following a symlink, or None where there is nothing."""
    with _naming(path, "looked at"):
        try:
            return path.lstat()
        except FileNotFoundError:
            return None


def identity(path: Path) -> Identity | None:
    """Return device and inode of a path, or None where there is nothing."""
    found = status(path)
    return (found.st_dev, found.st_ino) if found else None


def size(path: Path) -> int:
    """Return the size of a file in bytes, 0 where there is none."""
    found = status(path)
    return found.st_size if found else 0


def names(folder: Path) -> list[str]:
    """Return the names in a folder, sorted."""
    with _naming(folder, "listed"):
        return sorted(os.listdir(folder))  # noqa: PTH208 - names, not paths


def existing(paths: StorePaths, kind: str) -> list[Path]:
    """Return the files of ``kind`` (``pre``, ``rejected`` or ``undone``) beside a store, oldest run first.

    Names that the job did not give are left out.
    """
    return [paths.folder / name for name in names(paths.folder) if paths.run_of(name, kind)]


def require_space(folder: Path, needed: int) -> None:
    """Refuse early when a folder's file system cannot hold ``needed`` further bytes.

    Raises:
        StorageError: it cannot.
    """
    with _naming(folder, "looked at"):
        found = os.statvfs(folder)
    free = found.f_bavail * found.f_frsize
    if free < needed:
        raise StorageError(
            f"No space is left for the copies in {folder}: they need {needed} bytes and {free} are free.",
            "Free some space and run again; the store is unchanged.",
        )


# Single operations -------------------------------------------------------------------------------------------------


def link(source: Path, target: Path) -> None:
    """Give the file ``source`` the further name ``target``, which must not exist."""
    with _naming(target, "linked"):
        os.link(source, target, follow_symlinks=False)


def rename(source: Path, target: Path) -> None:
    """Rename in one atomic step; what is at ``target`` is replaced."""
    with _naming(target, "replaced"):
        os.replace(source, target)  # noqa: PTH105 - one call, one operation


def unlink(path: Path) -> bool:
    """Remove a name; tell whether it was there."""
    with _naming(path, "removed"):
        try:
            os.unlink(path)  # noqa: PTH108 - one call, one operation
        except FileNotFoundError:
            return False
        return True


def fsync_file(path: Path) -> None:
    """Make a closed file durable. Never for a database that this process has open."""
    with _naming(path, "written"):
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


@contextmanager
def written_out(path: Path) -> Iterator[None]:
    """Let the system write a closed file of the job's own to the disk during a block, in a thread of its own.

    The sync that counts comes later and has then little left to write; so nothing is made of a failure here. The descriptor
    is opened before anything in the block opens the file, and closed after that, so that no lock in there is lost.
    """
    with _naming(path, "written"):
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)

    def write_out() -> None:
        with suppress(OSError):
            os.fdatasync(descriptor)

    thread = threading.Thread(target=write_out)
    thread.start()
    try:
        yield
    finally:
        thread.join()
        os.close(descriptor)


def fsync_folder(folder: Path) -> None:
    """Make the names in a folder durable."""
    with _naming(folder, "written"):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def flush(descriptor: int, path: Path) -> None:
    """Let the system write what it still keeps of an open file in its cache; no descriptor is opened or closed for it."""
    with _naming(path, "written"):
        os.fdatasync(descriptor)


def create_private(path: Path) -> None:
    """Create an empty file that only its owner can read, whatever the umask says; it must not exist."""
    with _naming(path, "created"):
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))


# Owner, mode and attributes ----------------------------------------------------------------------------------------


def copy_metadata(source: Path, target: Path) -> list[str]:
    """Give a file the owner, mode and extended attributes (ACLs are among them) of another; see `metadata.copy`."""
    with _naming(target, "given its owner and mode"):
        return metadata.copy(source, target)


# Whole files -------------------------------------------------------------------------------------------------------


def copy_scratch(source: Path, target: Path) -> None:
    """Copy a closed file of the job's own as fast as the file system can; an older ``target`` is replaced, nothing is synced.

    Raises:
        StorageError: the copy failed; what there is of it is disposable.
    """
    remove(target)
    create_private(target)
    with _naming(target, "written"):
        reading = os.open(source, os.O_RDONLY | os.O_CLOEXEC)
        try:
            _copy_from(reading, target)
        finally:
            os.close(reading)


def copy_hot(source: Path, target: Path) -> None:
    """Copy a database with the hot journal that a crash left beside it, under SQLite's own reader's lock.

    No connection to ``source`` may be open in this process. With the lock held nobody can play the journal back or write.

    Raises:
        BusyError: somebody is writing or recovering it.
    """
    remove(target)
    create_private(target)
    with _naming(source, "read"):
        reading = os.open(source, os.O_RDONLY | os.O_CLOEXEC)
        try:
            for first, count in ((_PENDING_BYTE, 1), (_SHARED_FIRST, _SHARED_SIZE)):
                fcntl.lockf(reading, fcntl.LOCK_SH | fcntl.LOCK_NB, count, first)
            _copy_from(reading, target)
            copy_scratch(sidecars(source)[0], sidecars(target)[0])
        except BlockingIOError:
            raise BusyError(f"{source} is locked by another process.", "Try again later.") from None
        finally:
            os.close(reading)


def _copy_from(reading: int, target: Path) -> None:
    writing = os.open(target, os.O_WRONLY | os.O_CLOEXEC)
    try:
        with suppress(OSError):
            fcntl.ioctl(writing, _FICLONE, reading)
            return
        wanted, done = os.fstat(reading).st_size, 0
        while done < wanted:
            done += _copy_some(reading, writing, done)
    finally:
        os.close(writing)


def _copy_some(reading: int, writing: int, done: int) -> int:
    """Copy the next part and return its length; within the kernel where the file system allows that."""
    try:
        if count := os.copy_file_range(reading, writing, _CHUNK, done, done):
            return count
    except OSError as error:
        if error.errno not in _NO_CLONE:
            raise
    chunk = os.pread(reading, _CHUNK // 16, done)
    if not chunk:
        raise OSError(errno.EIO, "the file became shorter while it was copied")
    return os.pwrite(writing, chunk, done)


def chunks(path: Path, overlap: int) -> Iterator[bytes]:
    """Yield the content of a file, which must be no database that is open here, in parts that overlap by some bytes."""
    tail = b""
    with _naming(path, "read"), path.open("rb") as file:
        while chunk := file.read(_CHUNK // 64):
            yield tail + chunk
            tail = (tail + chunk)[-overlap:] if overlap else b""


def remove(path: Path) -> None:
    """Remove a database of the job's own with whatever SQLite left beside it."""
    for item in (*sidecars(path), path):
        unlink(item)


def remove_shadows(paths: StorePaths) -> list[str]:
    """Remove the shadow of this run and its companions, and return their names.

    Never fails: what cannot be removed is left to the next run's recovery, since it says nothing about how this run went.
    """
    removed: list[str] = []
    with suppress(StorageError):
        for name in names(paths.folder):
            if name.startswith(paths.shadow.name):
                unlink(paths.folder / name)
                removed.append(name)
    return removed


def publish(path: Path, target: Path, like: Path) -> list[str]:
    """Give a finished, closed file its lasting name, durably and in one step.

    Args:
        path: the file; its empty journals are removed.
        target: the lasting name; what is there is replaced.
        like: the file whose owner, mode and extended attributes it takes.

    Returns:
        What of those could not be carried over.
    """
    missing = prepare(path, like)
    rename(path, target)
    fsync_folder(target.parent)
    return missing


def prepare(path: Path, like: Path) -> list[str]:
    """Make a closed file fit to get a lasting name: one file, with the metadata of ``like``, durable. Returns as `publish`."""
    for item in sidecars(path):
        unlink(item)
    missing = copy_metadata(like, path)
    fsync_file(path)
    return missing


# The run lock ------------------------------------------------------------------------------------------------------


def open_lock(path: Path) -> tuple[int, bool]:
    """Open a lock file, creating it where there is none; return its descriptor and whether it was created."""
    flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
    with _naming(path, "opened"):
        try:
            return os.open(path, flags | os.O_EXCL, 0o600), True
        except FileExistsError:
            return os.open(path, flags, 0o600), False


def try_lock(descriptor: int, path: Path) -> bool:
    """Take the ``flock`` of a file without waiting; tell whether that succeeded."""
    with _naming(path, "locked"):
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


def content(descriptor: int) -> bytes:
    """Return what a small open file holds."""
    return os.pread(descriptor, os.fstat(descriptor).st_size, 0)


def append(descriptor: int, path: Path, line: str, *, durable: bool) -> None:
    """Append one line to an open file; one that a crash cut short before is ended first, one cut short now is taken back."""
    with _naming(path, "written"):
        before = os.fstat(descriptor).st_size
        data = line.encode("utf-8", "replace") + b"\n"
        if before and os.pread(descriptor, 1, before - 1) != b"\n":
            data = b"\n" + data
        try:
            _write_all(descriptor, data, before)
            if durable:
                os.fsync(descriptor)
        except OSError:
            with suppress(OSError):
                os.ftruncate(descriptor, before)
            raise


def _write_all(descriptor: int, data: bytes, offset: int) -> None:
    done = 0
    while done < len(data):
        done += os.pwrite(descriptor, data[done:], offset + done)


def cut(descriptor: int, path: Path, length: int) -> None:
    """Cut an open file to ``length`` bytes."""
    with _naming(path, "written"):
        os.ftruncate(descriptor, length)


# Text files --------------------------------------------------------------------------------------------------------


def append_line(path: Path, line: str, like: Path) -> None:
    """Append one line durably; a line that a crash cut short before is ended first.

    Args:
        path: the file; created where there is none.
        line: without its newline.
        like: the file whose owner, mode and extended attributes a new file takes.
    """
    new = status(path) is None
    if new:
        create_private(path)
        copy_metadata(like, path)
    with _naming(path, "written"):
        descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    try:
        append(descriptor, path, line, durable=True)
    finally:
        os.close(descriptor)
    if new:
        fsync_folder(path.parent)


def replace_text(path: Path, text: str, like: Path) -> None:
    """Replace a text file durably and in one step; ``like`` is the file whose owner, mode and attributes it takes."""
    part = path.with_name(path.name + PART)
    unlink(part)
    try:
        create_private(part)
        with _naming(path, "written"):
            descriptor = os.open(part, os.O_WRONLY | os.O_CLOEXEC)
            try:
                _write_all(descriptor, text.encode("utf-8", "replace"), 0)
            finally:
                os.close(descriptor)
        publish(part, path, like)
    except BaseException:
        with suppress(StorageError):
            unlink(part)
        raise


__all__ = [
    "PART", "SIDECARS", "Identity", "StorePaths", "append", "append_line", "can_own", "chunks",
    "content", "copy_hot", "copy_metadata",
    "copy_scratch", "create_private", "cut", "existing", "flush", "fsync_file", "fsync_folder", "identity", "link", "names",
    "open_lock", "prepare", "publish", "remove", "remove_shadows", "rename", "replace_text", "require_space", "sidecars",
    "size", "status", "storage_error", "try_lock", "unlink", "written_out",
]  # fmt: skip
