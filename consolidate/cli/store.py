"""Commands that make and fill stores, and take out what is in them: init, import, export."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import click

from consolidate.cli.options import (
    Target,
    config_option,
    json_option,
    now_of,
    now_option,
    on_store,
    on_tenant,
    option,
    print_json,
    print_lines,
    report_error,
    root_option,
    settings_of,
    tenant_option,
)
from consolidate.errors import ConsolidateError, StorageError, UsageError

if TYPE_CHECKING:
    from contextlib import AbstractContextManager


@click.command("init")
@root_option
@tenant_option
@config_option
@json_option
def init(root: str | None, tenant: str | None, config: str | None, as_json: bool) -> None:
    """Create a tenant with an empty store.

    An existing store is refused and left exactly as it is.
    """
    from consolidate.operate import tenants

    if tenant is None:
        raise UsageError("No tenant is named.", "Give --tenant NAME.")
    created = tenants.init(tenants.find_root(root, settings_of(config), must_exist=False), tenant)
    if as_json:
        print_json({"tenant": created.name, "path": str(created.path)})
    else:
        print_lines([f"Created {created.path}."])


@click.command("import")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@on_tenant
@option(
    "--restate-forgotten", is_flag=True, help="Take what a user once asked to forget, too: it is said again on purpose."
)
@now_option
@json_option
def import_(target: Target, files: tuple[str, ...], restate_forgotten: bool, now: str | None, as_json: bool) -> int:
    """Import facts, episodes and tombstones.

    FILEs are JSON Lines, - is stdin. A line is {"kind": "fact" | "episode" | "tombstone", ...columns...}.
    Each file is imported whole or not at all. A line that a user asked to forget is a bad one.
    """
    from consolidate.operate.fleet import worst_status

    moment = now_of(now)
    results = [_import_file(target, name, moment, restate_forgotten, as_json) for name in files]
    if as_json:
        print_json({"tenant": target.name, "files": results})
    return worst_status(result["exit_status"] for result in results)


def _import_file(target: Target, name: str, now: float, restate_forgotten: bool, as_json: bool) -> dict[str, Any]:
    """Import one file and tell of it; its errors do not stop the next one."""
    from consolidate.store.exchange import ImportRefusedError, import_lines

    settings = target.settings
    result: dict[str, Any] = {"file": name, "facts": 0, "episodes": 0, "tombstones": 0}
    result |= {"bad_lines": 0, "errors": [], "exit_status": 0}
    try:
        with _opened(name) as stream:
            result |= import_lines(
                target.path,
                stream,
                name,
                now=now,
                lock_timeout=settings.swap.lock_timeout,
                extensions=settings.store.extensions,
                restate_forgotten=restate_forgotten,
            )
    except ConsolidateError as error:
        if isinstance(error, ImportRefusedError):
            result["bad_lines"] = error.count
            result["errors"] = [{"line": bad.number, "reason": bad.reason} for bad in error.lines]
        result["exit_status"] = error.exit_status
        report_error(error)
        return result
    if not as_json:
        counts = ", ".join(f"{result[table]} {table}" for table in ("facts", "episodes", "tombstones"))
        print_lines([f"Imported {counts} from {name}."])
    return result


def _opened(name: str) -> AbstractContextManager[BinaryIO]:
    if name == "-":
        return nullcontext(sys.stdin.buffer)
    try:
        return Path(name).open("rb")
    except OSError as error:
        raise StorageError(
            f"{name} cannot be read: {error.strerror}.", "Check the path and its permissions."
        ) from error


@click.command("export")
@on_store
@click.option("--json", is_flag=True, expose_value=False, help="Changes nothing: the lines are JSON in any case.")
def export(target: Target) -> None:
    """Print facts, episodes and tombstones.

    The JSON Lines are such that import reads them back exactly, whatever the store holds.
    """
    from consolidate.store.exchange import export_lines

    terminal = sys.stdout.isatty()
    settings = target.settings
    for line in export_lines(
        target.path,
        ascii_only=terminal,
        extensions=settings.store.extensions,
        lock_timeout=settings.swap.lock_timeout,
    ):
        sys.stdout.buffer.write(line)
