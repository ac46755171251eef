"""Cutting a user's episodes into calls of a bounded size, in the order of time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from consolidate.model import Episode
from consolidate.steps.summarisers.llm.budget import estimate_tokens
from consolidate.steps.summarisers.llm.prompt import episode_line


@dataclass(frozen=True)
class Chunk:
    """The episodes of one call.

    Attributes:
        lines: one line of the prompt per episode.
        ids: per alias shown to the model the episode's id; the model never sees an id of the store.
        tokens: the estimate for the lines.
    """

    lines: tuple[str, ...]
    ids: dict[str, str]
    tokens: int


def cut(episodes: Sequence[Episode], most_tokens: int) -> tuple[list[Chunk], int]:
    """Cut episodes into chunks.

    Args:
        episodes: of one user, in the order of time.
        most_tokens: the estimated tokens of the lines of one chunk.

    Returns:
        The chunks, and how many episodes are too long for any.
    """
    chunks: list[Chunk] = []
    lines: list[str] = []
    ids: dict[str, str] = {}
    tokens = too_long = 0
    for episode in episodes:
        if not episode.summary.strip():
            continue
        alias = f"E{len(lines) + 1}"
        line = episode_line(alias, episode)
        more = estimate_tokens(line) + 1
        if more > most_tokens:
            too_long += 1
            continue
        if tokens + more > most_tokens:
            chunks.append(Chunk(tuple(lines), ids, tokens))
            lines, ids, tokens = [], {}, 0
            alias = "E1"
            line = episode_line(alias, episode)
        lines.append(line)
        ids[alias] = episode.id
        tokens += more
    if lines:
        chunks.append(Chunk(tuple(lines), ids, tokens))
    return chunks, too_long
