"""Supersede: of contradicting values of a one-valued attribute one holds, the others become history (DESIGN section 3)."""

from __future__ import annotations

import apsw

from consolidate.steps.context import StepContext
from consolidate.steps.statements import find_holders
from consolidate.steps.workspace import commit_decisions, judge_effect

STEP = "supersede"
REPLACED = "a later statement replaced it"
OVERRULES = "a higher source says otherwise"
OVERRULED = "a higher source said otherwise at the time"
PARKED = "newer than the value that holds, but of a lower source"

_PLACE = "({0}.rank, {0}.latest, {0}.latest_seq)"
# Unless a person undid that the first is closed by the second.
_APART = "NOT EXISTS (SELECT 1 FROM temp.apart a WHERE a.seq = {0} AND a.target = {1})"


def supersede(db: apsw.Connection, context: StepContext) -> None:
    """Close, park or re-link every fact of the loaded one-valued groups that does not hold."""
    judge_effect(db, context)
    find_holders(db, context)
    _find_roots(db)
    _choose_successors(db)
    _relink(db)
    _find_dismissed(db, context)
    _decide(db, context)
    commit_decisions(db, context, STEP)
    for table in ("successor", "relink", "dismissed"):
        db.execute(f"DROP TABLE temp.{table}")


def _find_roots(db: apsw.Connection) -> None:
    """Fill ``work.root`` of closed facts with the fact in force that their pointers lead to, if any."""
    db.execute(
        """
        WITH RECURSIVE up(node, root) AS (
            SELECT c.seq, p.seq FROM temp.work p JOIN temp.work c ON c.target = p.seq WHERE p.in_force AND p.single
            UNION ALL
            SELECT c.seq, u.root FROM up u JOIN temp.work c ON c.target = u.node)
        UPDATE temp.work AS w SET root = up.root FROM up WHERE up.node = w.seq
        """
    )


def _choose_successors(db: apsw.Connection) -> None:
    """Fill ``temp.successor`` for each fact in force that took effect but does not hold.

    The successor is the fact that took effect and speaks first after this one's own ``valid_from``, of no lower rank, later
    in the order, and whose pointers lead neither back to this fact nor to one that is itself earlier in the order: so new
    pointers only ever go up, and no cycle can close. With none left it is the holder.
    """
    db.execute("CREATE TEMP TABLE successor(seq INTEGER PRIMARY KEY, target INTEGER, ends)")
    db.execute(
        f"""
        INSERT INTO temp.successor
        SELECT f.seq, coalesce(s.owner, h.seq),
               coalesce(s.t, (SELECT t.t FROM temp.statements t WHERE t.g = f.g AND t.owner = h.seq
                              AND (t.t, t.seq) > (f.valid_from, f.seq) ORDER BY t.t, t.seq LIMIT 1), f.valid_from)
        FROM (SELECT f.*, (SELECT s.id FROM temp.statements s JOIN temp.work c ON c.seq = s.owner
                                LEFT JOIN temp.work r ON r.seq = c.root
                           WHERE s.g = f.g AND (s.t, s.seq) > (f.valid_from, f.seq) AND c.seq <> f.seq AND c.took
                             AND c.rank >= f.rank AND {_PLACE.format("c")} > {_PLACE.format("f")}
                             AND {_APART.format("f.seq", "c.seq")}
                             AND (c.in_force OR (c.status = 'superseded' AND (r.seq IS NULL OR
                                  (r.seq <> f.seq AND {_PLACE.format("r")} > {_PLACE.format("f")}))))
                           ORDER BY s.t, s.seq LIMIT 1) AS next
              FROM temp.work f WHERE f.single AND f.in_force AND f.took AND NOT f.pinned) f
             JOIN temp.holders h ON h.g = f.g AND h.seq <> f.seq LEFT JOIN temp.statements s ON s.id = f.next
        WHERE s.owner IS NOT NULL OR {_APART.format("f.seq", "h.seq")}
        """
    )


def _relink(db: apsw.Connection) -> None:
    """Fill ``temp.relink``: superseded facts whose window contains a back-dated statement, with that statement's fact."""
    db.execute("CREATE TEMP TABLE relink(seq INTEGER PRIMARY KEY, target INTEGER)")
    db.execute(
        f"""
        INSERT INTO temp.relink
        SELECT p, seq FROM (SELECT p, seq, row_number() OVER (PARTITION BY p ORDER BY valid_from, seq) AS place
            FROM (SELECT f.seq, f.valid_from,
                         (SELECT p.seq FROM temp.work p
                          WHERE p.g = f.g AND p.valid_from <= f.valid_from AND p.status = 'superseded' AND p.took
                            AND (p.valid_from, p.seq) < (f.valid_from, f.seq) AND p.valid_to > f.valid_from
                            AND {_PLACE.format("p")} < {_PLACE.format("f")} AND {_APART.format("p.seq", "f.seq")}
                          ORDER BY p.rank DESC, p.valid_from DESC, p.seq DESC LIMIT 1) AS p
                  FROM temp.successor s JOIN temp.work f ON f.seq = s.seq)
            WHERE p IS NOT NULL)
        WHERE place = 1
        """
    )
    if db.changes():
        _drop_relinks_on_cycles(db)


