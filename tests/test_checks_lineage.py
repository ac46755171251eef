"""foreign_lineage, broken_lineage, user_overruled: whether each closed, parked or re-linked fact says so truthfully."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from consolidate.config import SourceSettings
from consolidate.store.contract import SCHEMA
from tests.judging import AFTER, BEFORE, DAY, SETTINGS, Judged


def fact(name: str, value: str | None = "x", **columns: object) -> str:
    """SQL for a fact of Maya's one-valued attribute ``way``, from the first day, active and said by the user."""
    defaults = {
        "user_id": "maya",
        "attribute": "way",
        "multi": 0,
        "source": "user",
        "valid_from": DAY,
        "status": "active",
    }
    row = {"id": name, "value": value, "confirmations": 0, "evidence": "", **defaults, **columns}
    values = ", ".join("NULL" if value is None else repr(value) for value in row.values())
    return f"INSERT INTO facts({', '.join(row)}) VALUES ({values});"


def close(name: str, into: str, status: str = "superseded", ends: str = "valid_from") -> str:
    """SQL that closes a fact; with the window it has no matter what, an empty one."""
    return f"UPDATE facts SET status = '{status}', superseded_by = '{into}', valid_to = {ends} WHERE id = '{name}';"


@pytest.fixture
def judged(tmp_path: Path) -> Judged:
    return Judged(tmp_path)


