"""The fifteen things a swap must survive: 11, 13 and 15, about the files. `tests.test_survival` says which there are."""

from __future__ import annotations

import json
import os
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.audit.nights import Nights, audited, night_of, on
from tests.audit.trials import both_journals, both_ways, is_done, make, swapped
from tests.audited import CARELESS
from tests.night import Store, at
from tests.writers import Client, contents, journal_of, look, names, state

PLUGINS = Path(__file__).parent / "plugins"


@pytest.fixture(scope="module")
def nights() -> Iterator[Nights]:
    with Nights() as nights:
        yield nights


def pre_of(store: Store) -> Path:
    (pre,) = store.path.parent.glob("*.pre-*")
    return pre


@both_journals
@both_ways
def test_11_nothing_but_sqlite_opens_the_live_file(tmp_path: Path, journal: str, way: str) -> None:
    store = make(tmp_path, journal, way)
    assert swapped(audited(*night_of(store)))["swap"] == way
    assert is_done(store)


@pytest.mark.parametrize(
    ("step", "told"),
    [
        ("reads", "open of {live} while"), ("opens", "open of {live} while"), ("copies", "open of {live} while"),
        ("reads_index", "open of {live}-shm while"), ("reads_link", "open of {live}.linked while"),
        ("connects", "sqlite3.connect of {live}"), ("looks", ""),
    ],
)  # fmt: skip
def test_11_a_step_that_opens_it_is_caught(tmp_path: Path, step: str, told: str) -> None:
    """The watch can fail: it sees every careless step, and lets one that is not careless pass."""
    store = make(tmp_path, "wal")
    store.config += f'[steps]\nextra = ["careless:{step}"]\n'
    found = audited(*night_of(store), plugins=PLUGINS, env={"LIVE": str(store.path)})
    assert (found.status == CARELESS) == bool(told), found
    assert told.format(live=store.path) in found.err


def attributes(path: Path) -> dict[str, bytes]:
    return {name: os.getxattr(path, name) for name in os.listxattr(path)}


def access_list(user: int) -> bytes:
    """An access control list: owner and ``user`` read and write, nobody else does anything."""
    nobody = 0xFFFFFFFF
    entries = ((0x01, 6, nobody), (0x02, 6, user), (0x04, 0, nobody), (0x10, 6, nobody), (0x20, 0, nobody))
    return struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in entries)


@both_journals
@both_ways
@pytest.mark.parametrize("listed", [False, True])
def test_13_owner_mode_attributes_and_access_list(
    tmp_path: Path, nights: Nights, journal: str, way: str, listed: bool
) -> None:
    store = make(tmp_path, journal, way)
    store.path.chmod(0o600)
    os.setxattr(store.path, "user.tenant", b"acme")
    if listed:
        os.setxattr(store.path, "system.posix_acl_access", access_list(1002))
    os.setxattr(store.path.parent, "system.posix_acl_default", access_list(1003))
    if os.geteuid() == 0:
        os.chown(store.path, 1001, 1001)
    wanted, listing = store.path.stat(), attributes(store.path)
    before = os.umask(0)
    try:
        assert swapped(nights.night(store))["swap"] == way
    finally:
        os.umask(before)
    for name in ("memory.db", pre_of(store).name, "memory.db.lock", "memory.db.runs.jsonl"):
        found = store.path.with_name(name)
        status = found.stat()
        assert (status.st_uid, status.st_gid, status.st_mode) == (wanted.st_uid, wanted.st_gid, wanted.st_mode), name
        assert attributes(found) == listing, name


@both_journals
@both_ways
def test_13_a_symlink_stays_one(tmp_path: Path, nights: Nights, journal: str, way: str) -> None:
    store = make(tmp_path, journal, way)
    real = tmp_path / "elsewhere" / "memory.db"
    real.parent.mkdir()
    store.path.rename(real)
    store.path.symlink_to(real)
    assert swapped(nights.night(store))["swap"] == way
    assert store.path.is_symlink()
    assert names(store.path.parent) == ["memory.db"]
    assert {name.partition("-")[0] for name in names(real.parent)} == {
        "memory.db", "memory.db.lock", "memory.db.pre", "memory.db.runs.jsonl",
    }  # fmt: skip
    assert is_done(store)


@both_journals
@both_ways
def test_13_a_second_hard_link_is_refused(tmp_path: Path, nights: Nights, journal: str, way: str) -> None:
    store = make(tmp_path, journal, way)
    (tmp_path / "other.db").hardlink_to(store.path)
    before = contents(store.path.parent)
    ended = nights.night(store)
    assert (ended.status, ended.run["outcome"]) == (74, "failed")
    assert f"{store.path} has 2 hard links" in ended.run["error"]
    assert contents(store.path.parent, ["memory.db.lock", "memory.db.runs.jsonl"]) == before
    (tmp_path / "other.db").unlink()
    assert swapped(nights.night(store))["swap"] == way


def rolled_back(nights: Nights, store: Store) -> dict[str, object]:
    """Roll the last run of a store back."""
    ended = nights.run(store.path.parent, ["rollback", *on(store), "--yes", "--json"])
    assert ended.status == 0, ended
    (answer,) = json.loads(ended.out)["rollbacks"]
    assert isinstance(answer, dict)
    return answer


@both_journals
@both_ways
@pytest.mark.parametrize("stays", [False, True])
def test_15_a_rollback_after_the_application_wrote(
    tmp_path: Path, nights: Nights, journal: str, way: str, stays: bool
) -> None:
    mode = "in-place" if way == "in-place" else "auto"
    store = make(tmp_path, journal, mode)
    run_id = swapped(nights.night(store))["run_id"]
    after = state(store.path)
    with Client(store.path) as other:
        other.sql("UPDATE facts SET confirmations = 9, value = 'TEA' WHERE id = 'tea'")
        other.sql("UPDATE facts SET valid_to = 1.5 WHERE id = 'a'")
        other.sql("DELETE FROM facts WHERE id = 'b'")
        other.sql("INSERT INTO episodes VALUES ('e', 'maya', ?, 'it rained')", at(29))
        other.sql("INSERT INTO tombstones VALUES ('maya', 'instrument', 'cello')")
        if not stays:
            other.close()
        answer = rolled_back(nights, store)
        assert answer["outcome"] == "swapped"
        assert answer["undone"] == [run_id]
        assert answer["swap"] == ("rename" if way == "rename" and not stays else "in-place")
        if stays:
            assert other.sql("SELECT status FROM facts WHERE id = 'tea2'") == [["active"]]
            other.close()
    facts = store.facts()
    assert set(facts) == {"a", "tea", "tea2"}
    # What the run had done goes, what the application did since stays.
    assert [facts[id]["status"] for id in ("a", "tea", "tea2")] == ["active", "active", "active"]
    assert facts["tea2"]["superseded_by"] is None and facts["tea2"]["valid_to"] is None
    assert facts["a"]["valid_to"] == 1.5
    assert (facts["tea"]["value"], facts["tea"]["confirmations"]) == ("TEA", 9)
    assert len(store.sql("SELECT * FROM episodes")) == len(store.sql("SELECT * FROM tombstones")) == 1
    kept = store.path.with_name(str(answer["kept_file"]))
    assert ".undone-" in kept.name and len(state(kept)) == len(after) - 1
    assert (journal_of(store.path), journal_of(kept)) == (journal, journal)

    before = state(store.path)
    assert rolled_back(nights, store)["outcome"] == "unchanged"
    assert state(store.path) == before
    assert look(kept, "PRAGMA integrity_check") == [("ok",)]
