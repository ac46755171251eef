"""What an extra step changes is recorded as actions, whatever statements it uses (DESIGN sections 3 and 6)."""

from __future__ import annotations

import random
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
import pytest

from consolidate.model import new_run_id
from consolidate.steps import workspace
from consolidate.steps.context import StepContext
from consolidate.steps.extra import run_extra_step
from consolidate.store import connections, contract, job_tables
from consolidate.store.contract import FACT_COLUMNS, MUTABLE_COLUMNS
from tests.stores import DAY, NOW, Store, create, fill, settings_of

NAMES = [f"f{number}" for number in range(6)]
STATEMENTS = (
    "UPDATE facts SET status = 'superseded', valid_to = {n}, superseded_by = '{other}' WHERE id = '{one}'",
    "UPDATE facts SET status = status, confirmations = confirmations WHERE id = '{one}'",
    "UPDATE facts SET confirmations = {n}",
    "UPDATE facts SET evidence = 'e{n}' WHERE id = '{one}'",
    "UPDATE facts SET id = 'new-{n}' WHERE id = '{one}'",
    "UPDATE OR REPLACE facts SET id = '{other}' WHERE id = '{one}'",
    "DELETE FROM facts WHERE id = '{one}'",
    "INSERT OR REPLACE INTO facts VALUES ('{one}', 'ann', 'city', 'x{n}', 0, 'user', 1.0, NULL, NULL, 'active', NULL, 'e', 1)",
    "INSERT OR IGNORE INTO facts VALUES ('new-{n}', 'ann', 'city', 'y', 0, 'user', 1.0, NULL, NULL, 'active', NULL, '', {n})",
    """INSERT INTO facts(id, user_id, attribute, value) VALUES ('{one}', 'ann', 'city', 'z')
       ON CONFLICT(id) DO UPDATE SET status = 'review'""",
)


def facts_by_key(db: apsw.Connection, order: str) -> dict[Any, dict[str, Any]]:
    rows = db.execute(f"SELECT {order}, {', '.join(FACT_COLUMNS)} FROM facts").fetchall()
    return {key: dict(zip(FACT_COLUMNS, columns, strict=True)) for key, *columns in rows}


def naive(before: dict[Any, dict[str, Any]], after: dict[Any, dict[str, Any]]) -> list[tuple[Any, ...]]:
    """What is to be recorded, found by comparing all facts with what they were: those that changed or are new, in order."""
    told: list[tuple[Any, ...]] = []
    for key in sorted(after):
        was, now = before.get(key), after[key]
        differs = [was is None or was[name] != now[name] for name in MUTABLE_COLUMNS]
        if any(differs):
            then = [was[name] if was and d else None for name, d in zip(MUTABLE_COLUMNS, differs, strict=True)]
            new = [now[name] if d else None for name, d in zip(MUTABLE_COLUMNS, differs, strict=True)]
            told.append(("update" if was else "insert", now["id"], *then, *new))
    return told


def recorded(db: apsw.Connection) -> list[tuple[Any, ...]]:
    images = ", ".join(f"{when}_{name}" for when in ("before", "after") for name in MUTABLE_COLUMNS)
    return db.execute(f"SELECT kind, fact_id, {images} FROM consolidation_actions ORDER BY seq").fetchall()


@pytest.fixture(params=["plain", "keyed"])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    facts: list[dict[str, Any]] = [
        {"id": name, "user_id": "ann", "attribute": f"a{place % 2}", "value": name, "multi": 0, "source": "user"}
        | {"valid_from": place * DAY, "status": "active", "confirmations": 1}
        for place, name in enumerate(NAMES)
    ]
    create(tmp_path / "memory.db", request.param)
    fill(tmp_path / "memory.db", Store(facts, schema=request.param))
    return tmp_path / "memory.db"


@pytest.mark.parametrize("seed", range(30))
def test_every_change_of_a_fact_is_recorded_with_what_it_was_before(path: Path, seed: int) -> None:
    chance = random.Random(seed)
    chosen = [
        statement.format(n=chance.randrange(9), one=chance.choice(NAMES), other=chance.choice(NAMES))
        for statement in chance.choices(STATEMENTS, k=chance.randint(1, 6))
    ]

    def step(db: apsw.Connection, _: float) -> None:
        for statement in chosen:
            try:
                db.execute(statement)
            except apsw.ConstraintError:
                continue

    with closing(connections.open_scratch(path)) as db, db:
        job_tables.migrate(db)
        context = StepContext(new_run_id(NOW), NOW, settings_of(Store([])), contract.validate(db, path))
        workspace.prepare(db, context)
        before = facts_by_key(db, context.order)
        assert run_extra_step(db, context, "step", step) is False
        assert recorded(db) == naive(before, facts_by_key(db, context.order)), chosen
        concerned = {"ann"} if recorded(db) else set()
        assert {user for (user,) in db.execute("SELECT user_id FROM temp.scope")} >= concerned
        leftovers = "SELECT count(*) FROM temp.sqlite_master WHERE type = 'trigger' OR name IN ('before', 'meddled')"
        assert db.execute(leftovers).get == 0


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO consolidation_pins(fact_id) VALUES ('f1')",
        "DELETE FROM consolidation_exceptions",
        "UPDATE consolidation_decisions SET decision = 'dismissed'",
    ],
)
def test_a_step_that_changes_what_a_person_decided_is_told_from_others(path: Path, statement: str) -> None:
    with closing(connections.open_scratch(path)) as db, db:
        job_tables.migrate(db)
        db.execute("INSERT INTO consolidation_exceptions(fact_id) VALUES ('f2')")
        db.execute("INSERT INTO consolidation_decisions(fact_id) VALUES ('f3')")
        context = StepContext(new_run_id(NOW), NOW, settings_of(Store([])), contract.validate(db, path))
        workspace.prepare(db, context)

        def step(shadow: apsw.Connection, _: float) -> None:
            shadow.execute(statement)

        assert run_extra_step(db, context, "step", step)
