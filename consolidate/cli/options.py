"""Options and output that several commands share."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from consolidate.errors import ConsolidateError, StorageError, UsageError

if TYPE_CHECKING:
    from consolidate.config import Settings

Decorated = Callable[..., Any]


def text(argument: str) -> str:
    """Return an argument that can be stored as text; one that is not UTF-8 is a usage error."""
    try:
        argument.encode("utf-8")
    except UnicodeEncodeError:
        raise click.BadParameter("the argument is not valid UTF-8.") from None
    return argument


def option(*names: str, **attributes: Any) -> Callable[[Decorated], Decorated]:
    """Make an option that can also be given as an environment variable, ``--as-of`` as ``CONSOLIDATE_AS_OF``."""
    long = next(name for name in names if name.startswith("--"))
    variable = "CONSOLIDATE_" + long.removeprefix("--").replace("-", "_").upper()
    return click.option(*names, envvar=variable, show_envvar=True, **attributes)


root_option = option("--root", metavar="DIR", help="The folder that holds the tenants.")
config_option = option("--config", metavar="FILE", help="The configuration, TOML.")
json_option = option("--json", "as_json", is_flag=True, help="Print one JSON document on stdout.")
now_option = option("--now", metavar="WHEN", help="ISO 8601 or Unix seconds; replaces the clock.")
tenant_option = option("--tenant", metavar="NAME", help="The tenant.")
file_option = click.option("--file", metavar="FILE", help="Read this file, such as a .rejected, instead of a tenant.")


@dataclass(frozen=True)
class Target:
    """The store a command is about: what to call it, where it is, and the configuration."""

    name: str
    path: Path
    settings: Settings


def settings_of(config: str | None) -> Settings:
    """Read the configuration named by ``--config`` or ``$CONSOLIDATE_CONFIG``, or the default one."""
    from consolidate.config import load_settings

    return load_settings(None if config is None else Path(config))


def target_of(root: str | None, tenant: str | None, settings: Settings) -> Target:
    """Return the live store of one tenant.

    Raises:
        UsageError: root or tenant are missing or do not exist.
    """
    from consolidate.operate.tenants import find_root, find_tenants

    if tenant is None:
        raise UsageError("No tenant is named.", "Give --tenant NAME.")
    found = find_tenants(find_root(root, settings), [tenant])[0]
    return Target(found.name, found.path, settings)


def on_tenant(command: Decorated) -> Decorated:
    """Give a command ``--root``, ``--tenant`` and ``--config``; it is called with the `Target` first."""

    @root_option
    @tenant_option
    @config_option
    @functools.wraps(command)
    def wrapped(root: str | None, tenant: str | None, config: str | None, **rest: Any) -> Any:
        return command(target_of(root, tenant, settings_of(config)), **rest)

    return wrapped


def on_store(command: Decorated) -> Decorated:
    """Give a command that only reads ``--root`` and ``--tenant``, or ``--file``; it is called with the `Target` first."""

    @root_option
    @tenant_option
    @file_option
    @config_option
    @functools.wraps(command)
    def wrapped(root: str | None, tenant: str | None, file: str | None, config: str | None, **rest: Any) -> Any:
        settings = settings_of(config)
        if file is not None:
            return command(Target(file, Path(file), settings), **rest)
        return command(target_of(root, tenant, settings), **rest)

    return wrapped


def now_of(text: str | None) -> float:
    """Return ``--now`` in Unix seconds, or the clock."""
    import time

    from consolidate.times import parse_when

    return time.time() if text is None else parse_when(text)


def print_json(document: Any) -> None:
    """Print one JSON document; on a terminal in ASCII, so that it cannot act on what it shows."""
    text = json.dumps(document, ensure_ascii=sys.stdout.isatty(), allow_nan=False)
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace") + b"\n")
    sys.stdout.buffer.flush()


def print_lines(lines: Iterable[str]) -> None:
    """Print lines that are safe to show."""
    for line in lines:
        sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def wants_colour() -> bool:
    """Tell whether stdout is a terminal whose user did not switch colours off."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def report_error(error: ConsolidateError) -> None:
    """Tell of an error on stderr: one sentence and what to do about it."""
    from consolidate.render import printable

    complain(f"Error: {printable(str(error))}")


def output_failed(error: OSError) -> StorageError:
    """Return the user's error for one that no other code explained."""
    where = f" {error.filename}" if error.filename else ""
    return StorageError(f"Input or output failed{where}: {error.strerror}.", "Check the disk and the permissions.")


def complain(sentence: str) -> None:
    """Print a sentence on stderr; where nobody listens, the exit status still tells."""
    with contextlib.suppress(OSError):
        click.echo(sentence, err=True)


def mute_stdout() -> None:
    """Send what is still to be printed nowhere: its reader has gone away."""
    devnull = os.open(os.devnull, os.O_WRONLY)
    os.dup2(devnull, sys.stdout.fileno())
    os.close(devnull)
