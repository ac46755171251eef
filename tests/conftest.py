"""What many tests need: a root folder, stores made with plain SQL, and the commands as real processes."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import consolidate
from consolidate.store.contract import EPISODE_COLUMNS, FACT_COLUMNS, SCHEMA, TOMBSTONE_COLUMNS

Row = Mapping[str, Any]
MakeStore = Callable[..., Path]
Run = Callable[..., "subprocess.CompletedProcess[str]"]

# Whoever started the tests in the background may have had these ignored, and every command would inherit that.
for _number, _handler in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
    if signal.getsignal(_number) is signal.SIG_IGN:
        signal.signal(_number, _handler)

_FACT = {"multi": 0, "source": "user", "valid_from": 0.0, "status": "active", "evidence": "", "confirmations": 1}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """An empty folder for tenants."""
    folder = tmp_path / "tenants"
    folder.mkdir()
    return folder


@pytest.fixture
def make_store(root: Path) -> MakeStore:
    """Make a tenant's store with plain SQL, as an application would."""

    def make(
        tenant: str = "acme",
        facts: Iterable[Row] = (),
        episodes: Iterable[Row] = (),
        tombstones: Iterable[Row] = (),
        *,
        schema: str = SCHEMA,
        pragmas: Iterable[str] = (),
    ) -> Path:
        folder = root / tenant
        folder.mkdir()
        path = folder / "memory.db"
        with closing(sqlite3.connect(path)) as db:
            for pragma in pragmas:
                db.execute(f"PRAGMA {pragma}").fetchall()
            db.executescript(schema)
            for number, fact in enumerate(facts):
                _insert(db, "facts", FACT_COLUMNS, {"id": f"f{number}", **_FACT, **fact})
            for episode in episodes:
                _insert(db, "episodes", EPISODE_COLUMNS, episode)
            for tombstone in tombstones:
                _insert(db, "tombstones", TOMBSTONE_COLUMNS, tombstone)
            db.commit()
        return path

    return make


def _insert(db: sqlite3.Connection, table: str, columns: tuple[str, ...], row: Row) -> None:
    names = ", ".join(columns)
    db.execute(
        f"INSERT INTO {table}({names}) VALUES ({', '.join('?' * len(columns))})",
        [row.get(column) for column in columns],
    )


@pytest.fixture
def environment() -> dict[str, str]:
    """The environment in which the commands run, without settings of whoever runs the tests."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("CONSOLIDATE_", "PYTHON"))}
    package = str(Path(consolidate.__file__).parents[1])
    return kept | {"PYTHONPATH": package, "PYTHONIOENCODING": "utf-8", "NO_COLOR": ""}


@pytest.fixture
def run(environment: dict[str, str]) -> Run:
    """Run ``consolidate`` with arguments as a process of its own."""

    def run(
        *arguments: str | Path, stdin: str | bytes = b"", env: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        ended = subprocess.run(
            [sys.executable, "-m", "consolidate", *map(str, arguments)],
            input=stdin.encode() if isinstance(stdin, str) else stdin,
            capture_output=True,
            env=environment | dict(env or {}),
            check=False,
        )
        return subprocess.CompletedProcess(ended.args, ended.returncode, ended.stdout.decode(), ended.stderr.decode())

    return run


@pytest.fixture
def query() -> Callable[..., list[tuple[Any, ...]]]:
    """Ask a store with plain SQL, from outside."""

    def ask(path: Path, sql: str, *parameters: Any) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(path)) as db:
            rows = db.execute(sql, parameters).fetchall()
            db.commit()
            return rows

    return ask
