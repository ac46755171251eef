"""The facts a step decides about, as small TEMP tables, and the one place where decisions reach the facts.

Only groups (user, attribute) in which a rule could do anything are loaded: with two facts in force, or one in force and
one parked. ``work.seq`` counts rows in insertion order, so that ties go by it; ``work.value`` is what values are compared by.

What is derived from the facts of a group (``work.took``, ``temp.statements``, ``temp.holders``) is derived once, and again only
for the groups in which something was decided since: those in ``temp.unjudged`` and ``temp.unheld``.
"""

from __future__ import annotations

import hashlib
from typing import Any

import apsw

from consolidate.steps.context import IDENTIFIED, IN_FORCE, StepContext
from consolidate.store import contract, values
from consolidate.store.cells import text_codec

PINNED_RANK = 1 << 30
# A longer normal form, in characters or bytes, is compared by its digest.
_LONGEST_KEY = 64

_TABLES = (
    "ranks(source PRIMARY KEY, rank INTEGER) WITHOUT ROWID",
    "modes(attribute PRIMARY KEY, single INTEGER) WITHOUT ROWID",
    "scope(user_id, attribute, PRIMARY KEY(user_id, attribute)) WITHOUT ROWID",
    "groups(g INTEGER PRIMARY KEY, user_id, attribute, single INTEGER, UNIQUE(user_id, attribute))",
    "work(seq INTEGER PRIMARY KEY, key, id, g INTEGER, single INTEGER, value, source_rank INTEGER, rank INTEGER, "
    "pinned INTEGER, valid_from, valid_to, expires_at, status, superseded_by, target INTEGER, in_force INTEGER, "
    "took INTEGER, latest, latest_seq INTEGER, root INTEGER)",
    "unjudged(g INTEGER PRIMARY KEY)",
    "unheld(g INTEGER PRIMARY KEY)",
    "statements(id INTEGER PRIMARY KEY, g INTEGER, owner INTEGER, t, seq INTEGER)",
    "holders(g INTEGER PRIMARY KEY, seq INTEGER)",
    "apart(seq INTEGER, target INTEGER, PRIMARY KEY(seq, target)) WITHOUT ROWID",
    "decision(seq INTEGER PRIMARY KEY, changed INTEGER, status, valid_to, superseded_by, evidence, confirmations, reason)",
)
# Built once the rows are there.
_INDEXES = (
    "work_id ON work(id, g)",
    "work_target ON work(target) WHERE target IS NOT NULL",
    "work_group ON work(g, valid_from, seq)",
    "work_superseded ON work(g, valid_from, seq) WHERE status = 'superseded'",
    "statements_in_time ON statements(g, t, seq)",
)


def prepare(db: apsw.Connection, context: StepContext) -> None:
    """Create the TEMP tables and fill in what the configuration says about sources and attributes."""
    for table in _TABLES:
        db.execute(f"CREATE TEMP TABLE {table}")
    key = values.remembering_keys(text_codec(db))

    def group_key(*cell: Any) -> str | bytes:
        return _short(key(*cell))

    db.create_scalar_function("group_key", group_key, 2, deterministic=True)
    db.executemany(
        "INSERT INTO temp.ranks VALUES (?, ?)", [(s, n) for n, s in enumerate(context.settings.sources.rank)]
    )
    db.executemany(
        "INSERT INTO temp.modes VALUES (?, ?)",
        [(attribute, int(mode == "single")) for attribute, mode in context.settings.attributes.items()],
    )


def _short(key: str | bytes | None) -> str | bytes:
    """Return the key of a value as something short that is equal for equal keys alone; NULL is equal to NULL."""
    if key is None:
        return b""
    if len(key) <= _LONGEST_KEY:
        return key
    text = isinstance(key, str)
    raw = key.encode("utf-8", "surrogatepass") if isinstance(key, str) else key
    return (b"T" if text else b"B") + hashlib.sha256(raw).digest()  # no key that is a BLOB begins like this


def load(db: apsw.Connection, context: StepContext, *, only_scope: bool = False) -> bool:
    """Load the groups in which merge or supersede could do something.

    Args:
        db: the shadow.
        context: the run.
        only_scope: consider only the groups listed in ``temp.scope``.

    Returns:
        Whether there are any.
    """
    for table in ("groups", "work", "decision", "apart", "unjudged", "unheld", "statements", "holders"):
        db.execute(f"DELETE FROM temp.{table}")
    for definition in _INDEXES:
        db.execute(f"DROP INDEX IF EXISTS temp.{definition.split()[0]}")
    if not _load_groups(db, context, only_scope):
        return False
    _load_work(db, context)
    build_indexes(db)
    for table in ("unjudged", "unheld"):
        db.execute(f"INSERT INTO temp.{table} SELECT g FROM temp.groups WHERE single")
    _resolve_targets(db)
    _load_exceptions(db, context)
    return True


