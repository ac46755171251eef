"""Ending a run or a rollback: the way of swapping is chosen, and what others wrote meanwhile is taken in (DESIGN section 4)."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import structlog

from consolidate.config import SwapSettings
from consolidate.errors import BusyError
from consolidate.run import in_place, rename
from consolidate.run.live import Live, NotFree, NotQuiet, Prepared, SwapResult
from consolidate.store import files

log = structlog.get_logger()

# How often a store that others keep writing to is looked at again before the last look is taken under the write lock.
CATCH_UPS = 2
# How long to wait before asking again whether a store is free (swap.mode = "rename"), in seconds.
FREE_POLL = 0.05

Make = Callable[[], Prepared | None]


def settle(live: Live, settings: SwapSettings, kept: Path, prepared: Prepared | None, make: Make) -> SwapResult:
    """Swap a pass in, in one of the two ways, making it again as often as live was written since.

    Args:
        live: the open live store.
        settings: ``[swap]``.
        kept: where live as it was goes, a ``.pre`` or an ``.undone``; must not exist.
        prepared: the first pass, None if it changes nothing.
        make: makes another pass on live as it is then; returns None if that one changes nothing, and may raise.

    Returns:
        The result; its ``swap`` is None if there was nothing to change.

    Raises:
        BusyError: live did not get free, or quiet, within ``swap.lock_timeout``; it is unchanged.
        StorageError: an operation failed; live is as it was.
    """
    deadline = time.monotonic() + settings.lock_timeout
    catch_ups = 0
    while prepared is not None:
        try:
            if settings.mode == "rename" or (settings.mode == "auto" and rename.possible(live)):
                return _rename(live, prepared, kept, settings.drain_timeout)
        except NotFree:
            if settings.mode == "auto":
                break
        except NotQuiet:
            log.debug("run.written_meanwhile", run_id=prepared.run_id)
        if settings.mode != "rename" and (live.quiet() or catch_ups >= CATCH_UPS):
            break
        if settings.mode == "rename" and time.monotonic() >= deadline:
            raise BusyError(
                f"{live.paths.live} was not free within {settings.lock_timeout:g} seconds.",
                'It is unchanged; try again, or set swap.mode = "auto".',
            )
        catch_ups += 1
        if settings.mode == "rename" and live.quiet():
            time.sleep(FREE_POLL)
        else:
            prepared = make()
    if prepared is None:
        return SwapResult(None)
    return in_place.swap(live, prepared, kept, again=make)


def _rename(live: Live, prepared: Prepared, kept: Path, drain_timeout: float) -> SwapResult:
    rename.finish(prepared, live)
    moved = files.status(prepared.candidate)
    result = rename.swap(live, prepared, kept, drain_timeout=drain_timeout)
    result.moved = moved
    return result
