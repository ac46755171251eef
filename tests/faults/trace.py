"""What a command wrote, synced and named, in order: the input of the power-cut model."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

import apsw

from tests.faults.seam import Operation, Perform


@dataclass(frozen=True)
class Event:
    """One thing that happened on the disk.

    Attributes:
        kind: ``create``, ``write``, ``truncate``, ``sync``, ``link``, ``rename``, ``unlink`` or ``sync folder``.
        inode: the file.
        name: its name; of a link or a rename the old one.
        target: of a link or a rename the new name.
        data: what was written.
        offset: where; of a truncation the new size.
    """

    kind: str
    inode: int = 0
    name: str = ""
    target: str = ""
    data: bytes = b""
    offset: int = 0


_SYNCED_WITH_FOLDER = apsw.SQLITE_OPEN_MAIN_JOURNAL | apsw.SQLITE_OPEN_SUPER_JOURNAL | apsw.SQLITE_OPEN_WAL


class Recorder:
    """Watches a command and notes the events.

    SQLite's VFS for Unix syncs the folder in two places that are no calls of the VFS: in the first sync of a journal or
    write-ahead log that was opened so that it could be created, and after a deletion that is to be synced.
    """

    def __init__(self) -> None:
        self.result: list[Event] = []
        self._sync_folder: set[str] = set()

    def around(self, operation: Operation, perform: Perform) -> Any:
        """Do the operation and note what came of it."""
        done = perform()
        if operation.path:
            getattr(self, "_" + operation.name.replace(".", "_"), self._nothing)(operation, done)
        return done

    def _note(self, kind: str, operation: Operation, **more: Any) -> None:
        inode = os.fstat(operation.descriptor).st_ino if operation.descriptor >= 0 else more.pop("inode", 0)
        self.result.append(Event(kind, inode, os.path.basename(operation.path), **more))  # noqa: PTH119

    def _nothing(self, operation: Operation, _: object) -> None:
        """Owners, modes, looks and locks are not in the model."""

    def _os_open(self, operation: Operation, descriptor: int) -> None:
        inode = os.fstat(descriptor).st_ino
        if operation.changes:
            self._note("create", operation, inode=inode)
        elif operation.flags & os.O_TRUNC:
            self._note("truncate", operation, inode=inode)

    def _write(self, operation: Operation, done: int) -> None:
        self._note("write", operation, data=operation.data[:done], offset=operation.offset)

    _os_pwrite = _os_copy_file_range = _write

    def _fcntl_ioctl(self, operation: Operation, _: object) -> None:
        self._note("write", operation, data=operation.data)

    def _os_ftruncate(self, operation: Operation, _: object) -> None:
        self._note("truncate", operation, offset=operation.size)

    def _os_fsync(self, operation: Operation, _: object) -> None:
        folder = os.path.isdir(operation.path)  # noqa: PTH112 - a name, not a path
        self._note("sync folder" if folder else "sync", operation)

    _os_fdatasync = _os_fsync

    def _os_link(self, operation: Operation, _: object) -> None:
        self._note("link", operation, target=os.path.basename(operation.target))  # noqa: PTH119

    def _os_replace(self, operation: Operation, _: object) -> None:
        self._note("rename", operation, target=os.path.basename(operation.target))  # noqa: PTH119

    def _os_unlink(self, operation: Operation, _: object) -> None:
        self._note("unlink", operation)

    def _sqlite_open(self, operation: Operation, _: object) -> None:
        inode = os.stat(operation.path).st_ino  # noqa: PTH116
        if operation.changes:
            self._note("create", operation, inode=inode)
        if operation.flags & _SYNCED_WITH_FOLDER and operation.flags & apsw.SQLITE_OPEN_CREATE:
            self._sync_folder.add(operation.path)

    def _sqlite_delete(self, operation: Operation, _: object) -> None:
        self._note("unlink", operation)
        if operation.flags & 1:
            self._note("sync folder", operation)

    def _sqlite_write(self, operation: Operation, _: object) -> None:
        self._note("write", operation, data=operation.data, offset=operation.offset, inode=operation.inode)

    def _sqlite_truncate(self, operation: Operation, _: object) -> None:
        self._note("truncate", operation, offset=operation.size, inode=operation.inode)

    def _sqlite_sync(self, operation: Operation, _: object) -> None:
        self._note("sync", operation, inode=operation.inode)
        if operation.path in self._sync_folder:
            self._sync_folder.discard(operation.path)
            self._note("sync folder", operation)
