"""The files of one store: what the job keeps lies beside the live file and is named after it (DESIGN section 4)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from consolidate.errors import StorageError

SIDECARS = ("-journal", "-wal", "-shm")
# What is being written under a name that is not yet the lasting one.
PART = ".part"
# The job's own working copies, and how their names begin after that of live.
SHADOW = ".shadow"

_RUN = re.compile(r"\d{8}T\d{6}Z-[0-9a-f]{6}\Z")
_LEFTOVER_PART = re.compile(rf"{re.escape(PART)}({'|'.join(SIDECARS)})?\Z")


def sidecars(path: Path) -> tuple[Path, Path, Path]:
    """Return the paths of a database's rollback journal, write-ahead log and shared memory."""
    journal, wal, shm = (path.with_name(path.name + suffix) for suffix in SIDECARS)
    return journal, wal, shm


@dataclass(frozen=True)
class StorePaths:
    """The paths of one store and of what the job keeps beside it.

    Attributes:
        live: the store itself, symlinks resolved.
        plan: whether these are the paths of a dry run, whose copies have names of their own so that what a dead run left
            stays as it is.
    """

    live: Path
    plan: bool = False

    @classmethod
    def of(cls, path: Path, *, plan: bool = False) -> StorePaths:
        """Return the paths of the store at ``path``, which may be a symlink (it stays one); see the class for ``plan``.

        Raises:
            StorageError: the path cannot be resolved.
        """
        try:
            return cls(path.resolve(), plan)
        except (OSError, RuntimeError) as error:
            raise StorageError(f"{path} cannot be resolved: {error}.", "Check the symlink.") from error

    def _beside(self, suffix: str) -> Path:
        return self.live.with_name(self.live.name + suffix)

    @property
    def folder(self) -> Path:
        """The folder that holds them all."""
        return self.live.parent

    @property
    def journal(self) -> Path:
        """Live's rollback journal, while there is one."""
        return sidecars(self.live)[0]

    @property
    def wal(self) -> Path:
        """Live's write-ahead log, while there is one."""
        return sidecars(self.live)[1]

    @property
    def shm(self) -> Path:
        """The index of live's write-ahead log, while there is one."""
        return sidecars(self.live)[2]

    @property
    def lock(self) -> Path:
        """The run lock."""
        return self._beside(".lock")

    @property
    def shadow(self) -> Path:
        """The working copy."""
        return self._beside(f"{SHADOW}-plan" if self.plan else SHADOW)

    @property
    def base(self) -> Path:
        """The snapshot which the working copy began as."""
        return self._of_shadow("-base")

    @property
    def scratch(self) -> Path:
        """Room for the steps."""
        return self._of_shadow("-scratch")

    @property
    def copy(self) -> Path:
        """What a dry run reads instead of a store that it would have to repair."""
        return self._of_shadow("-copy")

    def _of_shadow(self, suffix: str) -> Path:
        return self.shadow.with_name(self.shadow.name + suffix)

    @property
    def runs(self) -> Path:
        """The history of the runs."""
        return self._beside(".runs.jsonl")

    @property
    def state(self) -> Path:
        """The summariser's cursor."""
        return self._beside(".state.json")

    @property
    def probes(self) -> Path:
        """The tenant's golden probes."""
        return self.live.with_name("probes.toml")

    def pre(self, run_id: str) -> Path:
        """The store as it was before the swap of a run."""
        return self._beside(f".pre-{run_id}")

    def pre_part(self, run_id: str) -> Path:
        """The same while it is being written."""
        return self._beside(f".pre-{run_id}{PART}")

    def rejected(self, run_id: str) -> Path:
        """The copy of a run that failed its checks."""
        return self._beside(f".rejected-{run_id}")

    def undone(self, run_id: str) -> Path:
        """What the rollback ``run_id`` replaced."""
        return self._beside(f".undone-{run_id}")

    def run_of(self, name: str, kind: str) -> str | None:
        """Return the run id in a file name of ``kind`` (``pre``, ``rejected`` or ``undone``), or None if it is none."""
        prefix = f"{self.live.name}.{kind}-"
        run_id = name[len(prefix) :] if name.startswith(prefix) else ""
        return run_id if _RUN.match(run_id) else None

    def is_disposable(self, name: str) -> bool:
        """Tell whether a file name is of something that a dead run left unfinished: a shadow, or a ``.part``."""
        if not name.startswith(self.live.name + "."):
            return False
        return name.startswith(self.live.name + SHADOW) or _LEFTOVER_PART.search(name) is not None
