"""Promote: a pattern that episodes support becomes a fact, if nothing speaks against it (DESIGN section 3).

The conditions are checked in DESIGN's order; the first that fails refuses the candidate and is counted.
"""

from __future__ import annotations

import hashlib
from typing import Any

import apsw

from consolidate.steps import grounding
from consolidate.steps.context import IDENTIFIED, IN_FORCE, StepContext
from consolidate.steps.workspace import NEXT_ACTION
from consolidate.store.cells import text_codec

STEP = "promote"
SECONDS_PER_DAY = 86_400


def register(db: apsw.Connection) -> None:
    """Register the SQL functions that name a promoted fact."""
    functions: tuple[tuple[str, Any, int], ...] = (("value_digest", value_digest, 1), ("promoted_id", promoted_id, 4))
    for name, function, arguments in functions:
        db.create_scalar_function(name, function, arguments, deterministic=True)


def value_digest(key: str | bytes | None) -> str:
    """Return a digest of a normal form, so that the job's tables need not hold the value."""
    raw = b"n" if key is None else b"t" + key.encode("utf-8", "surrogatepass") if isinstance(key, str) else b"b" + key
    return hashlib.sha256(raw).hexdigest()


def promoted_id(user: bytes, attribute: bytes, digest: str, number: int) -> str:
    """Return the id of a promotion: the same for the same value of the same user, one per time it was promoted."""
    whole = hashlib.sha256()
    for part in (user, attribute, digest.encode(), str(number).encode()):
        whole.update(len(part).to_bytes(8, "big") + part)
    return f"promoted-{whole.hexdigest()[:32]}"


def load_candidates(db: apsw.Connection, context: StepContext) -> None:
    """Copy the run's candidates into TEMP tables and refuse those that no later state of the facts can help.

    Needs the scratch database attached as ``scratch``.
    """
    db.execute(
        "CREATE TEMP TABLE candidate(n INTEGER PRIMARY KEY, user_id, attribute, value, key, multi INTEGER, "
        "min_support INTEGER, min_days INTEGER, support INTEGER, days INTEGER, latest, verdict TEXT, refusal TEXT, "
        "promoted INTEGER)"
    )
    db.execute(
        "CREATE TEMP TABLE cited(n INTEGER, episode_id, occurred_at, counts INTEGER, foreign_ INTEGER, "
        "PRIMARY KEY(n, episode_id))"
    )
    db.execute(
        """INSERT INTO temp.candidate(n, user_id, attribute, value, key, multi, min_support, min_days, verdict, promoted)
           SELECT n, user_id, attribute, value, normal_key(CAST(value AS BLOB), typeof(value)), multi, min_support, min_days,
                  verdict, 0
           FROM scratch.candidate"""
    )
    db.execute("CREATE INDEX temp.candidate_by_value ON candidate(user_id, attribute, key)")
    db.execute("CREATE INDEX temp.candidate_by_text ON candidate(attribute, value)")
    db.execute(
        """INSERT INTO temp.cited
           SELECT s.n, s.episode_id, e.occurred_at,
                  coalesce(typeof(e.occurred_at) IN ('integer', 'real') AND e.occurred_at <= :now, 0)
                      AND instr(s.episode_id, ' ') = 0, -- such an id cannot stand in a list of ids
                  CASE WHEN e.id IS NOT NULL THEN c.user_id IS NOT e.user_id END
           FROM scratch.cited s JOIN temp.candidate c ON c.n = s.n LEFT JOIN main.episodes e ON e.id = s.episode_id""",
        {"now": context.now},
    )
    db.execute(
        f"""UPDATE temp.candidate AS c SET support = d.support, days = d.days, latest = d.latest
            FROM (SELECT n, count(*) AS support, count(DISTINCT floor(occurred_at / {SECONDS_PER_DAY}.0)) AS days,
                         max(occurred_at) AS latest FROM temp.cited WHERE counts GROUP BY n) AS d
            WHERE d.n = c.n"""
    )
    _refuse(db, "unknown_evidence", "EXISTS (SELECT 1 FROM temp.cited x WHERE x.n = c.n AND x.foreign_ IS NULL)")
    _refuse(db, "foreign_evidence", "EXISTS (SELECT 1 FROM temp.cited x WHERE x.n = c.n AND x.foreign_)")
    _refuse(db, "too_few_episodes", "coalesce(support, 0) < min_support")
    _refuse(db, "too_few_days", "coalesce(days, 0) < min_days")
    if context.settings.promote.must_be_grounded:
        refused = [(number,) for number in grounding.ungrounded(db)]
        db.executemany("UPDATE temp.candidate SET refusal = 'ungrounded' WHERE n = ?", refused)
    _refuse_instructions(db)
    _refuse_tombstoned(db)


