"""Runs of the job one after another in one warm process, each as `nightly` makes them, counted by how they ended.

Progress and the result are lines of JSON on stdout.
"""

from __future__ import annotations

import json
import logging
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import structlog

from consolidate.config import load_settings
from consolidate.operate.tenants import Tenant
from consolidate.run import rename
from consolidate.run.nightly import RunOptions, run_tenant


class _Watched:
    """The lease of a drain, which is refused as long as somebody still has the old file."""

    def __init__(self, lease: Any, counts: Counter[str]) -> None:
        self._lease = lease
        self._counts = counts
        self._met = False

    def take(self) -> bool:
        granted = bool(self._lease.take())
        if not granted and not self._met:
            self._met = True
            self._counts["met"] += 1
        return granted

    def release(self) -> None:
        self._lease.release()


def _watch_drains(counts: Counter[str]) -> None:
    drain: Callable[..., Any] = vars(rename)["_drain"]

    def watched(live: Any, lease: Any, *more: Any) -> Any:
        return drain(live, _Watched(lease, counts), *more)

    setattr(rename, "_drain", watched)  # noqa: B010 - the type checker must not see it


def main(root: str, tenant: str, config: str, swaps: int, both: bool) -> None:
    """Swap so often, and if ``both`` is set go on until each way was taken; counts go to stdout.

    Args:
        root: the folder of the tenants.
        tenant: the name of one.
        config: the configuration file.
        swaps: how many swaps to make.
        both: whether to go on until each of the two ways was taken.
    """
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    counts: Counter[str] = Counter()
    _watch_drains(counts)
    reasons: Counter[str] = Counter()
    settings = load_settings(Path(config))
    store = Tenant.of(Path(root), tenant)
    began = time.monotonic()
    while counts["swapped"] < swaps or (both and not (counts["rename"] and counts["in-place"])):
        record = run_tenant(store, settings, RunOptions(light=True)).record
        counts[record.outcome.value] += 1
        if record.swap:
            counts[record.swap.value] += 1
        counts["stragglers"] += sum(notice.kind == "straggler" for notice in record.notices)
        if record.outcome.value == "busy":
            reasons[f"{record.error} after {record.seconds['total']:.0f} s"] += 1
        if record.outcome.value not in ("swapped", "unchanged", "busy"):
            print(json.dumps({"fault": f"{record.outcome.value}: {record.error} {record.problems}"}), flush=True)
            break
        if time.monotonic() - began > 10:
            began = time.monotonic()
            print(json.dumps({"counts": counts}), flush=True)
    print(json.dumps({"done": counts, "reasons": reasons}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]), sys.argv[5] == "both")
