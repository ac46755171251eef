"""The steps and the oracle, side by side, over arbitrary stores and several nights on a real file (DESIGN section 3)."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from consolidate.store import connections
from consolidate.store.reading import Reader
from tests.oracle import Candidate, Oracle
from tests.oracle_group import Group, Row, held, is_time, place
from tests.plays import capped, differences, oracle_of
from tests.stores import (
    DAY,
    NOW,
    PROFILE,
    Store,
    candidates,
    create,
    fill,
    night_of_steps,
    read_facts,
    stores,
)


def assert_alike(found: Sequence[Row], expected: Sequence[Row], known: int) -> None:
    """The steps and the oracle must agree on every column of every fact."""
    assert differences(found, expected, known) == []


@contextmanager
def file_of(store: Store) -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memory.db"
        create(path, store.schema, store.encoding)
        fill(path, store)
        yield path


def after_a_night(store: Store, offers: Sequence[Candidate] = ()) -> list[Row]:
    with file_of(store) as path:
        night_of_steps(path, store, NOW, candidates=offers)
        return read_facts(path)


@PROFILE
@given(stores(), st.booleans(), candidates)
def test_one_night_of_any_store(store: Store, light: bool, offers: list[Candidate]) -> None:
    if store.schema == "keyed":
        offers = []  # a promoted fact then takes its place by its id
    with file_of(store) as path:
        before = read_facts(path)
        oracle = oracle_of(store)
        expected = oracle.night(before, NOW, light=light, candidates=offers)
        counted = night_of_steps(path, store, NOW, light=light, candidates=offers)
        after = read_facts(path)
        assert_alike(after, expected, len(before))
        if not light:
            assert {reason: counted.skipped.get(reason, 0) for reason in oracle.skipped} == oracle.skipped
        night_of_steps(path, store, NOW, light=light, candidates=[] if capped(oracle) else offers)
        assert read_facts(path) == after


@PROFILE
@given(stores(), candidates)
def test_users_never_influence_one_another(store: Store, offers: list[Candidate]) -> None:
    together = after_a_night(store, offers)
    for user in {row["user_id"] for row in store.facts if row["user_id"] is not None}:
        alone = replace(store, facts=[row for row in store.facts if row["user_id"] == user])
        found = after_a_night(alone, [offer for offer in offers if offer.user_id == user])
        expected = [row for row in together if row.user_id == user]
        assert [replace(row, rowid=0) for row in found] == [replace(row, rowid=0) for row in expected]


@PROFILE
@given(stores(), st.randoms(use_true_random=False))
def test_only_the_order_within_a_group_matters(store: Store, shuffled: random.Random) -> None:
    """The rows of each user and attribute keep their order; how the groups lie between each other is shuffled."""
    groups: dict[tuple[Any, Any], list[dict[str, Any]]] = {}
    for row in store.facts:
        groups.setdefault((row["user_id"], row["attribute"]), []).append(row)
    places = [key for key, rows in groups.items() for _ in rows]
    shuffled.shuffle(places)
    queues = {key: iter(rows) for key, rows in groups.items()}
    mixed = [next(queues[key]) | {"rowid": number} for number, key in enumerate(places, 1)]
    once = {row.id: replace(row, rowid=0) for row in after_a_night(store)}
    again = {row.id: replace(row, rowid=0) for row in after_a_night(replace(store, facts=mixed))}
    assert again == once


def raw(cell: Any) -> Any:
    return cell.encode("utf-8", "surrogateescape") if isinstance(cell, str) else cell


def assert_same_past(path: Path, store: Store, oracle: Oracle, now: float) -> None:
    """What the store says held at a time is what the oracle says, at, just before and between all the times there are."""
    rows = read_facts(path)
    times = {time for row in rows for time in (row.valid_from, row.valid_to, row.expires_at) if is_time(time)}
    with closing(connections.open_reader(path)) as db:
        reader = Reader(db, path, store.attributes, store.rank)
        for when in sorted({time + step for time in times if abs(time) < 2 * now for step in (-1.0, 0.0, 1.0)}):
            for user in {row.user_id for row in rows if isinstance(row.user_id, str)}:
                answers = [fact for fact in reader.as_of(user, when) if fact.attribute is not None]
                for attribute in {row.attribute for row in rows if row.user_id == user and row.attribute is not None}:
                    alike = [row for row in rows if (row.user_id, row.attribute) == (user, attribute)]
                    if Group(alike, oracle, now).single:
                        held_then = [oracle.held_at(rows, user, attribute, when)]
                    else:
                        held_then = [row for row in alike if held(row, when)]
                    found = {raw(fact.id) for fact in answers if fact.attribute == attribute}
                    assert found == {raw(row.id) for row in held_then if row}


@PROFILE
@given(stores())
def test_what_held_at_any_time(store: Store) -> None:
    tidy = [
        row for row in store.facts if row["id"] is not None and (row["valid_to"] is None or is_time(row["valid_to"]))
    ]
    store = replace(store, facts=tidy)
    with file_of(store) as path:
        assert_same_past(path, store, oracle_of(replace(store, pins=[])), NOW)  # the first night brings the pins
        night_of_steps(path, store, NOW)
        assert_same_past(path, store, oracle_of(store), NOW)


@PROFILE
@given(st.data(), st.booleans())
def test_history_is_what_was_said_when(data: st.DataObject, several_nights: bool) -> None:
    """What held at a time is what the user said last by then, and before the user said anything the latest guess.

    In one night that goes for any times and sources. Statements that arrive back-dated over several nights are spliced in.
    """
    sources = ("user",) if several_nights else ("user", "inferred")
    times = data.draw(st.lists(st.integers(1, 12), min_size=2, max_size=7, unique=several_nights))
    said = [
        {
            "id": f"f{number}",
            "user_id": "ann",
            "attribute": "city",
            "value": data.draw(st.sampled_from(("Boston", "Austin", "Chicago"))),
            "multi": 0,
            "source": data.draw(st.sampled_from(sources)),
            "valid_from": day * DAY,
            "status": "active",
        }
        for number, day in enumerate(times, 1)
    ]
    store = Store([])
    cuts = sorted(data.draw(st.sets(st.integers(1, len(said) - 1), max_size=3))) if several_nights else []
    with file_of(store) as path:
        for begin, end in zip([0, *cuts], [*cuts, len(said)], strict=True):
            fill(path, Store(said[begin:end]))
            night_of_steps(path, store, NOW)
        rows = read_facts(path)
    for moment in range(14):
        by_then = [row for row in rows if row.valid_from <= moment * DAY]
        spoken = [row for row in by_then if row.source == "user"] or by_then
        wanted = max(spoken, key=place).value if spoken else None
        held_then = oracle_of(store).held_at(rows, "ann", "city", moment * DAY)
        assert (held_then.value if held_then else None) == wanted
