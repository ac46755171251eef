"""lost_rows, content_changed, owner_changed, evidence and confirmations: what the job may never do to a row."""

from __future__ import annotations

from pathlib import Path

import pytest

from consolidate.checks import findings
from consolidate.store.contract import SCHEMA
from tests.judging import AFTER, BEFORE, DAY, Judged

WITHOUT_ROWID = SCHEMA.replace("confirmations INTEGER);", "confirmations INTEGER) WITHOUT ROWID;")
UNTYPED = """
CREATE TABLE facts(id PRIMARY KEY, user_id, attribute, value, multi, source, valid_from, valid_to, expires_at, status,
  superseded_by, evidence, confirmations);
CREATE TABLE episodes(id PRIMARY KEY, user_id, occurred_at, summary);
CREATE TABLE tombstones(user_id, attribute, value);
"""
SCHEMAS = {
    "plain": SCHEMA,
    "without rowid": WITHOUT_ROWID,
    "untyped": UNTYPED,
    "nocase": SCHEMA.replace("TEXT", "TEXT COLLATE NOCASE"),
    "more columns": SCHEMA.replace(
        "confirmations INTEGER)", "confirmations INTEGER, mood TEXT, up TEXT AS (upper(value)))"
    ),
    "rowid taken": SCHEMA.replace("confirmations INTEGER)", "confirmations INTEGER, rowid TEXT, oid TEXT)"),
}


def filled(script: str, name: str) -> str:
    """Let the inserts of a script name the columns, so that they also fit a table with more of them."""
    if name not in ("more columns", "rowid taken"):
        return script
    columns = "id, user_id, attribute, value, multi, source, valid_from, valid_to, expires_at, status, superseded_by, evidence"
    return script.replace("INTO facts VALUES", f"INTO facts({columns}, confirmations) VALUES")


@pytest.fixture
def judged(tmp_path: Path) -> Judged:
    return Judged(tmp_path)


@pytest.mark.parametrize("name", SCHEMAS)
@pytest.mark.parametrize("encoding", ["UTF-8", "UTF-16le"])
def test_rightly_consolidated_shadow_has_no_problem(tmp_path: Path, name: str, encoding: str) -> None:
    judged = Judged(tmp_path, SCHEMAS[name], filled(BEFORE, name), filled(AFTER, name), encoding)
    found = judged.verify()
    assert found.problems == []
    assert found.notices == []


def test_store_that_needs_nothing_has_no_problem(tmp_path: Path) -> None:
    judged = Judged(tmp_path, before=BEFORE + AFTER, after="")
    found = judged.verify()
    assert found.problems == []
    assert found.notices == []


