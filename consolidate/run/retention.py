"""How many files are kept beside a store, and how much of its history (DESIGN sections 4 and 6, ``[retention]``)."""

from __future__ import annotations

from datetime import UTC, datetime
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


def due(
    paths: StorePaths, settings: RetentionSettings, now: float | None = None, *, careful: bool = False
) -> list[Path]:
    """Return the ``.pre``, ``.rejected`` and ``.undone`` files that are more than the settings keep.

    First what is over the number of its kind, oldest first, then what is over age, then, oldest first, what is over size.
    Oldest is what ran first by the history, whatever clock a run was given; what the history no longer knows is older
    than what it knows. Age and size spare the newest ``.pre`` and every ``.rejected`` that nobody has read.

    Args:
        paths: the files of the store.
        settings: ``[retention]``.
        now: Unix seconds, for the age; without it age does not count.
        careful: let number spare them, too.

    Raises:
        StorageError: the folder cannot be listed.
    """
    runs = history.read(paths.runs)
    ran = {run.get("run_id"): place for place, run in enumerate(runs)}
    read = history.read_by_people(runs)
    kept: dict[Path, tuple[int, str]] = {}
    spared: set[Path] = set()
    found: list[Path] = []
    for kind, keep in (
        ("pre", settings.keep_pre),
        ("rejected", settings.keep_rejected),
        ("undone", settings.keep_undone),
    ):
        age = {
            path: (ran.get(paths.run_of(path.name, kind), -1), path.name.removeprefix(f"{paths.live.name}.{kind}-"))
            for path in files.existing(paths, kind)
        }
        ordered = sorted(age, key=lambda path: age[path])
        spared |= set(ordered[-1:]) if kind == "pre" else set()
        spared |= {path for path in ordered if kind == "rejected" and paths.run_of(path.name, kind) not in read}
        over = ordered[: max(0, len(ordered) - keep)]
        found += [path for path in over if not (careful and path in spared)]
        kept |= age
    rest = sorted((path for path in kept if path not in found), key=lambda path: kept[path])
    over_age = [path for path in rest if path not in spared and _is_over_age(kept[path][1], settings.max_days, now)]
    rest = [path for path in rest if path not in over_age]
    return found + over_age + _over_size(rest, spared, settings.max_megabytes)


def _is_over_age(run_id: str, days: float | None, now: float | None) -> bool:
    if days is None or now is None:
        return False
    made = datetime.strptime(run_id[:16], "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
    return now - made.timestamp() > days * 86_400


def _over_size(ordered: list[Path], spared: set[Path], megabytes: float | None) -> list[Path]:
    """Return the oldest files whose removal brings the others under a size; as far as that goes."""
    if megabytes is None:
        return []
    sizes = {path: files.size(path) for path in ordered}
    excess = sum(sizes.values()) - megabytes * 1_000_000
    found = []
    for path in ordered:
        if excess <= 0:
            break
        if path not in spared:
            found.append(path)
            excess -= sizes[path]
    return found


def apply(paths: StorePaths, settings: RetentionSettings, now: float | None = None) -> list[str]:
    """Remove the files that are due and trim the history; the caller holds the run lock.

    What cannot be removed is logged and left to the next night: it is no reason to call a good run failed.

    Args:
        paths: the files of the store.
        settings: ``[retention]``.
        now: Unix seconds, for the age; without it age does not count.

    Returns:
        The names of the removed files.
    """
    removed = []
    try:
        for path in due(paths, settings, now):
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