def _drop_relinks_on_cycles(db: apsw.Connection) -> None:
    """Keep the old pointer of every fact whose new one would lead back to it."""
    db.execute(
        """
        WITH RECURSIVE
        pointer(seq, target) AS (
            SELECT w.seq, coalesce(r.target, s.target, w.target)
            FROM temp.work w LEFT JOIN temp.relink r ON r.seq = w.seq LEFT JOIN temp.successor s ON s.seq = w.seq
            WHERE w.g IN (SELECT g FROM temp.relink JOIN temp.work USING (seq))),
        walk(start, node) AS (
            SELECT r.seq, r.target FROM temp.relink r
            UNION
            SELECT k.start, p.target FROM walk k JOIN pointer p ON p.seq = k.node WHERE p.target IS NOT NULL)
        DELETE FROM temp.relink WHERE seq IN (SELECT start FROM walk WHERE node = start)
        """
    )


def _find_dismissed(db: apsw.Connection, context: StepContext) -> None:
    """Fill ``temp.dismissed``: guesses that a person dismissed before, with no evidence that was not dismissed with them.

    What the highest source says is no guess.
    """
    db.execute("CREATE TEMP TABLE dismissed(seq INTEGER PRIMARY KEY)")
    if not db.execute("SELECT EXISTS (SELECT 1 FROM main.consolidation_decisions WHERE decision = 'dismissed')").get:
        return
    same = """d.decision = 'dismissed' AND d.user_id = w.user_id AND d.attribute = w.attribute
              AND d.value_digest = value_digest(normal_key(CAST(f.value AS BLOB), typeof(f.value)))"""
    db.execute(
        f"""
        INSERT INTO temp.dismissed
        SELECT w.seq FROM (SELECT w.*, g.user_id, g.attribute FROM temp.work w JOIN temp.groups g ON g.g = w.g
                           WHERE w.single AND NOT w.took AND NOT w.pinned AND w.source_rank < :highest
                             AND (w.in_force OR w.status = 'review')) w
             JOIN main.facts f ON f.{context.order} = w.key
        WHERE EXISTS (SELECT 1 FROM main.consolidation_decisions d WHERE {same})
          AND NOT EXISTS (
              SELECT 1 FROM (SELECT CAST(f.evidence AS BLOB) AS ids) e CROSS JOIN split_ids(e.ids) i
              WHERE i.token NOT IN (SELECT k.token FROM main.consolidation_decisions d
                                    CROSS JOIN split_ids(CAST(d.evidence AS BLOB)) k WHERE {same}))
        """,
        {"highest": len(context.settings.sources.rank) - 1},
    )


def _decide(db: apsw.Connection, context: StepContext) -> None:
    db.execute(
        f"""
        INSERT INTO temp.decision(seq, changed, status, valid_to, superseded_by, reason)
        SELECT s.seq, 7, 'superseded', s.ends, t.id,
               CASE WHEN t.rank > f.rank THEN '{OVERRULES}' ELSE '{REPLACED}' END
        FROM temp.successor s JOIN temp.work f ON f.seq = s.seq JOIN temp.work t ON t.seq = s.target
        UNION ALL
        SELECT r.seq, 6, NULL, t.valid_from, t.id, 'a back-dated statement falls into its window'
        FROM temp.relink r JOIN temp.work t ON t.seq = r.target
        """
    )
    # What never took effect: newer than the holder waits for a person, older was overruled from the start. A parked fact
    # is judged again in the same way, unless it comes from a higher source than an unpinned holder.
    newer = "(w.latest, w.latest_seq) > (h.latest, h.latest_seq) AND w.seq NOT IN (SELECT seq FROM temp.dismissed)"
    judged = f"""
        FROM temp.holders o JOIN temp.work h ON h.seq = o.seq JOIN temp.work w ON w.g = o.g AND w.seq <> h.seq
        WHERE NOT w.pinned AND NOT w.took AND w.valid_from <= :now AND (w.in_force OR w.status = 'review')
          AND (w.in_force OR h.pinned OR w.source_rank <= h.source_rank) AND {_APART.format("w.seq", "h.seq")}"""
    db.execute(
        f"""
        INSERT INTO temp.decision(seq, changed, status, reason)
        SELECT w.seq, 1, 'review', '{PARKED}' {judged} AND {newer}
        """,
        {"now": context.now},
    )
    db.execute(
        f"""
        INSERT INTO temp.decision(seq, changed, status, valid_to, superseded_by, reason)
        SELECT w.seq, 7, 'superseded', w.valid_from, h.id, '{OVERRULED}'
        {judged} AND NOT ({newer})
        """,
        {"now": context.now},
    )