def _refuse(db: apsw.Connection, reason: str, condition: str) -> None:
    db.execute(
        f"UPDATE temp.candidate AS c SET refusal = ? WHERE refusal IS NULL AND NOT promoted AND {condition}", (reason,)
    )


def _refuse_instructions(db: apsw.Connection) -> None:
    """Refuse candidates whose text, or whose evidence, speaks to the agent instead of about the user.

    Each text and each episode is looked at once, however many candidates share it.
    """
    # The tables of many languages: loaded only where there is something to look at.
    from consolidate.steps.instructions import check_candidate, find_in_summary

    codec = text_codec(db)
    db.execute("CREATE TEMP TABLE speaking(episode_id PRIMARY KEY) WITHOUT ROWID")
    cited = db.execute(
        """SELECT CAST(e.id AS BLOB), CAST(coalesce(e.summary, '') AS BLOB) FROM main.episodes e
           WHERE e.id IN (SELECT x.episode_id FROM temp.cited x JOIN temp.candidate c ON c.n = x.n WHERE c.refusal IS NULL)"""
    )
    spoken = [(key,) for key, summary in cited if find_in_summary(summary.decode(codec, "replace"))]
    db.executemany("INSERT OR IGNORE INTO temp.speaking VALUES (CAST(? AS TEXT))", spoken)
    texts = db.execute("SELECT DISTINCT attribute, value FROM temp.candidate WHERE refusal IS NULL")
    orders = [(attribute, value) for attribute, value in texts if check_candidate(attribute, value, ())]
    db.executemany(
        "UPDATE temp.candidate SET refusal = 'instruction' WHERE refusal IS NULL AND attribute = ? AND value = ?",
        orders,
    )
    _refuse(
        db,
        "instruction",
        "EXISTS (SELECT 1 FROM temp.cited x JOIN temp.speaking s ON s.episode_id = x.episode_id WHERE x.n = c.n)",
    )
    db.execute("DROP TABLE temp.speaking")


def _refuse_tombstoned(db: apsw.Connection) -> None:
    db.execute("CREATE TEMP TABLE forgotten(user_id, attribute, raw, kind)")
    db.execute("CREATE INDEX temp.forgotten_by_user ON forgotten(user_id)")
    db.execute(
        """INSERT INTO temp.forgotten SELECT user_id, coalesce(attribute, ''), CAST(value AS BLOB), typeof(value)
           FROM main.tombstones WHERE user_id IN (SELECT user_id FROM temp.candidate)"""
    )
    _refuse(
        db,
        "tombstoned",
        """EXISTS (SELECT 1 FROM temp.forgotten t WHERE t.user_id = c.user_id AND (t.attribute = ''
                   OR (t.attribute = c.attribute AND tombstone_matches(t.raw, t.kind, c.key))))""",
    )
    db.execute("DROP TABLE temp.forgotten")


def promote(db: apsw.Connection, context: StepContext) -> int:
    """Insert what may be promoted now, and put the groups concerned into ``temp.scope``.

    Called again after the facts were superseded again, until it promotes nothing more.

    Returns:
        How many facts were promoted by this call.
    """
    later = ("already_stored", "unconfirmed", "already_decided", "max_per_user", "max_per_run", "constraint")
    db.execute(f"UPDATE temp.candidate SET refusal = NULL WHERE refusal IN {later}")
    _load_stored(db, context)
    _refuse(
        db,
        "already_stored",
        """EXISTS (SELECT 1 FROM temp.stored s WHERE s.user_id = c.user_id AND s.attribute = c.attribute
                   AND s.key = c.key AND s.held)""",
    )
    _refuse(db, "unconfirmed", "verdict IS NOT NULL AND verdict <> 'confirmed'")
    _refuse_decided(db)
    _refuse(
        db,
        "already_stored",
        """n <> (SELECT min(d.n) FROM temp.candidate d WHERE d.refusal IS NULL AND NOT d.promoted
                 AND d.user_id = c.user_id AND d.attribute = c.attribute AND d.key = c.key)""",
    )
    _refuse_beyond_caps(db, context)
    promoted = _insert(db, context)
    db.execute("DROP TABLE temp.stored")
    return promoted


