"""The fifteen things a swap must survive: 1, 2 and 14, where something fails. `tests.test_survival` says which there are."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.audit.nights import Nights, on
from tests.audit.trials import Trial, both_journals, both_ways


@pytest.fixture(scope="module")
def nights() -> Iterator[Nights]:
    with Nights() as nights:
        yield nights


@both_journals
@both_ways
@pytest.mark.parametrize(
    ("kind", "stride"), [("os.link", 1), ("os.replace", 1), ("os.fsync", 1), ("os.unlink", 7), ("sqlite.", 37)]
)
def test_01_killed_at_an_operation(
    tmp_path: Path, nights: Nights, journal: str, way: str, kind: str, stride: int
) -> None:
    trial = Trial(tmp_path, nights, journal, way)
    found = []
    for store, ended in trial.each("kill", stride, only=kind):
        assert ended.status == (-9 if ended.last else 0), ended
        found.append(trial.look(store))
        trial.converge(store)
    assert found == sorted(found), "a later kill left an older store"
    assert found[-1]


CUTS = [
    # In place: right after the commit has returned.
    ("in-place", "sql COMMIT", "/memory.db", "cut", False, True),
    ("in-place", "sql COMMIT", "/memory.db", "cut", True, True),
    # By rename: right after it, when nothing has made it durable, and when the folder is synced.
    ("rename", "os.replace", "/memory.db", "cut after", False, False),
    ("rename", "os.replace", "/memory.db", "cut after", True, True),
    ("rename", "os.pwrite", ".runs.jsonl", "cut", False, True),
    ("rename", "os.pwrite", ".runs.jsonl", "cut", True, True),
]


@both_journals
@pytest.mark.parametrize(
    ("way", "only", "target", "do", "names_arrived", "new"),
    CUTS,
    ids=["commit", "commit-names", "rename", "rename-names", "synced", "synced-names"],
)
def test_02_power_cut_right_after_the_swap(
    tmp_path: Path,
    nights: Nights,
    journal: str,
    way: str,
    only: str,
    target: str,
    do: str,
    names_arrived: bool,
    new: bool,
) -> None:
    trial = Trial(tmp_path, nights, journal, way)
    store = trial.fresh("night")
    left = tmp_path / "left"
    left.mkdir()
    ended = nights.night(store, do=do, at=1, only=only, target=target, into=left, names_arrived=names_arrived)
    assert ended.status == -9, ended
    for item in store.path.parent.iterdir():
        item.unlink()
    for item in left.iterdir():
        item.rename(store.path.with_name(item.name))
    assert trial.look(store) == new
    trial.converge(store)


@both_journals
@both_ways
@pytest.mark.parametrize(("fault", "stride"), [("EIO", 17), ("ENOSPC", 19), ("EIO after", 23)])
def test_14_a_failing_disk(tmp_path: Path, nights: Nights, journal: str, way: str, fault: str, stride: int) -> None:
    trial = Trial(tmp_path, nights, journal, way)
    failed = 0
    for store, ended in trial.each(fault, stride):
        assert ended.status in (0, 74), ended
        if ended.status:
            failed += 1
            assert str(store.path.parent) in (ended.run["error"] if ended.out else ended.err), ended
            assert [name for name in store.files() if ".shadow" in name or ".part" in name] == []
        new = trial.look(store)
        assert new or not list(store.path.parent.glob("*.pre-*")), ended
        if ended.out:
            assert new == (ended.run["outcome"] == "swapped"), ended
        trial.converge(store)
    assert failed


@pytest.mark.parametrize("fault", ["EIO", "ENOSPC"])
@pytest.mark.parametrize("at", [1, 2, 3, 5, 8])
def test_14_a_failing_disk_under_the_shadow(tmp_path: Path, nights: Nights, fault: str, at: int) -> None:
    """SQLite may roll back by itself when a write fails; the first error must be the one that is told."""
    trial = Trial(tmp_path, nights, "delete", "rename")
    store = trial.fresh("night")
    ended = nights.night(store, do=fault, at=at, only="sqlite.write", target=".shadow-journal")
    assert ended.last
    assert (ended.status, ended.run["outcome"]) == (74, "failed"), ended
    assert ("No space is left" if fault == "ENOSPC" else "failed") in ended.run["error"]
    trial.converge(store)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of four megabytes."""
    mount = tmp_path / "small"
    mount.mkdir()
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(mount)], capture_output=True, check=False
    )
    if done.returncode:
        pytest.skip("a small file system can only be mounted by root")
    try:
        yield mount
    finally:
        subprocess.run(["umount", "--lazy", str(mount)], check=True)


def fill(folder: Path, leave: int) -> Path:
    """Fill a file system but for some bytes."""
    filler = folder / "filler"
    with filler.open("wb") as file:
        free = os.statvfs(folder)
        file.write(bytes(free.f_bavail * free.f_frsize - leave))
    return filler


@both_journals
@both_ways
def test_14_a_disk_that_is_full(small_disk: Path, nights: Nights, journal: str, way: str) -> None:
    """From no space at all to enough: what is refused at first sight, what fails half way, and what goes through."""
    trial = Trial(small_disk, nights, journal, way, padding=300_000)
    statuses = []
    for leave in (0, 500_000, 1_010_000, 1_060_000, 1_110_000, 1_500_000):
        store = trial.fresh("night")
        on(store)
        filler = fill(small_disk, leave)
        ended = nights.night(store)
        filler.unlink()
        statuses.append(ended.status)
        if ended.status:
            assert (ended.status, ended.run["outcome"]) == (74, "failed"), ended
            assert "No space is left" in ended.run["error"], ended
            assert [name for name in store.files() if ".shadow" in name or ".part" in name] == []
        assert trial.look(store) == (not ended.status)
        trial.converge(store)
        shutil.rmtree(store.root.parent)
    assert statuses == sorted(statuses, reverse=True)
    assert (statuses[0], statuses[-1]) == (74, 0)
