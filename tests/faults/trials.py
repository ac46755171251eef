"""Trials: one fault in one run, then everything that must hold (DESIGN section 4)."""

from __future__ import annotations

import re
import shutil
import signal
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from tests.faults import judging
from tests.faults.disk import Disk
from tests.faults.injection import KILLS, applies
from tests.faults.judging import State, wrong
from tests.faults.kinds import Kind, Place
from tests.faults.server import Commands, Ended
from tests.faults.trace import Event
from tests.writers import Client

STATUSES = {"SIGINT": 130, "SIGTERM": 143}
# Cleaning up is not tried twice: what it could not remove is left to the next run.
_CLEANING = ("os.unlink", "os.listdir", "sqlite.delete")


@dataclass
class Failure:
    """A trial in which something did not hold."""

    kind: str
    fault: str
    at: int
    operation: str
    reason: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.fault} at {self.at} ({self.operation}): {self.reason}"


@dataclass
class Tried:
    """The figures of one kind of run.

    Attributes:
        kind: its name.
        points: how many operations a run has at which a fault can come.
        trials: how many trials each fault had.
        failures: those in which something did not hold.
        left: how deaths left the folder: for each picture the number of the first death.
    """

    kind: str
    points: int = 0
    trials: dict[str, int] = field(default_factory=dict)
    failures: list[Failure] = field(default_factory=list)
    left: dict[tuple[str, ...], int] = field(default_factory=dict)


