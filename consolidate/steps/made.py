"""What the facts that a run made were like, so that an edit by the application can be told from what the run wrote.

The actions hold the before- and after-images of the columns that the job may change; of the others a digest is enough, since
they are only ever compared (DESIGN section 4, rollback: an edited promoted fact stays).
"""

from __future__ import annotations

import hashlib
from typing import Any, Final

import apsw

from consolidate.store.contract import FACT_COLUMNS, MUTABLE_COLUMNS

_FROZEN = [name for name in FACT_COLUMNS if name not in MUTABLE_COLUMNS]
# SQL: the digest of a fact ``f``.
DIGEST: Final = f"fact_digest({', '.join(f'typeof(f.{name}), CAST(f.{name} AS BLOB)' for name in _FROZEN)})"


def register(db: apsw.Connection) -> None:
    """Register the SQL function ``fact_digest``."""
    db.create_scalar_function("fact_digest", _digest, 2 * len(_FROZEN), deterministic=True)


def _digest(*cells: Any) -> str:
    """Digest the types of columns, as text, and their values, as BLOBs or NULL."""
    digest = hashlib.blake2b(digest_size=16)
    for cell in cells:
        raw = cell.encode() if isinstance(cell, str) else cell or b""
        digest.update(len(raw).to_bytes(8, "big") + raw)
    return digest.hexdigest()


def remember(db: apsw.Connection, run_id: str) -> None:
    """Record the digests of the facts that a run made; its actions are recorded already."""
    db.execute(
        f"""INSERT OR IGNORE INTO main.consolidation_made
            SELECT a.run_id, f.id, {DIGEST} FROM main.consolidation_actions a
                 CROSS JOIN main.facts f ON f.id = a.fact_id AND +f.id IS a.fact_id COLLATE BINARY
            WHERE a.run_id = ? AND a.kind = 'insert'""",
        (run_id,),
    )