LINEAGE = {
    "merge across users": (close("tom2", "cat", "merged"), {"foreign_lineage"}, "tom2"),
    "superseded by another user": (close("tom1", "austin"), {"foreign_lineage"}, "tom1"),
    "superseded by another attribute": (close("green", "austin"), {"broken_lineage"}, "green"),
    "dangling": (close("green", "nobody"), {"broken_lineage"}, "green"),
    "pointer in another case": (close("boston", "AUSTIN"), {"broken_lineage"}, "boston"),
    "no pointer": (
        "UPDATE facts SET status = 'superseded', superseded_by = NULL, valid_to = valid_from WHERE id = 'green'",
        {"broken_lineage"},
        "green",
    ),
    "merged without a pointer": (
        "UPDATE facts SET status = 'merged', superseded_by = NULL, valid_to = valid_from WHERE id = 'green'",
        {"broken_lineage"},
        "green",
    ),
    "itself": (close("green", "green"), {"broken_lineage"}, "green"),
    "cycle with an old pointer": (close("green", "red"), {"broken_lineage"}, "green"),
    "merge of two values": (close("dog", "cat", "merged"), {"broken_lineage"}, "dog"),
    "merge of a longer value": (
        "UPDATE facts SET superseded_by = 'dog' WHERE id = 'cat2'; "
        "UPDATE facts SET confirmations = 1, evidence = 'm1' WHERE id = 'cat'; "
        "UPDATE facts SET confirmations = 2 WHERE id = 'dog'",
        {"broken_lineage"},
        "cat2",
    ),
    "returned": ("UPDATE facts SET status = 'active', valid_to = NULL WHERE id = 'guess'", {"broken_lineage"}, "guess"),
    "merged to superseded": ("UPDATE facts SET status = 'superseded' WHERE id = 'echo'", {"broken_lineage"}, "echo"),
    "superseded to review": ("UPDATE facts SET status = 'review' WHERE id = 'red'", {"broken_lineage"}, "red"),
    "unknown status": ("UPDATE facts SET status = 'archived' WHERE id = 'dog'", {"broken_lineage"}, "dog"),
    "no status": ("UPDATE facts SET status = NULL WHERE id = 'dog'", {"broken_lineage"}, "dog"),
    "closed by its window alone": ("UPDATE facts SET valid_to = 5 WHERE id = 'dog'", {"broken_lineage"}, "dog"),
    "pointer of an active fact": ("UPDATE facts SET superseded_by = 'cat' WHERE id = 'dog'", {"broken_lineage"}, "dog"),
    "other window of a parked fact": (
        "UPDATE facts SET valid_to = 5 WHERE id = 'doctor'",
        {"broken_lineage"},
        "doctor",
    ),
    "other pointer of a merged fact": (close("echo", "blue", "merged"), {"broken_lineage"}, "echo"),
    "other window of a merged fact": (close("echo", "green", "merged", "9"), {"broken_lineage"}, "echo"),
    "other window of a superseded fact": (close("blue", "green", ends="9"), {"broken_lineage"}, "blue"),
    "re-linked to where it was not": (close("red", "green", ends="9"), {"broken_lineage"}, "red"),
    "expired before its date": (
        "UPDATE facts SET status = 'expired', valid_to = expires_at WHERE id = 'lasting'",
        {"broken_lineage"},
        "lasting",
    ),
    "expired without a date": (
        "UPDATE facts SET status = 'expired', valid_to = 5 WHERE id = 'dog'",
        {"broken_lineage"},
        "dog",
    ),
    "expired at another time": ("UPDATE facts SET valid_to = 5 WHERE id = 'old'", {"broken_lineage"}, "old"),
    "expired with a window it never had": (
        "UPDATE facts SET valid_to = expires_at WHERE id = 'guess'",
        {"broken_lineage"},
        "guess",
    ),
    "expired with a pointer": ("UPDATE facts SET superseded_by = 'dog' WHERE id = 'old'", {"broken_lineage"}, "old"),
    "merged until another time": ("UPDATE facts SET valid_to = 5 WHERE id = 'cat2'", {"broken_lineage"}, "cat2"),
    "superseded until another time": (
        "UPDATE facts SET valid_to = 5 WHERE id = 'boston'",
        {"broken_lineage"},
        "boston",
    ),
    "superseded until for ever": ("UPDATE facts SET valid_to = NULL WHERE id = 'boston'", {"broken_lineage"}, "boston"),
    "parked under nothing": ("UPDATE facts SET status = 'review' WHERE id = 'owl'", {"broken_lineage"}, "owl"),
    "user parked under a guess": (
        "UPDATE facts SET status = 'review' WHERE id = 'nurse'; UPDATE facts SET status = 'active' WHERE id = 'doctor'",
        {"broken_lineage", "user_overruled"},
        "nurse",
    ),
    "user merged into a guess": (
        "UPDATE facts SET evidence = 'm1', confirmations = 1 WHERE id = 'cat';"
        "UPDATE facts SET status = 'active', superseded_by = NULL, valid_to = NULL, confirmations = 3, "
        "evidence = 'm2 m3 m1' WHERE id = 'cat2';" + close("cat", "cat2", "merged", str(2 * DAY)),
        {"user_overruled"},
        "cat",
    ),
    "user superseded by a guess": (
        "UPDATE facts SET status = 'active' WHERE id = 'doctor';" + close("nurse", "doctor", ends=str(2 * DAY)),
        {"user_overruled"},
        "nurse",
    ),
    "pinned fact superseded": (
        fact(
            "later", "pop", attribute="music", source="inferred", evidence="m1 m3", valid_from=3 * DAY, confirmations=2
        )
        + close("jazz", "later", ends=str(3 * DAY)),
        {"user_overruled"},
        "jazz",
    ),
    "pinned fact expired": ("UPDATE facts SET status = 'expired' WHERE id = 'jazz'", {"broken_lineage"}, "jazz"),
}


@pytest.mark.parametrize("case", LINEAGE)
def test_bad_lineage_is_found(judged: Judged, case: str) -> None:
    script, checks, name = LINEAGE[case]
    judged.change(script)
    problems = judged.verify().problems
    assert {problem.check for problem in problems} == checks, problems
    assert {fact for problem in problems for fact in problem.facts} == {name}
    assert {problem.user_id for problem in problems} == {"tom" if name.startswith("tom") else "maya"}


