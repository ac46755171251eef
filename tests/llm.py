"""Nights with the model summariser, for its tests."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.model_server import KEY, ModelServer
from tests.night import NOW, Finished, Store

AISLE = {"attribute": "seat_preference", "value": "aisle seat", "evidence": "aisle"}
ENVIRONMENT = {"CONSOLIDATE_LLM_API_KEY": KEY, "OPENAI_API_KEY": "", "OPENAI_BASE_URL": "", "NO_PROXY": "127.0.0.1"}


def model_store(tmp_path: Path, server: ModelServer, settings: str = "", promote: str = "", confirm: str = "") -> Store:
    """Return a store with two episodes of maya, whose nights ask the server."""
    store = Store(tmp_path / "tenants", config=config(server, settings, promote, confirm))
    for day in (1, 3):
        store.episode(f"e{day}", f"Asked for an aisle seat, time {day}.", day=day)
    return store


def config(server: ModelServer, settings: str = "", promote: str = "", confirm: str = "") -> str:
    """Return a configuration; the three texts are lines of its tables."""
    retries = "" if "max_retries" in settings else "max_retries = 0\n"
    return (
        f'[promote]\nsummariser = "llm"\n{promote}\n'
        f'[promote.llm]\nbase_url = "{server.url}"\nmodel = "small"\n{retries}{settings}\n'
        f"[promote.confirm]\n{confirm}\n"
    )


def night(store: Store, *arguments: str, now: float = NOW, env: Mapping[str, str] | None = None) -> Finished:
    """Run a night that ends with status 0, whatever the model does."""
    finished = store.night(*arguments, now=now, env=ENVIRONMENT | dict(env or {}))
    assert finished.status == 0, finished.out + finished.err
    return finished


def promoted(store: Store, user: str = "maya") -> list[Any]:
    """Return attribute, value and evidence of what was promoted for a user."""
    rows = store.sql(
        "SELECT attribute, value, evidence FROM facts WHERE id LIKE 'promoted-%' AND user_id = ? ORDER BY attribute, value",
        (user,),
    )
    return [tuple(row) for row in rows]


def notices(run: Mapping[str, Any]) -> list[tuple[str, str | None, str]]:
    return [(item["kind"], item["user_id"], item["message"]) for item in run["notices"]]
