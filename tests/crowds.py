"""Many users in one store, each with a few facts that hurt: since users never influence one another, one night tries the
rules on all of them at once. What goes wrong is then cut down to one user and as little as possible."""

from __future__ import annotations

import random
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from sqlite3 import connect
from typing import Any

from tests.oracle import Candidate, Oracle
from tests.oracle_group import Row
from tests.stores import (
    DAY,
    NOW,
    ODD_VALUES,
    RANKS,
    SOURCES,
    STATUSES,
    WORDS,
    Store,
    create,
    fill,
    insert,
    night_of_steps,
)
from tests.stores import read_facts as facts_of

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


@dataclass
class Crowd:
    """What happens: settings and episodes, the facts that arrive before each night, its time, what is proposed."""

    store: Store
    arrivals: list[list[dict[str, Any]]]
    nights: list[float]
    offers: list[Candidate]


def crowd(seed: int, users: int = 150) -> Crowd:
    """Make up a crowd; the same for the same seed."""
    chance = random.Random(seed)
    store = Store([], rank=chance.choice((RANKS[0], RANKS[0], *RANKS)))
    store.attributes = chance.choice(({}, {}, {}, {"city": "single"}, {"city": "multi"}))
    store.max_per_user = chance.choice((20, 20, 1))
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


def plainly(rows: Sequence[Row], known: int) -> list[dict[str, Any]]:
    """The rows, with the ids of those that this night promoted replaced by their place."""
    names = {row.id: f"promoted {place}" for place, row in enumerate(rows[known:])}
    named = [replace(row, id=names.get(row.id, row.id)) for row in rows]
    return [vars(replace(row, superseded_by=names.get(row.superseded_by, row.superseded_by))) for row in named]


def differences(found: Sequence[Row], expected: Sequence[Row], known: int) -> list[tuple[Any, str]]:
    """Where the steps and the oracle differ: the user concerned, and in what."""
    theirs, mine = Counter(row.user_id for row in found), Counter(row.user_id for row in expected)
    if theirs != mine:
        users = [user for user in theirs | mine if theirs[user] != mine[user]]
        return [(user, f"{theirs[user]} facts by the steps, {mine[user]} by the oracle") for user in users]
    return [
        (one["user_id"], f"{one['id']!r}.{name}: the steps say {other[name]!r}, the oracle {one[name]!r}")
        for other, one in zip(plainly(found, known), plainly(expected, known), strict=True)
        for name in one
        if other[name] != one[name]
    ]


def oracle_of(store: Store) -> Oracle:
    oracle = Oracle(store.rank, store.attributes, store.pins, store.episodes, store.tombstones)
    oracle.max_per_user, oracle.max_per_run = store.max_per_user, store.max_per_run
    return oracle


def capped(oracle: Oracle) -> bool:
    """Whether a cap held something back that a second night right after would try again."""
    return any(reason.startswith("max_") for reason in oracle.skipped)


def disagreements(story: Crowd) -> list[tuple[Any, str]]:
    """Play the nights on a real file; return the first night's differences, or what a second night right after changed."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memory.db"
        create(path)
        fill(path, story.store)
        oracle = oracle_of(story.store)
        for batch, now in zip(story.arrivals, story.nights, strict=True):
            with closing(connect(path)) as db, db:
                for row in batch:
                    insert(db, "facts", row)
            before = facts_of(path)
            expected = oracle.night(before, now, candidates=story.offers)
            night_of_steps(path, story.store, now, candidates=story.offers)
            after = facts_of(path)
            if wrong := differences(after, expected, len(before)):
                return wrong
            night_of_steps(path, story.store, now, candidates=[] if capped(oracle) else story.offers)
            if wrong := differences(facts_of(path), after, len(after)):
                return [(user, f"a second night: {what}") for user, what in wrong]
    return []


def only(story: Crowd, user: object) -> Crowd:
    """The part of the story that is about one user."""
    arrivals = [[row for row in batch if row["user_id"] == user] for batch in story.arrivals]
    return replace(story, arrivals=arrivals, offers=[offer for offer in story.offers if offer.user_id == user])


def smallest(story: Crowd) -> Crowd:
    """Leave out facts, columns and proposals as long as something is still wrong."""
    while smaller := next((one for one in reductions(story) if disagreements(one)), None):
        story = smaller
    return story


def reductions(story: Crowd) -> Iterator[Crowd]:
    """The same story with one thing less."""
    for row in [row for batch in story.arrivals for row in batch]:
        yield replace(story, arrivals=without(story.arrivals, row))
        for name in [name for name in PLAIN if row[name] != PLAIN[name]]:
            yield replace(story, arrivals=without(story.arrivals, row, row | {name: PLAIN[name]}))
    for offer in story.offers:
        yield replace(story, offers=[other for other in story.offers if other is not offer])


def without(
    batches: list[list[dict[str, Any]]], row: dict[str, Any], instead: dict[str, Any] | None = None
) -> list[list[dict[str, Any]]]:
    """The batches with one row left out, or another one in its place."""
    swapped = [[instead if one is row else one for one in batch] for batch in batches]
    return [[one for one in batch if one is not None] for batch in swapped]
