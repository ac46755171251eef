"""Reading what a run left: the problems with the facts behind them, and how two files differ."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.night import NOW, Store, command

PLUGINS = str(Path(__file__).parent / "plugins")
NASTY = "\x1b[31mred\u202e"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """Two users; one of them answers four attributes, which a bad step takes away."""
    store = Store(tmp_path / "tenants", config='[steps]\nextra = ["bad_steps:mass_retirement"]\n')
    store.fact("a", "Boston", day=1)
    store.fact("b", "Austin" + NASTY, day=2)
    for number in range(5):
        store.fact(f"m{number}a", f"left {number}", day=1, user="many", attribute=f"hobby {number}", multi=1)
        store.fact(f"m{number}b", f"right {number}", day=2, user="many", attribute=f"hobby {number}", multi=1)
    return store


@pytest.fixture
def rejected(store: Store) -> Path:
    ended = store.night(env={"PYTHONPATH": PLUGINS})
    assert (ended.status, ended.run["outcome"]) == (65, "rejected")
    return store.path.with_name(ended.run["rejected"])


def test_a_rejected_copy_tells_what_was_wrong_and_what_to_do(store: Store, rejected: Path) -> None:
    before = rejected.read_bytes(), store.path.read_bytes()
    ended = command("inspect", str(rejected))
    assert (ended.status, ended.err) == (0, "")
    assert not set(ended.out) & set("\x1b\u202e\x00")
    assert f"made from {store.path}, which is unchanged" in ended.out
    assert "[m0a] hobby 0: “left 0”, active → superseded by m0b, user" in ended.out
    assert "5 by bad_steps:mass_retirement" in ended.out
    assert "1 by supersede" in ended.out
    assert "maya, home_city [a]: “Boston” gives way to" in ended.out
    assert "nightly --tenant acme --waive " in ended.out
    assert (rejected.read_bytes(), store.path.read_bytes()) == before
    document = json.loads(command("inspect", str(rejected), "--json").out)
    assert document["kind"] == "rejected"
    assert document["run"]["outcome"] == "rejected"
    assert document["run_id"] == rejected.name.removeprefix("memory.db.rejected-")
    assert document["steps"] == {"supersede": 1, "bad_steps:mass_retirement": 5}
    assert document["users"][0] == {"user_id": "many", "steps": {"bad_steps:mass_retirement": 5}}
    recorded = {(item["check"], item["user_id"], item["message"]) for item in document["run"]["problems"]}
    assert {(item["check"], item["user_id"], item["message"]) for item in document["problems"]} == recorded
    behind = document["problems"][0]["facts"][0]
    assert (behind["id"], behind["status"], behind["status_before"]) == ("m0a", "superseded", "active")


def test_the_facts_that_a_problem_names_may_be_gone(tmp_path: Path) -> None:
    store = Store(tmp_path / "tenants", config='[steps]\nextra = ["bad_steps:deleted_row"]\n')
    store.fact("single", "Boston", day=1)
    ended = store.night(env={"PYTHONPATH": PLUGINS})
    rejected = store.path.with_name(ended.run["rejected"])
    assert "not in this file: single" in command("inspect", str(rejected)).out
    document = json.loads(command("inspect", str(rejected), "--json").out)
    assert document["problems"][0]["missing"] == ["single"]
    assert not any("--waive" in advice for advice in document["next"])


def test_other_files_tell_of_the_last_run_that_wrote_into_them(store: Store) -> None:
    assert "No run has written into this file." in command("inspect", str(store.path)).out
    store.config = ""
    run = store.good_night()
    told = command("inspect", str(store.path)).out
    assert f"run {run['run_id']} of acme, 2026-05-28 20:26:40, swapped" in told
    assert "Problems: none" in told
    assert "What to do next" not in told
    pre = store.path.with_name(run["pre"])
    assert json.loads(command("inspect", str(pre), "--json").out)["run_id"] is None


def test_differences_are_told_per_user_and_attribute_with_reasons(store: Store, rejected: Path) -> None:
    store.fact("new", "cello", day=3, attribute="instrument")
    store.episode("e", "Maya plays the cello.", day=3)
    store.sql("DELETE FROM facts WHERE id = 'm4b'")
    before = store.files()
    ended = command("diff", str(store.path), str(rejected))
    assert (ended.status, ended.err) == (0, "")
    assert not set(ended.out) & set("\x1b\u202e\x00")
    lines = ended.out.splitlines()
    assert lines[:2] == [f"- {store.path}", f"+ {rejected}"]
    place = lines.index("maya, home_city")
    assert lines[place + 1].startswith(
        "  ~ “Boston” [a]: valid_to nothing → 2026-04-30 20:26:40, status active → superseded"
    )
    assert lines[place + 2].startswith("      supersede: ")
    assert "  - “cello” [new]: active, user" in lines
    assert "  + “right 4” [m4b]: active, user" in lines
    assert lines[-1] == "8 facts of 2 users differ; episodes: 1 only in A, 0 only in B."
    document = json.loads(command("diff", str(store.path), str(rejected), "--json").out)
    kinds = {item["fact"]: item["kind"] for item in document["facts"]}
    assert kinds == {"a": "changed", "new": "removed", "m4b": "added"} | {f"m{n}a": "changed" for n in range(5)}
    [boston] = [item for item in document["facts"] if item["fact"] == "a"]
    assert (boston["before"]["status"], boston["after"]["status"]) == ("active", "superseded")
    assert boston["reasons"][0]["step"] == "supersede"
    assert boston["reasons"][0]["known_to"] == "b"
    assert document["other"]["episodes"] == {"only_a": 1, "only_b": 0}
    assert store.files() == before


def test_a_night_is_the_difference_between_its_pre_and_live(store: Store) -> None:
    store.config = ""
    run = store.good_night()
    pre = store.path.with_name(run["pre"])
    document = json.loads(command("diff", str(pre), str(store.path), "--json").out)
    assert [(item["fact"], item["reasons"][0]["run_id"]) for item in document["facts"]] == [("a", run["run_id"])]
    back = json.loads(command("diff", str(store.path), str(pre), "--json").out)
    assert back["facts"][0]["reasons"][0]["known_to"] == "a"
    same = command("diff", str(pre), str(pre))
    assert same.out.endswith("No fact differs; episodes and tombstones are the same.\n")


def test_dirt_is_compared_as_it_is(tmp_path: Path) -> None:
    a, b = Store(tmp_path / "a"), Store(tmp_path / "b")
    for store, dirt in ((a, "CAST(x'ff' AS TEXT)"), (b, "x'ff'")):
        store.sql(
            f"INSERT INTO facts(id, user_id, attribute, value, valid_from) VALUES ('d', 'maya', 'x', {dirt}, 'soon')"
        )
        store.sql("INSERT INTO facts(id, user_id, value) VALUES (NULL, 'maya', 'nameless')")
        store.sql(
            "INSERT INTO facts(id, user_id, attribute, value, valid_from) VALUES ('n', 'maya', 'y', 'v', ?)", (NOW,)
        )
    [item] = json.loads(command("diff", str(a.path), str(b.path), "--json").out)["facts"]
    assert (item["before"]["value"], item["after"]["value"]) == ({"$bytes": "ff"}, {"$blob": "ff"})
    assert command("diff", str(a.path), str(b.path)).status == 0


def test_wrong_files_are_one_clear_error(store: Store, tmp_path: Path) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("notes")
    for call, sentence in (
        (["inspect", str(tmp_path / "missing")], "does not exist"),
        (["inspect", str(notes)], "is not a store"),
        (["diff", str(store.path), str(tmp_path / "missing")], "does not exist"),
        (["diff", str(store.path), str(notes)], "is not a store"),
    ):
        ended = command(*call)
        assert (ended.status, ended.out) == (74, ""), call
        assert sentence in ended.err
        assert ended.err.count("\n") == 1
    assert not list(tmp_path.glob("missing*"))
