"""Commands with a fault in them, each in a process of its own that is forked from a warm one.

As a program it reads one order per line from stdin, runs it in a forked child, and answers how the child ended.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import io
import json
import os
import pickle
import pkgutil
import signal
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

import consolidate
from tests.faults import injection, seam, trace
from tests.faults.seam import Operation
from tests.writers import environment


@dataclass
class Ended:
    """How a command ended.

    Attributes:
        status: its exit status; negative if a signal ended it.
        at: the operation at which the fault came, such as ``os.link memory.db``; empty if the command was over before.
        out: what it printed.
        err: what it logged.
    """

    status: int
    at: str
    out: str
    err: str

    @property
    def run(self) -> dict[str, Any]:
        """The only run or rollback of a ``--json`` document; empty where there is none."""
        document = json.loads(self.out) if self.out.strip() else {}
        runs = document.get("runs") or document.get("rollbacks") or []
        return dict(runs[0]) if len(runs) == 1 else {}


class Commands:
    """Runs ``consolidate`` commands in processes forked from one that has everything imported.

    Args:
        folder: room for what the commands print.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        clean = {name: value for name, value in environment().items() if not name.startswith("CONSOLIDATE_")}
        with (folder / "server").open("wb") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", __name__],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env=clean,
            )

    def __enter__(self) -> Commands:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.communicate()

    def run(
        self, arguments: Sequence[str], store: Path, fault: str = "", at: int = 0, env: dict[str, str] | None = None
    ) -> Ended:
        """Run a command; ``store`` is the folder whose files are watched, ``at`` counts where the fault can come."""
        return self._ask({"argv": list(arguments), "store": str(store), "fault": fault, "at": at, "env": env or {}})

    def operations(self, arguments: Sequence[str], store: Path, env: dict[str, str] | None = None) -> list[Operation]:
        """Run a command without a fault and return every operation it made, SQLite's reads included."""
        listed: list[Operation] = self._recorded("list", arguments, store, env)
        return listed

    def trace(self, arguments: Sequence[str], store: Path) -> list[trace.Event]:
        """Run a command and return what it wrote, synced and named, in order."""
        traced: list[trace.Event] = self._recorded("trace", arguments, store, None)
        return traced

    def _recorded(self, how: str, arguments: Sequence[str], store: Path, env: dict[str, str] | None) -> Any:
        order = {"argv": list(arguments), "store": str(store), "fault": how, "at": 0, "env": env or {}}
        ended = self._ask(order)
        assert ended.status in (0, 65), ended
        return pickle.loads((self._folder / "recorded").read_bytes())

    def _ask(self, order: dict[str, Any]) -> Ended:
        for name in ("out", "err", "at"):
            (self._folder / name).write_bytes(b"")
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({**order, "folder": str(self._folder)}) + "\n")
        self._process.stdin.flush()
        status = int(self._process.stdout.readline())
        at, out, err = ((self._folder / name).read_text("utf-8") for name in ("at", "out", "err"))
        return Ended(status, at, out, err)


def _run(order: dict[str, Any]) -> int:
    """Run a command in this process, which is a child, and return its exit status."""
    folder, store = Path(order["folder"]), Path(order["store"])
    os.environ.update(order["env"])
    for name, number in (("out", 1), ("err", 2)):
        os.dup2(os.open(folder / name, os.O_WRONLY | os.O_APPEND), number)
    tell = os.open(folder / "at", os.O_WRONLY | os.O_APPEND)
    sys.argv = ["consolidate", *order["argv"]]
    watcher: Any
    if order["fault"] == "list":
        watcher = injection.Lister()
    elif order["fault"] == "trace":
        watcher = trace.Recorder()
    else:
        watcher = injection.Injector(order["fault"], order["at"], tell)
        watcher.watch_unraisable(sys.unraisablehook)
    real_open = os.open
    if order["fault"]:
        seam.install(watcher, store, reads=order["fault"] in ("list", "EIO reading"))
    from consolidate.cli.main import main

    try:
        main()
    except SystemExit as ended:
        status = ended.code if isinstance(ended.code, int) else 1
    sys.setprofile(None)
    gc.collect()
    sys.stdout.flush()
    if order["fault"] in ("list", "trace"):
        with open(folder / "recorded", "wb", opener=lambda path, flags: real_open(path, flags, 0o600)) as file:
            pickle.dump(watcher.result, file)
    return status


def _warm_up() -> None:
    """Import everything, and run a night that fills what is filled once per process."""
    for module in pkgutil.walk_packages(consolidate.__path__, "consolidate."):
        if module.name != "consolidate.__main__":
            importlib.import_module(module.name)
    kinds = importlib.import_module("tests.faults.kinds")
    from consolidate.cli.main import main

    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.TextIOWrapper(io.BytesIO())):
        place = kinds.Place(Path(folder) / "place", kinds.KINDS[0])
        place.fill()
        sys.argv = ["consolidate", *place.arguments(("nightly",))]
        with contextlib.suppress(SystemExit):
            main()


def _serve() -> None:
    _warm_up()
    gc.collect()
    gc.freeze()
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            for number in (signal.SIGTERM, signal.SIGHUP):
                signal.signal(number, signal.SIG_DFL)
            # Whoever started this in the background had it ignored.
            signal.signal(signal.SIGINT, signal.default_int_handler)
            try:
                status = _run(json.loads(line))
            except BaseException as error:
                traceback.print_exception(error)
                os._exit(99)
            os._exit(status)
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


if __name__ == "__main__":
    _serve()
