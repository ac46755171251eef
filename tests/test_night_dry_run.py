"""A dry run says in sentences what the night would do, what it skips and why, and leaves every byte as it was."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.night import NOW, Store, command

PLUGINS = {"PYTHONPATH": str(Path(__file__).parent / "plugins")}
AISLE = '[[promote.rules]]\nattribute = "seat"\nvalue = "aisle"\npattern = "aisle seat"\n'
CRASHING = """
import os, signal, sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.execute("UPDATE facts SET confirmations = 7 WHERE id = 'a'")
db.commit()
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture(params=["DELETE", "WAL"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    store = Store(tmp_path / "tenants", config=AISLE, journal_mode=request.param)
    store.fact("a", "Boston", day=1)
    store.fact("b", "boston", day=2)
    store.fact("c", "Austin", day=3)
    store.fact("again", "Boston", day=4)
    store.fact("guess", "Denver\x1b[31m\n", day=5, source="inferred")
    store.fact("trip", "Rome", day=1, attribute="trip", expires_at=NOW - 1)
    store.fact("soon", "vegan", day=40, attribute="diet")
    for day in (1, 2):
        store.episode(f"e{day}", "aisle seat", day=day)
    store.episode("t1", "aisle seat", day=1, user="tom")
    return store


def dry_run(store: Store, **env: str) -> list[str]:
    finished = command(
        "nightly", "--root", str(store.root), "--tenant", store.tenant, "--config", str(store.config_path),
        "--now", str(NOW), "--dry-run", env=env,
    )  # fmt: skip
    assert finished.status == 0, finished.err
    assert "\x1b" not in finished.out
    return finished.out.splitlines()


def test_plan_reads_like_sentences(store: Store) -> None:
    before = store.files()
    told = "\n".join(dry_run(store))
    for sentence in (
        "maya, trip [trip]: “Rome” ended on",
        "maya, home_city [b]: “boston” merges into “Boston”, because it says the same as another fact in force.",
        "maya, home_city [a]: “Boston” gives way to “Austin” from",
        "maya, home_city [c]: “Austin” gives way to “Boston” from",
        "maya, home_city [guess]: “Denver\\x1b[31m\\n” waits for a person to decide",
        "“aisle” becomes a fact, because 2 episodes support it (e1 e2).",
        "Skipped: 1 equal value stays apart, since another value lay between: a return, no duplicate.",
        "Skipped: 1 fact begins in the future and waits for its time.",
        "Skipped: 1 proposal has too few episodes behind it.",
    ):
        assert sentence in told, told
    assert store.files() == before


def test_what_a_dead_application_left_stays_as_it_is(store: Store) -> None:
    done = subprocess.run([sys.executable, "-c", CRASHING, str(store.path)], check=False)
    assert done.returncode == -signal.SIGKILL
    before = store.files()
    assert ("memory.db-wal" in before) == (store.journal_mode == "WAL")
    dry_run(store)
    assert store.files() == before
    assert store.facts()["a"]["confirmations"] == 7


def test_files_of_a_real_night_stay_as_they_are(store: Store) -> None:
    store.good_night()
    store.fact("more", "Paris", day=20)
    before = store.files()
    kept = [
        path for path in store.path.parent.iterdir() if not path.name.endswith(".lock")
    ]  # the lock says who holds it
    stamps = {path: path.stat().st_mtime_ns for path in kept}
    dry_run(store)
    assert store.files() == before
    assert {path: path.stat().st_mtime_ns for path in stamps} == stamps


def test_plan_of_a_night_that_would_be_rejected_says_so(store: Store) -> None:
    store.config = '[steps]\nextra = ["bad_steps:edited_value"]\n'
    store.fact("single", "tea", day=1, attribute="drink")
    before = store.files()
    finished = store.night("--dry-run", env=PLUGINS)
    assert (finished.status, finished.run["outcome"]) == (65, "planned")
    assert "The night would be rejected: live stays as it is." in finished.run["plan"]
    assert store.files() == before


def test_nothing_to_do_is_said(tmp_path: Path) -> None:
    store = Store(tmp_path / "tenants")
    assert any("Nothing would change" in line for line in dry_run(store, NO_COLOR="1"))
    assert list(store.files()) == ["memory.db"]
