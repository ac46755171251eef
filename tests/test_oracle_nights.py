"""An application writes, people decide, the job works and is taken back; the oracle looks on (DESIGN sections 3 and 4)."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from consolidate.errors import UsageError
from consolidate.operate import pins, queue, review, undo
from consolidate.operate.rollback import roll_back
from consolidate.operate.rollback_plan import Target
from consolidate.operate.tenants import Tenant
from tests.oracle import Candidate
from tests.oracle_group import Row
from tests.oracle_past import Past, Run, by_id
from tests.plays import both, capped, differences, oracle_of
from tests.stores import (
    DAY,
    EXAMPLES,
    IDS,
    NOW,
    PROFILE,
    Store,
    candidates,
    create,
    facts,
    fill,
    insert,
    night_of_steps,
    read_facts,
    settings_of,
    stores,
)

ALIKE = ("works as a nurse", "works as a night nurse", "works as a nurse at night")
EDITS = (("status", "active"), ("valid_to", None), ("value", "Austin"), ("confirmations", 7), ("evidence", "e1 e9"))
# What the user said, and a newer guess that says otherwise.
CONTRADICTION = (
    {"attribute": "city", "value": "Boston", "multi": 0, "source": "user", "valid_from": 15 * DAY, "expires_at": None},
    {
        "attribute": "city",
        "value": "Rome",
        "multi": 0,
        "source": "inferred",
        "valid_from": 18 * DAY,
        "status": "review",
    },
)
numbers = st.integers(0, 99)


@st.composite
def timely(draw: st.DrawFn) -> dict[str, Any]:
    """A fact that meets others: a statement, a guess that came after them, a parked one, one of several that are alike."""
    row = draw(facts(dirty=False))
    kind = draw(st.sampled_from(("statement", "guess", "guess", "parked", "alike")))
    if kind == "alike":
        return row | {"attribute": "job", "multi": 1, "value": draw(st.sampled_from(ALIKE)), "expires_at": None}
    row |= {
        "user_id": "ann",
        "attribute": "city",
        "value": draw(st.sampled_from(("Boston", "boston", "Austin", "Oslo"))),
    }
    if kind in ("guess", "parked"):
        row |= {"source": "inferred", "valid_from": draw(st.integers(16, 19)) * DAY, "expires_at": None}
    return row | {"status": "review" if kind == "parked" else "active"}


arrivals = timely()


class Nights(RuleBasedStateMachine):
    """Facts arrive, also late; nights, decisions, undos and rollbacks in any order.

    After each of them the store and the oracle agree on every column of every fact.
    """

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.tenant = Tenant.of(Path(self.folder.name), "acme")
        self.path = self.tenant.path
        self.path.parent.mkdir()
        self.now = NOW - DAY

    def teardown(self) -> None:
        self.folder.cleanup()

    @initialize(store=stores(most=3), rows=st.lists(arrivals, max_size=5))
    def begin(self, store: Store, rows: list[dict[str, Any]]) -> None:
        self.store = replace(store, encoding="UTF-8", schema="plain" if store.schema == "keyed" else store.schema)
        self.settings = settings_of(self.store)
        self.oracle = oracle_of(self.store)
        self.past = Past(self.oracle)
        create(self.path, self.store.schema)
        fill(self.path, self.store)
        rows += [{**rows[0], **columns} for columns in CONTRADICTION] if rows else []
        fill(self.path, Store([row | {"id": f"g{number}"} for number, row in enumerate(rows)]))
        night_of_steps(self.path, Store([], pins=self.store.pins), 0.0)  # before all times: it only brings the pins

    # What the application does

    def write(self, statement: str, *values: Any) -> None:
        with closing(sqlite3.connect(self.path)) as db, db:
            db.execute("PRAGMA synchronous = OFF")
            db.execute(statement, values)

    def pick(self, number: int) -> Row | None:
        """One of the facts, if there are any."""
        rows = read_facts(self.path)
        return rows[number % len(rows)] if rows else None

    def pick_clean(self, number: int) -> str:
        """The id of one of the facts that can be named on a command line."""
        names = [row.id for row in read_facts(self.path) if is_clean(row.id)]
        return names[number % len(names)] if names else "nobody"

    @rule(row=facts() | arrivals, name=st.sampled_from(IDS) | st.sampled_from(IDS[:12]))
    def remember(self, row: dict[str, Any], name: Any) -> None:
        with closing(sqlite3.connect(self.path)) as db, db:
            insert(db, "facts", {"id": name} | row)

    @rule(
        number=numbers,
        what=st.sampled_from(("edit", "amend", "erase", "forget")),
        row=facts(),
        change=st.sampled_from(EDITS),
    )
    def tamper(self, number: int, what: str, row: dict[str, Any], change: tuple[str, Any]) -> None:
        """Edit several columns of a fact, or one, erase the fact, or forget its value or attribute."""
        picked = self.pick(number)
        if picked is None:
            return
        if what == "edit":
            names = ("valid_from", "valid_to", "expires_at")
            self.update(picked, **{name: row[name] for name in names}, superseded_by=None)
        elif what == "amend" and (picked.status != "merged" or change[0] in ("status", "valid_to")):
            self.update(
                picked, **dict([change])
            )  # but what a merged fact brought is not recorded: an undo relies on it
        elif what == "erase":
            self.write("DELETE FROM facts WHERE rowid = ?", picked.rowid)
        elif what == "forget" and is_clean(picked.user_id) and is_clean(picked.attribute) and is_clean(picked.value):
            tombstone = (picked.user_id, picked.attribute, None if row["expires_at"] is None else picked.value)
            self.write("INSERT INTO tombstones VALUES (?, ?, ?)", *tombstone)
            self.oracle.tombstones = [*self.oracle.tombstones, tombstone]

    def update(self, row: Row, **columns: Any) -> None:
        names = ", ".join(f"{name} = ?" for name in columns)
        self.write(f"UPDATE facts SET {names} WHERE rowid = ?", *columns.values(), row.rowid)

    # What the job does

    @rule(days=st.integers(0, 2), light=st.booleans(), offers=candidates)
    def night(self, days: int, light: bool, offers: list[Candidate]) -> None:
        self.now += days * DAY
        self.store.pins = self.oracle.pins = self.pinned()
        before = read_facts(self.path)
        expected = self.oracle.night(before, self.now, light=light, candidates=offers)
        counted = night_of_steps(self.path, self.store, self.now, light=light, candidates=offers)
        after = read_facts(self.path)
        assert differences(after, expected, len(before)) == []
        if counted.run_id in self.recorded():
            self.past.add_night(Run(counted.run_id, "light" if light else "night", self.now, before, after))
        else:
            assert after == before
        again = night_of_steps(
            self.path, self.store, self.now, light=light, candidates=[] if capped(self.oracle) else offers
        )
        assert read_facts(self.path) == after
        assert again.run_id not in self.recorded()

    def quiet_night(self) -> None:
        """What people decided stands, and is not decided again."""
        self.night(0, False, [])

    def recorded(self) -> list[str]:
        with closing(sqlite3.connect(self.path)) as db:
            return [str(run) for (run,) in db.execute("SELECT run_id FROM consolidation_runs ORDER BY rowid")]

    def changing(self) -> list[str]:
        """The runs that changed a fact; others may have left a proposal."""
        with closing(sqlite3.connect(self.path)) as db:
            return [str(run) for (run,) in db.execute("SELECT DISTINCT run_id FROM consolidation_actions")]

    def pinned(self) -> list[Any]:
        with closing(sqlite3.connect(self.path)) as db:
            db.text_factory = lambda raw: raw.decode("utf-8", "surrogateescape")
            return sorted((pin for (pin,) in db.execute("SELECT fact_id FROM consolidation_pins")), key=repr)

    # What people do

    def compare(self, expected: Sequence[Row], known: int) -> None:
        """The store and the oracle agree on the facts and on what is pinned."""
        assert differences(read_facts(self.path), expected, known) == []
        assert self.pinned() == sorted(self.oracle.pins, key=repr)

    def act(self, kind: str, real: Callable[[], str | None], naive: Callable[[str], Sequence[Row]]) -> Run | None:
        """Do something both ways: the store refuses it if and only if the oracle does. Returns the run."""
        before = read_facts(self.path)
        done = both(real, naive)
        if done is None:
            self.compare(before, len(before))
            return None
        run_id, expected = done
        self.compare(expected, len(before))
        run = Run(run_id, kind, self.now, before, read_facts(self.path))
        self.past.runs.append(run)
        return run

    @rule(number=numbers)
    def pin_or_unpin(self, number: int) -> None:
        name = self.pick_clean(number)
        pinned, row = name in self.oracle.pins, by_id(read_facts(self.path)).get(name)
        try:
            done = (pins.unpin if pinned else pins.pin)(self.path, self.settings, name, self.now)
        except UsageError:
            assert not pinned and (row is None or row.status != "active" or row.valid_to is not None)
            return
        assert done["changed"]
        self.oracle.pins = sorted({*self.oracle.pins} ^ {name}, key=repr)
        rows = read_facts(self.path)
        self.compare(rows, len(rows))
        self.past.runs.append(Run(self.recorded()[-1], "unpin" if pinned else "pin", self.now, rows, rows, name))

    def has_proposals(self) -> bool:
        with closing(sqlite3.connect(self.path)) as db:
            return bool(db.execute("SELECT count(*) FROM consolidation_proposals WHERE decision IS NULL").fetchone()[0])

    def waiting(self) -> list[queue.Item]:
        found = queue.listed(self.path, self.settings, self.now)
        parked = {raw(row.id) for row in self.past.parked(read_facts(self.path))}
        assert {raw(item.facts[0].id) for item in found if item.kind == queue.CONFLICT} == parked
        return [item for item in found if all(is_clean(fact.id) for fact in item.facts)]

    @precondition(lambda self: any(row.status == "review" for row in read_facts(self.path)) or self.has_proposals())
    @rule(number=numbers, accepted=st.booleans(), followed=st.booleans())
    def decide(self, number: int, accepted: bool, followed: bool) -> None:
        """Accept or dismiss something that waits."""
        items = self.waiting()
        if not items:
            return
        item = items[number % len(items)]
        names = [fact.id for fact in item.facts]
        rows = read_facts(self.path)

        def naive(run_id: str) -> Sequence[Row]:
            if item.kind == queue.CONFLICT:
                judge = self.past.accept if accepted else self.past.dismiss
                return judge(rows, names[0], self.now, run_id)
            return self.past.accept_pair(rows, names, self.now) if accepted else rows

        def real() -> str:
            judge = review.accept if accepted else review.dismiss
            return str(judge(self.path, self.settings, item.id, self.now)["run_id"])

        run = self.act("review", real, naive)
        if run and not accepted and item.kind == queue.NEAR_DUPLICATE:
            run.pair = frozenset(names)
        left = [one.id for one in queue.listed(self.path, self.settings, self.now)]
        assert (item.id in left) == (run is None)
        if followed:
            if item.kind == queue.CONFLICT:
                self.guess_again(by_id(rows)[names[0]])
            self.quiet_night()

    def guess_again(self, row: Row) -> None:
        """The same guess comes again, later, on the same evidence."""
        again = {name: getattr(row, name) for name in ("user_id", "attribute", "value", "multi", "source", "evidence")}
        again |= {"id": f"again-{len(self.past.runs)}", "valid_from": self.now, "status": "active"}
        fill(self.path, Store([again]))

    @precondition(lambda self: self.past.runs)
    @rule(number=st.just(0) | numbers, fact=st.none() | numbers, followed=st.booleans())
    def undo(self, number: int, fact: int | None, followed: bool) -> None:
        """Take back any run, most often the last, or what it did to one fact."""
        run = self.past.runs[-1 - number % len(self.past.runs)]
        concerned = sorted({name for name in run.net if is_clean(name)})
        name = None if fact is None else concerned[fact % len(concerned)] if concerned else self.pick_clean(fact)
        rows = read_facts(self.path)
        waited = [item.id for item in self.waiting()]
        self.act(
            "undo",
            lambda: undo.undo(self.path, self.settings, run.id, self.now, fact_id=name).run_id,
            lambda run_id: self.past.undo(rows, run, run_id, name),
        )
        if run.pair and run.pair <= by_id(rows).keys():
            assert len(self.waiting()) >= len(waited)
        if followed:
            self.quiet_night()

    @precondition(lambda self: any(run.kind in ("night", "light") for run in self.past.runs))
    @rule(number=st.just(0) | numbers, followed=st.booleans())
    def roll_back(self, number: int, followed: bool) -> None:
        """Take back one of the last nights and those after it."""
        nights = [run for run in self.past.runs if run.kind in ("night", "light")]
        first = nights[-1 - number % len(nights)]
        before = read_facts(self.path)
        self.oracle.pins = self.pinned()
        done = roll_back(self.tenant, self.settings, Target(first.id), self.now)
        expected, undone = self.past.roll_back(before, first, done.record.run_id)
        assert done.record.outcome == ("swapped" if done.undone else "unchanged"), (
            done.record.problems,
            done.record.error,
        )
        assert [run for run in done.undone if run in self.changing()] == undone
        self.compare(expected, len(before))
        if done.undone:
            run = Run(done.record.run_id, "rollback", self.now, before, read_facts(self.path))
            self.past.runs.append(run)
        assert roll_back(self.tenant, self.settings, Target(first.id), self.now).record.outcome == "unchanged"
        self.compare(expected, len(before))
        if followed:
            self.quiet_night()


def raw(name: Any) -> Any:
    """An id as it is stored; one that is no UTF-8 is shown as its bytes."""
    return name.encode("utf-8", "surrogateescape") if isinstance(name, str) else name


def is_clean(name: object) -> bool:
    """Whether this can be said on a command line."""
    return isinstance(name, str) and not any("\ud800" <= char <= "\udfff" for char in name)


TestNights = Nights.TestCase
TestNights.settings = settings(PROFILE, max_examples=3 * EXAMPLES, stateful_step_count=20)
