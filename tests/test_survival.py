"""The fifteen things a swap must survive, each found the hard way, each driven here through the real command.

 1. SIGKILL at each write, sync, unlink, link and rename (`tests.test_survival_faults`).
 2. A power cut right after the commit or the rename: new content, whole (`tests.test_survival_faults`).
 3. UPDATE, DELETE and reuse of an id by the application between backup and swap: the application's version wins.
 4. A stale reader that polls throughout, then a kill of a writer that had spilled its cache.
 5. A connection opened before the run and first used after it.
 6. A writer blocked in BEGIN IMMEDIATE during the swap: stdlib, apsw, shell.
 7. A writer that keeps its journal in memory, or none.
 8. A hot journal, or a write-ahead log not yet copied, left by an application that crashed before the run.
 9. The journal and the log of a shadow, left by a run that was killed.
10. A reader in an open transaction beyond the timeout: the run gives up, nothing changed.
11. Opening and closing the live file in the process of the job (`tests.test_survival_files`, `tests.test_locks`).
12. Openers that connect and read through hundreds of swaps: never "no such table", never an empty file.
13. Owner, mode, attributes, access list, symlink, second hard link: kept, or refused (`tests.test_survival_files`).
14. A full or failing disk at each write: a clear error, live whole, the next run converges (`tests.test_survival_faults`).
15. A rollback after the application wrote: its rows and edits survive, twice is a no-op (`tests.test_survival_files`).
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.audit.nights import Nights
from tests.audit.trials import both_journals, both_ways, is_done, make, only_bookkeeping, swapped, until_somebody_waits
from tests.night import NOW, Store
from tests.writers import INSERT, Client, contents, look, state

both_clients = pytest.mark.parametrize("kind", ["sqlite3", "apsw"])


@pytest.fixture(scope="module")
def nights() -> Iterator[Nights]:
    with Nights() as nights:
        yield nights


def pre_of(store: Store) -> Path:
    (pre,) = store.path.parent.glob("*.pre-*")
    return pre


LATE = [
    "UPDATE facts SET confirmations = 40, value = 'Tea' WHERE id = 'tea'",
    "DELETE FROM facts WHERE id = 'a'",
    "DELETE FROM facts WHERE id = 'tea2'",
    f"""INSERT INTO facts VALUES ('tea2', 'maya', 'drink', 'coffee', 0, 'user', {NOW - 1000}, NULL, NULL, 'active', NULL,
        NULL, 3)""",
]


@both_journals
@both_ways
@pytest.mark.parametrize("stays", [False, True])
def test_03_what_the_application_wrote_meanwhile_wins(
    tmp_path: Path, nights: Nights, journal: str, way: str, stays: bool
) -> None:
    store = make(tmp_path, journal, "auto" if way == "rename" else way)
    with Client(store.path) as other:
        with nights.paused(store, "os.copy_file_range", "/memory.db.shadow-base") as ended:
            for statement in LATE:
                other.sql(statement)
            if not stays:
                other.close()
        run = swapped(ended)
        assert run["swap"] == ("rename" if way == "rename" and not stays else "in-place")
        assert run["late_rows"] == 3
    facts = store.facts()
    assert set(facts) == {"b", "tea", "tea2"}
    assert [tuple(facts["tea"])[i] for i in (3, 9, 10, 12)] == ["Tea", "superseded", "tea2", 40]
    assert [tuple(facts["tea2"])[i] for i in (3, 9, 12)] == ["coffee", "active", 3]
    assert {row[0] for row in look(pre_of(store), "SELECT value FROM facts")} == {"Austin", "Tea", "coffee"}


_POLLER = """
import json, select, sqlite3, sys
db = sqlite3.connect(sys.argv[1], timeout=0, isolation_level=None)
counts, errors = set(), set()
def poll():
    try:
        counts.add(db.execute("SELECT count(*) FROM facts").fetchone()[0])
    except sqlite3.Error as error:
        errors.add(str(error))
