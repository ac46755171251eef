"""What a survivor gains from the facts merged into it: confirmations and distinct evidence (DESIGN section 3, merge)."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any, Final

import apsw
import apsw.ext

from consolidate.steps.context import StepContext
from consolidate.store.cells import text_codec

# Confirmations beyond this are dirt; clamping keeps sums inside 64 bits.
MOST_CONFIRMATIONS = 10**15
# SQL: why a survivor gained something, given how many facts it absorbed.
ABSORBED: Final = (
    "iif(losers = 1, 'absorbed 1 fact that says', 'absorbed ' || losers || ' facts that say') || ' the same'"
)


def register(db: apsw.Connection) -> None:
    """Register the table-valued SQL function ``split_ids(CAST(evidence AS BLOB))`` with columns place and token.

    It must be joined with CROSS JOIN, after what it reads: apsw lets SQLite call it first, without an argument, and the
    result is then empty. Ids are separated by spaces (DESIGN section 2). Tokens are BLOBs in the encoding of the
    database, so that text that cannot be decoded comes through unharmed.
    """
    blank = " ".encode(text_codec(db))

    def split_ids(text: bytes | None = None) -> Iterator[tuple[int, bytes]]:
        for place, token in enumerate(_split(text or b"", blank)):
            if token:
                yield place, token

    function: Any = split_ids
    function.columns = ("place", "token")
    function.column_access = apsw.ext.VTColumnAccess.By_Index
    apsw.ext.make_virtual_module(db, "split_ids", function)


def _split(text: bytes, blank: bytes) -> list[bytes]:
    if len(blank) == 1:
        return text.split(blank)
    width = len(blank)
    units = [text[at : at + width] for at in range(0, len(text), width)]
    return [b"".join(token) for is_blank, token in itertools.groupby(units, blank.__eq__) if not is_blank]


def gain(db: apsw.Connection, context: StepContext) -> None:
    """Add to ``temp.decision`` what the survivors of ``temp.merging`` gain.

    NULL confirmations count 0. Evidence ids are appended in time order, each once, without those that are episodes of
    another user.
    """
    _collect_ids(db, context)
    clamped = f"CASE WHEN typeof({{0}}) = 'integer' THEN max(-{MOST_CONFIRMATIONS}, min({MOST_CONFIRMATIONS}, {{0}})) ELSE 0 END"
    db.execute(
        f"""
        INSERT INTO temp.decision(seq, changed, evidence, confirmations, reason)
        SELECT survivor, 8 * (ids IS NOT NULL) + 16 * (gain <> 0),
               CASE WHEN coalesce(f.evidence, '') = '' THEN ids ELSE f.evidence || ' ' || ids END,
               {clamped.format("f.confirmations")} + gain,
               {ABSORBED}
        FROM (SELECT m.survivor, count(*) AS losers, sum({clamped.format("l.confirmations")}) AS gain,
                     (SELECT group_concat(CAST(token AS TEXT), ' ' ORDER BY place) FROM temp.gained t
                      WHERE t.survivor = m.survivor) AS ids
              FROM temp.merging m JOIN temp.work w ON w.seq = m.loser JOIN main.facts l ON l.{context.order} = w.key
              GROUP BY m.survivor)
             JOIN temp.work s ON s.seq = survivor JOIN main.facts f ON f.{context.order} = s.key
        WHERE ids IS NOT NULL OR gain <> 0
        """
    )
    db.execute("DROP TABLE temp.gained")


def _collect_ids(db: apsw.Connection, context: StepContext) -> None:
    """Fill ``temp.gained`` with the ids each survivor gains, numbered in time order."""
    db.execute("CREATE TEMP TABLE gained(survivor INTEGER, token BLOB, place INTEGER, PRIMARY KEY(survivor, token))")
    db.execute(
        f"""
        INSERT INTO temp.gained
        SELECT survivor, token, min(place)
        FROM (SELECT m.survivor, i.token, g.user_id,
                     row_number() OVER (ORDER BY m.survivor, w.valid_from, w.seq, i.place) AS place
              FROM temp.merging m JOIN temp.work w ON w.seq = m.loser JOIN temp.groups g ON g.g = w.g
                   JOIN main.facts l ON l.{context.order} = w.key
                   CROSS JOIN split_ids(CAST(l.evidence AS BLOB)) i
              WHERE l.evidence <> '') AS i
        WHERE NOT EXISTS (SELECT 1 FROM main.episodes e
                          WHERE e.id = CAST(i.token AS TEXT) AND i.user_id IS NOT e.user_id)
        GROUP BY survivor, token
        """
    )
    if db.changes():
        db.execute(
            f"""
            DELETE FROM temp.gained WHERE (survivor, token) IN (
                SELECT s.seq, i.token FROM (SELECT DISTINCT survivor FROM temp.gained) m JOIN temp.work s ON s.seq = m.survivor
                JOIN main.facts f ON f.{context.order} = s.key CROSS JOIN split_ids(CAST(f.evidence AS BLOB)) i
                UNION ALL
                SELECT s.seq, t.token FROM temp.gained t JOIN temp.work s ON s.seq = t.survivor
                JOIN main.facts f ON f.{context.order} = s.key WHERE typeof(f.evidence) NOT IN ('text', 'null'))
            """
        )
