"""What a run may spend on models, and what it spent (``[promote.llm]`` max_calls, max_tokens and prices).

Tokens are estimated without a tokenizer, as a third of the bytes of UTF-8 text, rounded up. For alphabets that is more than the
tokenizers in use make of prose, for Chinese and Japanese about as much. Estimates decide what is asked; what is recorded is what
the endpoint reports, or the estimate where it reports nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from consolidate.config import ModelSettings
from consolidate.model import ModelFigures
from consolidate.steps.summarisers.failures import NotAskedError

BYTES_PER_TOKEN = 3
MILLION = 1_000_000


def estimate_tokens(text: str) -> int:
    """Return about how many tokens a text has: rather more than fewer."""
    return -(-len(text.encode("utf-8", "replace")) // BYTES_PER_TOKEN)


@dataclass(frozen=True)
class Prices:
    """What a million tokens cost, in any currency."""

    input: float = 0.0
    output: float = 0.0


@dataclass
class Budget:
    """The budget of one run; both models draw on it.

    Attributes:
        settings: ``[promote.llm]``.
        figures: what was spent.
    """

    settings: ModelSettings
    figures: ModelFigures = field(default_factory=ModelFigures)

    def require(self, calls: int, input_tokens: int) -> None:
        """See to it that a user's calls fit into what is left, so that nobody is asked for by half.

        Args:
            calls: how many calls.
            input_tokens: the estimate of all they send.

        Raises:
            NotAskedError: they do not fit.
        """
        tokens = input_tokens + calls * self.settings.max_output_tokens
        if self.figures.calls + calls > self.settings.max_calls:
            raise NotAskedError(f"the cap of {self.settings.max_calls} calls (promote.llm.max_calls) is reached")
        if self.figures.input_tokens + self.figures.output_tokens + tokens > self.settings.max_tokens:
            raise NotAskedError(f"the cap of {self.settings.max_tokens} tokens (promote.llm.max_tokens) is reached")

    def spend(self, input_tokens: int, output_tokens: int, prices: Prices, *, failed: bool) -> None:
        """Count a call; one that failed without a report of its tokens counts what it sent."""
        self.figures.calls += 1
        self.figures.failed += int(failed)
        self.figures.input_tokens += input_tokens
        self.figures.output_tokens += output_tokens
        self.figures.cost += (input_tokens * prices.input + output_tokens * prices.output) / MILLION
