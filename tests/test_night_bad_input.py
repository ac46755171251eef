"""Bad input: one clear sentence, the right exit status, nothing created or changed (DESIGN section 6)."""

from __future__ import annotations

import fcntl
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.night import NOW, SCHEMA, Finished, Store, clean_environment, command


def snapshot(folder: Path) -> dict[str, bytes | None]:
    return {
        str(path.relative_to(folder)): None if path.is_dir() else path.read_bytes()
        for path in sorted(folder.rglob("*"))
    }


def told(finished: Finished) -> str:
    """Return what the user is told; never a traceback."""
    assert "Traceback" not in finished.out + finished.err
    return finished.out + finished.err


def nightly(root: Path, *arguments: str) -> Finished:
    return command("nightly", "--root", str(root), "--now", str(NOW), *arguments)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of two megabytes."""
    mount = tmp_path / "small"
    mount.mkdir()
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(mount)], capture_output=True, check=False
    )
    if done.returncode:
        pytest.skip("a small file system can only be mounted by root")
    try:
        yield mount
    finally:
        subprocess.run(["umount", "--lazy", str(mount)], check=True)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    store = Store(tmp_path / "tenants")
    store.fact("a", "Boston", day=1)
    store.fact("b", "Austin", day=2)
    return store


def test_missing_root(tmp_path: Path) -> None:
    finished = nightly(tmp_path / "nowhere", "--tenant", "acme")
    assert finished.status == 2 and "nowhere" in told(finished)
    assert snapshot(tmp_path) == {}


@pytest.mark.parametrize("name", ["other", "..", "a/b", "../tenants/acme", "", ".", "acme/"])
def test_unknown_or_unfit_tenant_name(store: Store, name: str) -> None:
    before = snapshot(store.root)
    finished = nightly(store.root, "--tenant", name)
    assert finished.status == 2, told(finished)
    assert snapshot(store.root) == before


@pytest.mark.parametrize(
    "content", [b"", b"hello, this is text\n" * 100, b"SQLite format 3\0" + b"\0" * 84, None], ids=str
)
def test_file_that_is_not_a_store(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "tenants" / "acme" / "memory.db"
    path.parent.mkdir(parents=True)
    if content is None:
        db = sqlite3.connect(path)
        db.executescript(SCHEMA)
        db.executemany("INSERT INTO episodes VALUES (?, 'u', 1, ?)", [(str(n), "x" * 500) for n in range(100)])
        db.commit()
        db.close()
        path.write_bytes(path.read_bytes()[:-9000])
    else:
        path.write_bytes(content)
    before = snapshot(tmp_path)
    finished = nightly(tmp_path / "tenants", "--tenant", "acme")
    assert finished.status == 74, told(finished)
    assert str(path) in told(finished)
    assert snapshot(tmp_path) == before


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ("ALTER TABLE facts DROP COLUMN confirmations", "confirmations"),
        ("DROP TABLE tombstones", "tombstones"),
        ("DROP TABLE episodes; CREATE TABLE episodes(id TEXT PRIMARY KEY, user_id, occurred_at TEXT, summary)", "occurred_at"),
        ("DROP TABLE facts; CREATE VIEW facts AS SELECT 1", "facts"),
    ],
)  # fmt: skip
def test_store_that_breaks_the_contract(store: Store, change: str, named: str) -> None:
    store.script(change)
    before = snapshot(store.root)
    finished = nightly(store.root, "--tenant", "acme")
    assert finished.status == 74 and named in told(finished)
    assert snapshot(store.root) == before


def test_all_mistakes_of_a_configuration_are_named_at_once(store: Store) -> None:
    store.config = """
[swap]
mode = "sideways"
lock_timeout = "long"
[promote]
min_suport = 3
[[promote.rules]]
attribute = "x"
pattern = "("
[colours]
"""
    before = snapshot(store.root)
    finished = store.night()
    assert finished.status == 78
    for mistake in ("swap.lock_timeout", "promote.min_suport", "promote.rules[1].pattern", "colours"):
        assert mistake in told(finished)
    assert snapshot(store.root) == before


@pytest.mark.parametrize("plugin", ["nowhere:step", "json:nothing", "json:__name__"])
def test_plugin_that_cannot_be_loaded(store: Store, plugin: str) -> None:
    store.config = f'[steps]\nextra = ["{plugin}"]\n'
    before = snapshot(store.root)
    finished = store.night()
    assert finished.status == 78 and plugin in told(finished)
    assert snapshot(store.root) == before


@pytest.mark.parametrize(
    "text",
    ["[[probe]", '[[probe]]\nuser = "m"\n', '[[probe]]\nuser = "m"\nattribute = "a"\nexpect = 1\n', "[other]\n"],
)
def test_broken_probes(store: Store, text: str) -> None:
    store.path.with_name("probes.toml").write_text(text)
    before = snapshot(store.root)
    finished = store.night()
    assert finished.status == 78 and "probes.toml" in told(finished)
    assert snapshot(store.root) == before


def test_second_run_at_the_same_time_says_who_is_at_work(store: Store) -> None:
    with store.path.with_name("memory.db.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        before = snapshot(store.root)
        finished = store.night()
        assert finished.status == 75, told(finished)
        assert finished.run["outcome"] == "busy" and "memory.db" in finished.run["error"]
        assert snapshot(store.root) == before


def test_read_only_folder(store: Store) -> None:
    before = snapshot(store.root)
    store.path.chmod(0o444)
    store.path.parent.chmod(0o555)
    try:
        finished = powerless("nightly", "--root", str(store.root), "--tenant", "acme", "--now", str(NOW))
    finally:
        store.path.parent.chmod(0o755)
    assert finished.status == 74, told(finished)
    assert str(store.path.parent) in told(finished)
    assert snapshot(store.root) == before


def powerless(*arguments: str) -> Finished:
    """Run a command as somebody whom permissions bind; root ignores them unless it gives that power up."""
    power = "-dac_override,-dac_read_search"
    without = ["setpriv", f"--bounding-set={power}", f"--inh-caps={power}"] if os.geteuid() == 0 else []
    done = subprocess.run(
        [*without, sys.executable, "-m", "consolidate", *arguments],
        capture_output=True, text=True, env=clean_environment(), check=False,
    )  # fmt: skip
    return Finished(done.returncode, done.stdout, done.stderr)


def test_no_space_left(tmp_path: Path, small_disk: Path) -> None:
    store = Store(small_disk / "tenants")
    store.fact("a", "Boston", day=1)
    store.fact("b", "Austin", day=2)
    store.fact("big", "x" * 600_000, day=2, attribute="note")
    before = snapshot(store.root)
    finished = nightly(store.root, "--tenant", "acme")
    assert finished.status == 74 and "space" in told(finished).lower()
    left = snapshot(store.root)
    for name in ("acme/memory.db.lock", "acme/memory.db.runs.jsonl"):
        left.pop(name, None)
    assert left == before
