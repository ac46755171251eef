"""What the machines found: each disagreement between the store and the oracle, as a small example."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from consolidate.checks import probes
from consolidate.config import Settings
from consolidate.model import Probe
from consolidate.operate import review, undo
from consolidate.operate.rollback import roll_back
from consolidate.operate.rollback_plan import Target
from consolidate.operate.tenants import Tenant
from consolidate.operate.undo import Undone
from consolidate.store import connections, contract
from consolidate.store.reading import Reader
from tests.oracle import Candidate
from tests.oracle_group import Row
from tests.stores import DAY, Store, create, fill, night_of_steps, read_facts

NOW = 100 * DAY
GUESS = {"source": "inferred"}


class Memory:
    """A store on which examples are played."""

    def __init__(self, folder: Path, schema: str = "plain") -> None:
        self.tenant = Tenant.of(folder, "acme")
        self.path = self.tenant.path
        self.path.parent.mkdir()
        self.store = Store([])
        create(self.path, schema)

    def say(self, *facts: tuple[Any, Any, Any] | tuple[Any, Any, Any, dict[str, Any]]) -> None:
        """Write facts of one user about one attribute as (id, value, day, other columns)."""
        rows = []
        for name, value, day, *others in facts:
            row = {"id": name, "user_id": "maya", "attribute": "city", "value": value, "multi": 0, "source": "user"}
            row |= {"valid_from": None if day is None else day * DAY, "status": "active", "confirmations": 1}
            rows.append(row | (others[0] if others else {}))
        fill(self.path, Store(rows))

    def sql(self, statement: str, *values: Any) -> None:
        with closing(sqlite3.connect(self.path)) as db, db:
            db.execute(statement, values)

    def night(self, now: float = NOW, **options: Any) -> str:
        return night_of_steps(self.path, self.store, now, **options).run_id

    def undo(self, run_id: str, fact: str | None = None) -> Undone:
        return undo.undo(self.path, Settings(), run_id, NOW, fact_id=fact)

    def rows(self) -> dict[Any, Row]:
        return {row.id: row for row in read_facts(self.path)}

    def ends(self) -> dict[Any, tuple[Any, Any]]:
        return {name: (row.status, row.superseded_by) for name, row in self.rows().items()}


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    return Memory(tmp_path)


@pytest.fixture
def chain(memory: Memory) -> Memory:
    """Of three equal values, b merges into a in the first place, and a into h, which holds, in the second."""
    memory.say(("austin", "Austin", 3), ("a", "Boston", 4, GUESS | {"evidence": "ea"}))
    memory.say(("b", "Boston", 5, GUESS | {"evidence": "eb"}), ("chicago", "Chicago", 7), ("h", "Boston", 10))
    return memory


def test_what_is_undone_at_the_foot_of_a_chain_of_merges_is_lost_all_the_way_up(chain: Memory) -> None:
    run = chain.night()
    assert (chain.rows()["h"].confirmations, chain.rows()["h"].evidence) == (3, "ea eb")
    assert chain.undo(run, "b").restored == ["a", "b", "h"]
    rows = chain.rows()
    assert [rows[name].confirmations for name in ("b", "a", "h")] == [1, 1, 2]
    assert [rows[name].evidence for name in ("b", "a", "h")] == ["eb", "ea", "ea"]
    assert [rows[name].status for name in ("b", "a", "h")] == ["active", "merged", "active"]


def test_a_survivor_is_undone_with_all_the_chain_below_it(chain: Memory) -> None:
    before = chain.rows()
    chain.undo(chain.night(), "h")
    after = chain.rows()
    assert [after[name] for name in "abh"] == [before[name] for name in "abh"]


def test_a_survivor_that_gains_nothing_any_more_has_no_confirmations_as_before(memory: Memory) -> None:
    memory.say(
        ("a", "Boston", 1, {"confirmations": None}), ("b", "Boston", 2), ("c", "Boston", 3, {"confirmations": None})
    )
    memory.undo(memory.night(), "b")
    assert memory.rows()["a"].confirmations is None
    assert memory.ends()["c"] == ("merged", "a")


def test_what_pointed_to_its_survivor_before_it_merged_is_undone_like_any_other(memory: Memory) -> None:
    memory.say(("a", "Boston", 1), ("b", "Boston", 2, {"superseded_by": "a", "confirmations": 2}), ("c", "Boston", 3))
    run = memory.night()
    assert memory.rows()["a"].confirmations == 4
    memory.undo(run, "b")
    assert memory.rows()["a"].confirmations == 2
    assert memory.ends() == {"a": ("active", None), "b": ("active", "a"), "c": ("merged", "a")}


def test_a_run_about_facts_with_undecodable_ids_is_undone(memory: Memory) -> None:
    memory.say(("a\udcff", "Boston", 1), ("b", "Austin", 2), ("c\udcff", "Austin", 3))
    before = memory.rows()
    run = memory.night()
    undone = memory.undo(run)
    assert undone.restored == ["a\N{REPLACEMENT CHARACTER}", "b", "c\N{REPLACEMENT CHARACTER}"]
    assert memory.rows() == before
    assert len(memory.undo(run).obstacles) == 3
    assert undone.run_id is not None
    memory.undo(undone.run_id)
    memory.night()
    assert memory.ends()["a\udcff"] == ("superseded", "b")


def test_the_exceptions_of_two_undos_are_lifted_one_by_one(memory: Memory) -> None:
    memory.say(("a", "Boston", 1), ("b", "Austin", 2))
    first = memory.undo(memory.night())
    memory.say(("c", "Chicago", 3))
    memory.undo(memory.night())
    assert first.run_id is not None
    memory.undo(first.run_id)
    memory.night()
    assert {status for status, _ in memory.ends().values()} == {"active"}


def test_a_fact_without_letters_in_its_id_is_not_taken_for_a_date(memory: Memory) -> None:
    memory.say(("a", "Boston", 1, {"expires_at": 101 * DAY}), ("", "Austin", 2))
    memory.undo(memory.night())
    memory.night()
    assert memory.ends()["a"] == ("active", None)
    memory.night(102 * DAY)
    assert memory.ends()["a"] == ("expired", None)


def test_an_accepted_fact_that_was_edited_since_is_not_taken_back(memory: Memory) -> None:
    memory.say(("a", "Boston", 1), ("g", "Austin", 2, GUESS | {"status": "review"}))
    done = review.accept(memory.path, Settings(), "g", NOW)
    memory.sql("UPDATE facts SET value = 'Austin, Texas' WHERE id = ?", done["fact"])
    (obstacle,) = memory.undo(done["run_id"]).obstacles
    assert (obstacle.fact, obstacle.why) == (done["fact"], "it was changed since, by the application")
    assert memory.rows()[done["fact"]].value == "Austin, Texas"


def test_dismissed_where_nothing_holds_it_is_closed_by_no_fact_that_leads_back_to_it(memory: Memory) -> None:
    memory.say(("a", "Boston", 1, {"status": "superseded", "superseded_by": "g", "valid_to": 2 * DAY}))
    memory.say(("g", "Austin", 2, GUESS | {"status": "review"}))
    review.dismiss(memory.path, Settings(), "g", NOW)
    assert memory.ends() == {"a": ("superseded", "g"), "g": ("expired", None)}


def test_dismissed_where_nothing_holds_it_is_closed_by_no_fact_that_never_held(memory: Memory) -> None:
    memory.say(("a", "Boston", None), ("b", "Chicago", 101), ("g", "Austin", 2, GUESS | {"status": "review"}))
    review.dismiss(memory.path, Settings(), "g", NOW)
    assert memory.ends()["g"] == ("expired", None)


def test_tombstones_of_a_user_who_is_spelled_alike_keep_nothing_from_coming_back(tmp_path: Path) -> None:
    memory = Memory(tmp_path, "nocase")
    memory.say(("a", "Boston", 1), ("b", "Austin", 2))
    run = memory.night()
    memory.sql("INSERT INTO tombstones VALUES ('Maya', '', NULL), ('maya', 'City', NULL)")
    assert roll_back(memory.tenant, Settings(), Target(run), NOW).stays == {}
    assert memory.ends()["a"] == ("active", None)


@pytest.mark.parametrize("brought", [{"evidence": "e9"}, {"evidence": None, "confirmations": None}])
def test_a_promoted_fact_keeps_its_own_evidence_when_what_it_gained_is_taken_back(
    memory: Memory, brought: dict[str, Any]
) -> None:
    memory.say(("g", "Austin", 2, GUESS | {"status": "review"} | brought))
    memory.store.episodes = {"e1": ("maya", 3 * DAY), "e2": ("maya", 4 * DAY)}
    for name, (user, moment) in memory.store.episodes.items():
        memory.sql("INSERT INTO episodes VALUES (?, ?, ?, 'said so')", name, user, moment)
    run = memory.night(candidates=[Candidate("city", "Austin", ("e1", "e2"), user_id="maya")])
    promoted = memory.ends()["g"][1]
    gained = ("e1 e2 e9", 3) if brought["evidence"] else ("e1 e2", 2)
    assert (memory.rows()[promoted].evidence, memory.rows()[promoted].confirmations) == gained
    memory.undo(run, "g")
    assert memory.ends()["g"] == ("review", None)
    assert (memory.rows()[promoted].evidence, memory.rows()[promoted].confirmations) == ("e1 e2", 2)


def test_dismissed_where_nothing_holds_it_is_closed_by_what_held_and_not_by_what_ended_before_it_began(
    memory: Memory,
) -> None:
    memory.say(("a", "Boston", 1, {"multi": 1}), ("g", "Austin", 2, GUESS | {"status": "review"}))
    memory.say(("b", "Chicago", 3, {"valid_to": 5 * DAY, "expires_at": 2 * DAY}))
    review.dismiss(memory.path, Settings(), "g", NOW)
    assert memory.ends()["g"] == ("superseded", "a")


def test_a_candidate_that_is_proposed_again_is_held_back_by_the_cap_that_held_back_the_first(memory: Memory) -> None:
    memory.store.max_per_user = 1
    memory.sql("INSERT INTO episodes VALUES ('e1', 'maya', ?, 'said so')", 3 * DAY)
    wishes = [Candidate("seat", value, ("e1",), True, 1, user_id="maya") for value in ("aisle", "window", "window")]
    counted = night_of_steps(memory.path, memory.store, NOW, candidates=wishes)
    assert (counted.skipped, len(memory.rows())) == ({"max_per_user": 2}, 1)


def test_a_fact_whose_id_is_no_text_does_not_end_the_night_of_a_store_without_rowids(tmp_path: Path) -> None:
    memory = Memory(tmp_path, "keyed")
    memory.store.schema = "keyed"
    memory.say(("a\udcff", "window seat", 1, {"multi": 1}), ("b", "the window seat", 2, {"multi": 1}))
    memory.night()
    assert set(memory.ends().values()) == {("active", None)}


def test_of_two_pinned_facts_the_later_held_whoever_said_them(memory: Memory) -> None:
    memory.say(("a", "Boston", 1), ("b", "Austin", 2, GUESS))
    memory.night()
    memory.sql("UPDATE facts SET status = 'active', valid_to = NULL, superseded_by = NULL")
    memory.sql("INSERT INTO consolidation_pins(fact_id) VALUES ('a'), ('b')")
    probe = Probe("maya", "city", expect="Austin", as_of=3 * DAY)
    with closing(connections.open_reader(memory.path)) as db:
        shape = contract.validate(db, memory.path)
        assert [fact.id for fact in Reader(db, memory.path, {}, ("inferred", "user")).as_of("maya", 3 * DAY)] == ["b"]
    with closing(connections.open_reader(memory.path)) as db:
        connections.attach(db, memory.path, "base")
        assert probes.run(db, [probe], now=NOW, settings=Settings(), shape=shape) == []
