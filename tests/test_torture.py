"""The torture in short, and its auditor shown what it must not overlook (DESIGN section 4, 'nothing is lost at any instant')."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.torture import commands
from tests.torture.auditor import Snapshot, audit, judge_rollback
from tests.torture.clients import KINDS
from tests.torture.phase import Phase
from tests.torture.setting import Setting

SCHEDULE = ("plain", "SIGKILL", "step", "rollback")
SETTINGS = [Setting("wal"), Setting("delete", lasting=True, triggers=True)]


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.name)
def test_nothing_acknowledged_is_lost(tmp_path: Path, setting: Setting) -> None:
    phase = Phase(tmp_path, setting, seed="short", writers=len(KINDS))
    try:
        phase.start()
        for what in SCHEDULE:
            phase.act(what)
        for what, outcome in (("plain", "swapped"), ("step", "rejected")):
            while not phase.tally.faults and not phase.tally.count(what=what, outcome=outcome):
                phase.act(what)  # a reader may have kept it waiting for too long
        phase.kill_a_writer()
        phase.audit()
        phase.finish()
    finally:
        phase.abandon()
    assert phase.tally.faults == []
    assert phase.tally.judged > 0
    assert all(phase.logs.acknowledged[kind] for kind in KINDS)


def test_a_rollback_that_logs_something_prints_its_document_alone(tmp_path: Path) -> None:
    """Whoever parses it must not meet a line of the log on stdout."""
    phase = Phase(tmp_path, Setting("delete"), seed="document", writers=0)
    assert phase.act("plain").outcome == "swapped"
    (phase.store.parent / "memory.db.undone-20200101T000000Z-aaaaaa" / "kept").mkdir(parents=True)
    for config in tmp_path.glob("*.toml"):
        config.write_text(config.read_text("utf-8") + "[retention]\nkeep_undone = 1\n", "utf-8")
    ended = phase.act("rollback")
    assert "retention.failed" in ended.complaint
    assert ended.outcome in ("swapped", "unchanged")
    assert phase.tally.faults == []


class Rest:
    """A store at rest, of which copies are spoilt."""

    def __init__(self, phase: Phase, folder: Path) -> None:
        self.phase = phase
        self._folder = folder
        self._copies = 0

    def one(self, sql: str) -> str:
        with closing(sqlite3.connect(self.phase.store)) as db:
            return str(db.execute(sql).fetchone()[0])

    def spoilt(self, sql: str) -> Path:
        self._copies += 1
        path = self._folder / f"copy{self._copies}.db"
        shutil.copy(self.phase.store, path)
        with closing(sqlite3.connect(path)) as db:
            db.executescript(sql)
        return path

    def kinds(self, sql: str) -> set[str]:
        return {fault.kind for fault in audit(self.spoilt(sql), self.phase.logs)}


def gone(phase: Phase) -> list[str]:
    """Facts that were deleted and not stored again."""
    done = [one for name, one in phase.logs.intents.items() if phase.logs.ends.get(name) == "ack"]
    return [fact for fact, kind in {one.target: one.kind for one in done}.items() if kind == "delete"]


@pytest.fixture(scope="module")
def rest(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rest]:
    folder = tmp_path_factory.mktemp("rest")
    phase = Phase(folder / "phase", Setting("wal", lasting=True), seed="rest", writers=len(KINDS), pause=0.001)
    try:
        phase.start()
        while len(phase.logs.acked()) < 100 or not gone(phase):
            phase.audit()
        phase.stop()
    finally:
        phase.abandon()
    assert phase.tally.faults == []
    yield Rest(phase, folder)


OWN = "(SELECT min(id) FROM facts WHERE id LIKE 'w%')"
SPOILS = {
    "a lost fact": (f"DELETE FROM facts WHERE id = {OWN}", "missing"),
    "a lost operation": ("DELETE FROM oplog WHERE rowid = (SELECT min(rowid) FROM oplog)", "missing"),
    "a lost episode": ("DELETE FROM episodes WHERE id = (SELECT min(id) FROM episodes)", "missing"),
    "a lost tombstone": ("DELETE FROM tombstones WHERE rowid = 1", "missing"),
    "a tombstone twice": ("INSERT INTO tombstones SELECT * FROM tombstones LIMIT 1", "duplicated"),
    "an operation twice": ("INSERT INTO oplog SELECT * FROM oplog LIMIT 1", "duplicated"),
    "another value": (f"UPDATE facts SET value = 'no' WHERE id = {OWN}", "wrong"),
    "an older version": (f"UPDATE facts SET app_version = app_version - 1 WHERE id = {OWN}", "wrong"),
    "lost evidence": ("UPDATE facts SET evidence = NULL", "wrong"),
    "lost confirmations": (f"UPDATE facts SET confirmations = 0 WHERE id = {OWN}", "wrong"),
    "a changed account": ("UPDATE accounts SET balance = balance + 1 WHERE number = 3", "wrong"),
    "a made fact": ("INSERT INTO facts(id, source, status, app_version) VALUES ('x', 'user', 'active', 1)", "wrong"),
    "a user's fact promoted": (
        "INSERT INTO facts(id, user_id, attribute, value, source, status) "
        "VALUES ('x', 'u0', 'drink', 'tea', 'inferred', 'active')",
        "rule broken",
    ),
    "a pointer to another user": (
        f"UPDATE facts SET superseded_by = 'seed1' WHERE id = {OWN}",
        "rule broken",
    ),
    "a dangling pointer": (f"UPDATE facts SET superseded_by = 'nobody' WHERE id = {OWN}", "rule broken"),
}


@pytest.mark.parametrize("spoil", SPOILS)
def test_the_auditor_overlooks_nothing(rest: Rest, spoil: str) -> None:
    sql, kind = SPOILS[spoil]
    assert rest.kinds("SELECT 1") == set()
    assert kind in rest.kinds(sql)


def test_the_auditor_knows_what_was_deleted_and_what_was_refused(rest: Rest) -> None:
    logs = rest.phase.logs
    assert rest.kinds(f"INSERT INTO facts(id, status) VALUES ('{gone(rest.phase)[0]}', 'active')") == {"resurrected"}
    acknowledged = next(name for name, how in logs.ends.items() if how == "ack")
    logs.ends[acknowledged] = "refused"
    try:
        assert rest.kinds("SELECT 1") == {"refused but there"}
    finally:
        logs.ends[acknowledged] = "ack"


def test_a_rollback_is_judged(rest: Rest) -> None:
    def faults(before: str, after: str) -> set[str]:
        stores = [Snapshot.take(rest.spoilt(sql)) for sql in (before, after)]
        return {fault.kind for fault in judge_rollback(stores[0], stores[1], rest.phase.logs)}

    last = rest.one("SELECT max(id) FROM facts WHERE id LIKE 'w%'")
    assert faults("SELECT 1", "SELECT 1") == set()
    assert faults("SELECT 1", f"UPDATE facts SET status = 'merged' WHERE id = '{last}'") == {"wrong"}
    assert faults("SELECT 1", f"DELETE FROM facts WHERE id = '{last}'") == {"missing"}
    pointing = f"UPDATE facts SET status = 'superseded', superseded_by = '{{}}' WHERE id = '{last}'"
    another = rest.one(f"SELECT id FROM facts WHERE user_id <> (SELECT user_id FROM facts WHERE id = '{last}')")
    for target in ("nobody", another):  # where the pointer leads to no fact of the user, it need not come back
        assert faults(pointing.format(target), "SELECT 1") == set()
    made = "INSERT INTO facts(id, user_id, attribute, source, status) VALUES ('promoted-1', 'u5', 'drink', 'inferred', 'active')"
    assert faults("SELECT 1", made) == {"wrong"}


def test_a_bad_outcome_is_a_fault(tmp_path: Path) -> None:
    """A run that fails when nothing was done to it does not pass for a good one."""
    phase = Phase(tmp_path, Setting("delete"), seed="bad", writers=0)
    phase.store.write_bytes(b"no database, but long enough to be read as one" * 100)
    ended = phase.act("plain")
    assert ended.status == 74
    assert any(fault.kind == "damaged" for fault in phase.tally.faults)
    assert not commands.Ended("plain", 0).killed
