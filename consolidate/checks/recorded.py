"""The problems that a rejected copy carries inside itself (DESIGN section 4)."""

from __future__ import annotations

import json

import apsw

from consolidate.model import Problem
from consolidate.store.job_tables import PROBLEMS


def recorded(db: apsw.Connection) -> list[Problem]:
    """Return the problems for which a run rejected this copy; none for any other store."""
    if not db.table_exists("main", PROBLEMS):
        return []
    rows = db.execute(f"SELECT run_id, check_name, user_id, facts, message FROM main.{PROBLEMS} ORDER BY rowid")
    return [
        Problem(
            str(check), None if user is None else str(user), tuple(json.loads(str(facts))), f"{message} (run {run})"
        )
        for run, check, user, facts, message in rows
    ]
