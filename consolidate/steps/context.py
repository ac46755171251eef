"""What every step is given: the run, the clock, the settings, the shape of the store, and where to count."""

from __future__ import annotations

from dataclasses import dataclass, field

from consolidate.config import Settings
from consolidate.model import Notice
from consolidate.store.contract import Shape

# A fact is in force (DESIGN section 1); needs the parameter :now. Text or NULL in valid_from is never <= a number.
IN_FORCE = (
    "(status = 'active' AND valid_to IS NULL AND valid_from <= :now AND (expires_at IS NULL OR expires_at > :now))"
)
IDENTIFIED = "(id IS NOT NULL AND user_id IS NOT NULL AND attribute IS NOT NULL)"


@dataclass
class StepContext:
    """The surroundings of the steps of one pass.

    Attributes:
        run_id: the run whose actions are recorded.
        now: the time of the run in Unix seconds; the only clock the steps know.
        settings: the configuration.
        shape: the store's shape.
        light: only expire, merge and supersede.
        skipped: refusals by reason.
        notices: what a person should look at.
    """

    run_id: str
    now: float
    settings: Settings
    shape: Shape
    light: bool = False
    skipped: dict[str, int] = field(default_factory=dict)
    notices: list[Notice] = field(default_factory=list)

    @property
    def order(self) -> str:
        """SQL for the insertion order of facts: an alias of the rowid, or ``id``."""
        return self.shape.facts.order

    def skip(self, reason: str, count: int = 1) -> None:
        """Count a refusal."""
        if count:
            self.skipped[reason] = self.skipped.get(reason, 0) + count
