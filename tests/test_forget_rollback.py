"""What was forgotten is brought back by no rollback, by command or by renaming a file, and by no import (DESIGN section 4)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.night import NOW, Finished, Store, command

SPELLINGS = (b"cello", b"Cello", b"CELLO")


@pytest.fixture(params=["DELETE", "WAL"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    store = Store(tmp_path / "tenants", journal_mode=request.param)
    for number, value in enumerate(("cello", "Cello.", "harp", "flute")):
        store.fact(f"f{number}", value, day=number, attribute="instrument")
    store.fact("city", "Boston", day=1)
    return store


def ask(store: Store, *arguments: str) -> Finished:
    place = ["--root", str(store.root), "--tenant", store.tenant]
    return command(*arguments, *place, *(() if arguments[0] == "import" else ("--now", str(NOW + 1))))


def forget(store: Store) -> None:
    finished = ask(store, "forget", "--user", "maya", "--attribute", "instrument", "--value", "CELLO", "--yes")
    assert finished.status == 0, finished.out + finished.err


def is_nowhere(store: Store) -> None:
    for name, content in store.files().items():
        assert not any(spelling in content for spelling in SPELLINGS), name


def test_a_rollback_after_it_brings_back_the_rest_alone(store: Store) -> None:
    store.good_night()
    assert store.in_force(attribute="instrument") == ["flute"]
    forget(store)
    assert ask(store, "rollback", "--yes").status == 0
    assert sorted(store.in_force(attribute="instrument")) == ["flute", "harp"]
    is_nowhere(store)
    store.good_night()
    is_nowhere(store)


def test_it_reaches_what_a_rollback_has_kept(store: Store) -> None:
    store.good_night()
    assert ask(store, "rollback", "--yes").status == 0
    assert any(b"cello" in content for name, content in store.files().items() if "undone" in name)
    forget(store)
    is_nowhere(store)
    for kind in ("undone", "pre"):
        (kept,) = store.path.parent.glob(f"memory.db.{kind}-*")
        kept.rename(store.path)  # a rollback by hand
        line = json.dumps({"kind": "fact", "id": f"again-{kind}", "user_id": "maya", "attribute": "instrument",
                           "value": "cello", "multi": 0, "source": "user", "valid_from": NOW, "status": "active"})  # fmt: skip
        lines = store.root.parent / "lines.jsonl"
        lines.write_text(line)
        ask(store, "import", str(lines))
        assert "cello" not in store.in_force(attribute="instrument", now=NOW + 1)
        is_nowhere(store)


def test_a_forgotten_value_that_is_in_force_all_the_same_is_told(store: Store) -> None:
    store.good_night()
    store.sql("INSERT INTO tombstones VALUES ('maya', 'home_city', NULL), ('maya', 'instrument', 'flute')")
    store.fact("own", "Oslo", day=2, attribute="home_city")  # the application's doing, which no rollback undoes
    (found,) = json.loads(ask(store, "rollback", "--yes", "--json").out)["rollbacks"]
    assert found["outcome"] == "swapped"
    (notice,) = [notice for notice in found["notices"] if notice["kind"] == "forgotten_in_force"]
    assert set(notice["facts"]) >= {"own"}
