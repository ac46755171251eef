"""Calls of one model through the ``openai`` SDK, which makes HTTP requests, repeats them, backs off and heeds ``Retry-After``."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from consolidate.config import ConfirmSettings, ModelSettings
from consolidate.errors import ConfigError
from consolidate.steps.summarisers.failures import NotAskedError, SummariserError
from consolidate.steps.summarisers.llm import keys, reply
from consolidate.steps.summarisers.llm.budget import Budget, Prices, estimate_tokens
from consolidate.steps.summarisers.llm.prompt import Question
from consolidate.steps.summarisers.llm.reply import ReplyError, Usage

if TYPE_CHECKING:
    import openai

T = TypeVar("T")

# After one of these the next user would get the same answer: no such key, no right to the model, no such model or address.
_FINAL = frozenset({401, 403, 404})
_LARGEST_ANSWER = 8 * 1024 * 1024


class EndpointError(SummariserError):
    """The endpoint did not give an answer."""


def require_sdk() -> None:
    """Import the SDK.

    Raises:
        ConfigError: it is not installed.
    """
    try:
        import openai  # noqa: F401
    except ImportError:
        raise ConfigError(
            'promote.summariser = "llm" needs the package openai.', "Run: pip install 'consolidate[llm]'."
        ) from None
    # $OPENAI_LOG makes the SDK log whole requests, and with them memory content.
    logging.getLogger("openai").setLevel(logging.WARNING)


@dataclass(frozen=True)
class Endpoint:
    """Where a model is, what it is called there, what it costs, and how its key is found."""

    model: str
    base_url: str | None
    prices: Prices
    find_key: Callable[[], str]

    @classmethod
    def of_summariser(cls, llm: ModelSettings) -> Endpoint:
        """Return the endpoint of ``[promote.llm]``."""

        def find_key() -> str:
            return keys.find_key(
                keys.SHARED_VARIABLES, llm.credential, llm.api_key_file, "the file promote.llm.api_key_file"
            )

        return cls(llm.model or "", llm.base_url, Prices(llm.input_price, llm.output_price), find_key)

    @classmethod
    def of_confirmer(cls, llm: ModelSettings, confirm: ConfirmSettings) -> Endpoint:
        """Return the endpoint of ``[promote.confirm]``; at the same address it shares the key of ``[promote.llm]``."""
        shared = cls.of_summariser(llm)
        input_price = llm.input_price if confirm.input_price is None else confirm.input_price
        output_price = llm.output_price if confirm.output_price is None else confirm.output_price

        def find_key() -> str:
            return keys.find_key(
                keys.CONFIRM_VARIABLES,
                confirm.credential,
                confirm.api_key_file,
                "the file promote.confirm.api_key_file",
            )

        own = confirm.base_url is not None or confirm.api_key_file is not None
        return cls(
            confirm.model or "",
            confirm.base_url or llm.base_url,
            Prices(input_price, output_price),
            find_key if own else shared.find_key,
        )


class ModelClient:
    """One model, asked by one run.

    Args:
        endpoint: the model.
        settings: ``[promote.llm]``: how calls are made.
        budget: what they are counted in.
    """

    def __init__(self, endpoint: Endpoint, settings: ModelSettings, budget: Budget) -> None:
        self._endpoint = endpoint
        self._settings = settings
        self._budget = budget
        self._failures = 0
        self._closed: str | None = None

    @staticmethod
    def estimate(question: Question) -> int:
        """Return the estimate of the tokens that a question takes."""
        return estimate_tokens(question.system) + estimate_tokens(question.text)

    def require(self) -> None:
        """See to it that there is somebody to ask.

        Raises:
            NotAskedError: there is no key, or the endpoint has shown that asking is of no use tonight.
        """
        if self._closed is not None:
            raise NotAskedError(self._closed)
        _ = self._sdk

    def ask(self, question: Question, read: Callable[[str], T]) -> T:
        """Make a call.

        Args:
            question: what is asked.
            read: makes something of the model's text, or raises `ReplyError`.

        Raises:
            EndpointError: there is no answer.
            ReplyError: the answer cannot be used.
            NotAskedError: nothing was asked.
        """
        self.require()
        spent, done = Usage(self.estimate(question), 0), False
        try:
            body = self._post(question)
            self._failures = 0
            found = reply.envelope(body)
            spent = reply.usage_of(found) or Usage(spent.input_tokens, estimate_tokens(body.decode("utf-8", "replace")))
            content = reply.content_of(found)
            result = read(reply.unfenced(content) if self._settings.response_format == "text" else content)
            done = True
            return result
        except _StatusError:
            spent = Usage(0, 0)  # such a call is not charged for
            raise
        finally:
            self._budget.spend(spent.input_tokens, spent.output_tokens, self._endpoint.prices, failed=not done)

    @cached_property
    def _sdk(self) -> openai.OpenAI:
        import openai

        key = self._endpoint.find_key()
        # What is sent goes to the configured address and to no other.
        http = openai.DefaultHttpxClient(follow_redirects=False, timeout=self._settings.timeout)
        return openai.OpenAI(
            api_key=key,
            base_url=self._endpoint.base_url,
            timeout=self._settings.timeout,
            max_retries=self._settings.max_retries,
            http_client=http,
        )

    def _post(self, question: Question) -> bytes:
        """Return the body of the answer, whatever it is."""
        import openai

        try:
            return self._receive(question)
        except openai.APIStatusError as error:
            self._count(error.status_code)
            raise _StatusError(f"The model's endpoint answered with HTTP {error.status_code}.") from None
        except openai.APITimeoutError:
            self._count()
            raise EndpointError(f"The model did not answer within {self._settings.timeout:g} seconds.") from None
        except openai.APIConnectionError:
            self._count()
            raise EndpointError("The model's endpoint cannot be reached.") from None
        except EndpointError:
            self._count()
            raise
        except Exception as error:  # what breaks while the body is read comes from whatever HTTP library the SDK uses
            self._count()
            raise EndpointError(f"The model's answer did not arrive whole: {type(error).__name__}.") from None

    def _receive(self, question: Question) -> bytes:
        settings = self._settings
        create = self._sdk.chat.completions.with_streaming_response.create
        parts, size = [], 0
        with create(**self._request(question)) as response:
            deadline = time.monotonic() + settings.timeout
            for part in response.iter_bytes():
                parts.append(part)
                size += len(part)
                if size > _LARGEST_ANSWER:
                    raise EndpointError("The model's answer is too large.")
                if time.monotonic() > deadline:
                    raise EndpointError(f"The model did not answer within {settings.timeout:g} seconds.")
        return b"".join(parts)

    def _request(self, question: Question) -> dict[str, Any]:
        settings = self._settings
        request: dict[str, Any] = {
            "model": self._endpoint.model,
            "messages": question.messages,
            settings.output_limit: settings.max_output_tokens,
        }
        if settings.temperature is not None:
            request["temperature"] = settings.temperature
        if settings.response_format == "json_schema":
            schema = {"name": "answer", "strict": True, "schema": question.schema}
            request["response_format"] = {"type": "json_schema", "json_schema": schema}
        elif settings.response_format == "json_object":
            request["response_format"] = {"type": "json_object"}
        return request

    def _count(self, status: int | None = None) -> None:
        """Note a failure, and after one that is final or too many of them ask nothing more."""
        self._failures += 1
        if status in _FINAL:
            self._closed = f"the model's endpoint answered with HTTP {status}"
        elif self._failures >= self._settings.max_failures:
            self._closed = f"the model's endpoint failed {self._failures} times in a row (promote.llm.max_failures)"


class _StatusError(EndpointError):
    """The endpoint answered with an error."""


__all__ = ["Endpoint", "EndpointError", "ModelClient", "ReplyError", "require_sdk"]
