"""Extra steps that open the live store by themselves: each drops the locks that SQLite holds on it in this process."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import apsw


def _live() -> Path:
    return Path(os.environ["LIVE"])


def reads(shadow: apsw.Connection, now: float) -> None:
    _live().read_bytes()


def opens(shadow: apsw.Connection, now: float) -> None:
    os.close(os.open(_live(), os.O_RDONLY))


def copies(shadow: apsw.Connection, now: float) -> None:
    shutil.copy(_live(), f"{_live()}.copied")


def reads_index(shadow: apsw.Connection, now: float) -> None:
    _live().with_name("memory.db-shm").read_bytes()


def reads_link(shadow: apsw.Connection, now: float) -> None:
    link = _live().with_name("memory.db.linked")
    link.hardlink_to(_live())
    try:
        link.read_bytes()
    finally:
        link.unlink()


def connects(shadow: apsw.Connection, now: float) -> None:
    import sqlite3

    sqlite3.connect(_live()).close()


def looks(shadow: apsw.Connection, now: float) -> None:
    """What is allowed: asking about the file, and another connection of the same SQLite."""
    _live().stat()
    db = apsw.Connection(str(_live()))
    db.execute("SELECT count(*) FROM facts").fetchall()
    db.close()
