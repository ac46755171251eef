"""What the model summariser is configured by: keys, environment, the SDK; and what mistakes are told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import apsw
import pytest

from consolidate.config import PromoteSettings
from consolidate.model import Episode
from consolidate.steps.candidates import collect
from tests.llm import AISLE, ENVIRONMENT, config, model_store, night, notices, promoted
from tests.model_server import proposing, serving
from tests.night import NOW, SCHEMA, Store, command

NO_KEY = {"CONSOLIDATE_LLM_API_KEY": "", "OPENAI_API_KEY": ""}


def test_key_is_taken_from_the_first_place_that_has_one(tmp_path: Path) -> None:
    credentials = tmp_path / "credentials"
    credentials.mkdir()
    (tmp_path / "key").write_text("from-file\n")
    places = [{"CREDENTIALS_DIRECTORY": str(credentials)}, {"OPENAI_API_KEY": "from-openai"}]
    with serving(proposing(AISLE)) as server:
        store = model_store(tmp_path, server, f'api_key_file = "{tmp_path / "key"}"\n')
        env = dict(NO_KEY)
        night(store, "--dry-run", env=env)
        env |= places[0]
        night(store, "--dry-run", env=env)
        (credentials / "consolidate.model-key").write_text("from-credential\n")
        night(store, "--dry-run", env=env)
        env |= places[1]
        night(store, "--dry-run", env=env)
        night(store, "--dry-run", env=env | {"CONSOLIDATE_LLM_API_KEY": "from-own"})
    keys = [asked.headers["authorization"] for asked in server.asked]
    assert keys == [f"Bearer from-{place}" for place in ("file", "file", "credential", "openai", "own")]


@pytest.mark.parametrize("content", ["two words", "nön-ascii", "tab\there"])
def test_what_is_no_key_is_not_sent_and_not_shown(tmp_path: Path, content: str) -> None:
    (tmp_path / "key").write_text(content, "utf-8")
    with serving(proposing(AISLE)) as server:
        store = model_store(tmp_path, server, f'api_key_file = "{tmp_path / "key"}"\n')
        finished = night(store, env=NO_KEY)
    assert not server.asked and "what the file promote.llm.api_key_file holds is not a key" in finished.out
    assert content not in finished.out + finished.err


def test_environment_says_where_and_which_model(tmp_path: Path) -> None:
    with serving(proposing(AISLE)) as server:
        store = model_store(tmp_path, server)
        store.config = '[promote]\nsummariser = "llm"\n[promote.llm]\nbase_url = "http://127.0.0.1:9/v1"\n'
        env = {"CONSOLIDATE_LLM_BASE_URL": server.url, "CONSOLIDATE_LLM_MODEL": "of-the-environment"}
        night(store, env=env | {"OPENAI_BASE_URL": "http://127.0.0.1:10/v1"})
        store.config = store.config.replace('base_url = "http://127.0.0.1:9/v1"', 'model = "another"')
        night(store, now=NOW + 1, env={"OPENAI_BASE_URL": server.url})
    assert [asked.body["model"] for asked in server.asked] == ["of-the-environment", "another"]


def test_nothing_of_a_call_is_logged_however_loud_the_sdk_is_set(tmp_path: Path) -> None:
    with serving(proposing(AISLE)) as server:
        store = model_store(tmp_path, server)
        finished = night(store, env={"OPENAI_LOG": "debug", "CONSOLIDATE_DEBUG": "1"})
    assert promoted(store)
    assert "aisle" not in finished.err and "maya" not in finished.err and "Bearer" not in finished.err


def test_missing_sdk_is_a_mistake_of_the_configuration(tmp_path: Path) -> None:
    (tmp_path / "shadowing").mkdir()
    (tmp_path / "shadowing" / "openai.py").write_text("raise ModuleNotFoundError('No module named openai')\n")
    with serving(proposing(AISLE)) as server:
        store = model_store(tmp_path, server)
        finished = store.night(env=ENVIRONMENT | {"PYTHONPATH": str(tmp_path / "shadowing")})
    assert finished.status == 78 and "pip install 'consolidate[llm]'" in finished.err
    assert "Traceback" not in finished.err and not server.asked


def test_all_mistakes_are_told_at_once(tmp_path: Path) -> None:
    text = """
[promote]
summariser = "llm"
grounded = "yes"
[promote.llm]
api_key = "sk-1"
"""
    store = Store(tmp_path / "tenants", config=text)
    finished = store.night()
    assert finished.status == 78
    assert (
        "unknown key promote.llm.api_key" in finished.err and "promote.grounded must be true or false" in finished.err
    )
    assert "sk-1" not in finished.err
    store.config = """