NEW = {"unsupported", "confirmations_wrong"}
ROWS = {
    "deleted fact": ("DELETE FROM facts WHERE id = 'green'", {"lost_rows"}, {"green"}),
    "edited value": ("UPDATE facts SET value = 'Lyon' WHERE id = 'austin'", {"content_changed"}, {"austin"}),
    "value of another type": ("UPDATE facts SET value = x'41' WHERE id = 'austin'", {"content_changed"}, {"austin"}),
    "value in another case": ("UPDATE facts SET value = 'AUSTIN' WHERE id = 'austin'", {"content_changed"}, {"austin"}),
    "edited attribute": ("UPDATE facts SET attribute = 'town' WHERE id = 'tom1'", {"content_changed"}, {"tom1"}),
    "edited time": ("UPDATE facts SET valid_from = valid_from + 1 WHERE id = 'green'", {"content_changed"}, {"green"}),
    "edited expiry": ("UPDATE facts SET expires_at = NULL WHERE id = 'lasting'", {"content_changed"}, {"lasting"}),
    "edited source": ("UPDATE facts SET source = 'user' WHERE id = 'owl'", {"content_changed"}, {"owl"}),
    "edited flag": ("UPDATE facts SET multi = 1 WHERE id = 'green'", {"content_changed"}, {"green"}),
    "moved owner": ("UPDATE facts SET user_id = 'tom' WHERE id = 'green'", {"owner_changed"}, {"green"}),
    "another id": ("UPDATE facts SET id = 'GREY' WHERE id = 'lasting'", {"lost_rows", *NEW}, {"lasting", "GREY"}),
    "dropped evidence": ("UPDATE facts SET evidence = 'm1' WHERE id = 'lasting'", {"content_changed"}, {"lasting"}),
    "no evidence": ("UPDATE facts SET evidence = NULL WHERE id = 'dog'", {"content_changed"}, {"dog"}),
    "reordered evidence": (
        "UPDATE facts SET evidence = 'm2 m1' WHERE id = 'lasting'",
        {"content_changed"},
        {"lasting"},
    ),
    "evidence run together": (
        "UPDATE facts SET evidence = 'm1m3' WHERE id = 'boston'",
        {"content_changed"},
        {"boston"},
    ),
    "evidence from nowhere": ("UPDATE facts SET evidence = 'm2 m3' WHERE id = 'dog'", {"content_changed"}, {"dog"}),
    "inflated": ("UPDATE facts SET confirmations = 9 WHERE id = 'dog'", {"confirmations_wrong"}, {"dog"}),
    "inflated survivor": ("UPDATE facts SET confirmations = 4 WHERE id = 'cat'", {"confirmations_wrong"}, {"cat"}),
    "nothing gained": (
        "UPDATE facts SET confirmations = 1, evidence = 'm1' WHERE id = 'cat'",
        {"confirmations_wrong"},
        {"cat"},
    ),
    "deflated": ("UPDATE facts SET confirmations = NULL WHERE id = 'green'", {"confirmations_wrong"}, {"green"}),
    "inflated promotion": ("UPDATE facts SET confirmations = 3 WHERE id = 'new'", {"confirmations_wrong"}, {"new"}),
    "deflated promotion": ("UPDATE facts SET confirmations = 1 WHERE id = 'new'", {"confirmations_wrong"}, {"new"}),
    "deleted episode": ("DELETE FROM episodes WHERE id = 't2'", {"lost_rows"}, set()),
    "edited episode": ("UPDATE episodes SET summary = 'x' WHERE id = 'm2'", {"content_changed"}, set()),
    "moved episode": ("UPDATE episodes SET user_id = 'tom' WHERE id = 'm2'", {"owner_changed"}, set()),
    "new episode": ("INSERT INTO episodes VALUES ('m9', 'maya', 1, 'x')", {"table_changed"}, set()),
    "deleted tombstone": ("DELETE FROM tombstones WHERE value = 'ferret'", {"lost_rows"}, set()),
    "edited tombstone": (
        "UPDATE tombstones SET value = 'x' WHERE value = 'ferret'",
        {"lost_rows", "table_changed"},
        set(),
    ),
    "new tombstone": ("INSERT INTO tombstones VALUES ('maya', 'city', 'Rome')", {"table_changed"}, set()),
}


@pytest.mark.parametrize("case", ROWS)
@pytest.mark.parametrize("name", ["plain", "without rowid", "untyped", "nocase"])
def test_bad_row_is_found(tmp_path: Path, name: str, case: str) -> None:
    script, checks, facts = ROWS[case]
    judged = Judged(tmp_path, SCHEMAS[name])
    judged.change(script)
    problems = judged.verify().problems
    assert {problem.check for problem in problems} == checks
    assert {fact for problem in problems for fact in problem.facts} == facts
    owner = "tom" if case in ("edited attribute", "deleted episode") else "maya"
    assert {problem.user_id for problem in problems} == {owner}


def test_columns_of_the_application_are_immutable_too(tmp_path: Path) -> None:
    name = "more columns"
    judged = Judged(tmp_path, SCHEMAS[name], filled(BEFORE, name), filled(AFTER, name))
    judged.change("UPDATE facts SET mood = 'glad' WHERE id = 'green'")
    assert judged.checks() == {"content_changed"}