LAWFUL = {
    "a user's statement under a pinned guess": close("rock", "jazz")
    + "UPDATE facts SET valid_to = 86400 WHERE id = 'rock'",
    "an empty window": close("boston", "austin"),
    "merged with an empty window": close("cat2", "cat", "merged"),
    "a later one of the same source": close("green", "nobody", "active", "NULL")
    + "UPDATE facts SET superseded_by = NULL WHERE id = 'green'",
}


@pytest.mark.parametrize("case", LAWFUL)
def test_lawful_lineage_passes(judged: Judged, case: str) -> None:
    judged.change(LAWFUL[case])
    assert judged.verify().problems == []


def judge(folder: Path, before: str, after: str) -> Judged:
    return Judged(folder, before=BEFORE + before, after=after)


def settle(folder: Path, before: str, after: str) -> Judged:
    """A store that the steps have settled but for what ``after`` does."""
    return Judged(folder, before=BEFORE + AFTER + before, after=after)


def test_back_dated_statement_is_linked_into_the_chain(tmp_path: Path) -> None:
    before = fact("late", "lime", attribute="car", valid_from=1.5 * DAY)
    after = close("late", "blue", ends=str(2 * DAY)) + close("red", "late", ends=str(1.5 * DAY))
    judged = settle(tmp_path, before, after)
    assert judged.verify().problems == []
    judged.change("UPDATE facts SET valid_to = valid_to + 1 WHERE id = 'red'")
    assert judged.checks() == {"broken_lineage"}


def test_what_the_application_closed_itself_is_history(tmp_path: Path) -> None:
    judged = settle(tmp_path, fact("closed", valid_to=5 * DAY) + fact("next", "y", valid_from=9 * DAY), "")
    assert judged.verify().problems == []
    judged.change(close("closed", "next", ends=str(9 * DAY)))
    (problem,) = judged.verify().problems
    assert (problem.check, problem.facts) == ("broken_lineage", ("closed",))


def test_window_may_end_with_a_restatement_that_was_merged(tmp_path: Path) -> None:
    before = fact("first", "a") + fact("second", "b", valid_from=0) + fact("again", "b.", valid_from=3 * DAY)
    after = close("again", "second", "merged", str(3 * DAY)) + close("first", "second", ends=str(3 * DAY))
    judged = settle(tmp_path, before, after)
    assert judged.verify().problems == []
    judged.change("UPDATE facts SET valid_to = valid_to - 1 WHERE id = 'first'")
    assert judged.checks() == {"broken_lineage"}


def test_status_of_other_case_counts_as_the_same_where_the_column_says_so(tmp_path: Path) -> None:
    schema = SCHEMA.replace("status TEXT", "status TEXT COLLATE NOCASE")
    judged = Judged(tmp_path, schema, BEFORE.replace("'active'", "'Active'"))
    assert judged.verify().problems == []
    assert judged.kinds() == set()


DIRT = (
    fact("astray1", status="superseded", superseded_by="gone", valid_to=DAY)
    + fact("astray2", status="merged", superseded_by="tom1", valid_to=DAY)
    + fact("astray3", status="merged", superseded_by="cat", valid_to=DAY)
    + fact("round1", status="superseded", superseded_by="round2", valid_to=2 * DAY)
    + fact("round2", status="superseded", superseded_by="round3", valid_to=3 * DAY)
    + fact("round3", status="merged", superseded_by="round1", valid_to=2 * DAY)
    + fact("selfish", status="merged", superseded_by="selfish", valid_to=DAY)
    + fact("leads", status="superseded", superseded_by="round1", valid_to=DAY)
    + fact("mixed1", attribute="mixed")
    + fact("mixed2", attribute="mixed", multi=1)
    + fact("other1", attribute="mixed", user_id="tom")
    + fact("bare", status="superseded")
    + fact("odd", status="archived")
    + fact("active", superseded_by="gone", attribute="other")
    + fact("text", valid_from="soon", valid_to="later", expires_at="never", confirmations="many", source="rumour")
)


