"""Commands for golden probes: add, list, run, rm, propose."""

from __future__ import annotations

import click

from consolidate.cli.options import (
    Target,
    json_option,
    now_of,
    now_option,
    on_tenant,
    option,
    print_json,
    print_lines,
    text,
)
from consolidate.errors import DataError, UsageError
from consolidate.model import Probe


@click.group("probe")
def probe() -> None:
    """Keep a tenant's golden probes.

    A probe is a question to which you know the answer; a night after which one gets another answer is rejected. They are kept in
    probes.toml beside the store, which you can edit as well.
    """


@probe.command("add")
@on_tenant
@option("--user", required=True, type=text, metavar="USER", help="Whom it is about.")
@option("--attribute", required=True, type=text, metavar="ATTRIBUTE", help="What it is about.")
@option(
    "--expect", type=text, metavar="VALUE", help="This must be in force; if nothing is given, what is in force now."
)
@option("--absent", type=text, metavar="VALUE", help="This must not be in force.")
@option("--count", type=click.IntRange(min=0), metavar="N", help="So many values must be in force.")
@option("--as-of", metavar="WHEN", help="What held at this time instead of what is in force at night.")
@now_option
@json_option
def add(
    target: Target,
    user: str,
    attribute: str,
    expect: str | None,
    absent: str | None,
    count: int | None,
    as_of: str | None,
    now: str | None,
    as_json: bool,
) -> int:
    """Add a probe, by default from what is in force now.

    Exit status: 65 if it would fail already; it is not added then.
    """
    from consolidate.operate import probe as probes
    from consolidate.times import parse_when

    if sum(given is not None for given in (expect, absent, count)) > 1:
        raise UsageError("A probe expects one thing.", "Give one of --expect, --absent and --count.")
    moment, held = now_of(now), None if as_of is None else parse_when(as_of)
    if expect is None and absent is None and count is None:
        new = probes.from_now(target.path, user, attribute, target.settings, moment, held)
    else:
        new = [Probe(user, attribute, expect, absent, count, held)]
    return _add(target, new, moment, as_json)


def _add(target: Target, new: list[Probe], now: float, as_json: bool) -> int:
    from consolidate.operate import probe as probes
    from consolidate.store.files import StorePaths

    failing = probes.ask(target.path, new, target.settings, now)
    if failing:
        raise DataError(
            f"{len(failing)} of the probes would fail already: {failing[0].message}", "Nothing was added; correct it."
        )
    added = probes.add(StorePaths.of(target.path), new)
    if as_json:
        print_json({"tenant": target.name, "added": [probes.as_json(item) for item in added]})
    else:
        print_lines([*(f"added: {_sentence(item)}" for item in added), *([] if added else ["It is there already."])])
    return 0


@probe.command("list")
@on_tenant
@json_option
def list_(target: Target, as_json: bool) -> None:
    """List the probes of a tenant, and those of the configuration."""
    from consolidate.operate import probe as probes

    own, common = _probes(target)
    if as_json:
        document = {"tenant": target.name, "probes": [probes.as_json(item) for item in own]}
        print_json({**document, "configuration": [probes.as_json(item) for item in common]})
        return
    print_lines(f"{number}  {_sentence(item)}" for number, item in enumerate(own, 1))
    print_lines(f"-  {_sentence(item)}  (of the configuration)" for item in common)
    if not own and not common:
        print_lines([f"There are no probes for {target.name}."])


@probe.command("run")
@on_tenant
@now_option
@json_option
def run(target: Target, now: str | None, as_json: bool) -> int:
    """Ask the probes of the store as it is.

    Exit status: 0 all get the answer they expect, 65 one does not.
    """
    from consolidate.operate import probe as probes
    from consolidate.render import printable

    own, common = _probes(target)
    failed = probes.ask(target.path, [*own, *common], target.settings, now_of(now))
    if as_json:
        asked = len(own) + len(common)
        print_json({"tenant": target.name, "asked": asked, "problems": [problem.as_json() for problem in failed]})
    else:
        print_lines(f"  {printable(problem.message)}" for problem in failed)
        print_lines([f"{len(own) + len(common)} asked, {len(failed)} failed"])
    return DataError.exit_status if failed else 0


@probe.command("rm")
@on_tenant
@click.argument("number", type=click.IntRange(min=1), metavar="NUMBER")
@json_option
def rm(target: Target, number: int, as_json: bool) -> None:
    """Remove a probe by the NUMBER that list gives it."""
    from consolidate.operate import probe as probes
    from consolidate.store.files import StorePaths

    removed = probes.remove(StorePaths.of(target.path), number)
    if as_json:
        print_json({"tenant": target.name, "removed": probes.as_json(removed)})
    else:
        print_lines([f"removed: {_sentence(removed)}"])


@probe.command("propose")
@on_tenant
@option("--user", required=True, type=text, metavar="USER", help="A scripted test user, whose memory you know.")
@option("--add", "adds", is_flag=True, help="Add them all.")
@now_option
@json_option
def propose(target: Target, user: str, adds: bool, now: str | None, as_json: bool) -> int:
    """Propose probes that pin down what a test user's memory answers now."""
    from consolidate.operate import probe as probes

    moment = now_of(now)
    found = probes.propose(target.path, user, target.settings, moment)
    if adds:
        return _add(target, found, moment, as_json)
    if as_json:
        print_json({"tenant": target.name, "proposed": [probes.as_json(item) for item in found]})
    else:
        print_lines(_sentence(item) for item in found)
    return 0


def _probes(target: Target) -> tuple[list[Probe], list[Probe]]:
    from consolidate.config import load_probes
    from consolidate.store.files import StorePaths

    return list(load_probes(StorePaths.of(target.path).probes)), list(target.settings.probe)


def _sentence(item: Probe) -> str:
    from consolidate.render import cell_text
    from consolidate.times import format_when

    if item.expect is not None:
        wanted = f"is “{cell_text(item.expect)}”"
    elif item.absent is not None:
        wanted = f"is not “{cell_text(item.absent)}”"
    else:
        wanted = f"has {item.count} values"
    when = "" if item.as_of is None else f", as of {format_when(item.as_of)}"
    return f"{cell_text(item.attribute)} of {cell_text(item.user)} {wanted}{when}"
