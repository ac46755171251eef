"""What waits for a person: listed, shown, accepted, dismissed; while others write and while a run is going on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.night import DAY, NOW, SCHEMA, Finished, Store, at, command

PLUGINS = str(Path(__file__).parent / "plugins")
SEAT = """
[[promote.rules]]
attribute = "seat"
value = "aisle"
pattern = "aisle seat"
"""


@pytest.fixture(params=["DELETE", "WAL"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    """Boston holds by the user's word; a newer guess, Austin, is parked."""
    store = Store(tmp_path / "tenants", journal_mode=request.param)
    store.fact("boston", "Boston", day=1, confirmations=3)
    store.fact("austin", "Austin", day=5, source="inferred", evidence="e1 e2", confirmations=2)
    store.episode("e1", "moved to Austin", day=4)
    store.episode("e2", "likes it in Austin", day=5)
    return store


def ask(store: Store, *arguments: str, now: float = NOW) -> Finished:
    place = ["--root", str(store.root), "--tenant", store.tenant, "--config", str(store.config_path)]
    return command(*arguments, *place, *(() if arguments[0] == "history" else ("--now", str(now))))


def good(store: Store, *arguments: str) -> Any:
    finished = ask(store, *arguments, "--json")
    assert finished.status == 0, finished.err
    return json.loads(finished.out)


def refused(store: Store, *arguments: str) -> str:
    before = store.sql("SELECT * FROM facts")
    finished = ask(store, *arguments)
    assert finished.status == 2 and finished.out == "" and finished.err.count("\n") == 1, finished
    assert [tuple(row) for row in store.sql("SELECT * FROM facts")] == [tuple(row) for row in before]
    return finished.err


def items(store: Store) -> list[dict[str, Any]]:
    found = good(store, "review", "list")["items"]
    assert isinstance(found, list)
    return found


def settled(store: Store) -> None:
    """A further night changes nothing, and nothing is wrong with the store."""
    assert store.good_night()["outcome"] == "unchanged"
    assert ask(store, "check").status == 0, ask(store, "check").out


def test_parked_guess_is_listed_with_what_holds(store: Store) -> None:
    assert items(store) == []
    run = store.good_night()
    (item,) = items(store)
    assert (item["id"], item["kind"], item["user_id"], item["attribute"]) == ("austin", "conflict", "maya", "home_city")
    assert (item["facts"][0]["value"], item["holder"]["value"], item["run_id"]) == ("Austin", "Boston", run["run_id"])
    assert "of a lower source" in item["why"] and item["since"] == NOW
    assert good(store, "review", "list", "--user", "carlos")["items"] == []
    shown = good(store, "review", "show", "austin")
    assert [episode["summary"] for episode in shown["episodes"]] == ["moved to Austin", "likes it in Austin"]
    assert shown["changes"]["austin"][0]["status_after"] == "review"
    text = ask(store, "review", "show", "austin").out
    assert "“Austin” (inferred) ? “Boston” holds (user)" in text and "moved to Austin" in text and "dismiss:" in text


def test_accepted_guess_holds_and_what_held_becomes_history(store: Store) -> None:
    store.good_night()
    answer = good(store, "review", "accept", "austin")
    facts = store.facts()
    fact = facts[answer["fact"]]
    assert (fact["value"], fact["source"], fact["status"], fact["valid_from"]) == ("Austin", "user", "active", at(5))
    assert (fact["evidence"], fact["confirmations"]) == ("e1 e2", 3)
    parked = facts["austin"]
    assert (parked["status"], parked["superseded_by"], parked["valid_to"]) == ("merged", answer["fact"], at(5))
    store.good_night()
    assert store.in_force() == ["Austin"]
    boston = store.facts()["boston"]
    assert (boston["status"], boston["superseded_by"], boston["valid_to"]) == ("superseded", answer["fact"], at(5))
    assert items(store) == []
    settled(store)
    history = ask(store, "history", "--user", "maya", "--attribute", "home_city").out
    assert "review: accepted by a person" in history and answer["run_id"] in history


