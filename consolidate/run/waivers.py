"""Waiving one named problem for one run: a person looked at it and takes it (DESIGN section 5, the gate).

The record keeps what was waived as a notice. What would break the store itself can never be waived.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from consolidate.checks.findings import CHECKS, Findings
from consolidate.errors import UsageError
from consolidate.model import Notice, Problem

WAIVABLE = tuple(
    check
    for check in (*CHECKS, "probe")
    if check not in ("lost_rows", "content_changed", "owner_changed", "foreign_lineage", "table_changed", "integrity")
)


@dataclass(frozen=True)
class Waiver:
    """One check whose problems are notices in this run, for one user or for everybody (None)."""

    check: str
    user: str | None = None

    @classmethod
    def parse(cls, text: str) -> Waiver:
        """Read ``CHECK`` or ``CHECK:USER``.

        Raises:
            UsageError: there is no such check, or it guards the store itself.
        """
        check, colon, user = text.partition(":")
        if check not in WAIVABLE:
            raise UsageError(
                f"The check {check!a} cannot be waived.", f"Those that can be are {', '.join(sorted(WAIVABLE))}."
            )
        return cls(check, user if colon else None)

    def covers(self, problem: Problem) -> bool:
        """Tell whether it is about a problem."""
        return problem.check == self.check and self.user in (None, problem.user_id)

    def __str__(self) -> str:
        return self.check if self.user is None else f"{self.check}:{self.user}"


def apply(waivers: Sequence[Waiver], found: Findings) -> None:
    """Turn the problems that are waived into notices, and say which waiver was not needed."""
    if not waivers:
        return
    kept = []
    used = set()
    for problem in found.problems:
        covering = [waiver for waiver in waivers if waiver.covers(problem)]
        used.update(covering)
        if not covering:
            kept.append(problem)
            continue
        message = f"The problem {problem.check} was waived for this run: {problem.message}"
        found.notices.append(Notice("waived", message, problem.user_id, problem.facts))
    found.problems = kept
    for waiver in dict.fromkeys(waivers):
        if waiver not in used:
            found.notices.append(Notice("waiver_unused", f"The waiver {waiver.check} was not needed.", waiver.user))
