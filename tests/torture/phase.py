"""One phase of the torture: one store, one crowd of writers, one run after another."""

from __future__ import annotations

import json
import random
import shutil
import signal
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

from tests.torture import commands
from tests.torture.application import FORGOTTEN, SCHEMA, TRIGGERS, literal
from tests.torture.auditor import Fault, Snapshot, audit, judge_rollback
from tests.torture.commands import Ended
from tests.torture.crowd import Crowd
from tests.torture.ending import end
from tests.torture.logs import Logs
from tests.torture.rules import forgotten_promoted
from tests.torture.setting import Setting, Tally

TENANT = "acme"
SEEDS = 30
SIGNALS = ("SIGKILL", "SIGTERM", "SIGINT")
# What the runs are, and how often.
MIX = {
    "plain": 48, "light": 4, "dry run": 2, "probe": 6, "step": 5, "SIGKILL": 15, "SIGTERM": 5, "SIGINT": 5, "rollback": 12,
}  # fmt: skip
_ALLOWED = {
    "probe": ("rejected", "unchanged", "busy"),
    "step": ("rejected", "busy"),
    "dry run": ("planned", "busy"),
}
_CONFIG = """\
[swap]
mode = "{mode}"
lock_timeout = {lock_timeout}
[[promote.rules]]
attribute = "drink"
pattern = "(?i)ordered (?P<value>[a-z]+)"
multi = true
"""
_MORE = {
    "probe": '[[probe]]\nuser = "seed"\nattribute = "city"\nexpect = "Atlantis"\n',
    "step": '[steps]\nextra = ["tests.torture.bad_steps:edit_values"]\n',
}


