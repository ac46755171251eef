"""Stores made up by seed: the same rows for the same numbers, of any size."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from consolidate.store.contract import SCHEMA

DAY = 86_400.0
NOW = 1_780_000_000.0

# What one user has: attributes with one value, contradicted ones, restated ones, and several values of one attribute.
FACTS_PER_USER = 50
_PLAIN, _CONTRADICTED, _RESTATED = 26, 5, 5
WORDS = (
    "Boston", "Austin", "green tea", "earl grey", "Москва", "東京", "القاهرة", "São Paulo", "aisle seat", "window seat",
    "vegan", "oat milk", "5 km", "half marathon", "Python", "C++", "café crème", "jazz", "🎸 guitar", "Zürich",
)  # fmt: skip
_ATTRIBUTES = tuple(f"trait_{number:02}" for number in range(_PLAIN))


@dataclass(frozen=True)
class Plan:
    """What a store is to hold.

    Attributes:
        facts: how many facts, about.
        episodes: how many episodes per fact.
        journal: the journal mode.
        seed: what the rows are made up from.
        indexed: whether there is an index of users and attributes.
    """

    facts: int
    episodes: float = 0.4
    journal: str = "wal"
    seed: int = 1
    indexed: bool = True


def create(path: Path, plan: Plan) -> None:
    """Write a store; what is at the path goes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    chance = random.Random(plan.seed)
    with closing(sqlite3.connect(path)) as db:
        db.execute(f"PRAGMA journal_mode={plan.journal}")
        db.execute("PRAGMA synchronous=OFF")
        db.executescript(SCHEMA)
        if not plan.indexed:
            db.execute("DROP INDEX facts_by_user")
        users = [f"user-{number:07}" for number in range(max(1, plan.facts // FACTS_PER_USER))]
        with db:
            db.executemany(f"INSERT INTO facts VALUES ({','.join('?' * 13)})", _facts(users, chance))
            per_user = round(plan.episodes * FACTS_PER_USER)
            db.executemany("INSERT INTO episodes VALUES (?,?,?,?)", _episodes(users, per_user, chance))
            forgotten = [(user, "plan", "Boston") for user in users if chance.random() < 0.02]
            db.executemany("INSERT INTO tombstones VALUES (?,?,?)", forgotten)


def _facts(users: list[str], chance: random.Random) -> Iterator[tuple[Any, ...]]:
    """Yield the facts as an application appends them: user after user, day after day."""
    number = 0
    for user in users:
        for attribute, value, multi, source, day in _said(chance):
            number += 1
            expires = NOW - DAY * chance.random() if chance.random() < 0.005 else None
            yield (
                f"f{number:09}", user, attribute, value, multi, source, NOW - DAY * (400 - day), None, expires, "active",
                None, f"{user}-e{day % 20}", 1,
            )  # fmt: skip


def _said(chance: random.Random) -> Iterator[tuple[str, str, int, str, int]]:
    days = sorted(chance.sample(range(1, 390), FACTS_PER_USER))
    said: list[tuple[str, str, int, str]] = [
        (attribute, f"{chance.choice(WORDS)} {chance.randrange(10_000)}", 0, "user") for attribute in _ATTRIBUTES
    ]
    for number in range(_CONTRADICTED):
        for source in ("user", "inferred" if number == 0 else "user"):
            said.append((f"changing_{number}", f"{chance.choice(WORDS)} {chance.randrange(1_000)}", 0, source))
    for number in range(_RESTATED):
        value = f"{chance.choice(WORDS)} {chance.randrange(1_000)}"
        said += [(f"liking_{number}", value, 1, "user"), (f"liking_{number}", f" {value.upper()}.", 1, "user")]
    while len(said) < FACTS_PER_USER:
        said.append(("hobby", f"{chance.choice(WORDS)} {chance.randrange(1_000)}", 1, "user"))
    chance.shuffle(said)
    yield from ((*item, day) for item, day in zip(said, days, strict=True))


def _episodes(users: list[str], per_user: int, chance: random.Random) -> Iterator[tuple[Any, ...]]:
    for user in users:
        for number in range(per_user):
            summary = f"{user} spoke of {chance.choice(WORDS)} and {chance.choice(WORDS)} on the phone."
            yield f"{user}-e{number}", user, NOW - DAY * (300 - number * 10), summary


def grow(path: Path, share: float, now: float, seed: int = 2) -> int:
    """Append facts, a share of those there are: half of them restate or contradict. Returns how many."""
    chance = random.Random(seed)
    with closing(sqlite3.connect(path, timeout=60)) as db:
        (count, users) = db.execute("SELECT count(*), count(DISTINCT user_id) FROM facts").fetchone()
        rows = []
        for number in range(round(count * share)):
            user = f"user-{chance.randrange(users):07}"
            attribute = chance.choice((*_ATTRIBUTES, "hobby", "hobby"))
            value = f"{chance.choice(WORDS)} {chance.randrange(10_000)}"
            rows.append((f"n{seed}-{number:08}", user, attribute, value, int(attribute == "hobby"), "user", now - 60.0,
                         None, None, "active", None, None, 1))  # fmt: skip
        with db:
            db.executemany(f"INSERT INTO facts VALUES ({','.join('?' * 13)})", rows)
    return len(rows)