def _load_stored(db: apsw.Connection, context: StepContext) -> None:
    """Fill ``temp.stored`` with every fact of the candidates' groups; ``held`` is in force or waiting for its time."""
    db.execute("CREATE TEMP TABLE stored(user_id, attribute, key, held INTEGER, single INTEGER, evidence BLOB)")
    db.execute(
        f"""INSERT INTO temp.stored
            SELECT user_id, attribute, normal_key(CAST(value AS BLOB), typeof(value)),
                   coalesce({IN_FORCE}, 0) OR coalesce(status = 'active' AND valid_to IS NULL AND valid_from > :now
                                                       AND typeof(valid_from) IN ('integer', 'real'), 0),
                   coalesce((SELECT m.single FROM temp.modes m WHERE m.attribute = f.attribute), coalesce(multi = 0, 0)),
                   CAST(evidence AS BLOB)
            FROM main.facts f WHERE {IDENTIFIED}
              AND (user_id, attribute) IN (SELECT user_id, attribute FROM temp.candidate
                                           WHERE refusal IS NULL AND NOT promoted)""",
        {"now": context.now},
    )
    db.execute("CREATE INDEX temp.stored_by_value ON stored(user_id, attribute, key)")


def _refuse_decided(db: apsw.Connection) -> None:
    """Refuse what was decided before, unless enough cited episodes are new to all decided facts of that value together."""
    db.execute("CREATE TEMP TABLE known(n INTEGER, episode_id, PRIMARY KEY(n, episode_id)) WITHOUT ROWID")
    db.execute("CREATE TEMP TABLE decided(n INTEGER PRIMARY KEY)")
    earlier = (
        """SELECT c.n, s.evidence FROM temp.candidate c JOIN temp.stored s ON s.user_id = c.user_id
           AND s.attribute = c.attribute AND s.key = c.key WHERE c.refusal IS NULL AND NOT c.promoted AND NOT s.held""",
        """SELECT c.n, CAST(p.evidence AS BLOB) AS evidence FROM temp.candidate c JOIN main.consolidation_promotions p
           ON p.user_id = c.user_id AND p.attribute = c.attribute AND p.value_digest = value_digest(c.key)
           WHERE c.refusal IS NULL AND NOT c.promoted""",
        """SELECT c.n, CAST(d.evidence AS BLOB) AS evidence FROM temp.candidate c JOIN main.consolidation_decisions d
           ON d.user_id = c.user_id AND d.attribute = c.attribute AND d.value_digest = value_digest(c.key)
           WHERE c.refusal IS NULL AND NOT c.promoted""",
    )
    for source in earlier:
        db.execute(f"INSERT OR IGNORE INTO temp.decided SELECT n FROM ({source})")
        db.execute(
            f"""INSERT OR IGNORE INTO temp.known SELECT n, CAST(i.token AS TEXT)
                FROM ({source}) d CROSS JOIN split_ids(d.evidence) i"""
        )
    _refuse(
        db,
        "already_decided",
        """n IN (SELECT n FROM temp.decided) AND min_support >
           (SELECT count(*) FROM temp.cited x WHERE x.n = c.n AND x.counts
            AND NOT EXISTS (SELECT 1 FROM temp.known k WHERE k.n = x.n AND k.episode_id = x.episode_id))""",
    )
    db.execute("DROP TABLE temp.known")
    db.execute("DROP TABLE temp.decided")


def _refuse_beyond_caps(db: apsw.Connection, context: StepContext) -> None:
    caps = context.settings.promote
    numbered = """n IN (SELECT n FROM (SELECT n, promoted, row_number() OVER ({window} ORDER BY promoted DESC, n) AS place
                        FROM temp.candidate WHERE promoted OR refusal IS NULL) WHERE place > {cap} AND NOT promoted)"""
    _refuse(db, "max_per_user", numbered.format(window="PARTITION BY user_id", cap=int(caps.max_per_user)))
    _refuse(db, "max_per_run", numbered.format(window="", cap=int(caps.max_per_run)))


