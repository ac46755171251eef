"""What a check must know of the store as it was before the run, and can only learn by a look at every fact (DESIGN section 5).

None of it depends on what the steps do. For a large store it is therefore found out while they are at work, by a connection of
its own in a thread of its own, and left in a scratch file that the checks attach.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import apsw

from consolidate.checks import terms
from consolidate.checks.integrity import LARGE
from consolidate.checks.terms import Case
from consolidate.config import Settings
from consolidate.store import connections, files
from consolidate.store.contract import Shape

_SCHEMA: Final = "survey"
_TABLES: Final = {
    # Groups in which several facts in force look one-valued.
    "crowded_before": "user_id, attribute",
    # Facts that the rules leave alone, since they lack an identity or have an unknown status.
    "strange": "user_id, id, identified",
    # Attributes with facts that look one-valued and facts that do not, among all users, unless the configuration decides.
    "mixed": "attribute",
    # Closed facts whose pointer leads nowhere, or to another user or attribute, or on to a fact that did not end later: every
    # circle of pointers has one of the last kind, since in a sound history a fact ends before its successor does.
    "pointer_before": "key, id, user_id, dangling, astray, unsound",
}


def crowded(case: Case, schema: str) -> str:
    """SQL for the groups of a schema in which several facts in force look one-valued."""
    return f"""
        SELECT f.user_id, f.attribute FROM {schema}.facts f
        WHERE {terms.in_force("f")} AND {terms.single(case, "f")} AND {terms.identified("f")}
        GROUP BY +f.user_id COLLATE BINARY, +f.attribute COLLATE BINARY HAVING count(*) > 1"""


def _strange(schema: str) -> str:
    return f"""
        SELECT f.user_id, f.id, {terms.identified("f")} FROM {schema}.facts f
        WHERE f.status IS NULL OR f.status NOT IN {terms.STATUSES} OR NOT {terms.identified("f")}"""


def _mixed(schema: str) -> str:
    return f"""
        SELECT attribute FROM (SELECT DISTINCT f.attribute COLLATE BINARY AS attribute, coalesce(f.multi = 0, 0) AS single
                               FROM {schema}.facts f WHERE {terms.identified("f")})
        WHERE attribute NOT IN (SELECT attribute FROM temp.modes) GROUP BY attribute HAVING count(*) > 1"""


def _pointers(case: Case, schema: str) -> str:
    astray = "NOT (g.user_id IS f.user_id COLLATE BINARY AND g.attribute IS f.attribute COLLATE BINARY)"
    points_on = "g.superseded_by IS NOT NULL AND g.status IN ('merged', 'superseded')"
    unsound = f"coalesce({points_on}, 0) AND NOT coalesce(f.valid_to < g.valid_to, 0)"
    return f"""
        SELECT f.{case.order}, f.id, f.user_id, g.id IS NULL, g.id IS NOT NULL AND {astray}, {unsound}
        FROM {schema}.facts f LEFT JOIN {schema}.facts g
             ON {terms.id_matches(case, "facts", "g", "f.superseded_by", schema)}
        WHERE f.status IN ('merged', 'superseded') AND f.superseded_by IS NOT NULL
          AND (g.id IS NULL OR {astray} OR {unsound})"""


def _queries(case: Case, schema: str) -> dict[str, str]:
    return {
        "crowded_before": crowded(case, schema),
        "strange": _strange(schema),
        "mixed": _mixed(schema),
        "pointer_before": _pointers(case, schema),
    }


def take(case: Case, schema: str, tables: Iterable[str] = tuple(_TABLES)) -> None:
    """Make TEMP tables of what there is to know of the facts in a schema, out of a survey of it if one is attached."""
    attached = terms.has_schema(case.db, _SCHEMA)
    queries = _queries(case, schema)
    for table in tables:
        case.fill(table, _TABLES[table], f"SELECT * FROM {_SCHEMA}.{table}" if attached else queries[table])


class Survey:
    """A survey that is under way, or none where the store is small: then `take` looks by itself."""

    def __init__(self, path: Path, running: Future[None] | None) -> None:
        self._path = path
        self._running = running

    def attach(self, db: apsw.Connection) -> None:
        """Let a connection, outside a transaction, have what was found for `take`.

        Raises:
            apsw.Error: SQLite cannot read the store.
        """
        if self._running is not None:
            self._running.result()
            connections.attach(db, self._path, _SCHEMA)


@contextmanager
def surveying(base: Path, scratch: Path, *, now: float, settings: Settings, shape: Shape) -> Iterator[Survey]:
    """Survey a snapshot for the duration of a block.

    Args:
        base: the snapshot, closed; nobody writes it.
        scratch: a file of the job's own to leave the result in; it is made, and the caller removes it.
        now: Unix seconds.
        settings: the configuration.
        shape: the shape of the store.
    """
    if files.size(base) < LARGE:
        yield Survey(scratch, None)
        return
    files.remove(scratch)
    db = connections.open_scratch(scratch, settings.store.extensions)
    try:
        connections.attach(db, base, "base")
        with ThreadPoolExecutor(1) as pool:
            try:
                yield Survey(scratch, pool.submit(_look, Case(db, now, settings, shape)))
            finally:
                db.interrupt()
    finally:
        db.close()


def _look(case: Case) -> None:
    terms.prepare(case, pins="base")
    for table, query in _queries(case, "base").items():
        case.db.execute(f"CREATE TABLE main.{table}({_TABLES[table]})")
        case.run(f"INSERT INTO main.{table} {query}")
