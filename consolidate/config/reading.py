"""Reading the configuration and the probes: TOML, strict, all mistakes reported at once (DESIGN section 6)."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

from consolidate.config.contradictions import contradictions
from consolidate.config.settings import PromoteRule, Settings
from consolidate.errors import ConfigError, UsageError
from consolidate.model import Probe
from consolidate.times import parse_when

DEFAULT_PATH = Path("/etc/consolidate/consolidate.toml")

_NAMES = {str: "text", bool: "true or false", int: "a whole number", float: "a number"}


def load_settings(path: Path | None) -> Settings:
    """Read the configuration.

    Args:
        path: the file named by ``--config`` or ``$CONSOLIDATE_CONFIG``; None reads ``/etc/consolidate/consolidate.toml``
            where it exists, and gives the defaults otherwise.

    Raises:
        ConfigError: the file is missing, not TOML, or has unknown keys or wrong types; all are named at once.
    """
    if path is None:
        if not DEFAULT_PATH.is_file():
            return Settings()
        path = DEFAULT_PATH
    mistakes: list[str] = []
    settings = _with_environment(_table(Settings, _read_toml(path), "", mistakes))
    mistakes += contradictions(settings) if not mistakes else []
    if mistakes:
        raise ConfigError(f"The configuration {path} has mistakes: {'; '.join(mistakes)}.", "Correct them all.")
    values = {item.name: getattr(settings, item.name) for item in fields(settings)} | {"origin": path}
    return Settings(**values)


def _with_environment(settings: Settings) -> Settings:
    """Let the environment say which model is asked, and where, so that every process of a night asks the same."""
    promote = settings.promote
    if promote.summariser != "llm":
        return settings
    base_url = os.environ.get("CONSOLIDATE_LLM_BASE_URL") or promote.llm.base_url or os.environ.get("OPENAI_BASE_URL")
    model = os.environ.get("CONSOLIDATE_LLM_MODEL") or promote.llm.model
    llm = replace(promote.llm, base_url=base_url or None, model=model)
    return replace(settings, promote=replace(promote, llm=llm))


def load_probes(path: Path) -> tuple[Probe, ...]:
    """Read the golden probes of a tenant from ``probes.toml`` (DESIGN section 5); none where there is no file.

    Raises:
        ConfigError: the file cannot be used; all mistakes are named at once.
    """
    if not path.exists():
        return ()
    mistakes: list[str] = []
    data = _read_toml(path)
    mistakes += [f"unknown key {key}" for key in data if key != "probe"]
    probes = _value(tuple[Probe, ...], data.get("probe", []), "probe", mistakes)
    if mistakes:
        raise ConfigError(f"The probes {path} have mistakes: {'; '.join(mistakes)}.", "Correct them all.")
    return tuple(probes)


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_bytes().decode("utf-8"))
    except FileNotFoundError:
        raise ConfigError(f"The configuration {path} does not exist.", "Check --config.") from None
    except OSError as error:
        raise ConfigError(f"The configuration {path} cannot be read: {error.strerror}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} is not valid TOML: {error}.") from error


def _table(kind: type[Any], data: object, where: str, mistakes: list[str]) -> Any:
    """Build the dataclass ``kind`` from a TOML table, collecting every mistake instead of stopping at the first."""
    if not isinstance(data, dict):
        mistakes.append(f"{where} must be a table")
        return kind()
    hints = get_type_hints(kind)
    known = [item.name for item in fields(kind) if item.name != "origin"]
    prefix = f"{where}." if where else ""
    mistakes += [f"unknown key {prefix}{key}" for key in data if key not in known]
    if kind is Probe:
        return _probe(data, where, mistakes)
    values = {key: _value(hints[key], data[key], prefix + key, mistakes) for key in known if key in data}
    if kind is PromoteRule:
        mistakes += _rule_mistakes(values, where)
    return kind(**values)


def _value(kind: Any, data: object, where: str, mistakes: list[str]) -> Any:
    if is_dataclass(kind) and isinstance(kind, type):
        return _table(kind, data, where, mistakes)
    if get_origin(kind) is tuple:
        if not isinstance(data, list):
            mistakes.append(f"{where} must be a list")
            return ()
        return tuple(_value(get_args(kind)[0], item, f"{where}[{n}]", mistakes) for n, item in enumerate(data, 1))
    if get_origin(kind) is Mapping:
        if not isinstance(data, dict) or any(mode not in ("single", "multi") for mode in data.values()):
            mistakes.append(f'{where} must map attributes to "single" or "multi"')
            return {}
        return dict(data)
    plain = next(item for item in (*get_args(kind), kind) if item is not type(None) and isinstance(item, type))
    if plain is Path and isinstance(data, str):
        return Path(data)
    if plain is float and isinstance(data, int) and not isinstance(data, bool):
        return float(data)
    if not isinstance(data, plain) or (isinstance(data, bool) and plain is not bool):
        mistakes.append(f"{where} must be {_NAMES.get(plain, 'text')}")
        return None
    return data


def _probe(data: dict[str, Any], where: str, mistakes: list[str]) -> Probe:
    for key in ("user", "attribute"):
        if not isinstance(data.get(key), str):
            mistakes.append(f"{where}.{key} must be text")
    chosen = [key for key in ("expect", "absent", "count") if key in data]
    if len(chosen) != 1:
        mistakes.append(f"{where} must have exactly one of expect, absent and count")
    for key in chosen:
        wanted: type = int if key == "count" else str
        if not isinstance(data[key], wanted) or isinstance(data[key], bool):
            mistakes.append(f"{where}.{key} must be {_NAMES[wanted]}")
    as_of = None
    if "as_of" in data:
        try:
            as_of = parse_when(str(data["as_of"]))
        except UsageError:
            mistakes.append(f"{where}.as_of must be a date or Unix seconds")
    return Probe(
        str(data.get("user")),
        str(data.get("attribute")),
        data.get("expect"),
        data.get("absent"),
        data.get("count"),
        as_of,
    )


def _rule_mistakes(values: dict[str, Any], where: str) -> list[str]:
    mistakes = [f"{where}.{key} is missing" for key in ("attribute", "pattern") if not values.get(key)]
    try:
        compiled = re.compile(values.get("pattern") or "")
    except (re.error, OverflowError, RecursionError) as error:
        return [*mistakes, f"{where}.pattern is not a regular expression: {error}"]
    if values.get("value") is None and "value" not in compiled.groupindex:
        mistakes.append(f"{where} needs a value, or a named group (?P<value>…) in its pattern")
    return mistakes
