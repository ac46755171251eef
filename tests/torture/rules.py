"""Whether the values in force obey the rules, judged by the oracle of DESIGN section 3 once nobody writes any more."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from dataclasses import astuple, dataclass, replace
from pathlib import Path
from typing import Any

from tests.oracle import Oracle
from tests.oracle_group import Row
from tests.torture.auditor import Fault

_COLUMNS = (
    "rowid, id, user_id, attribute, value, multi, source, valid_from, valid_to, expires_at, status, superseded_by, "
    "evidence, confirmations"
)
Groups = dict[tuple[Any, Any], list[Row]]


@dataclass
class Judged:
    """The facts of a store by user and attribute, and what is needed to judge them.

    Attributes:
        groups: the facts.
        excepted: groups in which a rollback keeps something from being decided again; the oracle knows nothing of those.
        oracle: the rules.
    """

    groups: Groups
    excepted: set[tuple[Any, Any]]
    oracle: Oracle

    @classmethod
    def read(cls, path: Path) -> Judged:
        with closing(sqlite3.connect(path, timeout=60, isolation_level=None)) as db:
            db.execute("BEGIN")
            rows = [Row(*row) for row in db.execute(f"SELECT {_COLUMNS} FROM facts ORDER BY rowid")]
            episodes = {row[0]: row[1:] for row in db.execute("SELECT id, user_id, occurred_at FROM episodes")}
            has = "SELECT count(*) FROM sqlite_master WHERE name = 'consolidation_exceptions'"
            ids = set()
            if db.execute(has).fetchone()[0]:
                ids = {row[0] for row in db.execute("SELECT fact_id FROM consolidation_exceptions")}
        groups: Groups = {}
        for row in rows:
            groups.setdefault((row.user_id, row.attribute), []).append(row)
        excepted = {key for key, alike in groups.items() if any(row.id in ids for row in alike)}
        return cls(groups, excepted, Oracle(episodes=episodes))

    def after_a_light_night(self, now: float) -> Groups:
        """Return what the rules make of it."""
        return {
            key: self.oracle.night(rows, now, light=True)
            for key, rows in self.groups.items()
            if key not in self.excepted
        }


def compare(found: Judged, wanted: Groups) -> list[Fault]:
    """Compare a store after a light night, or at rest, with what the rules make of it, fact by fact."""
    faults = []
    for key, rows in wanted.items():
        if key in found.excepted:
            continue
        there = {row.id: row for row in found.groups.get(key, ())}
        for row in rows:
            one = there.pop(row.id, None)
            if one is None or astuple(replace(one, rowid=0)) != astuple(replace(row, rowid=0)):
                faults.append(Fault("rule broken", f"the rules make {row} of what is {one}"))
        faults += [Fault("rule broken", f"{fact_id} of {key} came from nowhere") for fact_id in there]
    return faults


def two_in_force(path: Path, now: float, excepted: set[tuple[Any, Any]]) -> list[Fault]:
    """Look for one-valued attributes with several values in force, in plain SQL."""
    with closing(sqlite3.connect(path)) as db:
        rows = db.execute(
            """SELECT user_id, attribute FROM facts GROUP BY 1, 2 HAVING max(multi) = 0
               AND sum(status = 'active' AND valid_to IS NULL AND valid_from <= :now
                       AND (expires_at IS NULL OR expires_at > :now)) > 1""",
            {"now": now},
        ).fetchall()
    return [Fault("rule broken", f"several values of {key} are in force") for key in rows if key not in excepted]


def forgotten_promoted(path: Path, run_id: str, forgotten: Iterable[tuple[Any, ...]]) -> list[Fault]:
    """Look for what a run promoted although it was forgotten before the run began.

    Args:
        path: the store.
        run_id: the run.
        forgotten: the tombstones (user, attribute, value) that were acknowledged before.
    """
    with closing(sqlite3.connect(path, timeout=60)) as db:
        made = db.execute(
            """SELECT f.id, f.user_id, f.attribute, f.value FROM consolidation_promotions p JOIN facts f ON f.id = p.fact_id
               WHERE p.run_id = ?""",
            (run_id,),
        ).fetchall()
    known = {(user, attribute, None if value is None else _plain(value)) for user, attribute, value in forgotten}
    return [
        Fault("rule broken", f"fact {fact_id} was forgotten before run {run_id} promoted it")
        for fact_id, user, attribute, value in made
        if known & {(user, attribute, _plain(value)), (user, attribute, None), (user, "", None)}
    ]


def _plain(value: str) -> str:
    """The normal form, as far as the values of the torture need it."""
    return value.casefold().rstrip(".")
