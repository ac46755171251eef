"""``.runs.jsonl``: one line per finished run, whatever its outcome (DESIGN section 4)."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from consolidate.model import RunRecord
from consolidate.store import files

# More than any ordinary line.
_TAIL = 32 * 1024


def read(path: Path) -> list[dict[str, Any]]:
    """Return the recorded runs, oldest first; a line that a crash cut short is passed over."""
    try:
        lines = path.read_text("utf-8", errors="replace").split("\n")
    except OSError:
        return []
    runs = []
    for line in lines:
        try:
            run = json.loads(line)
        except ValueError:
            continue
        if isinstance(run, dict):
            runs.append(run)
    return runs


def last(path: Path) -> dict[str, Any]:
    """Return the last recorded run without reading the whole history; empty where there is none."""
    try:
        with path.open("rb") as history:
            size = history.seek(0, os.SEEK_END)
            history.seek(max(0, size - _TAIL))
            lines = history.read().split(b"\n")
    except OSError:
        return {}
    for line in reversed(lines if size <= _TAIL else lines[1:]):
        with suppress(ValueError):
            run = json.loads(line)
            if isinstance(run, dict) and "outcome" in run:
                return run
    runs = [run for run in read(path) if "outcome" in run] if size > _TAIL else []
    return runs[-1] if runs else {}


def append(path: Path, record: RunRecord, now: float, like: Path, **more: Any) -> None:
    """Append one run.

    Args:
        path: the history.
        record: the run.
        now: its time in Unix seconds.
        like: the file whose owner and mode a new file takes.
        more: what else the line says, such as the ``kind`` of the run.

    Raises:
        StorageError: it cannot be written.
    """
    line = json.dumps({"now": now, **more, **record.as_json()}, ensure_ascii=False, separators=(",", ":"))
    files.append_line(path, line, like=like)


def append_cheaply(path: Path, record: RunRecord, now: float, **more: Any) -> None:
    """Append one run to a history that exists, without waiting for the disk: should the line be lost, nothing else is.

    Takes what `append` takes, and raises what it raises.
    """
    line = json.dumps({"now": now, **more, **record.as_json()}, ensure_ascii=False, separators=(",", ":"))
    descriptor, _ = files.open_lock(path)
    try:
        files.append(descriptor, path, line, durable=False)
    finally:
        os.close(descriptor)


def mark_read(path: Path, run_id: str, like: Path) -> None:
    """Note that a person has read the ``.rejected`` of a run; the caller holds the run lock.

    Raises:
        StorageError: it cannot be written.
    """
    files.append_line(path, json.dumps({"read": run_id}), like=like)


def read_by_people(runs: Iterable[Mapping[str, Any]]) -> set[str]:
    """Return the runs whose ``.rejected`` a person has read."""
    return {str(run["read"]) for run in runs if "read" in run}
