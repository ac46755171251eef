"""Asking a second model whether the episodes that candidates cite support them (``[promote.confirm]``)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from consolidate.config import ModelSettings
from consolidate.model import Episode
from consolidate.steps.summarisers.llm import prompt, reply
from consolidate.steps.summarisers.llm.budget import Budget, estimate_tokens
from consolidate.steps.summarisers.llm.client import ModelClient
from consolidate.steps.summarisers.llm.prompt import Question, as_data, episode_line


@dataclass(frozen=True)
class Claim:
    """A candidate that is to be confirmed: its number, and the user's episodes that it cites, in the order of time."""

    number: int
    attribute: str
    value: str
    episodes: tuple[Episode, ...]


@dataclass
class _Sheet:
    """The claims of one call, with each episode shown once."""

    claims: dict[str, int] = field(default_factory=dict)
    claim_lines: list[str] = field(default_factory=list)
    aliases: dict[str, str] = field(default_factory=dict)
    episode_lines: list[str] = field(default_factory=list)
    tokens: int = 0

    def add(self, claim: Claim, most_tokens: int) -> bool:
        """Add a claim if it fits; an empty sheet takes any, with the latest of its episodes that fit."""
        alias = f"C{len(self.claims) + 1}"
        claimed = {"id": alias, "attribute": claim.attribute, "value": claim.value}
        tokens = self.tokens + estimate_tokens(as_data(claimed))
        shown: list[str] = []
        fresh: dict[str, str] = {}
        lines: list[str] = []
        for episode in reversed(claim.episodes):
            known = self.aliases.get(episode.id)
            name = known or f"E{len(self.aliases) + len(fresh) + 1}"
            line = "" if known else episode_line(name, episode)
            tokens += estimate_tokens(line) + len(name) + 4
            if tokens > most_tokens and self.claims:
                return False
            if tokens > most_tokens and shown:
                break
            shown.append(name)
            if not known:
                fresh[episode.id] = name
                lines.append(line)
        self.aliases |= fresh
        self.episode_lines += lines
        self.claims[alias] = claim.number
        self.claim_lines.append(as_data(claimed | {"episodes": shown[::-1]}))
        self.tokens = tokens
        return True

    def question(self) -> Question:
        blocks = {"EPISODES": self.episode_lines, "CLAIMS": self.claim_lines}
        return Question(prompt.CONFIRM, prompt.verdicts_schema(), blocks)


class Confirmer:
    """Asks the second model, one user at a time, within the budget of the run."""

    def __init__(self, client: ModelClient, settings: ModelSettings, budget: Budget) -> None:
        self._client = client
        self._settings = settings
        self._budget = budget

    def __call__(self, claims: Sequence[Claim]) -> dict[int, bool]:
        """Return for each claim of one user, by number, whether it is supported.

        Raises:
            SummariserError: a call failed, or nothing was asked.
        """
        sheets = [_Sheet()]
        for claim in claims:
            if not sheets[-1].add(claim, self._settings.chunk_tokens):
                sheets.append(_Sheet())
                sheets[-1].add(claim, self._settings.chunk_tokens)
        self._client.require()
        questions = [sheet.question() for sheet in sheets]
        self._budget.require(len(questions), sum(map(self._client.estimate, questions)))
        verdicts: dict[int, bool] = {}
        for sheet, question in zip(sheets, questions, strict=True):
            for alias, supported in self._ask(question, list(sheet.claims)).items():
                verdicts[sheet.claims[alias]] = supported
        return verdicts

    def _ask(self, question: Question, claims: Sequence[str]) -> dict[str, bool]:
        return self._client.ask(question, lambda content: reply.read_verdicts(content, question.user, claims))