def test_names_that_differ_in_case_only_are_different(tmp_path: Path) -> None:
    judged = Judged(tmp_path, SCHEMAS["nocase"])
    judged.change(
        "UPDATE facts SET id = 'LASTING' WHERE id = 'lasting'; UPDATE facts SET user_id = 'TOM' WHERE id = 'tom1'"
    )
    found = {problem.check: problem.facts for problem in judged.verify().problems}
    assert found == {
        "lost_rows": ("lasting",),
        "owner_changed": ("tom1",),
        "unsupported": ("LASTING",),
        "confirmations_wrong": ("LASTING",),
    }
    judged = Judged(tmp_path / "more", SCHEMAS["nocase"])
    judged.change("UPDATE episodes SET user_id = 'TOM' WHERE id = 't2'; UPDATE episodes SET id = 'M2' WHERE id = 'm2'")
    assert judged.checks() == {"owner_changed", "lost_rows", "table_changed"}


def test_store_that_the_job_never_saw(tmp_path: Path) -> None:
    judged = Judged(tmp_path, before=BEFORE + "DROP TABLE consolidation_pins;", after=AFTER)
    assert judged.verify().problems == []


@pytest.mark.parametrize("table", ["facts", "episodes"])
def test_row_in_another_place_is_no_loss(judged: Judged, table: str) -> None:
    judged.change(f"UPDATE {table} SET rowid = rowid + 1000 WHERE id IN ('green', 'boston', 'm2')")
    assert judged.verify().problems == []
    judged.change("UPDATE facts SET value = 'x' WHERE id = 'boston'; UPDATE episodes SET summary = 'x' WHERE id = 'm2'")
    assert judged.checks() == {"content_changed"}


def test_swapped_places_are_no_loss(judged: Judged) -> None:
    judged.change(
        """UPDATE facts SET rowid = -1 WHERE id = 'green'; UPDATE facts SET rowid = 5 WHERE id = 'lasting';
           UPDATE facts SET rowid = 11 WHERE rowid = -1;"""
    )
    assert judged.verify().problems == []


def test_tombstones_are_counted(judged: Judged) -> None:
    judged.change_both("INSERT INTO tombstones VALUES ('tom', NULL, NULL), ('tom', NULL, NULL)")
    judged.change("DELETE FROM tombstones WHERE rowid = (SELECT max(rowid) FROM tombstones)")
    assert judged.checks() == {"lost_rows"}


def test_rows_without_identity_are_compared_too(tmp_path: Path) -> None:
    nobody = f"INSERT INTO facts(value, status, valid_from) VALUES ('x', 'active', {DAY}), ('x', 'active', {DAY});"
    judged = Judged(tmp_path, before=BEFORE + nobody)
    found = judged.verify()
    assert found.problems == []
    assert [(notice.kind, notice.message) for notice in found.notices] == [
        ("no_identity", "2 facts without id, user or attribute, left alone.")
    ]
    judged.change("UPDATE facts SET value = 'y' WHERE rowid = (SELECT max(rowid) FROM facts WHERE id IS NULL)")
    assert judged.checks() == {"content_changed"}
    judged.change("DELETE FROM facts WHERE id IS NULL")
    assert judged.checks() == {"lost_rows"}
    assert [problem.user_id for problem in judged.verify().problems] == [None]


def test_evidence_of_a_survivor_comes_from_what_was_merged(judged: Judged) -> None:
    judged.change("UPDATE facts SET evidence = 'm1 m2 m3 nobody' WHERE id = 'cat'")
    assert judged.checks() == {"content_changed"}


@pytest.mark.parametrize("evidence", ["zz m2 m3", "m1m2 m3", "m2 m3 m1", "m2 m3", "M1 m2 m3"])
def test_evidence_of_a_survivor_keeps_its_beginning(judged: Judged, evidence: str) -> None:
    judged.change(f"UPDATE facts SET evidence = '{evidence}' WHERE id = 'cat'")
    assert judged.checks() == {"content_changed"}


