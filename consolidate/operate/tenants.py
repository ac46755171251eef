"""Tenants: directories under a root, each with one live store ``memory.db`` (DESIGN section 1)."""

from __future__ import annotations

import errno
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from consolidate.config import Settings
from consolidate.errors import StorageError, UsageError
from consolidate.store.connections import create_store
from consolidate.store.memory import create_schema
from consolidate.store.paths import StorePaths

STORE_NAME = "memory.db"


@dataclass(frozen=True)
class Tenant:
    """One tenant: its name, the root it lies under, and the path of its live store, which may be a symlink."""

    name: str
    root: Path
    path: Path

    @classmethod
    def of(cls, root: Path, name: str) -> Tenant:
        """Return the tenant of that name, whether it exists or not.

        Raises:
            UsageError: the name is not that of a directory right under the root.
        """
        if not name or name in (".", "..") or "/" in name or "\0" in name:
            raise UsageError(
                f"{name!a} is not the name of a tenant.", "A tenant is named by one directory right under the root."
            )
        return cls(name, root, root / name / STORE_NAME)


def find_root(given: str | None, settings: Settings, *, must_exist: bool = True) -> Path:
    """Return the folder that holds the tenants.

    Args:
        given: ``--root`` or ``$CONSOLIDATE_ROOT``; they win over the configuration.
        settings: the configuration.
        must_exist: whether it is an error that there is no such folder.

    Raises:
        UsageError: none is named, or it is missing.
    """
    root = settings.root if given is None else Path(given)
    if root is None or given == "":
        raise UsageError(
            "No root is named.", "Give --root DIR, set CONSOLIDATE_ROOT, or set root in the configuration."
        )
    if must_exist and not root.is_dir():
        raise UsageError(f"The root {root} is not a folder.", "Check --root; consolidate init creates it.")
    return root


def find_tenants(root: Path, names: Iterable[str]) -> list[Tenant]:
    """Return the tenants of these names, each once, in the order they are named.

    Raises:
        UsageError: one of them does not exist.
    """
    tenants = [Tenant.of(root, name) for name in dict.fromkeys(names)]
    for tenant in tenants:
        if not _is_there(tenant.path):
            raise UsageError(
                f"There is no tenant {tenant.name!a} under {root}: {tenant.path} does not exist.",
                "Check the name; consolidate init creates a tenant.",
            )
    return tenants


def all_tenants(root: Path) -> list[Tenant]:
    """Return every tenant under the root, by name; a folder without anything of a store is none.

    One that lacks only the store itself is returned, so that a run reports what is missing.

    Raises:
        StorageError: the root cannot be read.
    """
    try:
        names = sorted(entry.name for entry in root.iterdir())
    except OSError as error:
        raise StorageError(f"The root {root} cannot be read: {error.strerror}.", "Check its permissions.") from error
    tenants = (Tenant.of(root, name) for name in names)
    return [tenant for tenant in tenants if _is_there(tenant.path) or _copies(tenant)]


def init(root: Path, name: str) -> Tenant:
    """Create a tenant with an empty store, and its root where that is missing.

    Raises:
        UsageError: the tenant has a store already, or copies of one; they are left exactly as they are.
        StorageError: the folders or the store cannot be created.
    """
    tenant = Tenant.of(root, name)
    exists = UsageError(f"The tenant {name!a} already has a store at {tenant.path}.", "It was left as it is.")
    try:
        tenant.path.parent.mkdir(parents=True, exist_ok=True)
        if _is_there(tenant.path) and (tenant.path.is_symlink() or tenant.path.stat().st_size):
            raise exists
    except OSError as error:
        raise StorageError(
            f"The folder {tenant.path.parent} cannot be created: {error.strerror}.", "Check the path and permissions."
        ) from error
    if copies := _copies(tenant):
        raise UsageError(
            f"{tenant.path} is missing, but copies of it are there, such as {copies[-1]}.", "Rename one of them back."
        )
    db = create_store(tenant.path)
    try:
        if not create_schema(db, tenant.path):
            raise exists
    finally:
        db.close()
    return tenant


def _copies(tenant: Tenant) -> list[str]:
    """Return the names of the copies that runs keep, where the store itself is missing."""
    paths = StorePaths(tenant.path)
    if _is_there(tenant.path):
        return []
    try:
        names = sorted(entry.name for entry in tenant.path.parent.iterdir())
    except OSError:
        return []
    return [name for name in names if any(paths.run_of(name, kind) for kind in ("undone", "rejected", "pre"))]


def _is_there(path: Path) -> bool:
    """Tell whether something is at the path; what cannot be looked at is, so that a run reports it."""
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        return error.errno != errno.ENAMETOOLONG
    return True
