"""table_changed and integrity: all that is not the job's own is as it was, and the file is sound."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from consolidate.checks import integrity
from consolidate.checks import verify as checks
from consolidate.store import connections, contract
from consolidate.store.contract import SCHEMA
from tests.judging import AFTER, BEFORE, SETTINGS, Judged

APPLICATION = (
    SCHEMA
    + """
CREATE TABLE notes(id INTEGER PRIMARY KEY, body TEXT COLLATE NOCASE, up TEXT AS (upper(body)), kept TEXT AS (body || '!') STORED);
CREATE TABLE bag(a, b);
CREATE TABLE keyed(k TEXT COLLATE NOCASE, n, v, PRIMARY KEY(n, k)) WITHOUT ROWID;
CREATE TABLE numbered(n INTEGER PRIMARY KEY AUTOINCREMENT, v TEXT);
CREATE TABLE exact(v ANY, w INT) STRICT;
CREATE TABLE nameless(rowid TEXT, _rowid_ TEXT, oid TEXT);
CREATE TABLE "odd ""name""; {x}"("a b" TEXT, "{y}" ANY);
CREATE INDEX notes_by_body ON notes(body);
CREATE INDEX bag_some ON bag(a) WHERE b IS NOT NULL;
CREATE VIEW titles AS SELECT body FROM notes;
CREATE TRIGGER on_note AFTER INSERT ON notes BEGIN INSERT INTO bag VALUES (new.id, 'n'); END;
CREATE VIRTUAL TABLE search USING fts5(body);
"""
)

ROWS = (
    BEFORE
    + """
