"""Golden probes: questions to which the operator knows the answer (DESIGN section 5).

Values are compared by their normal form. A probe without ``as_of`` asks what is in force; one with it asks what held at that
time (DESIGN section 3). A user nobody knows has nothing in force.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import apsw

from consolidate.checks import findings, terms
from consolidate.checks.terms import Case
from consolidate.config import Settings
from consolidate.model import Probe, Problem
from consolidate.store.contract import Shape


def run(db: apsw.Connection, probes: Sequence[Probe], *, now: float, settings: Settings, shape: Shape) -> list[Problem]:
    """Ask every probe of the store ``main``.

    Args:
        db: an open connection. Only TEMP tables are made, and none is left.
        probes: what to ask; a problem names a probe by its place in this list, from 1, and its origin.
        now: Unix seconds.
        settings: the configuration.
        shape: the shape of the store.

    Returns:
        One problem per probe that fails, in the order of the probes.
    """
    if not probes:
        return []
    case = Case(db, now, settings, shape)
    with terms.temporary(db):
        terms.prepare(case, pins="main")
        _ask(case, probes)
        _answer(case)
        return _judge(case, probes)


def _ask(case: Case, probes: Sequence[Probe]) -> None:
    """Fill ``temp.asked`` with the probes and ``temp.scope`` with the groups they ask about."""
    case.run("CREATE TEMP TABLE asked(n INTEGER PRIMARY KEY, user_id, attribute, at, wanted)")
    case.db.executemany(
        "INSERT INTO temp.asked VALUES (?, ?, ?, ?, normal_key(CAST(? AS BLOB), 'text'))",
        [
            (n, probe.user, probe.attribute, probe.as_of, probe.expect if probe.expect is not None else probe.absent)
            for n, probe in enumerate(probes, 1)
        ],
    )
    case.run("CREATE TEMP TABLE scope(user_id, attribute, PRIMARY KEY(user_id, attribute)) WITHOUT ROWID")
    case.run("INSERT OR IGNORE INTO temp.scope SELECT user_id, attribute FROM temp.asked")


def _answer(case: Case) -> None:
    """Fill ``temp.answer`` with the facts that answer each probe."""
    case.fill(
        "known",
        "place, id, user_id, attribute, value, single, rank, pinned, valid_from, ends, in_force",
        f"""
        SELECT f.{case.order}, f.id, s.user_id, s.attribute, {terms.key("f")}, {terms.single(case, "f")}, {terms.rank("f")},
               {terms.pinned("f")}, f.valid_from, {terms.window_end("f")}, {terms.in_force("f")}
        FROM {terms.facts_of(case, "main", "scope")}
        """,
    )
    case.run("CREATE INDEX temp.known_by_group ON known(user_id, attribute)")
    number = terms.NUMBER.format("k.valid_from")
    case.fill(
        "answer",
        "n, id, value",
        f"""
        SELECT a.n, k.id, k.value FROM temp.asked a JOIN temp.known k USING (user_id, attribute)
        WHERE a.at IS NULL AND k.in_force
        UNION ALL
        SELECT n, id, value FROM (
            SELECT a.n, k.id, k.value, (SELECT min(o.single) FROM temp.known o WHERE o.user_id = a.user_id
                                        AND o.attribute = a.attribute AND o.id IS NOT NULL) AS single,
                   row_number() OVER (PARTITION BY a.n ORDER BY k.pinned DESC, CASE WHEN NOT k.pinned THEN k.rank END DESC,
                                      k.valid_from DESC, k.place DESC)
                   AS place
            FROM temp.asked a JOIN temp.known k USING (user_id, attribute)
            WHERE {number} AND k.valid_from <= a.at AND a.at < k.ends)
        WHERE place = 1 OR NOT coalesce(single, 0)
        """,
    )


def _judge(case: Case, probes: Sequence[Probe]) -> list[Problem]:
    facts = findings.ids_by_probe(case.db)
    problems = []
    rows: list[Any] = case.db.execute(
        """
        SELECT a.n, max(r.n IS NOT NULL AND r.value IS a.wanted),
               count(DISTINCT r.value) + max(r.n IS NOT NULL AND r.value IS NULL)
        FROM temp.asked a LEFT JOIN temp.answer r ON r.n = a.n GROUP BY a.n ORDER BY a.n
        """
    ).fetchall()
    for n, found, values in rows:
        probe = probes[n - 1]
        fault = _fault(probe, bool(found), values)
        if fault:
            origin = f" of {probe.origin}" if probe.origin else ""
            problems.append(Problem("probe", probe.user, facts.get(n, ()), f"Probe {n}{origin}: {fault}."))
    return problems


def _fault(probe: Probe, found: bool, values: int) -> str:
    """Say what is wrong with the answer to a probe, without the values; empty if nothing is."""
    when = "in force" if probe.as_of is None else "what held at the time it names"
    if probe.expect is not None:
        return "" if found else f"the expected value is not {when}"
    if probe.absent is not None:
        return f"the value that must be absent is {when}" if found else ""
    if probe.as_of is None:
        return "" if values == probe.count else f"the values in force are {values} in number, not {probe.count}"
    return "" if values == probe.count else f"the values that held then are {values} in number, not {probe.count}"
