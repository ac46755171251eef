"""After forget no file of the tenant holds the value in any spelling, and nothing brings it back."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.night import DAY, NOW, SCHEMA, Finished, Store, at, command, rows_of

SPELLINGS = ("Zwolle-Zuid", " zwolle-zuid ", '"ZWOLLE-ZUID"', "Zwolle-Zuid.")
RULES = """
[[promote.rules]]
attribute = "home_city"
value = "Zwolle-Zuid"
pattern = "(?i)zwolle"
"""
FULL_TEXT = (
    SCHEMA
    + """
CREATE VIRTUAL TABLE words USING fts5(value, content='facts', content_rowid='rowid');
CREATE TRIGGER in_words AFTER INSERT ON facts BEGIN INSERT INTO words(rowid, value) VALUES (new.rowid, new.value); END;
CREATE TRIGGER out_words AFTER DELETE ON facts BEGIN
  INSERT INTO words(words, rowid, value) VALUES ('delete', old.rowid, old.value); END;
CREATE VIRTUAL TABLE summaries USING fts5(summary);
CREATE TRIGGER in_summaries AFTER INSERT ON episodes BEGIN
  INSERT INTO summaries(rowid, summary) VALUES (new.rowid, new.summary); END;
CREATE TRIGGER out_summaries AFTER DELETE ON episodes BEGIN DELETE FROM summaries WHERE rowid = old.rowid; END;
"""
)


def ask(store: Store, *arguments: str, now: float = NOW) -> Finished:
    place = ("--root", str(store.root), "--tenant", store.tenant, "--config", str(store.config_path), "--now", str(now))
    return command(*arguments, *place)


def forget(store: Store, *arguments: str, status: int = 0) -> Any:
    finished = ask(store, "forget", "--user", "maya", *arguments, "--json")
    assert finished.status == status, finished.out + finished.err
    return json.loads(finished.out)


def holding(store: Store, *texts: str) -> list[str]:
    """The files of the tenant that hold one of the texts, whatever the case of its letters."""
    wanted = [text.strip(' ".').lower() for text in texts]
    forms = [text.encode(codec) for text in wanted for codec in ("utf-8", "utf-16-le")]
    return sorted(name for name, content in store.files().items() if any(form in content.lower() for form in forms))


@pytest.fixture(params=["DELETE", "WAL"])
def journal(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def lived_in(tmp_path: Path, journal: str) -> Store:
    """A store with nights behind it: a ``.pre``, a ``.rejected``, an ``.undone``, records, an index of words, old pages."""
    store = Store(tmp_path / "tenants", schema=FULL_TEXT, journal_mode=journal, config=RULES)
    for number, value in enumerate(SPELLINGS):
        store.fact(f"z{number}", value, day=1 + number)
    store.fact("gone", "zwolle-ZUID", day=1)
    store.sql("DELETE FROM facts WHERE id = 'gone'")
    store.fact("utrecht", "Utrecht", day=0)
    store.fact("guess", "Zwolle-Zuid", day=3, user="carlos", attribute="birthplace")
    store.sql("DELETE FROM facts WHERE id = 'guess'")
    for number in range(200):
        store.fact(f"filler{number}", f"filler {number} " * 20, day=1, attribute=f"a{number}", user="carlos")
    for day in (1, 2):
        store.episode(f"e{day}", "dreams of Zwolle-Zuid", day=day)
    store.episode("e3", "plays the piano", day=3)
    store.good_night()
    store.fact("z9", "zwolle-zuid", day=12)
    store.fact("almere", "Almere", day=20)
    store.good_night(now=NOW + DAY)
    store.config += '[[probe]]\nuser = "maya"\nattribute = "home_city"\nexpect = "Paris"\n'
    store.fact("ede", "Ede", day=21)
    assert store.night(now=NOW + 2 * DAY).run["outcome"] == "rejected"
    store.config = RULES
    names = sorted(store.files())
    pre = next(name for name in names if ".pre-" in name)
    undone = store.path.with_name(pre.replace(".pre-", ".undone-"))
    undone.write_bytes(store.path.with_name(pre).read_bytes())
    return store


def kept(store: Store) -> list[Path]:
    return [
        store.path.with_name(name)
        for name in store.files()
        if any(f".{kind}-" in name for kind in ("pre", "rejected", "undone"))
    ]


def test_no_file_holds_a_forgotten_value_in_any_spelling(lived_in: Store) -> None:
    store = lived_in
    assert len(holding(store, *SPELLINGS)) >= 5
    report = forget(store, "--attribute", "home_city", "--value", "ZWOLLE-zuid", "--episodes", "--yes")
    assert holding(store, *SPELLINGS) == []
    assert report["left"] == [] and report["run_id"]
    assert not [name for name in store.files() if name.endswith((".part", "-wal", "-shm", "-journal"))]
    counts = {entry["file"]: entry for entry in report["files"]}
    assert counts["memory.db"]["facts"] == 5 and counts["memory.db"]["episodes"] == 2
    assert counts["memory.db"]["actions"] >= 4 and counts["memory.db"]["pointers"] == 1
    assert {path.name for path in kept(store)} < set(counts) and len(kept(store)) == 4
    for path in [store.path, *kept(store)]:
        assert rows_of(path, "PRAGMA integrity_check") == [("ok",)]
        ((user, attribute, value),) = rows_of(path, "SELECT * FROM tombstones")
        assert (user, attribute) == ("maya", "home_city") and value.startswith("h1:")
        assert rows_of(path, "SELECT count(*) FROM words('zwolle')") == [(0,)]
        assert rows_of(path, "SELECT count(*) FROM words('filler')") == [(200,)]
    assert store.sql("PRAGMA journal_mode")[0][0].upper() == store.journal_mode


def test_neither_a_run_nor_an_import_nor_an_old_copy_brings_it_back(lived_in: Store) -> None:
    store = lived_in
    exported = command("export", "--root", str(store.root), "--tenant", "acme").out.splitlines()
    forget(store, "--attribute", "home_city", "--value", "Zwolle-Zuid", "--yes")
    store.episode("e8", "still dreams of Zwolle-Zuid", day=8)
    run = store.good_night(now=NOW + 3 * DAY)
    assert run["skipped"]["tombstoned"] == 1
    assert "forgotten" not in json.dumps(run["notices"])
    line = next(line for line in exported if '"z1"' in line)
    place = ("--root", str(store.root), "--tenant", "acme")
    refused = command("import", "-", *place, stdin=line)
    assert refused.status == 65 and "line 1: the user asked to forget it" in refused.err and "wolle" not in refused.err
    oldest = min(path for path in kept(store) if ".pre-" in path.name)
    oldest.replace(store.path)
    store.episode("e9", "still dreams of Zwolle-Zuid", day=9)
    store.sql("DELETE FROM facts WHERE id LIKE 'filler%'")
    run = store.good_night(now=NOW + 4 * DAY)
    assert run["skipped"]["tombstoned"] == 1
    assert not store.sql("SELECT 1 FROM facts WHERE value LIKE '%zwolle%'")
    again = command("import", "-", "--restate-forgotten", *place, stdin=line)
    assert again.status == 0 and store.facts()["z1"]["value"] == SPELLINGS[1]


def test_dry_run_says_the_same_and_changes_nothing(lived_in: Store) -> None:
    store = lived_in
    before = store.files()
    planned = forget(store, "--attribute", "home_city", "--value", "zwolle-zuid", "--episodes")
    assert planned["dry_run"] is True and planned["run_id"] is None
    told = ask(store, "forget", "--user", "maya", "--attribute", "home_city", "--value", "zwolle-zuid").out
    assert "nothing was changed; --yes does it" in told and "zwolle" not in told.lower()
    assert "memory.db: 5 facts, 1 tombstone written" in told
    assert "table episodes, column summary, 2 rows" in told
    assert store.files() == before
    done = forget(store, "--attribute", "home_city", "--value", "zwolle-zuid", "--episodes", "--yes")
    history = "memory.db.runs.jsonl"
    assert planned["files"] == [entry for entry in done["files"] if entry["file"] != history]


def test_a_whole_attribute(lived_in: Store) -> None:
    store = lived_in
    store.tombstone("home_city", "Urk")
    planned = forget(store, "--attribute", "home_city")
    assert {trace["table"] for trace in planned["left"]} == {"episodes", "summaries_content"}
    forget(store, "--attribute", "home_city", "--episodes", "--yes")
    assert holding(store, *SPELLINGS, "Utrecht", "Almere", "Urk") == []
    assert [tuple(row) for row in store.sql("SELECT * FROM tombstones")] == [("maya", "home_city", None)]
    assert [row[0] for row in store.sql("SELECT id FROM episodes")] == ["e3"]


def test_everything_of_a_user_and_nothing_of_another(lived_in: Store) -> None:
    store = lived_in
    store.fact("tea", "Lapsang Souchong", day=1, attribute="drink", multi=1)
    ask(store, "pin", "tea")
    before = {row["id"]: tuple(row) for row in store.sql("SELECT rowid, * FROM facts WHERE user_id = 'carlos'")}
    report = forget(store, "--episodes", "--yes")
    assert report["left"] == [] and {e["file"]: e["pins"] for e in report["files"] if "pins" in e}["memory.db"] == 1
    assert holding(store, *SPELLINGS, "Utrecht", "Almere", "Souchong", "piano") == []
    assert {row["id"]: tuple(row) for row in store.sql("SELECT rowid, * FROM facts")} == before
    assert store.sql("SELECT count(*) FROM consolidation_actions WHERE user_id = 'maya'")[0][0] == 0
    line = json.dumps({"kind": "episode", "user_id": "maya", "summary": "is back"})
    refused = command("import", "-", "--root", str(store.root), "--tenant", "acme", stdin=line)
    assert refused.status == 65 and "the user asked to forget it" in refused.err
    assert command("check", "--root", str(store.root), "--tenant", "acme").status == 0


def test_what_pointed_to_it_points_to_what_followed(tmp_path: Path) -> None:
    store = Store(tmp_path / "tenants")
    for day, city in enumerate(("Oslo", "Rome", "Bern", "Kyiv"), 1):
        store.fact(city.lower(), city, day=day)
    store.good_night()
    forget(store, "--attribute", "home_city", "--value", "rome", "--yes")
    assert [store.facts()[id]["superseded_by"] for id in ("oslo", "bern", "kyiv")] == ["bern", "kyiv", None]
    forget(store, "--attribute", "home_city", "--value", "kyiv", "--yes")
    assert [store.facts()[id]["superseded_by"] for id in ("oslo", "bern")] == ["bern", None]
    assert store.good_night()["outcome"] == "unchanged"
    checked = command("check", "--root", str(store.root), "--tenant", "acme")
    assert checked.status == 0 and "erased_successor" in checked.out


def test_what_it_cannot_reach_is_named_and_left(tmp_path: Path, journal: str) -> None:
    schema = SCHEMA + "CREATE TABLE notes(body TEXT, at REAL); CREATE TABLE tags(tag TEXT);"
    store = Store(tmp_path / "tenants", schema=schema, journal_mode=journal)
    store.fact("urk", "Fishing in Urk", day=1)
    store.sql("INSERT INTO notes(rowid, body) VALUES (7, 'likes FISHING in Urk'), (9, 'fishing in Urkel')")
    (store.path.parent / "memory.db.bak").write_bytes(b"..fishing in Urk..")
    (store.path.parent / "probes.toml").write_text(
        '[[probe]]\nuser = "maya"\nattribute = "a"\nabsent = "fishing in urk"\n'
    )
    report = forget(store, "--attribute", "home_city", "--value", "fishing in urk", "--yes")
    named = {(trace["file"], trace["table"], trace["column"], trace["rows"]) for trace in report["left"]}
    assert named == {
        ("memory.db", "notes", "body", 2),
        ("memory.db.bak", None, None, None),
        ("probes.toml", None, None, None),
    }
    assert [tuple(row) for row in store.sql("SELECT rowid, body FROM notes")] == [
        (7, "likes FISHING in Urk"), (9, "fishing in Urkel"),
    ]  # fmt: skip
    assert not store.sql("SELECT 1 FROM sqlite_master WHERE type = 'index' AND name LIKE 'consolidation_keeper%'")


@pytest.fixture
def reader(tmp_path: Path, journal: str) -> Iterator[tuple[Store, sqlite3.Connection]]:
    store = Store(tmp_path / "tenants", journal_mode=journal, config="[swap]\nlock_timeout = 0.3\n")
    store.fact("urk", "Urk on the water", day=1)
    with closing(store.connect()) as db:
        yield store, db


def test_open_reader_is_named_and_doing_it_again_finishes(reader: tuple[Store, sqlite3.Connection]) -> None:
    store, db = reader
    db.execute("BEGIN")
    db.execute("SELECT * FROM facts").fetchall()
    finished = ask(
        store, "forget", "--user", "maya", "--attribute", "home_city", "--value", "urk on the water", "--yes"
    )
    assert finished.status == 75
    assert db.execute("SELECT value FROM facts").fetchone()[0] == "Urk on the water"
    db.execute("COMMIT")
    if store.journal_mode == "WAL":
        assert "an open reader keeps old pages" in finished.out
        assert not store.sql("SELECT * FROM facts")
    else:
        assert "locked by another process" in finished.err
        assert store.sql("SELECT * FROM facts")
    forget(store, "--attribute", "home_city", "--value", "urk on the water", "--yes")
    assert holding(store, "urk on the water") == []
    assert len(store.sql("SELECT * FROM tombstones")) == 1


def test_open_but_idle_connections_do_not_matter(reader: tuple[Store, sqlite3.Connection]) -> None:
    store, db = reader
    assert len(db.execute("SELECT * FROM facts").fetchall()) == 1
    forget(store, "--attribute", "home_city", "--yes")
    assert db.execute("SELECT * FROM facts").fetchall() == []
    assert holding(store, "urk on the water") == []


def test_records_lose_the_ids_of_erased_facts(tmp_path: Path) -> None:
    store = Store(tmp_path / "tenants")
    store.fact("maya-lives-in-Urk", "Urk", day=1, status="superseded", superseded_by="nowhere", valid_to=at(2))
    store.fact("oslo", "Oslo", day=2)
    store.fact("bern", "Bern", day=3)
    assert store.good_night()["outcome"] == "swapped"
    runs = store.path.with_name("memory.db.runs.jsonl")
    text = runs.read_text()
    assert "maya-lives-in-Urk" in text
    forget(store, "--attribute", "home_city", "--value", "urk", "--yes")
    assert holding(store, "maya-lives-in-Urk") == []
    assert [json.loads(line)["outcome"] for line in runs.read_text().splitlines()] == ["swapped"]


def test_copy_that_cannot_be_worked_on_is_named(tmp_path: Path) -> None:
    store = Store(tmp_path / "tenants")
    store.fact("urk", "Urk", day=1)
    store.fact("bern", "Bern", day=2)
    run = store.good_night()
    broken = store.path.with_name("memory.db.rejected-20260101T000000Z-abcdef")
    broken.write_bytes(b"this is no database, but it says Urk" * 100)
    report = forget(store, "--attribute", "home_city", "--value", "urk", "--yes", status=74)
    assert [(trace["file"], trace["table"]) for trace in report["left"]] == [(broken.name, None)]
    assert rows_of(store.path.with_name(run["pre"]), "SELECT id FROM facts") == [("bern",)]
    assert holding(store, "Urk") == [broken.name]


def test_a_run_in_progress_is_waited_for_by_the_person(tmp_path: Path) -> None:
    import fcntl

    store = Store(tmp_path / "tenants")
    store.fact("urk", "Urk", day=1)
    with store.path.with_name("memory.db.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        finished = ask(store, "forget", "--user", "maya", "--yes")
    assert finished.status == 75 and "is being consolidated" in finished.err
    assert len(store.sql("SELECT * FROM facts")) == 1


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--value", "Urk"], "needs its attribute"),
        (["--attribute", "home_city", "--value", " "], "must not be empty"),
        (["--attribute", ""], "must not be empty"),
    ],
)
def test_wrong_command_lines_touch_nothing(tmp_path: Path, arguments: list[str], sentence: str) -> None:
    store = Store(tmp_path / "tenants")
    store.fact("urk", "Urk", day=1)
    before = store.files()
    finished = ask(store, "forget", "--user", "maya", "--yes", *arguments)
    assert finished.status == 2 and sentence in finished.err
    assert store.files() == before


def test_dirt_is_matched_byte_for_byte_and_other_spellings_stay(tmp_path: Path) -> None:
    store = Store(tmp_path / "tenants")
    store.fact("blob", b"Urk\xff", day=1, attribute="a")
    store.fact("number", 5, day=1, attribute="a")
    store.fact("nothing", None, day=1, attribute="a")
    store.fact("plus", "A+", day=1, attribute="a")
    store.fact("minus", "A-", day=1, attribute="a", valid_from=at(2))
    forget(store, "--attribute", "a", "--value", "5", "--yes")
    assert set(store.facts()) == {"blob", "nothing", "plus", "minus"}
    forget(store, "--attribute", "a", "--value", "a+", "--yes")
    assert set(store.facts()) == {"blob", "nothing", "minus"}
    forget(store, "--attribute", "a", "--yes")
    assert set(store.facts()) == set()