def build_indexes(db: apsw.Connection) -> None:
    """Index the rows of the loaded groups; to be called by who puts some there where `load` found none."""
    for definition in _INDEXES:
        db.execute(f"CREATE INDEX temp.{definition}")


def _load_work(db: apsw.Connection, context: StepContext) -> None:
    pinned = "(f.status = 'active' AND EXISTS (SELECT 1 FROM main.consolidation_pins p WHERE p.fact_id = f.id))"
    db.execute(
        f"""
        INSERT INTO temp.work(key, id, g, single, value, source_rank, rank, pinned, valid_from, valid_to, expires_at, status,
                              superseded_by, in_force, took)
        SELECT key, id, g, single, group_key(raw, kind), source_rank, CASE WHEN pinned THEN {PINNED_RANK} ELSE source_rank END,
               pinned, valid_from, valid_to, expires_at, status, superseded_by, in_force, NOT single
        FROM (SELECT f.{context.order} AS key, f.id AS id, g.g AS g, g.single AS single,
                     CAST(f.value AS BLOB) AS raw, typeof(f.value) AS kind,
                     coalesce((SELECT r.rank FROM temp.ranks r WHERE r.source = f.source), -1) AS source_rank,
                     {pinned} AS pinned, f.valid_from, f.valid_to, f.expires_at, f.status, f.superseded_by,
                     coalesce({IN_FORCE}, 0) AS in_force
              FROM temp.groups g JOIN main.facts f ON g.user_id = f.user_id AND g.attribute = f.attribute
              WHERE f.id IS NOT NULL AND (g.single OR {IN_FORCE}))
        ORDER BY key
        """,
        {"now": context.now},
    )


def _load_exceptions(db: apsw.Connection, context: StepContext) -> None:
    """Fill ``temp.apart``: facts that a target does not close, because a person undid that (``consolidate undo``)."""
    db.execute(
        """
        INSERT OR IGNORE INTO temp.apart
        SELECT w.seq, t.seq FROM main.consolidation_exceptions e
             CROSS JOIN temp.work w ON w.id = e.fact_id CROSS JOIN temp.work t ON t.id = e.target AND t.g = w.g
        """
    )
    if db.changes():
        standing = """SELECT count(DISTINCT a.seq) FROM temp.apart a JOIN temp.work w ON w.seq = a.seq
                      JOIN temp.work t ON t.seq = a.target WHERE w.in_force AND t.in_force"""
        context.skip("undone", max(0, int(db.execute(standing).get) - context.skipped.get("undone", 0)))


def _load_groups(db: apsw.Connection, context: StepContext, only_scope: bool) -> bool:
    within = "SELECT user_id, attribute FROM temp.scope" if only_scope else contract.groups_of_several_facts(db)
    scope = f"AND (user_id, attribute) IN ({within})" if within else ""
    db.execute(
        f"""
        INSERT INTO temp.groups(user_id, attribute, single)
        SELECT user_id, attribute,
               coalesce((SELECT m.single FROM temp.modes m WHERE m.attribute = f.attribute),
                        min(coalesce(multi = 0, 0)))
        FROM main.facts f
        WHERE {IDENTIFIED} {scope}
        GROUP BY user_id COLLATE BINARY, attribute COLLATE BINARY
        HAVING total({IN_FORCE}) >= 2 OR (total({IN_FORCE}) >= 1 AND total(status = 'review') >= 1)
        """,
        {"now": context.now},
    )
    return bool(db.changes())


def _resolve_targets(db: apsw.Connection) -> None:
    """Turn pointers of closed facts into row numbers; a pointer to another group, or of an active fact, is no lineage."""
    db.execute(
        """
        UPDATE temp.work SET target = (SELECT t.seq FROM temp.work t WHERE t.id = work.superseded_by AND t.g = work.g)
        WHERE superseded_by IS NOT NULL AND status IN ('merged', 'superseded') AND g IN (SELECT g FROM temp.unheld)
        """
    )


