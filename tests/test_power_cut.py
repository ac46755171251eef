"""Whenever the power fails, the disk holds a whole store, old or new, and the next run goes on (DESIGN section 4).

A short form of ``scripts/power-cut``, which tries every point of every kind of run: here a part of the images, always the same.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.disk import SECTOR, Disk
from tests.faults.kinds import Kind
from tests.faults.power_cut import cut, powered_kinds
from tests.faults.server import Commands
from tests.faults.trace import Event
from tests.faults.trials import Trials

_IMAGES = 8


@pytest.fixture(scope="module")
def commands(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Commands]:
    with Commands(tmp_path_factory.mktemp("commands")) as commands:
        yield commands


@pytest.mark.parametrize("kind", powered_kinds(), ids=lambda kind: kind.name)
def test_whenever_the_power_fails_the_store_is_old_or_new(tmp_path: Path, commands: Commands, kind: Kind) -> None:
    result = cut(Trials(kind, commands, tmp_path), seed=7, samples=1, most=_IMAGES)
    assert not result.failures, "\n".join(map(str, result.failures))
    assert result.images == _IMAGES
    assert result.points > 60


def contents(disk: Disk, samples: int = 40) -> set[tuple[tuple[str, bytes], ...]]:
    """Return all that the disk can hold."""
    images = disk.images(random.Random(1), samples)
    return {tuple((name, image.contents[number]) for name, number in sorted(image.names.items())) for image in images}


def file(folder: Path, name: str, content: bytes) -> int:
    path = folder / name
    path.write_bytes(content)
    return path.stat().st_ino


def test_what_was_synced_is_certain_and_what_was_not_is_not(tmp_path: Path) -> None:
    inode = file(tmp_path, "a", b"old")
    disk = Disk(tmp_path)
    disk.play(Event("write", inode, "a", data=b"new"))
    assert contents(disk) == {(("a", b"old"),), (("a", b"new"),)}
    disk.play(Event("sync", inode, "a"))
    assert contents(disk) == {(("a", b"new"),)}


def test_a_write_can_arrive_in_part_and_a_size_without_what_was_written(tmp_path: Path) -> None:
    inode = file(tmp_path, "a", b"")
    disk = Disk(tmp_path)
    disk.play(Event("write", inode, "a", data=b"x" * 3 * SECTOR))
    found = {content for ((_, content),) in contents(disk)}
    assert {b"", b"x" * 3 * SECTOR, b"x" * SECTOR, bytes(3 * SECTOR), bytes(2 * SECTOR) + b"x" * SECTOR} <= found
    assert all(len(content) % SECTOR == 0 for content in found)


def test_names_are_certain_once_the_folder_is_synced_and_a_rename_is_one_change(tmp_path: Path) -> None:
    file(tmp_path, "a", b"1")
    file(tmp_path, "b", b"2")
    disk = Disk(tmp_path)
    disk.play(Event("link", name="a", target="c"))
    disk.play(Event("rename", name="b", target="a"))
    with_link, renamed = {("c", b"1")}, {("a", b"2")}
    before = {("a", b"1"), ("b", b"2")}
    assert set(map(frozenset, contents(disk))) == {
        frozenset(before), frozenset(before | with_link), frozenset(renamed), frozenset(renamed | with_link)
    }  # fmt: skip
    disk.play(Event("sync folder"))
    assert contents(disk) == {(("a", b"2"), ("c", b"1"))}


def test_syncing_a_new_file_does_not_make_its_name_certain(tmp_path: Path) -> None:
    disk = Disk(tmp_path)
    disk.play(Event("create", 99, "a"))
    disk.play(Event("write", 99, "a", data=b"x"))
    disk.play(Event("sync", 99, "a"))
    assert contents(disk) == {(), (("a", b"x"),)}
