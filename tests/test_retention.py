"""What stays beside a store after many nights."""

from __future__ import annotations

import json
from pathlib import Path

from consolidate.config import RetentionSettings
from consolidate.run import retention
from consolidate.store.files import StorePaths
from tests.conftest import MakeStore


def run_id(day: int) -> str:
    return f"202601{day:02}T030000Z-abc{day:03}"


def keep(paths: StorePaths, kind: str, days: range) -> None:
    for day in days:
        paths.folder.joinpath(f"memory.db.{kind}-{run_id(day)}").write_text("a copy")


def names(paths: StorePaths) -> set[str]:
    return {path.name for path in paths.folder.iterdir()}


def record(paths: StorePaths, *days: int) -> None:
    with paths.runs.open("a") as history:
        for day in days:
            history.write(json.dumps({"run_id": run_id(day), "outcome": "swapped"}) + "\n")


def test_the_newest_of_each_kind_stay_and_nothing_else_is_touched(make_store: MakeStore) -> None:
    paths = StorePaths.of(make_store())
    for kind in ("pre", "rejected", "undone"):
        keep(paths, kind, range(1, 6))
    sidecar = f"memory.db.pre-{run_id(1)}-shm"
    others = {
        f"memory.db.pre-{run_id(1)}.part",
        "memory.db.pre-old",
        "memory.db.backup",
        "probes.toml",
        f"pre-{run_id(1)}",
    }
    for name in (sidecar, *others):
        paths.folder.joinpath(name).write_text("not a copy")
    settings = RetentionSettings(keep_pre=2, keep_rejected=4, keep_undone=0)
    removed = retention.apply(paths, settings)
    kept = {f"memory.db.pre-{run_id(day)}" for day in (4, 5)} | {
        f"memory.db.rejected-{run_id(day)}" for day in range(2, 6)
    }
    assert names(paths) == kept | others | {"memory.db"}
    assert removed == [
        *(f"memory.db.pre-{run_id(day)}" for day in range(1, 4)),
        f"memory.db.rejected-{run_id(1)}",
        *(f"memory.db.undone-{run_id(day)}" for day in range(1, 6)),
    ]
    assert retention.apply(paths, settings) == []


def test_what_ran_last_stays_whatever_clock_it_was_given(make_store: MakeStore) -> None:
    paths = StorePaths.of(make_store())
    keep(paths, "pre", range(1, 5))
    record(paths, 3, 4, 2)
    assert retention.due(paths, RetentionSettings(keep_pre=2)) == [paths.pre(run_id(1)), paths.pre(run_id(3))]


def test_the_history_keeps_its_newest_half_once_it_is_long(make_store: MakeStore) -> None:
    paths = StorePaths.of(make_store())
    lines = [json.dumps({"run_id": str(number), "note": "\u2028" * 100}, ensure_ascii=False) for number in range(2000)]
    paths.runs.write_text("\n".join(lines) + "\n", encoding="utf-8")
    paths.runs.chmod(0o640)
    before = paths.runs.stat().st_size
    assert before > retention.LONGEST_HISTORY
    retention.apply(paths, RetentionSettings())
    kept = paths.runs.read_text("utf-8").removesuffix("\n").split("\n")
    assert kept == lines[-len(kept) :]
    size = paths.runs.stat().st_size
    assert retention.LONGEST_HISTORY // 2 - 500 < size <= retention.LONGEST_HISTORY // 2
    retention.apply(paths, RetentionSettings())
    assert paths.runs.stat().st_size == size
    assert {path.name for path in Path(paths.folder).iterdir()} == {"memory.db", "memory.db.runs.jsonl"}


def test_one_line_longer_than_the_history_may_be_stays(make_store: MakeStore) -> None:
    paths = StorePaths.of(make_store())
    long = json.dumps({"note": "x" * retention.LONGEST_HISTORY})
    paths.runs.write_text(f'{{"run_id": "1"}}\n{long}\n')
    retention.apply(paths, RetentionSettings())
    assert paths.runs.read_text() == f"{long}\n"
