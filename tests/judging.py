"""A store before a night and the same store after it, made with plain SQL, for the tests of the checks.

Maya's memory gives every rule something to do. `AFTER` is what the rules make of it; a test spoils that with one more
statement and says which checks must notice.
"""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import apsw

from consolidate.checks import verify as checks
from consolidate.checks.findings import Findings
from consolidate.config import PromoteRule, PromoteSettings, Settings
from consolidate.store import connections, contract

DAY = 86_400
NOW = 100.0 * DAY

BEFORE = f"""
-- Two statements about a one-valued attribute, and an older pair that earlier nights settled.
INSERT INTO facts VALUES ('boston', 'maya', 'city', 'Boston', 0, 'user', {1 * DAY}, NULL, NULL, 'active', NULL, 'm1', 1);
INSERT INTO facts VALUES ('austin', 'maya', 'city', 'Austin', 0, 'user', {2 * DAY}, NULL, NULL, 'active', NULL, 'm2', 1);
INSERT INTO facts VALUES ('red', 'maya', 'car', 'red', 0, 'user', {1 * DAY}, {2 * DAY}, NULL, 'superseded', 'blue', '', 1);
INSERT INTO facts VALUES ('blue', 'maya', 'car', 'blue', 0, 'user', {2 * DAY}, {3 * DAY}, NULL, 'superseded', 'green', '', 1);
INSERT INTO facts VALUES ('green', 'maya', 'car', 'green', 0, 'user', {3 * DAY}, NULL, NULL, 'active', NULL, '', 1);
INSERT INTO facts VALUES ('echo', 'maya', 'car', 'Green', 0, 'user', {4 * DAY}, {4 * DAY}, NULL, 'merged', 'green', '', 1);
-- Two spellings of one value, and another value, of a multi-valued attribute.
INSERT INTO facts VALUES ('cat', 'maya', 'pet', 'cat', 1, 'user', {1 * DAY}, NULL, NULL, 'active', NULL, 'm1', 1);
INSERT INTO facts VALUES ('cat2', 'maya', 'pet', 'Cat.', 1, 'inferred', {2 * DAY}, NULL, NULL, 'active', NULL, 'm2 m3', 2);
INSERT INTO facts VALUES ('dog', 'maya', 'pet', 'dog', 1, 'user', {2 * DAY}, NULL, NULL, 'active', NULL, 'm2', NULL);
-- One that is due, one that is not, and a parked one that is due.
INSERT INTO facts VALUES ('old', 'maya', 'ticket', 'A1', 0, 'user', {1 * DAY}, NULL, {9 * DAY}, 'active', NULL, '', 1);
INSERT INTO facts VALUES ('lasting', 'maya', 'pass', 'B2', 0, 'user', {1 * DAY}, NULL, {900 * DAY}, 'active', NULL, 'm1 m2', 1);
INSERT INTO facts VALUES ('guess', 'maya', 'shoe', '40', 0, 'inferred', {2 * DAY}, NULL, {9 * DAY}, 'review', NULL, '', 1);
-- A guess that is newer than what the user said.
INSERT INTO facts VALUES ('nurse', 'maya', 'job', 'nurse', 0, 'user', {1 * DAY}, NULL, NULL, 'active', NULL, '', 1);
INSERT INTO facts VALUES ('doctor', 'maya', 'job', 'doctor', 0, 'inferred', {2 * DAY}, NULL, NULL, 'active', NULL, '', 1);
-- A pinned guess, an older guess, and another user.
INSERT INTO facts VALUES ('jazz', 'maya', 'music', 'jazz', 0, 'inferred', {1 * DAY}, NULL, NULL, 'active', NULL, '', 1);
INSERT INTO facts VALUES ('rock', 'maya', 'music', 'rock', 0, 'user', {0 * DAY}, {1 * DAY}, NULL, 'superseded', 'jazz', '', 1);
INSERT INTO facts VALUES ('owl', 'maya', 'pet', 'owl', 1, 'inferred', {2 * DAY}, NULL, NULL, 'active', NULL, '', 1);
INSERT INTO facts VALUES ('tom1', 'tom', 'city', 'Boston', 0, 'user', {1 * DAY}, NULL, NULL, 'active', NULL, 't1', 1);
INSERT INTO facts VALUES ('tom2', 'tom', 'pet', 'cat', 1, 'user', {1 * DAY}, NULL, NULL, 'active', NULL, 't1', 1);
INSERT INTO episodes VALUES ('m1', 'maya', {1 * DAY}, 'a'), ('m2', 'maya', {2 * DAY}, 'b'), ('m3', 'maya', {3 * DAY}, 'c');
INSERT INTO episodes VALUES ('later', 'maya', {NOW + DAY}, 'd'), ('t1', 'tom', {1 * DAY}, 'e'), ('t2', 'tom', {2 * DAY}, 'f');
INSERT INTO tombstones VALUES ('maya', 'pet', 'ferret'), ('maya', 'city', 'Paris');
CREATE TABLE consolidation_pins(fact_id TEXT PRIMARY KEY, user_id, pinned_at REAL);
INSERT INTO consolidation_pins VALUES ('jazz', 'maya', 0);
"""

