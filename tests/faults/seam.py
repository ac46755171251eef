"""The seam under a command: every operation on the files of a store, of SQLite and of our own, passes here first.

`install` puts a watcher between the code of this process and the system: the functions of `os` and `fcntl` with which the
package changes files are replaced, and SQLite gets a VFS on top of its own. It is for a process that does nothing else, such as
a forked child.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import apsw

Perform = Callable[[], Any]
Describe = Callable[..., "Operation | None"]


@dataclass(frozen=True)
class Operation:
    """One operation, about to be done.

    Attributes:
        name: such as ``os.link`` or ``sqlite.write``.
        path: the file concerned, by the name it has now; empty for a temporary file of SQLite's own.
        changes: whether it alters what other processes see on the disk.
        descriptor: our own descriptor on it, if it goes by one.
        target: of ``os.link`` and ``os.replace`` the new name.
        data: what is written.
        offset: where.
        size: what is truncated to.
        flags: the flags of an open, whether a deletion syncs the folder.
        inode: of a file that SQLite has open.
        half: does half of a write.
    """

    name: str
    path: str
    changes: bool = True
    descriptor: int = -1
    target: str = ""
    data: bytes = b""
    offset: int = 0
    size: int = 0
    flags: int = 0
    inode: int = 0
    half: Perform | None = None

    @property
    def divisible(self) -> bool:
        """Whether half of it can be done."""
        return self.name in ("sqlite.write", "os.pwrite", "os.write", "os.copy_file_range") and bool(self.path)


class Watcher(Protocol):
    """Who is asked about every operation."""

    def around(self, operation: Operation, perform: Perform) -> Any:
        """Do the operation with ``perform``, or let it go wrong."""


def install(watcher: Watcher, folder: Path, *, reads: bool = False) -> None:
    """Let a watcher see every operation of this process on the files of a folder, for good; ``reads`` of SQLite too."""
    _Files(watcher, str(folder)).install()
    _Sqlite(watcher, str(folder), _ReadFile if reads else _SqliteFile)


_CLONE = 0x40049409


class _Files:
    """The functions with which Python changes files."""

    def __init__(self, watcher: Watcher, folder: str) -> None:
        self._watcher, self._folder = watcher, folder

    def install(self) -> None:
        own: dict[str, Describe] = {
            "link": self._two_paths, "replace": self._two_paths, "rename": self._two_paths,
            "unlink": self._path, "remove": self._path, "chmod": self._path, "chown": self._path,
            "setxattr": self._path, "removexattr": self._path, "mkdir": self._path,
            "listdir": self._look, "statvfs": self._look, "open": self._open,
            "fsync": self._descriptor, "fdatasync": self._descriptor, "ftruncate": self._truncate,
            "pwrite": self._write, "write": self._write, "copy_file_range": self._copy,
        }  # fmt: skip
        control: dict[str, Describe] = {"ioctl": self._clone, "flock": self._lock, "fcntl": self._lease}
        for module, functions in ((os, own), (fcntl, control)):
            for name, describe in functions.items():
                self._replace(module, name, describe)

    def _replace(self, module: Any, name: str, describe: Callable[..., Operation | None]) -> None:
        real = getattr(module, name)

        def watched(*arguments: Any, **named: Any) -> Any:
            found = describe(f"{module.__name__}.{name}", real, *arguments, **named)
            if found is None:
                return real(*arguments, **named)
            return self._watcher.around(found, lambda: real(*arguments, **named))

        setattr(module, name, watched)

    def _inside(self, path: Any) -> str:
        if isinstance(path, int):
            path = Path(f"/proc/self/fd/{path}").readlink()
        text = os.fsdecode(path)
        return text if text.startswith(self._folder) else ""

    def _path(self, name: str, _: object, path: Any, *__: object, **___: object) -> Operation | None:
        inside = self._inside(path)
        return Operation(name, inside, changes=os.path.lexists(inside)) if inside else None

    def _two_paths(self, name: str, _: object, path: Any, target: Any, **__: object) -> Operation | None:
        return Operation(name, inside, target=os.fsdecode(target)) if (inside := self._inside(path)) else None

    def _look(self, name: str, _: object, path: Any = ".") -> Operation | None:
        return Operation(name, inside, changes=False) if (inside := self._inside(path)) else None

    def _open(self, name: str, _: object, path: Any, flags: int, *__: object, **___: object) -> Operation | None:
        inside = self._inside(path)
        creates = bool(flags & os.O_CREAT) and not os.path.lexists(inside)
        return Operation(name, inside, changes=creates, flags=flags) if inside else None

    def _descriptor(self, name: str, _: object, descriptor: int) -> Operation | None:
        inside = self._inside(descriptor)
        return Operation(name, inside, changes=False, descriptor=descriptor) if inside else None

    def _truncate(self, name: str, _: object, descriptor: int, size: int) -> Operation | None:
        inside = self._inside(descriptor)
        return Operation(name, inside, descriptor=descriptor, size=size) if inside else None

    def _write(self, name: str, real: Any, descriptor: int, data: Any, *offset: int) -> Operation | None:
        inside = self._inside(descriptor)
        half = len(data) // 2
        return Operation(
            name, inside, descriptor=descriptor, data=bytes(data), offset=offset[0] if offset else 0,
            half=lambda: real(descriptor, data[:half], *offset),
        ) if inside else None  # fmt: skip

    def _copy(self, name: str, real: Any, source: int, target: int, count: int, *offsets: int) -> Operation | None:
        inside = self._inside(target)
        if not inside:
            return None
        assert len(offsets) == 2, "the position in the files would have to be followed"
        data = os.pread(source, count, offsets[0])
        return Operation(
            name, inside, descriptor=target, data=data, offset=offsets[1],
            half=lambda: real(source, target, len(data) // 2, *offsets),
        )  # fmt: skip

    def _clone(self, name: str, _: object, target: Any, request: int, source: Any = 0, *__: object) -> Operation | None:
        if request != _CLONE or not (inside := self._inside(target)):
            return None
        data = os.pread(source, os.fstat(source).st_size, 0)
        return Operation(name, inside, descriptor=target, data=data)

    def _lock(self, name: str, _: object, descriptor: int, *__: object) -> Operation | None:
        inside = self._inside(descriptor)
        return Operation(name, inside, changes=False, descriptor=descriptor) if inside else None

    def _lease(self, name: str, _: object, descriptor: int, command: int, value: Any = 0) -> Operation | None:
        if command != fcntl.F_SETLEASE or value != fcntl.F_WRLCK or not (inside := self._inside(descriptor)):
            return None
        return Operation("fcntl.lease", inside, changes=False, descriptor=descriptor)


class _Sqlite(apsw.VFS):
    """SQLite's own operations."""

    def __init__(self, watcher: Watcher, folder: str, kind: type[_SqliteFile]) -> None:
        super().__init__("watched", "unix", makedefault=True)
        self._watcher, self._folder, self._kind = watcher, folder, kind
        _KEPT.append(self)

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:
        path = (name.filename() if isinstance(name, apsw.URIFilename) else name) or ""
        path = path if path.startswith(self._folder) else ""
        creates = bool(path) and bool(flags[0] & apsw.SQLITE_OPEN_CREATE) and not os.path.lexists(path)
        found = Operation("sqlite.open", path, changes=creates, flags=flags[0])
        opened: apsw.VFSFile = self._watcher.around(found, lambda: self._kind(self._watcher, path, name, flags))
        return opened

    def xDelete(self, name: str, sync: bool) -> None:
        found = Operation("sqlite.delete", name, flags=int(sync))
        self._watcher.around(found, lambda: self._delete(name, sync))

    def _delete(self, name: str, sync: bool) -> None:
        try:
            apsw.VFS.xDelete(self, name, sync)
        except apsw.IOError as error:
            # To SQLite this result is no failure; as an exception it would end the call that led here.
            if getattr(error, "extendedresult", 0) != apsw.SQLITE_IOERR_DELETE_NOENT:
                raise


