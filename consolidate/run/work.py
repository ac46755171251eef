"""What a store gives a run to do, counted apart from the steps.

The outside history keeps the number of a run that changed nothing, so that one which failed to see its work can be told.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import apsw

from consolidate.config import Settings
from consolidate.errors import ConsolidateError
from consolidate.store import connections, contract
from consolidate.store.job_tables import existing_version


def count(snapshot: Path, now: float, settings: Settings) -> int | None:
    """Count what the rules of DESIGN section 3 cannot leave as it is.

    That is: facts past their date, one-valued attributes with several facts in force, and values of multi-valued ones that
    are stored twice in the same spelling. What a pin holds is left out.

    Args:
        snapshot: the store as the run found it; closed.
        now: the time of the run, Unix seconds.
        settings: the configuration.

    Returns:
        The number, or None where the store cannot be counted.
    """
    try:
        with closing(connections.open_reader(snapshot, settings.store.extensions)) as db:
            return _expired(db, now) + _crowded(db, now, settings.attributes)
    except (apsw.Error, ConsolidateError):
        return None


_OPEN = """id IS NOT NULL AND user_id IS NOT NULL AND attribute IS NOT NULL
    AND status = 'active' AND valid_to IS NULL AND value IS NOT NULL"""


def _unpinned(db: apsw.Connection) -> str:
    if not existing_version(db):
        return ""
    return "AND id NOT IN (SELECT fact_id FROM main.consolidation_pins WHERE fact_id IS NOT NULL)"


def _expired(db: apsw.Connection, now: float) -> int:
    sql = f"SELECT count(*) FROM main.facts WHERE {_OPEN} AND expires_at <= ? {_unpinned(db)}"
    return int(db.execute(sql, (now,)).get)


def _crowded(db: apsw.Connection, now: float, attributes: Mapping[str, str]) -> int:
    parameters: dict[str, object] = {"now": now}
    flag = "coalesce(multi = 0, 0)"
    cases = ""
    for number, (attribute, mode) in enumerate(attributes.items()):
        parameters |= {f"a{number}": attribute, f"m{number}": int(mode == "single")}
        cases += f" WHEN attribute = :a{number} COLLATE BINARY THEN :m{number}"
    single = f"CASE {cases} ELSE {flag} END" if cases else flag
    in_force = f"({_OPEN} AND valid_from <= :now AND (expires_at IS NULL OR expires_at > :now) {_unpinned(db)})"
    spelling = f"CASE WHEN {in_force} THEN typeof(value) || hex(CAST(value AS BLOB)) END"
    several = contract.groups_of_several_facts(db)  # a fact that is alone in its group leaves nothing to do
    within = f"WHERE (user_id, attribute) IN ({several})" if several else ""
    return int(
        db.execute(
            f"""
            SELECT total(CASE WHEN single THEN open > 1 ELSE open - spellings END) FROM (
                SELECT min({single}) AS single, total({in_force}) AS open,
                       count(DISTINCT {spelling}) AS spellings
                FROM main.facts {within} GROUP BY user_id COLLATE BINARY, attribute COLLATE BINARY HAVING total({in_force}) > 1)
            """,
            parameters,
        ).get
    )
