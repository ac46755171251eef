"""Reading what a model's endpoint sends: strictly, since nothing in it can be relied on.

Anything that was not asked for (another form, an id that was not shown, another user) refuses the whole answer; no message
repeats any of it.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from consolidate.steps.summarisers.failures import SummariserError

_MOST_TOKENS = 10**9


class ReplyError(SummariserError):
    """An answer that cannot be used."""


@dataclass(frozen=True)
class Usage:
    """What the endpoint says a call took, in tokens."""

    input_tokens: int
    output_tokens: int


@dataclass(frozen=True)
class Candidate:
    """What a model proposes; ``evidence`` holds ids of the store."""

    attribute: str
    value: str
    multi: bool
    evidence: tuple[str, ...]


def envelope(body: bytes) -> Mapping[str, Any]:
    """Return the protocol's answer as a mapping.

    Raises:
        ReplyError: it is none.
    """
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        raise ReplyError("The endpoint's answer is not JSON.") from None
    if not isinstance(found, dict):
        raise ReplyError("The endpoint's answer is not a chat completion.")
    return found


def usage_of(found: Mapping[str, Any]) -> Usage | None:
    """Return what the endpoint reports, or None where it reports nothing that can be true."""
    usage = found.get("usage")
    if not isinstance(usage, dict):
        return None
    counts = [usage.get(key) for key in ("prompt_tokens", "completion_tokens")]
    known = [count for count in counts if type(count) is int and 0 <= count < _MOST_TOKENS]
    return Usage(*known) if len(known) == len(counts) else None


def content_of(found: Mapping[str, Any]) -> str:
    """Return the text of the model's answer.

    Raises:
        ReplyError: there is none, it was cut off, or the model refused.
    """
    choices = found.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(choice, dict) or not isinstance(message, dict):
        raise ReplyError("The endpoint's answer is not a chat completion.")
    if message.get("refusal") or choice.get("finish_reason") == "content_filter":
        raise ReplyError("The model refused to answer.")
    if choice.get("finish_reason") == "length":
        raise ReplyError("The model's answer was cut off (promote.llm.max_output_tokens).")
    content = message.get("content")
    if choice.get("finish_reason") != "stop" or not isinstance(content, str):
        raise ReplyError("The model's answer is not finished text.")
    return content


def read_candidates(
    content: str, user: str, ids: Mapping[str, str], attributes: Collection[str] = ()
) -> list[Candidate]:
    """Return the candidates of an answer.

    Args:
        content: the model's text.
        user: the name that the answer must give.
        ids: per alias shown the id of the episode.
        attributes: the only ones allowed, if any.

    Raises:
        ReplyError: anything in it is not as asked.
    """
    candidates = []
    for item in _items(content, user, "candidates"):
        found = _object(item, ("attribute", "value", "multi", "evidence"))
        attribute, value, multi, evidence = (found[key] for key in ("attribute", "value", "multi", "evidence"))
        if not (isinstance(attribute, str) and isinstance(value, str) and isinstance(multi, bool)):
            _malformed("has a value of the wrong type")
        if attributes and attribute not in attributes:
            _malformed("has an attribute that is not configured")
        if not isinstance(evidence, list) or not all(isinstance(alias, str) for alias in evidence):
            _malformed("has a value of the wrong type")
        if not ids.keys() >= set(evidence):
            _malformed("names an episode that was not shown")
        candidates.append(Candidate(attribute, value, multi, tuple(ids[alias] for alias in evidence)))
    return candidates


def read_verdicts(content: str, user: str, claims: Sequence[str]) -> dict[str, bool]:
    """Return for each claim whether the model finds it supported.

    Args:
        content: the model's text.
        user: the name that the answer must give.
        claims: the ids of the claims shown; each must have exactly one verdict.

    Raises:
        ReplyError: anything in it is not as asked.
    """
    verdicts: dict[str, bool] = {}
    for item in _items(content, user, "verdicts"):
        found = _object(item, ("claim", "supported"))
        claim, supported = found["claim"], found["supported"]
        if not (isinstance(claim, str) and isinstance(supported, bool)):
            _malformed("has a value of the wrong type")
        if claim not in claims or claim in verdicts:
            _malformed("judges what was not asked")
        verdicts[claim] = supported
    if len(verdicts) != len(claims):
        _malformed("leaves a claim out")
    return verdicts


def unfenced(content: str) -> str:
    """Return the text without the code fence that models put around JSON where no format can be asked for."""
    lines = content.strip().splitlines()
    if len(lines) > 2 and lines[0] in ("```", "```json") and lines[-1] == "```":
        return "\n".join(lines[1:-1])
    return content


def _items(content: str, user: str, key: str) -> list[Any]:
    try:
        found = json.loads(content, object_pairs_hook=_unique)
    except (ValueError, RecursionError):
        raise ReplyError("The model's answer is not JSON.") from None
    answer = _object(found, ("user", key))
    if answer["user"] != user:
        raise ReplyError("The model's answer is about another user.")
    if not isinstance(answer[key], list):
        _malformed("has a value of the wrong type")
    items: list[Any] = answer[key]
    return items


def _object(found: object, keys: tuple[str, ...]) -> dict[str, Any]:
    if not isinstance(found, dict) or found.keys() != set(keys):
        _malformed("has other keys than asked for")
    return found


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError
    return found


def _malformed(how: str) -> NoReturn:
    raise ReplyError(f"The model's answer is not what was asked for: it {how}.")
