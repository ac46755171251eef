"""Commands that only read leave every file as it was, and nothing beside it."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from tests.night import Store, command

COMMANDS = {
    "show": ("show", "--user", "maya"),
    "history": ("history", "--user", "maya", "--attribute", "home_city"),
    "check": ("check",),
    "export": ("export",),
    "status": ("status",),
    "stats": ("stats",),
    "review": ("review", "list"),
    "probe": ("probe", "run"),
    "plan": ("nightly", "--dry-run"),
    "rollback": ("rollback", "--dry-run"),
    "forget": ("forget", "--user", "maya"),
}


@pytest.mark.parametrize("journal", ["DELETE", "TRUNCATE", "PERSIST", "WAL"])
@pytest.mark.parametrize("name", COMMANDS)
def test_nothing_is_left_behind(tmp_path: Path, name: str, journal: str) -> None:
    store = Store(tmp_path / "tenants", journal_mode=journal)
    store.fact("boston", "Boston", day=1)
    store.fact("austin", "Austin", day=2)
    store.good_night()
    before = store.files()
    finished = command(*COMMANDS[name], "--root", str(store.root), "--tenant", store.tenant)
    assert finished.status in (0, 65) and "Traceback" not in finished.err, finished.err
    assert store.files() == before


@pytest.mark.parametrize("journal", ["DELETE", "WAL"])
def test_comparing_leaves_nothing_behind(tmp_path: Path, journal: str) -> None:
    store = Store(tmp_path / "tenants", journal_mode=journal)
    store.fact("boston", "Boston", day=1)
    store.fact("austin", "Austin", day=2)
    pre = str(store.path.with_name(store.good_night()["pre"]))
    before = store.files()
    for pair in ((pre, str(store.path)), (str(store.path), pre)):
        assert command("diff", *pair).status == 0
    assert store.files() == before


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be another user")
def test_a_reader_without_the_right_to_write_reads_all_the_same(tmp_path: Path) -> None:
    store = Store(tmp_path / "tenants")
    store.fact("boston", "Boston", day=1)
    store.path.chmod(stat.S_IRUSR | stat.S_IRGRP | stat.S_IROTH)
    for folder in (tmp_path, *tmp_path.parents[:2]):
        folder.chmod(0o755)
    before = store.files()
    finished = command("show", "--user", "maya", "--root", str(store.root), "--tenant", store.tenant)
    assert finished.status == 0 and "Boston" in finished.out
    assert store.files() == before
