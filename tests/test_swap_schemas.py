"""Both ways of swapping give the same store, whatever the application's schema looks like (DESIGN section 2)."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
import pytest

from consolidate.errors import StorageError
from consolidate.run import net_change, rename
from consolidate.store import connections
from consolidate.store.contract import SCHEMA
from tests import swap_job
from tests.swap_job import RUN
from tests.writers import FACTS, JOURNALS, insert_fact, look, make_store, names, state

WAYS = ("rename", "in-place")

COLUMNS = """user_id TEXT, attribute TEXT, value TEXT, multi INTEGER, source TEXT, valid_from REAL, valid_to REAL,
  expires_at REAL, status TEXT, superseded_by TEXT, evidence TEXT, confirmations INTEGER"""
OTHERS = """;
CREATE TABLE episodes(id TEXT PRIMARY KEY, user_id TEXT, occurred_at REAL, summary TEXT);
CREATE TABLE tombstones(user_id TEXT, attribute TEXT, value TEXT);
"""
FACT_TABLES = {
    "plain": f"facts(id TEXT PRIMARY KEY, {COLUMNS})",
    "without rowid": f"facts(id TEXT PRIMARY KEY, {COLUMNS}) WITHOUT ROWID",
    "ids without case": f"facts(id TEXT COLLATE NOCASE PRIMARY KEY, {COLUMNS}) WITHOUT ROWID",
    "numbered": f"facts(nr INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT UNIQUE, {COLUMNS}, \"order\" TEXT DEFAULT 'x')",
    "rowid is taken": f"facts(rowid TEXT, id TEXT PRIMARY KEY, {COLUMNS})",
    "all names are taken": f"facts(rowid, _rowid_, oid, id TEXT PRIMARY KEY, {COLUMNS}) WITHOUT ROWID",
    "generated": f"facts(id TEXT PRIMARY KEY, {COLUMNS}, \"group\" AS (value || '!'), kept AS (lower(status)) STORED)",
    "no case": f"facts(id TEXT PRIMARY KEY, {COLUMNS.replace('TEXT', 'TEXT COLLATE NOCASE')})",
    "no types": f"facts(id PRIMARY KEY, {COLUMNS.replace('TEXT', '').replace('REAL', '').replace('INTEGER', '')})",
    "replacing": f"facts(id TEXT PRIMARY KEY ON CONFLICT REPLACE, {COLUMNS})",
}


def dump(path: Path) -> list[Any]:
    """Everything in a store: its schema, and every column of every row, byte for byte, in the order of the rows."""
    found: list[Any] = look(path, "SELECT type, name, sql FROM sqlite_master ORDER BY 1, 2")
    for kind, name, _ in found[:]:
        if kind == "table":
            columns = [row[1] for row in look(path, f"PRAGMA table_xinfo({name})")]
            exact = ", ".join(f'typeof("{column}"), hex("{column}")' for column in columns)
            found += look(path, f"SELECT '{name}', {exact} FROM {name}")
    return found


def dirt(db: sqlite3.Connection) -> None:
    for row in ((None, "u1", "no id"), (None, "u1", "no id either")):
        insert_fact(db, *row)
    db.execute("UPDATE facts SET evidence = CAST(x'ff00fe' AS TEXT), confirmations = 'many' WHERE id = 'f4'")
    db.execute("UPDATE facts SET status = x'00ff', valid_to = 9e999 WHERE id = 'f5'")


def decide(db: apsw.Connection) -> None:
    swap_job.decide(db)
    db.execute("UPDATE facts SET status = 'ACTIVE' WHERE id = 'f6'")  # only its case differs
    db.execute("UPDATE facts SET evidence = evidence || CAST(x'20ff' AS TEXT) WHERE id = 'f4'")
    db.execute("UPDATE facts SET status = 'expired', valid_to = NULL, confirmations = 1.5 WHERE id = 'f5'")


@pytest.mark.parametrize("table", FACT_TABLES)
def test_both_ways_give_the_same_store(tmp_path: Path, table: str) -> None:
    schema = f"CREATE TABLE {FACT_TABLES[table]}{OTHERS}CREATE VIEW v AS SELECT count(*) AS n FROM facts;"
    extra = "PRAGMA user_version = 7; PRAGMA application_id = 99; CREATE TABLE other(x); INSERT INTO other VALUES (1);"
    found = {}
    for way in WAYS:
        path = make_store(tmp_path / way, schema=schema, extra=extra)
        if "WITHOUT ROWID" not in schema:
            with closing(sqlite3.connect(path)) as db, db:
                dirt(db)
        before = dump(path)
        swap_job.run(path, way, decisions=decide)
        found[way] = dump(path)
        assert dump(path.parent / f"memory.db.pre-{RUN}") == before
        assert look(path, "SELECT status, superseded_by, valid_to FROM facts WHERE id = 'f2'") == [
            ("merged", "f1", 5.0)
        ]
        assert look(path, "SELECT hex(status) FROM facts WHERE id = 'f6'") == [(b"ACTIVE".hex().upper(),)]
        assert look(path, "PRAGMA user_version") == [(7,)]
        assert look(path, "PRAGMA integrity_check") == [("ok",)]
    assert found["rename"] == found["in-place"]


AUDIT = """
CREATE TABLE audit(event TEXT, fact TEXT);
CREATE TRIGGER on_insert AFTER INSERT ON facts BEGIN INSERT INTO audit VALUES ('insert', new.id); END;
CREATE TRIGGER on_update AFTER UPDATE ON facts BEGIN INSERT INTO audit VALUES ('update', new.id); END;
CREATE TRIGGER on_status AFTER UPDATE OF status ON facts BEGIN INSERT INTO audit VALUES ('status', new.id); END;
CREATE TRIGGER on_value AFTER UPDATE OF value ON facts BEGIN INSERT INTO audit VALUES ('value', new.id); END;
CREATE TRIGGER on_delete AFTER DELETE ON facts BEGIN INSERT INTO audit VALUES ('delete', old.id); END;
"""


PRAGMAS = {
    "page_size = 512": "page_size",
    "page_size = 65536": "page_size",
    "auto_vacuum = FULL": "auto_vacuum",
    "auto_vacuum = INCREMENTAL": "auto_vacuum",
    "encoding = 'UTF-16le'": "encoding",
    "user_version = 77": "user_version",
}


@pytest.mark.parametrize("pragma", PRAGMAS)
@pytest.mark.parametrize("journal", JOURNALS)
@pytest.mark.parametrize("way", WAYS)
def test_what_the_application_chose_for_the_file_stays(tmp_path: Path, pragma: str, journal: str, way: str) -> None:
    schema = f"PRAGMA {pragma}; VACUUM; PRAGMA journal_mode = {journal}; {SCHEMA}"
    path = make_store(tmp_path, schema=schema, extra=AUDIT)
    question = f"PRAGMA {PRAGMAS[pragma]}"
    before, usual = look(path, question), look(make_store(tmp_path / "usual"), question)
    swap_job.run(path, way)
    for file in (path, tmp_path / f"memory.db.pre-{RUN}"):
        assert look(file, question) == before != usual
        assert look(file, "PRAGMA journal_mode") == [(journal,)]
    assert "promoted" in str(state(path))


@pytest.mark.parametrize("journal", JOURNALS)
@pytest.mark.parametrize("way", WAYS)
def test_triggers_fire_once_per_net_change(tmp_path: Path, journal: str, way: str) -> None:
    path = make_store(tmp_path, journal, AUDIT)
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("DELETE FROM audit")

    def decide_twice(db: apsw.Connection) -> None:
        swap_job.decide(db)
        db.execute("UPDATE facts SET status = 'review' WHERE id = 'f3'")
        db.execute("UPDATE facts SET status = 'active' WHERE id = 'f3'")

    with swap_job.opened(path) as (live, _):
        prepared = swap_job.make_pass(live, decisions=decide_twice)
        if way == "rename":
            rename.finish(prepared, live)  # a store that is not free is tried again
        swap_job.swap(live, prepared, way)
    assert look(path, "SELECT * FROM audit ORDER BY 1, 2") == [
        ("insert", "promoted"),
        ("status", "f2"),
        ("update", "f2"),
        ("update", "f3"),
    ]
    assert look(path, "SELECT run_id FROM consolidation_runs") == [(RUN,)]
    assert look(tmp_path / f"memory.db.pre-{RUN}", "SELECT count(*) FROM audit") == [(0,)]
    assert len(names(tmp_path)) == 3


FULL_TEXT = """
CREATE VIRTUAL TABLE search USING fts5(value, status, content='facts', content_rowid='rowid');
CREATE TRIGGER s_insert AFTER INSERT ON facts BEGIN
  INSERT INTO search(rowid, value, status) VALUES (new.rowid, new.value, new.status); END;
