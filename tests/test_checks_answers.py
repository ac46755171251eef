"""two_current, shrunk, forgotten_returned, unsupported: what a user's memory answers after the night."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from consolidate.config import PromoteSettings, Settings, VerifySettings
from consolidate.store.contract import SCHEMA
from consolidate.store.values import hash_key
from tests.judging import AFTER, BEFORE, DAY, NOW, SETTINGS, Judged
from tests.test_checks_lineage import close, fact, settle


@pytest.fixture
def judged(tmp_path: Path) -> Judged:
    return Judged(tmp_path)


def test_contradiction_that_the_night_left_is_found(tmp_path: Path) -> None:
    judged = Judged(tmp_path)
    judged.change("UPDATE facts SET status = 'active', superseded_by = NULL, valid_to = NULL WHERE id = 'boston'")
    (problem,) = judged.verify().problems
    assert (problem.check, problem.user_id, problem.facts) == ("two_current", "maya", ("austin", "boston"))


def test_revived_value_is_found(judged: Judged) -> None:
    judged.change("UPDATE facts SET status = 'active', superseded_by = NULL, valid_to = NULL WHERE id = 'blue'")
    assert judged.checks() == {"two_current", "broken_lineage"}


@pytest.mark.parametrize(
    ("script", "settings", "checks"),
    [
        (fact("other", "B."), SETTINGS, {"two_current"}),
        (fact("other", "B", multi=1), SETTINGS, {"two_current"}),
        (fact("other", "' a '", multi=0), SETTINGS, set()),
        (fact("other", "B", user_id="tom"), SETTINGS, set()),
        (fact("other", "B", attribute="Way"), SETTINGS, set()),
        (fact("other", "B", valid_from=NOW + 1), SETTINGS, {"unsupported"}),
        (fact("other", "B"), replace(SETTINGS, attributes={"way": "multi"}), set()),
    ],
)
@pytest.mark.parametrize("collation", ["", " COLLATE NOCASE"])
def test_second_value(tmp_path: Path, script: str, settings: Settings, checks: set[str], collation: str) -> None:
    supported = (
        "evidence = CASE user_id WHEN 'tom' THEN 't1 t2' ELSE 'm1 m2' END, source = 'inferred', confirmations = 2"
    )
    script += f"UPDATE facts SET {supported}, valid_from = max(valid_from, {2 * DAY}) WHERE id = 'other';"
    schema = SCHEMA.replace("user_id TEXT", f"user_id TEXT{collation}").replace(
        "attribute TEXT", f"attribute TEXT{collation}"
    )
    judged = Judged(tmp_path, schema, BEFORE + fact("one", "A"), AFTER + script)
    assert judged.checks(settings) == checks


def test_configured_attribute_is_one_valued_whatever_the_rows_say(judged: Judged) -> None:
    found = judged.verify(replace(SETTINGS, attributes={"pet": "single"}))
    assert {(problem.check, problem.facts) for problem in found.problems} == {("two_current", ("cat", "dog", "owl"))}


def test_several_pinned_values_are_a_notice(tmp_path: Path) -> None:
    pins = "INSERT INTO consolidation_pins VALUES ('p1', 'maya', 0), ('p2', 'maya', 0);"
    judged = settle(tmp_path, fact("p1", "a") + fact("p2", "b") + pins, "")
    found = judged.verify()
    assert found.problems == []
    assert [(notice.kind, notice.facts) for notice in found.notices] == [("several_pinned", ("p1", "p2"))]
    judged.change_both(fact("p3", "c"))
    assert [problem.check for problem in judged.verify().problems] == ["two_current"]


def test_value_whose_closing_was_undone_may_stay(tmp_path: Path) -> None:
    table = "CREATE TABLE consolidation_exceptions(fact_id, target, PRIMARY KEY(fact_id, target));"
    undone = table + "INSERT INTO consolidation_exceptions VALUES ('one', 'two');"
    judged = settle(tmp_path, fact("one", "a") + fact("two", "b", valid_from=2 * DAY) + undone, "")
    assert judged.verify().problems == []
    judged.change_both("DELETE FROM consolidation_exceptions")
    assert judged.checks() == {"two_current"}


def test_fact_without_identity_is_no_second_value(tmp_path: Path) -> None:
    before = fact("one", "A") + "INSERT INTO facts(user_id, attribute, value, multi, status, valid_from)"
    judged = settle(tmp_path, before + " VALUES ('maya', 'way', 'B', 0, 'active', 1);", "")
    assert judged.verify().problems == []


HOBBIES = "".join(fact(f"h{n}", f"v{n}", user_id="ann", attribute="hobby", multi=1) for n in range(4)) + "".join(
    fact(f"s{n}", f"v{n}", user_id="ann", attribute=f"single {n}") for n in range(4)
)
RETIRED = "UPDATE facts SET status = 'superseded', superseded_by = 'h0', valid_to = valid_from WHERE id IN ({})"


@pytest.mark.parametrize(
    ("script", "checks"),
    [
        (RETIRED.format("'h1', 'h2', 'h3'"), set()),
        (RETIRED.format("'h1', 'h2', 'h3', 's0', 's1'"), {"shrunk", "broken_lineage"}),
        (RETIRED.format("'h0', 'h1', 'h2', 'h3', 's0'"), {"shrunk", "broken_lineage"}),
        ("DELETE FROM facts WHERE id IN ('s0', 's1', 's2', 's3')", {"lost_rows"}),
        ("DELETE FROM facts WHERE id IN ('s0', 's1', 's2', 's3', 'h1')", {"lost_rows", "shrunk"}),
        ("UPDATE facts SET valid_to = 1 WHERE id LIKE 's%' OR id = 'h1'", {"broken_lineage", "shrunk"}),
        ("UPDATE facts SET status = 'expired' WHERE id LIKE 's%' OR id = 'h1'", {"broken_lineage", "shrunk"}),
    ],
)
def test_answers_lost(tmp_path: Path, script: str, checks: set[str]) -> None:
    judged = settle(tmp_path, HOBBIES, script)
    found = {problem.check: problem for problem in judged.verify().problems}
    assert set(found) == checks
    assert {problem.user_id for problem in found.values()} <= {"ann"}
    if "shrunk" in checks:
        assert "out of force, with which the answers fell from 8 to 3." in found["shrunk"].message


def test_one_attribute_that_is_still_answered_hides_no_other(tmp_path: Path) -> None:
    before = "".join(fact(f"s{n}", user_id="ann", attribute=f"single {n}") for n in range(5))
    before += fact("next", "y", user_id="ann", attribute="single 0", valid_from=2 * DAY)
    before += fact("last", "z", user_id="ann", attribute="single 0", valid_from=3 * DAY)
    after = close("s0", "next", ends=str(2 * DAY)) + close("next", "last", ends=str(3 * DAY))
    judged = settle(tmp_path, before, after)
    assert judged.verify().problems == []
    judged.change("DELETE FROM facts WHERE id IN ('s1', 's2', 's3')")
    assert judged.checks() == {"lost_rows", "shrunk"}


def test_shrinking_is_measured_against_the_setting_and_from_four_answers(tmp_path: Path) -> None:
    few = "".join(fact(f"s{n}", user_id="ann", attribute=f"single {n}") for n in range(3))
    judged = settle(tmp_path, few, "DELETE FROM facts WHERE user_id = 'ann'")
    assert judged.checks() == {"lost_rows"}
    strict = replace(SETTINGS, verify=VerifySettings(max_shrink=0.0))
    judged = settle(tmp_path / "more", few + fact("s4", user_id="ann"), "DELETE FROM facts WHERE id = 's4'")
    assert judged.checks() == {"lost_rows"}
    assert judged.checks(strict) == {"lost_rows", "shrunk"}


def test_merging_settling_and_expiring_lose_no_answer(tmp_path: Path) -> None:
    copies = "".join(fact(f"c{n}", "tea", user_id="ann", multi=1, confirmations=None) for n in range(9))
    values = "".join(fact(f"v{n}", f"v{n}", user_id="ann", attribute="city", valid_from=n * DAY) for n in range(9))
    due = "".join(fact(f"d{n}", user_id="ann", attribute=f"due {n}", expires_at=5) for n in range(9))
    after = f"""
        UPDATE facts SET status = 'merged', superseded_by = 'c0', valid_to = valid_from WHERE id BETWEEN 'c1' AND 'c9';
        UPDATE facts SET status = 'superseded', valid_to = valid_from + {DAY},
            superseded_by = 'v' || (substr(id, 2) + 1) WHERE id BETWEEN 'v0' AND 'v7';
        UPDATE facts SET status = 'expired', valid_to = expires_at WHERE id LIKE 'd_' AND attribute LIKE 'due %';"""
    strict = replace(SETTINGS, verify=VerifySettings(max_shrink=0.0))
    assert settle(tmp_path, copies + values + due, after).verify(strict).problems == []


def test_answers_of_an_attribute_whose_rows_disagree_are_its_values(tmp_path: Path) -> None:
    mixed = "".join(fact(f"x{n}", f"v{n}", user_id="ann", multi=n % 2) for n in range(4))
    retired = "UPDATE facts SET status = 'superseded', superseded_by = 'x0', valid_to = valid_from WHERE id = 'x3'"
    judged = settle(tmp_path, mixed, retired)
    assert judged.checks(replace(SETTINGS, verify=VerifySettings(max_shrink=0.2))) == {"shrunk"}
    assert judged.checks(replace(SETTINGS, attributes={"way": "single"})) == {"two_current"}


FORGOTTEN = [
    ("('maya', 'seat', 'Aisle.')", True),
    ("('maya', 'seat', NULL)", True),
    ("('maya', 'seat', '')", True),
    ("('maya', '', NULL)", True),
    ("('maya', NULL, 'x')", True),
    ("('maya', 'seat', 'h1:00:' || hex_of_aisle)", True),
    ("('maya', 'seat', 'window')", False),
    ("('maya', 'Seat', 'aisle')", False),
    ("('Maya', 'seat', 'aisle')", False),
    ("('tom', '', NULL)", False),
    ("(NULL, 'seat', 'aisle')", False),
    ("('maya', 'seat', x'6169736c65')", False),
]


@pytest.mark.parametrize(("tombstone", "covers"), FORGOTTEN)
def test_tombstoned_value_may_not_return(tmp_path: Path, tombstone: str, covers: bool) -> None:
    row = tombstone.replace("hex_of_aisle", f"'{hash_key('aisle', '00')}'")
    keep = "DELETE FROM tombstones;" if "''" in tombstone or "NULL, 'x'" in tombstone else ""
    judged = Judged(tmp_path, before=BEFORE + f"{keep} INSERT INTO tombstones VALUES {row};")
    found = judged.verify()
    assert [(problem.check, problem.facts) for problem in found.problems] == (
        [("forgotten_returned", ("new",))] if covers else []
    )


def test_tombstoned_value_in_force_in_live_is_a_notice(tmp_path: Path) -> None:
    judged = Judged(tmp_path, before=BEFORE + "INSERT INTO tombstones VALUES ('maya', 'pet', ' DOG'), ('tom', '', '');")
    found = judged.verify()
    assert found.problems == []
    assert [(notice.kind, notice.facts) for notice in found.notices] == [
        ("forgotten_in_force", ("dog", "tom1", "tom2"))
    ]


def test_value_edited_into_a_forgotten_one_is_found(judged: Judged) -> None:
    judged.change("UPDATE facts SET value = 'Ferret' WHERE id = 'dog'")
    assert judged.checks() == {"content_changed", "forgotten_returned"}


NEW = "UPDATE facts SET {} WHERE id = 'new'"


@pytest.mark.parametrize(
    ("change", "checks"),
    [
        (NEW.format("evidence = '', confirmations = 0"), {"unsupported"}),
        (NEW.format("evidence = NULL, confirmations = 0"), {"unsupported"}),
        (NEW.format("evidence = 'm3', confirmations = 1"), {"unsupported"}),
        (NEW.format("evidence = 'm3 m3', confirmations = 2"), {"unsupported", "confirmations_wrong"}),
        (NEW.format("evidence = 'm1 m3 nobody', confirmations = 3"), {"unsupported"}),
        (NEW.format("evidence = 'm1 m3 later', confirmations = 3"), {"unsupported"}),
        (NEW.format("evidence = 'm1 m3 t1', confirmations = 3"), {"unsupported", "foreign_lineage"}),
        (NEW.format("evidence = 't1 t2', confirmations = 2"), {"unsupported", "foreign_lineage"}),
        (NEW.format("source = 'user'"), {"unsupported"}),
        (NEW.format("source = NULL"), {"unsupported"}),
        (NEW.format(f"valid_from = {4 * DAY}"), {"unsupported"}),
        (NEW.format("attribute = NULL"), {"unsupported"}),
        (NEW.format("user_id = NULL"), {"unsupported", "foreign_lineage"}),
        (NEW.format("id = NULL"), {"unsupported"}),
        (NEW.format(f"valid_to = {5 * DAY}"), {"broken_lineage"}),
        (NEW.format("status = 'review'"), {"broken_lineage"}),
        (NEW.format(f"status = 'expired', expires_at = {4 * DAY}, valid_to = {4 * DAY}"), set()),
        (NEW.format(f"evidence = 'm1 m2', valid_from = {2 * DAY}"), set()),
    ],
)
def test_new_fact_needs_its_evidence(judged: Judged, change: str, checks: set[str]) -> None:
    judged.change(change)
    problems = judged.verify().problems
    assert {problem.check for problem in problems} == checks, problems


def test_support_that_the_configuration_asks_for(judged: Judged) -> None:
    assert judged.checks(replace(SETTINGS, promote=PromoteSettings(min_support=3))) == {"unsupported"}
    assert judged.checks(replace(SETTINGS, promote=PromoteSettings(min_support=2))) == set()
    assert judged.checks(replace(SETTINGS, promote=PromoteSettings(min_support=2, min_days=3))) == {"unsupported"}


def test_promoted_fact_may_gain_from_what_merges_into_it(tmp_path: Path) -> None:
    before = BEFORE + fact(
        "waiting", "AISLE", attribute="seat", status="review", source="rumour", evidence="x", confirmations=5
    )
    judged = Judged(tmp_path, before=before)
    judged.change(close("waiting", "new", "merged") + NEW.format("evidence = 'm1 m3 x', confirmations = 7"))
    assert judged.verify().problems == []
    judged.change(NEW.format("confirmations = 9"))
    assert judged.checks() == {"confirmations_wrong"}