def _insert(db: apsw.Connection, context: StepContext) -> int:
    """Insert the candidates that are left; one that a constraint of the application refuses is counted, not fatal."""
    db.execute(
        """
        CREATE TEMP TABLE fresh AS
        SELECT n, promoted_id(CAST(user_id AS BLOB), CAST(attribute AS BLOB), digest, number) AS id, user_id, attribute, value,
               CASE WHEN coalesce(single, NOT first_value(multi) OVER (PARTITION BY user_id, attribute ORDER BY n))
                    THEN 0 ELSE 1 END AS multi, latest, support, digest, number,
               (SELECT group_concat(episode_id, ' ' ORDER BY occurred_at, episode_id) FROM temp.cited x
                WHERE x.n = c.n AND x.counts) AS evidence
        FROM (SELECT c.*, value_digest(key) AS digest,
                     (SELECT count(*) FROM main.consolidation_promotions p WHERE p.user_id = c.user_id
                      AND p.attribute = c.attribute AND p.value_digest = value_digest(c.key)) AS number,
                     coalesce((SELECT m.single FROM temp.modes m WHERE m.attribute = c.attribute),
                              (SELECT min(single) FROM temp.stored s WHERE s.user_id = c.user_id
                               AND s.attribute = c.attribute)) AS single
              FROM temp.candidate c WHERE refusal IS NULL AND NOT promoted) c
        """
    )
    db.execute("CREATE UNIQUE INDEX temp.fresh_by_n ON fresh(n)")
    insert = """
        INSERT INTO main.facts(id, user_id, attribute, value, multi, source, valid_from, valid_to, expires_at, status,
                               superseded_by, evidence, confirmations)
        SELECT id, user_id, attribute, value, multi, 'inferred', latest, NULL, NULL, 'active', NULL, evidence, support
        FROM temp.fresh"""
    try:
        with db:
            db.execute(f"{insert} ORDER BY n")
    except apsw.ConstraintError:
        for (number,) in db.execute("SELECT n FROM temp.fresh ORDER BY n").fetchall():
            try:
                with db:
                    db.execute(f"{insert} WHERE n = ?", (number,))
            except apsw.ConstraintError:
                db.execute("UPDATE temp.candidate SET refusal = 'constraint' WHERE n = ?", (number,))
                db.execute("DELETE FROM temp.fresh WHERE n = ?", (number,))
    promoted = int(db.execute("SELECT count(*) FROM temp.fresh").get)
    _record(db, context)
    db.execute("DROP TABLE temp.fresh")
    return promoted


def _record(db: apsw.Connection, context: StepContext) -> None:
    run = {"run": context.run_id}
    db.execute(
        """INSERT INTO main.consolidation_promotions
           SELECT user_id, attribute, digest, number, id, evidence, :run FROM temp.fresh""",
        run,
    )
    db.execute(
        f"""INSERT INTO main.consolidation_actions(run_id, seq, step, kind, fact_id, user_id, reason, after_status,
                                                  after_evidence, after_confirmations, changed)
            SELECT :run, {NEXT_ACTION} + row_number() OVER (ORDER BY n), 'promote', 'insert', id, user_id,
                   support || ' episodes support it', 'active', evidence, support, 31 FROM temp.fresh""",
        run,
    )
    db.execute("UPDATE temp.candidate SET promoted = 1 WHERE n IN (SELECT n FROM temp.fresh)")
    db.execute("DELETE FROM temp.scope")
    db.execute("INSERT OR IGNORE INTO temp.scope SELECT user_id, attribute FROM temp.fresh")


def count_refusals(db: apsw.Connection, context: StepContext) -> list[bytes]:
    """Count the refusals, and return the users whom a cap kept from promotion, so that they are asked again next time.

    Whoever repeats a candidate that was held back is held back with it: nothing is stored yet.
    """
    db.execute(
        """UPDATE temp.candidate AS c SET refusal = d.refusal FROM temp.candidate d
           WHERE c.refusal = 'already_stored' AND d.refusal IN ('max_per_user', 'max_per_run', 'constraint')
             AND d.user_id = c.user_id AND d.attribute = c.attribute AND d.key = c.key"""
    )
    for reason, count in db.execute(
        "SELECT refusal, count(*) FROM temp.candidate WHERE refusal IS NOT NULL AND NOT promoted GROUP BY refusal"
    ):
        context.skip(reason, count)
    return [
        user
        for (user,) in db.execute(
            """SELECT DISTINCT CAST(user_id AS BLOB) FROM temp.candidate
               WHERE refusal IN ('max_per_user', 'max_per_run', 'constraint')
                  OR (refusal = 'unconfirmed' AND verdict = 'not asked')"""
        )
    ]
