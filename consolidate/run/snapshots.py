"""The snapshots of live that the passes of one run are made on (DESIGN section 4, carry over)."""

from __future__ import annotations

from dataclasses import dataclass

from consolidate.run import late
from consolidate.run.live import Live
from consolidate.store import files
from consolidate.store.connections import translated


@dataclass
class Snapshots:
    """Takes one snapshot of live after the other.

    Attributes:
        live: the open live store.
        late_rows: rows that others wrote between the first snapshot and the last.
        taken: how many there were.
    """

    live: Live
    late_rows: int = 0
    taken: int = 0

    def take(self) -> None:
        """Make the shadow, and the base that stays as it is, from live as it is now.

        Raises:
            ConsolidateError: live is locked or damaged, or space ran out.
        """
        paths = self.live.paths
        files.remove(paths.shadow)
        earlier = paths.base.with_name(paths.base.name + "-earlier")
        if self.taken:
            files.rename(paths.base, earlier)
        self.live.snapshot(paths.shadow)
        files.copy_scratch(paths.shadow, paths.base)
        if self.taken:
            with translated(paths.live):
                self.late_rows += late.count_late_rows(earlier, paths.base)
            files.remove(earlier)
        self.taken += 1
