"""A signal at any moment: live is untouched or wholly new, the status tells the signal, the next run cleans up."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.audit.nights import Ended, Nights
from tests.audit.trials import Trial, both_journals, both_ways
from tests.night import Store


@pytest.fixture(scope="module")
def nights() -> Iterator[Nights]:
    with Nights() as nights:
        yield nights


def check(trial: Trial, store: Store, ended: Ended, number: signal.Signals) -> bool:
    """Check how a night ended that was stopped; tell whether the store is the new one."""
    assert "Traceback" not in ended.out + ended.err
    if ended.last:
        assert ended.status == 128 + number, ended
        assert f"Stopped by {number.name}." in ended.err
    found = trial.look(store)
    store.sql("UPDATE facts SET confirmations = confirmations")  # a run that was stopped has let go of everything
    trial.converge(store)
    return found


@both_journals
@both_ways
@pytest.mark.parametrize(
    ("number", "kind", "stride"),
    [
        (signal.SIGINT, "sql", 113), (signal.SIGTERM, "sql", 149), (signal.SIGHUP, "sql", 199),
        (signal.SIGINT, "os.", 13), (signal.SIGTERM, "os.", 17), (signal.SIGHUP, "os.", 19),
    ],
)  # fmt: skip
def test_a_signal_at_any_operation(
    tmp_path: Path, nights: Nights, journal: str, way: str, number: signal.Signals, kind: str, stride: int
) -> None:
    trial = Trial(tmp_path, nights, journal, way)
    found = [check(trial, store, ended, number) for store, ended in trial.each(number.name, stride, only=kind)]
    assert found == sorted(found), "a later signal left an older store"


MOMENTS = [
    ("rename", "os.link", "", False), ("rename", "os.fsync", "/acme", False), ("rename", "os.replace", "/memory.db", True),
    ("in-place", "os.replace", "", False), ("in-place", "os.fsync", "/acme", False),
    ("in-place", "sql COMMIT", "/memory.db", True),
]  # fmt: skip


@both_journals
@pytest.mark.parametrize(("way", "only", "target", "new"), MOMENTS)
def test_a_signal_in_the_middle_of_the_swap(
    tmp_path: Path, nights: Nights, journal: str, way: str, only: str, target: str, new: bool
) -> None:
    trial = Trial(tmp_path, nights, journal, way)
    store = trial.fresh("night")
    ended = nights.night(store, do="SIGTERM", at=1, only=only, target=target)
    assert ended.last
    assert check(trial, store, ended, signal.SIGTERM) == new


@both_journals
@both_ways
def test_a_second_signal_while_the_first_is_cleaned_up_after(
    tmp_path: Path, nights: Nights, journal: str, way: str
) -> None:
    trial = Trial(tmp_path, nights, journal, way)
    only = "os.link" if way == "rename" else "os.replace"
    for again in range(1, 12, 3):
        store = trial.fresh(f"night {again}")
        ended = nights.night(store, do="SIGINT", at=1, only=only, again=again)
        check(trial, store, ended, signal.SIGINT)
