"""The morning after: what status says of each tenant, and when it asks for a person."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from consolidate.config import Settings
from consolidate.run.work import count
from tests.night import DAY, NOW, Finished, Store, command

PLUGINS = str(Path(__file__).parent / "plugins")
MORNING = NOW + 5 * 3600


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "tenants"


def status(root: Path, *more: str, now: float = MORNING) -> Finished:
    return command("status", "--root", str(root), "--now", str(now), *more)


def found(root: Path, *more: str, now: float = MORNING) -> dict[str, dict[str, Any]]:
    return {item["tenant"]: item for item in json.loads(status(root, "--json", *more, now=now).out)["tenants"]}


def history_of(store: Store) -> Path:
    return store.path.with_name("memory.db.runs.jsonl")


def fill(store: Store) -> Store:
    store.fact("a", "Boston", day=1)
    store.fact("b", "Austin", day=2)
    return store


def test_a_good_morning_needs_nobody(root: Path) -> None:
    store = fill(Store(root))
    store.good_night()
    before = store.files()
    ended = status(root)
    assert (ended.status, ended.err) == (0, "")
    assert ended.out.splitlines()[1].split()[:3] == ["ok", "acme", "swapped"]
    assert "5 h ago" in ended.out
    assert ended.out.endswith("1 tenant: 1 ok\n")
    deep = status(root, "--tenant", "acme")
    assert "swapped (night): 1 supersede" in deep.out
    assert "2 facts" in deep.out
    assert store.files() == before
    document = found(root)["acme"]
    assert (document["state"], document["needs_a_person"], document["reasons"]) == ("ok", False, [])
    assert document["last"]["outcome"] == "swapped"
    assert "seen" not in document["last"]


def test_the_tenants_that_need_a_person_come_first(root: Path) -> None:
    fill(Store(root, "good")).good_night()
    fill(Store(root, "never"))
    stale = fill(Store(root, "stale"))
    stale.good_night(now=NOW - 3 * DAY)
    rejected = fill(Store(root, "rejected"))
    rejected.path.with_name("probes.toml").write_text(
        '[[probe]]\nuser = "maya"\nattribute = "home_city"\nexpect = "Boston"\n'
    )
    assert rejected.night().status == 65
    failed = fill(Store(root, "failed", config='[steps]\nextra = ["bad_steps:failing"]\n'))
    assert failed.night(env={"PYTHONPATH": PLUGINS}).status == 70
    (root / "broken").mkdir()
    (root / "broken" / "memory.db").write_text("not a database")
    gone = fill(Store(root, "gone"))
    gone.good_night()
    gone.path.unlink()
    ended = status(root)
    assert ended.status == 65
    rows = [line.split()[:2] for line in ended.out.splitlines()[1:-1] if not line.startswith(" ")]
    assert rows == [
        ["broken", "broken"], ["broken", "gone"], ["failed", "failed"], ["rejected", "rejected"],
        ["never", "never"], ["stale", "stale"], ["ok", "good"],
    ]  # fmt: skip
    assert "by the checks probe" in ended.out
    assert "The last good night is 3 d 5 h ago." in ended.out
    assert ended.out.endswith("7 tenants: 2 broken, 1 failed, 1 rejected, 1 never, 1 stale, 1 ok\n")
    assert status(root, "--tenant", "stale", "--max-age", "4d").status == 0
    assert status(root, "--tenant", "stale", "--max-age", "3d").status == 65
    assert status(root, "--max-age", "soon").status == 2


def test_a_night_that_did_nothing_although_there_was_work_is_noticed(root: Path) -> None:
    store = fill(Store(root))
    store.good_night()
    assert json.loads(history_of(store).read_text().splitlines()[-1])["outcome"] == "swapped"
    store.good_night()
    last = json.loads(history_of(store).read_text().splitlines()[-1])
    assert (last["outcome"], last["work"]) == ("unchanged", 0)
    assert found(root)["acme"]["state"] == "ok"
    with history_of(store).open("a") as lines:
        lines.write(json.dumps({**last, "work": 3}) + "\n")
    ended = status(root)
    assert ended.status == 65
    assert "The last run changed nothing although there was work in 3 places." in ended.out


@pytest.mark.parametrize(
    ("sql", "work"),
    [
        ("UPDATE facts SET valid_from = 0", 1),
        ("UPDATE facts SET expires_at = 5", 2),
        ("UPDATE facts SET multi = 1", 0),
        ("UPDATE facts SET multi = 1, value = 'x'", 1),
        ("UPDATE facts SET valid_from = 9e12", 0),
        ("UPDATE facts SET multi = 1 WHERE id = 'a'", 0),
        ("UPDATE facts SET id = NULL", 0),
    ],
)
def test_work_is_counted_apart_from_the_steps(root: Path, sql: str, work: int) -> None:
    """What is counted is what the next night settles, and after it nothing is left."""
    store = fill(Store(root))
    store.sql(sql)
    assert count(store.path, NOW, Settings()) == work
    store.good_night()
    assert count(store.path, NOW, Settings()) == 0
    assert count(store.path, NOW, Settings(attributes={"home_city": "multi"})) == 0


def test_a_light_run_is_no_good_night(root: Path) -> None:
    store = fill(Store(root))
    store.good_night(now=NOW - 3 * DAY)
    store.good_night("--light")
    document = found(root)["acme"]
    assert (document["state"], document["last"]["kind"]) == ("stale", "light")


def test_notices_and_unread_rejected_copies_are_for_looking_at(root: Path) -> None:
    store = fill(Store(root))
    probes = store.path.with_name("probes.toml")
    probes.write_text('[[probe]]\nuser = "maya"\nattribute = "home_city"\nexpect = "Boston"\n')
    assert store.night().status == 65
    assert found(root)["acme"]["state"] == "rejected"
    probes.write_text('[[probe]]\nuser = "maya"\nattribute = "home_city"\nexpect = "Austin"\n')
    store.good_night()
    document = found(root)["acme"]
    assert (document["state"], len(document["rejected"])) == ("look", 1)
    assert status(root).status == 0
    rejected = store.path.with_name(document["rejected"][0])
    assert command("inspect", str(rejected), "--json").status == 0
    assert command("inspect", str(rejected), "--keep-unread").status == 0
    assert found(root)["acme"]["state"] == "look"
    assert command("inspect", str(rejected)).status == 0
    assert found(root)["acme"]["state"] == "ok"
    probes.write_text('[[probe]]\nuser = "maya"\nattribute = "home_city"\nexpect = "Boston"\n')
    store.good_night()
    document = found(root)["acme"]
    assert document["state"] == "look"
    assert document["reasons"][0].startswith("Notice (probe): ")
    probes.write_text("[[probe]]\n")
    assert found(root)["acme"]["state"] == "failed"


def test_a_store_that_is_written_to_just_now_is_no_trouble(root: Path) -> None:
    store = fill(Store(root))
    store.good_night()
    writer = sqlite3.connect(store.path, isolation_level=None)
    try:
        writer.execute("BEGIN EXCLUSIVE")
        document = found(root)["acme"]
    finally:
        writer.close()
    assert (document["state"], document["needs_a_person"]) == ("look", False)
    assert "locked" in document["reasons"][0]


def test_facts_that_wait_for_review_are_counted(root: Path) -> None:
    store = Store(root)
    store.fact("a", "Boston", day=1)
    store.fact("b", "Austin", day=2, source="inferred")
    store.good_night()
    document = found(root)["acme"]
    assert document["review"] == 1
    assert document["state"] == "look"
    assert "waiting for review: 1, the oldest since 2026-04-30" in status(root, "--tenant", "acme").out


def test_an_empty_root_and_wrong_calls(root: Path) -> None:
    root.mkdir()
    ended = status(root)
    assert (ended.status, ended.out) == (0, f"There are no tenants under {root}.\n")
    assert status(root, "--tenant", "nobody").status == 2
    assert status(root / "nowhere").status == 2