class Trials:
    """All trials of one kind of run, each in a fresh copy of the same store.

    Args:
        kind: the kind.
        commands: who runs the commands.
        folder: room.
        dead: the trial whose remains are the store, and the number of the operation at which it died; else it is a new one.
    """

    def __init__(self, kind: Kind, commands: Commands, folder: Path, dead: tuple[Trials, int] | None = None) -> None:
        self.kind, self.commands, self._folder = kind, commands, folder
        self.place = Place(folder / "trial", kind)
        self.pristine = folder / "pristine"
        self.kept: dict[str, State] = {}
        if dead:
            died, number = dead
            assert died.fail("kill", number).status == -signal.SIGKILL
            self.kept = dict.fromkeys(judging.kept_files(died.place.store), died.old)
            self.place = died.place
        else:
            self.place.make(commands)
            self.kept = {name: judging.peek(self.place.store, name) for name in judging.kept_files(self.place.store)}
        self._begin(bool(dead))

    def _begin(self, dead: bool) -> None:
        """Take the place as it is now for the beginning of every trial, and see how it goes without faults."""
        copy(self.place.folder, self.pristine)
        self.old = judging.peek(self.place.store).without_late()
        self.after_old = self._followed()
        self.reset()
        ended = self.place.run(self.commands, special=not dead)
        outcome = ended.run.get("outcome")
        assert dead or outcome == self.kind.outcome, ended
        assert ended.status == (65 if outcome == "rejected" else 0), ended
        self.outcome, self.special = outcome, not dead
        self.new = judging.peek(self.place.store).without_late()
        self.after_new = self._followed()
        self.reset()
        arguments = self.place.arguments(self.kind.command, special=self.special)
        self.operations = self.commands.operations(arguments, self.place.store, self.place.environment())

    def _followed(self) -> State:
        for ended in self.place.follow(self.commands):
            assert ended.status == 0, ended
        return judging.peek(self.place.store).without_late()

    def reset(self) -> None:
        """Make the place as it was before the run."""
        copy(self.pristine, self.place.folder)

    def numbers(self, fault: str, dull: int = 1) -> list[int]:
        """Return the number, among those where the fault can come, of the operations to try.

        Args:
            fault: the fault.
            dull: of SQLite's operations on shadows and temporary files, which are disposable, every how many count.
        """
        chosen, number, passed = [], 0, 0
        for operation in self.operations:
            if not applies(fault, operation):
                continue
            number += 1
            is_dull = operation.name.startswith("sqlite.") and (".shadow" in operation.path or not operation.path)
            passed += is_dull
            if not is_dull or passed % dull == 0:
                chosen.append(number)
        return chosen

    def numbers_of_recovery(self, fault: str) -> list[int]:
        """Return the numbers of the operations that come before the first pass begins its shadow."""
        number = 0
        for operation in self.operations:
            if operation.changes and operation.name == "os.open" and operation.path.endswith(".shadow"):
                break
            number += applies(fault, operation)
        return list(range(1, number + 1))

    def try_all(self, fault: str, numbers: list[int], tried: Tried) -> None:
        """Let a fault come at each of some operations."""
        for number in numbers:
            ended: Ended | None = None
            try:
                ended = self.fail(fault, number)
                if fault in KILLS:
                    tried.left.setdefault(self.picture(), number)
                self.judge(fault, ended)
            except AssertionError as error:
                where = ended.at if ended else ""
                tried.failures.append(Failure(tried.kind, fault, number, where, str(error)[:2000]))
            tried.trials[fault] = tried.trials.get(fault, 0) + 1

    def fail(self, fault: str, number: int) -> Ended:
        """Make one run with a fault in it, in a fresh place."""
        self.reset()
        return self.place.run(self.commands, fault, number, special=self.special)

    def judge(self, fault: str, ended: Ended) -> None:
        """Check everything after a run with a fault in it, then make the next and check again.

        Raises:
            AssertionError: something does not hold.
        """
        now, kept = self._look()
        if fault not in KILLS:
            self._judge_report(fault, ended, now)
        elif ended.status != (-signal.SIGKILL if ended.at else 0):
            raise wrong(f"ended with {ended.status}: {ended.err}")
        self._judge_following(now, kept)

    def _look(self) -> tuple[State, dict[str, State]]:
        """Return what the store holds, which is all old or all new, and what its kept files hold, which are whole."""
        found = judging.peek(self.place.store)
        judging.check_late(found, self.place.acknowledged)
        now = found.without_late()
        if now not in (self.old, self.new):
            raise wrong(f"neither old nor new: {judging.difference(now, self.old)}")
        kept = dict.fromkeys(judging.kept_files(self.place.store), self.old) | self.kept
        judging.check_kept(self.place.store, kept)
        if now == self.new != self.old and kept.keys() == self.kept.keys():
            raise wrong("what was replaced is not kept")
        return now, kept

    def judge_image(self, *, reported: bool) -> None:
        """Check what a power cut left, make the next run and check again.

        Args:
            reported: whether the command had ended, and said so.

        Raises:
            AssertionError: something does not hold.
        """
        now, kept = self._look()
        if reported and now != self.new:
            raise wrong(f"the run had ended, and is undone: {judging.difference(now, self.new)}")
        self._judge_following(now, kept)

    def trace(self) -> tuple[Disk, list[Event], dict[str, bytes]]:
        """Make one run; return the disk as it was before, what happened to it, and every file as it was then."""
        self.reset()
        with ExitStack() as stack:
            if self.kind.client:
                client = stack.enter_context(Client(self.place.live))
                client.sql("SELECT count(*) FROM facts")
            disk = Disk(self.place.store)
            arguments = self.place.arguments(self.kind.command, self.special)
            events = self.commands.trace(arguments, self.place.store)
            return disk, events, {path.name: path.read_bytes() for path in self.place.store.iterdir()}

    def _judge_report(self, fault: str, ended: Ended, now: State) -> None:
        """Check that the command said truly how it ended, in one sentence, and left nothing unfinished."""
        if "Traceback" in ended.err or ended.status == 99:
            raise wrong(f"a traceback: {ended.err}")
        document = ended.run
        outcome = document.get("outcome")
        regular = 65 if self.outcome == "rejected" else 0
        if fault in STATUSES:
            if ended.status not in (STATUSES[fault], regular) or (ended.at and ended.status == 0):
                raise wrong(f"ended with {ended.status} after {fault}: {ended.err}")
        elif ended.status == 74:
            told = str(document.get("error") or ended.err)
            if str(self.place.folder) not in told or told.count("\n") > 1:
                raise wrong(f"no clear error: {told!r}")
        elif ended.status != regular:
            raise wrong(f"ended with {ended.status}: {ended.out} {ended.err}")
        if self.old != self.new and outcome and (outcome == "swapped") != (now == self.new):
            raise wrong(f"said {outcome}, and the store is {'new' if now == self.new else 'old'}: {ended.out}")
        if ended.status == regular and outcome not in (self.outcome, None):
            raise wrong(f"{outcome} instead of {self.outcome}: {ended.out}")
        before = {path.name for path in (self.pristine / self.place.store.relative_to(self.place.folder)).iterdir()}
        names = {path.name for path in self.place.store.iterdir()} - before
        unfinished = sorted(name for name in names if judging.DISPOSABLE.search(name))
        if unfinished and not ended.at.startswith(_CLEANING):
            raise wrong(f"left {unfinished}")

    def _judge_following(self, now: State, kept: dict[str, State]) -> None:
        """Make the next runs and check that they end well, in the expected state, without litter."""
        expected = self.after_new if now == self.new else self.after_old
        for command in self.kind.following:
            ended = self.commands.run(self.place.arguments(command), self.place.store)
            if ended.status != 0:
                raise wrong(f"the next run ended with {ended.status}: {ended.out} {ended.err}")
            kept = dict.fromkeys(judging.kept_files(self.place.store), now) | kept
            now = judging.peek(self.place.store).without_late()
        judging.check_late(judging.peek(self.place.store), self.place.acknowledged)
        if now != expected:
            raise wrong(f"the next run did not converge: {judging.difference(now, expected)}")
        judging.check_kept(self.place.store, kept)
        judging.check_folder(self.place.store, self.kind.journal)

    def picture(self) -> tuple[str, ...]:
        """Describe what lies in the folder after a death, so that equal stages look equal."""
        store = self.place.store
        seen = set()
        for path in store.iterdir():
            name = "shadow" if ".shadow" in path.name else re.sub(judging.RUN, "RUN", path.name)
            seen.add(name + " is live" * (path != self.place.live and path.samefile(self.place.live)))
        lock = store / "memory.db.lock"
        noted = lock.exists() and '"mode"' in lock.read_text("utf-8").split("\n")[-2:][0]
        return (*sorted(seen), judging.journal_mode(self.place.live), *["noted"] * noted)


def copy(source: Path, target: Path) -> None:
    """Replace a folder by a copy of another; names of one file stay names of one file."""
    shutil.rmtree(target, ignore_errors=True)
    links: dict[int, str] = {}

    def copy_file(one: str, other: str) -> str:
        inode = Path(one).stat().st_ino
        if inode in links:
            Path(other).hardlink_to(links[inode])
        else:
            links[inode] = str(shutil.copy2(one, other))
        return other

    shutil.copytree(source, target, copy_function=copy_file)
