"""When facts speak, and which one holds (DESIGN section 3, supersede)."""

from __future__ import annotations

import apsw

from consolidate.steps.context import StepContext


def find_holders(db: apsw.Connection, context: StepContext) -> None:
    """Fill ``temp.statements``, ``work.latest`` and ``temp.holders`` for the loaded one-valued groups.

    A fact's statements are its ``valid_from`` and those of the facts merged into it, followed transitively within the
    group; a merged fact of a lower source adds none. Merged facts form trees below their survivors, so walking down from
    facts that are not merged visits each once and never enters a cycle. The last fact of the highest rank holds.
    """
    db.execute("DELETE FROM temp.statements WHERE g IN (SELECT g FROM temp.unheld)")
    speaks = "typeof({0}.valid_from) IN ('integer', 'real') AND {0}.valid_from <= :now"
    db.execute(
        f"""
        WITH RECURSIVE below(owner, node) AS (
            SELECT w.seq, w.seq FROM temp.unheld u CROSS JOIN temp.work w ON w.g = u.g WHERE w.status <> 'merged'
            UNION ALL
            SELECT b.owner, c.seq FROM below b JOIN temp.work c ON c.target = b.node WHERE c.status = 'merged')
        INSERT INTO temp.statements(g, owner, t, seq)
        SELECT o.g, o.seq, m.valid_from, m.seq
        FROM below b JOIN temp.work o ON o.seq = b.owner JOIN temp.work m ON m.seq = b.node
        WHERE {speaks.format("m")} AND (m.seq = o.seq OR m.source_rank >= o.source_rank)
        """,
        {"now": context.now},
    )
    db.execute(
        """
        UPDATE temp.work AS w SET latest = d.t, latest_seq = d.seq
        FROM (SELECT s.owner, s.t, s.seq, row_number() OVER (PARTITION BY s.owner ORDER BY s.t DESC, s.seq DESC) AS place
              FROM temp.unheld u CROSS JOIN temp.statements s ON s.g = u.g) AS d
        WHERE d.owner = w.seq AND d.place = 1
        """
    )
    db.execute(
        """
        INSERT OR REPLACE INTO temp.holders
        SELECT g, seq FROM (SELECT w.g, w.seq, row_number() OVER (PARTITION BY w.g ORDER BY w.rank DESC, w.latest DESC,
                                                                  w.latest_seq DESC) AS place
                            FROM temp.unheld u CROSS JOIN temp.work w ON w.g = u.g WHERE w.in_force)
        WHERE place = 1
        """
    )
    db.execute("DELETE FROM temp.unheld")
