"""The plan of a dry run, in words a person who did not write the system can read (DESIGN section 6).

The plan is for the person who asked and shows what facts say; it never goes to the log.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import apsw

from consolidate.config import Settings
from consolidate.model import RunRecord
from consolidate.store import connections
from consolidate.times import format_when

# More than this of one kind is a list for a program, not for a person.
MOST_LINES = 100
LONGEST_VALUE = 80

SKIPPED = {
    "malformed": "proposals of the summariser were not well-formed",
    "unknown_evidence": "proposals cite an episode that does not exist",
    "foreign_evidence": "proposals cite an episode of another user",
    "too_few_episodes": "proposals have too few episodes behind them",
    "too_few_days": "proposals have episodes on too few different days behind them",
    "instruction": "proposals are instructions to the agent, not facts about a person",
    "tombstoned": "proposals were forgotten on request and stay forgotten",
    "already_stored": "proposals are known already",
    "already_decided": "proposals were decided before, and not enough new episodes speak for them",
    "max_per_user": "proposals go beyond what one user may get in a night",
    "max_per_run": "proposals go beyond what one night may promote",
    "constraint": "proposals are refused by a constraint of the application's schema",
    "return": "equal values stay apart because another value lay between them (a return, not a duplicate)",
    "waiting": "facts begin in the future and wait",
    "parked": "facts already wait for a person to review them",
    "pinned": "facts are past their date but pinned",
    "no_identity": "facts have no id, user or attribute and were left alone",
}


def shown(raw: bytes | str | None) -> str:
    """Return text of a store as it may be shown on a terminal: on one line, control characters escaped, not too long."""
    if raw is None:
        return "nothing"
    text = raw.decode("utf-8", "replace") if isinstance(raw, bytes) else raw
    cut = text[:LONGEST_VALUE]
    safe = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in cut)
    return f"“{safe}{'…' if len(text) > len(cut) else ''}”"


def describe(shadow: Path, record: RunRecord, settings: Settings) -> list[str]:
    """Return the plan of a run as sentences.

    Args:
        shadow: the shadow after all steps; closed.
        record: the run.
        settings: the configuration.
    """
    db = connections.open_reader(shadow, settings.store.extensions)
    try:
        lines = list(_actions(db, record))
    finally:
        db.close()
    if not lines:
        lines.append(f"Nothing would change in {record.tenant}.")
    lines += [
        f"Skipped: {count} {SKIPPED.get(reason, reason)}." for reason, count in sorted(record.skipped.items()) if count
    ]
    lines += [f"Problem ({problem.check}): {problem.message}" for problem in record.problems]
    lines += [f"Notice ({notice.kind}): {notice.message}" for notice in record.notices]
    if record.problems:
        lines.append("The night would be rejected: live stays as it is.")
    return lines


def _actions(db: apsw.Connection, record: RunRecord) -> Iterator[str]:
    rows = db.execute(
        """
        SELECT a.step, a.kind, CAST(f.user_id AS BLOB), CAST(f.attribute AS BLOB), CAST(substr(f.value, 1, 1000) AS BLOB),
               CAST(substr(t.value, 1, 1000) AS BLOB), a.after_status, a.after_valid_to, a.reason, a.changed,
               CAST(f.id AS BLOB), f.confirmations, CAST(f.evidence AS BLOB)
        FROM main.consolidation_actions a JOIN main.facts f ON f.id = a.fact_id
             LEFT JOIN main.facts t ON t.id = a.after_superseded_by
        WHERE a.run_id = ? ORDER BY a.seq
        """,
        (record.run_id,),
    )
    told: dict[str, int] = {}
    for step, *row in rows:
        told[step] = told.get(step, 0) + 1
        if told[step] <= MOST_LINES:
            yield _sentence(step, *row)
    for step, count in told.items():
        if count > MOST_LINES:
            yield f"… and {count - MOST_LINES} more by the step {step}."


def _sentence(
    step: str,
    kind: str,
    user: bytes,
    attribute: bytes,
    value: bytes | None,
    target: bytes | None,
    status: str | None,
    ends: object,
    reason: str,
    changed: int,
    fact: bytes,
    confirmations: object,
    evidence: bytes | None,
) -> str:
    whose = f"{shown(user).strip('“”')}, {shown(attribute).strip('“”')} [{shown(fact).strip('“”')}]:"
    if kind == "insert":
        cited = shown((evidence or b"").replace(b" ", b", ")).strip("“”")
        return f"{whose} {shown(value)} becomes a fact, because {reason} ({cited})."
    if status == "expired":
        return f"{whose} {shown(value)} ended on {format_when(ends)}, because {reason}."
    if status == "merged":
        return f"{whose} {shown(value)} merges into {shown(target)}, because it {reason}."
    if status == "superseded":
        return f"{whose} {shown(value)} gives way to {shown(target)} from {format_when(ends)}, because {reason}."
    if status == "review":
        return f"{whose} {shown(value)} waits for a person to decide, because it is {reason}."
    if changed & 4:
        return f"{whose} {shown(value)} is now followed by {shown(target)} from {format_when(ends)}, because {reason}."
    if changed & 24 and step == "merge":
        return f"{whose} {shown(value)} now has {confirmations} confirmations, because it {reason}."
    return f"{whose} {shown(value)} is changed by {step}: {reason}."
