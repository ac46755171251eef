"""Calling the summariser, once per run, and keeping its candidates in a file of the job's own (DESIGN section 3, promote).

Only users whose episodes or promotion settings changed since the last good run are asked for. A call that fails costs that
user this night's promotion, as a notice, and nothing else.
"""

from __future__ import annotations

import hashlib
import itertools
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import apsw

from consolidate.config import PromoteSettings
from consolidate.model import Episode, ModelFigures, Notice
from consolidate.steps.summarisers import Summariser
from consolidate.steps.summarisers.failures import NotAskedError, SummariserError
from consolidate.steps.summarisers.llm import prompt
from consolidate.store.cells import text_codec

Progress = Callable[[int, int], None]

SCHEMA = """
CREATE TABLE candidate(n INTEGER PRIMARY KEY, user_id, attribute, value, multi INTEGER, min_support INTEGER, min_days INTEGER,
    verdict TEXT);
CREATE TABLE cited(n INTEGER, place INTEGER, episode_id TEXT, PRIMARY KEY(n, episode_id)) WITHOUT ROWID;
"""


@dataclass
class Harvest:
    """What the summariser gave.

    Attributes:
        digests: per user (as ``user_key``) the digest of what was summarised; the cursor once the run is good.
        malformed: how many candidates were not well-formed.
        notices: calls that failed, and users who were not asked for.
        not_asked: per reason how many users were not asked for.
        model: what a model was asked and cost, if one was.
    """

    digests: dict[str, str] = field(default_factory=dict)
    malformed: int = 0
    notices: list[Notice] = field(default_factory=list)
    not_asked: Counter[str] = field(default_factory=Counter)
    model: ModelFigures | None = None

    def fail(self, user: bytes, name: str, error: Exception, cursor: Mapping[str, str]) -> None:
        """Note that a user has no candidates tonight, and leave the cursor so that it is tried again.

        Args:
            user: as stored.
            name: the same for people.
            error: why.
            cursor: per ``user_key`` the digest at the last good run.
        """
        key = user_key(user)
        self.digests[key] = cursor.get(key, "")
        if isinstance(error, NotAskedError):
            self.not_asked[str(error)] += 1
            return
        told = str(error) if isinstance(error, SummariserError) else f"{type(error).__name__}."
        self.notices.append(Notice("summariser_failed", f"The summariser failed for this user: {told}", name))

    def tell_of_not_asked(self) -> None:
        """Add one notice for each reason for which users were not asked for."""
        for reason, count in self.not_asked.items():
            users = "1 user was" if count == 1 else f"{count} users were"
            self.notices.append(Notice("summariser_not_asked", f"{users} not asked for tonight: {reason}."))


class StoreText:
    """Text of a store as Python strings and back, without loss even where it cannot be decoded."""

    def __init__(self, codec: str) -> None:
        self._codec = codec
        self._lossless = "surrogateescape" if codec.upper() == "UTF-8" else "surrogatepass"

    def exact(self, raw: bytes) -> str:
        """Return text that `raw` turns back into the same bytes."""
        return raw.decode(self._codec, self._lossless)

    def shown(self, raw: bytes) -> str:
        """Return text for people and models, with what cannot be decoded replaced."""
        return raw.decode(self._codec, "replace")

    def raw(self, text: str) -> bytes:
        """Return the bytes of exact text."""
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
    turn: str | None = None,
    progress: Progress | None = None,
) -> Harvest:
    """Ask the summariser for candidates and store them.

    Args:
        db: the shadow, with a scratch database attached.
        scratch: the schema name of the scratch database.
        settings: ``[promote]``.
        summariser: the callable to ask, per user.
        cursor: per ``user_key`` the digest at the last good run.
        now: Unix seconds; later episodes are no evidence.
        turn: any text; it decides which user is the first to be asked for, so that with another one each night a cap does not
            always leave out the same users. Without it users are asked for in the order of their names.
        progress: told after each user how many are done, and of how many.
    """
    db.execute(SCHEMA.replace("CREATE TABLE ", f"CREATE TABLE {scratch}."))
    harvest = Harvest()
    seed = _seed(settings)
    text = StoreText(text_codec(db))
    numbers = itertools.count(1)
    total = 0
    if turn is not None or progress is not None:
        total = int(db.execute(f"SELECT count(DISTINCT user_id COLLATE BINARY) {_EVIDENCE}", (now,)).get)
    first = b"" if turn is None or not total else _first_user(db, now, total, turn)
    for done, (user, episodes) in enumerate(_episodes_by_user(db, now, first), 1):
        key = user_key(user)
        digest = _digest(seed, episodes)
        harvest.digests[key] = digest
        if cursor.get(key) != digest:
            try:
                _ask(db, scratch, settings, summariser, user, episodes, numbers, harvest, text)
            except Exception as error:
                harvest.fail(user, text.shown(user), error, cursor)
        if progress is not None:
            progress(done, total)
    return harvest


def _seed(settings: PromoteSettings) -> bytes:
    """Return a digest of the settings that decide what is proposed and promoted; what a model costs is none of them."""
    bearing = asdict(settings)
    llm, confirm = bearing.pop("llm"), bearing.pop("confirm")
    bearing["grounded"] = settings.must_be_grounded
    if settings.summariser == "llm":
        bearing["llm"] = {key: llm[key] for key in ("model", "attributes", "temperature", "max_episodes")}
        bearing["confirm"] = {key: confirm[key] for key in ("model", "share", "min")}
        bearing["prompt"] = prompt.VERSION
    return hashlib.blake2b(json.dumps(bearing, sort_keys=True).encode(), digest_size=16).digest()


Row = tuple[bytes, bytes, float, bytes]

_EVIDENCE = """FROM main.episodes WHERE id IS NOT NULL AND user_id IS NOT NULL
    AND typeof(occurred_at) IN ('integer', 'real') AND occurred_at <= ?"""


def _first_user(db: apsw.Connection, now: float, total: int, turn: str) -> bytes:
    place = int.from_bytes(hashlib.blake2b(turn.encode(), digest_size=8).digest(), "big") % total
    return bytes(
        db.execute(
            f"""SELECT CAST(user_id AS BLOB) FROM (SELECT DISTINCT user_id COLLATE BINARY AS user_id {_EVIDENCE})
                ORDER BY user_id COLLATE BINARY LIMIT 1 OFFSET ?""",
            (now, place),
        ).get
    )


def _episodes_by_user(db: apsw.Connection, now: float, first: bytes) -> Iterator[tuple[bytes, list[Row]]]:
    rows = db.execute(
        f"""
        SELECT CAST(user_id AS BLOB), CAST(id AS BLOB), occurred_at, CAST(coalesce(summary, '') AS BLOB)
        {_EVIDENCE} ORDER BY user_id COLLATE BINARY < CAST(? AS TEXT), user_id COLLATE BINARY, occurred_at, id COLLATE BINARY
        """,
        (now, first),
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
    text: StoreText,
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
            f"INSERT INTO {scratch}.candidate VALUES (?, CAST(? AS TEXT), ?, ?, ?, ?, ?, NULL)",
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
