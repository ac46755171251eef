"""A night with a model in front of a person: a progress bar, and an end at once when it is stopped."""

from __future__ import annotations

import errno
import os
import pty
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.llm import AISLE, ENVIRONMENT, config, model_store, night, promoted
from tests.model_server import Answer, Asked, proposing, serving
from tests.night import NOW, Store, clean_environment


def nightly(store: Store) -> list[str]:
    where = ["--root", str(store.root), "--tenant", "acme", "--config", str(store.config_path)]
    return [sys.executable, "-m", "consolidate", "nightly", *where, "--now", str(NOW)]


def test_users_are_counted_on_a_terminal(tmp_path: Path) -> None:
    with serving(proposing(AISLE)) as server:
        store = model_store(tmp_path, server)
        for user in ("tom", "zoe"):
            store.episode(f"of-{user}", "Took an aisle seat", day=1, user=user)
        reader, writer = pty.openpty()
        env = clean_environment() | ENVIRONMENT
        with subprocess.Popen(nightly(store), stdout=subprocess.PIPE, stderr=writer, env=env, text=True) as process:
            os.close(writer)
            shown = b""
            try:
                while chunk := os.read(reader, 65536):
                    shown += chunk
            except OSError as error:  # how Linux tells that the other end is closed
                assert error.errno == errno.EIO
            os.close(reader)
            assert process.stdout is not None
            told = process.stdout.read()
    assert process.returncode == 0
    assert b"Users" in shown and b"3/3" in shown and shown.index(b"3/3") < shown.index(b"run.finished")
    assert shown.rindex(b"\x1b[?25h") > shown.rindex(b"\x1b[?25l")
    assert "acme: swapped" in told and "Users" not in told


def test_no_bar_without_a_terminal(tmp_path: Path) -> None:
    with serving(proposing(AISLE)) as server:
        finished = night(model_store(tmp_path, server))
    assert "Users" not in finished.err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_night_that_is_stopped_during_a_call_ends(tmp_path: Path, number: signal.Signals) -> None:
    called = threading.Event()

    def script(asked: Asked) -> Answer:
        called.set()
        return Answer(hang=True)

    with serving(script) as server:
        store = model_store(tmp_path, server, "timeout = 3600.0\nmax_retries = 5\n")
        before = store.path.read_bytes()
        env = clean_environment() | ENVIRONMENT
        with subprocess.Popen(nightly(store), stderr=subprocess.PIPE, env=env, text=True) as process:
            assert called.wait(60)
            process.send_signal(number)
            _, err = process.communicate(timeout=60)
        assert process.returncode == 128 + number, err
        assert "Traceback" not in err and store.path.read_bytes() == before and len(server.asked) == 1
        assert not [name for name in store.files() if "shadow" in name]
        server.script = proposing(AISLE)
        store.config = config(server)
        night(store, now=NOW + 1)
    assert promoted(store)
