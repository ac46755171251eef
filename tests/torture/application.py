"""What a daytime application does to a store, one transaction at a time, in SQL that any client can send.

Every operation also appends its name to ``oplog`` with the number of rows it changed, and moves an amount between two accounts:
whatever of an operation is missing, doubled or half there can be told from the rest of it.
"""

from __future__ import annotations

import random
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

ACCOUNTS = 8
BALANCE = 1000
DAY = 86_400.0

SCHEMA = f"""
CREATE TABLE facts(id TEXT PRIMARY KEY, user_id TEXT, attribute TEXT, value TEXT, multi INTEGER, source TEXT,
  valid_from REAL, valid_to REAL, expires_at REAL, status TEXT, superseded_by TEXT, evidence TEXT, confirmations INTEGER,
  app_version INTEGER, app_note TEXT);
CREATE TABLE episodes(id TEXT PRIMARY KEY, user_id TEXT, occurred_at REAL, summary TEXT);
CREATE TABLE tombstones(user_id TEXT, attribute TEXT, value TEXT);
CREATE INDEX facts_by_user ON facts(user_id, attribute);
CREATE TABLE oplog(op TEXT, changed INTEGER, target TEXT);
CREATE TABLE accounts(number INTEGER PRIMARY KEY, balance INTEGER);
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < {ACCOUNTS - 1})
  INSERT INTO accounts SELECT i, {BALANCE} FROM n;
"""
TRIGGERS = """
CREATE TABLE status_log(fact_id TEXT, status TEXT);
CREATE TRIGGER on_status AFTER UPDATE OF status ON facts BEGIN INSERT INTO status_log VALUES (new.id, new.status); END;
"""
# Forgotten from the start: nothing of it may ever be promoted.
FORGOTTEN = (("u0", "drink", None), ("u1", "", None), ("u2", "drink", "TEA"))

_VALUES = {
    "city": ("Boston", "boston", "Boston.", "Austin", "Oslo", "東京", "O'Fallon"),
    "diet": ("vegan", "Vegan", "none"),
    "plan": ("basic", "pro", "Pro", "team"),
    "pet": ("cat", "Cat.", "dog", "owl"),
    "drink": ("tea", "Tea", "coffee", "water"),
}
_MANY = ("pet", "drink")
_KINDS = {"insert": 40, "update": 25, "delete": 8, "again": 4, "tombstone": 2, "episode": 16, "drop": 2, "adopt": 3}


@dataclass(frozen=True)
class Operation:
    """One transaction of the application.

    Attributes:
        name: unique; ``<writer>.<life>.<number>``.
        kind: ``insert``, ``update``, ``delete`` (a fact), ``episode``, ``drop`` (an episode), ``tombstone``, ``adopt`` (edit a
            fact that the job made).
        target: the id of the row.
        row: the columns that are set.
        transfer: from which account to which, and how much.
        opening: how the transaction begins.
    """

    name: str
    kind: str
    target: str
    row: Mapping[str, Any]
    transfer: tuple[int, int, int]
    opening: str = "BEGIN IMMEDIATE"

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def of(cls, found: Mapping[str, Any]) -> Operation:
        return cls(**{**found, "transfer": tuple(found["transfer"])})

    def statements(self) -> list[str]:
        """Return the SQL of the transaction, ``COMMIT`` included."""
        giver, taker, amount = self.transfer
        found = f"(SELECT id FROM facts WHERE app_note = {literal(self.name)})"
        return [
            self.opening,
            self._change(),
            f"INSERT INTO oplog VALUES ({literal(self.name)}, changes(), "
            + (found if self.kind == "adopt" else literal(self.target))
            + ")",
            f"UPDATE accounts SET balance = balance - {amount} WHERE number = {giver}",
            f"UPDATE accounts SET balance = balance + {amount} WHERE number = {taker}",
            "COMMIT",
        ]

    def _change(self) -> str:
        names, values = ", ".join(self.row), ", ".join(map(literal, self.row.values()))
        if self.kind in ("insert", "episode", "tombstone"):
            table = {"insert": "facts", "episode": "episodes", "tombstone": "tombstones"}[self.kind]
            return f"INSERT INTO {table}({names}) VALUES ({values})"
        where = f"WHERE id = {literal(self.target)}"
        if self.kind == "delete":
            return f"DELETE FROM facts {where}"
        if self.kind == "drop":
            return f"DELETE FROM episodes {where}"
        sets = ", ".join(f"{name} = {literal(value)}" for name, value in self.row.items() if name != "evidence")
        if self.kind == "adopt":
            return (
                f"UPDATE facts SET {sets} WHERE id = (SELECT id FROM facts WHERE id NOT LIKE 'w%' AND id NOT LIKE 'seed%' "
                "AND app_note IS NULL ORDER BY id LIMIT 1)"
            )
        word = literal(self.row["evidence"])
        return (
            f"UPDATE facts SET {sets}, confirmations = coalesce(confirmations, 0) + 1, "
            f"evidence = CASE coalesce(evidence, '') WHEN '' THEN {word} ELSE evidence || ' ' || {word} END {where}"
        )


