"""Calling the summariser, once per run, and keeping its candidates in a file of the job's own (DESIGN section 3, promote).

Only users whose episodes or promotion settings changed since the last good run are asked for. A call that fails costs that
user this night's promotion, as a notice, and nothing else.
"""

from __future__ import annotations

import hashlib
import itertools
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import apsw

from consolidate.config import PromoteSettings
from consolidate.model import Episode, Notice
from consolidate.steps.summarisers import Summariser
from consolidate.store.cells import text_codec

SCHEMA = """
CREATE TABLE candidate(n INTEGER PRIMARY KEY, user_id, attribute, value, multi INTEGER, min_support INTEGER, min_days INTEGER);
CREATE TABLE cited(n INTEGER, place INTEGER, episode_id TEXT, PRIMARY KEY(n, episode_id)) WITHOUT ROWID;
"""


@dataclass
class Harvest:
    """What the summariser gave.

    Attributes:
        digests: per user (as ``user_key``) the digest of what was summarised; the cursor once the run is good.
        malformed: how many candidates were not well-formed.
        notices: calls that failed.
    """

    digests: dict[str, str] = field(default_factory=dict)
    malformed: int = 0
    notices: list[Notice] = field(default_factory=list)


class _Text:
    """Text of a store as Python strings and back, without loss even where it cannot be decoded."""

    def __init__(self, codec: str) -> None:
        self._codec = codec
        self._lossless = "surrogateescape" if codec.upper() == "UTF-8" else "surrogatepass"

    def exact(self, raw: bytes) -> str:
        return raw.decode(self._codec, self._lossless)

    def shown(self, raw: bytes) -> str:
        return raw.decode(self._codec, "replace")

    def raw(self, text: str) -> bytes:
        return text.encode(self._codec, self._lossless)


def user_key(user: bytes) -> str:
    """Return the key under which the cursor knows a user; it does not hold the user's name."""
    return hashlib.blake2b(user, digest_size=16).hexdigest()


def collect(
    db: apsw.Connection,
    scratch: str,
    settings: PromoteSettings,
    summariser: Summariser,
    cursor: Mapping[str, str],
    now: float,
) -> Harvest:
    """Ask the summariser for candidates and store them.

    Args:
        db: the shadow, with a scratch database attached.
        scratch: the schema name of the scratch database.
        settings: ``[promote]``.
        summariser: the callable to ask, per user.
        cursor: per ``user_key`` the digest at the last good run.
        now: Unix seconds; later episodes are no evidence.
    """
    db.execute(SCHEMA.replace("CREATE TABLE ", f"CREATE TABLE {scratch}."))
    harvest = Harvest()
    seed = hashlib.blake2b(json.dumps(asdict(settings), sort_keys=True).encode(), digest_size=16).digest()
    text = _Text(text_codec(db))
    numbers = itertools.count(1)
    for user, episodes in _episodes_by_user(db, now):
        key = user_key(user)
        digest = _digest(seed, episodes)
        harvest.digests[key] = digest
        if cursor.get(key) == digest:
            continue
        try:
            _ask(db, scratch, settings, summariser, user, episodes, numbers, harvest, text)
        except Exception as error:
            name = text.shown(user)
            harvest.notices.append(
                Notice("summariser_failed", f"The summariser failed for this user: {type(error).__name__}.", name)
            )
            harvest.digests[key] = cursor.get(key, "")
    return harvest


Row = tuple[bytes, bytes, float, bytes]


def _episodes_by_user(db: apsw.Connection, now: float) -> Iterator[tuple[bytes, list[Row]]]:
    rows = db.execute(
        """
        SELECT CAST(user_id AS BLOB), CAST(id AS BLOB), occurred_at, CAST(coalesce(summary, '') AS BLOB)
        FROM main.episodes WHERE id IS NOT NULL AND user_id IS NOT NULL AND typeof(occurred_at) IN ('integer', 'real')
          AND occurred_at <= ?
        ORDER BY user_id COLLATE BINARY, occurred_at, id COLLATE BINARY
        """,
        (now,),
    )
    for user, group in itertools.groupby(rows, key=lambda row: row[0]):
        yield user, list(group)


def _digest(seed: bytes, episodes: list[Row]) -> str:
    digest = hashlib.blake2b(seed, digest_size=16)
    for _, identity, _, _ in episodes:
        digest.update(len(identity).to_bytes(8, "big") + identity)
    return digest.hexdigest()


def _ask(
    db: apsw.Connection,
    scratch: str,
    settings: PromoteSettings,
    summariser: Summariser,
    user: bytes,
    rows: list[Row],
    numbers: Iterator[int],
    harvest: Harvest,
    text: _Text,
) -> None:
    """Ask for one user's candidates; nothing of the user is stored if the call fails."""
    name = text.exact(user)
    episodes = [Episode(text.exact(identity), name, at, text.shown(summary)) for _, identity, at, summary in rows]
    trusted = settings.summariser == "rules"
    # All of it is taken before any of it is used, so that a summariser that fails half way leaves nothing.
    for candidate in list(summariser(name, episodes)):
        if not _well_formed(candidate):
            harvest.malformed += 1
            continue
        number = next(numbers)
        least = [candidate.get(key) if trusted else None for key in ("min_support", "min_days")]
        db.execute(
            f"INSERT INTO {scratch}.candidate VALUES (?, CAST(? AS TEXT), ?, ?, ?, ?, ?)",
            (
                number,
                user,
                candidate["attribute"],
                candidate["value"],
                int(candidate.get("multi", False)),
                least[0] or settings.min_support,
                least[1] or settings.min_days,
            ),
        )
        db.executemany(
            f"INSERT OR IGNORE INTO {scratch}.cited VALUES (?, ?, CAST(? AS TEXT))",
            [
                (number, place, cited.encode("utf-8", "surrogateescape"))
                for place, cited in enumerate(candidate["evidence"])
            ],
        )


def _well_formed(candidate: Any) -> bool:
    """Tell whether a candidate has the keys and types of DESIGN section 6, in text that can be stored."""
    if not isinstance(candidate, Mapping):
        return False
    texts = [candidate.get("attribute"), candidate.get("value")]
    evidence = candidate.get("evidence")
    if not all(isinstance(text, str) and text.strip() for text in texts):
        return False
    if not isinstance(evidence, (list, tuple)) or not all(isinstance(cited, str) and cited for cited in evidence):
        return False
    if not isinstance(candidate.get("multi", False), (bool, int)):
        return False
    try:
        for text in texts:
            text.encode("utf-8")  # type: ignore[union-attr]
        for cited in evidence:
            cited.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return False
    return True
