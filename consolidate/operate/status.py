"""How each tenant is in the morning: what the last run came to, how old the last good night is, what waits for a person.

All of it is read: the outside history (``.runs.jsonl``), the files beside the store, and a few questions to the store itself.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from consolidate.config import Settings, load_probes
from consolidate.errors import BusyError, ConfigError, ConsolidateError, NotAStoreError, StorageError
from consolidate.operate.tenants import Tenant
from consolidate.run import history, untouched
from consolidate.store import files
from consolidate.store.connections import translated
from consolidate.store.contract import validate
from consolidate.store.files import StorePaths

GOOD = ("swapped", "unchanged")
# How tenants are sorted, those that need a person first.
STATES = ("broken", "failed", "rejected", "idle", "never", "stale", "look", "ok")
NEED_A_PERSON = frozenset(STATES[:6])
_LOCK_TIMEOUT = 1.0


@dataclass
class TenantStatus:
    """One tenant.

    Attributes:
        tenant: its name.
        path: its live store.
        state: one of `STATES`.
        reasons: what a person should know, one sentence each, the worst first; no memory content.
        last: the last recorded run, empty if there is none.
        last_good: the time of the last full night that went well, Unix seconds.
        age: seconds since then.
        bytes: the size of the store with its write-ahead log.
        kept_bytes: the size of what the job keeps beside it.
        rejected: names of the ``.rejected`` files that nobody has read.
        review: how many facts wait for review, and since when (Unix seconds).
        facts: how many facts there are.
        nights: the recorded runs, oldest first.
    """

    tenant: str
    path: str = ""
    state: str = "ok"
    reasons: list[str] = field(default_factory=list)
    last: dict[str, Any] = field(default_factory=dict)
    last_good: float | None = None
    age: float | None = None
    bytes: int = 0
    kept_bytes: int = 0
    rejected: list[str] = field(default_factory=list)
    review: int | None = None
    review_since: float | None = None
    facts: int | None = None
    nights: list[dict[str, Any]] = field(default_factory=list)

    @property
    def needs_a_person(self) -> bool:
        """Tell whether it is more than something to look at some time."""
        return self.state in NEED_A_PERSON

    def say(self, state: str, sentence: str) -> None:
        """Add a reason; the worst one gives the state."""
        if STATES.index(state) < STATES.index(self.state):
            self.state = state
            self.reasons.insert(0, sentence)
        else:
            self.reasons.append(sentence)

    def as_json(self) -> dict[str, Any]:
        """Return the status for JSON, with the last run as the history has it."""
        last = {key: value for key, value in self.last.items() if key != "seen"}
        shown = {key: value for key, value in vars(self).items() if key not in ("last", "nights")}
        return {**shown, "needs_a_person": self.needs_a_person, "last": last or None}


def survey(tenants: Sequence[Tenant], settings: Settings, *, now: float, max_age: float) -> list[TenantStatus]:
    """Look at tenants.

    Args:
        tenants: whom to look at.
        settings: the configuration.
        now: Unix seconds.
        max_age: how old the last good night may be, in seconds.

    Returns:
        One status per tenant, sorted by what needs attention.
    """
    found = [look_at(tenant, settings, now=now, max_age=max_age) for tenant in tenants]
    return sorted(found, key=lambda status: (STATES.index(status.state), -_oldest(status), status.tenant))


def _oldest(status: TenantStatus) -> float:
    return math.inf if status.age is None else status.age


def look_at(tenant: Tenant, settings: Settings, *, now: float, max_age: float) -> TenantStatus:
    """Look at one tenant; whatever is wrong with it is part of its status, never an error."""
    status = TenantStatus(tenant.name, str(tenant.path))
    try:
        paths = StorePaths.of(tenant.path)
        _read_history(status, paths, now)
        _measure(status, paths)
        _ask_store(status, paths, settings)
        load_probes(paths.probes)
    except BusyError as error:
        status.say("look", error.message)
    except ConfigError as error:
        status.say("failed", error.message)
    except ConsolidateError as error:
        status.say("broken", error.message)
    _judge(status, max_age)
    return status


def _read_history(status: TenantStatus, paths: StorePaths, now: float) -> None:
    lines = history.read(paths.runs)
    status.nights = [run for run in lines if "outcome" in run]
    status.last = status.nights[-1] if status.nights else {}
    good = [run for run in status.nights if run["outcome"] in GOOD and run.get("kind", "night") == "night"]
    times = [run["now"] for run in good if isinstance(run.get("now"), (int, float))]
    if times:
        status.last_good, status.age = times[-1], max(0.0, now - times[-1])
    read = history.read_by_people(lines)
    unread = (path.name for path in files.existing(paths, "rejected"))
    status.rejected = [name for name in unread if paths.run_of(name, "rejected") not in read]


def _measure(status: TenantStatus, paths: StorePaths) -> None:
    status.bytes = files.size(paths.live) + files.size(paths.wal)
    status.kept_bytes = sum(
        files.size(path) for kind in ("pre", "rejected", "undone") for path in files.existing(paths, kind)
    )


def _ask_store(status: TenantStatus, paths: StorePaths, settings: Settings) -> None:
    if files.status(paths.live) is None:
        raise StorageError(f"{paths.live} is missing.")
    try:
        opened = untouched.open_in_place(paths, settings.store.extensions, _LOCK_TIMEOUT)
    except untouched.NeedsRecovery:
        status.say("look", f"{paths.live} was left in the middle of a write; the next run repairs it.")
        return
    with closing(opened) as db, translated(paths.live):
        validate(db, paths.live)
        since = "min(valid_from) FILTER (WHERE status = 'review' AND typeof(valid_from) IN ('integer', 'real'))"
        row: Any = db.execute(f"SELECT count(*), total(status = 'review'), {since} FROM main.facts").fetchone()
        status.facts, status.review, status.review_since = row[0], int(row[1]), row[2]
        damage = db.execute("PRAGMA main.quick_check(1)").get if _is_small(status) else "ok"
        if damage != "ok":
            raise NotAStoreError(f"{paths.live} is damaged.")


def _is_small(status: TenantStatus) -> bool:
    """Tell whether reading the whole store costs next to nothing; the nightly run checks the others."""
    return status.bytes <= 4 * 1024 * 1024


def _judge(status: TenantStatus, max_age: float) -> None:
    last, outcome = status.last, status.last.get("outcome")
    if outcome == "failed" and status.state != "broken":  # what is wrong with the store itself is said already
        status.say("failed", f"The last run failed: {last.get('error') or 'no reason is recorded'}")
    if outcome == "rejected":
        checks = {str(problem.get("check")) for problem in last.get("problems") or () if isinstance(problem, dict)}
        named = f" by the checks {', '.join(sorted(checks))}" if checks else ""
        status.say(
            "rejected", f"The last run was rejected{named}; read it with consolidate inspect {_beside(status, last)}"
        )
    if outcome == "unchanged" and (left := last.get("work")):
        places = "1 place" if left == 1 else f"{left} places"
        status.say("idle", f"The last run changed nothing although there was work in {places}.")
    if status.age is None:
        status.say("never", "There has never been a good night.")
    elif status.age > max_age:
        status.say("stale", f"The last good night is {duration(status.age)} ago.")
    if outcome == "busy":
        status.say("look", f"The last run found the store busy: {last.get('error')}")
    if status.rejected and outcome != "rejected":
        status.say("look", f"Nobody has read {', '.join(status.rejected)}.")
    for notice in last.get("notices") or ():
        if isinstance(notice, dict):
            status.say("look", f"Notice ({notice.get('kind')}): {notice.get('message')}")


def _beside(status: TenantStatus, last: dict[str, Any]) -> Path:
    return Path(status.path).with_name(str(last.get("rejected") or "memory.db.rejected"))


def duration(seconds: float) -> str:
    """Write a length of time for people, in its two largest units at most."""
    seconds = max(0, round(seconds))
    for size, unit, smaller_size, smaller in ((86400, "d", 3600, "h"), (3600, "h", 60, "min"), (60, "min", 1, "s")):
        if seconds >= size:
            rest = seconds % size // smaller_size
            whole = f"{seconds // size} {unit}"
            return f"{whole} {rest} {smaller}" if rest and seconds // size < 10 else whole
    return f"{seconds} s"


def size_text(count: int) -> str:
    """Write a number of bytes for people."""
    amount = float(count)
    for unit in ("B", "kB", "MB", "GB"):
        if amount < 1000:
            return f"{amount:.0f} {unit}" if unit == "B" or amount >= 100 else f"{amount:.1f} {unit}"
        amount /= 1000
    return f"{amount:.1f} TB"


__all__ = [
    "GOOD", "NEED_A_PERSON", "STATES", "TenantStatus", "duration", "look_at", "size_text", "survey",
]  # fmt: skip
