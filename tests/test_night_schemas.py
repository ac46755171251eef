"""Whatever else an application keeps in its store comes through a night unchanged (DESIGN section 2)."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from tests.night import NOW, SCHEMA, Store, at

RICH = """
PRAGMA page_size = 8192;
PRAGMA auto_vacuum = INCREMENTAL;
PRAGMA user_version = 42;
PRAGMA application_id = 4711;
CREATE TABLE facts(id TEXT PRIMARY KEY, user_id TEXT COLLATE NOCASE, attribute TEXT, value TEXT, multi INTEGER, source TEXT,
  valid_from REAL, valid_to REAL, expires_at REAL, status TEXT, superseded_by TEXT, evidence TEXT, confirmations INTEGER,
  mood TEXT DEFAULT 'calm', shout TEXT GENERATED ALWAYS AS (upper(value)) STORED, "order" INTEGER);
CREATE TABLE episodes(id TEXT PRIMARY KEY, user_id TEXT, occurred_at REAL, summary TEXT, extra BLOB) WITHOUT ROWID;
CREATE TABLE tombstones(user_id TEXT, attribute TEXT, value TEXT);
CREATE INDEX facts_in_force ON facts(user_id, attribute) WHERE status = 'active';
CREATE INDEX facts_by_lower_value ON facts(lower(value));
CREATE TABLE notes(body TEXT);
INSERT INTO notes VALUES ('a'), ('a'), (x'00ff'), (NULL);
CREATE TABLE pairs(a INTEGER, b TEXT, PRIMARY KEY(a, b)) WITHOUT ROWID;
INSERT INTO pairs VALUES (1, 'x'), (2, 'y');
CREATE TABLE counted(id INTEGER PRIMARY KEY AUTOINCREMENT, n INTEGER);
INSERT INTO counted(n) VALUES (1), (2);
DELETE FROM counted;
CREATE VIEW answers AS SELECT user_id, attribute, value FROM facts WHERE status = 'active';
CREATE VIRTUAL TABLE search USING fts5(value, content='facts', content_rowid='rowid');
CREATE TABLE log(what TEXT, fact TEXT, was TEXT, became TEXT);
CREATE TRIGGER facts_added AFTER INSERT ON facts BEGIN
  INSERT INTO search(rowid, value) VALUES (new.rowid, new.value);
  INSERT INTO log VALUES ('added', new.id, NULL, new.status);
END;
CREATE TRIGGER facts_closed AFTER UPDATE OF status ON facts BEGIN
  INSERT INTO log VALUES ('closed', new.id, old.status, new.status);
END;
CREATE TRIGGER facts_touched AFTER UPDATE OF value ON facts BEGIN
  INSERT INTO log VALUES ('edited', new.id, NULL, NULL);