class _SqliteFile(apsw.VFSFile):
    def __init__(self, watcher: Watcher, path: str, name: str | apsw.URIFilename | None, flags: list[int]) -> None:
        super().__init__("unix", name, flags)
        self._watcher, self._path = watcher, path
        self._inode = os.stat(path).st_ino if path else 0  # noqa: PTH116 - a name, not a path

    def xWrite(self, data: bytes, offset: int) -> None:
        data = bytes(data)
        found = Operation(
            "sqlite.write", self._path, changes=bool(self._path), data=data, offset=offset,
            inode=self._inode,
            half=lambda: apsw.VFSFile.xWrite(self, data[: len(data) // 2], offset),
        )  # fmt: skip
        self._watcher.around(found, lambda: apsw.VFSFile.xWrite(self, data, offset))

    def xSync(self, flags: int) -> None:
        found = Operation("sqlite.sync", self._path, changes=False, flags=flags, inode=self._inode)
        self._watcher.around(found, lambda: apsw.VFSFile.xSync(self, flags))

    def xTruncate(self, size: int) -> None:
        found = Operation("sqlite.truncate", self._path, changes=bool(self._path), size=size, inode=self._inode)
        self._watcher.around(found, lambda: apsw.VFSFile.xTruncate(self, size))


class _ReadFile(_SqliteFile):
    def xRead(self, amount: int, offset: int) -> bytes:
        found = Operation("sqlite.read", self._path, changes=False, offset=offset, inode=self._inode)
        data: bytes = self._watcher.around(found, lambda: apsw.VFSFile.xRead(self, amount, offset))
        return data


# A VFS is unregistered when its object goes.
_KEPT: list[apsw.VFS] = []
