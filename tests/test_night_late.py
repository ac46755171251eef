"""What another process writes during a run is in the store afterwards, whatever it is (DESIGN section 4, carry over)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.night import SCHEMA, Store

PLUGINS = str(Path(__file__).parent / "plugins")
AISLE = """
[[promote.rules]]
attribute = "seat_preference"
value = "aisle"
pattern = "aisle seat"
[steps]
extra = ["late_writer:write_once"]
[swap]
mode = "{mode}"
"""
APPLICATION = SCHEMA + "CREATE TABLE notes(body TEXT);\nINSERT INTO notes VALUES ('a'), ('a'), ('b');"


@pytest.fixture(params=["DELETE", "WAL"])
def journal(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=["auto", "rename", "in-place"])
def store(request: pytest.FixtureRequest, journal: str, tmp_path: Path) -> Store:
    store = Store(
        tmp_path / "tenants", config=AISLE.format(mode=request.param), schema=APPLICATION, journal_mode=journal
    )
    store.fact("a", "Boston", day=1, confirmations=1)
    store.fact("b", "boston", day=2, confirmations=2)
    store.fact("tea", "tea", day=1, attribute="drink")
    for day in (1, 2):
        store.episode(f"e{day}", "aisle seat", day=day)
    return store


def night_with(store: Store, sql: str) -> dict[str, Any]:
    finished = store.night(env={"PYTHONPATH": PLUGINS, "LATE_STORE": str(store.path), "LATE_SQL": sql})
    assert finished.status == 0, finished.out + finished.err
    assert finished.run["outcome"] == "swapped", finished.run
    assert store.sql("PRAGMA integrity_check")[0][0] == "ok"
    assert store.sql("PRAGMA journal_mode")[0][0].upper() == store.journal_mode
    return finished.run


def insert(id: str, value: str, valid_from: float = 1_779_999_000.0) -> str:
    return f"""INSERT INTO facts VALUES ('{id}', 'maya', 'home_city', '{value}', 0, 'user', {valid_from}, NULL, NULL,
               'active', NULL, NULL, 1);"""


def test_inserted_fact_is_consolidated_with_the_others(store: Store) -> None:
    run = night_with(store, insert("late", "Austin"))
    assert store.in_force() == ["Austin"]
    assert store.status("a", "b", "late") == ["superseded", "merged", "active"]
    assert run["late_rows"] == 1


def test_updated_survivor_keeps_the_applications_version(store: Store) -> None:
    run = night_with(store, "UPDATE facts SET confirmations = 40, value = 'Boston ' WHERE id = 'a';")
    fact = store.facts()["a"]
    assert (fact["value"], fact["confirmations"], fact["status"]) == ("Boston ", 42, "active")
    assert run["late_rows"] == 1


def test_deleted_survivor_stays_deleted_and_its_copy_lives(store: Store) -> None:
    run = night_with(store, "DELETE FROM facts WHERE id = 'a';")
    assert "a" not in store.facts()
    assert store.in_force() == ["boston"]
    assert run["late_rows"] == 1


def test_deleted_loser_stays_deleted(store: Store) -> None:
    night_with(store, "DELETE FROM facts WHERE id = 'b';")
    assert "b" not in store.facts() and store.facts()["a"]["confirmations"] == 1


def test_late_episode_is_kept(store: Store) -> None:
    run = night_with(store, "INSERT INTO episodes VALUES ('e3', 'maya', 1779990000, 'aisle seat');")
    assert len(store.sql("SELECT * FROM episodes")) == 3
    assert run["late_rows"] == 1


def test_late_tombstone_removes_what_this_run_promoted(store: Store) -> None:
    run = night_with(store, "INSERT INTO tombstones VALUES ('maya', 'seat_preference', 'AISLE');")
    assert store.in_force(attribute="seat_preference") == []
    assert run["actions"]["promote"] == 0 and run["skipped"]["tombstoned"] == 1


def test_late_deletion_of_evidence_takes_the_promotion_back(store: Store) -> None:
    run = night_with(store, "DELETE FROM episodes WHERE id = 'e1';")
    assert store.in_force(attribute="seat_preference") == []
    assert run["skipped"]["unknown_evidence"] == 1


def test_id_that_is_used_again(store: Store) -> None:
    night_with(store, "DELETE FROM facts WHERE id = 'b';" + insert("b", "Paris"))
    assert store.in_force() == ["Paris"]
    assert store.facts()["a"]["superseded_by"] == "b"


def test_rows_of_a_table_the_job_does_not_know(store: Store) -> None:
    night_with(store, "INSERT INTO notes VALUES ('late'); DELETE FROM notes WHERE body = 'b';")
    assert sorted(row[0] for row in store.sql("SELECT body FROM notes")) == ["a", "a", "late"]


def test_new_table_index_column_and_user_version(store: Store) -> None:
    night_with(
        store,
        """CREATE TABLE visits(at REAL); INSERT INTO visits VALUES (1.5);
           CREATE INDEX facts_by_value ON facts(value);
           ALTER TABLE facts ADD COLUMN mood TEXT DEFAULT 'calm';
           UPDATE facts SET mood = 'glad' WHERE id = 'a';
           PRAGMA user_version = 7; PRAGMA application_id = 8;""",
    )
    assert store.sql("SELECT at FROM visits")[0][0] == 1.5
    assert store.sql("SELECT name FROM sqlite_master WHERE name = 'facts_by_value'")
    assert [store.facts()[id]["mood"] for id in ("a", "tea")] == ["glad", "calm"]
    assert (store.sql("PRAGMA user_version")[0][0], store.sql("PRAGMA application_id")[0][0]) == (7, 8)


def test_quiet_store_is_renamed(tmp_path: Path, journal: str) -> None:
    store = Store(tmp_path / "tenants", journal_mode=journal)
    store.fact("a", "Boston", day=1)
    store.fact("b", "Austin", day=2)
    inode = store.path.stat().st_ino
    run = store.good_night()
    assert run["swap"] == "rename" and store.path.stat().st_ino != inode
    assert store.path.with_name(run["pre"]).stat().st_ino == inode


@pytest.mark.parametrize("has_read", [False, True])
def test_open_connection_sees_the_new_state_and_loses_no_write(tmp_path: Path, journal: str, has_read: bool) -> None:
    store = Store(tmp_path / "tenants", journal_mode=journal)
    store.fact("a", "Boston", day=1)
    store.fact("b", "Austin", day=2)
    db = store.connect()
    try:
        if has_read:
            assert len(db.execute("SELECT * FROM facts").fetchall()) == 2
        run = store.good_night()
        assert run["swap"] == "in-place"
        assert db.execute("SELECT status FROM facts WHERE id = 'a'").fetchone()[0] == "superseded"
        db.execute("UPDATE facts SET confirmations = 9 WHERE id = 'b'")
    finally:
        db.close()
    assert store.facts()["b"]["confirmations"] == 9