poll()
print(json.dumps([sorted(counts), sorted(errors)]), flush=True)
while True:
    poll()
    if select.select([sys.stdin], [], [], 0)[0]:
        if not sys.stdin.readline():
            break
        poll()
        print(json.dumps([sorted(counts), sorted(errors)]), flush=True)
"""


class Poller:
    """A client that reads the facts all the time, on a connection of its own that stays open."""

    def __init__(self, path: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", _POLLER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert self._read() == ([4], [])

    def __enter__(self) -> Poller:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.communicate()

    def _read(self) -> tuple[list[int], list[str]]:
        assert self.process.stdout is not None
        counts, errors = json.loads(self.process.stdout.readline())
        return counts, errors

    def look(self) -> tuple[list[int], list[str]]:
        """Let it read at least once more, and return all counts and all errors that it has met."""
        assert self.process.stdin is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return self._read()


@both_journals
@pytest.mark.parametrize("mode", ["auto", "rename"])
def test_04_a_stale_reader_and_a_writer_that_is_killed(tmp_path: Path, nights: Nights, journal: str, mode: str) -> None:
    store = make(tmp_path, journal, mode, timeout=0.2 if mode == "rename" else 20)
    with Poller(store.path) as reader:
        ended = nights.night(store)
        assert (ended.status, ended.run["outcome"]) == ((0, "swapped") if mode == "auto" else (75, "busy"))
        reader.look()
        with Client(store.path) as writer:
            writer.sql("PRAGMA cache_size=1")
            writer.sql("BEGIN IMMEDIATE")
            writer.sql("UPDATE facts SET value = hex(randomblob(30000))")
            assert store.path.with_name("memory.db-wal" if journal == "wal" else "memory.db-journal").stat().st_size > 0
            reader.look()
        counts, errors = reader.look()
        assert counts == [4]
        assert set(errors) <= {"database is locked"}
    assert state(store.path)
    assert look(store.path, "SELECT count(*) FROM facts WHERE length(value) > 100") == [(0,)]
    assert is_done(store) == (mode == "auto")


@both_journals
@both_clients
def test_05_a_connection_opened_before_and_first_used_after(
    tmp_path: Path, nights: Nights, journal: str, kind: str
) -> None:
    store = make(tmp_path, journal)
    with Client(store.path, kind) as other:
        assert swapped(nights.night(store))["swap"] == "in-place"
        assert other.sql("SELECT status FROM facts WHERE id = 'a'") == [["superseded"]]
        other.sql(INSERT, "late")
        other.close()
    assert "late" in str(state(store.path))
    assert is_done(store)


@both_journals
@both_clients
def test_06_a_writer_that_waits_to_begin(tmp_path: Path, nights: Nights, journal: str, kind: str) -> None:
    store = make(tmp_path, journal)
    with Client(store.path, kind) as other:
        with nights.paused(store, "os.replace", "") as ended:
            other.begin("BEGIN IMMEDIATE")
        other.answer()
        assert other.sql("SELECT status FROM facts WHERE id = 'a'") == [["superseded"]]
        other.sql(INSERT, "late")
        other.sql("COMMIT")
        assert swapped(ended)["swap"] == "in-place"
    assert "late" in str(state(store.path))
    assert "late" not in str(state(pre_of(store)))
    assert is_done(store)


SHELL = shutil.which("sqlite3")


@both_journals
def test_06_a_shell_that_waits_to_begin(tmp_path: Path, nights: Nights, journal: str) -> None:
    if SHELL is None:
        pytest.skip("the sqlite3 shell is not installed")
    store = make(tmp_path, journal)
    shell = subprocess.Popen([SHELL, "-bail", store.path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert shell.stdin is not None and shell.stdout is not None
    shell.stdin.write("SELECT count(*) FROM facts;\n.timeout 20000\n.system echo opened\n")
    shell.stdin.flush()
    assert [shell.stdout.readline() for _ in range(2)] == ["4\n", "opened\n"]
    with nights.paused(store, "os.replace", "") as ended:
        shell.stdin.write(".system echo begun\nBEGIN IMMEDIATE;\nSELECT status FROM facts WHERE id = 'a';\n")
        shell.stdin.flush()
        assert shell.stdout.readline() == "begun\n"
    out, _ = shell.communicate(INSERT.replace("?", "'late'") + ";\nCOMMIT;\n")
    assert (shell.returncode, out.split()) == (0, ["superseded"])
    assert swapped(ended)["swap"] == "in-place"
    assert "late" in str(state(store.path))
    assert is_done(store)


@both_journals
@both_clients
def test_06_an_opener_that_waits_for_the_lease(tmp_path: Path, nights: Nights, journal: str, kind: str) -> None:
    """Whoever opens the store right before the rename waits in the kernel; the run then takes the other way."""
    store = make(tmp_path, journal)
    with Client(store.path, kind, opened=False) as other:
        with nights.paused(store, "os.link", "") as ended:
            other._send({"do": "open", "announce": True})
            assert other._read() == {"begun": True}
            until_somebody_waits(store.path)
        other.answer()
        other.sql("BEGIN IMMEDIATE")
        other.sql(INSERT, "late")
        other.sql("COMMIT")
        assert swapped(ended)["swap"] == "in-place"
    assert "late" in str(state(store.path))
    assert is_done(store)


@pytest.mark.parametrize("journal", ["MEMORY", "OFF"])
@both_clients
def test_07_a_writer_without_a_journal_file(tmp_path: Path, nights: Nights, journal: str, kind: str) -> None:
    store = make(tmp_path, "delete")
    with Client(store.path, kind) as other:
        assert other.sql(f"PRAGMA journal_mode={journal}") == [[journal.lower()]]
        other.sql("SELECT count(*) FROM facts")
        with nights.paused(store, "os.copy_file_range", "/memory.db.shadow-base") as ended:
            other.sql(INSERT, "meanwhile")
        assert swapped(ended)["swap"] == "in-place"
        other.sql(INSERT, "afterwards")
        other.close()
    assert {"meanwhile", "afterwards"} <= set(store.facts())
    assert state(store.path)
    assert is_done(store)


@both_ways
def test_08_a_hot_journal_of_a_dead_application(tmp_path: Path, nights: Nights, way: str) -> None:
    store = make(tmp_path, "delete", way)
    before = state(store.path)
    with Client(store.path) as other:
        other.sql("PRAGMA cache_size=1")
        other.sql("BEGIN")
        other.sql("UPDATE facts SET value = hex(randomblob(30000))")
    assert store.path.with_name("memory.db-journal").stat().st_size > 0
    assert swapped(nights.night(store))["swap"] == way
    assert not store.path.with_name("memory.db-journal").exists()
    assert state(pre_of(store)) == before
    assert look(store.path, "SELECT count(*) FROM facts WHERE length(value) > 100") == [(0,)]
    assert state(store.path) and is_done(store)


@both_ways
def test_08_a_log_of_a_dead_application(tmp_path: Path, nights: Nights, way: str) -> None:
    store = make(tmp_path, "wal", way)
    with Client(store.path) as other:
        other.sql(INSERT, "late")
        other.sql("BEGIN")
        other.sql(INSERT, "never committed")
    assert store.path.with_name("memory.db-wal").stat().st_size > 0
    assert swapped(nights.night(store))["swap"] == way
    for file in (store.path, pre_of(store)):
        assert look(file, "SELECT count(*) FROM facts WHERE id = 'late'") == [(1,)]
        assert len(state(file)) == 5
    assert is_done(store)


@both_journals
@both_ways
def test_09_what_a_killed_run_left_of_its_shadow(tmp_path: Path, nights: Nights, journal: str, way: str) -> None:
    store = make(tmp_path, journal, way)
    killed = nights.night(store, do="kill", at=9, only="sqlite.write", target=".shadow")
    assert killed.status == -9
    folder = store.path.parent
    assert (folder / "memory.db.shadow-journal").stat().st_size > 0
    # The journal plays something else back; the log is one of another file.
    for suffix in ("-wal", "-shm", "-base-journal", "-scratch-wal"):
        (folder / f"memory.db.shadow{suffix}").write_bytes((folder / "memory.db.shadow-journal").read_bytes() * 3)
    run = swapped(nights.night(store))
    assert run["swap"] == way
    assert [notice["kind"] for notice in run["notices"]] == ["recovered"]
    assert "memory.db.shadow-journal" in str(run["notices"])
    assert is_done(store) and state(store.path)
    assert not list(folder.glob("*.shadow*"))


@both_journals
@pytest.mark.parametrize("mode", ["auto", "rename", "in-place"])
def test_10_a_reader_in_a_transaction_beyond_the_timeout(
    tmp_path: Path, nights: Nights, journal: str, mode: str
) -> None:
    store = make(tmp_path, journal, mode, timeout=0.2)
    before = state(store.path)
    with Client(store.path) as other:
        other.sql("BEGIN")
        assert other.sql("SELECT count(*) FROM facts") == [[4]]
        bytes_before = contents(store.path.parent)
        ended = nights.night(store)
        assert other.sql("SELECT status FROM facts WHERE id = 'a'") == [["active"]]
        if journal == "wal" and mode != "rename":  # readers of the log are in nobody's way
            assert swapped(ended)["swap"] == "in-place"
        else:
            assert (ended.status, ended.run["outcome"]) == (75, "busy")
            assert str(store.path) in ended.run["error"]
            left = contents(store.path.parent, ["memory.db.lock", "memory.db.runs.jsonl", "memory.db-shm"])
            bytes_before.pop("memory.db-shm", None)
            assert left == bytes_before
            assert only_bookkeeping(store.path)
        other.sql("COMMIT")
        other.close()
    if ended.status:
        assert state(store.path) == before
        assert swapped(nights.night(store))
    assert is_done(store)


_OPENER = """
import json, select, sqlite3, sys
from contextlib import closing
counts, errors, looks = set(), set(), 0
print(flush=True)
while not select.select([sys.stdin], [], [], float(sys.argv[2]))[0]:
    try:
        with closing(sqlite3.connect(sys.argv[1], timeout=5, isolation_level=None)) as db:
            counts.add(db.execute("SELECT count(*) FROM facts").fetchone()[0])
    except sqlite3.Error as error:
        errors.add(str(error))
    looks += 1
