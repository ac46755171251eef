"""``.state.json``: how far the summariser has read, per user (DESIGN section 4).

Lost, it only costs calls; so a file that cannot be read is an empty one.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from consolidate.store import files

VERSION = 1


def read(path: Path) -> dict[str, str]:
    """Return per user key the digest of what was summarised at the last good run."""
    try:
        data = json.loads(path.read_text("utf-8"))
        users = data["users"] if data["version"] == VERSION else {}
        return {str(user): str(digest) for user, digest in users.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}


def write(path: Path, users: Mapping[str, str], like: Path) -> None:
    """Replace the cursor atomically; ``like`` is the file whose owner and mode it takes.

    Raises:
        StorageError: it cannot be written; the old one is still there.
    """
    text = json.dumps({"version": VERSION, "users": dict(sorted(users.items()))}, separators=(",", ":"))
    files.replace_text(path, text + "\n", like=like)
