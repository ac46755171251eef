"""What a phase of the torture is about, and what happened in it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from tests.torture.auditor import Fault


@dataclass(frozen=True)
class Setting:
    """What one phase is about.

    Attributes:
        journal: journal mode of the store.
        mode: ``swap.mode``.
        lasting: whether half of the writers keep their connections open and hold read transactions.
        triggers: whether the application has triggers on facts.
        lock_timeout: ``swap.lock_timeout`` in seconds.
    """

    journal: str
    mode: str = "auto"
    lasting: bool = False
    triggers: bool = False
    lock_timeout: float = 3.0

    @property
    def name(self) -> str:
        crowd = "lasting" if self.lasting else "short"
        return f"{self.journal}, {self.mode}, {crowd}" + (", triggers" if self.triggers else "")


@dataclass
class Tally:
    """What happened in a phase.

    Attributes:
        outcomes: of runs and rollbacks by action, outcome and way of swapping.
        killed_writers: how many writers were killed.
        stragglers: notices of processes that kept the old file.
        audits: how often the store was compared with the logs.
        judged, excepted: groups of facts judged by the oracle, and left out because of a rollback.
        faults: discrepancies.
    """

    outcomes: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    killed_writers: int = 0
    stragglers: int = 0
    recovered: int = 0
    audits: int = 0
    judged: int = 0
    excepted: int = 0
    faults: list[Fault] = field(default_factory=list)

    def count(self, *, what: str = "", outcome: str = "", way: str = "") -> int:
        return sum(
            number
            for (one, two, three), number in self.outcomes.items()
            if what in ("", one) and outcome in ("", two) and way in ("", three)
        )