def test_what_live_had_wrong_is_a_notice(tmp_path: Path) -> None:
    judged = judge(tmp_path, DIRT, "UPDATE facts SET status = 'expired', valid_to = expires_at WHERE id = 'old'")
    settled = judged.verify(replace(SETTINGS, attributes={"city": "multi", "job": "multi"}))
    assert settled.problems == []
    named = {notice.kind: notice.facts for notice in settled.notices}
    assert named == {
        "unknown_status": ("odd",),
        "mixed_flags": ("mixed1",),
        "dangling_pointers": ("astray1",),
        "astray_pointers": ("astray2", "astray3"),
        "cyclic_pointers": ("round1", "round2", "round3", "selfish"),
    }


def test_new_pointer_may_lead_to_an_old_cycle_but_not_close_one(tmp_path: Path) -> None:
    before = DIRT + fact("fresh", "y", valid_from=0)
    judged = settle(tmp_path, before, close("fresh", "leads"))
    assert judged.verify().problems == []
    judged.change(
        "UPDATE facts SET status = 'superseded', superseded_by = 'text', valid_to = valid_from WHERE id = 'text'"
    )
    (problem,) = judged.verify().problems
    assert (problem.check, problem.facts) == ("broken_lineage", ("text",))


def test_cycle_through_another_attribute_is_no_lineage(tmp_path: Path) -> None:
    """Pointers are followed within one attribute: what lies beyond is the past's dirt."""
    before = fact("a") + fact("b", "y", valid_from=2 * DAY, status="superseded", superseded_by="c", valid_to=3 * DAY)
    before += fact("c", attribute="other", status="superseded", superseded_by="a", valid_to=3 * DAY)
    judged = settle(tmp_path, before, close("a", "b", ends=str(2 * DAY)))
    assert judged.verify().problems == []


def test_long_new_chain_and_a_long_new_cycle(tmp_path: Path) -> None:
    size = 700
    facts = "".join(fact(f"n{n}", f"v{n}", valid_from=n * 60, confirmations=None) for n in range(size))
    chain = f"""UPDATE facts SET status = 'superseded', valid_to = valid_from + 60,
                superseded_by = 'n' || (substr(id, 2) + 1) WHERE id LIKE 'n%' AND attribute = 'way' AND id <> 'n{size - 1}'"""
    judged = settle(tmp_path, facts, chain)
    assert judged.verify().problems == []
    judged.change(close(f"n{size - 1}", "n0"))
    (problem,) = judged.verify().problems
    assert problem.message == f"{size} facts whose pointers lead back to it."


def test_rank_follows_the_configuration(judged: Judged) -> None:
    judged.change(
        "UPDATE facts SET status = 'active' WHERE id = 'doctor';" + close("nurse", "doctor", ends=str(2 * DAY))
    )
    assert judged.checks() == {"user_overruled"}
    assert judged.checks(replace(SETTINGS, sources=SourceSettings(()))) == set()


def test_cycle_of_two_new_pointers_names_both(judged: Judged) -> None:
    judged.change(close("austin", "boston"))
    (problem,) = judged.verify().problems
    assert (problem.check, problem.facts) == ("broken_lineage", ("austin", "boston"))


def test_pin_that_a_step_adds_does_not_count(judged: Judged) -> None:
    judged.change(
        "UPDATE facts SET status = 'active' WHERE id = 'doctor'; INSERT INTO consolidation_pins VALUES ('doctor', 'maya', 0);"
        + close("nurse", "doctor", ends=str(2 * DAY))
    )
    assert judged.checks() == {"user_overruled"}


def test_decisions_of_a_person_stay(judged: Judged) -> None:
    judged.change("DELETE FROM consolidation_pins")
    (problem,) = judged.verify().problems
    assert (problem.check, problem.user_id, problem.facts) == ("lost_rows", "maya", ("jazz",))
