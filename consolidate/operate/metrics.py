"""A text file for Prometheus' node exporter, written after each night (DESIGN section 6, ``[metrics]``)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from consolidate.errors import ConfigError, StorageError
from consolidate.model import Outcome
from consolidate.operate.status import TenantStatus

_PER_TENANT = (
    ("last_run_timestamp_seconds", "Time of the last recorded run.", lambda item: item.last.get("now")),
    ("last_good_timestamp_seconds", "Time of the last full night that went well.", lambda item: item.last_good),
    ("last_good_age_seconds", "Age of the last full night that went well.", lambda item: item.age),
    ("store_bytes", "Size of the store with its write-ahead log.", lambda item: item.bytes),
    ("kept_bytes", "Size of the copies kept beside the store.", lambda item: item.kept_bytes),
    ("facts", "Number of facts.", lambda item: item.facts),
    ("review_queue", "Facts that wait for a person's review.", lambda item: item.review),
    ("rejected_waiting", "Rejected copies that nobody has read.", lambda item: len(item.rejected)),
    ("notices", "Notices of the last run.", lambda item: len(item.last.get("notices") or ())),
    ("problems", "Problems of the last run.", lambda item: len(item.last.get("problems") or ())),
    ("late_rows", "Rows written by others during the last run.", lambda item: item.last.get("late_rows")),
    ("lock_seconds", "How long the last run locked the store.", lambda item: item.last.get("lock_seconds")),
    ("needs_a_person", "Whether the tenant needs a person.", lambda item: int(item.needs_a_person)),
)


def require() -> None:
    """Make sure that metrics can be written, before any work.

    Raises:
        ConfigError: the package is missing.
    """
    try:
        import prometheus_client  # noqa: F401
    except ImportError:
        raise ConfigError(
            "[metrics] textfile needs the package prometheus-client.", "Install consolidate[metrics]."
        ) from None


def write(path: Path, found: Sequence[TenantStatus]) -> None:
    """Replace the text file in one step.

    Args:
        path: the file; anybody may read it, since it holds tenants' names and figures only.
        found: the tenants.

    Raises:
        StorageError: it cannot be written.
    """
    from prometheus_client import CollectorRegistry, Gauge, write_to_textfile

    registry = CollectorRegistry()

    def gauge(name: str, text: str, *labels: str) -> Gauge:
        return Gauge(f"consolidate_{name}", text, ["tenant", *labels], registry=registry)

    for name, text, value_of in _PER_TENANT:
        metric = gauge(name, text)
        for item in found:
            _set(metric.labels(item.tenant), value_of(item))
    outcomes = gauge("last_run_outcome", "1 for the outcome of the last run.", "outcome")
    actions = gauge("actions", "Actions of the last run.", "action")
    seconds = gauge("run_seconds", "Duration of the last run, by stage.", "stage")
    for item in found:
        for outcome in Outcome:
            outcomes.labels(item.tenant, outcome.value).set(item.last.get("outcome") == outcome.value)
        for action, count in (item.last.get("actions") or {}).items():
            _set(actions.labels(item.tenant, action), count)
        for stage, taken in (item.last.get("seconds") or {}).items():
            _set(seconds.labels(item.tenant, stage), taken)
    try:
        write_to_textfile(str(path), registry)
        path.chmod(0o644)
    except OSError as error:
        raise StorageError(f"The metrics {path} cannot be written: {error.strerror}.", "Check its folder.") from error


def _set(metric: Any, value: object) -> None:
    if isinstance(value, (int, float)):
        metric.set(value)
