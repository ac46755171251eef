"""The steps and the oracle, side by side, over arbitrary stores and several nights on a real file (DESIGN section 3)."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.oracle import Oracle
from tests.oracle_group import Row
from tests.stores import NOW, PROFILE, Store, create, fill, night_of_steps, read_facts, stores


def oracle_of(store: Store) -> Oracle:
    return Oracle(store.rank, store.attributes, store.pins, store.episodes, store.tombstones)


def plainly(rows: Sequence[Row], known: int) -> list[dict[str, Any]]:
    """The rows, with the ids of those that this night promoted replaced by their place."""
    names = {row.id: f"promoted {place}" for place, row in enumerate(rows[known:])}
    return [
        asdict(replace(row, id=names.get(row.id, row.id), superseded_by=names.get(row.superseded_by, row.superseded_by)))
        for row in rows
    ]


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
        create(path, store.collation)
        fill(path, store)
        yield path


@PROFILE
@given(stores(), st.booleans())
def test_one_night(store: Store, light: bool) -> None:
    with file_of(store) as path:
        before = read_facts(path)
        expected = oracle_of(store).night(before, NOW, light=light)
        night_of_steps(path, store, NOW, light=light)
        assert_alike(read_facts(path), expected, len(before))
