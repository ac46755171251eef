"""A night over several hosts: a real scheduler and real workers on loopback, each with a root of its own."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.night import NOW, Store, clean_environment, command

PLUGINS = str(Path(__file__).parent / "plugins")
CONFIG = '[steps]\nextra = ["fleet_steps:behave"]\n'


def until(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


class Cluster:
    """A scheduler and its workers."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / "scheduler.json"
        self.processes: list[subprocess.Popen[bytes]] = []
        self._start("dask_scheduler", "--scheduler-file", str(self.file), "--host", "127.0.0.1", "--port", "0")
        until(self.file.exists)

    @property
    def address(self) -> str:
        return str(json.loads(self.file.read_text())["address"])

    def worker(self, root: Path) -> subprocess.Popen[bytes]:
        """Start a worker that holds the tenants under ``root``."""
        call = (
            "dask_worker",
            self.address,
            "--no-nanny",
            "--nthreads",
            "2",
            "--host",
            "127.0.0.1",
            "--name",
            root.parent.name,
        )
        return self._start(*call, "--local-directory", str(self.folder), CONSOLIDATE_ROOT=str(root))

    def _start(self, module: str, *arguments: str, **environment: str) -> subprocess.Popen[bytes]:
        log = (self.folder / f"{module}-{len(self.processes)}.log").open("wb")
        with log:
            process = subprocess.Popen(
                [sys.executable, "-m", f"distributed.cli.{module}", *arguments, "--no-dashboard"],
                stdout=log, stderr=log, env=clean_environment() | {"PYTHONPATH": PLUGINS} | environment,
            )  # fmt: skip
        self.processes.append(process)
        return process

    def end(self) -> None:
        for process in reversed(self.processes):
            process.kill()
            process.wait()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    cluster = Cluster(tmp_path)
    try:
        yield cluster
    finally:
        cluster.end()


def host(tmp_path: Path, name: str, *tenants: str) -> Path:
    """Make the root of a host with these tenants."""
    root = tmp_path / name / "tenants"
    root.mkdir(parents=True)
    for tenant in tenants:
        store = Store(root, tenant)
        store.fact("a", "Boston", day=1)
        store.fact("b", "Austin", day=2)
    return root


def ready(cluster: Cluster, workers: int) -> None:
    from distributed import Client

    with Client(cluster.address, set_as_default=False) as client:  # type: ignore[no-untyped-call]
        client.wait_for_workers(workers, timeout=120)


def begin(cluster: Cluster, tmp_path: Path, config: str = "", *more: str) -> subprocess.Popen[str]:
    path = tmp_path / "fleet.toml"
    path.write_text(config)
    call = [
        "nightly",
        "--all",
        "--scheduler",
        cluster.address,
        "--config",
        str(path),
        "--now",
        str(NOW),
        *(more or ["--json"]),
    ]
    return subprocess.Popen(
        [sys.executable, "-m", "consolidate", *call], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env=clean_environment() | {"PYTHONPATH": PLUGINS},
    )  # fmt: skip


def ended(process: subprocess.Popen[str]) -> tuple[int, dict[str, dict[str, Any]]]:
    out, err = process.communicate(timeout=180)
    assert "Traceback" not in err, err
    return process.returncode, {run["tenant"]: run for run in json.loads(out)["runs"]}


def history(root: Path, tenant: str) -> list[dict[str, Any]]:
    path = root / tenant / "memory.db.runs.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def test_each_tenant_is_run_by_the_worker_that_holds_it_and_a_contested_one_by_nobody(
    cluster: Cluster, tmp_path: Path
) -> None:
    roots = [host(tmp_path, "one", "a", "b", "both"), host(tmp_path, "two", "c", "both")]
    for root in roots:
        cluster.worker(root)
    ready(cluster, 2)
    status, runs = ended(begin(cluster, tmp_path))
    assert {name: run["outcome"] for name, run in runs.items()} == {
        "a": "swapped", "b": "swapped", "c": "swapped", "both": "failed",
    }  # fmt: skip
    assert status == 70
    assert "several workers claim it" in runs["both"]["error"]
    for root in roots:
        assert Store(root, "both").status("a", "b") == ["active", "active"]
    for root, tenant in ((roots[0], "a"), (roots[1], "c")):
        assert [run["run_id"] for run in history(root, tenant)] == [runs[tenant]["run_id"]]
    ended(begin(cluster, tmp_path))
    ended(begin(cluster, tmp_path))
    assert history(roots[1], "c")[-1]["skipped_untouched"]


def test_the_metrics_are_of_all_hosts(cluster: Cluster, tmp_path: Path) -> None:
    for name in ("one", "two"):
        cluster.worker(host(tmp_path, name, f"of-{name}"))
    ready(cluster, 2)
    textfile = tmp_path / "metrics.prom"
    status, _ = ended(begin(cluster, tmp_path, f'[metrics]\ntextfile = "{textfile}"\n'))
    assert status == 0
    for name in ("one", "two"):
        assert f'consolidate_last_run_outcome{{outcome="swapped",tenant="of-{name}"}} 1.0' in textfile.read_text()


def test_a_worker_that_dies_costs_only_what_it_had_in_hand(cluster: Cluster, tmp_path: Path) -> None:
    roots = [host(tmp_path, "one", "stuck", "done"), host(tmp_path, "two", "other")]
    said = tmp_path / "said"
    stuck = Store(roots[0], "stuck")
    stuck.script("CREATE TABLE behaviour(do TEXT, said TEXT)")
    stuck.sql("INSERT INTO behaviour VALUES ('wait', ?)", (str(said),))
    first = cluster.worker(roots[0])
    cluster.worker(roots[1])
    ready(cluster, 2)
    night = begin(cluster, tmp_path, CONFIG, "--timeout", "1h")
    told: set[str] = set()
    assert night.stdout is not None
    for line in night.stdout:
        told.add(line.split(" (")[0].strip())
        if {"done: swapped", "other: swapped"} <= told:
            break
    until(said.exists)
    first.send_signal(signal.SIGKILL)
    out, err = night.communicate(timeout=180)
    assert (night.returncode, "Traceback" in err) == (70, False), err
    assert "stuck: failed" in out
    assert "was lost" in out
    assert "3 tenants in " in out
    assert "2 swapped, 1 failed" in out
    said.with_name("said.go").touch()
    stuck.sql("UPDATE behaviour SET do = ''")
    until(lambda: (roots[0] / "stuck" / "memory.db.lock").stat().st_size == 0)
    cluster.worker(roots[0])
    ready(cluster, 2)
    status, _ = ended(begin(cluster, tmp_path, CONFIG))
    assert status == 0
    assert stuck.status("a", "b") == ["superseded", "active"]


def test_a_cluster_that_cannot_be_used_is_one_clear_error(cluster: Cluster, tmp_path: Path) -> None:
    none = command("nightly", "--all", "--scheduler", cluster.address)
    assert (none.status, none.out) == (74, "")
    assert "has no workers" in none.err
    wrong = command("nightly", "--all", "--scheduler", "nonsense://127.0.0.1:1")
    assert (wrong.status, wrong.out) == (74, "")
    assert "cannot be reached" in wrong.err
    named = command("nightly", "--tenant", "acme", "--scheduler", cluster.address)
    assert (named.status, named.out) == (2, "")
