"""The commands from outside: real processes, their output, their exit status, and what they leave on disk."""

from __future__ import annotations

import errno
import json
import os
import pty
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from consolidate import __version__
from consolidate.operate.fleet import worst_status
from tests.conftest import MakeStore, Run

Query = Callable[..., list[tuple[Any, ...]]]

BOSTON = {"user_id": "maya", "attribute": "home_city", "value": "Boston", "valid_from": 1.0, "id": "f1"}
AUSTIN = {"user_id": "maya", "attribute": "home_city", "value": "Austin", "valid_from": 2.0, "id": "f2"}
NASTY = "\x1b[31mred\u202e\n\x00\x07\x9b end"


def tree(folder: Path) -> dict[str, bytes]:
    """Return every file below a folder with its content; a folder has none."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else b""
        for path in sorted(folder.rglob("*"))
    }


def assert_error(ended: subprocess.CompletedProcess[str], status: int, sentence: str) -> None:
    assert ended.returncode == status
    assert ended.stdout == ""
    assert ended.stderr.startswith("Error: ")
    assert sentence in ended.stderr
    assert ended.stderr.count("\n") == 1
    assert "Traceback" not in ended.stderr


NIGHTLY_USAGE = [
    ([], "No tenant is named"),
    (["--tenant", "acme", "--all"], "cannot be given together"),
    (["--tenant", "nobody"], "There is no tenant 'nobody'"),
    (["--tenant", "empty"], "There is no tenant 'empty'"),
    (["--tenant", "acme", "--tenant", "nobody"], "There is no tenant 'nobody'"),
    (["--tenant", ""], "'' is not the name of a tenant"),
    (["--tenant", ".."], "'..' is not the name of a tenant"),
    (["--tenant", "../tenants/acme"], "is not the name of a tenant"),
    (["--tenant", "a/b"], "is not the name of a tenant"),
    (["--tenant", "x" * 300], "There is no tenant"),
    (["--all", "--now", "yesterday"], "is not a point in time"),
    (["--all", "--colour"], "No such option"),
    (["--all", "stray"], "unexpected extra argument"),
]


@pytest.mark.parametrize(("arguments", "sentence"), NIGHTLY_USAGE)
def test_a_wrong_nightly_command_line_touches_nothing(
    make_store: MakeStore, root: Path, run: Run, arguments: list[str], sentence: str
) -> None:
    make_store(facts=[BOSTON])
    (root / "empty").mkdir()
    before = tree(root)
    assert_error(run("nightly", "--root", root, *arguments), 2, sentence)
    assert tree(root) == before


@pytest.mark.parametrize(
    "command",
    [
        ["nightly", "--all"],
        ["show", "--tenant", "acme", "--user", "maya"],
        ["import", "--tenant", "acme", "-"],
        ["export", "--tenant", "acme"],
    ],
)
def test_a_missing_root_is_a_usage_error(tmp_path: Path, run: Run, command: list[str]) -> None:
    assert_error(run(*command), 2, "No root is named")
    assert_error(run(*command, "--root", ""), 2, "No root is named")
    assert_error(run(*command, "--root", tmp_path / "nowhere"), 2, "is not a folder")
    assert tree(tmp_path) == {}


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ([], "Missing command"),
        (["tidy"], "No such command 'tidy'"),
        (["import", "--tenant", "acme"], "Missing argument 'FILE...'"),
        (["import", "-"], "No tenant is named"),
        (["show", "--tenant", "acme"], "Missing option '--user'"),
        (["show", "--tenant", "acme", "--user", "maya", "--as-of", "1e99"], "is not a point in time"),
        (["show", "--tenant", "acme", "--user", os.fsdecode(b"\xff")], "the argument is not valid UTF-8"),
        (["history", "--tenant", "acme", "--user", "maya"], "Missing option '--attribute'"),
        (["init", "--tenant", ".."], "is not the name of a tenant"),
        (["init", "--tenant", ""], "is not the name of a tenant"),
        (["init", "--tenant", "a/b"], "is not the name of a tenant"),
        (["init"], "No tenant is named"),
    ],
)
def test_other_wrong_command_lines(
    make_store: MakeStore, root: Path, run: Run, command: list[str], sentence: str
) -> None:
    make_store(facts=[BOSTON])
    before = tree(root)
    assert_error(run(*command, env={"CONSOLIDATE_ROOT": str(root)}), 2, sentence)
    assert tree(root) == before


def test_help_and_version(run: Run, environment: dict[str, str]) -> None:
    assert run("--version").stdout == f"consolidate, version {__version__}\n"
    assert "nightly" in run("-h").stdout
    assert "CONSOLIDATE_DRY_RUN" in run("nightly", "--help").stdout
    script = [sys.executable, "-c", "from consolidate.cli.main import nightly_main; nightly_main()"]
    version = subprocess.run([*script, "--version"], env=environment, capture_output=True, text=True, check=True)
    assert version.stdout == f"nightly, version {__version__}\n"


def test_init_creates_root_tenant_and_store_once(tmp_path: Path, run: Run, query: Query) -> None:
    root = tmp_path / "new" / "tenants"
    made = run("init", "--root", root, "--tenant", "acme", "--json")
    path = root / "acme" / "memory.db"
    assert (made.returncode, json.loads(made.stdout)) == (0, {"tenant": "acme", "path": str(path)})
    assert query(path, "SELECT count(*) FROM facts, episodes, tombstones") == [(0,)]
    query(path, "PRAGMA journal_mode=WAL")
    before = tree(tmp_path)
    assert_error(run("init", "--root", root, "--tenant", "acme"), 2, "already has a store")
    assert tree(tmp_path) == before


def test_init_leaves_alone_what_is_at_the_path(root: Path, run: Run) -> None:
    (root / "file").write_text("no folder")
    for name in ("notes", "gone"):
        (root / name).mkdir()
    (root / "notes" / "memory.db").write_text("notes")
    (root / "gone" / "memory.db").symlink_to("nowhere")
    before = tree(root)
    assert_error(run("init", "--root", root, "--tenant", "notes"), 2, "already has a store")
    assert_error(run("init", "--root", root, "--tenant", "gone"), 2, "already has a store")
    assert_error(run("init", "--root", root / "file", "--tenant", "acme"), 74, "cannot be created")
    assert tree(root) == before


def test_import_takes_files_and_stdin_and_goes_on_after_a_bad_one(
    make_store: MakeStore, root: Path, tmp_path: Path, run: Run, query: Query
) -> None:
    path = make_store()
    good, bad = tmp_path / "good.jsonl", tmp_path / "bad.jsonl"
    good.write_text(json.dumps({"kind": "fact", "user_id": "maya", "attribute": "a", "value": "x", "id": "f1"}))
    bad.write_text('{"kind": "fact"}\n')
    episode = '{"kind": "episode", "user_id": "maya", "summary": "spoke", "id": "e1"}'
    arguments = ["import", "--root", root, "--tenant", "acme", "--now", "1970-01-01T00:00:05", bad, good, "-"]
    ended = run(*arguments, "--json", stdin=episode)
    assert ended.returncode == 65
    assert (
        ended.stderr
        == f"Error: Nothing of {bad} was imported: line 1: user_id is missing. Correct the lines and import it again.\n"
    )
    files = json.loads(ended.stdout)["files"]
    assert [(file["file"], file["facts"], file["episodes"], file["exit_status"]) for file in files] == [
        (str(bad), 0, 0, 65),
        (str(good), 1, 0, 0),
        ("-", 0, 1, 0),
    ]
    assert files[0]["errors"] == [{"line": 1, "reason": "user_id is missing"}]
    assert query(path, "SELECT id, valid_from FROM facts") == [("f1", 5.0)]
    again = run(*arguments[:5], good, tmp_path / "missing.jsonl", tmp_path)
    assert again.returncode == 74
    assert again.stderr.count("Error: ") == 3
    assert "line 1: its id is already in the store" in again.stderr
    assert query(path, "SELECT count(*) FROM facts") == [(1,)]


def test_export_comes_back_exactly(make_store: MakeStore, root: Path, run: Run) -> None:
    make_store(facts=[BOSTON, {**AUSTIN, "value": "東京 " + NASTY}], tombstones=[{"user_id": "maya", "attribute": "a"}])
    exported = run("export", "--root", root, "--tenant", "acme")
    run("init", "--root", root, "--tenant", "copy")
    imported = run("import", "--root", root, "--tenant", "copy", "-", stdin=exported.stdout)
    assert imported.stdout == "Imported 2 facts, 0 episodes, 1 tombstones from -.\n"
    assert run("export", "--root", root, "--tenant", "copy", "--json").stdout == exported.stdout
    assert len(exported.stdout.splitlines()) >= 3


def test_options_come_from_the_command_line_then_the_environment_then_the_configuration(
    make_store: MakeStore, root: Path, tmp_path: Path, run: Run
) -> None:
    make_store(facts=[BOSTON])
    config = tmp_path / "consolidate.toml"
    config.write_text(f'root = "{root}"\n')
    asked = ["show", "--user", "maya", "--json"]
    environment = {"CONSOLIDATE_CONFIG": str(config), "CONSOLIDATE_TENANT": "acme"}
    assert json.loads(run(*asked, env=environment).stdout)["tenant"] == "acme"
    assert_error(run(*asked, env={**environment, "CONSOLIDATE_ROOT": str(tmp_path)}), 2, "There is no tenant 'acme'")
    wrong = {**environment, "CONSOLIDATE_ROOT": str(tmp_path), "CONSOLIDATE_TENANT": "nobody"}
    assert run(*asked, "--root", root, "--tenant", "acme", env=wrong).returncode == 0
    all_env = {"CONSOLIDATE_ROOT": str(root), "CONSOLIDATE_ALL": "1"}
    assert_error(run("nightly", "--tenant", "nobody", env=all_env), 2, "There is no tenant 'nobody'")


def test_a_wrong_configuration_ends_any_command_with_78(
    make_store: MakeStore, root: Path, tmp_path: Path, run: Run
) -> None:
    make_store(facts=[BOSTON])
    before = tree(root)
    config = tmp_path / "consolidate.toml"
    config.write_text('[swap]\nmode = "copy"\n[verify]\nmax_shrink = 2\n')
    for command in (["nightly", "--all"], ["show", "--tenant", "acme", "--user", "maya"]):
        ended = run(*command, "--root", root, "--config", config)
        assert_error(ended, 78, "swap.mode must be auto, rename or in-place; verify.max_shrink")
        assert_error(run(*command, "--root", root, "--config", tmp_path / "missing.toml"), 78, "does not exist")
    assert tree(root) == before


def test_show_tells_what_is_in_force_and_what_held(make_store: MakeStore, root: Path, run: Run) -> None:
    old = {**BOSTON, "status": "superseded", "valid_to": 2.0, "superseded_by": "f2"}
    make_store(facts=[old, {**AUSTIN, "expires_at": 4e10, "confirmations": 3}])
    asked = ["show", "--root", root, "--tenant", "acme", "--user", "maya"]
    assert run(*asked).stdout == (
        "maya in acme, in force: 1 fact\n"
        "  home_city: Austin  (user, since 1970-01-01 00:00:02, until 3237-07-19 23:06:40, confirmed 3 times; f2)\n"
    )
    assert (
        run(*asked, "--as-of", "1970-01-01T00:00:01.5Z").stdout.splitlines()[1].startswith("  home_city: Boston  (user")
    )
    document = json.loads(run(*asked, "--as-of", "1.5", "--json").stdout)
    assert (document["tenant"], document["user"], document["as_of"]) == ("acme", "maya", 1.5)
    assert [(fact["id"], fact["status"], fact["valid_to"]) for fact in document["facts"]] == [("f1", "superseded", 2.0)]
    assert json.loads(run(*asked, "--json").stdout)["as_of"] is None
    assert run(*asked[:-1], "nobody").stdout == "nobody in acme, in force: nothing\n"


def test_history_tells_windows_and_statuses(make_store: MakeStore, root: Path, run: Run) -> None:
    old = {**BOSTON, "status": "superseded", "valid_to": 2.0, "superseded_by": "f2"}
    make_store(facts=[AUSTIN, old, {**BOSTON, "id": "f3", "value": "Oslo", "status": "review", "valid_from": 3.0}])
    asked = ["history", "--root", root, "--tenant", "acme", "--user", "maya", "--attribute", "home_city"]
    assert run(*asked).stdout == (
        "home_city of maya in acme: 3 facts\n"
        "  1970-01-01 00:00:01 – 1970-01-01 00:00:02  Boston  (superseded, by f2, user, f1)\n"
        "  1970-01-01 00:00:02 – now  Austin  (active, user, f2)\n"
        "  1970-01-01 00:00:03 – never held  Oslo  (review, user, f3)\n"
    )
    facts = json.loads(run(*asked, "--json").stdout)["facts"]
    assert [(fact["id"], fact["window"], fact["changes"]) for fact in facts] == [
        ("f1", [1.0, 2.0], []),
        ("f2", [2.0, None], []),
        ("f3", None, []),
    ]


def test_nothing_in_a_store_can_act_on_a_terminal(make_store: MakeStore, root: Path, run: Run) -> None:
    make_store(facts=[{**BOSTON, column: NASTY} for column in ("id",)])
    make_store("other", facts=[{**BOSTON, "user_id": NASTY.replace("\0", ""), "attribute": NASTY, "value": NASTY * 99}])
    shown = run("show", "--root", root, "--tenant", "acme", "--user", "maya").stdout
    shown += run("show", "--root", root, "--tenant", "other", "--user", NASTY.replace("\0", "")).stdout
    shown += run("history", "--root", root, "--tenant", "acme", "--user", "maya", "--attribute", "home_city").stdout
    assert shown.count("\\x1b[31mred\\u202e\\n\\x00\\x07\\x9b end") >= 4
    assert not set(shown) & set("\x1b\u202e\x00\x07\x9b")
    assert shown.count("\n") == 6
    assert "(1683 characters)" in shown


def on_terminal(environment: dict[str, str], *arguments: str | Path) -> bytes:
    """Run a command with a terminal as its stdout and return what it wrote there."""
    reader, writer = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "consolidate", *map(str, arguments)], stdout=writer, env=environment
    ) as process:
        os.close(writer)
        written = b""
        try:
            while chunk := os.read(reader, 65536):
                written += chunk
        except OSError as error:  # how Linux tells that the other end is closed
            assert error.errno == errno.EIO
        finally:
            os.close(reader)
    assert process.returncode == 0
    return written.replace(b"\r\n", b"\n")


def test_json_on_a_terminal_is_ascii(make_store: MakeStore, root: Path, run: Run, environment: dict[str, str]) -> None:
    make_store(facts=[{**BOSTON, "value": "東京" + NASTY}])
    for command in (["show", "--user", "maya", "--json"], ["export"]):
        arguments = [command[0], "--root", str(root), "--tenant", "acme", *command[1:]]
        written = on_terminal(environment, *arguments)
        assert json.loads(written) == json.loads(run(*arguments).stdout)
        assert written.isascii()
        assert b"\x1b" not in written
    assert "東京" in run("export", "--root", root, "--tenant", "acme").stdout


@pytest.mark.parametrize("journal", ["delete", "wal"])
@pytest.mark.parametrize(
    "name", ["memory.db.pre-20260101T000000Z-abc123", "memory.db.rejected-20260101T000000Z-abc123"]
)
def test_reading_changes_no_byte(make_store: MakeStore, root: Path, run: Run, journal: str, name: str) -> None:
    path = make_store(facts=[BOSTON], pragmas=[f"journal_mode={journal}"])
    kept = path.with_name(name)
    kept.write_bytes(path.read_bytes())
    kept.chmod(0o400)
    before = tree(root)
    for target in (["--root", root, "--tenant", "acme"], ["--file", kept]):
        assert "Boston" in run("show", *target, "--user", "maya").stdout
        assert "Boston" in run("history", *target, "--user", "maya", "--attribute", "home_city").stdout
        assert "Boston" in run("export", *target).stdout
    after = tree(root)
    assert {file: after[file] for file in before} == before
    assert not {file for file in after if file.startswith(f"acme/{name}-")}
    assert journal == "wal" or after == before


@pytest.mark.parametrize("content", [b"no database", b"", b"SQLite format 3\0" + b"\xff" * 4096])
def test_a_file_that_is_no_store_is_named_and_left_alone(root: Path, run: Run, content: bytes) -> None:
    (root / "acme").mkdir()
    path = root / "acme" / "memory.db"
    path.write_bytes(content)
    for command in (["show", "--user", "maya"], ["export"], ["import", "-"]):
        ended = run(command[0], "--root", root, "--tenant", "acme", *command[1:])
        assert_error(ended, 74, f"{path} is not a store")
    assert tree(root) == {"acme": b"", "acme/memory.db": content}


def test_a_reader_that_goes_away_is_no_error(make_store: MakeStore, root: Path, environment: dict[str, str]) -> None:
    make_store(facts=[{**BOSTON, "id": f"f{number}", "value": "x" * 1000} for number in range(1000)])
    command = [sys.executable, "-m", "consolidate", "export", "--root", str(root), "--tenant", "acme"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment) as process:
        assert process.stdout and process.stderr
        assert process.stdout.read(10) == b'{"kind": "'
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 128 + signal.SIGPIPE


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_stopped_command_says_so_and_leaves_nothing_half_done(
    make_store: MakeStore, root: Path, environment: dict[str, str], query: Query, number: signal.Signals
) -> None:
    path = make_store()
    command = [sys.executable, "-m", "consolidate", "import", "--root", str(root), "--tenant", "acme", "-"]
    line = json.dumps({"kind": "episode", "user_id": "maya", "summary": "x" * 1000}).encode() + b"\n"
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
    ) as process:
        assert process.stdin and process.stderr and process.stdout
        process.stdin.write(line * 1000)  # more than a pipe holds: once it is written, the command is reading
        process.stdin.flush()
        process.send_signal(number)
        assert process.stderr.read() == f"Stopped by {number.name}.\n".encode()
        assert process.stdout.read() == b""
        process.stdin.close()
    assert process.returncode == 128 + number
    assert query(path, "SELECT count(*) FROM episodes") == [(0,)]


def test_a_full_disk_under_stdout_is_an_error(make_store: MakeStore, root: Path, environment: dict[str, str]) -> None:
    make_store(facts=[BOSTON])
    for command in (["export"], ["show", "--user", "maya"]):
        arguments = [
            sys.executable,
            "-m",
            "consolidate",
            command[0],
            "--root",
            str(root),
            "--tenant",
            "acme",
            *command[1:],
        ]
        with Path("/dev/full").open("wb") as full:
            ended = subprocess.run(arguments, stdout=full, stderr=subprocess.PIPE, env=environment, check=False)
        assert ended.returncode == 74
        assert ended.stderr.startswith(b"Error: Input or output failed: No space left on device.")
        assert ended.stderr.count(b"\n") == 1


@pytest.mark.parametrize(
    ("statuses", "worst"),
    [([], 0), ([0, 0], 0), ([75, 0, 65], 65), ([65, 78], 78), ([78, 74], 74), ([75, 74, 70], 70), ([70, 1], 1)],
)
def test_the_worst_exit_status(statuses: list[int], worst: int) -> None:
    assert worst_status(statuses) == worst


def test_a_tenant_that_lost_its_store_is_not_passed_over(root: Path, run: Run) -> None:
    (root / "acme").mkdir()
    (root / "acme" / "memory.db.pre-20260101T000000Z-abc123").write_bytes(b"a copy")
    before = tree(root)
    assert_error(run("init", "--root", root, "--tenant", "acme"), 2, "is missing, but copies of it are there")
    ended = run("nightly", "--root", root, "--all", "--json")
    assert ended.returncode == 74
    [finished] = json.loads(ended.stdout)["runs"]
    assert (finished["tenant"], finished["outcome"], finished["exit_status"]) == ("acme", "failed", 74)
    assert tree(root) == before
