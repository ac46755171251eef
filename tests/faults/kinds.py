"""The kinds of run whose faults are enumerated, as data: a store, command lines, a configuration."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from tests.faults.server import Commands, Ended
from tests.night import NOW, SCHEMA, at

TENANT = "acme"
TRIGGER = """CREATE TABLE audit(x);
CREATE TRIGGER t AFTER UPDATE ON facts BEGIN INSERT INTO audit VALUES (new.id); END;"""
RULES = """
[promote]
min_support = 2
[[promote.rules]]
attribute = "seat_preference"
value = "aisle"
pattern = "aisle seat"
"""
BAD_PROBE = '[[probe]]\nuser = "maya"\nattribute = "home_city"\nexpect = "Atlantis"\n'
LATE_STEP = '[steps]\nextra = ["tests.faults.late:write"]\n'


@dataclass(frozen=True)
class Kind:
    """One kind of run.

    Attributes:
        name: what the tables call it.
        journal: the store's journal mode.
        config: of the run with the fault; the next one has the same without ``special``.
        special: configuration of the run with the fault alone.
        command: the command line of the run with the fault.
        following: the command lines of what runs afterwards, without faults.
        nights_before: how many nights the store has seen, without faults.
        schema: further SQL of the store.
        late: how many passes of the run the application writes in.
        outcome: how the run ends without a fault.
        client: whether the application has the store open, idle, while the run is traced for the power-cut model.
    """

    name: str
    journal: str
    config: str = ""
    special: str = ""
    command: tuple[str, ...] = ("nightly",)
    following: tuple[tuple[str, ...], ...] = (("nightly",),)
    nights_before: int = 0
    schema: str = ""
    late: int = 0
    outcome: str = "swapped"
    client: bool = False


def _swap(mode: str) -> str:
    return f'[swap]\nmode = "{mode}"\nlock_timeout = 5.0\n'


def _both(name: str, mode: str, **more: object) -> list[Kind]:
    return [Kind(f"{name}, {journal}", journal, _swap(mode), **more) for journal in ("delete", "wal")]  # type: ignore[arg-type]


_ROLLBACK = {
    "command": ("rollback", "--yes"), "following": (("rollback", "--yes"), ("nightly",)), "nights_before": 1,
}  # fmt: skip

KINDS = [
    *_both("rename", "auto"),
    *_both("in place", "in-place"),
    *_both("rejected", "auto", special=BAD_PROBE, outcome="rejected"),
    *_both("unchanged", "auto", nights_before=1, outcome="unchanged"),
    *_both("late writes, in place", "in-place", special=LATE_STEP, late=3),
    *_both("late writes, rename", "auto", special=LATE_STEP, late=1),
    *_both("rollback, rename", "auto", **_ROLLBACK),
    *_both("rollback, in place", "in-place", **_ROLLBACK),
    *_both("light", "auto", command=("nightly", "--light")),
    Kind("triggers, rename, delete", "delete", _swap("auto"), schema=TRIGGER),
    Kind("triggers, in place, wal", "wal", _swap("in-place"), schema=TRIGGER),
]

# With a client connected nothing empties the write-ahead log at the end of a run.
CONNECTED = Kind("in place, wal, a client connected", "wal", _swap("auto"), client=True)


def kind(name: str) -> Kind:
    """Return the kind of that name."""
    (found,) = [item for item in KINDS if item.name == name]
    return found


@dataclass
class Place:
    """Where one trial takes place: a root with one tenant, and what lies outside of it.

    Attributes:
        folder: all of it.
        kind: what is tried.
    """

    folder: Path
    kind: Kind
    _store: Path = field(init=False)

    def __post_init__(self) -> None:
        self._store = self.folder / "tenants" / TENANT

    @property
    def store(self) -> Path:
        """The tenant's folder."""
        return self._store

    @property
    def live(self) -> Path:
        """The live store."""
        return self._store / "memory.db"

    @property
    def acknowledged(self) -> Path:
        """The ids of the rows that the application was told are stored, one a line."""
        return self.folder / "acknowledged"

    def arguments(self, command: tuple[str, ...], special: bool = False) -> list[str]:
        """Return a whole command line."""
        config = self.folder / ("special.toml" if special else "plain.toml")
        config.write_text(RULES + self.kind.config + (self.kind.special if special else ""), "utf-8")
        root = ["--root", str(self.folder / "tenants"), "--tenant", TENANT, "--config", str(config)]
        return [*command, *root, "--now", str(NOW), "--json"]

    def environment(self) -> dict[str, str]:
        """Return what the late writer must know."""
        return {
            "FAULTS_LATE": json.dumps([str(self.live), str(self.acknowledged), self.kind.late])
        } if self.kind.late else {}  # fmt: skip

    def run(self, commands: Commands, fault: str = "", at: int = 0, special: bool = True) -> Ended:
        """Make the run, with a fault in it."""
        arguments = self.arguments(self.kind.command, special)
        return commands.run(arguments, self.store, fault, at, self.environment())

    def follow(self, commands: Commands) -> list[Ended]:
        """Make the runs that follow."""
        return [commands.run(self.arguments(command), self.store) for command in self.kind.following]

    def make(self, commands: Commands) -> None:
        """Make the store, as an application would, and let it see the nights it has seen."""
        self.fill()
        for _ in range(self.kind.nights_before):
            ended = commands.run(self.arguments(("nightly",)), self.store)
            assert ended.status == 0, ended

    def fill(self) -> None:
        """Make the store, as an application would."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.store.mkdir(parents=True)
        with closing(sqlite3.connect(self.live)) as db:
            db.execute(f"PRAGMA journal_mode={self.kind.journal}")
            db.executescript(SCHEMA + "CREATE TABLE notes(id INTEGER PRIMARY KEY, text TEXT);" + self.kind.schema)
            db.execute("PRAGMA user_version = 7")
            with db:
                _fill(db)


def _fill(db: sqlite3.Connection) -> None:
    facts = [
        ("old-home", "maya", "home_city", "Boston", 0, "user", at(1), None, "e1"),
        ("new-home", "maya", "home_city", "Austin", 0, "user", at(5), None, "e2"),
        ("guessed-home", "maya", "home_city", "Denver", 0, "inferred", at(6), None, ""),
        ("tea", "maya", "drink", "Tea", 1, "user", at(2), None, ""),
        ("tea-again", "maya", "drink", "tea.", 1, "inferred", at(3), None, "e1"),
        ("visa", "omar", "visa", "valid", 0, "user", at(1), at(20), ""),
        *[(f"f{n}", f"u{n % 5}", f"a{n}", "x" * 300, 0, "user", at(1), None, "") for n in range(40)],
    ]
    db.executemany(
        """INSERT INTO facts(id, user_id, attribute, value, multi, source, valid_from, status, expires_at, evidence,
           confirmations) VALUES (?, ?, ?, ?, ?, ?, ?, 'active', ?, ?, 1)""",
        facts,
    )
    episodes = [(f"e{n}", "maya", at(n), "She asked for an aisle seat.") for n in range(1, 4)]
    db.executemany("INSERT INTO episodes VALUES (?, ?, ?, ?)", episodes)
    db.execute("INSERT INTO tombstones VALUES ('omar', 'shoe_size', NULL)")
    db.execute("INSERT INTO notes(text) VALUES ('of the application')")


# The kinds whose deaths are followed by faults in the next run.
RECOVERED = ("rename, delete", "rename, wal", "in place, delete", "in place, wal", "triggers, rename, delete")
