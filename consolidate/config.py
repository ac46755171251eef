"""The configuration: TOML, strict, all mistakes reported at once (DESIGN section 6)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

from consolidate.errors import ConfigError, UsageError
from consolidate.model import Probe
from consolidate.times import parse_when

DEFAULT_PATH = Path("/etc/consolidate/consolidate.toml")


@dataclass(frozen=True)
class StoreSettings:
    """``[store]``: loadable SQLite extensions the application's schema needs."""

    extensions: tuple[str, ...] = ()


@dataclass(frozen=True)
class SourceSettings:
    """``[sources]``: ``rank`` lists sources, lowest first; a source not listed ranks lowest (DESIGN section 3)."""

    rank: tuple[str, ...] = ("inferred", "user")


@dataclass(frozen=True)
class PromoteRule:
    """``[[promote.rules]]``: a regular expression over the summaries of one user's episodes.

    A named group ``value`` gives the value; otherwise ``value`` does. ``min_support`` and ``min_days`` override the
    general ones for this rule.
    """

    attribute: str = ""
    value: str | None = None
    pattern: str = ""
    multi: bool = False
    min_support: int | None = None
    min_days: int | None = None


@dataclass(frozen=True)
class PromoteSettings:
    """``[promote]``: the summariser and the conditions a candidate must meet (DESIGN section 3)."""

    summariser: str = "rules"
    min_support: int = 2
    min_days: int = 1
    max_per_user: int = 20
    max_per_run: int = 10_000
    rules: tuple[PromoteRule, ...] = ()


@dataclass(frozen=True)
class ReviewSettings:
    """``[review]``: whether pairs of facts that may say the same are proposed, and how far a night goes with that.

    ``max_new_facts`` and ``max_per_run`` are per run, the latest of the new facts and proposals; ``max_per_group`` is the number
    of latest values of one attribute of one user that are compared.
    """

    near_duplicates: bool = True
    max_new_facts: int = 1_000
    max_per_group: int = 200
    max_per_run: int = 100


@dataclass(frozen=True)
class StepSettings:
    """``[steps]``: extra steps, each ``package.module:callable``, run on the shadow after promote."""

    extra: tuple[str, ...] = ()


@dataclass(frozen=True)
class VerifySettings:
    """``[verify]``: how far a night may go before it is a problem or a notice (DESIGN section 5)."""

    max_shrink: float = 0.5
    anomaly_factor: float = 10.0


@dataclass(frozen=True)
class SwapSettings:
    """``[swap]``: the way of swapping and how long to wait for a lock, in seconds (DESIGN section 4)."""

    mode: str = "auto"
    lock_timeout: float = 30.0


@dataclass(frozen=True)
class RetentionSettings:
    """``[retention]``: how many files of each kind are kept per tenant, for how many days, and how large they may be together."""

    keep_pre: int = 7
    keep_rejected: int = 14
    keep_undone: int = 7
    max_days: float | None = None
    max_megabytes: float | None = None


@dataclass(frozen=True)
class AlertSettings:
    """``[alert]``: a command that gets the JSON of each rejected or failed run on stdin, and of runs with notices if asked.

    ``timeout`` is how long it may take, in seconds.
    """

    command: tuple[str, ...] = ()
    notices: bool = False
    timeout: float = 30.0


@dataclass(frozen=True)
class MetricsSettings:
    """``[metrics]``: where a text file for Prometheus is written after each night."""

    textfile: Path | None = None


@dataclass(frozen=True)
class Settings:
    """The whole configuration; every default is the one of DESIGN section 6."""

    root: Path | None = None
    store: StoreSettings = field(default_factory=StoreSettings)
    attributes: Mapping[str, str] = field(default_factory=dict)
    sources: SourceSettings = field(default_factory=SourceSettings)
    promote: PromoteSettings = field(default_factory=PromoteSettings)
    review: ReviewSettings = field(default_factory=ReviewSettings)
    steps: StepSettings = field(default_factory=StepSettings)
    verify: VerifySettings = field(default_factory=VerifySettings)
    swap: SwapSettings = field(default_factory=SwapSettings)
    retention: RetentionSettings = field(default_factory=RetentionSettings)
    alert: AlertSettings = field(default_factory=AlertSettings)
    metrics: MetricsSettings = field(default_factory=MetricsSettings)
    probe: tuple[Probe, ...] = ()
    origin: Path | None = None


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
    settings = _table(Settings, _read_toml(path), "", mistakes)
    mistakes += _contradictions(settings) if not mistakes else []
    if mistakes:
        raise ConfigError(f"The configuration {path} has mistakes: {'; '.join(mistakes)}.", "Correct them all.")
    values = {item.name: getattr(settings, item.name) for item in fields(settings)} | {"origin": path}
    return Settings(**values)


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


def _contradictions(settings: Settings) -> list[str]:
    """Return what is wrong with settings whose types are right."""
    mistakes = []
    promote, retention, review = settings.promote, settings.retention, settings.review
    if settings.swap.mode not in ("auto", "rename", "in-place"):
        mistakes.append("swap.mode must be auto, rename or in-place")
    if not 0 <= settings.swap.lock_timeout <= 86_400:
        mistakes.append("swap.lock_timeout must lie between 0 and 86400 seconds")
    if not 0 <= settings.verify.max_shrink <= 1:
        mistakes.append("verify.max_shrink must lie between 0 and 1")
    for key, limit in (("max_days", retention.max_days), ("max_megabytes", retention.max_megabytes)):
        if limit is not None and not limit >= 0:
            mistakes.append(f"retention.{key} must be at least 0")
    if not 0 < settings.alert.timeout <= 3600:
        mistakes.append("alert.timeout must lie between 0 and 3600 seconds")
    if settings.alert.notices and not settings.alert.command:
        mistakes.append("alert.notices needs an alert.command")
    if not settings.verify.anomaly_factor > 0:
        mistakes.append("verify.anomaly_factor must be above 0")
    if len(set(settings.sources.rank)) != len(settings.sources.rank):
        mistakes.append("sources.rank names a source twice")
    least = {
        "promote.min_support": (promote.min_support, 1),
        "promote.min_days": (promote.min_days, 1),
        "promote.max_per_user": (promote.max_per_user, 0),
        "promote.max_per_run": (promote.max_per_run, 0),
        "review.max_new_facts": (review.max_new_facts, 1),
        "review.max_per_group": (review.max_per_group, 2),
        "review.max_per_run": (review.max_per_run, 0),
        "retention.keep_pre": (retention.keep_pre, 1),
        "retention.keep_rejected": (retention.keep_rejected, 0),
        "retention.keep_undone": (retention.keep_undone, 0),
    }
    for number, rule in enumerate(promote.rules, 1):
        for key in ("min_support", "min_days"):
            if getattr(rule, key) is not None:
                least[f"promote.rules[{number}].{key}"] = (getattr(rule, key), 1)
    mistakes += [f"{key} must be at least {floor}" for key, (value, floor) in least.items() if value < floor]
    if not (promote.summariser in ("rules", "llm") or ":" in promote.summariser):
        mistakes.append('promote.summariser must be "rules", "llm" or "package.module:callable"')
    mistakes += [
        f"steps.extra: {name} is not package.module:callable" for name in settings.steps.extra if ":" not in name
    ]
    return mistakes
