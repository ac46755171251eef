"""The command that looks for what is wrong with a store."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from consolidate.cli.options import (
    Target,
    config_option,
    json_option,
    now_of,
    now_option,
    print_json,
    print_lines,
    root_option,
    settings_of,
    target_of,
    tenant_option,
)
from consolidate.errors import DataError

if TYPE_CHECKING:
    from consolidate.checks.findings import Findings


@click.command("check")
@click.argument("file", required=False, metavar="[FILE]")
@root_option
@tenant_option
@config_option
@now_option
@json_option
def check(
    file: str | None, root: str | None, tenant: str | None, config: str | None, now: str | None, as_json: bool
) -> int:
    """Look for what is wrong with a store.

    It is a tenant's live store, or any FILE that is one; the golden probes are asked as well. A rejected copy also tells
    why it was rejected.

    Exit status: 0 nothing is wrong, 65 there are problems. Reads only.
    """
    from consolidate import logs, render

    moment = now_of(now)
    settings = settings_of(config)
    target = Target(file, Path(file), settings) if file is not None else target_of(root, tenant, settings)
    logs.configure()
    found = _examined(target, moment)
    if as_json:
        document = {"file": str(target.path), "problems": [problem.as_json() for problem in found.problems]}
        print_json({**document, "notices": [notice.as_json() for notice in found.notices]})
    else:
        print_lines(render.findings_lines(str(target.path), found.problems, found.notices))
    return DataError.exit_status if found.problems else 0


def _examined(target: Target, now: float) -> Findings:
    from consolidate.checks import probes, verify
    from consolidate.checks.recorded import recorded
    from consolidate.config import load_probes
    from consolidate.store.connections import open_snapshot, translated
    from consolidate.store.contract import validate
    from consolidate.store.files import StorePaths

    settings = target.settings
    golden = (*settings.probe, *load_probes(StorePaths.of(target.path).probes))
    with closing(open_snapshot(target.path, settings.store.extensions, lock_timeout=settings.swap.lock_timeout)) as db:
        shape = validate(db, target.path)
        with translated(target.path):
            found = verify.examine(db, now=now, settings=settings, shape=shape)
            found.problems[:0] = recorded(db)
            found.problems += probes.run(db, golden, now=now, settings=settings, shape=shape)
    return found
