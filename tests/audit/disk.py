"""What a power cut leaves of a folder: the names as last synced, and of each file the content as last synced."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from tests.audited import Identity


class Disk:
    """A folder as it stands on the disk, not in the memory of the machine; everything is on the disk at first.

    Nothing is opened that SQLite has open: its own descriptors are read.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._names = self._current()
        self._content = {identity: (folder / name).read_bytes() for name, identity in self._names.items()}

    def _current(self) -> dict[str, Identity]:
        found = {}
        for item in os.scandir(self._folder):
            status = item.stat(follow_symlinks=False)
            if stat.S_ISREG(status.st_mode):
                found[item.name] = (status.st_dev, status.st_ino)
        return found

    def sync_descriptor(self, descriptor: int) -> None:
        """Note that a file or a folder was synced."""
        status = os.fstat(descriptor)
        if stat.S_ISDIR(status.st_mode):
            self.sync_folder()
        else:
            self._content[status.st_dev, status.st_ino] = os.pread(descriptor, status.st_size, 0)

    def sync_database(self, path: str) -> None:
        """Note that SQLite synced a file; with a new journal it syncs the folder, too."""
        status = os.stat(path)  # noqa: PTH116 - as SQLite names it
        identity = (status.st_dev, status.st_ino)
        for name in os.listdir("/proc/self/fd"):  # noqa: PTH208 - numbers, not paths
            try:
                found = os.fstat(int(name))
            except OSError:
                continue
            if (found.st_dev, found.st_ino) == identity:
                self.sync_descriptor(int(name))
                break
        if Path(path).name not in self._names and path.endswith(("-journal", "-wal")):
            self.sync_folder()

    def sync_folder(self) -> None:
        """Note that the names were synced."""
        self._names = self._current()

    def leave(self, target: Path, *, names_arrived: bool) -> None:
        """Write what is left after a power cut.

        Args:
            target: an empty folder.
            names_arrived: whether what was renamed, linked and removed without a sync had reached the disk all the same.
        """
        written: dict[Identity, Path] = {}
        for name, identity in (self._current() if names_arrived else self._names).items():
            if identity in written:
                (target / name).hardlink_to(written[identity])
            else:
                (target / name).write_bytes(self._content.get(identity, b""))
                written[identity] = target / name
