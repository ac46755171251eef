"""The units: systemd finds nothing to say about them, they are hardened, and what they start is what the commands take."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.night import Store, command

UNITS = Path(__file__).parents[1] / "systemd"
BIN = "/opt/consolidate/bin"
SERVICES = sorted(path.name for path in UNITS.glob("*.service"))
TIMERS = sorted(path.name for path in UNITS.glob("*.timer"))
# The worst that `systemd-analyze security` may find, of 10.
MOST_EXPOSED = 1.5


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """Copy the units to where the programs they start exist."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("nightly", "consolidate"):
        (programs / name).write_text("#!/bin/sh\n")
        (programs / name).chmod(0o755)
    units = tmp_path / "units"
    units.mkdir()
    for path in UNITS.iterdir():
        (units / path.name).write_text(path.read_text("utf-8").replace(BIN, str(programs)), "utf-8")
    return units


def analyze(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    program = shutil.which("systemd-analyze")
    assert program, "systemd-analyze is missing; install systemd"
    return subprocess.run([program, *arguments], capture_output=True, text=True, check=False)


def settings(unit: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in (UNITS / unit).read_text("utf-8").splitlines():
        if "=" in line and not line.startswith("#"):
            key, _, value = line.partition("=")
            found.setdefault(key, []).append(value)
    return found


def test_the_units_are_those_that_are_documented() -> None:
    assert SERVICES == [
        "consolidate-failed@.service", "consolidate-light.service", "consolidate.service", "consolidate@.service",
    ]  # fmt: skip
    assert TIMERS == ["consolidate-light.timer", "consolidate.timer"]


@pytest.mark.parametrize("unit", SERVICES + TIMERS)
def test_systemd_has_nothing_to_say(installed: Path, unit: str) -> None:
    instance = unit.replace("@.", "@acme.")
    if instance != unit:
        (installed / instance).symlink_to(installed / unit)
    found = analyze("verify", "--recursive-errors=yes", installed / instance)
    assert (found.returncode, found.stdout, found.stderr) == (0, "", "")


def test_systemd_would_say_something(installed: Path) -> None:
    """The check above is only worth something if it finds what is wrong."""
    broken = installed / "consolidate.service"
    broken.write_text(broken.read_text() + "NoSuchKey=yes\n")
    assert "NoSuchKey" in analyze("verify", broken).stderr


@pytest.mark.parametrize("unit", SERVICES)
def test_the_services_are_hardened(installed: Path, unit: str) -> None:
    found = analyze("security", "--offline=yes", "--no-pager", installed / unit)
    exposure = re.search(r"Overall exposure level for \S+: ([\d.]+)", found.stdout)
    assert exposure, found.stdout + found.stderr
    assert float(exposure[1]) < MOST_EXPOSED


@pytest.mark.parametrize("unit", SERVICES)
def test_what_a_unit_starts_is_a_command_line_that_is_taken(tmp_path: Path, unit: str) -> None:
    store = Store(tmp_path / "tenants", "acme")
    store.fact("a", "Boston", day=1)
    [line] = settings(unit)["ExecStart"]
    assert "--root /var/lib/consolidate/tenants" in line
    line = line.replace("/var/lib/consolidate/tenants", str(tmp_path / "tenants")).replace("%i", "acme")
    program, *arguments = shlex.split(line)
    assert Path(program).parent == Path(BIN)
    if Path(program).name == "nightly":
        arguments = ["nightly", *arguments]
    ended = command(*arguments)
    assert ended.status == 0, ended.err
    if arguments[0] == "nightly":
        assert "acme: unchanged" in ended.out
    else:
        assert json.loads(ended.err)["unit"] == "acme"
    refused = command(*arguments, "--no-such-option")
    assert refused.status == 2


@pytest.mark.parametrize("unit", SERVICES)
def test_a_failure_reaches_somebody(unit: str) -> None:
    found = settings(unit)
    if unit == "consolidate-failed@.service":
        assert "OnFailure" not in found
        return
    assert found["OnFailure"] == ["consolidate-failed@%n.service"]
    assert found["SuccessExitStatus"] == ["75 143"]
    assert found["TimeoutStartSec"]
    assert found["User"] == ["consolidate"]


def test_the_nights_are_made_up_for_and_spread() -> None:
    found = settings("consolidate.timer")
    assert found["Persistent"] == ["yes"]
    assert found["FixedRandomDelay"] == ["yes"]
    assert found["RandomizedDelaySec"] == ["30min"]
    for unit in TIMERS:
        [calendar] = settings(unit)["OnCalendar"]
        assert analyze("calendar", calendar).returncode == 0
        assert settings(unit)["WantedBy"] == ["timers.target"]


def test_the_alert_tells_what_systemd_passes_and_what_waits(tmp_path: Path) -> None:
    store = Store(tmp_path / "tenants")
    store.path.with_name("probes.toml").write_text('[[probe]]\nuser = "maya"\nattribute = "pet"\ncount = 1\n')
    store.fact("a", "Boston", day=1)
    store.fact("b", "Austin", day=2)
    rejected = store.night().run["rejected"]
    got = tmp_path / "got.json"
    program = f"import sys; open({str(got)!r}, 'wb').write(sys.stdin.buffer.read())"
    config = tmp_path / "alert.toml"
    config.write_text(f"[alert]\ncommand = {json.dumps([sys.executable, '-c', program])}\n")
    passed = {"MONITOR_SERVICE_RESULT": "exit-code", "MONITOR_EXIT_STATUS": "65", "MONITOR_INVOCATION_ID": "abc"}
    call = ["alert", "--unit", "consolidate.service", "--root", str(store.root), "--config", str(config)]
    ended = command(*call, env=passed)
    assert (ended.status, ended.out) == (0, "")
    document = json.loads(got.read_text())
    assert (document["unit"], document["service_result"], document["exit_status"], document["invocation_id"]) == (
        "consolidate.service", "exit-code", "65", "abc",
    )  # fmt: skip
    assert document["rejected"] == [str(store.path.with_name(rejected))]
    assert [item["tenant"] for item in document["tenants"]] == ["acme"]
    config.write_text('[alert]\ncommand = ["/no/such/program"]\n')
    assert command(*call).status == 74