END;
"""
AISLE = '[[promote.rules]]\nattribute = "seat"\nvalue = "aisle"\npattern = "aisle seat"\n[swap]\nmode = "{mode}"\n'
KEPT = ("notes", "pairs", "counted", "sqlite_sequence", "episodes", "tombstones")


def content(store: Store, table: str) -> list[tuple[Any, ...]]:
    return sorted((tuple(row) for row in store.sql(f"SELECT * FROM {table}")), key=repr)


def schema(store: Store) -> list[tuple[Any, ...]]:
    rows = store.sql("SELECT type, name, tbl_name, sql FROM sqlite_master WHERE name NOT LIKE '%consolidation_%'")
    return sorted((tuple(row) for row in rows), key=repr)


@pytest.mark.parametrize("mode", ["auto", "in-place"])
@pytest.mark.parametrize("journal", ["DELETE", "WAL", "TRUNCATE"])
def test_everything_else_comes_through(tmp_path: Path, mode: str, journal: str) -> None:
    store = Store(tmp_path / "tenants", config=AISLE.format(mode=mode))
    store.path.unlink()
    db = sqlite3.connect(store.path)
    db.executescript(RICH)
    db.execute(f"PRAGMA journal_mode = {journal}")
    db.close()
    for number, city in enumerate(["Boston", "boston", "Austin"]):
        store.fact(f"f{number}", city, day=number)
    store.fact("lapsed", "Rome", day=1, attribute="trip", expires_at=NOW - 5)
    for day in (1, 2):
        store.sql("INSERT INTO episodes VALUES (?, 'maya', ?, 'aisle seat', x'01')", (f"e{day}", at(day)))
    store.tombstone("pet", "cat")
    store.sql("DELETE FROM log")
    pragmas = ("page_size", "auto_vacuum", "user_version", "application_id", "encoding")
    before = [store.sql(f"PRAGMA {name}")[0][0] for name in pragmas]
    kept, objects = {table: content(store, table) for table in KEPT}, schema(store)

    run = store.good_night()

    assert run["swap"] == ("rename" if mode == "auto" else "in-place")
    assert {table: content(store, table) for table in KEPT} == kept
    assert schema(store) == objects
    assert [store.sql(f"PRAGMA {name}")[0][0] for name in pragmas] == before
    assert store.sql("PRAGMA journal_mode")[0][0] == ("wal" if journal == "WAL" else "delete")
    assert store.sql("PRAGMA integrity_check")[0][0] == "ok"
    store.sql("INSERT INTO search(search, rank) VALUES ('integrity-check', 1)")  # the index agrees with the facts
    assert [row[0] for row in store.sql("SELECT value FROM search WHERE search MATCH 'aisle'")] == ["aisle"]
    facts = store.facts()
    assert {(row["mood"], row["shout"]) for row in facts.values()} == {
        ("calm", value) for value in ("BOSTON", "AUSTIN", "ROME", "AISLE")
    }
    (promoted,) = [id for id in facts if id.startswith("promoted-")]
    assert content(store, "log") == sorted(
        [
            ("added", promoted, None, "active"),
            ("closed", "f0", "active", "superseded"),
            ("closed", "f1", "active", "merged"),
            ("closed", "lapsed", "active", "expired"),
        ],
        key=repr,
    )  # each net change fired its trigger once, and no other
    assert store.good_night()["outcome"] == "unchanged"


@pytest.mark.parametrize("options", [" WITHOUT ROWID", " STRICT"])
def test_facts_without_rowid_and_strict_ones(tmp_path: Path, options: str) -> None:
    table, rest = SCHEMA.split(");", 1)
    store = Store(tmp_path / "tenants", schema=f"{table}){options};{rest}")
    store.fact("z", "Boston", day=1)
    store.fact("a", "boston", day=1)
    store.fact("m", "Austin", day=3)
    store.good_night()
    survivor = "a" if "ROWID" in options else "z"  # the lowest rowid, or id where there is none
    assert store.facts()[survivor]["status"] == "superseded"
    assert store.in_force() == ["Austin"]
    assert store.good_night()["outcome"] == "unchanged"


def test_schema_that_needs_what_the_job_lacks_is_named(tmp_path: Path) -> None:
    store = Store(tmp_path / "tenants")
    db = store.connect()
    db.create_collation("german", lambda a, b: (a > b) - (a < b))
    db.execute("CREATE INDEX facts_by_status ON facts(status COLLATE german)")
    db.execute("INSERT INTO facts(id, status) VALUES ('x', 'active')")
    db.close()
    before = store.files()
    finished = store.night()
    assert finished.status == 74 and "german" in finished.out + finished.err, finished.out
    after = store.files()
    assert after.pop("memory.db") == before.pop("memory.db")


def test_constraint_of_the_application_refuses_a_promotion_and_nothing_else(tmp_path: Path) -> None:
    schema_text = SCHEMA.replace("source TEXT", "source TEXT CHECK (source IN ('user', 'agent'))")
    store = Store(tmp_path / "tenants", schema=schema_text, config=AISLE.format(mode="auto"))
    store.fact("a", "Boston", day=1)
    store.fact("b", "Austin", day=2)
    for day in (1, 2):
        store.episode(f"e{day}", "aisle seat", day=day)
    run = store.good_night()
    assert (run["outcome"], run["skipped"]["constraint"]) == ("swapped", 1)
    assert store.status("a", "b") == ["superseded", "active"]
