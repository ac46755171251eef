"""Many users in one store, each with a few facts that hurt: since users never influence one another, one night tries the
rules on all of them at once."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

from tests.oracle import Candidate
from tests.stores import DAY, NOW, ODD_VALUES, RANKS, SOURCES, STATUSES, WORDS, Store

PLAIN = {
    "multi": 0,
    "source": "user",
    "valid_to": None,
    "expires_at": None,
    "status": "active",
    "superseded_by": None,
    "evidence": None,
    "confirmations": None,
}
ODD_TIMES = (None, "later", b"\0", float("inf"), float("-inf"), "")
ODD_COUNTS = (-2, 2.5, "many", b"1", 10**17, -(10**18), float("inf"))
ODD_EVIDENCE = (b"e1 e2", "e\udcff e1", "\0 e1", " e1  e1\te2 ", "")


VERBS = ("accept", "dismiss", "undo")


@dataclass
class Crowd:
    """What happens: settings and episodes, the facts that arrive before each night, its time, what is proposed.

    ``orders`` are what people do after each night: to which fact, and one of ``VERBS``; what does not wait for a decision
    is undone. ``rolled_back`` tells of each night how many are rolled back after it and what people did, if any.
    """

    store: Store
    arrivals: list[list[dict[str, Any]]]
    nights: list[float]
    offers: list[Candidate]
    orders: list[list[tuple[str, str]]] = field(default_factory=list)
    rolled_back: list[int] = field(default_factory=list)


def crowd(seed: int, users: int = 150) -> Crowd:
    """Make up a crowd; the same for the same seed."""
    chance = random.Random(seed)
    store = Store([], rank=chance.choice((RANKS[0], RANKS[0], *RANKS)))
    store.attributes = chance.choice(({}, {}, {}, {"city": "single"}, {"city": "multi"}))
    store.max_per_user = chance.choice((20, 20, 1))
    store.schema = "bare" if seed % 3 == 2 else "plain"
    nights = chance.choice(([NOW, NOW], [NOW - 2 * DAY, NOW, NOW], [NOW - 3 * DAY, NOW - DAY, NOW + DAY, NOW + DAY]))
    arrivals: list[list[dict[str, Any]]] = [[] for _ in nights]
    offers: list[Candidate] = []
    spoken: dict[Any, tuple[Any, Any]] = {"x1": ("nobody there", 16 * DAY)}
    pins: list[Any] = []
    for user in map(str, range(users)):
        episodes = [f"{user}e{number}" for number in range(5)]
        days = (15, 16, 17, 17.5, 18, 19, 20, 21)
        owners = [user] * 19 + ["x"]
        spoken |= {name: (chance.choice(owners), chance.choice(days) * DAY) for name in episodes}
        rows = group(chance, user, episodes)
        pins += chance.sample([row["id"] for row in rows], chance.choice((0, 0, 0, 0, 1, 2)))
        for row in rows:
            arrivals[chance.choice((0, 0, 0, *range(len(nights))))].append(row)
        offers += [offer(chance, user, episodes) for _ in range(chance.choice((0, 0, 0, 0, 0, 1, 2, 3)))]
    if chance.random() < 0.5:
        for batch in arrivals:
            chance.shuffle(batch)
    store.episodes, store.pins = spoken, pins
    return Crowd(store, arrivals, nights, offers)


def with_orders(story: Crowd, seed: int) -> Crowd:
    """The same crowd with what people do between the nights."""
    chance = random.Random(seed)
    names = [str(row["id"]) for batch in story.arrivals for row in batch]
    orders = []
    for _ in story.nights:
        ordered = [(name, chance.choice(VERBS)) for name in chance.sample(names, len(names) // 2)]
        orders.append(ordered + [(name, "undo") for name, _ in ordered if chance.random() < 0.2])
    return replace(story, orders=orders, rolled_back=[chance.choice((0, 0, 0, 1, 2)) for _ in story.nights])


def group(chance: random.Random, user: str, episodes: Sequence[str]) -> list[dict[str, Any]]:
    """A few facts of one user about one attribute."""
    names = [f"{user}-f{number}" for number in range(chance.randint(2, 9))]
    flags = chance.choice(((0,),) * 6 + ((1,), (0, 0, 0, 1), (0, None), (None,)))
    low, high = chance.choice(((15, 18), (14, 21)))
    words = chance.choice((WORDS[:5], WORDS[:4], ("A", "B", "C", "a"), ("A", "B")))
    sources = chance.choice((("user", "inferred"), ("user", "inferred", "import"), ("user",)))
    dirty = chance.random() < 0.6
    rows = []
    for name in names:
        cited = chance.choices([*episodes, "x1", "nobody"], k=chance.randint(0, 3))
        row = {
            "id": name,
            "user_id": user,
            "attribute": "city",
            "value": chance.choice(words),
            "multi": chance.choice(flags),
            "source": chance.choice(sources),
            "valid_from": chance.randint(low, high) * DAY,
            "valid_to": None,
            "expires_at": chance.choice((None, None, None, chance.randint(15, 23) * DAY)),
            "status": "active",
            "superseded_by": None,
            "evidence": chance.choice((None, " ".join(cited))),
            "confirmations": chance.choice((None, 0, 1, 2)),
        }
        if dirty and chance.random() < 0.6:
            close(chance, row, names)
        if dirty and chance.random() < 0.2:
            spoil(chance, row)
        rows.append(row)
    if chance.random() < 0.4:
        chain(chance.sample(rows, chance.randint(1, len(rows))))
    return rows


def chain(rows: Sequence[dict[str, Any]]) -> None:
    """Make a history of facts, each superseded by the next; the others are then back-dated or newer."""
    timed = sorted((row for row in rows if isinstance(row["valid_from"], float)), key=lambda row: row["valid_from"])
    for row, following in pairwise(timed):
        row |= {
            "status": "superseded",
            "superseded_by": following["id"],
            "valid_to": following["valid_from"],
            "expires_at": None,
        }


def close(chance: random.Random, row: dict[str, Any], names: Sequence[str]) -> None:
    """Give a fact a past: closed or parked, its pointer right, dangling, foreign or in a circle."""
    row["status"] = chance.choice(("superseded", "superseded", "merged", "merged", "expired", "review", "active"))
    row["superseded_by"] = chance.choice((None, *names, *names, "gone", "0-f1"))
    if row["status"] != "review":
        row["valid_to"] = chance.choice((None, *(chance.randint(15, 22) * DAY for _ in range(4))))


def spoil(chance: random.Random, row: dict[str, Any]) -> None:
    """Put into some columns what does not belong there."""
    odd = {
        "value": ODD_VALUES,
        "source": SOURCES,
        "status": STATUSES,
        "multi": (1, None, "yes", b"0", 0.5),
        "valid_from": ODD_TIMES,
        "valid_to": ODD_TIMES,
        "expires_at": ODD_TIMES,
        "evidence": ODD_EVIDENCE,
        "confirmations": ODD_COUNTS,
    }
    for name in chance.sample(sorted(odd), chance.randint(1, 3)):
        row[name] = chance.choice(odd[name])


def offer(chance: random.Random, user: str, episodes: Sequence[str]) -> Candidate:
    cited = chance.choices(episodes, k=chance.randint(1, 4))
    return Candidate(
        user_id=user,
        attribute=chance.choice(("city",) * 9 + ("diet",)),
        value=chance.choice((*WORDS[:5], "A", "B", "C")),
        evidence=(*cited, *chance.choice(((),) * 20 + (("x1",), ("nobody",)))),
        multi=chance.random() < 0.3,
        min_support=chance.randint(1, 3),
        min_days=chance.choice((1, 1, 2)),
    )
