"""Many swaps beside clients that open, read and write all the time: none is shown anything but the store (DESIGN section 4)."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from consolidate.model import Swap
from consolidate.run import in_place, rename
from consolidate.run.live import NotFree
from tests import swap_job
from tests.torture.clients import KINDS
from tests.torture.openers import HEAD, Result, leg
from tests.writers import INSERT, JOURNALS, Client, look, make_store

SWAPS = 12


@pytest.mark.parametrize("journal", JOURNALS)
def test_openers_lose_nothing_and_see_only_whole_stores(tmp_path: Path, journal: str) -> None:
    result = Result(journal)
    leg(tmp_path, result, SWAPS, openers=len(KINDS), tell=print, both=True)
    assert (result.lost, result.invented, result.damage, result.unheard) == ([], [], [], {})
    assert result.counts["swapped"] == result.counts["rename"] + result.counts["in-place"] >= SWAPS
    assert result.counts["rename"] and result.counts["in-place"] and result.acknowledged >= len(KINDS)
    assert len(result.row()) == len(HEAD)


def test_a_store_that_is_locked_for_a_moment_is_swapped_in_place(tmp_path: Path) -> None:
    """A commit of somebody else at the moment of the rename asks for the other way; it is no reason to give the run up."""
    path = make_store(tmp_path)
    with Client(path) as other, swap_job.opened(path) as (live, _):
        prepared = swap_job.make_pass(live)
        rename.finish(prepared, live)
        other.sql("BEGIN EXCLUSIVE")
        unlock = threading.Timer(0.2, other.sql, ("COMMIT",))
        unlock.start()
        try:
            with pytest.raises(NotFree):
                rename.swap(live, prepared, live.paths.pre(swap_job.RUN))
        finally:
            unlock.join()
        other.sql(INSERT, "late")
        prepared = swap_job.make_pass(live)
        assert in_place.swap(live, prepared, live.paths.pre(swap_job.RUN)).swap == Swap.IN_PLACE
    assert look(path, "SELECT count(*) FROM facts WHERE id IN ('late', 'promoted')") == [(2,)]
