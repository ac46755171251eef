"""The job's own tables in a store: versioned, created and migrated on the shadow (DESIGN section 2)."""

from __future__ import annotations

import json
from collections.abc import Iterable

import apsw

from consolidate.errors import StorageError
from consolidate.model import Problem
from consolidate.store.connections import quoted

VERSION = 1

ACTION_IMAGES = ("status", "valid_to", "superseded_by", "evidence", "confirmations")

_IMAGES = ", ".join(f"{when}_{column}" for when in ("before", "after") for column in ACTION_IMAGES)

TABLES = {
    "consolidation_meta": "(key TEXT PRIMARY KEY, value) WITHOUT ROWID",
    "consolidation_runs": "(run_id TEXT PRIMARY KEY, now REAL, kind TEXT, record TEXT)",
    "consolidation_actions": f"(run_id TEXT, seq INTEGER, step TEXT, kind TEXT, fact_id TEXT, user_id, reason TEXT, "
    f"{_IMAGES}, changed INTEGER, PRIMARY KEY(run_id, seq)) WITHOUT ROWID",
    # What a fact that a run made was like, but for the columns that the actions tell of: a digest.
    "consolidation_made": "(run_id TEXT, fact_id, digest TEXT, PRIMARY KEY(run_id, fact_id))",
    "consolidation_promotions": "(user_id, attribute, value_digest TEXT, number INTEGER, fact_id TEXT, evidence TEXT, "
    "run_id TEXT, PRIMARY KEY(user_id, attribute, value_digest, number))",
    "consolidation_pins": "(fact_id TEXT PRIMARY KEY, user_id, pinned_at REAL)",
    "consolidation_decisions": "(user_id, attribute, value_digest TEXT, fact_id TEXT, decision TEXT, evidence TEXT, "
    "decided_at REAL, PRIMARY KEY(user_id, attribute, value_digest, fact_id))",
    # Two facts in force that may say the same; both stay as they are until a person decides.
    "consolidation_proposals": "(proposal_id TEXT PRIMARY KEY, user_id, attribute, one_digest TEXT, other_digest TEXT, "
    "one_fact, other_fact, kind TEXT, run_id TEXT, proposed_at REAL, decision TEXT, decided_at REAL)",
    # What was undone is not done again: this fact is not closed by that one, nor, with an empty BLOB as target, by its date.
    "consolidation_exceptions": "(fact_id, target, run_id TEXT, undone_run TEXT, PRIMARY KEY(fact_id, target, run_id))",
}

INDEXES = {"consolidation_actions_by_fact": "consolidation_actions(fact_id)"}

PROBLEMS = "consolidation_problems"


def existing_version(db: apsw.Connection, schema: str = "main") -> int:
    """Return the version of the job's tables in a store, 0 where there are none."""
    if not _exists(db, schema, "consolidation_meta"):
        return 0
    row = db.execute(f"SELECT value FROM {quoted(schema)}.consolidation_meta WHERE key = 'version'").fetchone()
    return int(row[0]) if row else 0


def migrate(db: apsw.Connection, schema: str = "main") -> None:
    """Create the job's tables in ``schema``, or bring older ones up to date; the caller holds the transaction.

    Raises:
        StorageError: a newer release of the job wrote them.
    """
    found = existing_version(db, schema)
    if found > VERSION:
        raise StorageError(
            f"The job's tables in this store have version {found}, newer than {VERSION}.", "Upgrade consolidate."
        )
    if found == VERSION:
        return
    prefix = quoted(schema)
    for name, definition in TABLES.items():
        db.execute(f"CREATE TABLE IF NOT EXISTS {prefix}.{name}{definition}")
    for name, definition in INDEXES.items():
        db.execute(f"CREATE INDEX IF NOT EXISTS {prefix}.{name} ON {definition}")
    db.execute(f"INSERT OR REPLACE INTO {prefix}.consolidation_meta VALUES ('version', ?)", (VERSION,))


def record_problems(db: apsw.Connection, run_id: str, problems: Iterable[Problem]) -> None:
    """Write into a rejected copy what was wrong with it, so that the file tells by itself; the caller holds the transaction."""
    db.execute(
        f"CREATE TABLE IF NOT EXISTS {PROBLEMS}(run_id TEXT, check_name TEXT, user_id TEXT, facts TEXT, message TEXT)"
    )
    db.executemany(
        f"INSERT INTO {PROBLEMS} VALUES (?, ?, ?, ?, ?)",
        [(run_id, p.check, p.user_id, json.dumps(p.facts), p.message) for p in problems],
    )


def _exists(db: apsw.Connection, schema: str, table: str) -> bool:
    found = db.execute(
        f"SELECT 1 FROM {quoted(schema)}.sqlite_master WHERE type = 'table' AND name = ?", (table,)
    ).fetchone()
    return found is not None
