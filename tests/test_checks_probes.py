"""Golden probes: what is in force, and what held at a time."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from consolidate.checks import probes
from consolidate.config import Settings
from consolidate.model import Probe, Problem
from consolidate.store import connections, contract
from consolidate.store.contract import SCHEMA
from tests.judging import DAY, NOW, SETTINGS, Judged
from tests.test_checks_lineage import fact


def run(judged: Judged, *asked: Probe, settings: Settings = SETTINGS) -> list[Problem]:
    with closing(connections.open_reader(judged.shadow)) as db:
        shape = contract.validate(db, judged.shadow)
        failed = probes.run(db, asked, now=NOW, settings=settings, shape=shape)
        assert db.execute("SELECT count(*) FROM sqlite_temp_master").get == 0
    return failed


def holds(judged: Judged, probe: Probe) -> bool:
    return not run(judged, probe)


@pytest.fixture(params=["plain", "untyped index", "nocase", "without rowid"])
def judged(tmp_path: Path, request: pytest.FixtureRequest) -> Judged:
    schema = {
        "plain": SCHEMA,
        "untyped index": SCHEMA.replace("CREATE INDEX facts_by_user ON facts(user_id, attribute);", ""),
        "nocase": SCHEMA.replace("TEXT", "TEXT COLLATE NOCASE"),
        "without rowid": SCHEMA.replace("confirmations INTEGER);", "confirmations INTEGER) WITHOUT ROWID;"),
    }[request.param]
    return Judged(tmp_path, schema)


@pytest.mark.parametrize(
    ("attribute", "expected", "absent", "count"),
    [
        ("city", "austin.", "Boston", 1),
        ("pet", '"Dog"', "cat dog", 3),
        ("job", "nurse", "doctor", 1),
        ("ticket", None, "A1", 0),
        ("pass", "B2", "A1", 1),
        ("nothing", None, "x", 0),
        ("City", None, "Austin", 0),
    ],
)
def test_what_is_in_force(judged: Judged, attribute: str, expected: str | None, absent: str, count: int) -> None:
    if expected is not None:
        assert holds(judged, Probe("maya", attribute, expect=expected))
        assert not holds(judged, Probe("maya", attribute, absent=expected))
    assert holds(judged, Probe("maya", attribute, absent=absent))
    assert not holds(judged, Probe("maya", attribute, expect=absent))
    assert holds(judged, Probe("maya", attribute, count=count))
    assert not holds(judged, Probe("maya", attribute, count=count + 1))


@pytest.mark.parametrize("user", ["nobody", "Maya", ""])
def test_unknown_user_has_nothing_in_force(judged: Judged, user: str) -> None:
    assert holds(judged, Probe(user, "city", count=0))
    assert holds(judged, Probe(user, "city", absent="Austin"))
    assert not holds(judged, Probe(user, "city", expect="Austin"))
    assert holds(judged, Probe(user, "city", count=0, as_of=NOW))


@pytest.mark.parametrize(
    ("attribute", "day", "value"),
    [
        ("city", 0.5, None),
        ("city", 1, "Boston"),
        ("city", 1.9, "Boston"),
        ("city", 2, "Austin"),
        ("city", 500, "Austin"),
        ("car", 1.5, "red"),
        ("car", 2.5, "blue"),
        ("car", 50, "green"),
        ("ticket", 8.9, "A1"),
        ("ticket", 9, None),
        ("pass", 899, "B2"),
        ("pass", 900, None),
        ("shoe", 3, None),
        ("job", 50, "nurse"),
        ("seat", 2.9, None),
        ("seat", 3, "aisle"),
    ],
)
def test_what_held_at_a_time(judged: Judged, attribute: str, day: float, value: str | None) -> None:
    count = Probe("maya", attribute, count=0 if value is None else 1, as_of=day * DAY)
    assert holds(judged, count)
    if value is not None:
        assert holds(judged, replace(count, count=None, expect=value))
        assert not holds(judged, replace(count, count=None, absent=value))


def test_many_values_held(judged: Judged) -> None:
    assert holds(judged, Probe("maya", "pet", count=1, as_of=1.5 * DAY))
    assert holds(judged, Probe("maya", "pet", count=3, as_of=2 * DAY))


def test_no_value_is_a_value_too(judged: Judged) -> None:
    judged.change(fact("void", None, multi=1) + fact("void2", None, multi=1) + fact("full", "x", multi=1))
    assert holds(judged, Probe("maya", "way", count=2))
    judged.change("DELETE FROM facts WHERE id = 'full'")
    assert holds(judged, Probe("maya", "way", count=1))
    assert holds(judged, Probe("maya", "way", absent="x"))


def window(name: str, value: str, begins: float, ends: float | None, **columns: object) -> str:
    closed = {} if ends is None else {"status": "superseded", "valid_to": ends}
    return fact(name, value, valid_from=begins, **{**closed, **columns})


def test_of_several_windows_the_highest_rank_then_the_last_beginning_holds(tmp_path: Path) -> None:
    judged = Judged(tmp_path)
    judged.change(
        window("a", "guess", 6, 20, source="inferred")
        + window("b", "said", 4, 20)
        + window("c", "said later", 5, 20)
        + window("d", "parked", 7, None, status="review")
        + window("e", "never ended", 8, None, status="expired")
        + window("f", "unknown", 9, None, status="archived")
        + window("g", "merged", 30, 40, status="merged")
        + window("h", "pinned guess", 1, 50, status="active", source="inferred")
        + window("i", "text", 11, None, valid_to="later", status="merged", attribute="odd")
    )
    assert holds(judged, Probe("maya", "way", expect="said later", as_of=12.0))
    assert holds(judged, Probe("maya", "way", count=1, as_of=12.0))
    assert holds(judged, Probe("maya", "way", expect="merged", as_of=30.0))
    assert holds(judged, Probe("maya", "way", expect="pinned guess", as_of=45.0))
    assert holds(judged, Probe("maya", "way", count=0, as_of=50.0))
    assert holds(judged, Probe("maya", "odd", expect="text", as_of=12.0))
    judged.change("INSERT INTO consolidation_pins VALUES ('h', 'maya', 0), ('b', 'maya', 0)")
    assert holds(judged, Probe("maya", "way", expect="pinned guess", as_of=12.0))


def test_failed_probes_are_told_apart_without_their_values(judged: Judged) -> None:
    failed = run(
        judged,
        Probe("maya", "city", expect="Austin"),
        Probe("maya", "city", expect="Paris", origin="probes.toml"),
        Probe("maya", "city", absent="Austin"),
        Probe("maya", "pet", count=7),
        Probe("maya", "city", expect="Paris", as_of=DAY),
        Probe("maya", "city", absent="Boston", as_of=DAY * 1.0),
        Probe("maya", "city", count=7, as_of=DAY * 1.0),
    )
    assert [(problem.check, problem.user_id, problem.facts, problem.message) for problem in failed] == [
        ("probe", "maya", ("austin",), "Probe 2 of probes.toml: the expected value is not in force."),
        ("probe", "maya", ("austin",), "Probe 3: the value that must be absent is in force."),
        ("probe", "maya", ("cat", "dog", "owl"), "Probe 4: the values in force are 3 in number, not 7."),
        ("probe", "maya", ("boston",), "Probe 5: the expected value is not what held at the time it names."),
        ("probe", "maya", ("boston",), "Probe 6: the value that must be absent is what held at the time it names."),
        ("probe", "maya", ("boston",), "Probe 7: the values that held then are 1 in number, not 7."),
    ]


def test_configuration_says_what_is_one_valued(judged: Judged) -> None:
    probe = Probe("maya", "pet", count=1, as_of=3.0 * DAY)
    assert run(judged, probe)
    assert not run(judged, probe, settings=replace(SETTINGS, attributes={"pet": "single"}))
