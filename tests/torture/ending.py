"""The end of a phase: nobody writes any more, and what the last nights make of the store is judged to the last column."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Protocol

from tests.torture.auditor import Fault
from tests.torture.commands import Ended
from tests.torture.logs import Logs
from tests.torture.rules import Judged, compare, two_in_force


class Counts(Protocol):
    """Where the numbers of judged groups go."""

    judged: int
    excepted: int


def end(store: Path, logs: Logs, night: Callable[..., Ended], journal: str, counts: Counts) -> list[Fault]:
    """Make the last nights and judge each.

    Args:
        store: the live path.
        logs: of the writers, who have ended.
        night: makes a run at a time, in Unix seconds, with further arguments.
        journal: the journal mode that the store was made with.
        counts: where the numbers go.
    """
    logs.read()
    now = time.time()
    before = Judged.read(store)
    night(now, "--light")
    after = Judged.read(store)
    counts.judged += len(after.groups) - len(after.excepted)
    counts.excepted += len(after.excepted)
    faults = compare(after, before.after_a_light_night(now))
    night(now)
    again = night(now)
    if again.outcome != "unchanged":
        faults.append(
            Fault("rule broken", f"the same night again was {again.outcome}: {again.document.get('actions')}")
        )
    rest = Judged.read(store)
    faults += compare(rest, rest.after_a_light_night(now))
    faults += two_in_force(store, now, rest.excepted)
    return faults + _judge_files(store, journal)


def _judge_files(store: Path, journal: str) -> list[Fault]:
    """Nothing unfinished is left, and every kept file is a whole store in the journal mode of live."""
    names = sorted(path.name for path in store.parent.iterdir())
    faults = [
        Fault("damaged", f"{name} was left")
        for name in names
        if ".shadow" in name or name.endswith((".part", "-journal"))
    ]
    with closing(sqlite3.connect(store)) as db:
        found = db.execute("PRAGMA journal_mode").fetchone()[0]
    if found != journal:
        faults.append(Fault("wrong", f"the journal mode is {found}"))
    for name in names:
        kind = name.removeprefix("memory.db.").split("-")[0]
        if kind not in ("pre", "rejected", "undone") or name.endswith(("-wal", "-shm")):
            continue
        faults += _judge_kept(store.with_name(name), journal if kind != "rejected" else None)
    return faults


def _judge_kept(path: Path, journal: str | None) -> list[Fault]:
    faults = []
    with closing(sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)) as db:
        found = db.execute("PRAGMA integrity_check").fetchone()[0]
        if found != "ok":
            faults.append(Fault("damaged", f"{path.name}: {found}"))
    with path.open("rb") as file:
        logging = file.read(20)[18:] == b"\2\2"
    if journal and logging != (journal == "wal"):
        faults.append(Fault("wrong", f"{path.name} is {'' if logging else 'not '}in write-ahead logging"))
    return faults
