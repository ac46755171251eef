"""``.runs.jsonl``: one line per finished run, whatever its outcome (DESIGN section 4)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from consolidate.model import RunRecord
from consolidate.store import files


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


def append(path: Path, record: RunRecord, now: float, like: Path) -> None:
    """Append one run; ``now`` is its time in Unix seconds, ``like`` the file whose owner and mode a new file takes.

    Raises:
        StorageError: it cannot be written.
    """
    line = json.dumps({"now": now, **record.as_json()}, ensure_ascii=False, separators=(",", ":"))
    files.append_line(path, line, like=like)
