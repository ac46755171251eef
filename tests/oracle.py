"""An oracle for the rules: a second, deliberately naive reading of DESIGN section 3.

Nothing here is fast, clever or shared with the steps, except the normal form of a value, which has tests of its own.
The lower-level pieces (what took effect, windows, statements, merge, supersede) are in ``oracle_group``.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from consolidate.store.values import tombstone_matches, value_key
from tests.oracle_group import Group, Row, due, held, ids_in, in_force, is_time, place, same_words, stored, waiting

DAY = 86_400


@dataclass(frozen=True)
class Candidate:
    """What a summariser proposes, with the settings of the rule it came from."""

    attribute: Any
    value: Any
    evidence: Sequence[Any]
    multi: bool = False
    min_support: int = 2
    min_days: int = 1
    user_id: Any = "u"


class Decided(NamedTuple):
    """What a person decided about a parked fact."""

    user_id: Any
    attribute: Any
    value: Any
    evidence: Any
    verdict: str = "dismissed"
    run_id: str = ""


class Exempt(NamedTuple):
    """What an undo or a rollback left behind: this fact is not closed by that one, or (None) by its date."""

    fact: Any
    target: Any
    run_id: str


@dataclass
class Oracle:
    """The rules with their settings, and what the job remembers from night to night.

    ``episodes`` maps an id to (user_id, occurred_at); ``tombstones`` are (user_id, attribute, value); ``pins`` are ids
    of facts; ``promoted`` are (user_id, attribute, value, evidence) of promotions; ``instructs`` tells an instruction to
    the agent, and has tests of its own.
    """

    rank: Sequence[str] = ("inferred", "user")
    attributes: Mapping[str, str] = field(default_factory=dict)
    pins: Iterable[Any] = ()
    episodes: Mapping[Any, tuple[Any, Any]] = field(default_factory=dict)
    tombstones: Sequence[tuple[Any, Any, Any]] = ()
    max_per_user: int = 20
    max_per_run: int = 10_000
    instructs: Callable[[str], bool] = lambda _: False
    decided: list[Decided] = field(default_factory=list)
    exempt: list[Exempt] = field(default_factory=list)
    promoted: list[tuple[Any, Any, Any, Any]] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)

    def source_rank(self, row: Row) -> float:
        """'``[sources] rank``, lowest first; a source not listed ranks lowest.'"""
        return self.rank.index(row.source) if row.source in self.rank else -1

    def pinned(self, row: Row) -> bool:
        """'Only an active fact can be held by a pin.'"""
        return row.status == "active" and row.id in self.pins

    def rank_of(self, row: Row) -> float:
        """'A pinned fact ranks above all.'"""
        return math.inf if self.pinned(row) else self.source_rank(row)

    def foreign(self, episode: object, user: object) -> bool:
        """Whether an id is an episode of another user."""
        return episode in self.episodes and self.episodes[episode][0] != user

    def excepted(self, row: Row, target: Row) -> bool:
        """Whether an undo or a rollback keeps one fact from being closed by another."""
        return any((one.fact, one.target) == (row.id, target.id) for one in self.exempt)

    def dismissed(self, row: Row) -> bool:
        """Whether a guess was dismissed, and rests on no evidence that was not; the highest source does not guess."""
        if self.source_rank(row) >= len(self.rank) - 1:
            return False
        known = [one.evidence for one in self.decided if one.verdict == "dismissed" and self.about(one, row)]
        cited = {word for evidence in known for word in ids_in(evidence)}
        return bool(known) and all(word in cited for word in ids_in(row.evidence))

    @staticmethod
    def about(decided: Decided, row: Row) -> bool:
        same = (decided.user_id, decided.attribute) == (row.user_id, row.attribute)
        return same and same_words(decided.value, row.value)

    def groups(self, rows: Sequence[Row], now: float) -> list[Group]:
        """'All rules are per (user_id, attribute).'"""
        keys = list(dict.fromkeys((row.user_id, row.attribute) for row in rows))
        named = [key for key in keys if None not in key]
        return [Group([row for row in rows if (row.user_id, row.attribute) == key], self, now) for key in named]

    def night(
        self, rows: Iterable[Row], now: float, *, light: bool = False, candidates: Sequence[Candidate] = ()
    ) -> list[Row]:
        """Return the facts after one night: 'expire → merge → supersede → promote → re-supersede'."""
        rows = [replace(row) for row in rows]
        for row in rows:
            self.expire(row, now)
        for group in self.groups(rows, now):
            group.merge()
            group.supersede()
        left, tonight = list(candidates), len(rows)
        while not light and self.promote(rows, now, left, tonight):
            for group in self.groups(rows, now):
                group.supersede()
        return rows

    def expire(self, row: Row, now: float) -> None:
        """'Past ``expires_at``: status ``expired``, ``valid_to = expires_at``. […] A parked fact that falls due expires
        with an empty window.' A fact without an identity is left alone, as is one whose expiry was taken back."""
        if None in (row.id, row.user_id, row.attribute) or self.pinned(row) or not due(row, now):
            return
        if any((one.fact, one.target) == (row.id, None) for one in self.exempt):
            return
        if row.status == "active" and row.valid_to is None:
            row.status, row.valid_to = "expired", row.expires_at
        elif row.status == "review":
            row.status, row.valid_to = "expired", row.valid_from

    def held_at(self, rows: Iterable[Row], user: object, attribute: object, when: float) -> Row | None:
        """'What held at X: the active, superseded, expired or merged fact whose window contains X and that began last.
        […] Of several windows that contain X the highest rank counts before the latest beginning.'"""
        alike = [row for row in rows if (row.user_id, row.attribute) == (user, attribute) and held(row, when)]
        return max(alike, key=lambda row: (self.rank_of(row), place(row)), default=None)

    # Promote

    def promote(self, rows: list[Row], now: float, candidates: list[Candidate], tonight: int) -> bool:
        """Move the candidates that become facts to the rows, whose first ``tonight`` were there before this night, and
        tell whether there were any: 'a candidate becomes a fact only if all hold, in this order'."""
        before = len(rows)
        self.skipped.clear()
        for candidate in candidates.copy():
            reason = self.refusal(candidate, rows, now, rows[tonight:])
            if reason:
                self.skipped[reason] += 1
                continue
            candidates.remove(candidate)
            fact = self.promoted_fact(candidate, rows, now)
            rows.append(fact)
            self.promoted.append((fact.user_id, fact.attribute, fact.value, fact.evidence))
        return len(rows) > before

    def refusal(self, candidate: Candidate, rows: Sequence[Row], now: float, tonight: Sequence[Row]) -> str | None:
        user = candidate.user_id
        same = [row for row in rows if (row.user_id, row.attribute) == (user, candidate.attribute)]
        same = [row for row in same if row.id is not None and same_words(row.value, candidate.value)]
        if not all(isinstance(text, str) and text.strip() for text in (candidate.attribute, candidate.value)):
            return "malformed"
        if any(episode not in self.episodes for episode in candidate.evidence):
            return "unknown_evidence"
        if any(self.foreign(episode, user) for episode in candidate.evidence):
            return "foreign_evidence"
        support = self.support(candidate, now)
        if len(support) < candidate.min_support:
            return "too_few_episodes"
        if len({self.episodes[episode][1] // DAY for episode in support}) < candidate.min_days:
            return "too_few_days"
        if self.instructs(candidate.value):
            return "instruction"
        if self.tombstoned(candidate):
            return "tombstoned"
        if any(in_force(row, now) or waiting(row, now) for row in same):
            return "already_stored"
        if self.already_decided(candidate, support, same):
            return "already_decided"
        if len([row for row in tonight if row.user_id == user]) >= self.max_per_user:
            return "max_per_user"
        return "max_per_run" if len(tonight) >= self.max_per_run else None

    def support(self, candidate: Candidate, now: float) -> list[Any]:
        """'Repeated ids count once, episodes after now are no evidence'; the rest in time order."""
        times = {episode: self.episodes[episode][1] for episode in candidate.evidence}
        past = [episode for episode, time in times.items() if is_time(time) and time <= now]
        return sorted(past, key=lambda episode: (times[episode], episode))

    def tombstoned(self, candidate: Candidate) -> bool:
        """'``value`` NULL or '' = the whole attribute; ``attribute`` '' = everything of the user.'"""
        for user, attribute, value in self.tombstones:
            if user != candidate.user_id:
                continue
            if attribute in ("", None):
                return True
            key = value_key(*stored(candidate.value))
            if attribute == candidate.attribute and tombstone_matches(*stored(value), key):
                return True
        return False

    def already_decided(self, candidate: Candidate, support: Sequence[Any], same: Sequence[Row]) -> bool:
        """'Not already decided (in review, dismissed, superseded, expired, promoted earlier and since deleted by the
        application) unless ``min_support`` cited episodes are new […] to all decided facts of that value together.' What
        is stored and neither in force nor waiting was decided, by the job or by the application."""
        known = [row.evidence for row in same]
        known += [
            evidence
            for user, attribute, value, evidence in [*(one[:4] for one in self.decided), *self.promoted]
            if (user, attribute) == (candidate.user_id, candidate.attribute) and same_words(value, candidate.value)
        ]
        cited = {word for evidence in known for word in ids_in(evidence)}
        return bool(known) and len([episode for episode in support if episode not in cited]) < candidate.min_support

    def promoted_fact(self, candidate: Candidate, rows: Sequence[Row], now: float) -> Row:
        """'The new fact has source ``inferred``, ``valid_from`` = time of its latest evidence, ``confirmations`` =
        number of episodes'; 'a promoted fact takes the flag of what is there.'"""
        support = self.support(candidate, now)
        rowid = max((row.rowid for row in rows), default=0) + 1
        return Row(
            rowid=rowid,
            id=f"promoted-{rowid}",
            user_id=candidate.user_id,
            attribute=candidate.attribute,
            value=candidate.value,
            multi=self.flag(candidate, rows, now),
            source="inferred",
            valid_from=self.episodes[support[-1]][1],
            evidence=" ".join(support),
            confirmations=len(support),
        )

    def flag(self, candidate: Candidate, rows: Sequence[Row], now: float) -> int:
        there = [row for row in rows if (row.user_id, row.attribute) == (candidate.user_id, candidate.attribute)]
        there = [row for row in there if row.id is not None]
        configured = self.attributes.get(candidate.attribute)
        if configured:
            return int(configured == "multi")
        return int(not Group(there, self, now).single) if there else int(candidate.multi)
