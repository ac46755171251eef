"""Counting what others wrote between two snapshots of live (DESIGN section 6, ``late_rows``)."""

from __future__ import annotations

from pathlib import Path

from consolidate.store import connections
from consolidate.store.connections import quoted
from consolidate.store.contract import EPISODE_COLUMNS, FACT_COLUMNS, TOMBSTONE_COLUMNS


def count_late_rows(earlier: Path, later: Path) -> int:
    """Count the rows of facts, episodes and tombstones that were inserted, updated or deleted between two snapshots.

    Args:
        earlier: the older snapshot; closed.
        later: the newer one; closed.
    """
    db = connections.open_reader(later)
    try:
        connections.attach(db, earlier, "earlier")
        late = 0
        for table, columns in (("facts", FACT_COLUMNS), ("episodes", EPISODE_COLUMNS)):
            differs = " OR ".join(f"a.{quoted(column)} IS NOT b.{quoted(column)}" for column in columns[1:])
            for one, other in (("main", "earlier"), ("earlier", "main")):
                late += db.execute(
                    f"""SELECT count(*) FROM {one}.{table} a LEFT JOIN {other}.{table} b ON b.id = a.id
                        WHERE b.id IS NULL {f"OR {differs}" if one == "main" else ""}"""
                ).get
        columns_sql = ", ".join(TOMBSTONE_COLUMNS)
        counted = f"SELECT {columns_sql}, count(*) AS n FROM {{0}}.tombstones GROUP BY {columns_sql}"
        for one, other in (("main", "earlier"), ("earlier", "main")):
            late += int(
                db.execute(
                    f"""SELECT total(max(0, a.n - coalesce((SELECT b.n FROM ({counted.format(other)}) b
                            WHERE a.user_id IS b.user_id AND a.attribute IS b.attribute AND a.value IS b.value), 0)))
                        FROM ({counted.format(one)}) a"""
                ).get
            )
        return late
    finally:
        db.close()