def test_accepted_guess_begins_after_the_holders_latest_statement(store: Store) -> None:
    store.good_night()
    store.fact("again", "boston", day=8)
    answer = good(store, "review", "accept", "austin")
    begins = store.facts()[answer["fact"]]["valid_from"]
    assert at(8) < begins < at(8) + 0.001
    store.good_night()
    assert store.in_force() == ["Austin"]
    settled(store)


def test_dismissed_guess_is_never_parked_again_on_the_same_evidence(store: Store) -> None:
    store.good_night()
    good(store, "review", "dismiss", "austin")
    austin = store.facts()["austin"]
    assert (austin["status"], austin["superseded_by"], austin["valid_to"]) == (
        "superseded",
        "boston",
        austin["valid_from"],
    )
    settled(store)
    store.fact("guess", "austin.", day=9, source="inferred", evidence="e2")
    store.good_night()
    assert store.status("guess") == ["superseded"] and items(store) == []
    store.fact("news", "Austin", day=10, source="inferred", evidence="e2 e3")
    store.good_night()
    assert [item["id"] for item in items(store)] == ["news"]
    settled(store)


def test_dismissed_promotion_is_not_promoted_again_without_new_evidence(tmp_path: Path) -> None:
    store = Store(tmp_path / "tenants", config=SEAT)
    store.fact("window", "window", day=1, attribute="seat")
    for day in (2, 3):
        store.episode(f"e{day}", "took an aisle seat", day=day)
    store.good_night()
    (item,) = items(store)
    good(store, "review", "dismiss", item["id"])
    store.episode("e4", "took an aisle seat", day=4)
    assert store.good_night()["skipped"]["already_decided"] == 1
    assert items(store) == []
    store.episode("e5", "took an aisle seat", day=5)
    store.good_night()
    assert [again["facts"][0]["value"] for again in items(store)] == ["aisle"]


def test_where_nothing_holds_any_more(store: Store) -> None:
    store.good_night()
    store.sql("UPDATE facts SET status = 'expired', valid_to = ?, expires_at = ? WHERE id = 'boston'", (at(9), at(9)))
    assert items(store)[0]["holder"] is None
    good(store, "review", "dismiss", "austin")
    assert store.facts()["austin"]["superseded_by"] == "boston"
    assert ask(store, "check").status == 0
    store.fact("alone", "Oslo", day=3, attribute="birthplace", status="review", source="inferred")
    good(store, "review", "dismiss", "alone")
    assert store.status("alone") == ["expired"]
    store.fact("other", "Rome", day=3, attribute="birthplace", status="review", source="inferred")
    fact = good(store, "review", "accept", "other")["fact"]
    assert store.facts()[fact]["valid_from"] == at(3)
    store.good_night()
    assert store.in_force(attribute="birthplace") == ["Rome"]
    settled(store)


def test_what_cannot_be_accepted(store: Store) -> None:
    store.good_night()
    assert "Nothing with the id 'nobody' waits" in refused(store, "review", "accept", "nobody")
    assert "Nothing with the id 'boston' waits" in refused(store, "review", "dismiss", "boston")
    assert "Nothing with the id 'boston' waits" in refused(store, "review", "show", "boston")
    good(store, "pin", "boston")
    assert "the value that holds is pinned" in refused(store, "review", "accept", "austin")
    good(store, "unpin", "boston")
    store.tombstone("home_city", "AUSTIN")
    assert "the user asked to forget it" in refused(store, "review", "accept", "austin")
    store.sql("DELETE FROM tombstones")
    store.sql("UPDATE facts SET expires_at = ? WHERE id = 'austin'", (NOW - DAY,))
    assert "its expiry date has passed" in refused(store, "review", "accept", "austin")
    store.sql("UPDATE facts SET expires_at = NULL, valid_from = 'later' WHERE id = 'austin'")
    assert "does not say since when" in refused(store, "review", "accept", "austin")


