"""Locks: nothing in the job's process drops one, and nothing waits for one for longer than the configuration says."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.audit.nights import Ended, Nights, audited, night_of, on
from tests.audit.trials import both_journals, is_done, make, only_bookkeeping, swapped
from tests.audited import CARELESS
from tests.night import Store
from tests.writers import INSERT, Client, contents, journal_of, look, names, state

PLUGINS = Path(__file__).parent / "plugins"


@pytest.fixture(scope="module")
def nights() -> Iterator[Nights]:
    with Nights() as nights:
        yield nights


# Every command, and every kind of run, under the audit -------------------------------------------------------------


def command(nights: Nights, store: Store, *arguments: str) -> Ended:
    """Run a command on a store; it must not be careless."""
    first = 2 if arguments[0] in ("review", "probe") else 1
    ended = nights.run(store.path.parent, [*arguments[:first], *on(store), *arguments[first:]])
    assert ended.status != CARELESS, ended
    assert ended.status in (0, 65), ended
    return ended


@both_journals
@pytest.mark.parametrize("held", ["", "reading"])
def test_no_command_opens_the_live_file_beside_sqlite(tmp_path: Path, nights: Nights, journal: str, held: str) -> None:
    """The one program that has the store open all along is what makes the difference to each of them."""
    store = make(tmp_path, journal)
    store.fact("g", "Paris", day=3, source="inferred")
    store.fact("h", "Rome", day=4, source="inferred")
    with Client(store.path) as other:
        if held and journal == "wal":
            other.sql("BEGIN")
        if held:
            other.sql("SELECT count(*) FROM facts")
        else:
            other.close()
        run_id = swapped(nights.night(store))["run_id"]
        where = ["--user", "maya", "--attribute", "home_city"]
        pre = next(store.path.parent.glob("*.pre-*"))
        for arguments in (
            ["status"], ["stats"], ["check"], ["export"], ["show", "--user", "maya"], ["history", *where],
            ["nightly"], ["nightly", "--dry-run"], ["nightly", "--light"],
            ["probe", "add", *where, "--expect", "Austin"], ["probe", "list"], ["probe", "run"],
            ["review", "list"], ["review", "show", "g"], ["review", "accept", "g"], ["review", "dismiss", "h"],
            ["pin", "b"], ["unpin", "b"], ["undo", run_id], ["prune"], ["import", "/dev/null"],
            ["rollback", "--yes"], ["nightly"], ["nightly", "--dry-run"],
        ):  # fmt: skip
            command(nights, store, *arguments)
        for arguments in (["inspect", str(store.path)], ["diff", str(store.path), str(pre)], ["check", str(pre)]):
            assert nights.run(store.path.parent, arguments).status in (0, 65)
        if held and journal == "wal":
            other.sql("COMMIT")
        command(nights, store, "forget", *where, "--value", "Boston", "--episodes", "--yes")
    assert state(store.path)


AISLE = """
[[promote.rules]]
attribute = "seat"
value = "aisle"
pattern = "aisle"
"""


@pytest.mark.parametrize(
    ("kind", "step", "arguments"),
    [
        ("swapped", "late_writer:write_once", []), ("rejected", "bad_steps:edited_value", []),
        ("failed", "bad_steps:failing", []), ("planned", "bad_steps:harmless", ["--dry-run"]),
        ("swapped", "bad_steps:harmless", ["--light"]),
    ],
)  # fmt: skip
def test_no_kind_of_run_opens_the_live_file_beside_sqlite(
    tmp_path: Path, kind: str, step: str, arguments: list[str]
) -> None:
    store = make(tmp_path, "wal")
    store.fact("single", "blue", day=1, attribute="colour")
    for day in (1, 2):
        store.episode(f"e{day}", "an aisle seat", day=day)
    store.config += f'{AISLE}[steps]\nextra = ["{step}"]\n'
    late = {"LATE_STORE": str(store.path), "LATE_SQL": INSERT.replace("?", "'late'")}
    ended = audited(*night_of(store, *arguments), plugins=PLUGINS, env=late)
    assert ended.status != CARELESS, ended
    assert ended.run["outcome"] == kind, ended


def test_what_a_dead_application_left_is_looked_at_with_care(tmp_path: Path, nights: Nights) -> None:
    """A dry run copies a store with a hot journal by itself, which is allowed as long as SQLite has it not open."""
    store = make(tmp_path, "delete")
    with Client(store.path) as other:
        other.sql("PRAGMA cache_size=1")
        other.sql("BEGIN")
        other.sql("UPDATE facts SET value = hex(randomblob(30000))")
    before = contents(store.path.parent)
    ended = nights.night(store, "--dry-run")
    assert (ended.status, ended.run["outcome"]) == (0, "planned"), ended
    assert contents(store.path.parent) == before


# Somebody holds a lock for good ------------------------------------------------------------------------------------


def busy(ended: Ended, file: str) -> None:
    """A lock that nobody gave back: one clear sentence that names the file."""
    assert ended.status == 75, ended
    told = ended.out + ended.err
    assert file in told and "Traceback" not in told
    if '"runs"' in ended.out:
        assert ended.run["outcome"] == "busy"


@pytest.fixture
def held(tmp_path: Path) -> Store:
    """A store that waits for nobody for long, with something for every command to do."""
    store = make(tmp_path, "delete", timeout=0.1)
    store.fact("g", "Paris", day=3, source="inferred", status="review")
    return store


@both_journals
@pytest.mark.parametrize("mode", ["auto", "rename", "in-place"])
@pytest.mark.parametrize("lock", ["IMMEDIATE", "EXCLUSIVE"])
def test_a_writer_that_never_ends(tmp_path: Path, nights: Nights, journal: str, mode: str, lock: str) -> None:
    store = make(tmp_path, journal, mode, timeout=0.1)
    before = state(store.path)
    with Client(store.path) as other:
        other.sql(f"BEGIN {lock}")
        busy(nights.night(store), str(store.path))
        assert only_bookkeeping(store.path) or "memory.db-journal" in names(store.path.parent)
        other.sql("ROLLBACK")
        other.close()
    assert state(store.path) == before
    swapped(nights.night(store))
    assert is_done(store)


@both_journals
def test_a_writer_that_comes_after_the_snapshot_and_never_ends(tmp_path: Path, nights: Nights, journal: str) -> None:
    store = make(tmp_path, journal, timeout=0.1)
    before = state(store.path)
    with Client(store.path) as other:
        with nights.paused(store, "os.copy_file_range", "/memory.db.shadow-base") as ended:
            other.sql("BEGIN IMMEDIATE")
        busy(ended, str(store.path))
        other.sql("ROLLBACK")
        other.close()
    assert state(store.path) == before
    assert only_bookkeeping(store.path)


def test_a_run_that_never_ends(held: Store, nights: Nights) -> None:
    """The run lock is not waited for at all."""
    waiting, others = Nights(), [["prune"], ["forget", "--user", "maya", "--yes"], ["rollback", "--yes"]]
    with waiting, waiting.paused(held, "os.copy_file_range", "/memory.db.shadow-base") as ended:
        before = {name: text for name, text in contents(held.path.parent).items() if "shadow" not in name}
        busy(nights.night(held), str(held.path))
        for arguments in others:
            busy(nights.run(held.path.parent, [arguments[0], *on(held), *arguments[1:]]), "memory.db")
        assert {name: text for name, text in contents(held.path.parent).items() if "shadow" not in name} == before
    swapped(ended)


WRITING = [
    ["pin", "b"], ["unpin", "b"], ["undo", "RUN"], ["review", "accept", "g"], ["review", "dismiss", "g"],
    ["forget", "--user", "maya", "--yes"], ["rollback", "--yes"], ["import", "/dev/null"], ["nightly", "--light"],
]  # fmt: skip
READING = [
    ["show", "--user", "maya"], ["history", "--user", "maya", "--attribute", "home_city"], ["check"], ["export"],
    ["probe", "run"], ["review", "list"], ["nightly", "--dry-run"],
]  # fmt: skip


@pytest.mark.parametrize("lock", ["IMMEDIATE", "EXCLUSIVE"])
def test_commands_beside_a_writer_that_never_ends(held: Store, nights: Nights, lock: str) -> None:
    """Beside a writer that only has begun, reading goes on; where even reading is locked, each gives up in the same way."""
    held.config = held.config.replace("0.1", "20")
    run_id = swapped(nights.night(held))["run_id"]
    held.config = held.config.replace("20", "0.1")
    held.sql("UPDATE facts SET status = 'active', superseded_by = NULL, valid_to = NULL WHERE id IN ('a', 'b')")
    before = state(held.path)
    with Client(held.path) as other:
        other.sql(f"BEGIN {lock}")
        folder = contents(held.path.parent)
        for arguments in [*WRITING, *(READING if lock == "EXCLUSIVE" else [])]:
            first = 2 if arguments[0] in ("review", "probe") else 1
            given = [text if text != "RUN" else run_id for text in arguments]
            ended = nights.run(held.path.parent, [*given[:first], *on(held), *given[first:]])
            busy(ended, str(held.path))
        left = ["memory.db.lock", "memory.db.runs.jsonl"]
        assert contents(held.path.parent, left) == {name: text for name, text in folder.items() if name not in left}
        other.sql("ROLLBACK")
        other.close()
    assert state(held.path) == before


def test_a_reader_keeps_the_journal_mode_from_being_given_back(tmp_path: Path, nights: Nights) -> None:
    """What a dead run took, the next one may not be able to give back: it says so, and the one after that does it."""
    store = make(tmp_path, "wal", timeout=0.1)
    before = state(store.path)
    assert nights.night(store, do="kill", at=1, only="os.link").status == -9
    with Client(store.path) as other:
        other.sql("BEGIN")
        assert other.sql("SELECT count(*) FROM facts") == [[4]]
        ended = nights.night(store)
        busy(ended, str(store.path))
        assert "not yet restored" in str(ended.run["notices"])
        other.sql("COMMIT")
        other.close()
    copy = tmp_path / "copy.db"
    shutil.copy(store.path, copy)
    assert (journal_of(copy), state(copy)) == ("delete", before)
    run = swapped(nights.night(store))
    assert "the journal mode wal was restored" in str(run["notices"])
    assert journal_of(store.path) == "wal"
    assert look(store.path, "SELECT count(*) FROM facts") == [(4,)]
    assert is_done(store)
