"""A bad extra step is caught by the check that names its fault; live stays as it is and the shadow tells why."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.night import SCHEMA, Finished, Store, rows_of

PLUGINS = {"PYTHONPATH": str(Path(__file__).parent / "plugins")}
APPLICATION = (
    SCHEMA
    + """
CREATE TABLE notes(id INTEGER PRIMARY KEY, body TEXT);
CREATE INDEX notes_by_body ON notes(body);
INSERT INTO notes(body) VALUES ('a'), ('b');
"""
)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    store = Store(tmp_path / "tenants", schema=APPLICATION)
    store.fact("old", "Boston", day=1)
    store.fact("new", "Austin", day=2)
    store.fact("single", "tea", day=1, attribute="drink")
    store.fact("pair1", "cat", day=1, attribute="pet", multi=1)
    store.fact("pair2", "dog", day=2, attribute="pet", multi=1)
    store.fact("guess", "owl", day=2, attribute="pet", multi=1, source="inferred")
    store.fact("proven", "red", day=3, attribute="colour", evidence="m1 m2")
    store.fact("tom1", "tea", day=1, user="tom", attribute="drink")
    for number in range(6):
        for letter in "ab":
            store.fact(
                f"{number}{letter}", f"v{letter}", day=1, user="many", attribute=f"x{number}", multi=1, confirmations=1
            )
    for user in ("maya", "tom"):
        for number in (1, 2):
            store.episode(f"{user[0]}{number}", f"talk {number}", day=number, user=user)
    store.tombstone("pet", "ferret")
    store.good_night()
    return store


def with_step(store: Store, name: str, settings: str = "") -> Finished:
    store.config = f'[steps]\nextra = ["bad_steps:{name}"]\n{settings}'
    return store.night(env=PLUGINS)


@pytest.mark.parametrize(
    ("step", "check"),
    [
        ("cross_user_merge", "foreign_lineage"),
        ("deleted_row", "lost_rows"),
        ("edited_value", "content_changed"),
        ("moved_owner", "owner_changed"),
        ("edited_time", "content_changed"),
        ("mass_retirement", "shrunk"),
        ("dangling_pointer", "broken_lineage"),
        ("cyclic_pointer", "broken_lineage"),
        ("two_in_force", "two_current"),
        ("invented_fact", "unsupported"),
        ("foreign_evidence", "unsupported"),
        ("inference_posing_as_user", "unsupported"),
        ("forgotten_revived", "forgotten_returned"),
        ("edited_episode", "content_changed"),
        ("deleted_episode", "lost_rows"),
        ("deleted_tombstone", "lost_rows"),
        ("inflated_confirmations", "confirmations_wrong"),
        ("dropped_evidence", "content_changed"),
        ("changed_application_row", "table_changed"),
        ("dropped_application_table", "table_changed"),
        ("dropped_index", "table_changed"),
        ("changed_user_version", "table_changed"),
        ("status_without_pointer", "broken_lineage"),
        ("displaced_user", "user_overruled"),
        ("merged_contradiction", "broken_lineage"),
    ],
)
def test_bad_step_is_rejected_by_name(store: Store, step: str, check: str) -> None:
    before = store.path.read_bytes()
    finished = with_step(store, step, "[verify]\nmax_shrink = 0.4\n" if step == "mass_retirement" else "")
    run = finished.run
    assert (finished.status, run["outcome"]) == (65, "rejected"), finished.out + finished.err
    assert check in {problem["check"] for problem in run["problems"]}, run["problems"]
    assert store.path.read_bytes() == before
    rejected = store.path.with_name(run["rejected"])
    inside = rows_of(rejected, "SELECT check_name, message FROM consolidation_problems")
    assert [list(row) for row in inside] == [[p["check"], p["message"]] for p in run["problems"]]
    last = json.loads((store.path.parent / "memory.db.runs.jsonl").read_text().splitlines()[-1])
    assert (last["outcome"], last["run_id"]) == ("rejected", run["run_id"])
    assert sorted(name for name in store.files() if "shadow" in name) == []


@pytest.mark.parametrize(
    "step", ["cyclic_pointer", "mass_retirement", "two_in_force", "displaced_user", "changed_application_row"]
)
def test_only_the_named_check_and_what_follows_from_it_fires(store: Store, step: str) -> None:
    """Nothing weaker hides the check under test: without it these nights would be swapped in."""
    named = {
        "cyclic_pointer": {"broken_lineage"},
        "mass_retirement": {"shrunk"},
        "two_in_force": {"two_current", "broken_lineage"},
        "displaced_user": {"user_overruled"},
        "changed_application_row": {"table_changed"},
    }[step]
    run = with_step(store, step, "[verify]\nmax_shrink = 0.4\n" if step == "mass_retirement" else "").run
    found = {problem["check"] for problem in run["problems"]}
    assert found <= named | {"broken_lineage"}, run["problems"]


def test_failing_step_fails_the_tenant(store: Store) -> None:
    before = store.path.read_bytes()
    finished = with_step(store, "failing")
    assert (finished.status, finished.run["outcome"]) == (70, "failed")
    assert "bad_steps:failing" in finished.run["error"]
    assert "secret" not in finished.out + finished.err
    assert store.path.read_bytes() == before


def test_step_that_commits_fails_the_tenant(store: Store) -> None:
    before = store.path.read_bytes()
    finished = with_step(store, "committing")
    assert (finished.status, finished.run["outcome"]) == (70, "failed")
    assert store.path.read_bytes() == before


def test_harmless_step_changes_nothing(store: Store) -> None:
    assert with_step(store, "harmless").run["outcome"] == "unchanged"


def test_unimportable_step_is_a_configuration_error(store: Store) -> None:
    finished = with_step(store, "no_such_step")
    assert finished.status == 78
    assert "bad_steps:no_such_step" in finished.err + finished.out


def test_probe_rejects_a_night_that_would_change_something(store: Store) -> None:
    store.path.with_name("probes.toml").write_text(
        '[[probe]]\nuser = "maya"\nattribute = "home_city"\nexpect = "Paris"\n'
    )
    assert store.night().run["outcome"] == "unchanged"
    assert [notice["kind"] for notice in store.night().run["notices"]] == ["probe"]
    store.fact("more", "Denver", day=9)
    finished = store.night()
    assert (finished.status, finished.run["outcome"]) == (65, "rejected")
    assert [problem["check"] for problem in finished.run["problems"]] == ["probe"]


@pytest.mark.parametrize(
    "probe",
    ['expect = "austin."', 'absent = "Boston"', "count = 1", 'expect = "Boston"\nas_of = "2026-04-30T00:00:00Z"'],
)
def test_probe_that_holds(store: Store, probe: str) -> None:
    store.path.with_name("probes.toml").write_text(f'[[probe]]\nuser = "maya"\nattribute = "home_city"\n{probe}\n')
    store.fact("more", "blue", day=9, attribute="colour")
    assert store.night().run["outcome"] == "swapped"
