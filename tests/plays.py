"""Playing what happens to a crowd on a real file and with the oracle. What goes wrong is cut down to one user and as little
as possible."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from sqlite3 import connect
from typing import Any

from consolidate.errors import UsageError
from consolidate.operate import review, undo
from consolidate.operate.rollback import roll_back
from consolidate.operate.rollback_plan import Target
from consolidate.operate.tenants import Tenant
from tests.crowds import PLAIN, Crowd
from tests.oracle import Oracle
from tests.oracle_group import Row
from tests.oracle_past import Past, RefusedError, Run
from tests.stores import Store, create, fill, insert, night_of_steps, settings_of
from tests.stores import read_facts as facts_of

Wrong = list[tuple[Any, str]]
Done = tuple[str, Sequence[Row]] | None


class OneSidedError(Exception):
    """The store or the oracle alone refuses something."""


def both(real: Callable[[], str | None], naive: Callable[[str], Sequence[Row]]) -> Done:
    """Do something to the store, which names the run, and with the oracle, which returns the facts, unless both refuse it.

    Raises:
        OneSidedError: one of them alone refuses it.
    """
    try:
        run_id = real()
    except UsageError:
        run_id = None
    try:
        rows = naive(run_id or "")
    except RefusedError:
        if run_id is not None:
            raise OneSidedError("the oracle alone refuses it") from None
        return None
    if run_id is None:
        raise OneSidedError("the store alone refuses it")
    return run_id, rows


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


class Play:
    """A crowd's story on a real file, with the oracle beside it."""

    def __init__(self, story: Crowd, folder: Path) -> None:
        self.story = story
        self.tenant = Tenant.of(folder, "acme")
        self.path = self.tenant.path
        self.path.parent.mkdir()
        create(self.path, story.store.schema)
        fill(self.path, story.store)
        self.settings = settings_of(story.store)
        self.oracle = oracle_of(story.store)
        self.past = Past(self.oracle)

    def disagreements(self) -> Wrong:
        story = self.story
        orders = story.orders or [[] for _ in story.nights]
        rolled_back = story.rolled_back or [0] * len(story.nights)
        for batch, now, ordered, back in zip(story.arrivals, story.nights, orders, rolled_back, strict=True):
            with closing(connect(self.path)) as db, db:
                for row in batch:
                    insert(db, "facts", row)
            if wrong := self.night(now) or self.obey(ordered, now) or self.roll_back(back, now):
                return wrong
        return []

    def night(self, now: float) -> Wrong:
        """The night's differences, or what a second night right after changed."""
        before = facts_of(self.path)
        expected = self.oracle.night(before, now, candidates=self.story.offers)
        run_id = night_of_steps(self.path, self.story.store, now, candidates=self.story.offers).run_id
        after = facts_of(self.path)
        if wrong := differences(after, expected, len(before)):
            return wrong
        self.past.add_night(Run(run_id, "night", now, before, after))
        night_of_steps(self.path, self.story.store, now, candidates=[] if capped(self.oracle) else self.story.offers)
        return [(user, f"a second night: {what}") for user, what in differences(facts_of(self.path), after, len(after))]

    def obey(self, orders: Sequence[tuple[str, str]], now: float) -> Wrong:
        """What people do: decide about what waits, else undo a decision of today, or what the last night did to a fact."""
        rows: Sequence[Row] = facts_of(self.path)
        known = len(rows)
        decided: dict[str, Run] = {}
        for name, verb in orders:
            waits = any(row.id == name for row in self.past.parked(rows))
            run = decided.get(name) or (self.past.runs[-1] if self.past.runs else None)
            try:
                if waits and verb != "undo":
                    done = self.decide(rows, name, verb, now)
                    if done:
                        decided[name] = Run(done[0], "review", now, rows, done[1])
                else:
                    done = self.undo(rows, run, name, now) if run and name in run.net else None
            except OneSidedError as error:
                return [(next((row.user_id for row in rows if row.id == name), None), f"{verb} {name}: {error}")]
            rows = done[1] if done else rows
        return [(user, f"what people did: {what}") for user, what in differences(facts_of(self.path), rows, known)]

    def decide(self, rows: Sequence[Row], name: str, verb: str, now: float) -> Done:
        real, naive = (review.accept, self.past.accept) if verb == "accept" else (review.dismiss, self.past.dismiss)
        made: list[Any] = []

        def decide() -> str:
            answer = real(self.path, self.settings, name, now)
            made.extend([answer["fact"]] * (verb == "accept"))
            return str(answer["run_id"])

        return both(decide, lambda run_id: naive(rows, name, now, run_id, *made))

    def undo(self, rows: Sequence[Row], run: Run, name: str, now: float) -> Done:
        return both(
            lambda: undo.undo(self.path, self.settings, run.id, now, fact_id=name).run_id,
            lambda run_id: self.past.undo(rows, run, run_id, name),
        )

    def roll_back(self, count: int, now: float) -> Wrong:
        """Roll back the last nights."""
        if not count or not self.past.runs:
            return []
        before, first = facts_of(self.path), self.past.runs[-count:][0]
        done = roll_back(self.tenant, self.settings, Target(first.id), now)
        expected, undone = self.past.roll_back(before, first, done.record.run_id)
        if done.undone != undone or done.record.outcome != ("swapped" if undone else "unchanged"):
            user = done.record.problems[0].user_id if done.record.problems else None
            return [
                (user, f"rollback: {done.record.outcome}: {done.record.problems or done.record.error or done.undone}")
            ]
        found = facts_of(self.path)
        return [(user, f"rollback: {what}") for user, what in differences(found, expected, len(before))]


def disagreements(story: Crowd) -> Wrong:
    """Play the story on a real file; return the first differences between the store and the oracle."""
    with tempfile.TemporaryDirectory() as folder:
        return Play(story, Path(folder)).disagreements()


def only(story: Crowd, user: object) -> Crowd:
    """The part of the story that is about one user."""
    arrivals = [[row for row in batch if row["user_id"] == user] for batch in story.arrivals]
    offers = [offer for offer in story.offers if offer.user_id == user]
    mine = {row["id"] for batch in arrivals for row in batch}
    orders = [[order for order in batch if order[0] in mine] for batch in story.orders]
    return replace(story, arrivals=arrivals, offers=offers, orders=orders)


def smallest(story: Crowd) -> Crowd:
    """Leave out facts, columns and proposals as long as something is still wrong."""
    while smaller := next((one for one in reductions(story) if disagreements(one)), None):
        story = smaller
    return story


def reductions(story: Crowd) -> Iterator[Crowd]:
    """The same story with one thing less."""
    for night, batch in enumerate(story.orders):
        for order in batch:
            left = [one for one in batch if one is not order]
            yield replace(story, orders=[*story.orders[:night], left, *story.orders[night + 1 :]])
    for night, count in enumerate(story.rolled_back):
        if count:
            yield replace(story, rolled_back=[*story.rolled_back[:night], count - 1, *story.rolled_back[night + 1 :]])
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
