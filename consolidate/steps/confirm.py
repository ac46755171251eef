"""Having a second model confirm a sample of a run's candidates before they are promoted (``[promote.confirm]``).

The sample is drawn from the candidates that nothing else refuses at the time, by a digest of run and candidate. What each
candidate's verdict is stands in the scratch database, for all passes of the run: ``confirmed``, ``refused``, or ``not asked``
for one that would have been in the sample if it had not been refused otherwise. Should that change in a later pass, it is not
promoted unconfirmed, and its user is asked for again next time.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import cast

import apsw

from consolidate.model import Episode, ModelFigures
from consolidate.steps import promote
from consolidate.steps.candidates import Harvest, StoreText
from consolidate.steps.context import IN_FORCE, StepContext
from consolidate.steps.summarisers.llm.confirming import Claim
from consolidate.store.cells import text_codec

Confirm = Callable[[Sequence[Claim]], Mapping[int, bool]]

_SCALE = 2**64


def confirm_sample(
    db: apsw.Connection,
    scratch: str,
    context: StepContext,
    harvest: Harvest,
    confirm: Confirm,
    cursor: Mapping[str, str],
    figures: ModelFigures,
) -> None:
    """Ask about a sample of the candidates, and note the verdicts with them.

    A user for whom the call fails has no candidates tonight.

    Args:
        db: the shadow, before any step, with the scratch database that ``candidates.collect`` filled.
        scratch: its schema name.
        context: the run.
        harvest: what the summariser gave; added to.
        confirm: asks the second model about the claims of one user.
        cursor: per ``user_key`` the digest at the last good run.
        figures: where verdicts are counted.
    """
    text = StoreText(text_codec(db))
    promote.register(db)
    promote.load_candidates(db, context)
    try:
        chosen, others = _sample(db, context)
        db.executemany(f"UPDATE {scratch}.candidate SET verdict = 'not asked' WHERE n = ?", [(n,) for n in others])
        claims = _claims(db, chosen, text)
    finally:
        db.execute("DROP TABLE temp.candidate")
        db.execute("DROP TABLE temp.cited")
    for user, of_user in claims.items():
        try:
            verdicts = confirm(of_user)
        except Exception as error:
            _drop(db, scratch, user)
            harvest.fail(user, text.shown(user), error, cursor)
            continue
        figures.confirmed += sum(verdicts.values())
        figures.unconfirmed += len(verdicts) - sum(verdicts.values())
        db.executemany(
            f"UPDATE {scratch}.candidate SET verdict = ? WHERE n = ?",
            [("confirmed" if supported else "refused", number) for number, supported in verdicts.items()],
        )


def _sample(db: apsw.Connection, context: StepContext) -> tuple[set[int], list[int]]:
    """Return the candidates to ask about, and those that would be among them if they could be promoted now."""
    settings = context.settings.promote.confirm
    _refuse_held(db, context)
    drawn: list[tuple[float, int]] = []
    others: list[int] = []
    rows = db.execute(
        """SELECT n, CAST(user_id AS BLOB), CAST(attribute AS BLOB), value_digest(key), refusal IS NULL
           FROM temp.candidate ORDER BY n"""
    )
    for row in rows:
        number, user, attribute, digest, possible = cast(tuple[int, bytes, bytes, str, int], row)
        lot = _lot(context.run_id.encode(), user, attribute, digest.encode())
        if possible:
            drawn.append((lot, number))
        elif lot < settings.share:
            others.append(number)
    drawn.sort()
    return {n for place, (lot, n) in enumerate(drawn) if lot < settings.share or place < settings.min}, others


def _lot(*parts: bytes) -> float:
    """Return a number in [0, 1) that is the same for the same candidate of the same run."""
    whole = hashlib.blake2b(digest_size=8)
    for part in parts:
        whole.update(len(part).to_bytes(8, "big") + part)
    return int.from_bytes(whole.digest(), "big") / _SCALE


def _refuse_held(db: apsw.Connection, context: StepContext) -> None:
    """Leave out what is in force already: it would not be promoted, so nothing is paid for asking about it."""
    db.execute(
        f"""CREATE TEMP TABLE held AS SELECT user_id, attribute, normal_key(CAST(value AS BLOB), typeof(value)) AS key
            FROM main.facts WHERE {IN_FORCE}
              AND (user_id, attribute) IN (SELECT user_id, attribute FROM temp.candidate WHERE refusal IS NULL)""",
        {"now": context.now},
    )
    db.execute("CREATE INDEX temp.held_by_value ON held(user_id, attribute, key)")
    db.execute(
        """UPDATE temp.candidate AS c SET refusal = 'already_stored' WHERE refusal IS NULL AND EXISTS (
             SELECT 1 FROM temp.held h WHERE h.user_id = c.user_id AND h.attribute = c.attribute AND h.key = c.key)"""
    )
    db.execute("DROP TABLE temp.held")


def _claims(db: apsw.Connection, chosen: set[int], text: StoreText) -> dict[bytes, list[Claim]]:
    """Return the claims to be confirmed by user, each with the episodes that it cites."""
    rows = db.execute(
        """SELECT CAST(c.user_id AS BLOB), c.n, c.attribute, c.value, CAST(e.id AS BLOB), e.occurred_at,
                  CAST(coalesce(e.summary, '') AS BLOB)
           FROM temp.candidate c JOIN temp.cited x ON x.n = c.n JOIN main.episodes e ON e.id = x.episode_id
           WHERE c.refusal IS NULL AND x.counts ORDER BY c.n, e.occurred_at, e.id COLLATE BINARY"""
    )
    claims: dict[bytes, list[Claim]] = {}
    for _, group in groupby(cast("list[_Cited]", rows.fetchall()), key=lambda row: row[1]):
        cited = list(group)
        user, number, attribute, value = cited[0][:4]
        if number in chosen:
            name = text.shown(user)
            episodes = tuple(
                Episode(text.exact(identity), name, at, text.shown(summary)) for *_, identity, at, summary in cited
            )
            claims.setdefault(user, []).append(Claim(number, attribute, value, episodes))
    return claims


_Cited = tuple[bytes, int, str, str, bytes, float, bytes]


def _drop(db: apsw.Connection, scratch: str, user: bytes) -> None:
    of_user = f"SELECT n FROM {scratch}.candidate WHERE CAST(user_id AS BLOB) = ?"
    db.execute(f"DELETE FROM {scratch}.cited WHERE n IN ({of_user})", (user,))
    db.execute(f"DELETE FROM {scratch}.candidate WHERE CAST(user_id AS BLOB) = ?", (user,))