def test_works_while_the_application_writes(store: Store) -> None:
    store.good_night()
    reader = store.connect()
    reader.execute("SELECT * FROM facts").fetchone()
    good(store, "review", "accept", "austin")
    assert reader.execute("SELECT count(*) FROM facts WHERE value = 'Austin'").fetchone()[0] == 2
    reader.execute("UPDATE facts SET confirmations = 9 WHERE id = 'boston'")
    reader.close()
    assert store.facts()["boston"]["confirmations"] == 9
    busy = store.connect()
    busy.execute("BEGIN IMMEDIATE")
    store.config = "[swap]\nlock_timeout = 0.2\n"
    finished = ask(store, "pin", "boston")
    busy.execute("ROLLBACK")
    busy.close()
    assert finished.status == 75 and "locked" in finished.err


@pytest.mark.parametrize("mode", ["auto", "in-place"])
def test_decisions_made_during_a_run_are_kept(tmp_path: Path, mode: str) -> None:
    store = Store(tmp_path / "tenants", config=f'[steps]\nextra = ["decider:decide_once"]\n[swap]\nmode = "{mode}"\n')
    for name in ("boston", "austin"):
        store.fact(name, name, day=1 + (name == "austin") * 4, source="user" if name == "boston" else "inferred")
    store.fact("tea", "tea", day=1, attribute="drink", multi=1)
    store.fact("oslo", "Oslo", day=1, user="ines")
    store.fact("rome", "Rome", day=2, user="ines", source="inferred")
    store.config += "[verify]\nmax_shrink = 1.0\n"
    assert command("nightly", "--root", str(store.root), "--tenant", "acme", "--light", "--now", str(NOW)).status == 0
    store.fact("paris", "Paris", day=6, user="ines")
    place = ["--root", str(store.root), "--tenant", "acme", "--now", str(NOW)]
    orders = [["pin", "tea", *place], ["review", "dismiss", "austin", *place], ["pin", "paris", *place]]
    finished = store.night(env={"PYTHONPATH": PLUGINS, "DECISIONS": json.dumps(orders), "LATE_STORE": str(store.path)})
    assert finished.status == 0, finished.out + finished.err
    assert finished.run["outcome"] == "swapped"
    assert store.status("austin", "oslo") == ["superseded", "superseded"]
    assert [row[0] for row in store.sql("SELECT fact_id FROM consolidation_pins ORDER BY 1")] == ["paris", "tea"]
    assert [tuple(row) for row in store.sql("SELECT fact_id, decision FROM consolidation_decisions")] == [
        ("austin", "dismissed")
    ]
    kinds = [row[0] for row in store.sql("SELECT kind FROM consolidation_runs ORDER BY kind")]
    assert kinds == ["light", "night", "pin", "pin", "review"]


def test_triggers_of_the_application_see_decisions_and_may_not_spoil_them(tmp_path: Path) -> None:
    schema = (
        SCHEMA
        + """CREATE TABLE seen(id TEXT, status TEXT);
        CREATE TRIGGER told AFTER UPDATE ON facts BEGIN INSERT INTO seen VALUES (new.id, new.status); END;"""
    )
    store = Store(tmp_path / "tenants", schema=schema)
    store.fact("boston", "Boston", day=1)
    store.fact("austin", "Austin", day=5, source="inferred", status="review")
    good(store, "review", "dismiss", "austin")
    assert [tuple(row) for row in store.sql("SELECT * FROM seen")] == [("austin", "superseded")]
    store.fact("rome", "Rome", day=6, source="inferred", status="review")
    store.script("CREATE TRIGGER stubborn BEFORE UPDATE ON facts BEGIN SELECT RAISE(IGNORE); END;")
    finished = ask(store, "review", "dismiss", "rome")
    assert finished.status == 74 and "A trigger of" in finished.err
    assert store.status("rome") == ["review"] and len(store.sql("SELECT * FROM consolidation_decisions")) == 1