print(json.dumps([sorted(counts), sorted(errors), looks]))
"""
NIGHTS = 30


def open_all_the_time(path: Path, pause: float) -> subprocess.Popen[str]:
    """Start a client that connects, reads and closes, again and again, until a line is written to it."""
    opener = subprocess.Popen(
        [sys.executable, "-c", _OPENER, str(path), str(pause)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert opener.stdout is not None
    assert opener.stdout.readline() == "\n"
    return opener


@both_journals
def test_12_openers_through_many_nights(tmp_path: Path, nights: Nights, journal: str) -> None:
    store = make(tmp_path, journal)
    openers = [open_all_the_time(store.path, pause) for pause in (0.05, 0.08)]
    ways: list[str] = []
    # As a rule both ways come soon; which one is taken when is up to the machine.
    while len(ways) < NIGHTS or (set(ways) != {"rename", "in-place"} and len(ways) < 40 * NIGHTS):
        store.sql("UPDATE facts SET status = 'active', valid_to = NULL, superseded_by = NULL")
        ways.append(swapped(nights.night(store, now=NOW + len(ways)))["swap"])
    for opener in openers:
        counts, errors, looks = json.loads(opener.communicate("stop\n")[0])
        # Whoever had found the old file by its path just before a rename may be told that it is locked.
        assert counts == [4]
        assert set(errors) <= {"database is locked"}
        assert looks > 0
    assert set(ways) == {"rename", "in-place"}, ways
    assert is_done(store) and state(store.path)
