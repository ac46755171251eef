"""What the checks found: written to one TEMP table by set-based SQL, read out per check and user (DESIGN section 5)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import apsw

from consolidate.model import Notice, Problem
from consolidate.store.cells import text_codec

_NOUN = re.compile(r"\b(fact|episode|tombstone|decision)\b")

MAX_FACTS = 20
MAX_USERS = 1_000

CHECKS = (
    "lost_rows",
    "content_changed",
    "owner_changed",
    "foreign_lineage",
    "broken_lineage",
    "two_current",
    "forgotten_returned",
    "user_overruled",
    "unsupported",
    "confirmations_wrong",
    "shrunk",
    "table_changed",
    "integrity",
)


@dataclass
class Findings:
    """What is wrong (no swap) and what a person should look at (swap, but say so)."""

    problems: list[Problem] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)


def prepare(db: apsw.Connection) -> None:
    """Create ``temp.finding``: one row per user, fact and reason.

    A reason makes a sentence with a number before it, once its noun has taken an s: ``3`` and ``fact whose pointer leads
    nowhere``. It holds no memory content.
    """
    db.execute("CREATE TEMP TABLE finding(level TEXT, name TEXT, reason TEXT, user_id, fact_id)")


def collect(db: apsw.Connection, run_id: str = "") -> Findings:
    """Read ``temp.finding``: one problem per check and user, one notice per kind; ``run_id`` names the run in messages."""
    found = Findings()
    if not db.execute("SELECT EXISTS (SELECT 1 FROM temp.finding)").get:
        return found
    codec = text_codec(db)
    found.problems = _problems(db, codec, run_id)
    found.notices = _notices(db, codec)
    return found


def _problems(db: apsw.Connection, codec: str, run_id: str) -> list[Problem]:
    reasons: dict[tuple[str, bytes | None], list[str]] = {}
    shown: dict[str, set[bytes | None]] = {check: set() for check in CHECKS}
    further: dict[str, set[bytes | None]] = {check: set() for check in CHECKS}
    for name, user, reason, count in db.execute(
        """
        SELECT name, CAST(user_id AS BLOB), reason, count(*) FROM temp.finding WHERE level = 'problem'
        GROUP BY name, user_id, reason ORDER BY name, user_id, min(rowid)
        """
    ):
        if user not in shown[name] and len(shown[name]) >= MAX_USERS:
            further[name].add(user)
            continue
        shown[name].add(user)
        reasons.setdefault((name, user), []).append(_counted(count, reason))
    facts = _fact_ids(db, "problem", codec, per_user=True)
    problems = [
        Problem(name, _decoded(user, codec), facts.get((name, user), ()), f"{'; '.join(parts)}.")
        for (name, user), parts in reasons.items()
    ]
    for name, users in further.items():
        if users:
            problems.append(Problem(name, None, (), f"{len(users)} further users have this problem in run {run_id}."))
    return problems


def _notices(db: apsw.Connection, codec: str) -> list[Notice]:
    facts = _fact_ids(db, "notice", codec, per_user=False)
    notices: dict[str, Notice] = {}
    for name, reason, count, users, user in db.execute(
        """
        SELECT name, reason, count(*), count(DISTINCT user_id), CAST(min(user_id) AS BLOB)
        FROM temp.finding WHERE level = 'notice' GROUP BY name, reason ORDER BY min(rowid)
        """
    ):
        whose = _decoded(user, codec) if users == 1 else None
        known = notices.get(name)
        message = f"{known.message[:-1]}; {_counted(count, reason)}." if known else f"{_counted(count, reason)}."
        if known and known.user_id != whose:
            whose = None
        notices[name] = Notice(name, message, whose, facts.get((name, None), ()))
    return list(notices.values())


def _fact_ids(
    db: apsw.Connection, level: str, codec: str, *, per_user: bool
) -> dict[tuple[str, bytes | None], tuple[str, ...]]:
    """Return the first ids of each finding, in order."""
    user = "user_id" if per_user else "NULL"
    ids: dict[tuple[str, bytes | None], tuple[str, ...]] = {}
    for name, whose, fact in db.execute(
        f"""
        SELECT name, CAST(user_id AS BLOB), CAST(fact_id AS BLOB)
        FROM (SELECT *, row_number() OVER (PARTITION BY name, user_id ORDER BY fact_id) AS place
              FROM (SELECT DISTINCT name, {user} AS user_id, fact_id FROM temp.finding
                    WHERE level = ? AND fact_id IS NOT NULL))
        WHERE place <= {MAX_FACTS} ORDER BY name, user_id, place
        """,
        (level,),
    ):
        ids[name, whose] = (*ids.get((name, whose), ()), _decoded(fact, codec) or "")
    return ids


def ids_by_probe(db: apsw.Connection) -> dict[int, tuple[str, ...]]:
    """Return the first ids of the facts in ``temp.answer``, by probe."""
    codec = text_codec(db)
    ids: dict[int, tuple[str, ...]] = {}
    for number, fact in db.execute(
        f"""
        SELECT n, CAST(id AS BLOB) FROM (
            SELECT n, id, row_number() OVER (PARTITION BY n ORDER BY id) AS place FROM temp.answer WHERE id IS NOT NULL)
        WHERE place <= {MAX_FACTS} ORDER BY n, place
        """
    ):
        ids[number] = (*ids.get(number, ()), _decoded(fact, codec) or "")
    return ids


def _counted(count: int, reason: str) -> str:
    several = _NOUN.sub(lambda noun: f"{noun[0]}s", reason, count=1)
    return f"{count} {reason if count == 1 else several}"


def _decoded(raw: bytes | None, codec: str) -> str | None:
    return None if raw is None else raw.decode(codec, "replace")


def complete(found: Findings, problems: list[Problem], notices: list[Notice]) -> Findings:
    """Return findings with further problems and notices, problems in the order of DESIGN section 5."""
    ordered = sorted([*found.problems, *problems], key=lambda problem: CHECKS.index(problem.check))
    return Findings(ordered, [*found.notices, *notices])
