"""Every way in which a call can fail costs that user's promotion tonight, is a notice, and is tried again."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.llm import AISLE, ENVIRONMENT, config, model_store, night, notices, promoted
from tests.model_server import Answer, Asked, Script, completion, proposing, serving
from tests.night import NOW, Store

SECRET = "aisle seat"


def answering(make: Callable[[Asked], Answer], user: str = "") -> Script:
    """Return a script that makes these answers, to all or only where `user` occurs; to the others as it should be."""
    return lambda asked: make(asked) if asked.aliases(user) else proposing(AISLE)(asked)


def candidate(asked: Asked, **changes: Any) -> Answer:
    """Answer as it should be, but for changes of the candidate."""
    found = AISLE | {"multi": False, "evidence": asked.aliases("aisle")} | changes
    return completion({"user": asked.user, "candidates": [found]})


def good(asked: Asked) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(proposing(AISLE)(asked).body["choices"][0]["message"]["content"])
    return found


BAD: dict[str, tuple[Callable[[Asked], Answer], str]] = {
    "bad request": (lambda a: Answer({"error": {"message": SECRET}}, 400), "answered with HTTP 400"),
    "server error": (lambda a: Answer({"error": {"message": SECRET}}, 500), "answered with HTTP 500"),
    "rate limit": (lambda a: Answer({"error": {"message": SECRET}}, 429), "answered with HTTP 429"),
    "redirect": (lambda a: Answer(b"", 307, {"Location": "http://127.0.0.1:1/v1/x"}), "answered with HTTP 307"),
    "not json": (lambda a: Answer(b"<html>" + SECRET.encode(), 200, {"Content-Type": "text/html"}), "not JSON"),
    "not a completion": (lambda a: Answer([SECRET]), "not a chat completion"),
    "no choices": (lambda a: Answer({"choices": []}), "not a chat completion"),
    "choices of text": (lambda a: Answer({"choices": [SECRET]}), "not a chat completion"),
    "connection lost": (lambda a: replace(proposing(AISLE)(a), cut=True), "did not arrive whole"),
    "flood": (lambda a: Answer(b" " * (9 << 20)), "too large"),
    "half a body": (lambda a: Answer(b'{"choices": [{', 200), "not JSON"),
    "refusal": (lambda a: completion(None, refusal=SECRET), "refused to answer"),
    "content filter": (lambda a: completion("", "content_filter"), "refused to answer"),
    "truncated": (lambda a: completion('{"user": "', "length"), "cut off"),
    "truncated where it parses": (lambda a: completion(good(a), "length"), "cut off"),
    "not finished": (lambda a: completion(good(a), None), "not finished text"),
    "tool call": (lambda a: completion(None, "tool_calls"), "not finished text"),
    "content that is a list": (lambda a: _with_content(a, [good(a)]), "not finished text"),
    "prose": (lambda a: completion(f"She likes the {SECRET}."), "is not JSON"),
    "fenced where json is asked for": (lambda a: completion(f"```json\n{json.dumps(good(a))}\n```"), "is not JSON"),
    "deep json": (lambda a: completion("[" * 100_000), "is not JSON"),
    "key twice": (lambda a: completion('{"user": "x", ' + json.dumps(good(a))[1:]), "is not JSON"),
    "a list": (lambda a: completion([good(a)]), "other keys"),
    "unknown key": (lambda a: completion(good(a) | {"note": SECRET}), "other keys"),
    "key missing": (lambda a: completion({"user": a.user}), "other keys"),
    "candidates of wrong type": (lambda a: completion({"user": a.user, "candidates": {}}), "wrong type"),
    "candidate is text": (lambda a: completion({"user": a.user, "candidates": [SECRET]}), "other keys"),
    "candidate with unknown key": (lambda a: candidate(a, min_support=1), "other keys"),
    "value is a number": (lambda a: candidate(a, value=5), "wrong type"),
    "attribute is null": (lambda a: candidate(a, attribute=None), "wrong type"),
    "multi is a number": (lambda a: candidate(a, multi=1), "wrong type"),
    "evidence is text": (lambda a: candidate(a, evidence="E1"), "wrong type"),
    "evidence is numbers": (lambda a: candidate(a, evidence=[1, 2]), "wrong type"),
    "invented id": (lambda a: candidate(a, evidence=["E1", "E99"]), "episode that was not shown"),
    "id of the store": (
        lambda a: candidate(a, evidence=["id-of-the-store1", "id-of-the-store2"]),
        "episode that was not shown",
    ),
    "id of another user": (lambda a: candidate(a, evidence=["tom1", "tom2"]), "episode that was not shown"),
    "another user": (lambda a: completion(good(a) | {"user": "U-000000000000"}), "about another user"),
    "a user of the store": (lambda a: completion(good(a) | {"user": "a user of the store"}), "about another user"),
}


def _with_content(asked: Asked, content: Any) -> Answer:
    answer = completion("")
    answer.body["choices"][0]["message"]["content"] = content
    return answer


def test_each_failure_costs_only_that_users_promotion_tonight(tmp_path: Path) -> None:
    def script(asked: Asked) -> Answer:
        how = asked.block()[0]["text"].partition(":")[0]
        return BAD[how][0](asked) if how in BAD else proposing(AISLE)(asked)

    with serving(script) as server:
        store = Store(tmp_path / "tenants", config=config(server, "max_failures = 100\n"))
        for how in (*BAD, "tom"):
            for day in (1, 2):
                store.episode(f"{how}{day}".replace(" ", "-"), f"{how}: took an {SECRET}", day=day, user=how)
        store.fact("old", "Boston", day=1)
        store.fact("new", "Austin", day=2)
        finished = night(store)
        run = finished.run
        told = {str(user): (kind, message) for kind, user, message in notices(run)}
        assert told.keys() == BAD.keys() and {kind for kind, _ in told.values()} == {"summariser_failed"}
        assert not {how: told[how] for how, (_, part) in BAD.items() if part not in told[how][1]}
        assert run["actions"]["promote"] == 1 and promoted(store, "tom") and run["actions"]["supersede"] == 1
        assert (run["model"]["failed"], run["model"]["calls"]) == (len(BAD), len(BAD) + 1)
        assert SECRET not in finished.err and SECRET not in finished.out
        server.script, server.asked = proposing(AISLE), []
        again = night(store, now=NOW + 1).run
        assert again["actions"]["promote"] == len(server.asked) == len(BAD)
        assert night(store, now=NOW + 2).run["model"]["calls"] == 0


def test_answers_mixed_up_between_users_are_noticed(tmp_path: Path) -> None:
    """As by a cache that takes two calls for the same one: whose answer it is stands in the answer."""
    answers: list[Answer] = []

    def script(asked: Asked) -> Answer:
        answers.append(proposing(AISLE)(asked))
        return answers[0]

    with serving(script) as server:
        store = model_store(tmp_path, server)
        for day in (1, 2):
            store.episode(f"tom{day}", "Tom took an aisle seat", day=day, user="tom")
        run = night(store).run
    ((_, user, message),) = notices(run)
    assert "another user" in message and user in ("maya", "tom")
    assert [other for other in ("maya", "tom") if not promoted(store, other)] == [user]


def test_one_chunk_that_fails_costs_the_whole_user(tmp_path: Path) -> None:
    def script(asked: Asked) -> Answer:
        return proposing(AISLE)(asked) if len(server.asked) < 2 else completion("", "length")

    with serving(script) as server:
        store = model_store(tmp_path, server, "chunk_tokens = 100\n")
        store.episode("e4", "Asked for an aisle seat " + "and a blanket " * 10, day=4)
        run = night(store).run
    assert run["model"]["calls"] == 2 and run["model"]["failed"] == 1
    assert not promoted(store) and notices(run)[0][:2] == ("summariser_failed", "maya")


def test_429_is_tried_again_as_retry_after_says(tmp_path: Path) -> None:
    def script(asked: Asked) -> Answer:
        if len(server.asked) == 1:
            return Answer({"error": {}}, 429, {"Retry-After": "1"})
        return proposing(AISLE)(asked)

    with serving(script) as server:
        store = model_store(tmp_path, server, "max_retries = 1\n")
        run = night(store).run
    first, second = server.asked
    assert first.text == second.text and second.headers["x-stainless-retry-count"] == "1"
    assert promoted(store) and run["model"]["calls"] == 1 and not run["notices"]


def test_server_errors_are_tried_again_so_often_and_no_more(tmp_path: Path) -> None:
    with serving(lambda asked: Answer({"error": {}}, 503, {"Retry-After": "0.01"})) as server:
        run = night(model_store(tmp_path, server, "max_retries = 2\n")).run
    assert len(server.asked) == 3
    assert run["model"]["calls"] == 1 and run["model"]["failed"] == 1 and run["model"]["cost"] == 0
    assert "HTTP 503" in notices(run)[0][2]


def test_server_that_never_answers(tmp_path: Path) -> None:
    with serving(lambda asked: Answer(hang=True)) as server:
        store = model_store(tmp_path, server, "timeout = 0.2\n")
        run = night(store).run
        assert "did not answer within 0.2 seconds" in notices(run)[0][2]
        assert run["model"]["failed"] == 1 and run["model"]["input_tokens"] > 0
        server.script = proposing(AISLE)
        store.config = config(server)
        night(store, now=NOW + 1)
    assert promoted(store)


def test_server_that_is_not_there(tmp_path: Path) -> None:
    with serving(proposing(AISLE)) as server:
        store = model_store(tmp_path, server)
    run = night(store).run
    assert "cannot be reached" in notices(run)[0][2]


@pytest.mark.parametrize("status", [401, 403, 404])
def test_refused_key_or_unknown_model_is_asked_for_once(tmp_path: Path, status: int) -> None:
    users = ("maya", "tom", "zoe")
    with serving(lambda asked: Answer({"error": {"message": "no"}}, status)) as server:
        store = model_store(tmp_path, server)
        for user in users[1:]:
            store.episode(f"of-{user}", "Took an aisle seat", day=1, user=user)
        run = night(store).run
        assert len(server.asked) == 1
        failed, not_asked = notices(run)
        assert failed[0] == "summariser_failed" and failed[1] in users
        told = f"2 users were not asked for tonight: the model's endpoint answered with HTTP {status}."
        assert not_asked == ("summariser_not_asked", None, told)
        assert run["model"]["asked"] == 1 and run["model"]["not_asked"] == 2
        server.script = proposing(AISLE)
        night(store, now=NOW + 1)
    assert len(server.asked) == 4 and promoted(store)


def test_endpoint_that_fails_again_and_again_is_left_alone(tmp_path: Path) -> None:
    with serving(lambda asked: Answer({"error": {}}, 500)) as server:
        store = Store(tmp_path / "tenants", config=config(server, "max_failures = 2\n"))
        for number in range(6):
            store.episode(f"e{number}", "aisle", day=1, user=f"user{number}")
        run = night(store).run
    assert len(server.asked) == 2 and run["model"]["not_asked"] == 4
    assert "failed 2 times in a row" in notices(run)[-1][2]


def test_users_whose_answers_are_bad_do_not_keep_others_from_being_asked(tmp_path: Path) -> None:
    with serving(answering(lambda asked: completion("no"), "bad")) as server:
        store = Store(tmp_path / "tenants", config=config(server, "max_failures = 1\n", "min_support = 1\n"))
        for number in range(4):
            store.episode(f"e{number}", "bad" if number < 3 else "An aisle seat", day=1, user=f"user{number}")
        night(store)
    assert len(server.asked) == 4 and promoted(store, "user3")


def test_nobody_is_asked_without_a_key(tmp_path: Path) -> None:
    with serving(proposing(AISLE)) as server:
        store = model_store(tmp_path, server)
        run = night(store, env={"CONSOLIDATE_LLM_API_KEY": ""}).run
        assert not server.asked and run["outcome"] == "unchanged"
        ((kind, user, message),) = notices(run)
        assert (kind, user) == ("summariser_not_asked", None)
        assert "1 user was not asked for tonight: there is no key" in message and "OPENAI_API_KEY" in message
        night(store, now=NOW + 1)
    assert promoted(store)


def test_store_that_nobody_touched_is_looked_at_again_after_a_failure(tmp_path: Path) -> None:
    """A night over a whole root passes over such stores; not over one whose users are still to be asked for."""

    def whole_night(now: float, key: str) -> None:
        from tests.night import command

        finished = command(
            "nightly", "--root", str(store.root), "--all", "--config", str(store.config_path), "--now", str(now),
            env=ENVIRONMENT | {"CONSOLIDATE_LLM_API_KEY": key},
        )  # fmt: skip
        assert finished.status == 0, finished.err

    with serving(proposing(AISLE)) as server:
        store = model_store(tmp_path, server)
        for day in range(2):
            whole_night(NOW + day, "")
        whole_night(NOW + 2, "a-key")
    assert promoted(store) and len(server.asked) == 1
