"""A second model confirms a sample of candidates before they are promoted; a value has to occur in what is cited."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from consolidate.steps.grounding import occurs_in
from consolidate.store.values import normal_form
from tests.llm import AISLE, ENVIRONMENT, model_store, night, notices, promoted
from tests.model_server import KEY, Answer, Asked, Script, completion, proposing, serving, verdicts
from tests.night import NOW, Store

ALL = 'model = "large"\nshare = 1.0\n'
PET = {"attribute": "pet", "value": "cat", "evidence": "cat"}


def judging(*supported: str, then: Script | None = None) -> Script:
    """Return a script whose second model supports these values and no others."""

    def script(asked: Asked) -> Answer:
        if not asked.is_confirmation:
            return (then or proposing(AISLE, PET))(asked)
        return completion({"user": asked.user, "verdicts": verdicts(asked, lambda claim: claim["value"] in supported)})

    return script


def with_pets(store: Store) -> Store:
    for day in (5, 6):
        store.episode(f"p{day}", f"Her cat was ill, {day}", day=day)
    return store


def test_candidate_that_is_not_confirmed_is_not_promoted(tmp_path: Path) -> None:
    with serving(judging("cat")) as server:
        store = with_pets(model_store(tmp_path, server, confirm=ALL + "input_price = 5.0\n"))
        run = night(store).run
        assert promoted(store) == [("pet", "cat", "p5 p6")]
        assert run["skipped"] == {"unconfirmed": 1}
        assert (run["model"]["confirmed"], run["model"]["unconfirmed"], run["model"]["calls"]) == (1, 1, 2)
        assert run["model"]["cost"] == 0.005
        asked, confirming = server.asked
        assert (asked.body["model"], confirming.body["model"]) == ("small", "large")
        assert [claim["value"] for claim in confirming.block("CLAIMS")] == ["aisle seat", "cat"]
        cited = {claim["value"]: claim["episodes"] for claim in confirming.block("CLAIMS")}
        texts = {line["id"]: line["text"] for line in confirming.block()}
        assert [texts[alias] for alias in cited["cat"]] == ["Her cat was ill, 5", "Her cat was ill, 6"]
        again = night(store, now=NOW + 1).run
        assert again["model"]["calls"] == 0 and again["outcome"] == "unchanged"


def test_what_would_not_be_promoted_anyhow_is_not_asked_about(tmp_path: Path) -> None:
    rare = {"attribute": "drink", "value": "tea", "evidence": "tea"}
    with serving(judging("cat", "aisle seat", then=proposing(AISLE, PET, rare))) as server:
        store = with_pets(model_store(tmp_path, server, confirm=ALL))
        store.episode("t", "Ordered tea", day=7)
        store.fact("known", "Aisle Seat.", day=0, attribute="seat_preference")
        store.tombstone("pet", "cat")
        run = night(store).run
    assert len(server.asked) == 1 and run["model"]["confirmed"] == 0
    assert run["skipped"] == {"already_stored": 1, "tombstoned": 1, "too_few_episodes": 1}


def test_sample_is_a_share_and_at_least_so_many(tmp_path: Path) -> None:
    colours = ("red", "blue", "green", "black", "white", "brown", "grey", "pink")
    candidates = [{"attribute": "colour", "value": name, "multi": True, "evidence": name} for name in colours]
    with serving(judging(then=proposing(*candidates))) as server:
        store = model_store(tmp_path, server, confirm='model = "large"\nshare = 0.0\nmin = 3\n')
        for day in (1, 2):
            store.episode(f"c{day}", f"Likes {' and '.join(colours)}, {day}", day=day)
        run = night(store).run
    assert run["skipped"] == {"unconfirmed": 3} and run["actions"]["promote"] == 5
    assert len(server.asked[1].block("CLAIMS")) == 3


def test_second_model_has_calls_per_user_and_chunk(tmp_path: Path) -> None:
    with serving(judging("aisle seat", "cat")) as server:
        store = with_pets(model_store(tmp_path, server, "chunk_tokens = 130\n", confirm=ALL))
        for day in (1, 2):
            store.episode(f"t{day}", f"Tom likes the aisle, {day}", day=day, user="tom")
        night(store)
    confirming = [asked for asked in server.asked if asked.is_confirmation]
    assert [[claim["value"] for claim in asked.block("CLAIMS")] for asked in confirming] == [["aisle seat"], ["cat"]]
    assert len(promoted(store)) == 2 and not promoted(store, "tom")


BAD: dict[str, tuple[Any, str]] = {
    "server error": (lambda a: Answer({}, 500), "HTTP 500"),
    "truncated": (lambda a: completion("", "length"), "cut off"),
    "a claim left out": (
        lambda a: completion({"user": a.user, "verdicts": verdicts(a, bool)[1:]}),
        "leaves a claim out",
    ),
    "a claim twice": (lambda a: completion({"user": a.user, "verdicts": verdicts(a, bool) * 2}), "what was not asked"),
    "an invented claim": (
        lambda a: completion({"user": a.user, "verdicts": [{"claim": "C9", "supported": True}]}),
        "what was not asked",
    ),
    "a verdict that is text": (
        lambda a: completion({"user": a.user, "verdicts": [{"claim": "C1", "supported": "yes"}]}),
        "wrong type",
    ),
    "another user": (lambda a: completion({"user": "U-1", "verdicts": verdicts(a, bool)}), "another user"),
}


def test_each_failure_of_the_second_model_costs_only_that_users_promotion(tmp_path: Path) -> None:
    def script(asked: Asked) -> Answer:
        how = asked.block()[0]["text"].partition(":")[0]
        if asked.is_confirmation and how in BAD:
            answer: Answer = BAD[how][0](asked)
            return answer
        return judging("aisle seat", then=proposing(AISLE))(asked)

    with serving(script) as server:
        store = model_store(tmp_path, server, confirm=ALL)
        for how in BAD:
            for day in (1, 2):
                store.episode(f"{how}{day}".replace(" ", "-"), f"{how}: took an aisle seat", day=day, user=how)
        run = night(store).run
        told = {str(user): (kind, message) for kind, user, message in notices(run)}
        assert told.keys() == BAD.keys() and {kind for kind, _ in told.values()} == {"summariser_failed"}
        assert not {how: told[how] for how, (_, part) in BAD.items() if part not in told[how][1]}
        assert run["actions"]["promote"] == 1 and promoted(store)
        server.script, server.asked = judging("aisle seat", then=proposing(AISLE)), []
        assert night(store, now=NOW + 1).run["actions"]["promote"] == len(BAD)
        assert len(server.asked) == 2 * len(BAD)


def test_second_model_elsewhere_gets_a_key_of_its_own(tmp_path: Path) -> None:
    with serving(proposing(AISLE)) as first, serving(judging("aisle seat")) as second:
        store = model_store(tmp_path, first, confirm=ALL + f'base_url = "{second.url}"\n')
        run = night(store).run
        assert not second.asked and not promoted(store)
        assert "there is no key for the model in $CONSOLIDATE_CONFIRM_API_KEY" in notices(run)[0][2]
        night(store, now=NOW + 1, env={"CONSOLIDATE_CONFIRM_API_KEY": "another"})
    assert promoted(store)
    assert {asked.headers["authorization"] for asked in first.asked} == {f"Bearer {KEY}"}
    assert [asked.headers["authorization"] for asked in second.asked] == ["Bearer another"]


def test_candidate_that_could_not_be_asked_about_waits_for_another_night(tmp_path: Path) -> None:
    """The application deletes the fact that kept it out of the sample while the model is being asked."""
    with serving(judging("aisle seat", then=proposing(AISLE))) as server:
        store = model_store(tmp_path, server, confirm=ALL)
        store.fact("known", "aisle seat", day=0, attribute="seat_preference")

        def script(asked: Asked) -> Answer:
            store.sql("DELETE FROM facts WHERE id = 'known'")
            return judging("aisle seat", then=proposing(AISLE))(asked)

        store.fact("old", "Boston", day=1)
        store.fact("new", "Austin", day=2)
        server.script = script
        run = night(store).run
        assert run["skipped"] == {"unconfirmed": 1} and not promoted(store) and len(server.asked) == 1
        night(store, now=NOW + 1)
    assert promoted(store) and len(server.asked) == 3


@pytest.mark.parametrize(("setting", "promotes"), [("", False), ("grounded = true", False), ("grounded = false", True)])
def test_value_has_to_occur_in_a_cited_episode(tmp_path: Path, setting: str, promotes: bool) -> None:
    guess = {"attribute": "diet", "value": "vegetarian", "evidence": "aisle"}
    with serving(proposing(guess)) as server:
        store = model_store(tmp_path, server, promote=setting)
        plan = night(store, "--dry-run").run["plan"]
        run = night(store).run
    assert bool(promoted(store)) is promotes
    assert run["skipped"] == ({} if promotes else {"ungrounded": 1})
    assert ("Skipped: 1 proposal has a value that no episode behind it mentions." in plan) is not promotes


def test_rules_are_grounded_only_if_asked_for(tmp_path: Path) -> None:
    rule = '[[promote.rules]]\nattribute = "diet"\nvalue = "vegetarian"\npattern = "no meat"\n'
    store = Store(tmp_path / "tenants", config="[promote]\ngrounded = true\n" + rule)
    for day in (1, 2):
        store.episode(f"e{day}", "Wants no meat", day=day)
    assert store.night(env=ENVIRONMENT).run["skipped"] == {"ungrounded": 1}
    store.config = rule
    assert store.night(now=NOW + 1).run["actions"]["promote"] == 1


@pytest.mark.parametrize(
    ("value", "summary"),
    [
        ("Boston", "Moved to “BOSTON”."),
        ("naïve", "She is NAI\u0308VE."),
        ("aisle", "an aisle-seat"),
        ("東京", "先週東京に行った"),
        ("Tokyo", "先週Tokyoに行った"),
        ("보스턴", "그녀는 보스턴에서 산다"),
        ("มาก", "ชอบมากๆ"),
        ("чай", "Пьёт только чай, без сахара"),
        ("C++", "writes C++ daily"),
        ("A-", "blood type A-, as always"),
        ("5 mW", "a 5 mW laser"),
        ("1.5", "it is 1.5."),
        ("$5", "paid $5."),
        ("3", "pages 2-3"),
        ("👨\u200d👩\u200d👧", "family 👨\u200d👩\u200d👧 here"),
    ],
)
def test_value_that_occurs(value: str, summary: str) -> None:
    assert occurs_in(normal_form(value), normal_form(summary))


@pytest.mark.parametrize(
    ("value", "summary"),
    [
        ("art", "at the party"),
        ("Москва", "едет в Москву"),
        ("스턴", "보스턴에서"),
        ("大阪", "先週東京に行った"),
        ("C", "writes C++ daily"),
        ("C", "writes C# daily"),
        ("A", "blood type A-"),
        ("5", "it was -5 outside"),
        ("5", "it was −5 outside"),
        ("5", "drank 1.5 l"),
        ("1", "drank 1.5 l"),
        ("5", "paid $5"),
        ("50", "works 50%"),
        ("5 mW", "a 5 MW plant"),
        ("", "anything"),
    ],
)
def test_value_that_does_not_occur(value: str, summary: str) -> None:
    assert not occurs_in(normal_form(value), normal_form(summary))
