"""A night over a whole root, from outside: one bad tenant costs only itself, and work is neither repeated nor left."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.night import DAY, NOW, Store, at, clean_environment, command

PLUGINS = str(Path(__file__).parent / "plugins")
CONFIG = '[steps]\nextra = ["fleet_steps:behave"]\n[swap]\nlock_timeout = 0.5\n'


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "tenants"


def tenant(root: Path, name: str, do: str | None = None, said: Path | None = None, facts: int = 2) -> Store:
    """Make a store in which one fact gives way to the next; ``do`` is what the extra step does there."""
    store = Store(root, name)
    for number in range(facts):
        store.fact(f"f{number}", f"city {number}", day=1 + number / 100)
    if do is not None:
        store.script("CREATE TABLE behaviour(do TEXT, said TEXT)")
        store.sql("INSERT INTO behaviour VALUES (?, ?)", (do, None if said is None else str(said)))
    return store


def arguments(root: Path, *more: str, config: str = CONFIG, now: float = NOW) -> list[str]:
    """Return the command line of a night over every tenant, or over those that ``more`` names."""
    path = root.parent / "fleet.toml"
    path.write_text(config, "utf-8")
    everyone = [] if "--tenant" in more else ["--all"]
    return ["nightly", "--root", str(root), *everyone, "--config", str(path), "--now", str(now), "--json", *more]


def night(root: Path, *more: str, config: str = CONFIG, now: float = NOW) -> tuple[int, dict[str, dict[str, Any]]]:
    """Run a night over every tenant and return its status and the runs by tenant."""
    ended = command(*arguments(root, *more, config=config, now=now), env={"PYTHONPATH": PLUGINS})
    assert "Traceback" not in ended.err, ended.err
    runs = json.loads(ended.out)["runs"]
    assert [run["tenant"] for run in runs] == sorted(run["tenant"] for run in runs)
    return ended.status, {run["tenant"]: run for run in runs}


def begin(root: Path, *more: str, config: str = CONFIG) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "consolidate", *arguments(root, *more, config=config)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=clean_environment() | {"PYTHONPATH": PLUGINS},
        start_new_session=True,
    )  # fmt: skip


def until(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def history(store: Store) -> list[dict[str, Any]]:
    return [json.loads(line) for line in store.path.with_name("memory.db.runs.jsonl").read_text().splitlines()]


def test_a_bad_tenant_costs_only_itself(root: Path) -> None:
    good = [tenant(root, f"good{number}", facts=2 + number) for number in range(3)]
    crashing = tenant(root, "crashing", "crash")
    spoiling = tenant(root, "spoiling", "spoil")
    (root / "corrupt").mkdir()
    torn = (root / "good0" / "memory.db").read_bytes()
    (root / "corrupt" / "memory.db").write_bytes(torn[:4096] + b"\xff" * 4096)
    (root / "notes").mkdir()
    (root / "notes" / "memory.db").write_text("not a database")
    locked = tenant(root, "locked")
    writer = sqlite3.connect(locked.path, isolation_level=None)
    writer.execute("BEGIN EXCLUSIVE")
    try:
        status, runs = night(root, "--jobs", "2")
    finally:
        writer.close()
    assert status == 70
    assert {name: (run["outcome"], run["exit_status"]) for name, run in runs.items()} == {
        "good0": ("swapped", 0), "good1": ("swapped", 0), "good2": ("swapped", 0), "crashing": ("failed", 70),
        "spoiling": ("rejected", 65), "corrupt": ("failed", 74), "notes": ("failed", 74), "locked": ("busy", 75),
    }  # fmt: skip
    assert "SIGKILL" in runs["crashing"]["error"]
    for store in (*good, spoiling):
        assert store.sql("PRAGMA integrity_check")[0][0] == "ok"
    assert_recovers(crashing)


def assert_recovers(store: Store) -> None:
    """See that a run which died changed nothing, was recorded, and is made good by the next one."""
    assert store.sql("PRAGMA integrity_check")[0][0] == "ok"
    assert store.status("f0", "f1") == ["active", "active"]
    assert [run["outcome"] for run in history(store)] == ["failed"]
    store.sql("UPDATE behaviour SET do = ''")
    assert store.good_night()["outcome"] == "swapped"
    assert not list(store.path.parent.glob("*.shadow*"))


def test_a_tenant_that_hangs_is_stopped_and_the_others_go_on(root: Path) -> None:
    hanging, deaf = tenant(root, "hanging", "hang"), tenant(root, "deaf", "hang deaf")
    tenant(root, "good")
    status, runs = night(root, "--jobs", "2", "--timeout", "10s")
    assert (status, runs["good"]["outcome"]) == (70, "swapped")
    for name in ("hanging", "deaf"):
        assert (runs[name]["outcome"], runs[name]["exit_status"]) == ("failed", 70)
        assert "did not finish within 10 seconds" in runs[name]["error"]
    assert not list(hanging.path.parent.glob("*.shadow*"))
    assert_recovers(hanging)
    assert_recovers(deaf)


def test_the_largest_store_is_run_first(root: Path) -> None:
    for name, facts in (("a", 2), ("b", 40), ("c", 80)):
        tenant(root, name).sql(
            "INSERT INTO episodes SELECT value, 'x', 0, hex(zeroblob(4000)) FROM json_each(?)",
            (json.dumps(list(range(facts))),),
        )
    ended = command(*arguments(root), env={"PYTHONPATH": PLUGINS})
    finished = [json.loads(line)["tenant"] for line in ended.err.splitlines() if "run.finished" in line]
    assert finished == ["c", "b", "a"]


def test_a_store_nobody_touched_is_passed_over_and_says_so_in_its_history(root: Path) -> None:
    store = tenant(root, "acme")
    assert night(root, config="")[1]["acme"]["outcome"] == "swapped"
    night(root, config="")
    before = store.path.stat()
    status, runs = night(root, config="")
    assert (status, runs["acme"]["outcome"], runs["acme"]["swap"]) == (0, "unchanged", None)
    assert "skipped_untouched" in history(store)[-1]
    assert "backup" not in runs["acme"]["seconds"]
    after = store.path.stat()
    assert (before.st_atime_ns, before.st_mtime_ns, before.st_ctime_ns) == (
        after.st_atime_ns, after.st_mtime_ns, after.st_ctime_ns,
    )  # fmt: skip
    assert night(root, "--dry-run", config="")[1]["acme"]["outcome"] == "planned"


def replace_by_a_copy(path: Path) -> None:
    twin = path.with_name("twin")
    twin.write_bytes(path.read_bytes())
    os.utime(twin, ns=(path.stat().st_atime_ns, path.stat().st_mtime_ns))
    twin.rename(path)


TOUCHES: dict[str, Callable[[Store], object]] = {
    "fact": lambda store: store.fact("c", "Austin", day=2),
    "same size": lambda store: store.sql("UPDATE facts SET value = 'boston'"),
    "tombstone": lambda store: store.tombstone("pet", "ferret"),
    "schema": lambda store: store.script("CREATE INDEX by_value ON facts(value)"),
    "probes": lambda store: store.path.with_name("probes.toml").write_text(""),
    "state": lambda store: store.path.with_name("memory.db.state.json").write_text("{}"),
    "dead run": lambda store: store.path.with_name("memory.db.shadow").write_text("left by a dead run"),
    "dead lock": lambda store: store.path.with_name("memory.db.lock").write_text("{}\n"),
    "copied over": lambda store: replace_by_a_copy(store.path),
}


def looked_into(stores: dict[str, Store]) -> set[str]:
    return {name for name, store in stores.items() if "skipped_untouched" not in history(store)[-1]}


def test_a_store_is_looked_into_where_anything_could_have_changed(root: Path) -> None:
    stores = {
        f"{name} {journal}": Store(root, f"{name} {journal}", journal_mode=journal)
        for name in (*TOUCHES, "untouched")
        for journal in ("DELETE", "WAL")
    }
    for store in stores.values():
        store.fact("a", "Boston", day=1)
    for _ in range(3):
        night(root, config="")
    assert looked_into(stores) == set()
    for name, touch in TOUCHES.items():
        for journal in ("DELETE", "WAL"):
            touch(stores[f"{name} {journal}"])
    assert night(root, config="")[0] == 0
    assert looked_into(stores) == stores.keys() - {"untouched DELETE", "untouched WAL"}


def test_a_store_is_looked_into_when_something_falls_due_or_the_rules_change(root: Path) -> None:
    stores = {name: Store(root, name) for name in ("expiring", "waiting", "episode", "plain")}
    for store in stores.values():
        store.fact("a", "Boston", day=1)
    stores["expiring"].sql("UPDATE facts SET expires_at = ?", (NOW + DAY,))
    stores["waiting"].fact("b", "Oslo", day=32)
    stores["episode"].episode("e", "x", day=33)
    for _ in range(3):
        night(root, config="")
    assert looked_into(stores) == set()
    found = []
    for now, config in (
        (NOW + DAY, ""),
        (at(32), ""),
        (at(33), ""),
        (at(32), ""),
        (at(33), "[verify]\nmax_shrink = 0.1\n"),
    ):
        night(root, now=now, config=config)
        found.append(looked_into(stores))
    assert found == [{"expiring"}, {"waiting"}, {"episode"}, stores.keys(), stores.keys()]


def test_a_write_that_an_open_connection_keeps_in_the_log_is_seen(root: Path) -> None:
    store = Store(root, "acme", journal_mode="WAL")
    store.fact("a", "Boston", day=1)
    application = store.connect()
    try:
        application.execute("SELECT count(*) FROM facts").fetchall()
        for _ in range(3):
            night(root, config="")
        application.execute("INSERT INTO facts SELECT 'b', user_id, attribute, 'Austin', multi, source, valid_from + 1, "
                            "valid_to, expires_at, status, superseded_by, evidence, confirmations FROM facts")  # fmt: skip
        assert night(root, config="")[1]["acme"]["actions"]["supersede"] == 1
    finally:
        application.close()


def test_a_light_run_is_no_reason_to_pass_over_the_full_night(root: Path) -> None:
    store = tenant(root, "acme")
    for _ in range(2):
        night(root, "--light", config="")
    night(root, "--light", config="")
    assert "skipped_untouched" in history(store)[-1]
    night(root, config="")
    assert "skipped_untouched" not in history(store)[-1]
    night(root, config="")
    assert "skipped_untouched" in history(store)[-1]
    night(root, "--light", config="")
    assert "skipped_untouched" in history(store)[-1]
    night(root, config="")
    assert "skipped_untouched" in history(store)[-1]


def test_a_notice_that_still_stands_is_repeated(root: Path) -> None:
    store = tenant(root, "acme")
    store.path.with_name("probes.toml").write_text('[[probe]]\nuser = "maya"\nattribute = "pet"\ncount = 1\n')
    store.sql("DELETE FROM facts WHERE id = 'f0'")
    night(root, config="")
    _, runs = night(root, config="")
    assert "skipped_untouched" in history(store)[-1]
    assert [notice["kind"] for notice in runs["acme"]["notices"]] == ["probe"]


def test_two_fleets_at_once_share_the_work(root: Path, tmp_path: Path) -> None:
    said = tmp_path / "waiting"
    store = tenant(root, "slow", "wait", said)
    other = tenant(root, "other")
    config = CONFIG.replace("0.5", "60")
    first = begin(root, "--tenant", "slow", config=config)
    until(said.exists)
    second = begin(root, "--jobs", "2", config=config)
    until(lambda: other.path.with_name("memory.db.runs.jsonl").exists())
    said.with_name(said.name + ".go").touch()
    out, err = second.communicate(timeout=120)
    assert second.returncode == 0, err
    runs = {run["tenant"]: run for run in json.loads(out)["runs"]}
    [mine] = json.loads(first.communicate(timeout=120)[0])["runs"]
    assert runs["slow"]["run_id"] == mine["run_id"]
    assert [notice["kind"] for notice in runs["slow"]["notices"]] == ["shared"]
    assert [run["outcome"] for run in history(store)] == ["swapped"]


def test_a_run_that_holds_its_lock_for_too_long_is_busy(root: Path) -> None:
    store = tenant(root, "acme")
    with store.path.with_name("memory.db.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        lock.write('{"pid": 1, "since": "yesterday", "run_id": "x", "journal": null}\n')
        lock.flush()
        status, runs = night(root)
    assert (status, runs["acme"]["outcome"]) == (75, "busy")
    assert "since yesterday" in runs["acme"]["error"]


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_night_that_is_stopped_leaves_every_store_whole(
    root: Path, tmp_path: Path, number: signal.Signals, status: int
) -> None:
    said = tmp_path / "hanging"
    hanging = tenant(root, "hanging", "hang", said)
    good = tenant(root, "good")
    running = begin(root, "--jobs", "2")
    until(lambda: said.exists() and good.path.with_name("memory.db.runs.jsonl").exists())
    os.killpg(running.pid, number) if number == signal.SIGINT else running.send_signal(number)
    out, err = running.communicate(timeout=120)
    assert running.returncode == status, err
    assert "Traceback" not in err
    assert err.endswith(f"Stopped by {number.name}.\n")
    assert {run["tenant"] for run in json.loads(out)["runs"]} <= {"good"}
    assert not list(hanging.path.parent.glob("*.shadow*"))
    hanging.sql("UPDATE behaviour SET do = ''")
    assert hanging.good_night()["outcome"] == "swapped"
    assert good.sql("PRAGMA integrity_check")[0][0] == "ok"


def test_a_terminal_gets_a_progress_bar_and_nobody_else(root: Path) -> None:
    tenant(root, "spoiling", "spoil")
    tenant(root, "good")
    call = [item for item in arguments(root) if item != "--json"]
    plain = command(*call, env={"PYTHONPATH": PLUGINS})
    assert "\r" not in plain.err + plain.out
    assert re.search(r"^2 tenants in \d+\.\d s: 1 swapped, 1 rejected$|1 rejected, 1 swapped$", plain.out, re.MULTILINE)
    ours, theirs = pty.openpty()
    shown = subprocess.Popen(
        [sys.executable, "-m", "consolidate", *call], stdout=subprocess.PIPE, stderr=theirs,
        env=clean_environment() | {"PYTHONPATH": PLUGINS, "TERM": "xterm", "COLUMNS": "120"},
    )  # fmt: skip
    os.close(theirs)
    assert shown.communicate()[0].decode().splitlines()[-1].startswith("2 tenants in ")
    bar = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:
            break
        if not part:
            break
        bar += part
    os.close(ours)
    assert b"2/2" in bar
    assert b"1 rejected" in bar
    assert b"run.finished" not in bar


def test_a_problem_is_waived_for_one_run_and_one_tenant(root: Path) -> None:
    store = Store(root, "acme", config="")
    probes = store.path.with_name("probes.toml")
    probes.write_text('[[probe]]\nuser = "maya"\nattribute = "home_city"\nexpect = "Boston"\n')
    store.fact("a", "Boston", day=1)
    store.fact("b", "Austin", day=2)
    assert store.night().run["problems"][0]["check"] == "probe"
    refused = store.night("--waive", "probe:tom")
    assert (refused.status, refused.run["outcome"]) == (65, "rejected")
    assert [notice["kind"] for notice in refused.run["notices"]] == ["waiver_unused"]
    waived = store.good_night("--waive", "probe:maya")
    assert waived["outcome"] == "swapped"
    assert [(notice["kind"], notice["user_id"]) for notice in waived["notices"]] == [("waived", "maya")]
    assert history(store)[-1]["notices"][0]["kind"] == "waived"
    tenant(root, "other")
    for call, sentence in (
        (["--tenant", "acme", "--waive", "integrity"], "cannot be waived"),
        (["--tenant", "acme", "--waive", "nonsense:maya"], "cannot be waived"),
        (["--tenant", "acme", "--tenant", "other", "--waive", "probe"], "one tenant at a time"),
    ):
        ended = command("nightly", "--root", str(root), *call)
        assert (ended.status, ended.out) == (2, "")
        assert sentence in ended.err
