"""Stores on which one night after another is tried, and what must hold of each afterwards."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.audit.nights import Ended, Nights
from tests.night import Store
from tests.writers import journal_of, names, state

JOURNALS = ("delete", "wal")
WAYS = ("rename", "in-place")
both_journals = pytest.mark.parametrize("journal", JOURNALS)
both_ways = pytest.mark.parametrize("way", WAYS)
# Every fault at every operation takes minutes; as a rule they come with a stride.
EVERY_FAULT = bool(os.environ.get("CONSOLIDATE_EVERY_FAULT"))


def make(folder: Path, journal: str, way: str = "auto", timeout: float = 20.0) -> Store:
    """Make a store on which a night supersedes one fact and merges another."""
    config = f'[swap]\nmode = "{way}"\nlock_timeout = {timeout}\n'
    store = Store(folder / "tenants", config=config, journal_mode=journal)
    store.fact("a", "Boston", day=1)
    store.fact("b", "Austin", day=2)
    store.fact("tea", "tea", day=1, attribute="drink")
    store.fact("tea2", "Tea.", day=2, attribute="drink")
    return store


DONE = ["superseded", "active", "active", "merged"]


def is_done(store: Store) -> bool:
    """Tell whether the night's decisions stand in the store; all of them or none must."""
    found = store.status("a", "b", "tea", "tea2")
    assert found in (DONE, ["active"] * 4)
    return found == DONE


def only_bookkeeping(path: Path) -> bool:
    """Tell whether there is nothing beside a store but what stays there after every run."""
    allowed = {"memory.db", "memory.db-wal", "memory.db-shm", "memory.db.lock", "memory.db.runs.jsonl"}
    return set(names(path.parent)) <= allowed


def swapped(ended: Any) -> dict[str, Any]:
    """Return the run of a night that must have been swapped in."""
    assert ended.status == 0, ended
    run: dict[str, Any] = ended.run
    assert run["outcome"] == "swapped", run
    return run


def until_somebody_waits(path: Path) -> None:
    """Return when an opener waits for the lease on a file to end."""
    inode = f":{path.stat().st_ino} "
    while not any("BREAK" in line and inode in line for line in Path("/proc/locks").read_text().splitlines()):
        pass


@dataclass
class Trial:
    """The same store again and again, each time with something else that happens during its night."""

    folder: Path
    nights: Nights
    journal: str
    way: str
    padding: int = 0

    def __post_init__(self) -> None:
        store = make(self.folder / "pristine", self.journal, self.way)
        if self.padding:
            store.fact("big", "x" * self.padding, day=1, attribute="note")
        self._pristine = store.root
        control = self.fresh("control")
        self.old = state(control.path)
        swapped(self.nights.night(control))
        self.new = state(control.path)

    def fresh(self, name: str) -> Store:
        """Return a fresh copy of the store."""
        root = self.folder / name / "tenants"
        shutil.copytree(self._pristine, root)
        return Store(root, config=f'[swap]\nmode = "{self.way}"\nlock_timeout = 20\n', journal_mode=self.journal)

    def each(self, do: str, stride: int, **order: Any) -> Iterator[tuple[Store, Ended]]:
        """Yield the store after each night, until one is over before the operation; it moves on by ``stride`` operations."""
        number = 1
        while True:
            store = self.fresh(f"{do} {number}")
            ended = self.nights.night(store, do=do, at=number, **order)
            yield store, ended
            shutil.rmtree(store.root.parent)
            if not ended.last:
                assert ended.status == 0, ended
                return
            number += 1 if EVERY_FAULT else stride

    def look(self, store: Store) -> bool:
        """Tell whether a client who comes now finds the new store; it must be whole. The store itself is not touched."""
        copy = store.root.parent / "copy"
        shutil.copytree(store.path.parent, copy)
        found = state(copy / "memory.db")
        shutil.rmtree(copy)
        assert found in (self.old, self.new)
        return found == self.new

    def converge(self, store: Store) -> None:
        """Run the next night: it cleans up and finishes what is left to do, and everything is as it must be."""
        was_new = self.look(store)
        run = self.nights.night(store)
        assert run.status == 0, run
        assert run.run["outcome"] == ("unchanged" if was_new else "swapped"), run
        assert state(store.path) == self.new
        assert store.path.stat().st_nlink == 1
        kept = [name for name in names(store.path.parent) if ".pre-" in name and not name.endswith(".part")]
        assert set(names(store.path.parent)) - set(kept) <= {"memory.db", "memory.db.lock", "memory.db.runs.jsonl"}
        assert kept
        for name in ["memory.db", *kept]:
            file = store.path.with_name(name)
            assert journal_of(file) == self.journal
            assert name == "memory.db" or state(file) == self.old
