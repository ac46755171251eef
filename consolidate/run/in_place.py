"""Swapping in place: the run's net change goes into live in the transaction that holds its write lock (DESIGN section 4).

Open connections see the new state at their next read, and none loses a write. What live was before is kept first: the base
of the pass is a backup of live as it was when it was last written, so a copy of it becomes ``.pre``, durable before the commit.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import apsw

from consolidate.errors import BusyError, StorageError
from consolidate.model import Notice, Swap
from consolidate.run import net_change
from consolidate.run.live import Live, NotQuiet, Prepared, SwapResult
from consolidate.store import connections, copies, files, statistics
from consolidate.store.connections import translated
from consolidate.store.files import PART

Again = Callable[[], Prepared | None]


def swap(live: Live, prepared: Prepared, pre: Path, *, again: Again | None = None) -> SwapResult:
    """Apply the net change of a pass to live in one transaction.

    Args:
        live: the open store; still open afterwards.
        prepared: the pass.
        pre: where live as it was before goes; must not exist.
        again: makes another pass under the write lock if live was written since; returns None if that one changes nothing, and
            may raise. Without it such a store is NotQuiet.

    Returns:
        The result; its ``swap`` is None if there was nothing to change after all.

    Raises:
        BusyError: live, or a reader of it, did not let go within ``lock_timeout``, or live was replaced by another file.
        NotQuiet: live was written since the snapshot and there is no ``again``.
        StorageError: an operation failed. Whatever is raised, live is as it was and no ``.pre`` is left.
    """
    if files.status(pre) is not None:
        raise StorageError(f"{pre} exists already.", "Move it away.")
    transaction = _Transaction(live, pre)
    try:
        transaction.prepare(prepared)
        return transaction.run(prepared, again)
    except BaseException:
        transaction.undo()
        raise


class _Transaction:
    """One swap in place, with what is needed to undo it."""

    def __init__(self, live: Live, pre: Path) -> None:
        self._live = live
        self._pre = pre
        self._part = pre.with_name(pre.name + PART)
        self._result = SwapResult(Swap.IN_PLACE)
        self._round = 0
        self._committing = False
        self._doubtful = False

    def prepare(self, prepared: Prepared) -> None:
        """Write ``.pre`` under its unfinished name and collect the net change; takes no lock on live."""
        files.require_space(self._live.paths.folder, files.size(prepared.base))
        files.copy_scratch(prepared.base, self._part)
        mode, taken = self._live.lasting_journal, self._live.statistics
        if mode == "wal" or taken:
            copies.complete(self._part, "wal" if mode == "wal" else "delete", taken)
        if taken:  # a swap by rename that was refused has put them back
            copies.leave_out_statistics(prepared.shadow)
        missing = files.prepare(self._part, self._live.paths.live)
        self._result.notices = [
            Notice("kept_file", f"{self._pre.name} could not be given the {', '.join(missing)} of the live store.")
        ] * bool(missing)
        with translated(self._live.paths.live):
            net_change.collect_attached(self._live.db, prepared, self._round)
        self._round += 1

    def run(self, prepared: Prepared, again: Again | None) -> SwapResult:
        """Do everything that needs the write lock."""
        live = self._live
        live.begin()
        began = time.perf_counter()
        with translated(live.paths.live):
            statistics.ignore(live.db)
        live.check_place()
        if not live.quiet():
            if again is None:
                raise NotQuiet
            later = again()
            if later is None:
                self.undo()
                return SwapResult(None, time.perf_counter() - began)
            prepared = later
            self.prepare(prepared)
        live.check_write_lock()
        files.rename(self._part, self._pre)
        files.fsync_folder(live.paths.folder)
        with translated(live.paths.live):
            net_change.apply(live.db, "main", prepared.shape, live.paths.live)
        live.check_place()
        live.check_write_lock()
        self._commit(prepared)
        self._result.lock_seconds = time.perf_counter() - began
        return self._result

    def _commit(self, prepared: Prepared) -> None:
        self._committing = True
        try:
            self._live.db.execute("COMMIT")
            self._live.swapped = True
        except apsw.BusyError as error:
            raise BusyError(
                f"A reader kept {self._live.paths.live} for {self._live.lock_timeout:g} seconds.",
                "It is unchanged; try again later.",
            ) from error
        except apsw.Error as error:
            self._settle_doubt(prepared, error)

    def _settle_doubt(self, prepared: Prepared, error: apsw.Error) -> None:
        """A commit that failed may have been made all the same: the row of the run, which came with it, tells."""
        live = self._live
        self._doubtful = True
        live.close()
        arrived = self._arrived(prepared.run_id)
        self._doubtful = arrived is None
        if not arrived:
            raise connections.translate(error, live.paths.live) from error
        live.swapped = True
        self._result.notices.append(
            Notice("swap", "The swap was made, but the disk reported an error: a power cut may undo it.")
        )

    def _arrived(self, run_id: str) -> bool | None:
        """Tell whether live has the row of a run; None if that cannot be found out."""
        try:
            db = connections.open_live(self._live.paths.live, lock_timeout=self._live.lock_timeout)
        except Exception:
            return None
        try:
            return bool(db.execute("SELECT count(*) FROM main.consolidation_runs WHERE run_id = ?", (run_id,)).get)
        except apsw.SQLError:
            return False
        except apsw.Error:
            return None
        finally:
            db.close(True)

    def undo(self) -> None:
        """Roll back and remove what was kept, unless the commit was made, or may have been."""
        live = self._live
        if self._committing and not live.swapped and not self._doubtful and live.is_open and not live.db.in_transaction:
            # A signal arrived between the commit and the next statement.
            live.swapped = True
        if live.swapped or self._doubtful:
            return
        try:
            live.rollback()
        finally:
            files.remove(self._part)
            files.unlink(self._pre)
