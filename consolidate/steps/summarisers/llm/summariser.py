"""The model summariser: one user's episodes in, candidates out (DESIGN sections 3 and 6)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from consolidate.config import PromoteSettings
from consolidate.model import Episode, ModelFigures, Notice
from consolidate.steps.summarisers.llm import prompt, reply
from consolidate.steps.summarisers.llm.budget import Budget
from consolidate.steps.summarisers.llm.chunks import Chunk, cut
from consolidate.steps.summarisers.llm.client import Endpoint, ModelClient, require_sdk
from consolidate.steps.summarisers.llm.confirming import Confirmer
from consolidate.steps.summarisers.llm.prompt import Question
from consolidate.steps.summarisers.llm.reply import Candidate
from consolidate.store.values import normal_form


class ModelSummariser:
    """Asks a model for the candidates of one user after the other, within the budget of one run.

    Attributes:
        confirmer: the second model, if one is configured.
        notices: what a person should look at beside failed calls.

    Raises:
        ConfigError: the SDK is not installed.
    """

    def __init__(self, settings: PromoteSettings) -> None:
        require_sdk()
        llm = settings.llm
        self._settings = llm
        self._budget = Budget(llm)
        self._client = ModelClient(Endpoint.of_summariser(llm), llm, self._budget)
        self.confirmer: Confirmer | None = None
        if settings.confirm.model:
            endpoint = Endpoint.of_confirmer(llm, settings.confirm)
            self.confirmer = Confirmer(ModelClient(endpoint, llm, self._budget), llm, self._budget)
        self.notices: list[Notice] = []

    @property
    def figures(self) -> ModelFigures:
        """What was asked and what it cost so far."""
        return self._budget.figures

    def __call__(self, user_id: str, episodes: Sequence[Episode]) -> Iterable[Mapping[str, Any]]:
        """Return the candidates of one user, all of them or none.

        Args:
            user_id: whom the episodes are about; the model is not told.
            episodes: in the order of time.

        Raises:
            SummariserError: a call failed, or the user was not asked for.
        """
        chunks, too_long = cut(episodes[-self._settings.max_episodes :], self._settings.chunk_tokens)
        if not chunks:
            return []
        self._client.require()
        questions = [self._question(chunk) for chunk in chunks]
        self._budget.require(len(questions), sum(map(self._client.estimate, questions)))
        self.figures.asked += 1
        found: list[Candidate] = []
        for chunk, question in zip(chunks, questions, strict=True):
            found += self._ask(question, chunk)
        if too_long:
            self.notices.append(
                Notice(
                    "summariser_left_out",
                    f"Episodes too long for a call (promote.llm.chunk_tokens) were left out: {too_long}.",
                    user_id,
                )
            )
        return united(found, [episode.id for episode in episodes])

    def _question(self, chunk: Chunk) -> Question:
        attributes = self._settings.attributes
        schema = prompt.candidates_schema(attributes)
        return Question(prompt.SUMMARISE, schema, {"EPISODES": chunk.lines}, attributes)

    def _ask(self, question: Question, chunk: Chunk) -> list[Candidate]:
        def read(content: str) -> list[Candidate]:
            return reply.read_candidates(content, question.user, chunk.ids, question.attributes)

        return self._client.ask(question, read)


def united(found: Sequence[Candidate], order: Sequence[str]) -> list[Mapping[str, Any]]:
    """Unite what several calls say of the same attribute and value, with all the evidence, in the order of the episodes.

    It counts as multi-valued if any of them says so: that displaces nothing.
    """
    places = {identity: place for place, identity in enumerate(order)}
    groups: dict[tuple[str, str], list[Candidate]] = {}
    for candidate in found:
        groups.setdefault((candidate.attribute, normal_form(candidate.value)), []).append(candidate)
    return [
        {
            "attribute": attribute,
            "value": group[0].value,
            "multi": any(candidate.multi for candidate in group),
            "evidence": sorted({cited for candidate in group for cited in candidate.evidence}, key=places.__getitem__),
        }
        for (attribute, _), group in groups.items()
    ]


__all__ = ["ModelSummariser", "united"]