class Phase:
    """A store with its writers.

    Args:
        folder: where everything goes.
        setting: what it is about.
        seed: of everything random.
        writers: how many.
        pause: their longest pause between two operations, in seconds.
    """

    def __init__(self, folder: Path, setting: Setting, seed: str, writers: int, pause: float = 0.03) -> None:
        self.setting = setting
        self.tally = Tally()
        self.root = folder / "tenants"
        self.store = self.root / TENANT / "memory.db"
        self.store.parent.mkdir(parents=True)
        self._folder = folder
        (folder / "logs").mkdir()
        self.logs = Logs(folder / "logs")
        self._seed = f"{seed}/{setting.name}"
        self._rng = random.Random(self._seed)
        self._crowd = Crowd(self.store, self.logs, self._seed, writers, setting.lasting, pause)
        self._typical = 0.4
        self._swapped: dict[str, str] = {}
        self._rolls_back = commands.can_roll_back()
        for what in ("plain", *_MORE):
            text = _CONFIG.format(mode=setting.mode, lock_timeout=setting.lock_timeout) + _MORE.get(what, "")
            self._config(what).write_text(text, "utf-8")
        self._make_store()

    def _make_store(self) -> None:
        with closing(sqlite3.connect(self.store)) as db:
            db.execute(f"PRAGMA journal_mode={self.setting.journal}")
            db.executescript(SCHEMA + (TRIGGERS if self.setting.triggers else ""))
            with db:
                for number in range(SEEDS):
                    db.execute(
                        """INSERT INTO facts(id, user_id, attribute, value, multi, source, valid_from, status)
                           VALUES (?, 'seed', ?, 'Boston', 0, 'user', 1.0, 'active')""",
                        (f"seed{number}", "city" if number < 2 else f"a{number}"),
                    )
                db.executemany("INSERT INTO tombstones VALUES (?, ?, ?)", FORGOTTEN)

    def _config(self, what: str) -> Path:
        return self._folder / f"{what}.toml"

    def start(self) -> None:
        """Start the writers and wait until each has been acknowledged something."""
        self._crowd.start()

    def kill_a_writer(self) -> None:
        """Kill one writer, and start its successor."""
        self._crowd.kill_one(self._rng)
        self.tally.killed_writers += 1

    def stop(self) -> None:
        """Let the writers end what they do."""
        self._found([Fault("damaged", text) for text in self._crowd.stop()], "at the end")

    def abandon(self) -> None:
        """Kill whatever is left."""
        self._crowd.abandon()

    # Runs

    def schedule(self) -> Iterator[str]:
        """Yield what to do next, for ever; however short the phase is, something is rolled back in it."""
        yield from ("plain", "plain", "rollback", "SIGKILL")
        while True:
            yield self._rng.choices(list(MIX), list(MIX.values()))[0]

    def act(self, what: str) -> Ended:
        """Make one run, or a rollback, and judge how it ended."""
        if what == "rollback":
            if self._rolls_back:
                return self._roll_back()
            what = "plain"
        config = self._config(what if what in _MORE else "plain")
        more = {"light": ["--light"], "dry run": ["--dry-run"]}.get(what, [])
        forgotten = [*FORGOTTEN, *self._forgotten()]
        ended = self._run(what, "nightly", "--config", str(config), *more)
        allowed = _ALLOWED.get(what, ("swapped", "unchanged", "busy"))
        if ended.outcome not in allowed and not (ended.killed and what in SIGNALS):
            self._unexpected(ended)
        if ended.outcome == "swapped":
            run_id = ended.document["run_id"]
            self._swapped[run_id] = ended.document["pre"]
            self._found(forgotten_promoted(self.store, run_id, forgotten), "after a run")
        if self._rng.random() < 0.2:
            self.audit()
        return ended

    def _run(self, what: str, command: str, *arguments: str) -> Ended:
        kill = (self._moment(), signal.Signals[what]) if what in SIGNALS else None
        strikes = self._crowd and self._rng.random() < 0.3
        strike = self._rng.uniform(0, self._typical) if strikes else None

        def meanwhile(passed: float) -> None:
            nonlocal strike
            if strike is not None and passed >= strike:
                strike = None
                self.kill_a_writer()

        whole = [command, "--root", str(self.root), "--tenant", TENANT, *arguments]
        ended = commands.run(what, whole, kill=kill, meanwhile=meanwhile)
        if what == "plain" and ended.outcome in ("swapped", "unchanged"):
            self._typical = 0.8 * self._typical + 0.2 * min(ended.seconds, 3.0)
        self.tally.outcomes[
            what if command == "nightly" else command, ended.outcome, ended.document.get("swap") or ""
        ] += 1
        self.tally.stragglers += ended.stragglers
        self.tally.recovered += any(one.get("kind") == "recovered" for one in ended.document.get("notices") or ())
        if "Traceback" in ended.complaint and not ended.interrupted_at_once:
            self._unexpected(ended)
        return ended

    def _forgotten(self) -> list[tuple[object, ...]]:
        self.logs.read()
        done = self.logs.acked()
        return [
            tuple(one.row.values())
            for name, one in self.logs.intents.items()
            if one.kind == "tombstone" and name in done
        ]

    def _moment(self) -> Callable[[float], bool]:
        """Choose when a command is killed: at any time, while it works on its shadow, or once it has begun to swap."""
        before = set(self._kept())
        delay = self._rng.random() * self._typical
        begun = float("inf")
        by_clock, mark = self._rng.choice(((True, ""), (False, ".shadow"), (False, ".pre-"), (False, ".pre-")))

        def due(passed: float) -> bool:
            nonlocal begun
            if by_clock:
                return passed >= 1.3 * delay
            if begun > passed and any(mark in name for name in set(self._kept()) - before):
                begun = passed
            return passed >= begun + (delay / 2 if mark == ".shadow" else delay / 10)

        return due

    def _kept(self) -> list[str]:
        return [path.name for path in self.store.parent.iterdir()]

    def _roll_back(self) -> Ended:
        kept = self._folder / "kept"
        shutil.rmtree(kept, ignore_errors=True)
        kept.mkdir()
        there = sorted(self.store.parent.glob("memory.db.pre-*"))
        for path in there[-3:]:
            shutil.copy(path, kept)
        arguments = ["--yes"]
        candidates = [run_id for run_id, pre in self._swapped.items() if (kept / pre).exists()]
        if candidates and self._rng.random() < 0.3:
            arguments += ["--run", self._rng.choice(candidates[-2:])]
        signalled = self._rng.choice(SIGNALS) if self._rng.random() < 0.3 else "rollback"
        ended = self._run(signalled, "rollback", "--config", str(self._config("plain")), *arguments)
        nothing = not there and ended.status == 2
        if (
            ended.outcome not in ("swapped", "unchanged", "busy")
            and not (ended.killed and signalled in SIGNALS)
            and not nothing
        ):
            self._unexpected(ended)
        undone = sorted(ended.document.get("undone") or ())
        if ended.killed:
            self._swapped.clear()  # which runs it took back is not known
        for run_id in undone:
            self._swapped.pop(run_id, None)
        self.audit()
        if ended.outcome == "swapped" and (kept / f"memory.db.pre-{undone[0]}").exists():
            after = Snapshot.take(self.store)
            self.logs.read()
            before = Snapshot.take(kept / f"memory.db.pre-{undone[0]}", kept=True)
            self._found(judge_rollback(before, after, self.logs), f"after the rollback {ended.document['run_id']}")
        return ended

    def _unexpected(self, ended: Ended) -> None:
        told = json.dumps(ended.document)[:800]
        self._fault("damaged", f"{ended.what}: exit status {ended.status}, {told} {ended.complaint[-1500:]}")

    def audit(self) -> None:
        """Compare the store with the logs, while the writers write."""
        self.tally.audits += 1
        self._found(audit(self.store, self.logs), f"after {sum(self.tally.outcomes.values())} runs")

    def _found(self, faults: Sequence[Fault], when: str) -> None:
        self.tally.faults += [Fault(fault.kind, f"{fault.what} ({self.setting.name}, {when})") for fault in faults]

    def _fault(self, kind: str, what: str) -> None:
        self._found([Fault(kind, what)], f"after {sum(self.tally.outcomes.values())} runs")

    def finish(self) -> None:
        """Stop the writers, make the last nights, and judge the store at rest."""
        self.stop()
        self.audit()
        if any(fault.kind == "damaged" for fault in self.tally.faults):
            return
        self._found(end(self.store, self.logs, self._last_night, self.setting.journal, self.tally), "at the end")
        self._found(audit(self.store, self.logs), "at the end")
        self._found([Fault("wrong", text) for text in self.logs.faults], "at any time")
        # Whoever slips in during a rename is held off until it has gone. Only one that stays, or whose run was killed then,
        # may see the old file, and is told that it was moved when it writes.
        strays = self.tally.stragglers + self.tally.count(outcome="killed")
        if not strays:
            self._found([Fault("wrong", text) for text in self.logs.stale], "at any time")
        expected = ("busy", "moved") if strays else ("busy",)
        unheard = {why: count for why, count in self.logs.refusals.items() if why not in expected}
        self._found([Fault("damaged", f"{count} times: {why}") for why, count in unheard.items()], "told to a writer")
        recorded = recorded_runs(self.store)
        lost = [run_id for run_id in self._swapped if run_id not in recorded]
        self.logs.finished = True
        self._found([Fault("missing", f"run {run_id}") for run_id in lost], "at the end")

    def _last_night(self, now: float, *more: str) -> Ended:
        ended = self._run("last", "nightly", "--config", str(self._config("plain")), "--now", literal(now), *more)
        if ended.outcome not in ("swapped", "unchanged"):
            self._unexpected(ended)
        return ended


def recorded_runs(store: Path) -> set[str]:
    with closing(sqlite3.connect(store)) as db:
        return {row[0] for row in db.execute("SELECT run_id FROM consolidation_runs")}
