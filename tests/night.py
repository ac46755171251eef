"""One night from outside: stores written by plain SQL clients, the command run as its users run it."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

DAY = 86_400.0
NOW = 1_780_000_000.0

SCHEMA = """
CREATE TABLE facts(id TEXT PRIMARY KEY, user_id TEXT, attribute TEXT, value TEXT, multi INTEGER, source TEXT,
  valid_from REAL, valid_to REAL, expires_at REAL, status TEXT, superseded_by TEXT, evidence TEXT, confirmations INTEGER);
CREATE TABLE episodes(id TEXT PRIMARY KEY, user_id TEXT, occurred_at REAL, summary TEXT);
CREATE TABLE tombstones(user_id TEXT, attribute TEXT, value TEXT);
CREATE INDEX facts_by_user ON facts(user_id, attribute);
"""


@dataclass
class Finished:
    """A command that ended."""

    status: int
    out: str
    err: str

    @property
    def run(self) -> dict[str, Any]:
        """The only run of a ``nightly --json``."""
        (run,) = json.loads(self.out)["runs"]
        assert isinstance(run, dict)
        return run


@dataclass
class Store:
    """A tenant's store as an application in any language sees it."""

    root: Path
    tenant: str = "acme"
    config: str = ""
    schema: str = SCHEMA
    journal_mode: str = "DELETE"
    _serial: int = field(default=0, repr=False)

    def __post_init__(self) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        if not self.path.exists():
            self.sql(f"PRAGMA journal_mode={self.journal_mode}")
            self.script(self.schema)

    @property
    def path(self) -> Path:
        return self.root / self.tenant / "memory.db"

    @property
    def config_path(self) -> Path:
        path = self.root.parent / f"{self.tenant}.toml"
        path.write_text(self.config, "utf-8")
        return path

    def connect(self) -> sqlite3.Connection:
        db = sqlite3.connect(self.path, timeout=30, isolation_level=None)
        db.row_factory = sqlite3.Row
        return db

    def sql(self, text: str, values: Sequence[Any] | Mapping[str, Any] = ()) -> list[sqlite3.Row]:
        db = self.connect()
        try:
            return db.execute(text, values).fetchall()
        finally:
            db.close()

    def script(self, text: str) -> None:
        db = self.connect()
        try:
            db.executescript(text)
        finally:
            db.close()

    def fact(
        self, id: str, value: Any, day: float, user: str = "maya", attribute: str = "home_city", **columns: Any
    ) -> str:
        """Store one fact; ``day`` counts from 30 days before ``NOW``."""
        row: dict[str, Any] = {
            "id": id, "user_id": user, "attribute": attribute, "value": value, "multi": 0, "source": "user",
            "valid_from": at(day), "valid_to": None, "expires_at": None, "status": "active", "superseded_by": None,
            "evidence": None, "confirmations": 1,
        } | columns  # fmt: skip
        self.sql(f"INSERT INTO facts({','.join(row)}) VALUES ({','.join('?' * len(row))})", list(row.values()))
        return id

    def episode(self, id: str, summary: str, day: float, user: str = "maya") -> str:
        self.sql("INSERT INTO episodes VALUES (?, ?, ?, ?)", (id, user, at(day), summary))
        return id

    def tombstone(self, attribute: str | None, value: str | None, user: str = "maya") -> None:
        self.sql("INSERT INTO tombstones VALUES (?, ?, ?)", (user, attribute, value))

    def night(self, *arguments: str, now: float = NOW, env: Mapping[str, str] | None = None) -> Finished:
        """Run ``nightly --json`` on this tenant."""
        return command(
            "nightly", "--root", str(self.root), "--tenant", self.tenant, "--config", str(self.config_path),
            "--now", str(now), "--json", *arguments, env=env,
        )  # fmt: skip

    def good_night(self, *arguments: str, now: float = NOW) -> dict[str, Any]:
        """Run a night that must not fail, and return its run."""
        finished = self.night(*arguments, now=now)
        assert finished.status == 0, finished.out + finished.err
        assert finished.run["outcome"] in ("swapped", "unchanged", "planned"), finished.run
        return finished.run

    def facts(self) -> dict[str, sqlite3.Row]:
        return {row["id"]: row for row in self.sql("SELECT * FROM facts ORDER BY id")}

    def status(self, *ids: str) -> list[str]:
        facts = self.facts()
        return [facts[id]["status"] for id in ids]

    def in_force(self, user: str = "maya", attribute: str = "home_city", now: float = NOW) -> list[str]:
        rows = self.sql(
            """SELECT value FROM facts WHERE user_id = ? AND attribute = ? AND status = 'active' AND valid_to IS NULL
               AND valid_from <= ? AND (expires_at IS NULL OR expires_at > ?) ORDER BY id""",
            (user, attribute, now, now),
        )
        return [row["value"] for row in rows]

    def files(self) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in sorted(self.path.parent.iterdir())}


def at(day: float) -> float:
    """Return a time counted in days from 30 days before ``NOW``."""
    return NOW - 30 * DAY + day * DAY


def command(*arguments: str, env: Mapping[str, str] | None = None, stdin: str | None = None) -> Finished:
    """Run ``consolidate`` with these arguments as a user does."""
    done = subprocess.run(
        [sys.executable, "-m", "consolidate", *arguments],
        capture_output=True,
        text=True,
        input=stdin,
        env={**clean_environment(), **(env or {})},
        check=False,
    )
    return Finished(done.returncode, done.stdout, done.stderr)


def clean_environment() -> dict[str, str]:
    """Return the environment without this project's own variables."""
    return {key: value for key, value in os.environ.items() if not key.startswith("CONSOLIDATE_")}


def rows_of(path: Path, text: str, values: Iterable[Any] = ()) -> list[Any]:
    """Read any database file as an outsider."""
    db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        return db.execute(text, tuple(values)).fetchall()
    finally:
        db.close()


MUTABLE = ("status", "valid_to", "superseded_by", "evidence", "confirmations")


def ask(store: Store, *arguments: str) -> Finished:
    """Run a command on a store, a second after the night, where it takes a clock."""
    place = ["--root", str(store.root), "--tenant", store.tenant, "--config", str(store.config_path)]
    return command(*arguments, *place, *(() if arguments[0] == "history" else ("--now", str(NOW + 1))))


def images(store: Store) -> dict[str, tuple[Any, ...]]:
    """Return what the job may change of each fact."""
    return {id: tuple(row[column] for column in MUTABLE) for id, row in store.facts().items()}


def quiet_nights(store: Store) -> None:
    """Make sure that nothing is decided again, and that nothing is wrong with the store."""
    before = images(store)
    for day in (0, 1):
        run = store.good_night(now=NOW + DAY * day)
        assert sum(run["actions"].values()) == 0, run
    assert images(store) == before
    checked = ask(store, "check")
    assert checked.status == 0, checked.out
