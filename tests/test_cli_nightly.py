"""The nightly and check commands from outside: what they print, log and return."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import MakeStore, Run
from tests.test_cli import AUSTIN, BOSTON, NASTY, assert_error, on_terminal, tree

Query = Callable[..., list[tuple[Any, ...]]]

NOW = ["--now", "2026-03-01T03:00:00Z"]


def events(ended: subprocess.CompletedProcess[str]) -> list[dict[str, Any]]:
    """Return the log: each line of stderr is one JSON object."""
    return [json.loads(line) for line in ended.stderr.splitlines()]


def test_a_night_prints_one_document_and_logs_each_run(
    make_store: MakeStore, root: Path, run: Run, query: Query
) -> None:
    path = make_store("acme", facts=[BOSTON, AUSTIN])
    make_store("quiet", facts=[BOSTON])
    ended = run("nightly", "--root", root, "--all", "--json", *NOW)
    assert ended.returncode == 0
    runs = json.loads(ended.stdout)["runs"]
    assert [(run["tenant"], run["outcome"]) for run in runs] == [("acme", "swapped"), ("quiet", "unchanged")]
    assert runs[0]["actions"] == {"expire": 0, "merge": 0, "supersede": 1, "promote": 0, "review": 0}
    assert runs[0]["run_id"].startswith("20260301T030000Z-")
    finished = [event for event in events(ended) if event["event"] == "run.finished"]
    assert [event["run_id"] for event in finished] == [run["run_id"] for run in runs]
    assert "Boston" not in ended.stderr
    assert query(path, "SELECT id FROM facts WHERE status = 'active'") == [("f2",)]


def test_a_night_prints_a_line_for_each_tenant_in_the_order_asked_for(
    make_store: MakeStore, root: Path, run: Run
) -> None:
    make_store("acme", facts=[BOSTON, AUSTIN])
    make_store("quiet", facts=[BOSTON])
    chosen = ["--tenant", "quiet", "--tenant", "acme", "--tenant", "quiet"]
    lines = run("nightly", "--root", root, *chosen, *NOW).stdout.splitlines()
    assert [line.split(", in ")[0] for line in lines if not line.startswith(" ")] == [
        "quiet: unchanged",
        "acme: swapped (rename): 1 superseded",
    ]
    assert any(line.startswith("  the store as it was is kept as memory.db.pre-20260301T030000Z-") for line in lines)


def test_a_dry_run_prints_the_plan_and_leaves_no_file_behind(make_store: MakeStore, root: Path, run: Run) -> None:
    make_store("acme", facts=[BOSTON, {**AUSTIN, "value": "Austin" + NASTY}])
    before = tree(root)
    told = run("nightly", "--root", root, "--tenant", "acme", "--dry-run", *NOW)
    assert told.returncode == 0
    assert told.stdout.startswith("acme: planned: 1 superseded")
    assert not set(told.stdout) & set("\x1b\u202e\x00\x07\x9b")
    [document] = json.loads(run("nightly", "--root", root, "--all", "--dry-run", "--json", *NOW).stdout)["runs"]
    assert document["outcome"] == "planned"
    assert len(document["plan"]) == len(told.stdout.splitlines()) - 1
    assert tree(root) == before


def test_one_tenant_does_not_stop_another_and_the_worst_status_counts(
    make_store: MakeStore, root: Path, run: Run, query: Query
) -> None:
    (root / "abroad").mkdir()
    (root / "abroad" / "memory.db").write_bytes(b"no database")
    path = make_store("acme", facts=[BOSTON, AUSTIN])
    make_store("badprobe", facts=[BOSTON]).with_name("probes.toml").write_text("[[probe]]\n")
    ended = run("nightly", "--root", root, "--all", "--json", *NOW)
    assert ended.returncode == 74
    assert [(run["tenant"], run["outcome"], run["exit_status"]) for run in json.loads(ended.stdout)["runs"]] == [
        ("abroad", "failed", 74),
        ("acme", "swapped", 0),
        ("badprobe", "failed", 78),
    ]
    assert query(path, "SELECT id FROM facts WHERE status = 'active'") == [("f2",)]
    told = run("nightly", "--root", root, "--tenant", "abroad")
    assert told.returncode == 74
    assert told.stdout.startswith("abroad: failed")
    assert f"  error: {root / 'abroad' / 'memory.db'} is not a store" in told.stdout
    assert "Traceback" not in told.stderr


def test_a_plug_in_that_cannot_be_loaded_ends_the_night_before_any_tenant(
    make_store: MakeStore, root: Path, tmp_path: Path, run: Run
) -> None:
    make_store("acme", facts=[BOSTON, AUSTIN])
    before = tree(root)
    config = tmp_path / "consolidate.toml"
    config.write_text('[steps]\nextra = ["no.such:step"]\n')
    assert_error(run("nightly", "--root", root, "--all", "--json", "--config", config), 78, "no.such")
    assert tree(root) == before


def test_a_root_without_tenants_is_no_error(root: Path, run: Run) -> None:
    (root / "lost+found").mkdir()
    (root / "notes.txt").write_text("not a tenant")
    assert run("nightly", "--root", root, "--all").stdout == f"There are no tenants under {root}.\n"
    assert json.loads(run("nightly", "--root", root, "--all", "--json").stdout) == {"runs": []}


def test_output_that_fails_does_not_stop_the_night(
    make_store: MakeStore, root: Path, environment: dict[str, str], query: Query
) -> None:
    stores = [make_store(tenant, facts=[BOSTON, AUSTIN]) for tenant in ("a", "b")]
    with Path("/dev/full").open("wb") as full:
        ended = subprocess.run(
            [sys.executable, "-m", "consolidate", "nightly", "--root", str(root), "--all"],
            stdout=full,
            stderr=subprocess.PIPE,
            env=environment,
            check=False,
        )
    assert ended.returncode == 74
    assert b"Error: Input or output failed: No space left on device." in ended.stderr
    for path in stores:
        assert query(path, "SELECT id FROM facts WHERE status = 'active'") == [("f2",)]


@pytest.mark.parametrize("no_colour", ["", "1"])
def test_colour_is_for_terminals_of_those_who_want_it(
    make_store: MakeStore, root: Path, run: Run, environment: dict[str, str], no_colour: str
) -> None:
    make_store("acme", facts=[BOSTON])
    arguments = ["nightly", "--root", str(root), "--all", "--dry-run"]
    assert (b"\x1b[" in on_terminal(environment | {"NO_COLOR": no_colour}, *arguments)) is (no_colour == "")
    assert "\x1b" not in run(*arguments).stdout


def test_check_finds_nothing_wrong_with_a_healthy_store(make_store: MakeStore, root: Path, run: Run) -> None:
    path = make_store("acme", facts=[BOSTON, {**AUSTIN, "attribute": "work_city"}])
    before = tree(root)
    assert run("check", "--root", root, "--tenant", "acme").stdout == f"{path}: no problems\n"
    ended = run("check", path, "--json")
    assert (ended.returncode, json.loads(ended.stdout)) == (0, {"file": str(path), "problems": [], "notices": []})
    assert tree(root) == before


def test_check_names_problems_and_runs_the_probes(make_store: MakeStore, root: Path, run: Run) -> None:
    path = make_store(
        "acme", facts=[{**BOSTON, "status": "superseded", "superseded_by": "gone", "valid_to": 2.0}, AUSTIN]
    )
    path.with_name("probes.toml").write_text('[[probe]]\nuser = "maya"\nattribute = "home_city"\nexpect = "Boston"\n')
    kept = path.rename(path.with_name("memory.db.rejected-20260101T000000Z-abc123"))
    before = tree(root)
    ended = run("check", kept, "--json")
    assert ended.returncode == 65
    problems = json.loads(ended.stdout)["problems"]
    assert {problem["check"] for problem in problems} == {"broken_lineage", "probe"}
    told = run("check", kept)
    assert told.returncode == 65
    assert told.stdout.startswith(f"{kept}: 2 problems")
    assert "f1" in told.stdout
    assert tree(root) == before


def test_check_of_a_file_that_is_no_store(root: Path, run: Run) -> None:
    notes = root / "notes.txt"
    notes.write_text("notes")
    assert_error(run("check", notes), 74, f"{notes} is not a store")
    assert_error(run("check", root / "missing.db"), 74, "cannot be opened")
    assert_error(run("check"), 2, "No tenant is named")
    assert tree(root) == {"notes.txt": b"notes"}


def test_reading_does_not_repair_what_a_dead_writer_left(make_store: MakeStore, root: Path, run: Run) -> None:
    path = make_store("writer")
    (root / "acme").mkdir()
    with closing(sqlite3.connect(path)) as writer:
        writer.execute("PRAGMA cache_size=1")  # so that an open transaction reaches the file
        writer.execute("BEGIN")
        for number in range(1000):
            writer.execute("INSERT INTO facts(id, value) VALUES (?, ?)", (str(number), "x" * 500))
        for suffix in ("", "-journal"):
            shutil.copy(f"{path}{suffix}", root / "acme" / f"memory.db{suffix}")
    before = tree(root)
    for command in (["check"], ["export"], ["show", "--user", "maya"]):
        ended = run(command[0], "--root", root, "--tenant", "acme", *command[1:])
        assert_error(ended, 74, "was left in the middle of a write by a process that died")
    assert tree(root) == before
    assert run("import", "--root", root, "--tenant", "acme", "-").returncode == 0
    assert run("check", "--root", root, "--tenant", "acme").returncode == 0
