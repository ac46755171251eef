"""The words of the project as types: outcomes, steps, problems, notices and the record of a run (DESIGN sections 1 and 6)."""

from __future__ import annotations

import secrets
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from consolidate.errors import BusyError, ConsolidateError


class Outcome(StrEnum):
    """How one run of one tenant ended."""

    SWAPPED = "swapped"
    UNCHANGED = "unchanged"
    PLANNED = "planned"
    REJECTED = "rejected"
    BUSY = "busy"
    FAILED = "failed"


class Swap(StrEnum):
    """Which of the two ways put the result in place (DESIGN section 4)."""

    RENAME = "rename"
    IN_PLACE = "in-place"


class Step(StrEnum):
    """The built-in steps whose actions are recorded; an extra step is recorded under its own name."""

    EXPIRE = "expire"
    MERGE = "merge"
    SUPERSEDE = "supersede"
    PROMOTE = "promote"


@dataclass(frozen=True)
class Episode:
    """One-line summary of a past conversation: evidence, never changed by the job.

    ``occurred_at`` is in Unix seconds, UTC.
    """

    id: str
    user_id: str
    occurred_at: float
    summary: str


@dataclass(frozen=True)
class Problem:
    """A failed check (DESIGN section 5): no swap.

    ``facts`` are ids, at most a few dozen of them; ``message`` is one sentence that holds no memory content.
    """

    check: str
    user_id: str | None
    facts: tuple[str, ...]
    message: str

    def as_json(self) -> dict[str, Any]:
        """Return the problem in the form of the JSON contract."""
        return {"check": self.check, "user_id": self.user_id, "facts": list(self.facts), "message": self.message}


@dataclass(frozen=True)
class Notice:
    """Something a person should look at; the swap goes ahead. Holds ids and counts, no memory content."""

    kind: str
    message: str
    user_id: str | None = None
    facts: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return the notice in the form of the JSON contract."""
        return {"kind": self.kind, "user_id": self.user_id, "facts": list(self.facts), "message": self.message}


def empty_actions() -> dict[str, int]:
    """Return the action counts of a run that did nothing."""
    return {"expire": 0, "merge": 0, "supersede": 0, "promote": 0, "review": 0}


@dataclass
class ModelFigures:
    """What a run asked of models and what it cost (DESIGN section 3, promote).

    Attributes:
        calls: calls made, of all models; one that was repeated counts once.
        failed: those of them that came to nothing.
        input_tokens, output_tokens: what the endpoint reported, or an estimate.
        cost: by the configured prices, in their currency.
        asked: users who were asked for.
        not_asked: users who should have been, but for a cap, a missing key or an endpoint that is down.
        confirmed, unconfirmed: candidates by the verdict of the second model.
    """

    calls: int = 0
    failed: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float = 0.0
    asked: int = 0
    not_asked: int = 0
    confirmed: int = 0
    unconfirmed: int = 0

    def as_json(self) -> dict[str, Any]:
        """Return the figures in the form of the JSON contract."""
        return asdict(self) | {"cost": round(self.cost, 6)}


@dataclass
class RunRecord:
    """What one run of one tenant did: a line of ``.runs.jsonl`` and an entry of ``nightly --json`` (DESIGN section 6)."""

    tenant: str
    run_id: str
    outcome: Outcome = Outcome.FAILED
    swap: Swap | None = None
    actions: dict[str, int] = field(default_factory=empty_actions)
    skipped: dict[str, int] = field(default_factory=dict)
    late_rows: int = 0
    problems: list[Problem] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    pre: str | None = None
    rejected: str | None = None
    seconds: dict[str, float] = field(default_factory=dict)
    lock_seconds: float = 0.0
    error: str | None = None
    exit_status: int = 0
    model: dict[str, Any] | None = None

    def fail(self, error: ConsolidateError) -> None:
        """Tell of an error; a swap that was made before it stays made."""
        if self.swap is None:
            self.outcome = Outcome.BUSY if isinstance(error, BusyError) else Outcome.FAILED
        self.error, self.exit_status = str(error), error.exit_status

    def crash(self, error: Exception) -> None:
        """Tell of an internal error; ids and types, no memory content."""
        self.outcome, self.exit_status = Outcome.FAILED, 70
        self.error = f"The run of {self.tenant} met an internal error: {type(error).__name__}; the store is whole."

    def as_json(self) -> dict[str, Any]:
        """Return the record in the form of the JSON contract; ``model`` is there only if the model summariser ran."""
        return {
            "tenant": self.tenant,
            "run_id": self.run_id,
            "outcome": self.outcome.value,
            "swap": self.swap.value if self.swap else None,
            "actions": self.actions,
            "skipped": self.skipped,
            "late_rows": self.late_rows,
            "problems": [problem.as_json() for problem in self.problems],
            "notices": [notice.as_json() for notice in self.notices],
            "pre": self.pre,
            "rejected": self.rejected,
            "seconds": {stage: round(value, 6) for stage, value in self.seconds.items()},
            "lock_seconds": round(self.lock_seconds, 6),
            "error": self.error,
            "exit_status": self.exit_status,
        } | ({} if self.model is None else {"model": self.model})


@dataclass(frozen=True)
class Probe:
    """A golden probe (DESIGN section 5): exactly one of ``expect``, ``absent`` and ``count`` is set.

    ``as_of`` is in Unix seconds, or None for the time of the run.
    """

    user: str
    attribute: str
    expect: str | None = None
    absent: str | None = None
    count: int | None = None
    as_of: float | None = None
    origin: str = ""


def new_run_id(now: float) -> str:
    """Return a fresh run id ``YYYYMMDDTHHMMSSZ-xxxxxx``; ``now`` is in Unix seconds, UTC."""
    return f"{datetime.fromtimestamp(now, UTC):%Y%m%dT%H%M%SZ}-{secrets.token_hex(3)}"
