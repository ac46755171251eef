"""What the kernel knows about a file that SQLite has open: who else has it open, and which locks stand (DESIGN section 4).

A write lease is granted only while nobody else has the file open, not even without reading. Everything here works on
SQLite's own descriptor, found under ``/proc/self/fd``: nothing is opened or closed, so no lock is dropped.
"""

from __future__ import annotations

import errno
import fcntl
import os
import signal
import struct
import sys
import threading
from pathlib import Path

from consolidate.store.files import Identity

# SQLite's lock bytes: in the database file, and (write-ahead log) the writer's byte in the shared memory.
RESERVED_BYTE = 0x40000001
SHARED_BYTE = 0x40000002
WAL_WRITE_BYTE = 120

_FLOCK = "hhqqi4x"


class LeaseUnavailable(Exception):  # noqa: N818 - says that one of two ways is closed, which is no error
    """Leases do not work here: another system, a network file system, a file of another owner."""


def find_descriptor(identity: Identity) -> int | None:
    """Return this process's only descriptor on a file, or None where there is none, or more than one."""
    found = descriptors(identity)
    return found[0] if len(found) == 1 else None


def descriptors(identity: Identity) -> list[int]:
    """Return this process's descriptors on a file. SQLite keeps those of closed connections as long as it holds a lock."""
    found: list[int] = []
    if not sys.platform.startswith("linux"):
        return found
    for name in os.listdir("/proc/self/fd"):  # noqa: PTH208 - numbers, not paths
        try:
            status = os.fstat(int(name))
        except OSError:
            continue
        if (status.st_dev, status.st_ino) == identity:
            found.append(int(name))
    return found


class Lease:
    """A write lease on one descriptor.

    Whoever opens the file while it is held waits in ``open()`` until it is released; the kernel then sends a signal, which
    is made one that nobody dies of.

    Args:
        descriptor: SQLite's own descriptor on the file.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def take(self) -> bool:
        """Ask for the lease; False while somebody else has the file open.

        Raises:
            LeaseUnavailable: there are no leases here, or not for this process.
        """
        _survive_the_signal()
        try:
            fcntl.fcntl(self._descriptor, fcntl.F_SETSIG, signal.SIGURG)
            fcntl.fcntl(self._descriptor, fcntl.F_SETLEASE, fcntl.F_WRLCK)
        except OSError as error:
            if error.errno in (errno.EAGAIN, errno.EBUSY):
                return False
            raise LeaseUnavailable(os.strerror(error.errno or 0)) from error
        return True

    def held(self) -> bool:
        """Tell whether the lease is held and nobody is waiting for it to end."""
        return fcntl.fcntl(self._descriptor, fcntl.F_GETLEASE) == fcntl.F_WRLCK

    def release(self) -> None:
        """Give the lease back; whoever waits in ``open()`` goes on."""
        try:
            fcntl.fcntl(self._descriptor, fcntl.F_SETLEASE, fcntl.F_UNLCK)
        except OSError as error:
            if error.errno not in (errno.EAGAIN, errno.EINVAL):  # not held, or ended by the kernel
                raise


def _survive_the_signal() -> None:
    """The default action of SIGIO ends the process. SIGURG, asked for instead, is ignored; both are safe together."""
    if threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGIO) is signal.SIG_DFL:
        signal.signal(signal.SIGIO, signal.SIG_IGN)


def holds_lock(descriptor: int, first: int, count: int = 1) -> bool:
    """Tell whether this process still holds its lock on some bytes of a file.

    Code in this process that opens and closes the file by itself drops SQLite's locks without a word. A lock of an open file
    description conflicts even with the locks of its own process, so asking for one (without taking it) shows them.

    Args:
        descriptor: any descriptor on the file.
        first: the first byte.
        count: how many.

    Returns:
        False only if the lock is certainly gone: where another process shares it, or the system cannot tell, True.
    """
    if not hasattr(fcntl, "F_OFD_GETLK"):
        return True
    asked = struct.pack(_FLOCK, fcntl.F_WRLCK, os.SEEK_SET, first, count, 0)
    kind = struct.unpack(_FLOCK, fcntl.fcntl(descriptor, fcntl.F_OFD_GETLK, asked))[0]
    return bool(kind != fcntl.F_UNLCK)


def openers(identity: Identity) -> list[str]:
    """Return the other processes that have a file open, as far as this process may see them: ``process 123 (name)``."""
    found = []
    for process in Path("/proc").iterdir():
        if not process.name.isdigit() or int(process.name) == os.getpid():
            continue
        try:
            if any(_is(item, identity) for item in (process / "fd").iterdir()):
                found.append(f"process {process.name} ({(process / 'comm').read_text('utf-8', 'replace').strip()})")
        except OSError:
            continue
    return sorted(found)


def _is(item: Path, identity: Identity) -> bool:
    try:
        status = item.stat()
    except OSError:
        return False
    return (status.st_dev, status.st_ino) == identity
