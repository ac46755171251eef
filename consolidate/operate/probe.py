"""Keeping a tenant's golden probes, ``probes.toml`` (DESIGN section 5): by command, from what is in force now."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

from consolidate.checks import probes as golden
from consolidate.config import Settings, load_probes
from consolidate.errors import ConfigError, UsageError
from consolidate.model import Probe, Problem
from consolidate.store import cells, files
from consolidate.store.connections import open_snapshot, translated
from consolidate.store.contract import validate
from consolidate.store.files import StorePaths
from consolidate.store.reading import Fact, Reader

_HEADER = re.compile(r"^\s*\[\[?\s*[\"']?[\w.-]+", re.MULTILINE)
_PROBE_HEADER = re.compile(r"\s*\[\[\s*[\"']?probe[\"']?\s*\]\]")


def as_json(probe: Probe) -> dict[str, Any]:
    """Return a probe with the keys that it has in ``probes.toml``."""
    shown = {"user": probe.user, "attribute": probe.attribute, "expect": probe.expect, "absent": probe.absent}
    shown |= {"count": probe.count, "as_of": probe.as_of}  # type: ignore[dict-item]
    return {key: value for key, value in shown.items() if value is not None}


def ask(path: Path, probes: Sequence[Probe], settings: Settings, now: float) -> list[Problem]:
    """Ask probes of a store.

    Args:
        path: the store.
        probes: what to ask.
        settings: the configuration.
        now: Unix seconds.

    Returns:
        One problem per probe that fails.
    """
    with closing(open_snapshot(path, settings.store.extensions, lock_timeout=settings.swap.lock_timeout)) as db:
        shape = validate(db, path)
        with translated(path):
            return golden.run(db, probes, now=now, settings=settings, shape=shape)


def from_now(
    path: Path, user: str, attribute: str, settings: Settings, now: float, as_of: float | None = None
) -> list[Probe]:
    """Return probes that expect what a user's attribute answers.

    Args:
        path: the store.
        user: whom to ask about.
        attribute: what to ask about.
        settings: the configuration.
        now: Unix seconds.
        as_of: expect what held then, Unix seconds, instead of what is in force now.

    Raises:
        UsageError: nothing answers it, or only what no probe can name.
    """
    facts = [
        fact for fact in _facts(path, user, settings, now if as_of is None else as_of) if fact.attribute == attribute
    ]
    values = list(dict.fromkeys(str(fact.value) for fact in facts if isinstance(fact.value, (str, int, float))))
    if not values:
        raise UsageError("Nothing is in force that a probe could expect.", "Check the user and the attribute.")
    return [Probe(user, attribute, expect=value, as_of=as_of) for value in values]


def propose(path: Path, user: str, settings: Settings, now: float) -> list[Probe]:
    """Return the probes recommended for a scripted test user.

    They pin down what the user's memory answers now: the value of each one-valued attribute, the number of values and each of
    them where there are several, and that what was forgotten stays so.

    Raises:
        UsageError: the store holds nothing of this user.
    """
    found: list[Probe] = []
    facts = _facts(path, user, settings, now)
    for attribute in dict.fromkeys(fact.attribute for fact in facts):
        values = [fact.value for fact in facts if fact.attribute == attribute]
        if not isinstance(attribute, str) or not all(isinstance(value, str) for value in values):
            continue
        distinct = [str(value) for value in dict.fromkeys(values)]
        found += [Probe(user, attribute, expect=value) for value in distinct]
        found += [Probe(user, attribute, count=len(distinct))] if len(distinct) > 1 else []
    with (
        closing(open_snapshot(path, settings.store.extensions, lock_timeout=settings.swap.lock_timeout)) as db,
        translated(path),
    ):
        rows = db.execute(
            f"""SELECT DISTINCT {cells.select_list(("attribute", "value"))} FROM main.tombstones
                WHERE user_id = ? COLLATE BINARY ORDER BY attribute, value""",
            (user,),
        )
        tombstones = [cells.decoded(row, cells.text_codec(db)) for row in rows]
    for attribute, value in tombstones:
        if not isinstance(attribute, str) or not attribute:
            continue
        if value in (None, ""):
            found.append(Probe(user, attribute, count=0))
        elif isinstance(value, str) and not value.startswith("h1:"):
            found.append(Probe(user, attribute, absent=value))
    if not found:
        raise UsageError("The store holds nothing of this user that a probe could expect.", "Check the user.")
    passing = {probe: not ask(path, [probe], settings, now) for probe in found}
    return [probe for probe in found if passing[probe]]


def _facts(path: Path, user: str, settings: Settings, at: float) -> list[Fact]:
    with closing(open_snapshot(path, settings.store.extensions, lock_timeout=settings.swap.lock_timeout)) as db:
        return Reader(db, path, settings.attributes, settings.sources.rank).as_of(user, at)


def add(paths: StorePaths, probes: Sequence[Probe]) -> list[Probe]:
    """Append probes to ``probes.toml``; those that are there already are left out.

    Returns:
        The probes that were added.

    Raises:
        ConfigError: the file cannot be used as it is.
        StorageError: it cannot be written.
    """
    known = {replace(probe, origin="") for probe in load_probes(paths.probes)}
    new = [probe for probe in dict.fromkeys(probes) if probe not in known]
    if new:
        text = _text(paths.probes)
        joint = "" if not text or text.endswith("\n\n") else "\n" if text.endswith("\n") else "\n\n"
        _write(paths, text + joint + "\n".join(_toml(probe) for probe in new))
    return new


def remove(paths: StorePaths, number: int) -> Probe:
    """Remove a probe, named by its place in ``probes.toml`` from 1; comments and the others stay as they are.

    Raises:
        UsageError: there is no such probe.
    """
    probes = list(load_probes(paths.probes))
    if not 1 <= number <= len(probes):
        raise UsageError(f"There is no probe {number}.", f"{paths.probes} has {len(probes)} of them.")
    text = _text(paths.probes)
    starts = [match.start() for match in _HEADER.finditer(text)] + [len(text)]
    places = [n for n, start in enumerate(starts[:-1]) if _PROBE_HEADER.match(text, start)]
    left = probes[: number - 1] + probes[number:]
    if len(places) == len(probes):
        place = places[number - 1]
        rest = text[: starts[place]] + text[starts[place + 1] :].lstrip("\n")
        if _reads_as(rest, left):
            _write(paths, rest)
            return probes[number - 1]
    _write(paths, "\n".join(_toml(probe) for probe in left))
    return probes[number - 1]


def _reads_as(text: str, probes: list[Probe]) -> bool:
    try:
        found = tomllib.loads(text).get("probe", [])
    except tomllib.TOMLDecodeError:
        return False
    return len(found) == len(probes) and all(
        item.get("user") == probe.user and item.get("attribute") == probe.attribute
        for item, probe in zip(found, probes, strict=True)
    )


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise ConfigError(f"The probes {path} cannot be read: {error.strerror}.") from error


def _write(paths: StorePaths, text: str) -> None:
    files.replace_text(paths.probes, text, like=paths.live)


def _toml(probe: Probe) -> str:
    lines = [f"{key} = {_literal(value)}" for key, value in as_json(probe).items()]
    return "\n".join(["[[probe]]", *lines, ""])


def _literal(value: str | int | float) -> str:
    """Return a value as TOML: JSON's strings are TOML's, but for a few characters that TOML wants escaped."""
    if isinstance(value, float):
        return repr(value)
    text = json.dumps(value, ensure_ascii=False)
    return text.replace("\x7f", "\\u007f")


__all__ = ["add", "as_json", "ask", "from_now", "propose", "remove"]
