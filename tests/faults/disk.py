"""What a power cut can leave on a disk: nothing later than the last sync of a file or a folder is certain.

What was written to a file since its last sync is, piece by piece, lost, there, or there in some of its sectors; so is a change of
its size. Changes of names since the last sync of the folder are each done or not. A rename is one change.
"""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tests.faults.judging import DISPOSABLE
from tests.faults.trace import Event

SECTOR = 512
# With so many pieces, at most, every combination of lost and there is tried.
_EXHAUSTIVE = 3
_SHM = re.compile(r"-shm\Z")


@dataclass(frozen=True)
class Image:
    """What lies in a folder: the content of each file, and which file each name means."""

    names: Mapping[str, int]
    contents: Mapping[int, bytes]

    def write(self, folder: Path) -> None:
        """Put it into an empty folder; several names of one file are hard links."""
        written: dict[int, Path] = {}
        for name, number in sorted(self.names.items()):
            path = folder / name
            if number in written:
                path.hardlink_to(written[number])
            else:
                path.write_bytes(self.contents[number])
                written[number] = path

    def key(self) -> tuple[object, ...]:
        """Return what tells it from others; of disposable files, which are removed unread, only whether there are any."""
        lasting = sorted(name for name in self.names if not DISPOSABLE.search(name))
        groups = {number: place for place, number in enumerate(dict.fromkeys(self.names[name] for name in lasting))}
        files = tuple((name, groups[self.names[name]], self.contents[self.names[name]]) for name in lasting)
        return (*files, len(lasting) < len(self.names))


@dataclass
class _File:
    """A file: what is certain, and what was done since."""

    durable: bytes = b""
    pending: list[Event] = field(default_factory=list)


Renaming = Mapping[str, int | None]


class Disk:
    """A folder under a command whose events are played to it one by one.

    Args:
        folder: the files as they were before; all of it is certain.
    """

    def __init__(self, folder: Path) -> None:
        self._files: dict[int, _File] = {}
        self._numbers: dict[int, int] = {}  # the inode a file has now → its number here; inodes come back
        self._durable: dict[str, int] = {}
        for path in sorted(folder.iterdir()):
            if not _SHM.search(path.name):
                self._durable[path.name] = self._new(path.stat().st_ino, path.read_bytes())
        self.names = dict(self._durable)
        self._changes: list[Renaming] = []

    def _new(self, inode: int, content: bytes = b"") -> int:
        if inode not in self._numbers or not content:
            self._numbers[inode] = len(self._files)
            self._files[self._numbers[inode]] = _File(content)
        return self._numbers[inode]

    def play(self, event: Event) -> None:
        """Let an event happen."""
        if event.kind == "sync folder":
            for change in self._changes:
                _rename(self._durable, change)
            self._changes.clear()
        elif event.kind == "sync":
            file = self._files[self._numbers[event.inode]]
            file.durable = _content(file, [range(_sectors(item)) for item in file.pending], grown=True)
            file.pending.clear()
        elif event.kind in ("write", "truncate"):
            self._files[self._numbers[event.inode]].pending.append(event)
        else:
            change = self._change(event)
            self._changes.append(change)
            _rename(self.names, change)

    def _change(self, event: Event) -> Renaming:
        if event.kind == "create":
            return {event.name: self._new(event.inode)}
        if event.kind == "unlink":
            return {event.name: None}
        number = self.names[event.name]
        return {event.target: number} if event.kind == "link" else {event.target: number, event.name: None}

    def now(self) -> Image:
        """Return what a process sees, all of it."""
        return self._image(self.names, dict.fromkeys(self._files, "there"), random.Random(0))

    def images(self, chance: random.Random, samples: int) -> Iterator[Image]:
        """Yield what a power cut now can leave: everything where that is little, else some of it.

        Args:
            chance: decides.
            samples: how many images beyond the extremes are drawn where there are too many.
        """
        for names in self._namings(chance):
            files = [number for number in dict.fromkeys(names.values()) if self._files[number].pending]
            for choice in ("lost", "there"):
                yield self._image(names, dict.fromkeys(files, choice), chance)
            lasting = [n for n in files if any(not DISPOSABLE.search(name) for name, m in names.items() if m == n)]
            if sum(len(self._files[number].pending) for number in lasting) == 0:
                continue
            for _ in range(samples):
                yield self._image(names, dict.fromkeys(files, "torn"), chance)

    def _namings(self, chance: random.Random) -> Iterator[dict[str, int]]:
        """Yield which changes of names can have been done; those of disposable files alone are drawn."""
        lasting = [place for place, change in enumerate(self._changes) if not all(map(DISPOSABLE.search, change))]
        if len(lasting) <= _EXHAUSTIVE:
            choices = [set(some) for n in range(len(lasting) + 1) for some in itertools.combinations(lasting, n)]
        else:
            choices = [set(), set(lasting), *({n for n in lasting if chance.random() < 0.5} for _ in range(8))]
        for chosen in choices:
            names = dict(self._durable)
            likely = chance.choice((0.0, 0.5, 1.0))
            for place, change in enumerate(self._changes):
                if place in chosen or (place not in lasting and chance.random() < likely):
                    _rename(names, change)
            yield names

    def _image(self, names: Mapping[str, int], how: Mapping[int, str], chance: random.Random) -> Image:
        contents = {}
        for number in dict.fromkeys(names.values()):
            file, choice = self._files[number], how.get(number, "lost")
            grown = choice == "there" or (choice == "torn" and chance.random() < 0.5)
            contents[number] = _content(file, [_chosen(item, choice, chance) for item in file.pending], grown=grown)
        return Image(dict(names), contents)


def _rename(names: dict[str, int], change: Renaming) -> None:
    for name, number in change.items():
        if number is None:
            names.pop(name, None)
        else:
            names[name] = number


def _sectors(event: Event) -> int:
    """Return how many pieces of an event the disk writes each for itself."""
    if event.kind == "truncate":
        return 1
    first, last = event.offset // SECTOR, (event.offset + max(len(event.data), 1) - 1) // SECTOR
    return last - first + 1


def _chosen(event: Event, how: str, chance: random.Random) -> range | list[int]:
    """Return which sectors of an event are on the disk."""
    count = _sectors(event)
    if how == "torn":
        how = chance.choice(("lost", "there", "first", "last", "some"))
    if how == "some":
        return [sector for sector in range(count) if chance.random() < 0.5]
    middle = chance.randrange(count + 1)
    return {"there": range(count), "first": range(middle), "last": range(middle, count)}.get(how, range(0))


def _content(file: _File, chosen: list[range | list[int]] | list[range], *, grown: bool) -> bytes:
    """Return the content of a file of whose pending events some sectors arrived; ``grown`` tells whether the size did anyway."""
    content = bytearray(file.durable)
    for event, sectors in zip(file.pending, chosen, strict=True):
        if event.kind == "truncate":
            if sectors:
                del content[event.offset :]
                content.extend(bytes(event.offset - len(content)))
            continue
        end = event.offset + len(event.data)
        if grown and len(content) < end:
            content.extend(bytes(end - len(content)))
        for sector in sectors:
            begin = max((event.offset // SECTOR + sector) * SECTOR, event.offset)
            piece = event.data[begin - event.offset : begin - begin % SECTOR + SECTOR - event.offset]
            if len(content) < begin:
                content.extend(bytes(begin - len(content)))
            content[begin : begin + len(piece)] = piece
    return bytes(content)
