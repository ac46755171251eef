"""Whatever operation fails, or is the last one of a process, the live store is whole and the next run goes on (DESIGN section 4).

A short form of ``scripts/faults``, which tries every operation: here every so many, always the same ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.every import try_recovery
from tests.faults.injection import FAULTS, applies
from tests.faults.kinds import KINDS, RECOVERED, Kind, kind
from tests.faults.server import Commands, Ended
from tests.faults.trials import Trials, Tried

# How many operations of a run each fault comes at; of the rarer ones, two come to each kind of run.
_TRIALS = {"kill": 5, "torn": 2, "EIO": 2, "EIO after": 2}
_RARER = ("kill after", "ENOSPC", "EACCES", "SIGTERM", "SIGINT")


@pytest.fixture(scope="module")
def commands(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Commands]:
    with Commands(tmp_path_factory.mktemp("commands")) as commands:
        yield commands


def spread(numbers: list[int], wanted: int, start: int) -> list[int]:
    """Return so many of the numbers, evenly spread; ``start`` moves the first one."""
    step = max(1, len(numbers) // wanted)
    return numbers[start % step :: step][:wanted]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_whatever_goes_wrong_the_store_is_whole_and_the_next_run_converges(
    tmp_path: Path, commands: Commands, kind: Kind
) -> None:
    trials, place = Trials(kind, commands, tmp_path), KINDS.index(kind)
    tried = Tried(kind.name)
    rarer = {_RARER[(place + n) % len(_RARER)]: 1 for n in (0, 2)}
    for fault, wanted in (_TRIALS | rarer).items():
        # Different kinds of run are tried at different places.
        trials.try_all(fault, spread(trials.numbers(fault, 3), wanted, place), tried)
    assert not tried.failures, "\n".join(map(str, tried.failures))
    assert sum(tried.trials.values()) == 13
    assert tried.left


@pytest.mark.parametrize("name", ["rename, wal", "in place, delete"])
@pytest.mark.parametrize("operation", ["os.link", "os.replace", "os.fsync", "sqlite.sync"])
def test_deaths_and_errors_at_the_turning_points_of_a_swap(
    tmp_path: Path, commands: Commands, name: str, operation: str
) -> None:
    trials = Trials(kind(name), commands, tmp_path)
    tried = Tried(name)
    for fault in ("kill", "EIO", "EIO after"):
        possible = [item for item in trials.operations if applies(fault, item)]
        numbers = [n for n, item in enumerate(possible, 1) if item.name == operation and ".shadow" not in item.path]
        trials.try_all(fault, numbers[:4], tried)
    assert not tried.failures, "\n".join(map(str, tried.failures))


@pytest.mark.parametrize("name", RECOVERED[1:3])
def test_the_run_after_a_death_can_die_too(tmp_path: Path, commands: Commands, name: str) -> None:
    trials = Trials(kind(name), commands, tmp_path / "run")
    tried = Tried(name)
    trials.try_all("kill", spread(trials.numbers("kill"), 10, 3), tried)
    left = dict(list(tried.left.items())[-2:])
    recovered = try_recovery(trials, left, tmp_path / "recovery", ["kill"])
    assert not recovered.failures, "\n".join(map(str, recovered.failures))
    assert recovered.trials["kill"] >= 4


def test_a_run_has_operations_of_every_sort(tmp_path: Path, commands: Commands) -> None:
    operations = Trials(kind("rename, wal"), commands, tmp_path).operations
    names = {item.name for item in operations}
    assert {"os.link", "os.replace", "os.unlink", "os.fsync", "os.pwrite", "os.chmod", "os.open", "os.statvfs"} <= names
    assert {"sqlite.open", "sqlite.write", "sqlite.sync", "sqlite.truncate", "sqlite.delete", "sqlite.read"} <= names
    assert {"fcntl.lease", "fcntl.flock"} <= names
    assert all(any(applies(fault, item) for item in operations) for fault in FAULTS)


def _fails_at(folder: Path, commands: Commands, fault: str, operation: str, path: str) -> Ended:
    """Let a fault come at the last operation of that name on such a path, in a swap by rename."""
    trials = Trials(kind("rename, delete"), commands, folder)
    possible = [item for item in trials.operations if applies(fault, item)]
    numbers = [n for n, item in enumerate(possible, 1) if item.name == operation and item.path.endswith(path)]
    ended = trials.fail(fault, numbers[-1])
    assert ended.at.startswith(operation)
    return ended


def test_a_cursor_that_cannot_be_written_leaves_nothing_unfinished(tmp_path: Path, commands: Commands) -> None:
    assert _fails_at(tmp_path, commands, "EIO", "os.fsync", ".state.json.part").status == 0
    assert not list(tmp_path.glob("trial/tenants/*/*.part"))


def test_a_lease_that_is_refused_after_the_rename_does_not_make_the_swap_a_failure(
    tmp_path: Path, commands: Commands
) -> None:
    ended = _fails_at(tmp_path, commands, "EIO", "fcntl.lease", "")
    assert (ended.status, ended.run["outcome"], ended.run["swap"]) == (0, "swapped", "rename")
    assert "straggler" in [notice["kind"] for notice in ended.run["notices"]]


def test_a_disk_that_fails_in_a_transaction_on_the_shadow_is_no_internal_error(
    tmp_path: Path, commands: Commands
) -> None:
    trials = Trials(kind("rename, delete"), commands, tmp_path)
    possible = [item for item in trials.operations if applies("EIO after", item)]
    written = [
        n for n, item in enumerate(possible, 1) if item.path.endswith(".shadow-journal") and "write" in item.name
    ]
    assert len(written) > 5
    assert {trials.fail("EIO after", number).status for number in written} <= {0, 74}
