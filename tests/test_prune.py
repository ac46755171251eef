"""Retention by hand: by number, age and size, and never the newest copy nor one that nobody has read."""

from __future__ import annotations

import fcntl
import json
from pathlib import Path

import pytest

from tests.night import DAY, NOW, Finished, Store, command

RUNS = [f"202605{day:02}T030000Z-abc{day:03}" for day in range(1, 9)]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """Eight nights, each of which left a copy of every kind of 1 MB."""
    store = Store(tmp_path / "tenants")
    for run in RUNS:
        for kind in ("pre", "rejected", "undone"):
            store.path.with_name(f"memory.db.{kind}-{run}").write_bytes(b"x" * 1_000_000)
    lines = [json.dumps({"run_id": run, "outcome": "swapped", "now": NOW}) for run in RUNS]
    store.path.with_name("memory.db.runs.jsonl").write_text("\n".join(lines) + "\n")
    return store


def prune(store: Store, *more: str, config: str = "") -> Finished:
    store.config = config
    call = ["--root", str(store.root), "--config", str(store.config_path), "--now", "2026-05-09"]
    return command("prune", *call, *(more if "--all" in more else ("--tenant", store.tenant, *more)))


def kept(store: Store, kind: str) -> list[str]:
    prefix = f"memory.db.{kind}-"
    return sorted(path.name.removeprefix(prefix) for path in store.path.parent.glob(f"{prefix}*"))


def read(store: Store, *runs: str) -> None:
    with store.path.with_name("memory.db.runs.jsonl").open("a") as lines:
        lines.writelines(json.dumps({"read": run}) + "\n" for run in runs)


def test_what_is_over_number_goes_and_what_nobody_has_read_stays(store: Store) -> None:
    read(store, *RUNS[2:4])
    config = "[retention]\nkeep_pre = 2\nkeep_rejected = 5\nkeep_undone = 0\n"
    before = store.files()
    plan = prune(store, "--dry-run", "--json", config=config)
    assert store.files() == before
    ended = prune(store, config=config)
    assert ended.status == 0, ended.err
    assert kept(store, "pre") == RUNS[6:]
    assert kept(store, "rejected") == RUNS[:2] + RUNS[3:]
    assert kept(store, "undone") == []
    [document] = json.loads(plan.out)["tenants"]
    assert {item["name"] for item in document["removed"]} == before.keys() - store.files().keys()
    assert ended.out.endswith("15 files, 15.0 MB, removed\n")
    assert prune(store, config=config).out == "0 files, 0 B, removed\n"


def test_what_is_over_age_goes(store: Store) -> None:
    read(store, *RUNS)
    plenty = "[retention]\nkeep_pre = 99\nkeep_rejected = 99\nkeep_undone = 99\n"
    assert prune(store, config=plenty).out.startswith("0 files")
    assert prune(store, config=plenty + "max_days = 3\n").status == 0
    assert [kept(store, kind) for kind in ("pre", "rejected", "undone")] == [RUNS[5:]] * 3
    assert prune(store, "--max-age", "1min", config=plenty).status == 0
    assert (kept(store, "pre"), kept(store, "rejected")) == (RUNS[7:], [])


def test_what_is_over_size_goes_oldest_first(store: Store) -> None:
    read(store, *RUNS[:7])
    plenty = "[retention]\nkeep_pre = 99\nkeep_rejected = 99\nkeep_undone = 99\n"
    assert prune(store, config=plenty + "max_megabytes = 10\n").status == 0
    left = [kept(store, kind) for kind in ("pre", "rejected", "undone")]
    assert sum(map(len, left)) == 10
    assert all(runs and runs[-1] == RUNS[-1] for runs in left)
    assert prune(store, "--max-megabytes", "0", config=plenty).status == 0
    assert [kept(store, kind) for kind in ("pre", "rejected", "undone")] == [RUNS[7:], RUNS[7:], []]


def test_the_nightly_run_keeps_to_age_and_size_as_well(store: Store) -> None:
    store.config = "[retention]\nkeep_pre = 99\nkeep_rejected = 99\nkeep_undone = 99\nmax_megabytes = 9\n"
    store.fact("a", "Boston", day=1)
    store.good_night(now=NOW + 30 * DAY)
    assert (kept(store, "pre"), kept(store, "rejected"), kept(store, "undone")) == (RUNS[7:], RUNS, [])


def test_a_store_that_a_run_has_in_hand_is_left_alone(store: Store) -> None:
    other = Store(store.root, "other")
    other.path.with_name(f"memory.db.undone-{RUNS[0]}").write_text("x")
    with store.path.with_name("memory.db.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        ended = prune(store, "--all", config="[retention]\nkeep_undone = 0\n")
    assert ended.status == 75
    assert "acme: error: " in ended.out
    assert kept(store, "undone") == RUNS
    assert kept(other, "undone") == []


@pytest.mark.parametrize(("more", "sentence"), [((), "whose copies"), (("--all", "--tenant", "acme"), "whose copies")])
def test_it_must_be_said_whose_copies(store: Store, more: tuple[str, ...], sentence: str) -> None:
    ended = command("prune", "--root", str(store.root), *more)
    assert (ended.status, ended.out) == (2, "")
    assert sentence in ended.err


def test_wrong_settings_are_named(store: Store) -> None:
    ended = prune(store, config="[retention]\nmax_days = -1\nmax_megabytes = -2\n")
    assert ended.status == 78
    assert "retention.max_days must be at least 0" in ended.err
    assert "retention.max_megabytes must be at least 0" in ended.err
