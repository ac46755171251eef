"""Removing what retention no longer keeps, by hand (DESIGN section 6, ``[retention]``)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from consolidate.config import RetentionSettings
from consolidate.errors import ConsolidateError
from consolidate.model import new_run_id
from consolidate.operate.tenants import Tenant
from consolidate.run import retention, run_lock
from consolidate.store import files
from consolidate.store.files import StorePaths


@dataclass
class Pruned:
    """What was removed of one tenant, or would be: names and sizes in bytes; or why nothing was."""

    tenant: str
    removed: dict[str, int] = field(default_factory=dict)
    error: str | None = None
    exit_status: int = 0

    def as_json(self) -> dict[str, Any]:
        """Return it for JSON."""
        removed = [{"name": name, "bytes": size} for name, size in self.removed.items()]
        return {**vars(self), "removed": removed}


def prune(tenant: Tenant, settings: RetentionSettings, *, now: float, dry_run: bool = False) -> Pruned:
    """Remove the kept files of a tenant that are over number, age or size.

    The newest ``.pre`` and every ``.rejected`` that nobody has read stay, whatever the settings say.

    Args:
        tenant: whose files.
        settings: ``[retention]``.
        now: Unix seconds.
        dry_run: only say what would be removed.

    Returns:
        What was removed; an error, such as a run under way, is part of it.
    """
    found = Pruned(tenant.name)
    try:
        paths = StorePaths.of(tenant.path)
        if dry_run:
            found.removed = {path.name: files.size(path) for path in retention.due(paths, settings, now, careful=True)}
            return found
        with run_lock.acquire(paths, new_run_id(now)):
            for path in retention.due(paths, settings, now, careful=True):
                size = files.size(path)
                files.remove(path)
                found.removed[path.name] = size
    except ConsolidateError as error:
        found.error, found.exit_status = str(error), error.exit_status
    return found
