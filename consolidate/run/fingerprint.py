"""Telling that a store was not touched since its last run, without opening it (DESIGN section 8).

A run that ended well notes what the file system says about the store, and when the next fact or episode falls due. A later
night that finds everything as noted, before that date and under the same rules, would change nothing: DESIGN section 3 promises
that running twice changes nothing the second time. Whatever is not certain counts as touched.

Time stamps of files are coarse, so two writes can carry the same one. What is noted is therefore only taken for the state the
run saw if the file system's own clock moved on in between: between the last change of the store and the run lock's stamp, or
between the last write to the shadow and the rename that made it the store.
"""

from __future__ import annotations

import hashlib
import os
import unicodedata
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import fields
from pathlib import Path
from typing import Any

import apsw

from consolidate import __version__
from consolidate.config import Settings
from consolidate.errors import ConsolidateError
from consolidate.model import Outcome, RunRecord, Swap
from consolidate.store import files
from consolidate.store.files import StorePaths

# What says nothing about what a run decides.
_IRRELEVANT = frozenset({"root", "origin", "retention", "swap", "alert", "metrics"})
# Refusals that the next night tries again (DESIGN section 3).
_HELD_BACK = frozenset({"max_per_user", "max_per_run", "max_proposals", "unconfirmed"})

Noted = dict[str, Any]


def clock(paths: StorePaths) -> int:
    """Return the file system's time, in nanoseconds, at which the run lock was last written."""
    found = files.status(paths.lock)
    return found.st_mtime_ns if found else 0


def note(
    paths: StorePaths,
    settings: Settings,
    record: RunRecord,
    *,
    now: float,
    light: bool,
    began: int,
    moved: os.stat_result | None,
    due: float | None,
) -> Noted | None:
    """Return what a later night may rely on, or None where it is not certain that live is as this run left it.

    Args:
        paths: the files of the store; the run lock is held.
        settings: the configuration.
        record: the run.
        now: its time, Unix seconds.
        light: whether it was a light run.
        began: `clock` right after the run lock was taken.
        moved: the status of the shadow right before it was renamed, if it was.
        due: when the next fact or episode falls due, Unix seconds; None if none will.
    """
    if settings.steps.extra or _HELD_BACK & record.skipped.keys():
        return None
    if any(notice.kind in ("summariser_failed", "summariser_not_asked") for notice in record.notices):
        return None
    with suppress(ConsolidateError):  # a run that went well does not fail over this
        if _is_certain(paths, record, began, moved):
            return {**_look(paths), "rules": _rules(settings), "due": _date(due), "light": light}
    return None


def _is_certain(paths: StorePaths, record: RunRecord, began: int, moved: os.stat_result | None) -> bool:
    """Tell whether live is surely as the run left it."""
    live, wal = files.status(paths.live), files.status(paths.wal)
    if live is None or files.status(paths.journal) is not None:
        return False
    if record.outcome is Outcome.UNCHANGED:
        return _before(live, began) and (wal is None or _before(wal, began))
    return record.swap is Swap.RENAME and wal is None and moved is not None and _is_moved(live, moved)


def holds(
    noted: object, run: Mapping[str, Any], paths: StorePaths, settings: Settings, *, now: float, light: bool
) -> bool:
    """Tell whether a night at ``now`` would surely change nothing.

    Args:
        noted: what `note` returned, as the history has it.
        run: the run that noted it.
        paths: the files of the store.
        settings: the configuration.
        now: Unix seconds.
        light: whether the night is a light one; a light run says nothing about promotion.
    """
    if not isinstance(noted, dict) or settings.steps.extra:
        return False
    if (noted.get("light") and not light) or noted.get("rules") != _rules(settings):
        return False
    before, due = run.get("now"), noted.get("due")
    if not isinstance(before, (int, float)) or now < before or (due is not None and not now < due):
        return False
    if files.status(paths.journal) is not None or any(paths.is_disposable(name) for name in files.names(paths.folder)):
        return False
    return all(noted.get(key) == value for key, value in _look(paths).items())


def _before(found: os.stat_result, moment: int) -> bool:
    return found.st_mtime_ns < moment and found.st_ctime_ns < moment


def _is_moved(live: os.stat_result, moved: os.stat_result) -> bool:
    same = (live.st_ino, live.st_size, live.st_mtime_ns) == (moved.st_ino, moved.st_size, moved.st_mtime_ns)
    return same and live.st_mtime_ns < live.st_ctime_ns


def _look(paths: StorePaths) -> Noted:
    """Return what the file system says about everything a night reads."""
    named = (("live", paths.live), ("wal", paths.wal), ("state", paths.state), ("probes", paths.probes))
    return {name: _stamp(path) for name, path in named}


def _stamp(path: Path) -> list[int] | None:
    found = files.status(path)
    if found is None:
        return None
    return [found.st_dev, found.st_ino, found.st_nlink, found.st_size, found.st_mtime_ns, found.st_ctime_ns]


def _rules(settings: Settings) -> str:
    """Return a digest of everything but the store that a run's decisions depend on."""
    parts = {item.name: getattr(settings, item.name) for item in fields(settings) if item.name not in _IRRELEVANT}
    parts["attributes"] = sorted(settings.attributes.items())
    text = repr((__version__, unicodedata.unidata_version, apsw.sqlite_lib_version(), sorted(parts.items())))
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=16).hexdigest()


def _date(due: float | None) -> float | None:
    """Return a moment as JSON can hold it: an infinity is no date."""
    return None if due is None or due > 253402300799 else float(due)
