"""Cleaning up what a dead run left, before anything else is done (DESIGN section 4).

The content of live is never touched: at every point where a run can die, the live path holds a whole store.
"""

from __future__ import annotations

from consolidate.run import journal_modes
from consolidate.run.run_lock import RunLock
from consolidate.store import files
from consolidate.store.files import StorePaths


def recover(paths: StorePaths, lock: RunLock, *, dry_run: bool = False) -> list[str]:
    """Remove unfinished files and finish what a dead run had begun with the journal mode.

    Args:
        paths: the files of the store.
        lock: the run lock, held; it knows the journal mode that is to be given back.
        dry_run: only say what the next run will do.

    Returns:
        Sentences that say what was found and done.

    Raises:
        StorageError: a file could not be removed.
    """
    said = _remove_links_to_live(paths, dry_run) + _remove_unfinished(paths, dry_run)
    if lock.note is not None:
        said.append(_will("give the store its journal mode back") if dry_run else _restore_journal(paths, lock))
    return said


def _will(do: str) -> str:
    return f"A run died here; the next one will {do}."


def _remove_links_to_live(paths: StorePaths, dry_run: bool) -> list[str]:
    """Remove a ``.pre`` that is live's own inode: the run died between the link and the rename, so nothing is lost with it."""
    live = files.identity(paths.live)
    said = []
    for kind in ("pre", "undone"):
        for path in files.existing(paths, kind):
            if live is None or files.identity(path) != live:
                continue
            if dry_run:
                said.append(_will(f"remove {path.name}, a second name of the live store"))
                continue
            files.unlink(path)
            said.append(f"A run died just before its swap: {path.name}, a second name of the live store, was removed.")
    return said


def _remove_unfinished(paths: StorePaths, dry_run: bool) -> list[str]:
    found = [name for name in files.names(paths.folder) if paths.is_disposable(name)]
    if not found:
        return []
    if dry_run:
        return [_will(f"remove its unfinished files ({', '.join(found)})")]
    for name in found:
        files.unlink(paths.folder / name)
    return [f"A run died before it had finished: its unfinished files ({', '.join(found)}) were removed."]


def _restore_journal(paths: StorePaths, lock: RunLock) -> str:
    assert lock.note is not None
    mode = lock.note.mode
    waiting = journal_modes.give_back(paths, lock, live=True)
    if waiting:
        return f"A run died during its swap; the journal mode {mode} is not yet restored: {' '.join(waiting)}"
    return f"A run died during its swap: the journal mode {mode} was restored."