INSERT INTO notes(body) VALUES ('one'), ('two'), (NULL), (x'00ff'), (CAST(x'ff' AS TEXT));
INSERT INTO bag VALUES (1, 'x'), (1, 'x'), (1.5, NULL), ('1', x'61');
INSERT INTO keyed VALUES ('a', 1, 'x'), ('b', 1, 'y'), ('A', 2, NULL);
INSERT INTO numbered(v) VALUES ('x'), ('y');
INSERT INTO exact VALUES (1, 1), ('1', 1);
INSERT INTO nameless VALUES ('a', 'b', 'c'), ('a', 'b', 'c'), (NULL, '', NULL);
INSERT INTO "odd ""name""; {x}" VALUES ('x', 1);
INSERT INTO search VALUES ('hello world'), ('good bye');
ANALYZE;
"""
)


@pytest.fixture
def judged(tmp_path: Path) -> Judged:
    return Judged(tmp_path, APPLICATION, ROWS)


def test_untouched_application_has_no_problem(judged: Judged) -> None:
    assert judged.verify().problems == []


CHANGES = {
    "a row": ("UPDATE notes SET body = 'TWO' WHERE body = 'two'", "The rows of the table notes are not as they were."),
    "a row gone": ("DELETE FROM keyed WHERE n = 2", "The rows of the table keyed are not as they were."),
    "a row more": ("INSERT INTO bag VALUES (1, 'x')", "The rows of the table bag are not as they were."),
    "a type": ("UPDATE bag SET a = 1.0 WHERE a = 1", "The rows of the table bag are not as they were."),
    "a type of any": ("UPDATE exact SET v = 1.0 WHERE v = 1", "The rows of the table exact are not as they were."),
    "text for a blob": ("UPDATE bag SET b = 'a' WHERE b = x'61'", "The rows of the table bag are not as they were."),
    "one of two copies": (
        "DELETE FROM bag WHERE rowid = 1; INSERT INTO bag(rowid, a, b) VALUES (1, 1.5, NULL)",
        "The rows of the table bag are not as they were.",
    ),
    "a key's case": ("UPDATE keyed SET k = 'B' WHERE k = 'b'", "The rows of the table keyed are not as they were."),
    "NULL": ("UPDATE keyed SET v = '' WHERE v IS NULL", "The rows of the table keyed are not as they were."),
    "rows without a name": (
        "UPDATE nameless SET oid = 'd' WHERE oid IS NULL",
        "The rows of the table nameless are not as they were.",
    ),
    "a copy without a name": (
        "DELETE FROM nameless; INSERT INTO nameless VALUES ('a', 'b', 'c'), (NULL, '', NULL), (NULL, '', NULL)",
        "The rows of the table nameless are not as they were.",
    ),
    "a statistic": (
        "UPDATE sqlite_stat1 SET stat = '9 9' WHERE tbl = 'notes'",
        "The rows of the table sqlite_stat1 are",
    ),
    "an index of search": ("INSERT INTO search VALUES ('new')", "The rows of the table search_"),
    "a table gone": ("DROP TABLE bag", "The table bag is gone."),
    "an index gone": ("DROP INDEX notes_by_body", "The index notes_by_body is gone."),
    "another index": ("DROP INDEX bag_some; CREATE INDEX bag_some ON bag(a)", "The index bag_some is not as it was."),
    "a view gone": ("DROP VIEW titles", "The view titles is gone."),
    "a trigger gone": ("DROP TRIGGER on_note", "The trigger on_note is gone."),
    "a virtual table gone": ("DROP TABLE search", "The table search is gone."),
    "a new table": ("CREATE TABLE extra(x)", "The table extra was not there before."),
    "a new index": ("CREATE INDEX extra ON facts(status)", "The index extra was not there before."),
    "a new column": ("ALTER TABLE notes ADD COLUMN x", "The table notes is not as it was."),
    "a new column of facts": ("ALTER TABLE facts ADD COLUMN x", "The table facts is not as it was."),
    "a dropped column of facts": (
        "ALTER TABLE facts RENAME COLUMN evidence TO proof",
        "The table facts is not as it was.",
    ),
    "facts gone": ("DROP TABLE facts", "The table facts is gone."),
    "user_version": ("PRAGMA user_version = 7", "The pragma user_version is not as it was."),
    "application_id": ("PRAGMA application_id = 7", "The pragma application_id is not as it was."),
    "page_size": ("PRAGMA page_size = 8192; VACUUM", "The pragma page_size is not as it was."),
    "auto_vacuum": ("PRAGMA auto_vacuum = FULL; VACUUM", "The pragma auto_vacuum is not as it was."),
    "a counter": ("UPDATE sqlite_sequence SET seq = 99", "The counters of tables with AUTOINCREMENT are"),
    "a counter gone": ("DELETE FROM sqlite_sequence", "The counters of tables with AUTOINCREMENT are"),
}


@pytest.mark.parametrize("case", CHANGES)
def test_change_of_the_application_is_found(judged: Judged, case: str) -> None:
    script, message = CHANGES[case]
    judged.change(script)
    problems = judged.verify().problems
    assert {problem.check for problem in problems} == {"table_changed"}, problems
    assert any(problem.message.startswith(message) for problem in problems), problems
    assert all(problem.user_id is None and problem.facts == () for problem in problems)


def test_odd_name_is_quoted(judged: Judged) -> None:
    judged.change("""UPDATE "odd ""name""; {x}" SET "{y}" = 2""")
    assert judged.checks() == {"table_changed"}


def test_tables_of_the_job_may_change(judged: Judged) -> None:
    judged.change(
        """CREATE TABLE consolidation_actions(x PRIMARY KEY); CREATE INDEX consolidation_a ON consolidation_actions(x);
           INSERT INTO consolidation_actions VALUES (1); DELETE FROM consolidation_runs;"""
    )
    assert judged.verify().problems == []


def test_very_wide_table(tmp_path: Path) -> None:
    names = ", ".join(f"c{n}" for n in range(1_900))
    judged = Judged(tmp_path, f"{SCHEMA} CREATE TABLE wide({names});", f"{BEFORE} INSERT INTO wide(c1899) VALUES (1);")
    assert judged.verify().problems == []
    judged.change("UPDATE wide SET c1899 = 2")
    assert judged.checks() == {"table_changed"}


def test_counter_of_facts_may_grow(tmp_path: Path) -> None:
    schema = SCHEMA.replace("facts(id TEXT PRIMARY KEY,", "facts(n INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT UNIQUE,")
    names = "id, user_id, attribute, value, multi, source, valid_from, valid_to, expires_at, status, superseded_by, evidence"
    before, after = (
        text.replace("INTO facts VALUES", f"INTO facts({names}, confirmations) VALUES") for text in (BEFORE, AFTER)
    )
    judged = Judged(tmp_path, schema, before, after)
    assert judged.verify().problems == []


def test_virtual_table_whose_module_is_missing(tmp_path: Path) -> None:
    judged = Judged(tmp_path, APPLICATION, ROWS)
    for path in (judged.base, judged.shadow):
        with closing(sqlite3.connect(path)) as db:
            db.execute("PRAGMA writable_schema = ON")
            db.execute("UPDATE sqlite_master SET sql = replace(sql, 'fts5', 'vector9') WHERE name = 'search'")
            db.commit()
    assert judged.verify().problems == []
    judged.change("UPDATE search_content SET c0 = 'x' WHERE id = 1")
    (problem,) = judged.verify().problems
    assert problem.message == "The rows of the table search_content are not as they were."


def test_index_that_needs_a_missing_function_says_so(tmp_path: Path) -> None:
    judged = Judged(tmp_path)
    for path in (judged.base, judged.shadow):
        with closing(sqlite3.connect(path)) as db:
            db.create_function("soundslike", 1, lambda value: value, deterministic=True)
            db.execute("CREATE TABLE sounds(a)")
            db.execute("CREATE INDEX by_sound ON sounds(soundslike(a))")
            db.commit()
    with pytest.raises(apsw.SQLError, match="soundslike"):
        judged.verify()


def damage(path: Path) -> None:
    """Take an entry out of an index behind SQLite's back."""
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA writable_schema = ON")
        sql = db.execute("SELECT sql FROM sqlite_master WHERE name = 'episodes_by_user'").fetchone()[0]
        db.execute("UPDATE sqlite_master SET sql = sql || ' WHERE id <> ''m1''' WHERE name = 'episodes_by_user'")
        db.commit()
    with closing(sqlite3.connect(path)) as db:
        db.execute("REINDEX episodes_by_user")
        db.execute("PRAGMA writable_schema = ON")
        db.execute("UPDATE sqlite_master SET sql = ? WHERE name = 'episodes_by_user'", (sql,))
        db.commit()


