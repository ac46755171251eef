"""A rollback takes back what the job did, keeps what the application wrote since, and is not undone by the next night."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.night import DAY, MUTABLE, NOW, SCHEMA, Store, ask, at, command, images, quiet_nights, rows_of
from tests.writers import Client

AISLE = """
[[promote.rules]]
attribute = "seat"
value = "aisle"
pattern = "aisle seat"
"""


@pytest.fixture(params=["DELETE rename", "DELETE in-place", "WAL rename", "WAL in-place"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    journal, way = request.param.split()
    return Store(tmp_path / "tenants", journal_mode=journal, config=f'{AISLE}[swap]\nmode = "{way}"\n')


@pytest.fixture
def plain(tmp_path: Path) -> Store:
    return Store(tmp_path / "tenants", config=AISLE)


def roll_back(store: Store, *arguments: str, outcome: str = "swapped", status: int = 0) -> Any:
    finished = ask(store, "rollback", "--json", *(("--yes",) if "--dry-run" not in arguments else ()), *arguments)
    assert finished.status == status, finished.out + finished.err
    (found,) = json.loads(finished.out)["rollbacks"]
    assert found["outcome"] == outcome, found
    return found


def a_busy_night(store: Store) -> tuple[dict[str, tuple[Any, ...]], dict[str, Any]]:
    """Make a night that does something of everything; return the facts before it, and the run."""
    store.fact("boston", "Boston", day=1, confirmations=2, evidence="e1")
    store.fact("again", " boston", day=2, confirmations=3, evidence="e2")
    store.fact("austin", "Austin", day=3)
    store.fact("guess", "Rome", day=4, source="inferred")
    store.fact("lapsed", "vegan", day=1, attribute="diet", expires_at=at(5))
    store.fact("tea", "tea", day=1, attribute="drink", multi=1)
    store.fact("teas", "Tea", day=2, attribute="drink", multi=1)
    for number in (1, 2):
        store.episode(f"ep{number}", "she asked for an aisle seat", day=number)
    before = images(store)
    run = store.good_night()
    assert run["actions"] == {"expire": 1, "merge": 2, "supersede": 1, "promote": 1, "review": 1}
    return before, run


def promoted(store: Store) -> str:
    ((id,),) = [tuple(row) for row in store.sql("SELECT id FROM facts WHERE attribute = 'seat'")]
    return str(id)


def test_a_night_is_taken_back_and_not_taken_again(store: Store) -> None:
    before, run = a_busy_night(store)
    after = images(store)
    found = roll_back(store)
    assert images(store) == before
    assert found["undone"] == [run["run_id"]]
    assert (found["restored"], found["deleted"], found["stays"]) == (6, 1, {})
    kept = store.path.with_name(found["kept_file"])
    assert kept.name == f"memory.db.undone-{found['run_id']}"
    selected = f"SELECT id, {', '.join(MUTABLE)} FROM facts"
    assert {row[0]: tuple(row[1:]) for row in rows_of(kept, selected)} == after
    quiet_nights(store)
    left = {path.name for path in store.path.parent.iterdir()}
    assert {name for name in left if not name.endswith(("-wal", "-shm"))} == {  # this test read the kept file
        "memory.db", "memory.db.lock", "memory.db.runs.jsonl", "memory.db.state.json", run["pre"], kept.name,
    }  # fmt: skip


def test_repeating_it_changes_nothing(store: Store) -> None:
    _, run = a_busy_night(store)
    roll_back(store)
    content = store.path.read_bytes()
    for arguments in ((), ("--run", run["run_id"])):
        found = roll_back(store, *arguments, outcome="unchanged")
        assert (found["undone"], found["kept_file"], found["swap"]) == ([], None, None)
    assert store.path.read_bytes() == content


def test_what_the_application_wrote_since_stays(store: Store) -> None:
    before, _ = a_busy_night(store)
    store.fact("day", "Oslo", day=30.1, attribute="work_city")
    store.episode("ep9", "she moved", day=30.1)
    store.sql("UPDATE facts SET value = 'Austin, Texas', confirmations = 9 WHERE id = 'austin'")
    store.sql("UPDATE facts SET status = 'active', valid_to = NULL WHERE id = 'lapsed'")
    store.sql("UPDATE facts SET confirmations = 50 WHERE id = 'tea'")
    store.sql("DELETE FROM facts WHERE id = 'again'")
    found = roll_back(store)
    facts = store.facts()
    assert "again" not in facts and facts["day"]["value"] == "Oslo"
    assert (facts["austin"]["value"], facts["austin"]["confirmations"]) == ("Austin, Texas", 9)
    assert (facts["lapsed"]["status"], facts["lapsed"]["valid_to"]) == ("active", None)
    assert (facts["tea"]["confirmations"], facts["tea"]["evidence"]) == (50, before["tea"][3])
    assert images(store)["boston"] == before["boston"] and images(store)["guess"] == before["guess"]
    assert [row["id"] for row in store.sql("SELECT id FROM episodes ORDER BY id")] == ["ep1", "ep2", "ep9"]
    assert found["stays"] == {"deleted": 1, "edited_columns": 2}


EDITS = {
    "value": "UPDATE facts SET value = 'Aisle' WHERE attribute = 'seat'",
    "expiry": "UPDATE facts SET expires_at = 9e9 WHERE attribute = 'seat'",
    "confirmations": "UPDATE facts SET confirmations = 7 WHERE attribute = 'seat'",
    "own column": "UPDATE facts SET starred = 1 WHERE attribute = 'seat'",
    "own column without default": "UPDATE facts SET note = '' WHERE attribute = 'seat'",
}


@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize("trigger", ["", "CREATE TRIGGER t AFTER UPDATE OF status ON facts BEGIN SELECT 1; END;"])
def test_an_edited_promoted_fact_stays(tmp_path: Path, edit: str, trigger: str) -> None:
    schema = SCHEMA.replace("confirmations INTEGER)", "confirmations INTEGER, starred REAL DEFAULT 0, note TEXT)")
    store = Store(tmp_path / "tenants", config=AISLE, schema=schema + trigger)
    a_busy_night(store)
    store.sql(EDITS[edit])
    edited = tuple(store.facts()[promoted(store)])
    found = roll_back(store)
    assert (found["deleted"], found["stays"]) == (0, {"edited": 1})
    assert tuple(store.facts()[promoted(store)]) == edited


def test_an_id_that_the_application_used_again_is_another_fact(plain: Store) -> None:
    a_busy_night(plain)
    plain.sql("UPDATE facts SET user_id = 'tom', value = 'cocoa' WHERE id = 'tea'")  # as deleting and inserting would
    again = tuple(plain.facts()["tea"])
    roll_back(plain)
    assert tuple(plain.facts()["tea"]) == again


def test_a_pinned_promoted_fact_stays(plain: Store) -> None:
    a_busy_night(plain)
    assert ask(plain, "pin", promoted(plain)).status == 0
    assert roll_back(plain)["stays"] == {"edited": 1}
    assert ask(plain, "check").status == 0


def test_a_promoted_fact_that_others_refer_to_stays(tmp_path: Path) -> None:
    schema = f"{SCHEMA} CREATE TABLE vectors(fact TEXT REFERENCES facts(id) ON DELETE CASCADE, v BLOB);"
    store = Store(tmp_path / "tenants", config=AISLE, schema=schema)
    a_busy_night(store)
    store.sql("INSERT INTO vectors VALUES (?, x'00')", (promoted(store),))
    assert roll_back(store)["stays"] == {"referenced": 1}
    assert store.sql("SELECT count(*) FROM vectors")[0][0] == 1
    assert ask(store, "check").status == 0


def test_a_promoted_fact_that_holds_another_stays(plain: Store) -> None:
    plain.config = AISLE.replace('"aisle seat"', '"aisle seat"\nmulti = false')
    a_busy_night(plain)
    holder = promoted(plain)
    guess = plain.fact("window", "window", day=3, attribute="seat", source="inferred")
    ended = "UPDATE facts SET status = 'superseded', superseded_by = ?, valid_to = ? WHERE id = ?"
    plain.sql(ended, (holder, at(3), guess))
    assert roll_back(plain)["stays"] == {"referenced": 1}
    assert ask(plain, "check").status == 0


@pytest.mark.parametrize("tombstone", [("diet2", None), ("drink", "TEA"), (None, None)])
def test_what_was_forgotten_since_does_not_come_back(plain: Store, tombstone: tuple[str | None, str | None]) -> None:
    a_busy_night(plain)
    plain.sql("DELETE FROM facts WHERE id = 'tea'")  # the application forgets what it sees
    plain.tombstone(*tombstone)
    roll_back(plain)
    expected = [] if tombstone[0] in ("drink", None) else ["Tea"]
    assert plain.in_force(attribute="drink") == expected
    assert "boston" in plain.facts()
    assert plain.in_force() == (["Austin"] if tombstone[0] is None else plain.in_force())


def test_a_successor_that_was_deleted_is_not_pointed_to(plain: Store) -> None:
    plain.fact("oslo", "Oslo", day=1)
    plain.fact("kyiv", "Kyiv", day=9)
    plain.good_night(now=NOW - DAY)
    plain.fact("bern", "Bern", day=5)  # says late what lay between: oslo is linked to it
    run = plain.good_night()
    assert plain.facts()["oslo"]["superseded_by"] == "bern"
    plain.sql("DELETE FROM facts WHERE id = 'kyiv'")
    assert roll_back(plain, "--run", run["run_id"])["stays"]["successor_gone"] == 1
    assert plain.facts()["oslo"]["superseded_by"] == "bern"
    assert ask(plain, "check").status == 0


def test_an_earlier_run_takes_the_later_ones_along(store: Store) -> None:
    before, first = a_busy_night(store)
    store.fact("paris", "Paris", day=30.5)
    second = store.good_night(now=NOW + DAY)
    store.fact("rome", "Rome", day=31.5)
    third = store.good_night(now=NOW + 2 * DAY)
    assert store.in_force(now=NOW + 2 * DAY) == ["Rome"]
    found = roll_back(store, "--run", second["run_id"])
    assert found["undone"] == [third["run_id"], second["run_id"]]
    assert store.in_force(now=NOW + 2 * DAY) == ["Austin", "Paris", "Rome"]
    assert roll_back(store, "--run", first["run_id"])["undone"] == [first["run_id"]]
    found_images = images(store)
    assert {id: found_images[id] for id in before} == before


def test_what_people_decided_since_stays(store: Store) -> None:
    before, _ = a_busy_night(store)
    assert ask(store, "review", "accept", "guess").status == 0
    roll_back(store)
    facts = store.facts()
    assert facts["guess"]["status"] == "merged"
    accepted = facts[facts["guess"]["superseded_by"]]
    assert (accepted["value"], accepted["source"]) == ("Rome", "user")
    assert images(store)["boston"] == before["boston"]
    assert ask(store, "check").status == 0


def test_what_is_said_later_closes_what_came_back(store: Store) -> None:
    store.fact("boston", "Boston", day=1)
    store.fact("austin", "Austin", day=3)
    store.good_night()
    store.fact("paris", "Paris", day=30.5)
    roll_back(store)
    assert store.in_force(now=NOW + DAY) == ["Austin", "Boston", "Paris"]
    store.good_night(now=NOW + DAY)
    assert store.in_force(now=NOW + DAY) == ["Paris"]


def test_lifting_it_lets_the_next_night_decide_again(plain: Store) -> None:
    plain.fact("boston", "Boston", day=1)
    plain.fact("austin", "Austin", day=3)
    plain.good_night()
    found = roll_back(plain)
    assert ask(plain, "undo", found["run_id"]).status == 0
    plain.good_night()
    assert plain.in_force() == ["Austin"]


def test_triggers_see_every_change(tmp_path: Path) -> None:
    for way in ("rename", "in-place"):
        schema = f"""{SCHEMA} CREATE TABLE audit(event TEXT);
            CREATE TRIGGER u AFTER UPDATE ON facts BEGIN INSERT INTO audit VALUES ('update ' || new.id); END;
            CREATE TRIGGER d AFTER DELETE ON facts BEGIN INSERT INTO audit VALUES ('delete ' || old.attribute); END;"""
        store = Store(tmp_path / way, config=f'{AISLE}[swap]\nmode = "{way}"\n', schema=schema)
        before, _ = a_busy_night(store)
        store.sql("DELETE FROM audit")
        assert roll_back(store)["swap"] == way
        assert images(store) == before
        told = [row["event"] for row in store.sql("SELECT event FROM audit ORDER BY event")]
        changed = ("again", "boston", "guess", "lapsed", "tea", "teas")
        assert told == ["delete seat", *(f"update {id}" for id in changed)]


def test_a_dry_run_says_what_comes_back_and_leaves_no_trace(store: Store) -> None:
    _, run = a_busy_night(store)
    store.fact("day", "Oslo", day=30.1, attribute="work_city")
    store.sql("UPDATE facts SET confirmations = 50 WHERE id = 'tea'")
    before = store.files()
    found = roll_back(store, "--dry-run", outcome="planned")
    assert store.files() == before
    told = "\n".join(found["plan"])
    assert f"Undoes the run {run['run_id']}" in told
    assert "maya, home_city [boston]: “Boston” is active again" in told
    assert "“aisle” goes (rolled back: promote of run" in told
    assert "facts: 1 new" in told
    assert "edited since in part" in told
    finished = ask(store, "rollback", "--dry-run")
    assert finished.status == 0 and "“Boston” is active again" in finished.out
    assert store.files() == before


def test_it_is_not_made_unasked(plain: Store) -> None:
    a_busy_night(plain)
    before = plain.files()
    for arguments in ((), ("--json",)):
        finished = ask(plain, "rollback", *arguments)
        assert finished.status == 2 and "--yes" in finished.err
    assert plain.files() == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--run", "20200101T000000Z-abcdef"), "knows no run"),
        (("--run", "PIN"), "not one of the job's"),
        (("--night", "yesterday"), "is no date"),
        (("--all",), "not clear which"),
        (("--night", "2026-03-01", "--run", "x"), "A run is one tenant's"),
    ],
)
def test_a_wrong_request_is_a_clear_error(plain: Store, arguments: tuple[str, ...], message: str) -> None:
    a_busy_night(plain)
    assert ask(plain, "pin", "austin").status == 0
    ((pin,),) = rows_of(plain.path, "SELECT run_id FROM consolidation_runs WHERE kind = 'pin'")
    before = plain.files()
    finished = ask(plain, "rollback", "--yes", *(pin if word == "PIN" else word for word in arguments))
    assert finished.status == 2 and message in finished.err, finished.err
    assert plain.files() == before


def test_a_store_without_runs_has_nothing_to_roll_back(plain: Store) -> None:
    plain.fact("boston", "Boston", day=1)
    before = plain.sql("SELECT * FROM sqlite_master")
    assert roll_back(plain, outcome="unchanged")["undone"] == []
    assert [tuple(row) for row in plain.sql("SELECT * FROM sqlite_master")] == [tuple(row) for row in before]


def test_all_tenants_of_one_night(tmp_path: Path) -> None:
    stores = [Store(tmp_path / "tenants", tenant=name) for name in ("a", "b", "c")]
    for store in stores:
        store.fact("boston", "Boston", day=1)
        store.fact("austin", "Austin", day=3)
    for store, day in zip(stores, (0, 0, 2), strict=True):
        store.good_night(now=NOW + day * DAY)
    night = "2026-05-28"  # of NOW
    finished = command("rollback", "--root", str(tmp_path / "tenants"), "--all", "--night", night, "--yes", "--json")
    assert finished.status == 0, finished.err
    found = {item["tenant"]: item["outcome"] for item in json.loads(finished.out)["rollbacks"]}
    assert found == {"a": "swapped", "b": "swapped", "c": "unchanged"}
    assert [sorted(store.in_force()) for store in stores] == [["Austin", "Boston"], ["Austin", "Boston"], ["Austin"]]


def test_a_store_in_use_stays_as_it_is(plain: Store) -> None:
    a_busy_night(plain)
    plain.config += "[swap]\nlock_timeout = 0.1\n"
    before = plain.path.read_bytes()
    with Client(plain.path) as reader:
        reader.sql("BEGIN")
        reader.sql("SELECT count(*) FROM facts")
        found = roll_back(plain, outcome="busy", status=75)
    assert "memory.db" in found["error"] and found["kept_file"] is None
    assert plain.path.read_bytes() == before
    assert not [path.name for path in plain.path.parent.iterdir() if "undone" in path.name or "shadow" in path.name]
    roll_back(plain)


def test_the_history_and_status_tell_of_it(plain: Store) -> None:
    _, run = a_busy_night(plain)
    found = roll_back(plain)
    told = ask(plain, "history", "--user", "maya", "--attribute", "home_city").out
    assert f"rollback: rolled back: merge of run {run['run_id']}" in told
    last = json.loads(plain.path.with_name("memory.db.runs.jsonl").read_text().splitlines()[-1])
    assert (last["kind"], last["undone"], last["run_id"]) == ("rollback", [run["run_id"]], found["run_id"])
    finished = command("status", "--root", str(plain.root), "--tenant", "acme", "--now", str(NOW + 2))
    assert "(rollback)" in finished.out and "Traceback" not in finished.err


def test_summarisers_are_asked_again(plain: Store) -> None:
    a_busy_night(plain)
    assert plain.path.with_name("memory.db.state.json").exists()
    roll_back(plain)
    assert not plain.path.with_name("memory.db.state.json").exists()
    assert plain.good_night()["skipped"]["already_decided"] == 1


def test_what_others_write_meanwhile_is_taken_in(plain: Store) -> None:
    """A writer is in the way until the first look is over; the rollback is made again on what it wrote."""
    a_busy_night(plain)
    program = """
import sqlite3, sys
db = sqlite3.connect(sys.argv[1], timeout=30, isolation_level=None)
print("begun", flush=True)
for number in range(200):
    db.execute("INSERT INTO episodes VALUES (?, 'u', 1.0, 'x')", (f"late{number}",))
"""
    with subprocess.Popen([sys.executable, "-c", program, str(plain.path)], stdout=subprocess.PIPE) as writer:
        assert writer.stdout is not None and writer.stdout.readline()
        found = roll_back(plain)
        assert writer.wait() == 0
    assert found["swap"] is not None
    assert plain.sql("SELECT count(*) FROM episodes WHERE user_id = 'u'")[0][0] == 200
    assert plain.status("boston", "tea") == ["active", "active"]