PROMOTED = f"""
INSERT INTO facts VALUES ('new', 'maya', 'seat', 'aisle', 0, 'inferred', {3 * DAY}, NULL, NULL, 'active', NULL, 'm1 m3', 2);
"""

AFTER = f"""
UPDATE facts SET status = 'superseded', superseded_by = 'austin', valid_to = {2 * DAY} WHERE id = 'boston';
UPDATE facts SET status = 'merged', superseded_by = 'cat', valid_to = {2 * DAY} WHERE id = 'cat2';
UPDATE facts SET evidence = 'm1 m2 m3', confirmations = 3 WHERE id = 'cat';
UPDATE facts SET status = 'expired', valid_to = expires_at WHERE id = 'old';
UPDATE facts SET status = 'expired', valid_to = valid_from WHERE id = 'guess';
UPDATE facts SET status = 'review' WHERE id = 'doctor';
{PROMOTED}
CREATE TABLE consolidation_runs(run_id TEXT PRIMARY KEY, now REAL, kind TEXT, record TEXT);
INSERT INTO consolidation_runs VALUES ('20260101T000000Z-000000', 0, 'night', '{{}}');
"""

SETTINGS = Settings(
    promote=PromoteSettings(min_support=3, rules=(PromoteRule("seat", "aisle", "aisle", min_support=2),))
)


class Judged:
    """A snapshot and a shadow on disk.

    Args:
        folder: where the files go.
        schema: the application's schema.
        before: what is in the snapshot.
        after: what the steps then did to the shadow.
    """

    def __init__(
        self,
        folder: Path,
        schema: str = contract.SCHEMA,
        before: str = BEFORE,
        after: str = AFTER,
        encoding: str = "UTF-8",
    ) -> None:
        folder.mkdir(exist_ok=True)
        self.base, self.shadow = folder / "base.db", folder / "shadow.db"
        with closing(sqlite3.connect(self.base)) as db:
            db.execute(f"PRAGMA encoding = '{encoding}'")
            db.executescript(f"PRAGMA synchronous = OFF; BEGIN; {schema} {before} COMMIT;")
        shutil.copy(self.base, self.shadow)
        self.change(after)

    def change(self, script: str) -> None:
        """Change the shadow with plain SQL."""
        self._execute(self.shadow, script)

    def change_both(self, script: str) -> None:
        """Change what was there before the night."""
        for path in (self.base, self.shadow):
            self._execute(path, script)

    @staticmethod
    def _execute(path: Path, script: str) -> None:
        with closing(sqlite3.connect(path)) as db:
            db.executescript(f"PRAGMA synchronous = OFF; {script}")

    def open(self) -> apsw.Connection:
        """Open the two as a run does."""
        db = connections.open_reader(self.shadow)
        connections.attach(db, self.base, "base")
        return db

    def verify(self, settings: Settings = SETTINGS, now: float = NOW) -> Findings:
        """Judge the shadow."""
        with closing(self.open()) as db:
            shape = contract.validate(db, self.base, "base")
            return checks.verify(db, now=now, settings=settings, shape=shape, run_id="20260101T000000Z-000000")

    def examine(self, settings: Settings = SETTINGS, now: float = NOW) -> Findings:
        """Judge the shadow as a single store."""
        with closing(connections.open_reader(self.shadow)) as db:
            shape = contract.validate(db, self.shadow)
            return checks.examine(db, now=now, settings=settings, shape=shape)

    def checks(self, settings: Settings = SETTINGS, now: float = NOW) -> set[str]:
        """Return the names of the checks that fail."""
        return {problem.check for problem in self.verify(settings, now).problems}

    def kinds(self) -> set[str]:
        """Return the kinds of the notices."""
        return {notice.kind for notice in self.verify().notices}
