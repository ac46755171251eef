"""Ctrl-C, SIGTERM and kill -9 in the middle of a night: live is whole, and nothing is left lying around."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from consolidate.checks.integrity import LARGE
from tests.night import Store

PLUGINS = {"PYTHONPATH": str(Path(__file__).parent / "plugins")}


@pytest.fixture(params=["small", "large"])
def store(tmp_path: Path, request: pytest.FixtureRequest) -> Store:
    """A store; of a large one the job looks at several things at a time."""
    store = Store(tmp_path / "tenants")
    store.fact("a", "Boston", day=1)
    store.fact("b", "Austin", day=2)
    if request.param == "large":
        for number in range(LARGE // (1 << 20) + 1):
            store.episode(f"e{number}", "x" * (1 << 20), day=1, user="else")
    return store


@pytest.mark.parametrize(("step", "number"), [("interrupted", signal.SIGINT), ("terminated", signal.SIGTERM)])
def test_signal_ends_the_night_cleanly(store: Store, step: str, number: signal.Signals) -> None:
    before = store.path.read_bytes()
    store.config = f'[steps]\nextra = ["bad_steps:{step}"]\n'
    finished = store.night(env=PLUGINS)
    assert finished.status == 128 + number, finished.out + finished.err
    assert "Traceback" not in finished.err
    assert store.path.read_bytes() == before
    assert [name for name in store.files() if "shadow" in name or name.endswith(".part")] == []
    store.config = ""
    assert store.good_night()["outcome"] == "swapped"


def test_night_after_a_kill_cleans_up_and_says_so(store: Store) -> None:
    before = store.path.read_bytes()
    store.config = '[steps]\nextra = ["bad_steps:killed"]\n'
    assert store.night(env=PLUGINS).status == -signal.SIGKILL
    assert store.path.read_bytes() == before
    assert any("shadow" in name for name in store.files())
    store.config = ""
    run = store.good_night()
    assert run["outcome"] == "swapped"
    assert [notice["kind"] for notice in run["notices"]] == ["recovered"]
    assert [name for name in store.files() if "shadow" in name] == []
