"""The application's API against real files: what it writes is plain SQL, what it answers are DESIGN's words."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
import pytest

from consolidate.errors import BusyError, DataError, NotAStoreError, StorageError
from consolidate.store.contract import SCHEMA
from consolidate.store.memory import Memory
from consolidate.store.reading import Fact
from tests.conftest import MakeStore

NOW = 1_000.0

Query = Callable[..., list[tuple[Any, ...]]]


def at(moment: float) -> Callable[[], float]:
    return lambda: moment


def values(facts: list[Fact]) -> list[Any]:
    return [fact.value for fact in facts]


@pytest.mark.parametrize("journal", ["delete", "wal"])
def test_what_the_api_writes_is_what_plain_sql_reads(make_store: MakeStore, query: Query, journal: str) -> None:
    path = make_store(pragmas=[f"journal_mode={journal}"])
    with Memory.open(path, clock=at(NOW)) as memory:
        stated = memory.remember("maya", "home_city", "Zürich\0 東京")
        guessed = memory.remember(
            "maya",
            "likes",
            "tea",
            multi=True,
            source="inferred",
            valid_from=5,
            expires_at=9.5,
            evidence=["e1", "e2"],
            id="mine",
        )
        talk = memory.record_episode("maya", "spoke of tea")
        memory.record_episode("maya", "spoke of trains", 7.5, "e2")
    assert guessed == "mine"
    assert query(path, "SELECT * FROM facts ORDER BY rowid") == [
        (stated, "maya", "home_city", "Zürich\0 東京", 0, "user", NOW, None, None, "active", None, "", 1),
        ("mine", "maya", "likes", "tea", 1, "inferred", 5.0, None, 9.5, "active", None, "e1 e2", 1),
    ]
    assert query(path, "SELECT * FROM episodes ORDER BY rowid") == [
        (talk, "maya", NOW, "spoke of tea"),
        ("e2", "maya", 7.5, "spoke of trains"),
    ]
    assert query(path, "PRAGMA journal_mode") == [(journal,)]


@pytest.mark.parametrize(
    ("arguments", "row"),
    [
        (("maya",), ("maya", "", None)),
        (("maya", "home_city"), ("maya", "home_city", None)),
        (("maya", "home_city", "Boston"), ("maya", "home_city", "Boston")),
    ],
)
def test_forgetting_writes_a_tombstone(
    make_store: MakeStore, query: Query, arguments: tuple[str, ...], row: tuple[Any, ...]
) -> None:
    path = make_store(facts=[{"user_id": "maya", "attribute": "home_city", "value": "Boston"}])
    with Memory.open(path) as memory:
        memory.forget(*arguments)
    assert query(path, "SELECT * FROM tombstones") == [row]
    assert query(path, "SELECT status FROM facts") == [("active",)]


def test_only_create_makes_a_store(tmp_path: Path, query: Query) -> None:
    path = tmp_path / "memory.db"
    with pytest.raises(StorageError, match=r"memory\.db cannot be opened"):
        Memory.open(path)
    assert not path.exists()
    with Memory.open(path, create=True) as memory:
        memory.remember("maya", "home_city", "Boston", id="f1")
    with Memory.open(str(path), create=True) as memory:
        assert values(memory.in_force("maya")) == ["Boston"]
    assert query(path, "SELECT id FROM facts") == [("f1",)]


@pytest.mark.parametrize("create", [False, True])
@pytest.mark.parametrize("schema", ["CREATE TABLE notes(text TEXT)", SCHEMA.replace("attribute", "property")])
def test_a_file_that_is_no_store_is_refused_and_left_as_it_is(make_store: MakeStore, schema: str, create: bool) -> None:
    path = make_store(schema=schema)
    before = path.read_bytes()
    with pytest.raises(NotAStoreError, match=r"memory\.db is not a store: "):
        Memory.open(path, create=create)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"value": "half \ud800"}, "value holds half of a surrogate pair"),
        ({"user": None}, "user_id is null"),
        ({"attribute": 5}, "attribute must be text"),
        ({"value": b"bytes"}, "value must be text"),
        ({"multi": 2}, "multi must be 0 or 1"),
        ({"valid_from": float("nan")}, "valid_from must be Unix seconds"),
        ({"valid_from": 1_700_000_000_000_000}, "valid_from must be Unix seconds"),
        ({"expires_at": "tomorrow"}, "expires_at must be a number"),
        ({"evidence": ["e1 e2"]}, "ids of episodes without spaces"),
        ({"evidence": [1]}, "ids of episodes without spaces"),
        ({"id": "taken"}, "UNIQUE constraint failed"),
    ],
)
def test_what_cannot_be_stored_is_refused(
    make_store: MakeStore, query: Query, changes: dict[str, Any], reason: str
) -> None:
    path = make_store(facts=[{"id": "taken", "user_id": "maya", "attribute": "home_city", "value": "Boston"}])
    arguments = {"user": "maya", "attribute": "home_city", "value": "Austin", **changes}
    with Memory.open(path) as memory, pytest.raises(DataError, match=reason):
        memory.remember(**arguments)
    assert query(path, "SELECT value FROM facts") == [("Boston",)]


def test_a_value_cannot_be_forgotten_without_its_attribute(make_store: MakeStore, query: Query) -> None:
    path = make_store()
    with Memory.open(path) as memory, pytest.raises(DataError, match="needs its attribute"):
        memory.forget("maya", value="Boston")
    assert query(path, "SELECT count(*) FROM tombstones") == [(0,)]


@pytest.mark.parametrize("journal", ["delete", "wal"])
def test_a_locked_store_is_busy_and_works_afterwards(make_store: MakeStore, journal: str) -> None:
    path = make_store(pragmas=[f"journal_mode={journal}"])
    with Memory.open(path, busy_timeout=0.0) as memory, closing(apsw.Connection(str(path))) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(BusyError, match="locked"):
            memory.remember("maya", "home_city", "Boston")
        assert memory.in_force("maya") == []
        other.execute(
            "INSERT INTO facts(id, user_id, attribute, value, valid_from, status) VALUES (1, 'maya', 'a', 'x', 0, 'active')"
        )
        other.execute("COMMIT")
        memory.remember("maya", "home_city", "Boston")
        assert values(memory.in_force("maya")) == ["x", "Boston"]


IN_FORCE: list[tuple[dict[str, Any], bool]] = [
    ({}, True),
    ({"valid_from": NOW}, True),
    ({"valid_from": NOW + 1}, False),
    ({"valid_to": NOW + 1}, False),
    ({"expires_at": NOW + 1}, True),
    ({"expires_at": NOW}, False),
    ({"status": "review"}, False),
    ({"status": "superseded", "valid_to": NOW + 1}, False),
    ({"valid_from": None}, False),
    ({"valid_from": "long ago"}, False),
    ({"valid_from": b"\0"}, False),
    ({"valid_from": float("-inf")}, True),
]


@pytest.mark.parametrize(("columns", "expected"), IN_FORCE)
def test_in_force(make_store: MakeStore, columns: dict[str, Any], expected: bool) -> None:
    path = make_store(facts=[{"user_id": "maya", "attribute": "home_city", "value": "Boston", **columns}])
    with Memory.open(path, clock=at(NOW)) as memory:
        assert values(memory.in_force("maya")) == (["Boston"] if expected else [])
        assert values(memory.in_force("maya", NOW)) == values(memory.in_force("maya"))


HELD: list[tuple[dict[str, Any], bool]] = [
    ({}, True),
    ({"valid_to": NOW}, False),
    ({"valid_to": NOW + 1}, True),
    ({"expires_at": NOW + 1}, True),
    ({"expires_at": NOW}, False),
    ({"status": "superseded", "valid_to": NOW + 1}, True),
    ({"status": "merged", "valid_to": NOW + 1}, True),
    ({"status": "expired", "valid_to": NOW + 1, "expires_at": 5.0}, True),
    ({"status": "superseded", "valid_to": NOW}, False),
    ({"status": "superseded"}, False),
    ({"status": "superseded", "valid_to": "later"}, False),
    ({"status": "review"}, False),
    ({"status": "archived", "valid_to": NOW + 1}, False),
    ({"valid_from": "long ago"}, False),
]


@pytest.mark.parametrize(("columns", "expected"), HELD)
@pytest.mark.parametrize("multi", [0, 1])
def test_what_held(make_store: MakeStore, columns: dict[str, Any], expected: bool, multi: int) -> None:
    fact = {
        "user_id": "maya",
        "attribute": "home_city",
        "value": "Boston",
        "multi": multi,
        "valid_from": 10.0,
        **columns,
    }
    path = make_store(facts=[fact])
    with Memory.open(path) as memory:
        assert values(memory.as_of("maya", NOW)) == (["Boston"] if expected else [])
        assert memory.as_of("maya", 9.0) == []
        [entry] = memory.history("maya", "home_city")
        window = entry.fact.window
        assert (window is not None and window[0] <= NOW and (window[1] is None or window[1] > NOW)) is expected


def city(value: str, valid_from: float, **columns: Any) -> dict[str, Any]:
    return {"user_id": "maya", "attribute": "home_city", "value": value, "valid_from": valid_from, **columns}


def test_of_several_windows_rank_counts_then_the_latest_beginning_then_the_row(make_store: MakeStore) -> None:
    path = make_store(
        facts=[
            city("Boston", 1.0, status="superseded", valid_to=5.0),
            city("Lyon", 4.0),
            city("Austin", 3.0),
            city("guess", 4.5, source="inferred"),
            city("Oslo", 4.0),
        ]
    )
    with Memory.open(path) as memory:
        assert [values(memory.as_of("maya", when)) for when in (0, 1, 3, 4, 5)] == [
            [],
            ["Boston"],
            ["Austin"],
            ["Oslo"],
            ["Oslo"],
        ]
        assert len(memory.in_force("maya", 5)) == 4
    with Memory.open(path, rank=["user", "inferred"]) as memory:
        assert values(memory.as_of("maya", 5)) == ["guess"]


def test_a_pinned_fact_answers_while_it_is_active(make_store: MakeStore, query: Query) -> None:
    path = make_store(facts=[city("Boston", 1.0, id="f1"), city("Austin", 3.0, id="f2")])
    query(path, "CREATE TABLE consolidation_meta(key TEXT PRIMARY KEY, value)")
    query(path, "INSERT INTO consolidation_meta VALUES ('version', 1)")
    query(path, "CREATE TABLE consolidation_pins(fact_id TEXT PRIMARY KEY, user_id, pinned_at REAL)")
    query(path, "INSERT INTO consolidation_pins VALUES ('f1', 'maya', 2.0)")
    with Memory.open(path) as memory:
        assert values(memory.as_of("maya", 5)) == ["Boston"]
        query(path, "UPDATE facts SET status = 'superseded', valid_to = 9 WHERE id = 'f1'")
        assert values(memory.as_of("maya", 5)) == ["Austin"]


def test_an_attribute_is_one_valued_by_the_configuration_or_else_by_all_its_rows(make_store: MakeStore) -> None:
    rows = [city("Boston", 1.0), city("Austin", 2.0)]
    old = city("Lyon", 0.0, status="superseded", valid_to=0.0, multi=1)
    mixed, plain = make_store("mixed", facts=[*rows, old]), make_store("plain", facts=rows)
    with Memory.open(mixed) as memory:
        assert values(memory.as_of("maya", 5)) == ["Boston", "Austin"]
    with Memory.open(mixed, attributes={"home_city": "single"}) as memory:
        assert values(memory.as_of("maya", 5)) == ["Austin"]
    with Memory.open(plain, attributes={"home_city": "multi"}) as memory:
        assert values(memory.as_of("maya", 5)) == ["Boston", "Austin"]


def test_users_and_attributes_compare_exactly(make_store: MakeStore) -> None:
    schema = SCHEMA.replace(
        "user_id TEXT, attribute TEXT", "user_id TEXT COLLATE NOCASE, attribute TEXT COLLATE NOCASE"
    )
    rows = [
        city("Boston", 1.0),
        {**city("Austin", 2.0), "user_id": "Maya"},
        {**city("Oslo", 3.0), "attribute": "HOME_CITY"},
    ]
    with Memory.open(make_store(facts=rows, schema=schema)) as memory:
        assert values(memory.in_force("maya", 5)) == ["Oslo", "Boston"]
        assert values(memory.as_of("maya", 5)) == ["Oslo", "Boston"]
        assert values(memory.in_force("Maya", 5)) == ["Austin"]
        assert values([entry.fact for entry in memory.history("maya", "home_city")]) == ["Boston"]


@pytest.mark.parametrize("encoding", ["UTF-8", "UTF-16le", "UTF-16be"])
def test_dirt_is_read_as_it_is(make_store: MakeStore, query: Query, encoding: str) -> None:
    path = make_store(facts=[city("Zürich", 1.0)], pragmas=[f"encoding='{encoding}'"])
    undecodable = b"\xff" if encoding == "UTF-8" else b"\0\xd8" if encoding == "UTF-16le" else b"\xd8\0"
    for place in (2, 3):
        query(
            path,
            f"INSERT INTO facts SELECT 'dirt{place}', user_id, attribute, ?, multi, NULL, {place}, NULL, 9e999, "
            "status, NULL, x'00', 'many' FROM facts LIMIT 1",
            undecodable,
        )
    query(path, "UPDATE facts SET value = CAST(value AS TEXT) WHERE id = 'dirt2'")
    with Memory.open(path, attributes={"home_city": "multi"}) as memory:
        clean, text, blob = memory.in_force("maya", 9)
        assert values(memory.as_of("maya", 9)) == ["Zürich", undecodable, undecodable]
    assert clean.value == "Zürich"
    assert (text.as_json()["value"], blob.as_json()["value"]) == (
        {"$bytes": undecodable.hex()},
        {"$blob": undecodable.hex()},
    )
    assert (text.expires_at, text.evidence, text.confirmations, text.source) == (float("inf"), b"\0", "many", None)
    assert text.as_json()["expires_at"] == {"$real": "inf"}


def test_a_table_without_rowid_is_read(make_store: MakeStore) -> None:
    schema = SCHEMA.replace("confirmations INTEGER);", "confirmations INTEGER) WITHOUT ROWID;")
    with Memory.open(make_store(schema=schema, facts=[city("Boston", 1.0), city("Austin", 1.0)])) as memory:
        assert values(memory.as_of("maya", 5)) == ["Austin"]


def test_history_tells_why(make_store: MakeStore, query: Query) -> None:
    path = make_store(
        facts=[
            city("Austin", 3.0, id="f2"),
            city("Boston", 1.0, id="f1", status="superseded", superseded_by="f2", valid_to=3.0),
        ]
    )
    with Memory.open(path) as memory:
        assert [entry.changes for entry in memory.history("maya", "home_city")] == [(), ()]
    query(path, "CREATE TABLE consolidation_meta(key TEXT PRIMARY KEY, value)")
    query(path, "INSERT INTO consolidation_meta VALUES ('version', 1)")
    query(path, "CREATE TABLE consolidation_runs(run_id TEXT PRIMARY KEY, now REAL, kind TEXT, record TEXT)")
    query(path, "CREATE TABLE consolidation_actions(run_id, seq, step, fact_id, reason, before_status, after_status)")
    query(path, "INSERT INTO consolidation_runs VALUES ('r1', 4.0, 'night', '{}')")
    for row in (
        ("r2", 1, "review", "f1", "seen", None, None),
        ("r1", 2, "supersede", "f1", "newer", "active", "superseded"),
    ):
        query(path, "INSERT INTO consolidation_actions VALUES (?, ?, ?, ?, ?, ?, ?)", *row)
    with Memory.open(path) as memory:
        boston, austin = memory.history("maya", "home_city")
    assert (boston.fact.value, boston.fact.window, boston.fact.superseded_by) == ("Boston", (1.0, 3.0), "f2")
    assert [(change.run_id, change.at, change.reason) for change in boston.changes] == [
        ("r1", 4.0, "newer"),
        ("r2", None, "seen"),
    ]
    assert (boston.changes[0].status_before, boston.changes[0].status_after) == ("active", "superseded")
    assert (austin.fact.window, austin.changes) == ((3.0, None), ())
