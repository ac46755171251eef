"""Telling somebody of a bad night: the operator's command, and the text file for Prometheus."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.night import NOW, Finished, Store, command

PLUGINS = str(Path(__file__).parent / "plugins")
KEEP = "import sys; open(sys.argv[1], 'ab').write(sys.stdin.buffer.read() + b'\\n')"


@pytest.fixture
def told(tmp_path: Path) -> Path:
    return tmp_path / "told.jsonl"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Three tenants: one good, one rejected, one that is no store."""
    root = tmp_path / "tenants"
    for name in ("good", "rejected"):
        store = Store(root, name)
        store.fact("a", "Boston", day=1)
        store.fact("b", "Austin", day=2)
    store.path.with_name("probes.toml").write_text('[[probe]]\nuser = "maya"\nattribute = "pet"\ncount = 1\n')
    (root / "broken").mkdir()
    (root / "broken" / "memory.db").write_text("not a database")
    return root


def config_of(root: Path, *call: str, more: str = "") -> Path:
    path = root.parent / "alert.toml"
    path.write_text(f"[alert]\ncommand = {json.dumps(call)}\n{more}", "utf-8")
    return path


def night(root: Path, config: Path, *more: str) -> Finished:
    chosen = [] if "--tenant" in more else ["--all"]
    return command("nightly", "--root", str(root), *chosen, "--config", str(config), "--now", str(NOW), *more)


def runs(path: Path) -> dict[str, dict[str, Any]]:
    return {run["tenant"]: run for run in map(json.loads, path.read_text().splitlines())}


@pytest.mark.parametrize("jobs", [[], ["--jobs", "2"]])
def test_rejected_and_failed_runs_are_told_of(root: Path, told: Path, jobs: list[str]) -> None:
    config = config_of(root, sys.executable, "-c", KEEP, str(told))
    ended = night(root, config, "--json", *jobs)
    assert ended.status == 74
    printed = {run["tenant"]: run for run in json.loads(ended.out)["runs"]}
    got = runs(told)
    assert got.keys() == {"rejected", "broken"}
    for name, run in got.items():
        assert run.pop("store") == str(root / name / "memory.db")
        assert run == printed[name]
    assert "Boston" not in told.read_text()


def test_notices_are_told_of_if_asked(root: Path, told: Path) -> None:
    store = Store(root, "good")
    store.fact("c", "Oslo", day=3, source="inferred")
    config = config_of(root, sys.executable, "-c", KEEP, str(told))
    assert night(root, config, "--tenant", "good", "--dry-run").status == 0
    assert night(root, config, "--tenant", "good", "--light").status == 0
    assert not told.exists()
    store.fact("d", "Rome", day=4, source="inferred")
    config = config_of(root, sys.executable, "-c", KEEP, str(told), more="notices = true\n")
    assert night(root, config, "--tenant", "good").status == 0
    assert [notice["kind"] for notice in runs(told)["good"]["notices"]] == ["review_growing"]


@pytest.mark.parametrize(
    ("call", "more", "sentence"),
    [
        (["/no/such/program"], "", "cannot be run: No such file or directory"),
        ([sys.executable, "-c", "import sys; sys.exit(3)"], "", "ended with status 3"),
        (
            [sys.executable, "-c", "import signal; signal.pause()"],
            "timeout = 0.2\n",
            "did not finish within 0.2 seconds",
        ),
        ([sys.executable, "-c", "print('noise')"], "", None),
    ],
)
def test_an_alert_that_fails_changes_nothing_else(root: Path, call: list[str], more: str, sentence: str | None) -> None:
    ended = night(root, config_of(root, *call, more=more), "--json")
    assert ended.status == 74
    assert {run["tenant"]: run["outcome"] for run in json.loads(ended.out)["runs"]} == {
        "broken": "failed", "good": "swapped", "rejected": "rejected",
    }  # fmt: skip
    failures = [line for line in map(json.loads, ended.err.splitlines()) if line["event"] == "alert.failed"]
    assert len(failures) == (0 if sentence is None else 2)
    assert all(sentence is None or sentence in failure["error"] for failure in failures)


def test_wrong_settings_are_named(root: Path) -> None:
    config = root.parent / "alert.toml"
    config.write_text('[alert]\ncommand = "mail"\nnotice = true\n[metrics]\ntextfile = 5\n')
    ended = night(root, config)
    assert ended.status == 78
    for mistake in ("alert.command must be a list", "unknown key alert.notice", "metrics.textfile must be"):
        assert mistake in ended.err
    config.write_text("[alert]\nnotices = true\ntimeout = 0\n")
    assert "alert.notices needs an alert.command" in night(root, config).err


def test_prometheus_gets_a_text_file(root: Path) -> None:
    from prometheus_client.parser import text_string_to_metric_families

    textfile = root.parent / "consolidate.prom"
    config = root.parent / "metrics.toml"
    config.write_text(f"[metrics]\ntextfile = {json.dumps(str(textfile))}\n")
    night(root, config, "--tenant", "good", "--dry-run")
    assert not textfile.exists()
    assert night(root, config).status == 74
    samples = {
        (sample.name, *sorted(sample.labels.values())): sample.value
        for family in text_string_to_metric_families(textfile.read_text())
        for sample in family.samples
    }
    assert samples["consolidate_last_run_outcome", "good", "swapped"] == 1
    assert samples["consolidate_last_run_outcome", "good", "rejected"] == 0
    assert samples["consolidate_last_run_outcome", "rejected", "rejected"] == 1
    assert samples["consolidate_rejected_waiting", "rejected"] == 1
    assert samples["consolidate_needs_a_person", "broken"] == 1
    assert samples["consolidate_last_good_timestamp_seconds", "good"] == NOW
    assert samples["consolidate_actions", "good", "supersede"] == 1
    assert samples["consolidate_facts", "good"] == 2
    assert samples["consolidate_review_queue", "good"] == 0
    assert textfile.stat().st_mode & 0o777 == 0o644
    assert [path.name for path in root.parent.iterdir() if "prom" in path.name] == ["consolidate.prom"]
    config.write_text('[metrics]\ntextfile = "/no/such/folder/x.prom"\n')
    ended = night(root, config, "--tenant", "good", "--json")
    assert (ended.status, ended.run["outcome"]) == (0, "unchanged")
    assert "metrics.failed" in ended.err
