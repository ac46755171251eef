"""What is wrong with a single store, whoever made it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from consolidate.store.contract import SCHEMA
from tests.judging import AFTER, BEFORE, DAY, SETTINGS, Judged
from tests.test_checks_lineage import DIRT, fact
from tests.test_checks_tables import damage


@pytest.fixture
def judged(tmp_path: Path) -> Judged:
    return Judged(tmp_path)


def test_settled_store_is_sound(judged: Judged) -> None:
    found = judged.examine()
    assert (found.problems, found.notices) == ([], [])


def test_dirt_is_named(tmp_path: Path) -> None:
    judged = Judged(tmp_path, after=DIRT + "INSERT INTO facts(id, user_id) VALUES ('nobody', 'maya');")
    found = judged.examine()
    problems = {(problem.check, problem.user_id): (problem.facts, problem.message) for problem in found.problems}
    facts, message = problems.pop(("broken_lineage", "maya"))
    assert facts == ("astray1", "astray3", "bare", "round1", "round2", "round3", "selfish")
    assert message == (
        "1 fact closed without a pointer to what took its place; 1 fact whose pointer leads nowhere; "
        "1 fact whose pointer leads to a fact of another attribute; 4 facts whose pointers lead back to it."
    )
    facts, message = problems.pop(("foreign_lineage", "maya"))
    assert (facts, message) == (("astray2",), "1 fact whose pointer leads to a fact of another user.")
    assert problems == {}
    notices = {notice.kind: notice.facts for notice in found.notices}
    assert notices == {
        "two_current": ("austin", "boston", "doctor", "nurse"),
        "no_identity": ("nobody",),
        "unknown_status": ("odd",),
        "mixed_flags": ("mixed1",),
    }


def test_merge_of_two_values_is_found(judged: Judged) -> None:
    judged.change("UPDATE facts SET superseded_by = 'dog' WHERE id = 'cat2'")
    (problem,) = judged.examine().problems
    assert (problem.check, problem.facts) == ("broken_lineage", ("cat2",))


def test_forgotten_and_mixed_and_pinned_are_notices(judged: Judged) -> None:
    judged.change(
        "INSERT INTO tombstones VALUES ('maya', 'pet', 'Dog');"
        + fact("m0", multi=0, user_id="ann", attribute="mixed")
        + fact("m1", multi=1, user_id="ann", attribute="mixed")
        + fact("p1", "a", user_id="ann")
        + fact("p2", "b", user_id="ann")
        + "INSERT INTO consolidation_pins VALUES ('p1', 'ann', 0), ('p2', 'ann', 0);"
    )
    found = judged.examine()
    assert found.problems == []
    named = {notice.kind: notice.facts for notice in found.notices}
    assert set(named) == {"forgotten_in_force", "mixed_flags", "several_pinned"}
    assert named["mixed_flags"] == ("m0",)
    configured = judged.examine(replace(SETTINGS, attributes={"mixed": "multi"})).notices
    assert {notice.kind for notice in configured} == {"forgotten_in_force", "several_pinned"}
    assert named["forgotten_in_force"] == ("dog",)
    assert named["several_pinned"] == ("p1", "p2")


def test_damage_and_foreign_keys_are_problems(tmp_path: Path) -> None:
    schema = SCHEMA + "CREATE TABLE marks(fact TEXT REFERENCES facts(id));"
    judged = Judged(tmp_path, schema, BEFORE + "INSERT INTO marks VALUES ('gone');", AFTER)
    damage(judged.shadow)
    assert [problem.check for problem in judged.examine().problems] == ["integrity", "integrity"]


def test_long_history_without_a_cycle(tmp_path: Path) -> None:
    chain = "".join(
        fact(
            f"n{n}", f"v{n}", valid_from=n * DAY, valid_to=(n + 1) * DAY, status="superseded", superseded_by=f"n{n + 1}"
        )
        for n in range(300)
    )
    judged = Judged(tmp_path, after=AFTER + chain + fact("n300", "last", valid_from=300 * DAY))
    assert judged.examine(now=400.0 * DAY).problems == []


def test_nocase_columns(tmp_path: Path) -> None:
    judged = Judged(tmp_path, SCHEMA.replace("TEXT", "TEXT COLLATE NOCASE"), BEFORE, AFTER)
    judged.change(fact("upper", "x", user_id="MAYA") + fact("lower", "y"))
    found = judged.examine()
    assert (found.problems, found.notices) == ([], [])