def judge_effect(db: apsw.Connection, context: StepContext) -> None:
    """Fill ``work.took``: whether nothing of higher rank held at the fact's ``valid_from`` (DESIGN section 3, supersede).

    A parked fact and one closed with an empty window never took effect; a merged one is a restatement and may have. What is
    said of an attribute with several values always took effect.
    """
    ends = (
        "CASE status WHEN 'active' THEN min(coalesce(valid_to, 9e999), coalesce(expires_at, 9e999)) ELSE valid_to END"
    )
    number = "typeof(valid_from) IN ('integer', 'real')"
    db.execute(
        f"""
        UPDATE temp.work SET took = CASE
            WHEN NOT ({number} AND valid_from <= :now) THEN 0
            WHEN status = 'merged' THEN 1
            WHEN status IN ('active', 'superseded', 'expired') THEN coalesce({ends} > valid_from, 0)
            ELSE 0 END
        WHERE g IN (SELECT g FROM temp.unjudged)
        """,
        {"now": context.now},
    )
    # Whether a window of higher rank covers a fact's valid_from: among the windows that began by then, the latest end.
    # One sweep per rank keeps this linear in the size of a group.
    of_several_ranks = """g IN (SELECT w.g FROM temp.unjudged u CROSS JOIN temp.work w ON w.g = u.g
                                GROUP BY w.g HAVING min(w.rank) < max(w.rank))"""
    ranks = db.execute(f"SELECT DISTINCT rank FROM temp.work WHERE {of_several_ranks} ORDER BY rank").fetchall()
    for (rank,) in ranks[:-1]:
        db.execute(
            f"""
            UPDATE temp.work AS w SET took = 0
            FROM (SELECT seq, rank, took, valid_from,
                         max(CASE WHEN rank > :rank AND status IN ('active', 'superseded', 'expired', 'merged')
                             THEN {ends} END) OVER (PARTITION BY g ORDER BY valid_from
                             RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS covered
                  FROM temp.work WHERE {number} AND {of_several_ranks}) AS d
            WHERE d.seq = w.seq AND d.rank = :rank AND d.took AND d.covered > d.valid_from
            """,
            {"rank": rank},
        )
    db.execute("DELETE FROM temp.unjudged")


def commit_decisions(db: apsw.Connection, context: StepContext, step: str) -> int:
    """Write ``temp.decision`` to the facts and record each as an action with its before- and after-image.

    ``decision.changed`` says which columns a decision sets (1 status, 2 valid_to, 4 superseded_by, 8 evidence,
    16 confirmations); what equals the fact already is left out.

    Returns:
        How many facts changed.
    """
    db.execute(
        f"""
        UPDATE temp.decision AS d SET changed =
            (d.changed & 1 AND d.status IS NOT f.status) + 2 * (d.changed & 2 AND d.valid_to IS NOT f.valid_to)
            + 4 * (d.changed & 4 AND d.superseded_by IS NOT f.superseded_by)
            + 8 * (d.changed & 8 AND d.evidence IS NOT f.evidence)
            + 16 * (d.changed & 16 AND d.confirmations IS NOT f.confirmations)
        FROM temp.work w JOIN main.facts f ON f.{context.order} = w.key WHERE w.seq = d.seq
        """
    )
    db.execute("DELETE FROM temp.decision WHERE NOT changed")
    columns = ("status", "valid_to", "superseded_by", "evidence", "confirmations")
    image = {
        alias: ", ".join(
            f"CASE WHEN d.changed & {1 << bit} THEN {alias}.{name} END" for bit, name in enumerate(columns)
        )
        for alias in ("f", "d")
    }
    db.execute(
        f"""
        INSERT INTO main.consolidation_actions
        SELECT :run, {NEXT_ACTION} + row_number() OVER (ORDER BY d.seq), :step, 'update', f.id, f.user_id, d.reason,
               {image["f"]}, {image["d"]}, d.changed
        FROM temp.decision d JOIN temp.work w ON w.seq = d.seq JOIN main.facts f ON f.{context.order} = w.key
        """,
        {"run": context.run_id, "step": step},
    )
    changed = db.changes()
    if changed:
        assignments = ", ".join(
            f"{name} = CASE WHEN d.changed & {1 << bit} THEN d.{name} ELSE f.{name} END"
            for bit, name in enumerate(columns)
        )
        db.execute(
            f"""UPDATE main.facts AS f SET {assignments}
                FROM temp.decision d JOIN temp.work w ON w.seq = d.seq WHERE f.{context.order} = w.key"""
        )
        db.execute(
            """
            UPDATE temp.work AS w SET
                status = CASE WHEN d.changed & 1 THEN d.status ELSE w.status END,
                valid_to = CASE WHEN d.changed & 2 THEN d.valid_to ELSE w.valid_to END,
                superseded_by = CASE WHEN d.changed & 4 THEN d.superseded_by ELSE w.superseded_by END,
                in_force = w.in_force AND NOT d.changed & 3
            FROM temp.decision d WHERE d.seq = w.seq
            """
        )
        for table in ("unjudged", "unheld"):
            db.execute(
                f"""INSERT OR IGNORE INTO temp.{table}
                    SELECT w.g FROM temp.decision d JOIN temp.work w ON w.seq = d.seq WHERE w.single"""
            )
        _resolve_targets(db)
    db.execute("DELETE FROM temp.decision")
    return changed


NEXT_ACTION = "coalesce((SELECT max(seq) FROM main.consolidation_actions WHERE run_id = :run), 0)"
