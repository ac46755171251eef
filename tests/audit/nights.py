"""Nights in which one thing happens at one operation, told from outside."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from tests.night import NOW, Finished, Store, clean_environment
from tests.writers import environment


@dataclass
class Ended(Finished):
    """A command that ended; ``last`` is the operation at which something happened, or empty if there was none."""

    last: str = ""


class Nights:
    """A process that has everything imported and forks one child for every command."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.audit.job"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment() | {"PYTHONDONTWRITEBYTECODE": "1"},
        )
        self._last = ""

    def __enter__(self) -> Nights:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.communicate()

    def night(self, store: Store, *arguments: str, now: float = NOW, **order: Any) -> Ended:
        """Run one night of a store; see `run`."""
        return self.run(store.path.parent, night_of(store, *arguments, now=now), **order)

    def run(self, folder: Path, arguments: list[str], **order: Any) -> Ended:
        """Run one command to its end.

        Args:
            folder: the folder of the store.
            arguments: the command line.
            order: ``do``: what happens: kill (SIGKILL before the operation), EIO or ENOSPC (it fails), EIO after (it is done and
                fails all the same), SIGINT, SIGTERM or SIGHUP (the signal comes during the operation), cut or cut after (a
                power cut before or after it).
                ``at``: the number of the operation, of those whose name begins with ``only`` and whose path ends with
                ``target``. ``again``: the signal comes once more, so many operations later.
                ``into`` and ``names_arrived``: see `tests.audit.disk`.
        """
        self._send(folder, arguments, order)
        return self._end()

    @contextmanager
    def paused(self, store: Store, only: str, target: str, *arguments: str, at: int = 1) -> Iterator[Ended]:
        """Run a night that waits just before one operation for the length of the block; how it ended is there afterwards."""
        ended = Ended(-1, "", "")
        self._send(
            store.path.parent,
            night_of(store, *arguments),
            {"do": "pause", "at": at, "only": only, "target": target},
        )
        assert self._read() == {"paused": True}
        yield ended
        assert self._process.stdin is not None
        self._process.stdin.write("go\n")
        self._process.stdin.flush()
        vars(ended).update(vars(self._end()))

    def _send(self, folder: Path, arguments: list[str], order: dict[str, Any]) -> None:
        default: dict[str, Any] = {
            "do": "",
            "at": 0,
            "only": "",
            "target": "",
            "again": 0,
            "into": "",
            "names_arrived": False,
        }
        self._last = ""
        assert self._process.stdin is not None
        self._process.stdin.write(
            json.dumps(default | order | {"folder": str(folder), "arguments": arguments}, default=str) + "\n"
        )
        self._process.stdin.flush()

    def _read(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        while True:
            line = self._process.stdout.readline()
            assert line, "the process is gone"
            answer: dict[str, Any] = json.loads(line)
            if "last" not in answer:
                return answer
            self._last = answer["last"]

    def _end(self) -> Ended:
        answer = self._read()
        assert "status" in answer, "it waits although it was not asked to"
        return Ended(answer["status"], answer["out"], answer["err"], self._last)


def night_of(store: Store, *arguments: str, now: float = NOW) -> list[str]:
    """Return the command line of one night."""
    return ["nightly", *on(store), "--now", str(now), "--json", *arguments]


def on(store: Store) -> list[str]:
    """Return the options that name a store; its configuration is written unless it stands there already."""
    config = store.root.parent / f"{store.tenant}.toml"
    if not config.exists() or config.read_text("utf-8") != store.config:
        config = store.config_path
    return ["--root", str(store.root), "--tenant", store.tenant, "--config", str(config)]


def audited(*arguments: str, plugins: Path | None = None, env: Mapping[str, str] | None = None) -> Finished:
    """Run ``consolidate`` as a process of its own under the audit of `tests.audited`."""
    known = environment()["PYTHONPATH"]
    done = subprocess.run(
        [sys.executable, "-m", "tests.audited", *arguments],
        capture_output=True,
        text=True,
        env=clean_environment() | {"PYTHONPATH": f"{known}:{plugins}" if plugins else known} | dict(env or {}),
        check=False,
    )
    return Finished(done.returncode, done.stdout, done.stderr)
