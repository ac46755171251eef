"""The steps and the oracle, side by side, over arbitrary stores and several nights on a real file (DESIGN section 3)."""

from __future__ import annotations

import random
import sqlite3
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from tests.oracle import Candidate, Oracle
from tests.oracle_group import Row
from tests.stores import (
    DAY,
    IDS,
    NOW,
    PROFILE,
    Store,
    candidates,
    create,
    facts,
    fill,
    insert,
    night_of_steps,
    read_facts,
    stores,
)


def oracle_of(store: Store) -> Oracle:
    return Oracle(
        store.rank,
        store.attributes,
        store.pins,
        store.episodes,
        store.tombstones,
        max_per_user=store.max_per_user,
        max_per_run=store.max_per_run,
    )


def capped(oracle: Oracle) -> bool:
    """Whether a cap held something back that a second night right after would try again."""
    return any(reason.startswith("max_") for reason in oracle.skipped)


def plainly(rows: Sequence[Row], known: int) -> list[dict[str, Any]]:
    """The rows, with the ids of those that this night promoted replaced by their place."""
    names = {row.id: f"promoted {place}" for place, row in enumerate(rows[known:])}
    named = [replace(row, id=names.get(row.id, row.id)) for row in rows]
    return [asdict(replace(row, superseded_by=names.get(row.superseded_by, row.superseded_by))) for row in named]


def assert_alike(found: Sequence[Row], expected: Sequence[Row], known: int) -> None:
    """The steps and the oracle must agree on every column of every fact."""
    mine, theirs = plainly(expected, known), plainly(found, known)
    wrong = [
        f"{one['id']!r}.{name}: the steps say {other[name]!r}, the oracle {one[name]!r}"
        for one, other in zip(mine, theirs, strict=False)
        for name in one
        if one[name] != other[name]
    ]
    assert (len(theirs), wrong) == (len(mine), [])


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


class Nights(RuleBasedStateMachine):
    """An application writes by day, the job works by night, the oracle looks on."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name) / "memory.db"
        self.now = NOW - 3 * DAY
        self.written = False

    def teardown(self) -> None:
        self.folder.cleanup()

    @initialize(store=stores(most=4))
    def begin(self, store: Store) -> None:
        self.store = replace(store, encoding="UTF-8", schema="plain" if store.schema == "keyed" else store.schema)
        self.oracle = oracle_of(store)
        create(self.path, self.store.schema)
        fill(self.path, self.store)

    def write(self, statement: str, *values: Any) -> None:
        with closing(sqlite3.connect(self.path)) as db, db:
            db.execute("PRAGMA synchronous = OFF")
            db.execute(statement, values)

    def pick(self, number: int) -> int | None:
        """The rowid of one of the facts, if there are any."""
        rows = read_facts(self.path)
        return rows[number % len(rows)].rowid if rows else None

    @rule(row=facts(), name=st.sampled_from(IDS))
    def remember(self, row: dict[str, Any], name: Any) -> None:
        with closing(sqlite3.connect(self.path)) as db, db:
            insert(db, "facts", {"id": name} | row)

    @rule(number=st.integers(0, 99), row=facts())
    def edit(self, number: int, row: dict[str, Any]) -> None:
        names = ", ".join(f"{name} = ?" for name in ("valid_from", "valid_to", "expires_at", "superseded_by"))
        values = (row["valid_from"], row["valid_to"], row["expires_at"], None)
        self.write(f"UPDATE facts SET {names} WHERE rowid = ?", *values, self.pick(number))

    @rule(number=st.integers(0, 99))
    def erase(self, number: int) -> None:
        self.write("DELETE FROM facts WHERE rowid = ?", self.pick(number))

    @rule(number=st.integers(0, 99))
    def pin_or_unpin(self, number: int) -> None:
        names = {row.rowid: row.id for row in read_facts(self.path)}
        name = names.get(self.pick(number) or 0)
        pins = set(self.store.pins) ^ ({name} - {None})
        self.store.pins = self.oracle.pins = sorted(pins, key=repr)

    @rule(days=st.integers(0, 2), light=st.booleans(), offers=candidates)
    def night(self, days: int, light: bool, offers: list[Candidate]) -> None:
        self.now += days * DAY
        before = read_facts(self.path)
        expected = self.oracle.night(before, self.now, light=light, candidates=offers)
        night_of_steps(self.path, self.store, self.now, light=light, candidates=offers)
        after = read_facts(self.path)
        assert_alike(after, expected, len(before))
        night_of_steps(self.path, self.store, self.now, light=light, candidates=[] if capped(self.oracle) else offers)
        assert read_facts(self.path) == after


TestNights = Nights.TestCase
TestNights.settings = PROFILE
