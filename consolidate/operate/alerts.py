"""Telling somebody: the operator's own command gets JSON on its stdin (DESIGN section 6, ``[alert]``).

What goes out holds ids and counts, as the log does. An alert that fails is reported and changes nothing else.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from consolidate.config import AlertSettings
from consolidate.model import Outcome, RunRecord
from consolidate.operate.status import TenantStatus


def is_worth_one(record: RunRecord, settings: AlertSettings) -> bool:
    """Tell whether a run is something to alert a person of; what another night did is told of by that night."""
    if not settings.command or any(notice.kind == "shared" for notice in record.notices):
        return False
    return record.outcome in (Outcome.REJECTED, Outcome.FAILED) or bool(settings.notices and record.notices)


def of_run(record: RunRecord, store: Path) -> dict[str, Any]:
    """Return what is told of a run: its JSON, and where its store is."""
    return {**record.as_json(), "store": str(store)}


def of_unit(unit: str, environment: Mapping[str, str], found: Sequence[TenantStatus]) -> dict[str, Any]:
    """Return what is told of a unit that systemd says has failed.

    Args:
        unit: its name.
        environment: what systemd passes about it, as ``MONITOR_*`` variables.
        found: the tenants' status.
    """
    told = {
        name.removeprefix("MONITOR_").lower(): value
        for name, value in environment.items()
        if name.startswith("MONITOR_")
    }
    rejected = [str(Path(item.path).with_name(name)) for item in found for name in item.rejected]
    needy = [
        {"tenant": item.tenant, "state": item.state, "reasons": item.reasons} for item in found if item.needs_a_person
    ]
    return {"alert": "unit", "unit": unit, **told, "tenants": needy, "rejected": rejected}


def send(document: Mapping[str, Any], settings: AlertSettings) -> str | None:
    """Hand a document to the operator's command.

    Returns:
        None if the command did its work, else a sentence that says what went wrong.
    """
    name = settings.command[0]
    try:
        done = subprocess.run(
            settings.command,
            input=json.dumps(document, ensure_ascii=True).encode(),
            stdout=subprocess.DEVNULL,
            timeout=settings.timeout,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"The alert command {name} did not finish within {settings.timeout:g} seconds."
    except OSError as error:
        return f"The alert command {name} cannot be run: {error.strerror}."
    if done.returncode:
        return f"The alert command {name} ended with status {done.returncode}."
    return None
