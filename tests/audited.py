"""The ``consolidate`` command under watch: ``python -m tests.audited ARGUMENTS`` ends with status 99 where it was careless.

Closing any descriptor on a database drops all POSIX locks that the process holds on that file, and SQLite cannot know. So
nothing but SQLite may open a database that SQLite has open in this process, under whatever name; a database that Python still
has open must not be opened by SQLite; and the stdlib module, another SQLite with locks of its own, must not be there at all.
"""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path
from typing import Any

import apsw

CARELESS = 99

Identity = tuple[int, int]
# Files of a store that are not databases; SQLite never opens them.
_NO_DATABASE = (".lock", ".jsonl", ".json", ".toml")


class Audit:
    """What was done in this process that endangers SQLite's locks, in sentences."""

    def __init__(self) -> None:
        self.violations: list[str] = []
        self._opened: dict[Identity, str] = {}

    def install(self) -> None:
        """Watch from now on; an audit hook stays for the life of the process."""
        if {"sqlite3", "_sqlite3"} & set(sys.modules):
            self.violations.append("the stdlib module sqlite3 was there from the start")
        sys.addaudithook(self._hook)
        apsw.connection_hooks.append(self._connected)

    def _hook(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == "import" and arguments[0] in ("sqlite3", "_sqlite3"):
            self.violations.append(f"import of {arguments[0]}")
        elif event == "sqlite3.connect":
            self.violations.append(f"sqlite3.connect of {arguments[0]}")
        elif event == "open" and isinstance(arguments[0], (str, bytes, os.PathLike)):
            self._opening(os.fsdecode(arguments[0]), arguments[2] or 0)

    def _opening(self, path: str, flags: int) -> None:
        if "/memory.db" not in path and not path.startswith("memory.db"):
            return
        try:
            found = Path(path).stat()
        except OSError:
            return
        if not stat.S_ISREG(found.st_mode) or path.endswith(_NO_DATABASE) or flags & os.O_PATH:
            return
        identity = (found.st_dev, found.st_ino)
        self._opened[identity] = path
        names = held().get(identity)
        if names:
            self.violations.append(f"open of {path} while {', '.join(names)} is open in this process")

    def _connected(self, db: apsw.Connection) -> None:
        """Look whether Python still has open what SQLite has opened just now."""
        databases = [other for other in apsw.connections() if other.filename]
        for identity, names in held().items():
            allowed = sum(_identity(other.filename) == identity for other in databases)
            if identity in self._opened and _identity(db.filename) == identity and len(names) > max(allowed, 1):
                self.violations.append(f"connection to {names[0]} while {self._opened[identity]} is open in Python")


def held() -> dict[Identity, list[str]]:
    """Return the databases that this process has open, by device and inode, with the names of each descriptor."""
    found: dict[Identity, list[str]] = {}
    for name in os.listdir("/proc/self/fd"):  # noqa: PTH208 - numbers, not paths
        try:
            status, target = os.fstat(int(name)), os.readlink(f"/proc/self/fd/{name}")  # noqa: PTH115 - as the kernel says it
        except OSError:
            continue
        if stat.S_ISREG(status.st_mode) and "/memory.db" in target and not target.endswith(_NO_DATABASE):
            found.setdefault((status.st_dev, status.st_ino), []).append(target)
    return found


def _identity(path: str) -> Identity | None:
    try:
        found = Path(path).stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def main() -> None:
    """Run the command that the arguments name; one that was careless ends with a status of its own."""
    audit = Audit()
    audit.install()
    from consolidate.cli.main import main as command

    try:
        command()
    finally:
        if audit.violations:
            print(*audit.violations, sep="\n", file=sys.stderr, flush=True)
            os._exit(CARELESS)


if __name__ == "__main__":
    main()