def test_evidence_of_another_user_is_not_passed_on(tmp_path: Path) -> None:
    before = BEFORE + "UPDATE facts SET evidence = 'm2 m3 t1' WHERE id = 'cat2';"
    judged = Judged(tmp_path, before=before)
    assert judged.verify().problems == []
    judged.change("UPDATE facts SET evidence = 'm1 m2 m3 t1' WHERE id = 'cat'")
    assert judged.checks() == {"foreign_lineage"}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("'m1'", "'m1 m2 m3'"),
        ("' m1  '", "' m1   m2 m3'"),
        ("NULL", "'m2 m3'"),
        ("''", "'m3'"),
        ("'a\"b\\c'", "'a\"b\\c m2'"),
        ("'m1' || char(10)", "'m1' || char(10) || ' m2'"),
        ("CAST(x'ff00' AS TEXT)", "CAST(x'ff00206d32' AS TEXT)"),
    ],
)
def test_appended_evidence_of_any_spelling(tmp_path: Path, old: str, new: str) -> None:
    judged = Judged(tmp_path, before=BEFORE + f"UPDATE facts SET evidence = {old} WHERE id = 'cat';")
    judged.change(f"UPDATE facts SET evidence = {new} WHERE id = 'cat'")
    assert judged.verify().problems == []


@pytest.mark.parametrize(
    ("own", "loser", "after"),
    [
        ("1", "2", "3"),
        ("NULL", "2", "2"),
        ("NULL", "NULL", "NULL"),
        ("1", "NULL", "1"),
        ("1", "-1", "0"),
        ("1", "'many'", "1"),
        ("'many'", "2", "2"),
        ("1.5", "2", "2"),
        ("1", "1" + "0" * 18, "1" + "0" * 14 + "1"),
        (str(2**62), "5", str(10**15 + 5)),
    ],
)
def test_confirmations_add_up_whatever_they_are(tmp_path: Path, own: str, loser: str, after: str) -> None:
    before = (
        BEFORE
        + f"""UPDATE facts SET confirmations = {own} WHERE id = 'cat';
                          UPDATE facts SET confirmations = {loser} WHERE id = 'cat2';"""
    )
    judged = Judged(tmp_path, before=before)
    judged.change(f"UPDATE facts SET confirmations = {after} WHERE id = 'cat'")
    assert judged.verify().problems == []


def test_problems_hold_ids_and_counts_but_no_memory(judged: Judged) -> None:
    judged.change("UPDATE facts SET value = 'secret' WHERE user_id = 'maya'; DELETE FROM facts WHERE id = 'tom1';")
    first, second = judged.verify().problems
    assert (first.check, first.user_id, first.facts, first.message) == (
        "lost_rows",
        "tom",
        ("tom1",),
        "1 fact missing.",
    )
    assert (second.check, second.user_id) == ("content_changed", "maya")
    assert second.message == "17 facts with another content in a column that the job may not change."
    assert second.facts == tuple(sorted(second.facts))


def test_problem_names_at_most_twenty_facts_and_survives_any_name(tmp_path: Path) -> None:
    many = "".join(
        f"INSERT INTO facts(id, user_id, attribute, status) VALUES ('x{n:02}', CAST(x'ff' AS TEXT), 'a', 'active');"
        for n in range(30)
    )
    judged = Judged(tmp_path, before=BEFORE + many)
    judged.change("DELETE FROM facts WHERE id LIKE 'x%'")
    (problem,) = judged.verify().problems
    assert (problem.user_id, len(problem.facts), problem.message) == ("\ufffd", 20, "30 facts missing.")


def test_a_fault_of_very_many_users_is_told_in_few_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(findings, "MAX_USERS", 3)
    many = "".join(
        f"INSERT INTO facts(id, user_id, attribute, status) VALUES ('x{n}', 'u{n}', 'a', 'active');" for n in range(9)
    )
    judged = Judged(tmp_path, before=BEFORE + many)
    judged.change("DELETE FROM facts WHERE id LIKE 'x%'")
    problems = judged.verify().problems
    assert [problem.user_id for problem in problems] == ["u0", "u1", "u2", None]
    assert problems[-1].message == "6 further users have this problem in run 20260101T000000Z-000000."