@pytest.mark.parametrize("large", [0, integrity.LARGE])
def test_damaged_shadow_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, large: int) -> None:
    monkeypatch.setattr(integrity, "LARGE", large)
    judged = Judged(tmp_path)
    assert judged.verify().problems == []
    damage(judged.shadow)
    (problem,) = judged.verify().problems
    assert (problem.check, problem.user_id) == ("integrity", None)
    assert "missing from index episodes_by_user" in problem.message
    damage(judged.base)
    found = judged.verify()
    assert found.problems == []
    assert [notice.kind for notice in found.notices] == ["integrity"]


def test_error_beside_the_check_of_a_large_file_ends_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(integrity, "LARGE", 0)
    judged = Judged(tmp_path)
    with closing(connections.open_reader(judged.shadow)) as db:
        shape = contract.validate(db, judged.shadow)
        with pytest.raises(apsw.SQLError, match="base"):
            checks.verify(db, now=0.0, settings=SETTINGS, shape=shape, run_id="")
        assert db.execute("SELECT count(*) FROM sqlite_temp_master").get == 0


def test_foreign_keys_that_the_run_broke(tmp_path: Path) -> None:
    schema = (
        SCHEMA
        + "CREATE TABLE marks(fact TEXT REFERENCES facts(id)); CREATE TABLE lost(fact TEXT REFERENCES nowhere(id));"
    )
    judged = Judged(tmp_path, schema, BEFORE + "INSERT INTO marks VALUES ('green'), ('gone');")
    found = judged.verify()
    assert found.problems == []
    assert [notice.kind for notice in found.notices] == ["integrity"]
    judged.change("DELETE FROM facts WHERE id = 'green'")
    found = judged.verify()
    assert {problem.check for problem in found.problems} == {"lost_rows", "integrity"}
    assert found.problems[-1].message == "References from marks to facts lead nowhere (rows: 1)."
    assert [notice.message for notice in found.notices] == [
        "References to other tables led nowhere already before the run (rows: 1)."
    ]


def test_nothing_is_left_behind_or_written(judged: Judged) -> None:
    before = [path.read_bytes() for path in (judged.base, judged.shadow)]
    with closing(judged.open()) as db:
        shape = contract.validate(db, judged.base, "base")
        for _ in range(2):
            found = checks.verify(db, now=100.0 * 86_400, settings=SETTINGS, shape=shape, run_id="")
            assert found.problems == []
        assert db.execute("SELECT count(*) FROM sqlite_temp_master").get == 0
    assert [path.read_bytes() for path in (judged.base, judged.shadow)] == before
    assert sorted(path.name for path in judged.base.parent.iterdir()) == ["base.db", "shadow.db"]
