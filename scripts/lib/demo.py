"""The demonstration: two tenants live through three nights; every command shown is one an operator would type."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

from consolidate.store.memory import Memory

BIN = Path(sys.executable).parent
LIB = Path(__file__).parent
FOLDER = Path(sys.argv[1])
LOG = FOLDER / "log.jsonl"

CONFIG = """\
root = {root}

[attributes]
home_city = "single"

[[promote.rules]]
attribute = "seat_preference"
value = "aisle"
pattern = "(?i)aisle seat"

[[promote.rules]]
attribute = "instrument"
pattern = "(?i)practi[sc]ed the (?P<value>cello|guitar|piano)"
min_support = 3

[steps]
extra = [{step}]
"""


def when(text: str) -> float:
    return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()


def say(text: str) -> None:
    print(
        f"\n\033[1m{text}\033[0m" if sys.stdout.isatty() and not os.environ.get("NO_COLOR") else f"\n{text}", flush=True
    )


def run(*command: str, expect: int = 0, **environment: str) -> None:
    """Show a command, run it, and make sure that it ended as the story says."""
    print(f"$ {shlex.join(command)}", flush=True)
    clean = {key: value for key, value in os.environ.items() if not key.startswith("CONSOLIDATE_")}
    clean |= {"PYTHONPATH": str(LIB)} | environment
    with LOG.open("a") as log:  # what systemd would keep in its journal
        status = subprocess.run([str(BIN / command[0]), *command[1:]], env=clean, stderr=log, check=False).returncode
    if status != expect:
        sys.exit(f"The demonstration expected exit status {expect} here, but got {status}; see {LOG}.")
    if expect:
        print(f"(exit status {status})", flush=True)


def shell(command: str) -> None:
    print(f"$ {command}", flush=True)
    subprocess.run(command, shell=True, check=True)


def write_config(path: Path, root: Path, step: str) -> None:
    path.write_text(CONFIG.format(root=f'"{root}"', step=f'"demo_steps:{step}"' if step else ""), "utf-8")


def fill_acme(store: Path) -> None:
    """What an agent wrote down in a spring: nothing is ever corrected, only added."""
    with Memory.open(store) as memory:
        memory.remember("maya", "home_city", "Boston", valid_from=when("2026-01-05"))
        memory.remember("maya", "home_city", " boston. ", valid_from=when("2026-01-20"))  # a duplicate
        memory.remember("maya", "home_city", "Austin", valid_from=when("2026-02-10"))  # a move
        memory.remember("maya", "home_city", "Boston", valid_from=when("2026-03-01"))  # and back again: a return
        memory.remember("maya", "diet", "vegetarian", valid_from=when("2026-01-05"))
        memory.remember("maya", "diet", "vegan", source="inferred", valid_from=when("2026-03-02"))  # a guess
        memory.remember(
            "maya", "status", "on holiday", valid_from=when("2026-03-01"), expires_at=when("2026-03-14")
        )  # a time-bound fact
        for day, summary in (
            ("2026-02-03", "Maya asked for an aisle seat to Austin."),
            ("2026-02-27", "Maya booked an aisle seat back to Boston."),
            ("2026-03-02", "Maya practised the cello before work."),
            ("2026-03-09", "Maya practised the cello again."),
            ("2026-03-15", "Maya practised the cello with a friend."),
        ):
            memory.record_episode("maya", summary, occurred_at=when(day))
        memory.forget("maya", "instrument", "CELLO")  # she asked to forget it: promotion must not bring it back


def fill_globex(store: Path) -> None:
    with Memory.open(store) as memory:
        for number, pet in enumerate(["cat", "Cat", "dog"]):
            memory.remember("tom", "pet", pet, multi=True, valid_from=when("2026-03-01") + number)


def main() -> None:
    root, config = FOLDER / "tenants", FOLDER / "consolidate.toml"
    acme = root / "acme" / "memory.db"

    say("Two tenants, and what their agents wrote down.")
    for tenant in ("acme", "globex"):
        run("consolidate", "init", "--root", str(root), "--tenant", tenant)
    fill_acme(acme)
    fill_globex(root / "globex" / "memory.db")
    write_config(config, root, "application_writes")
    common = ("--config", str(config))
    run("consolidate", "show", *common, "--tenant", "acme", "--user", "maya", "--as-of", "2026-03-16")

    say("A dry run: what would the night do, and why? Nothing is changed.")
    night = "2026-03-16T03:00:00Z"
    write_config(config, root, "")
    run("nightly", *common, "--tenant", "acme", "--now", night, "--dry-run")

    say("The night. While it runs, the application remembers Maya's phone number: it is not lost.")
    write_config(config, root, "application_writes")
    run("nightly", *common, "--all", "--now", night, DEMO_LATE_STORE="1", DEMO_STORE=str(acme))
    run("consolidate", "show", *common, "--tenant", "acme", "--user", "maya", "--as-of", night)
    run("consolidate", "history", *common, "--tenant", "acme", "--user", "maya", "--attribute", "home_city")

    say("The same night once more: there is nothing left to do.")
    run("nightly", *common, "--all", "--now", night)

    say("A bad rule ships: it retires whatever was said only once. The night is rejected and live stays as it is.")
    write_config(config, root, "retire_everything_old")
    run("nightly", *common, "--tenant", "acme", "--now", "2026-03-17T03:00:00Z", expect=65)
    write_config(config, root, "")
    rejected = next(acme.parent.glob("memory.db.rejected-*"))
    run("consolidate", "check", str(rejected), expect=65)

    say("The day after, Maya moves. The good night is rolled back all the same: what was written since stays.")
    with Memory.open(acme) as memory:
        memory.remember("maya", "home_city", "Lisbon", valid_from=when("2026-03-17"))
    run("consolidate", "rollback", *common, "--tenant", "acme", "--now", "2026-03-17T09:00:00Z", "--dry-run")
    run("consolidate", "rollback", *common, "--tenant", "acme", "--now", "2026-03-17T09:00:00Z", "--yes")
    run("consolidate", "show", *common, "--tenant", "acme", "--user", "maya", "--as-of", "2026-03-17T09:00:00Z")

    say("The next night judges what is new, and does not take back the rollback.")
    run("nightly", *common, "--tenant", "acme", "--now", "2026-03-18T03:00:00Z")
    run("consolidate", "show", *common, "--tenant", "acme", "--user", "maya", "--as-of", "2026-03-18T03:00:00Z")

    say("A rollback by rename: the store as it was before the first night is one mv away.")
    pre = sorted(acme.parent.glob("memory.db.pre-*"))[0]
    shell(f"mv {shlex.quote(str(pre))} {shlex.quote(str(acme))}")
    run("consolidate", "history", *common, "--tenant", "acme", "--user", "maya", "--attribute", "home_city")

    say(f"Everything is in {FOLDER}, the log of every command in {LOG.name}.")
    shell(f"ls {shlex.quote(str(acme.parent))}")


if __name__ == "__main__":
    main()