def literal(value: object) -> str:
    """Return a value as SQL; times are multiples of a quarter of a second, which every client reads alike."""
    if value is None:
        return "NULL"
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    assert isinstance(value, int | float)
    return repr(value)


def quarter(when: float) -> float:
    return round(when * 4) / 4


@dataclass
class Application:
    """What one writer does next, on ids of its own.

    Args:
        writer: its number.
        life: how often it has been started.
        seed: decides everything but the clock.
        users: how many users there are.
    """

    writer: int
    life: int
    seed: str
    users: int = 40
    _facts: dict[str, str] = field(default_factory=dict)
    _gone: list[str] = field(default_factory=list)
    _episodes: list[str] = field(default_factory=list)
    _owners: dict[str, str] = field(default_factory=dict)
    _number: int = 0

    def __post_init__(self) -> None:
        self._rng = random.Random(f"{self.seed}/{self.writer}/{self.life}")

    def next(self) -> Operation:
        """Think of an operation."""
        rng = self._rng
        self._number += 1
        name = f"{self.writer}.{self.life}.{self._number}"
        kind = rng.choices(list(_KINDS), list(_KINDS.values()))[0]
        if (kind in ("update", "delete") and not self._facts) or (kind == "again" and not self._gone):
            kind = "insert"
        if kind == "drop" and not self._episodes:
            kind = "episode"
        giver, taker = rng.sample(range(ACCOUNTS), 2)
        target, row = self._row(kind, name)
        opening = "BEGIN" if rng.random() < 0.2 else "BEGIN IMMEDIATE"
        kind = "insert" if kind == "again" else kind
        return Operation(name, kind, target, row, (giver, taker, rng.randint(1, 9)), opening)

    def settle(self, operation: Operation, how: str) -> None:
        """Take note of what came of it; an id of which nothing is known any more is left alone for ever."""
        target, kind = operation.target, operation.kind
        if how == "refused":
            return
        if how == "unknown" or kind in ("delete", "drop", "insert"):
            self._facts.pop(target, None)
            self._gone = [one for one in self._gone if one != target]
            self._episodes = [one for one in self._episodes if one != target]
        if how != "ack":
            return
        if kind == "insert":
            self._facts[target] = operation.row["attribute"]
        elif kind == "delete":
            self._gone.append(target)
        elif kind == "episode":
            self._episodes.append(target)

    def _row(self, kind: str, name: str) -> tuple[str, dict[str, Any]]:
        rng = self._rng
        if kind == "adopt":
            return "", {"app_version": self._number, "app_note": name}
        if kind in ("insert", "again"):
            target = rng.choice(self._gone) if kind == "again" else f"w{name}"
            row = self._fact(target, name)
            while row["user_id"] == self._owners.get(target):  # else nobody could tell it from what it replaces
                row["user_id"] = f"u{rng.randrange(self.users)}"
            self._owners[target] = row["user_id"]
            return target, row
        if kind == "update":
            target = rng.choice(list(self._facts))
            return target, self._edit(self._facts[target], name) | {"evidence": f"n{name}"}
        if kind == "delete":
            return rng.choice(list(self._facts)), {}
        if kind == "drop":
            return rng.choice(self._episodes), {}
        user = f"u{rng.randrange(self.users)}"
        if kind == "tombstone":
            attribute = rng.choice(list(_VALUES))
            return "", {"user_id": user, "attribute": attribute, "value": rng.choice(_VALUES[attribute])}
        row = {
            "id": f"e{name}",
            "user_id": user,
            "occurred_at": quarter(time.time() - rng.uniform(0, 9 * DAY)),
            "summary": f"Ordered {rng.choice(_VALUES['drink'])} again.",
        }
        return f"e{name}", row

    def _fact(self, target: str, name: str) -> dict[str, Any]:
        rng = self._rng
        attribute = rng.choice(list(_VALUES))
        return {
            "id": target,
            "user_id": f"u{rng.randrange(self.users)}",
            "attribute": attribute,
            "source": "user" if rng.random() < 0.75 else "inferred",
            "valid_from": quarter(time.time() + rng.choice((-30 * DAY, -DAY, -60, 2)) * rng.random()),
            "status": "active",
            "evidence": f"n{name}" if rng.random() < 0.7 else None,
            "confirmations": 1,
            **self._edit(attribute, name),
        }

    def _edit(self, attribute: str, name: str) -> dict[str, Any]:
        rng = self._rng
        multi = int(attribute in _MANY)
        if attribute == "plan" and rng.random() < 0.05:
            multi = 1
        return {
            "value": rng.choice(_VALUES[attribute]),
            "multi": multi,
            "expires_at": quarter(time.time() + rng.uniform(-5, 30)) if rng.random() < 0.1 else None,
            "app_version": self._number,
            "app_note": name,
        }