[promote]
summariser = "rules"
[promote.llm]
base_url = "http://me:secret@host/v1"
credential = "../key"
response_format = "xml"
output_limit = "tokens"
timeout = 0
temperature = 3.0
input_price = nan
attributes = [" "]
chunk_tokens = 5
[promote.confirm]
model = "large"
share = 1.5
min = -1
output_price = -1.0
base_url = "ftp://host"
"""
    finished = store.night()
    assert finished.status == 78 and "secret" not in finished.err
    for part in (
        "llm.base_url must be", "llm.credential must be", "llm.response_format must be", "llm.output_limit must be",
        "llm.timeout must lie", "llm.temperature must lie", "llm.input_price must be", "llm.attributes names",
        "llm.chunk_tokens must be at least 100", 'confirm needs promote.summariser = "llm"', "confirm.share must lie",
        "confirm.min must be at least 0", "confirm.output_price must be", "confirm.base_url must be",
    ):  # fmt: skip
        assert f"promote.{part}" in finished.err, part
    store.config = '[promote]\nsummariser = "llm"\n'
    assert "promote.llm.model is missing" in store.night().err


def test_caps_keep_users_for_another_night(tmp_path: Path) -> None:
    with serving(proposing(AISLE)) as server:
        store = Store(tmp_path / "tenants", config=config(server, "max_calls = 2\n", "min_support = 1\n"))
        for number in range(5):
            store.episode(f"e{number}", "An aisle seat", day=1, user=f"user{number}")
        runs = [night(store, now=NOW + day).run for day in range(4)]
    assert [run["model"]["calls"] for run in runs] == [2, 2, 1, 0]
    assert [run["model"]["not_asked"] for run in runs] == [3, 1, 0, 0]
    assert [run["actions"]["promote"] for run in runs] == [2, 2, 1, 0]
    told = "3 users were not asked for tonight: the cap of 2 calls (promote.llm.max_calls) is reached."
    assert notices(runs[0]) == [("summariser_not_asked", None, told)]


def test_users_whom_a_cap_leaves_out_are_not_always_the_same() -> None:
    def order(turn: str) -> list[str]:
        asked: list[str] = []

        def summarise(user_id: str, episodes: Sequence[Episode]) -> list[Mapping[str, Any]]:
            assert {episode.user_id for episode in episodes} == {user_id} and len(episodes) == 2
            asked.append(user_id)
            return []

        db = apsw.Connection(":memory:")
        db.execute(SCHEMA).fetchall()
        rows = [(f"{user}{n}", user, n, "x") for n in range(2) for user in users]
        db.executemany("INSERT INTO episodes VALUES (?, ?, ?, ?)", rows)
        db.execute("ATTACH ':memory:' AS scratch")
        collect(db, "scratch", PromoteSettings(), summarise, {}, NOW, turn)
        return asked

    users = ["alma", "bo", "carl", "東京"]
    orders = {tuple(order(f"run {number}")) for number in range(40)}
    assert orders == {(*users[n:], *users[:n]) for n in range(len(users))}


def test_user_whose_calls_do_not_fit_is_not_asked_by_half_and_others_are(tmp_path: Path) -> None:
    with serving(proposing(AISLE)) as server:
        settings = "max_calls = 1\nchunk_tokens = 100\n"
        store = Store(tmp_path / "tenants", config=config(server, settings, "min_support = 1\n"))
        for number in range(4):
            store.episode(f"a{number}", "An aisle seat " + "and again " * 12, day=number, user="alma")
        store.episode("z", "An aisle seat", day=1, user="zoe")
        run = night(store).run
    assert len(server.asked) == 1 and promoted(store, "zoe") and not promoted(store, "alma")
    assert run["model"]["not_asked"] == 1


def test_cap_on_tokens_counts_what_the_endpoint_reports(tmp_path: Path) -> None:
    with serving(proposing(AISLE)) as server:
        settings = "max_output_tokens = 500\nmax_tokens = 2800\n"
        store = Store(tmp_path / "tenants", config=config(server, settings, "min_support = 1\n"))
        for number in range(5):
            store.episode(f"e{number}", "An aisle seat", day=1, user=f"user{number}")
        run = night(store).run
    # Each call is reported as 1100 tokens; a third one might have taken more than the 600 that are left.
    assert run["model"]["calls"] == 2 and run["model"]["input_tokens"] + run["model"]["output_tokens"] == 2200
    assert "the cap of 2800 tokens (promote.llm.max_tokens) is reached" in notices(run)[0][2]


def test_light_run_asks_nobody(tmp_path: Path) -> None:
    with serving(proposing(AISLE)) as server:
        run = night(model_store(tmp_path, server), "--light").run
    assert not server.asked and "model" not in run


def test_people_are_told_what_it_cost(tmp_path: Path) -> None:
    with serving(proposing(AISLE)) as server:
        store = model_store(tmp_path, server, "input_price = 2.0\n")
        finished = command(
            "nightly", "--root", str(store.root), "--tenant", "acme", "--config", str(store.config_path),
            "--now", str(NOW), env=ENVIRONMENT,
        )  # fmt: skip
    assert "model: 1 call, 1000 input and 100 output tokens, cost 0.002" in finished.out
