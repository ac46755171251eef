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
from consolidate.store.cells import text_codec
from consolidate.times import format_when

# More than this of one kind is a list for a program, not for a person.
MOST_LINES = 100
LONGEST_TEXT = 80

# What was left alone and why: for one, and for several.
SKIPPED = {
    "malformed": ("proposal of the summariser is", "proposals of the summariser are", "not well-formed"),
    "unknown_evidence": ("proposal cites", "proposals cite", "an episode that does not exist"),
    "foreign_evidence": ("proposal cites", "proposals cite", "an episode of another user"),
    "too_few_episodes": ("proposal has", "proposals have", "too few episodes behind it"),
    "too_few_days": ("proposal has", "proposals have", "episodes of too few different days behind it"),
    "ungrounded": ("proposal has", "proposals have", "a value that no episode behind it mentions"),
    "unconfirmed": ("proposal was", "proposals were", "not confirmed by the second model"),
    "instruction": ("proposal speaks", "proposals speak", "to the agent instead of about a person"),
    "tombstoned": ("proposal was", "proposals were", "forgotten on request and stays forgotten"),
    "already_stored": ("proposal is", "proposals are", "known already"),
    "already_decided": ("proposal was", "proposals were", "decided before, and not enough new episodes speak for it"),
    "max_per_user": ("proposal goes", "proposals go", "beyond what one user may get in a night"),
    "max_per_run": ("proposal goes", "proposals go", "beyond what one night may promote"),
    "constraint": ("proposal is", "proposals are", "refused by a constraint of the application's schema"),
    "return": (
        "equal value stays",
        "equal values stay",
        "apart, since another value lay between: a return, no duplicate",
    ),
    "waiting": ("fact begins", "facts begin", "in the future and waits for its time"),
    "parked": ("fact already waits", "facts already wait", "for a person to review it"),
    "pinned": ("fact is", "facts are", "past its date, but pinned"),
    "no_identity": ("fact has", "facts have", "no id, user or attribute and was left alone"),
}


def shortened(raw: bytes | None, codec: str) -> str:
    """Return text of a store, not too long; whoever prints it escapes what a terminal must not get."""
    text = (raw or b"").decode(codec, "replace")
    return text if len(text) <= LONGEST_TEXT else f"{text[:LONGEST_TEXT]}…"


def describe(shadow: Path, record: RunRecord, settings: Settings) -> list[str]:
    """Return the plan of a run as sentences.

    Args:
        shadow: the shadow after all steps; closed.
        record: the run.
        settings: the configuration.
    """
    db = connections.open_reader(shadow, settings.store.extensions)
    try:
        lines = sentences(db, record.run_id)
    finally:
        db.close()
    if not lines:
        lines.append(f"Nothing would change in {record.tenant}.")
    lines += [
        f"Skipped: {count} {_refusal(reason, count)}." for reason, count in sorted(record.skipped.items()) if count
    ]
    lines += [f"Problem ({problem.check}): {problem.message}" for problem in record.problems]
    lines += [f"Notice ({notice.kind}): {notice.message}" for notice in record.notices]
    if record.problems:
        lines.append("The night would be rejected: live stays as it is.")
    return lines


def _refusal(reason: str, count: int) -> str:
    one, several, why = SKIPPED.get(reason, ("", "", reason))
    return f"{one if count == 1 else several} {why}".strip()


def sentences(db: apsw.Connection, run_id: str) -> list[str]:
    """Return what a run did to the store ``main``, one sentence per action."""
    return list(_actions(db, run_id))


def _actions(db: apsw.Connection, run_id: str) -> Iterator[str]:
    codec = text_codec(db)
    texts = ("f.user_id", "f.attribute", "f.id", "substr(f.value, 1, 1000)", "substr(t.value, 1, 1000)", "f.evidence")
    rows = db.execute(
        f"""
        SELECT a.step, a.kind, a.after_status, a.after_valid_to, a.reason, a.changed, f.confirmations,
               {", ".join(f"CAST({text} AS BLOB)" for text in texts)}
        FROM main.consolidation_actions a JOIN main.facts f ON f.id = a.fact_id
             LEFT JOIN main.facts t ON t.id = a.after_superseded_by
        WHERE a.run_id = ? ORDER BY a.seq
        """,
        (run_id,),
    )
    told: dict[str, int] = {}
    for step, kind, status, ends, reason, changed, confirmations, *raw in rows:
        told[step] = told.get(step, 0) + 1
        if told[step] <= MOST_LINES:
            user, attribute, fact, value, target, cited = (shortened(item, codec) for item in raw)
            what = "insert" if kind == "insert" else status or ("relinked" if changed & 4 else "gained")
            sentence = _SENTENCES.get(what, "“{value}” is changed, because {reason}")
            yield (
                f"{user}, {attribute} [{fact}]: "
                + sentence.format(
                    value=value,
                    target=target,
                    ends=format_when(ends),
                    reason=reason,
                    cited=cited,
                    confirmations=confirmations,
                )
                + "."
            )
    for step, count in told.items():
        if count > MOST_LINES:
            yield f"… and {count - MOST_LINES} more by the step {step}."


_SENTENCES = {
    "insert": "“{value}” becomes a fact, because {reason} ({cited})",
    "expired": "“{value}” ended on {ends}, because {reason}",
    "merged": "“{value}” merges into “{target}”, because it {reason}",
    "superseded": "“{value}” gives way to “{target}” from {ends}, because {reason}",
    "review": "“{value}” waits for a person to decide, because it is {reason}",
    "relinked": "“{value}” is now followed by “{target}” from {ends}, because {reason}",
    "gained": "“{value}” now has {confirmations} confirmations, because it {reason}",
}
