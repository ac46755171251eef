"""How many files are kept beside a store, and how much of its history (DESIGN sections 4 and 6, ``[retention]``)."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import structlog

from consolidate.config import RetentionSettings
from consolidate.errors import StorageError
from consolidate.run import history
from consolidate.store import files
from consolidate.store.files import StorePaths

# Beyond this size, in bytes, the oldest lines of the history go until half of it is left: more than a year of nights.
LONGEST_HISTORY: Final = 512 * 1024

log = structlog.get_logger()


def due(paths: StorePaths, settings: RetentionSettings) -> list[Path]:
    """Return the ``.pre``, ``.rejected`` and ``.undone`` files that are more than the settings keep, oldest first.

    Oldest is what ran first by the history, whatever clock a run was given; what the history no longer knows is older
    than what it knows.

    Raises:
        StorageError: the folder cannot be listed.
    """
    found = []
    for kind, keep in (
        ("pre", settings.keep_pre),
        ("rejected", settings.keep_rejected),
        ("undone", settings.keep_undone),
    ):
        kept = files.existing(paths, kind)
        if len(kept) > keep:
            found += _by_age(paths, kind, kept)[: len(kept) - keep]
    return found


def _by_age(paths: StorePaths, kind: str, kept: list[Path]) -> list[Path]:
    ran = {run.get("run_id"): place for place, run in enumerate(history.read(paths.runs))}
    return sorted(kept, key=lambda path: (ran.get(paths.run_of(path.name, kind), -1), path.name))


def apply(paths: StorePaths, settings: RetentionSettings) -> list[str]:
    """Remove the files that are due and trim the history; the caller holds the run lock.

    What cannot be removed is logged and left to the next night: it is no reason to call a good run failed.

    Returns:
        The names of the removed files.
    """
    removed = []
    try:
        for path in due(paths, settings):
            files.remove(path)
            removed.append(path.name)
        _trim(paths)
    except StorageError as error:
        log.warning("retention.failed", store=str(paths.live), error=str(error))
    return removed


def _trim(paths: StorePaths) -> None:
    """Drop the oldest lines of the history once it is long."""
    if files.size(paths.runs) <= LONGEST_HISTORY:
        return
    kept: list[str] = []
    size = 0
    for line in reversed(paths.runs.read_text("utf-8", errors="replace").removesuffix("\n").split("\n")):
        size += len(line.encode()) + 1
        if kept and size > LONGEST_HISTORY // 2:
            break
        kept.append(line + "\n")
    files.replace_text(paths.runs, "".join(reversed(kept)), like=paths.live)
