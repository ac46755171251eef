"""What the README shows is so: its configuration, its schema, its Python, its commands."""

from __future__ import annotations

import dataclasses
import re
import sqlite3
from pathlib import Path

import pytest

from consolidate.config import Settings, load_settings
from tests.night import command

README = (Path(__file__).parent.parent / "README.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def test_configuration_shown_is_the_default_but_for_what_it_says(tmp_path: Path) -> None:
    path = tmp_path / "consolidate.toml"
    path.write_text(blocks("toml")[0], "utf-8")
    shown, default = load_settings(path), Settings()
    assert shown.promote.rules and shown.root is not None
    promote = dataclasses.replace(shown.promote, rules=())
    assert dataclasses.replace(shown, root=None, origin=None, promote=promote) == default


def test_probe_shown_is_one(tmp_path: Path) -> None:
    path = tmp_path / "consolidate.toml"
    path.write_text(blocks("toml")[1], "utf-8")
    assert [probe.expect for probe in load_settings(path).probe] == ["Austin"]


def test_model_shown_can_be_configured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("CONSOLIDATE_LLM_BASE_URL", "CONSOLIDATE_LLM_MODEL", "OPENAI_BASE_URL"):
        monkeypatch.delenv(variable, raising=False)
    path = tmp_path / "consolidate.toml"
    path.write_text(blocks("toml")[2], "utf-8")
    promote = load_settings(path).promote
    assert (promote.llm.base_url, promote.llm.model, promote.confirm.model) == (
        "https://models.example/v1",
        "small",
        "large",
    )
    assert promote.must_be_grounded and not Settings().promote.must_be_grounded


def test_schema_shown_makes_a_store(tmp_path: Path) -> None:
    path = tmp_path / "tenants" / "acme" / "memory.db"
    path.parent.mkdir(parents=True)
    db = sqlite3.connect(path)
    db.executescript(blocks("sql")[0])
    db.close()
    assert command("nightly", "--root", str(tmp_path / "tenants"), "--tenant", "acme").status == 0


def test_python_shown_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "tenants" / "acme" / "memory.db"
    assert command("init", "--root", str(tmp_path / "tenants"), "--tenant", "acme").status == 0
    (code,) = blocks("python")
    exec(code.replace("/var/lib/consolidate/tenants/acme/memory.db", str(path)), {})
    assert "Boston" in capsys.readouterr().out


def test_commands_shown_exist() -> None:
    named = set(re.findall(r"^\| `consolidate ([a-z-]+)", README, re.MULTILINE))
    listed = set(re.findall(r"^  ([a-z]+) ", command("--help").out, re.MULTILINE))
    assert listed - named <= {"nightly"} and named <= listed
