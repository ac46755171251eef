"""Rollbacks of crowds of users agree with a naive reading of DESIGN section 4: column by column, unless it was edited since."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import astuple, replace
from pathlib import Path
from typing import Any

import pytest

from consolidate.config import PromoteRule, PromoteSettings, Settings, SourceSettings
from consolidate.operate.rollback import Rollback, roll_back
from consolidate.operate.rollback_plan import Target
from consolidate.operate.tenants import Tenant
from consolidate.run.nightly import RunOptions, run_tenant
from tests.crowds import Crowd, crowd
from tests.oracle_group import Row
from tests.stores import CODECS, DAY, EXAMPLES, SCHEMAS, create, fill, insert, read_facts

MUTABLE = ("status", "valid_to", "superseded_by", "evidence", "confirmations")
Facts = dict[Any, Row]


def read(path: Path) -> Facts:
    """The facts that have an id."""
    return {row.id: row for row in read_facts(path) if row.id is not None}


def same(one: Row, other: Row, names: Sequence[str] = ()) -> bool:
    """Whether facts are equal, in some columns or all; where a row is does not count."""
    one, other = replace(one, rowid=0), replace(other, rowid=0)
    if names:
        return all(repr(getattr(one, name)) == repr(getattr(other, name)) for name in names)
    return list(map(repr, astuple(one))) == list(map(repr, astuple(other)))


def rolled_back(now: Facts, before: Facts, after: Facts, forgotten: Sequence[str]) -> Facts:
    """What is left of the facts of ``now`` when the run that led from ``before`` to ``after`` is taken back; the cities of
    the users ``forgotten`` are not to come back."""
    result = dict(now)
    made = {id for id in after if id not in before and id in now and same(now[id], after[id])}
    for id in before:
        if id in now:
            restored = {
                name: getattr(before[id], name)
                for name in MUTABLE
                if not same(before[id], after[id], [name]) and same(now[id], after[id], [name])
            }
            row = replace(now[id], **restored)
            if row.attribute == "city" and row.user_id in forgotten and open_ended(row) and not open_ended(now[id]):
                continue
            leads = row.superseded_by in now and now[row.superseded_by].user_id == row.user_id
            if leads or restored.get("superseded_by") is None or row.status not in ("merged", "superseded"):
                result[id] = row
    while True:
        held = {row.superseded_by for id, row in result.items() if id not in made}
        if not made & held:
            return {id: row for id, row in result.items() if id not in made}
        made -= held


def open_ended(row: Row) -> bool:
    return row.status == "active" and row.valid_to is None


def edit(chance: random.Random, path: Path, story: Crowd) -> None:
    """Write what an application may write: edits of every column, deletions, restatements."""
    with closing(sqlite3.connect(path)) as db, db:
        ids = [id for (id,) in db.execute("SELECT id FROM facts WHERE typeof(id) = 'text' ORDER BY id")]
        for id in chance.sample(ids, len(ids) // 8):
            column, value = chance.choice(
                [
                    ("status", "active"), ("status", "superseded"), ("valid_to", None), ("valid_to", 18 * DAY),
                    ("evidence", "e1 e9"), ("confirmations", 77), ("value", "Paris"), ("multi", 1), ("expires_at", 40 * DAY),
                    ("superseded_by", None),
                ]
            )  # fmt: skip
            db.execute(f"UPDATE facts SET {column} = ? WHERE id = ?", (value, id))
        for id in chance.sample(ids, len(ids) // 15):
            db.execute("DELETE FROM facts WHERE id = ?", (id,))
        for batch in story.arrivals[1:]:
            for row in batch:
                insert(db, "facts", row)


def settings_of(story: Crowd) -> Settings:
    rules = (PromoteRule("city", "Promoted", "said so"), PromoteRule("seat", "aisle", "said so", multi=True))
    return Settings(
        attributes=story.store.attributes,
        sources=SourceSettings(tuple(story.store.rank)),
        promote=PromoteSettings(rules=rules),
    )


@pytest.mark.parametrize("seed", range(EXAMPLES // 5))
def test_every_column_is_as_before_or_as_edited_since(tmp_path: Path, seed: int) -> None:
    story, chance = crowd(seed, users=60), random.Random(seed)
    tenant = Tenant.of(tmp_path, "acme")
    tenant.path.parent.mkdir()
    create(tenant.path, list(SCHEMAS)[seed % len(SCHEMAS)], list(CODECS)[seed // len(SCHEMAS) % len(CODECS)])
    fill(tenant.path, story.store)
    with closing(sqlite3.connect(tenant.path)) as db, db:
        for row in story.arrivals[0]:
            insert(db, "facts", row)
    settings, states = settings_of(story), []
    for now in (story.nights[0], story.nights[-1]):
        before = read(tenant.path)
        record = run_tenant(tenant, settings, RunOptions(now)).record
        assert record.outcome == "swapped" or before == read(tenant.path), record
        states.append((record, before, read(tenant.path)))
        edit(chance, tenant.path, story)
    forgotten = chance.sample([str(user) for user in range(60)], 6)
    with closing(sqlite3.connect(tenant.path)) as db, db:
        db.executemany("INSERT INTO tombstones VALUES (?, 'city', NULL)", [(user,) for user in forgotten])
    runs = [state for state in states if state[0].outcome == "swapped"]
    expected = read(tenant.path)
    for _, before, after in reversed(runs):
        expected = rolled_back(expected, before, after, forgotten)
    done = back(tenant, settings, story, runs[0][0].run_id)
    assert done.undone == [record.run_id for record, *_ in reversed(runs)]
    found = read(tenant.path)
    assert found.keys() == expected.keys()
    wrong = [(found[id], expected[id]) for id in found if not same(found[id], expected[id])]
    assert not wrong, "\n".join(map(str, wrong[0]))
    back(tenant, settings, story, runs[0][0].run_id)
    assert read(tenant.path) == found


def back(tenant: Tenant, settings: Settings, story: Crowd, run_id: str) -> Rollback:
    done = roll_back(tenant, settings, Target(run_id), story.nights[-1] + 1)
    assert done.record.outcome in ("swapped", "unchanged"), (done.record.problems, done.record.error)
    return done
