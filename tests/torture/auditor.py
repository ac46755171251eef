"""The auditor: what the writers logged against what the store holds, with the stdlib module and SQL of its own.

Which operations were committed is read from ``oplog`` in the same snapshot as everything else, so that a store can be judged
while it is written. That ``oplog`` itself lost nothing, the logs outside tell.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from tests.torture.application import ACCOUNTS, BALANCE, FORGOTTEN, Operation
from tests.torture.logs import Logs

KINDS = ("missing", "wrong", "resurrected", "duplicated", "refused but there", "damaged", "rule broken")
_SHOWN = 5
_MUTABLE = ("status", "valid_to", "superseded_by", "evidence", "confirmations")
_STATUSES = {"active", "merged", "superseded", "expired", "review"}


@dataclass(frozen=True)
class Fault:
    """One discrepancy; ``kind`` is one of `KINDS`."""

    kind: str
    what: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.what}"


@dataclass
class Snapshot:
    """Everything that is judged, as it was at one instant."""

    integrity: list[str]
    oplog: list[tuple[str, int, str]]
    accounts: dict[int, int]
    facts: dict[str, dict[str, Any]]
    episodes: dict[str, tuple[Any, ...]]
    tombstones: Counter[tuple[Any, ...]]

    @classmethod
    def take(cls, path: Path, *, kept: bool = False) -> Snapshot:
        """Read a store in one transaction; ``kept`` for a file beside it that nobody has open."""
        where = f"file:{path}?mode=ro&immutable=1" if kept else f"file:{path}?mode=rw"
        with closing(sqlite3.connect(where, uri=True, timeout=60, isolation_level=None)) as db:
            db.execute("BEGIN")
            oplog = db.execute("SELECT op, changed, target FROM oplog").fetchall()
            accounts = dict(db.execute("SELECT number, balance FROM accounts").fetchall())
            episodes = {row[0]: row for row in db.execute("SELECT id, user_id, occurred_at, summary FROM episodes")}
            tombstones = Counter(db.execute("SELECT user_id, attribute, value FROM tombstones").fetchall())
            integrity = [row[0] for row in db.execute("PRAGMA integrity_check") if row[0] != "ok"]
            integrity += [f"foreign key {row}" for row in db.execute("PRAGMA foreign_key_check")]
            db.row_factory = sqlite3.Row
            facts = {row["id"]: dict(row) for row in db.execute("SELECT * FROM facts")}
            db.execute("COMMIT")
        return cls(integrity, oplog, accounts, facts, episodes, tombstones)

    @cached_property
    def committed(self) -> dict[str, tuple[int, str]]:
        return {name: (changed, target) for name, changed, target in self.oplog}


@dataclass
class _Expected:
    """The rows of the application, by its own account."""

    facts: dict[str, dict[str, Any]] = field(default_factory=dict)
    evidence: dict[str, list[str]] = field(default_factory=dict)
    confirmations: Counter[str] = field(default_factory=Counter)
    adopted: dict[str, Operation] = field(default_factory=dict)
    deleted: set[str] = field(default_factory=set)  # at any time
    episodes: dict[str, tuple[Any, ...]] = field(default_factory=dict)
    tombstones: Counter[tuple[Any, ...]] = field(default_factory=lambda: Counter(FORGOTTEN))
    accounts: Counter[int] = field(default_factory=lambda: Counter(dict.fromkeys(range(ACCOUNTS), BALANCE)))

    def apply(self, operation: Operation, target: str) -> None:
        row = dict(operation.row)
        giver, taker, amount = operation.transfer
        self.accounts[giver] -= amount
        self.accounts[taker] += amount
        if operation.kind in ("insert", "update"):
            word = row.pop("evidence")
            if operation.kind == "insert":
                self.facts[target], self.evidence[target], self.confirmations[target] = {}, [], 0
                row = {name: value for name, value in row.items() if name not in _MUTABLE}
            self.facts[target].update(row)
            self.evidence[target] += [word] if word else []
            self.confirmations[target] += 1
        elif operation.kind == "delete":
            self.facts.pop(target)
            self.deleted.add(target)
        elif operation.kind == "episode":
            self.episodes[target] = tuple(row.values())
        elif operation.kind == "drop":
            self.episodes.pop(target)
        elif operation.kind == "tombstone":
            self.tombstones[tuple(row.values())] += 1
        elif target:  # else there was nothing to edit
            self.adopted[target] = operation


def audit(path: Path, logs: Logs) -> list[Fault]:
    """Compare a store with the logs of its writers, who may go on writing meanwhile."""
    logs.read()
    acked = logs.acked()
    try:
        store = Snapshot.take(path)
    except sqlite3.Error as error:
        return [Fault("damaged", f"the store cannot be read: {error}")]
    logs.read()
    return audit_snapshot(store, logs, acked)


def audit_snapshot(store: Snapshot, logs: Logs, acked: Iterable[str]) -> list[Fault]:
    """Compare a snapshot with the logs.

    Args:
        store: the snapshot.
        logs: read after it was taken.
        acked: what had been acknowledged before.
    """
    faults = [Fault("damaged", text) for text in store.integrity]
    faults += _judge_oplog(store, logs, acked)
    expected = _Expected()
    for name, operation in logs.intents.items():
        if name in store.committed:
            changed, target = store.committed[name]
            if operation.kind != "adopt" and changed != 1:
                faults.append(Fault("missing", f"{operation.kind} {name} found {changed} rows of {operation.target}"))
            try:
                expected.apply(operation, target if operation.kind == "adopt" else operation.target)
            except KeyError:
                faults.append(Fault("missing", f"{operation.kind} {name} without what came before"))
    faults += _judge_tables(store, expected)
    for fact_id in sorted({*store.facts, *expected.facts, *expected.adopted}):
        faults += _judge_fact(fact_id, store, expected)
    return faults


def _judge_oplog(store: Snapshot, logs: Logs, acked: Iterable[str]) -> list[Fault]:
    counts = Counter(name for name, _, _ in store.oplog)
    faults = [Fault("missing", f"acknowledged {name}") for name in acked if name not in counts]
    faults += [Fault("duplicated", f"operation {name}") for name, count in counts.items() if count > 1]
    for name in counts:
        if name not in logs.intents:
            faults.append(Fault("wrong", f"nobody meant to do {name}"))
        elif logs.ends.get(name) == "refused":
            faults.append(Fault("refused but there", name))
    return faults


def _judge_tables(store: Snapshot, expected: _Expected) -> list[Fault]:
    faults = []
    for number, balance in expected.accounts.items():
        if store.accounts.get(number) != balance:
            faults.append(Fault("wrong", f"account {number} holds {store.accounts.get(number)}, not {balance}"))
    for name in {*store.episodes, *expected.episodes}:
        found, wanted = store.episodes.get(name), expected.episodes.get(name)
        if found != wanted:
            kind = "missing" if found is None else "resurrected" if wanted is None else "wrong"
            faults.append(Fault(kind, f"episode {name}"))
    for row in {*store.tombstones, *expected.tombstones}:
        more = store.tombstones[row] - expected.tombstones[row]
        if more:
            faults.append(Fault("missing" if more < 0 else "duplicated", f"{abs(more)} tombstones {row}"))
    return faults


def _judge_fact(fact_id: str, store: Snapshot, expected: _Expected) -> list[Fault]:
    found, wanted = store.facts.get(fact_id), expected.facts.get(fact_id)
    if found is None:
        return [Fault("missing", f"fact {fact_id}")]
    faults = _judge_pointer(fact_id, found, store, expected)
    if fact_id.startswith("seed"):
        return faults
    if wanted is None and fact_id.startswith("w"):
        return [Fault("resurrected", f"fact {fact_id}")]
    if wanted is None:
        return faults + _judge_made(fact_id, found, expected)
    for name, value in wanted.items():
        if found[name] != value:
            faults.append(Fault("wrong", f"{name} of {fact_id} is {found[name]!r}, not {value!r}"))
    words = (found["evidence"] or "").split(" ")
    own = [word for word in words if word in expected.evidence[fact_id]]
    if own != expected.evidence[fact_id]:
        faults.append(Fault("wrong", f"evidence of {fact_id} is {words}, not with {expected.evidence[fact_id]} in it"))
    if not (found["confirmations"] or 0) >= expected.confirmations[fact_id]:
        faults.append(Fault("wrong", f"fact {fact_id} has {found['confirmations']} confirmations"))
    return faults


def _judge_pointer(fact_id: str, found: dict[str, Any], store: Snapshot, expected: _Expected) -> list[Fault]:
    """A pointer leads to a fact of the same user and attribute, or to an id that the application deleted, or used again."""
    faults = []
    if found["status"] not in _STATUSES:
        faults.append(Fault("rule broken", f"fact {fact_id} has the status {found['status']!r}"))
    pointer = found["superseded_by"]
    if pointer is None:
        return faults
    target = store.facts.get(pointer)
    if pointer in expected.deleted:
        return faults
    if target is None:
        faults.append(Fault("rule broken", f"fact {fact_id} points to {pointer}, which never was"))
    elif any(found[name] != target[name] for name in ("user_id", "attribute")):
        faults.append(Fault("rule broken", f"fact {fact_id} points to {pointer} of another user or attribute"))
    return faults


def _judge_made(fact_id: str, found: dict[str, Any], expected: _Expected) -> list[Fault]:
    """A fact that the job made: promoted from episodes of its user, never what was forgotten from the start."""
    faults = []
    edit = expected.adopted.get(fact_id)
    version = edit.row["app_version"] if edit else None
    if found["app_version"] != version:
        faults.append(Fault("wrong", f"promoted fact {fact_id} has version {found['app_version']}, not {version}"))
    if found["source"] != "inferred" or found["attribute"] != "drink":
        faults.append(Fault("wrong", f"the job made {fact_id} of source {found['source']}"))
    if found["user_id"] in ("u0", "u1") or (found["user_id"] == "u2" and found["value"].casefold() == "tea"):
        faults.append(Fault("rule broken", f"fact {fact_id} was forgotten and promoted"))
    return faults


def judge_rollback(before: Snapshot, after: Snapshot, logs: Logs) -> list[Fault]:
    """Judge a rollback: what the application did not touch since is as it was, and what the job made since is gone.

    What is forgotten need not come back, nor what would point to a fact that is not there, or is another user's by now.

    Args:
        before: the file that the first of the runs taken back had kept.
        after: the store after the rollback.
        logs: read after that.
    """
    since = [logs.intents[name] for name in after.committed if name not in before.committed and name in logs.intents]
    touched = {operation.target for operation in since}
    touched |= {after.committed[operation.name][1] for operation in since if operation.kind == "adopt"}
    forgotten = {(user, attribute) for user, attribute, _ in after.tombstones}
    referred = _referred(after, touched)
    faults = []
    for fact_id, found in after.facts.items():
        user = found["user_id"]
        if fact_id in touched or {(user, ""), (user, found["attribute"])} & forgotten:
            continue
        earlier = before.facts.get(fact_id)
        if earlier is None:
            if fact_id not in referred:
                faults.append(Fault("wrong", f"fact {fact_id} was made by a run that was rolled back"))
        elif _leads(after, earlier) and any(found[name] != earlier[name] for name in _MUTABLE):
            changed = [
                f"{name} {found[name]!r}, not {earlier[name]!r}" for name in _MUTABLE if found[name] != earlier[name]
            ]
            faults.append(Fault("wrong", f"{fact_id} is not rolled back: {'; '.join(changed)}"))
    lost = before.facts.keys() - after.facts.keys() - touched
    return faults + [Fault("missing", f"fact {fact_id} since the rollback") for fact_id in sorted(lost)]


def _leads(store: Snapshot, fact: dict[str, Any]) -> bool:
    """Tell whether a fact's pointer, if it has one, leads to a fact of its own user."""
    target = fact["superseded_by"]
    return target is None or (target in store.facts and store.facts[target]["user_id"] == fact["user_id"])


def _referred(store: Snapshot, facts: set[str]) -> set[str]:
    """Return what facts point to, and what that points to; it cannot be taken away."""
    found: set[str] = set()
    while facts:
        targets = {store.facts[fact_id]["superseded_by"] for fact_id in facts if fact_id in store.facts}
        facts = targets - found - {None}
        found |= facts
    return found


def summary(faults: list[Fault]) -> list[str]:
    """Return sentences for people: the first few of each kind."""
    said = []
    for kind in KINDS:
        alike = [fault for fault in faults if fault.kind == kind]
        said += [str(fault) for fault in alike[:_SHOWN]]
        if len(alike) > _SHOWN:
            said.append(f"{kind}: {len(alike) - _SHOWN} more")
    return said
