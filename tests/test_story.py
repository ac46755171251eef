"""One story from end to end, as an operator lives it: a bad rule, the alert, the morning, the rerun, and a rollback."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.night import DAY, NOW, Finished, Store, command

CONFIG = """
root = "{root}"
[alert]
command = ["{python}", "-c", "import sys; open(sys.argv[1], 'a').write(sys.stdin.read() + chr(10))", "{inbox}"]
[steps]
extra = [{step}]
[[promote.rules]]
attribute = "diet"
value = "vegan"
pattern = "oat milk"
"""


class Operator:
    """Whoever types the commands; keeps the transcript."""

    def __init__(self, folder: Path) -> None:
        self.store = Store(folder / "tenants")
        self.inbox, self._config = folder / "inbox", folder / "consolidate.toml"
        self._config_with("")
        self.transcript: list[str] = []

    def _config_with(self, step: str) -> None:
        self._config.write_text(
            CONFIG.format(
                root=self.store.root, python=sys.executable, inbox=self.inbox, step=json.dumps(step) if step else ""
            )
        )

    def ships(self, step: str) -> None:
        self._config_with(step)

    def types(self, *words: str, now: float, status: int = 0) -> Finished:
        clock = () if words[0] in ("inspect", "diff", "history") else ("--now", str(now))
        done = command(*words, "--config", str(self._config), *clock)
        self.transcript.append(f"$ consolidate {' '.join(words)}\n{done.out}{done.err}(exit status {done.status})")
        assert done.status == status, self.transcript[-1]
        return done

    @property
    def alerts(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.inbox.read_text().splitlines()] if self.inbox.exists() else []


@pytest.fixture
def operator(tmp_path: Path) -> Operator:
    operator = Operator(tmp_path)
    for number, city in enumerate(("Boston", " boston", "Austin", "Lisbon")):
        operator.store.fact(f"home{number}", city, day=number)
    for number in range(5):
        operator.store.fact(f"likes{number}", f"thing {number}", day=number, attribute="likes", multi=1)
    for number in (1, 2):
        operator.store.episode(f"ep{number}", "Maya took oat milk with her coffee.", day=number)
    return operator


def test_from_the_bad_rule_to_the_rollback(operator: Operator) -> None:
    store, tenant = operator.store, ("--tenant", "acme")
    night, morning = NOW, NOW + DAY / 3

    operator.ships("tests.plugins.bad_steps:retired_as_unrepeated")
    operator.types("nightly", "--all", now=night, status=65)
    (alert,) = operator.alerts
    assert (alert["tenant"], alert["outcome"]) == ("acme", "rejected")
    assert "shrunk" in operator.types("status", now=morning, status=65).out
    rejected = str(store.path.with_name(alert["rejected"]))
    told = operator.types("inspect", rejected, now=morning).out
    assert "shrunk" in told and "maya" in told
    assert "likes" in operator.types("diff", str(store.path), rejected, now=morning).out

    operator.ships("")
    assert "swapped" in operator.types("nightly", *tenant, now=morning).out
    assert operator.types("status", now=morning).status == 0
    assert len(operator.alerts) == 1
    assert store.in_force(attribute="diet") == ["vegan"]

    store.fact("moved", "Oslo", day=30.6)
    store.sql("UPDATE facts SET value = 'thing four' WHERE id = 'likes4'")
    store.sql("DELETE FROM facts WHERE id = 'likes0'")
    noon = NOW + DAY * 0.6
    plan = operator.types("rollback", *tenant, "--dry-run", now=noon).out
    assert "“vegan” goes" in plan and "facts: 1 new, 1 changed, 1 deleted" in plan
    operator.types("rollback", *tenant, "--yes", now=noon)
    assert store.in_force(attribute="diet") == []
    assert store.in_force(now=noon) == ["Boston", " boston", "Austin", "Lisbon", "Oslo"]
    facts = store.facts()
    assert facts["moved"]["value"] == "Oslo" and facts["likes4"]["value"] == "thing four" and "likes0" not in facts

    operator.types("nightly", "--all", now=NOW + DAY)
    assert store.in_force(now=NOW + DAY) == ["Oslo"]
    assert store.in_force(attribute="diet") == []
    assert "rolled back" in operator.types("history", *tenant, "--user", "maya", "--attribute", "home_city", now=0).out
    print("\n".join(operator.transcript))  # pytest -s shows it
