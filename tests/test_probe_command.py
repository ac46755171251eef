"""Golden probes by command: what is written is what the nightly run asks."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from tests.night import DAY, NOW, Finished, Store, at, command


@pytest.fixture
def store(tmp_path: Path) -> Store:
    store = Store(tmp_path / "tenants")
    store.fact("a", "Boston", day=1)
    store.fact("b", "Austin", day=2)
    store.fact("tea", 'te"a\n\x7f☕', day=1, attribute="drink", multi=1)
    store.fact("mate", "mate", day=2, attribute="drink", multi=1)
    store.tombstone("pet", "ferret")
    store.tombstone("job", None)
    store.good_night()
    return store


def probe(store: Store, *arguments: str) -> Finished:
    name, *rest = arguments
    return command("probe", name, "--root", str(store.root), "--tenant", store.tenant, *rest)


def at_now(store: Store, *arguments: str) -> Finished:
    return probe(store, *arguments, "--now", str(NOW))


def written(store: Store) -> list[dict[str, object]]:
    found = tomllib.loads(store.path.with_name("probes.toml").read_text("utf-8"))["probe"]
    assert isinstance(found, list)
    return found


def test_a_probe_expects_what_is_in_force_now(store: Store) -> None:
    added = at_now(store, "add", "--user", "maya", "--attribute", "home_city")
    assert (added.status, added.out) == (0, "added: home_city of maya is “Austin”\n")
    assert written(store) == [{"user": "maya", "attribute": "home_city", "expect": "Austin"}]
    assert store.path.with_name("probes.toml").stat().st_mode == store.path.stat().st_mode
    assert at_now(store, "add", "--user", "maya", "--attribute", "home_city").out == "It is there already.\n"
    assert at_now(store, "run").out == "1 asked, 0 failed\n"
    store.fact("c", "Oslo", day=3)
    rejected = store.night()
    assert (rejected.status, rejected.run["problems"][0]["check"]) == (65, "probe")


def test_every_kind_of_probe_and_any_value_can_be_written(store: Store) -> None:
    calls = [
        ["--attribute", "drink"],
        ["--attribute", "drink", "--count", "2"],
        ["--attribute", "pet", "--absent", "ferret"],
        ["--attribute", "home_city", "--expect", " austin. "],
        ["--attribute", "home_city", "--as-of", str(at(1.5))],
    ]
    for call in calls:
        ended = at_now(store, "add", "--user", "maya", *call)
        assert ended.status == 0, ended.err
    assert [item.get("expect", item.get("absent", item.get("count"))) for item in written(store)] == [
        'te"a\n\x7f☕', "mate", 2, "ferret", " austin. ", "Boston",
    ]  # fmt: skip
    assert at_now(store, "run").out == "6 asked, 0 failed\n"
    listed = probe(store, "list").out.splitlines()
    assert listed[2] == "3  drink of maya has 2 values"
    assert listed[5] == "6  home_city of maya is “Boston”, as of 2026-04-30 08:26:40"
    assert len(json.loads(probe(store, "list", "--json").out)["probes"]) == 6
    store.good_night(now=NOW + DAY)


def test_a_probe_that_fails_already_is_not_added(store: Store) -> None:
    ended = at_now(store, "add", "--user", "maya", "--attribute", "home_city", "--expect", "Boston")
    assert (ended.status, ended.out) == (65, "")
    assert "would fail already" in ended.err
    assert at_now(store, "add", "--user", "tom", "--attribute", "home_city").status == 2
    assert at_now(store, "add", "--user", "maya", "--attribute", "x", "--expect", "a", "--count", "1").status == 2
    assert not store.path.with_name("probes.toml").exists()


def test_removing_one_leaves_the_others_and_the_comments(store: Store) -> None:
    path = store.path.with_name("probes.toml")
    path.write_text(
        '# Maya is scripted.\n[[probe]]\nuser = "maya"\nattribute = "home_city"\nexpect = "Austin"\n\n'
        '# about drinks\n[[probe]]\nuser = "maya"\nattribute = "drink"\ncount = 2\n\n'
        '[[probe]]\nuser = "maya"\nattribute = "pet"\nabsent = """\n[[probe]]\n"""\n'
    )
    assert probe(store, "rm", "4").status == 2
    assert probe(store, "rm", "1").out == "removed: home_city of maya is “Austin”\n"
    assert [item["attribute"] for item in written(store)] == ["drink", "pet"]
    assert probe(store, "rm", "2").status == 0
    assert written(store) == [{"user": "maya", "attribute": "drink", "count": 2}]
    path.write_text(path.read_text() + "# the end\n")
    assert probe(store, "add", "--user", "maya", "--attribute", "pet", "--absent", "ferret").status == 0
    assert "# the end\n" in path.read_text()
    path.write_text("[[probe]]\n")
    assert probe(store, "list").status == 78


def test_probes_are_proposed_from_a_scripted_user(store: Store) -> None:
    proposed = json.loads(at_now(store, "propose", "--user", "maya", "--json").out)["proposed"]
    kinds = [{key: value for key, value in item.items() if key != "user"} for item in proposed]
    assert {"attribute": "home_city", "expect": "Austin"} in kinds
    assert {"attribute": "drink", "count": 2} in kinds
    assert {"attribute": "pet", "absent": "ferret"} in kinds
    assert {"attribute": "job", "count": 0} in kinds
    assert not store.path.with_name("probes.toml").exists()
    assert at_now(store, "propose", "--user", "maya", "--add").status == 0
    assert len(written(store)) == len(proposed)
    assert at_now(store, "run").status == 0
    assert at_now(store, "propose", "--user", "nobody").status == 2


def test_probes_that_fail_are_said_to(store: Store) -> None:
    store.path.with_name("probes.toml").write_text(
        '[[probe]]\nuser = "maya"\nattribute = "home_city"\nexpect = "Boston"\n'
    )
    ended = at_now(store, "run")
    assert ended.status == 65
    assert ended.out.endswith("1 asked, 1 failed\n")
    [problem] = json.loads(at_now(store, "run", "--json").out)["problems"]
    assert (problem["check"], problem["user_id"]) == ("probe", "maya")