CREATE TRIGGER s_update AFTER UPDATE ON facts BEGIN
  INSERT INTO search(search, rowid, value, status) VALUES ('delete', old.rowid, old.value, old.status);
  INSERT INTO search(rowid, value, status) VALUES (new.rowid, new.value, new.status); END;
"""


@pytest.mark.parametrize("way", WAYS)
def test_a_full_text_index_that_triggers_keep_stays_right(tmp_path: Path, way: str) -> None:
    path = make_store(tmp_path, extra=FULL_TEXT)
    swap_job.run(path, way)
    assert look(path, "SELECT count(*) FROM search WHERE search MATCH 'status:merged'") == [(1,)]
    assert look(path, "SELECT count(*) FROM search WHERE search MATCH 'vegan'") == [(1,)]
    assert look(path, "SELECT count(*) FROM search WHERE search MATCH 'status:active'") == [(FACTS,)]
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("INSERT INTO search(search, rank) VALUES ('integrity-check', 1)")


SPOILERS = {
    "alters": "AFTER UPDATE ON facts BEGIN UPDATE facts SET confirmations = 99 WHERE id = new.id; END",
    "undoes": "AFTER UPDATE ON facts BEGIN DELETE FROM facts WHERE id = new.id; END",
    "refuses": "BEFORE UPDATE ON facts BEGIN SELECT RAISE(IGNORE); END",
    "forbids": "BEFORE INSERT ON facts WHEN new.source = 'inferred' BEGIN SELECT RAISE(ABORT, 'not allowed'); END",
    "needs more": "AFTER UPDATE ON facts BEGIN SELECT function_of_the_application(new.id); END",
}


@pytest.mark.parametrize("journal", JOURNALS)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("spoiler", SPOILERS)
def test_a_trigger_that_spoils_the_run_stops_it(tmp_path: Path, journal: str, way: str, spoiler: str) -> None:
    path = make_store(tmp_path, journal, f"CREATE TRIGGER spoiler {SPOILERS[spoiler]};")
    before = state(path)
    with pytest.raises(StorageError) as raised:
        swap_job.run(path, way)
    assert str(path) in str(raised.value)
    assert "function_of_the_application" in str(raised.value) or spoiler != "needs more"
    assert state(path) == before
    assert names(tmp_path) == ["memory.db", "memory.db.lock"]


def test_a_trigger_may_write_what_is_not_of_the_contract(tmp_path: Path) -> None:
    schema = SCHEMA.replace("confirmations INTEGER)", "confirmations INTEGER, touched INTEGER DEFAULT 0)")
    trigger = """CREATE TRIGGER touch AFTER UPDATE OF status ON facts BEGIN
                   UPDATE facts SET touched = touched + 1 WHERE id IN (new.id, 'f30'); END;"""
    for way in WAYS:
        path = make_store(tmp_path / way, extra=trigger, schema=schema)
        swap_job.run(path, way)
        assert look(path, "SELECT id, touched FROM facts WHERE touched ORDER BY 1") == [("f2", 1), ("f30", 1)]


def test_a_fact_replaced_under_its_id_is_a_change_and_not_a_new_fact(tmp_path: Path) -> None:
    path = make_store(tmp_path)

    def replace(db: apsw.Connection) -> None:
        db.execute("CREATE TEMP TABLE kept AS SELECT * FROM facts WHERE id = 'f3'")
        db.execute("DELETE FROM facts WHERE id = 'f3'")
        db.execute("INSERT INTO facts SELECT * FROM kept")
        db.execute("UPDATE facts SET confirmations = 9 WHERE id = 'f3'")

    swap_job.run(path, "in-place", decisions=replace)
    assert look(path, "SELECT rowid, confirmations FROM facts WHERE id = 'f3'") == [(4, 9)]


@pytest.mark.parametrize("count", [0, 1, 3])
def test_what_arrives_is_compared_column_by_column(tmp_path: Path, count: int) -> None:
    path = make_store(tmp_path)
    with swap_job.opened(path) as (live, _):
        prepared = swap_job.make_pass(live)
        db = connections.open_scratch(prepared.base)
        try:
            net_change.collect_attached(db, prepared)
            db.execute("BEGIN")
            net_change.apply(db, "main", prepared.shape, path)
            ids: list[Any] = ["f2", "f3", "promoted"][:count]
            for fact_id in ids:
                db.execute("UPDATE facts SET value = value || '!' WHERE id = ?", (fact_id,))
            assert net_change.compare(db, "main", prepared.shape) == ids
        finally:
            db.close(True)
