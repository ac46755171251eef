"""Every error a user can meet: one sentence, a hint, an exit status (DESIGN section 6)."""

from __future__ import annotations

from typing import ClassVar


class ConsolidateError(Exception):
    """An error that ends a command with one sentence and an exit status instead of a traceback.

    Args:
        message: one sentence that names the file or setting concerned; never memory content.
        hint: what to do about it, or an empty string.
    """

    exit_status: ClassVar[int] = 70

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".rstrip()


class UsageError(ConsolidateError):
    """A wrong command line, a missing root, an unknown tenant."""

    exit_status = 2


class DataError(ConsolidateError):
    """Input that cannot be taken: a bad line of an import, a rejected run."""

    exit_status = 65


class InternalError(ConsolidateError):
    """A fault of the job itself or of a step the operator added."""

    exit_status = 70


class StorageError(ConsolidateError):
    """Input or output failed, permission is missing, the disk is full, or a file is not a store."""

    exit_status = 74


class NotAStoreError(StorageError):
    """A file that is not a store: not SQLite, a table or column missing, a wrong type, corrupt pages."""


class BusyError(ConsolidateError):
    """Somebody else holds what is needed; the same command can succeed later."""

    exit_status = 75


class ConfigError(ConsolidateError):
    """The configuration, the probes or a plug-in cannot be used."""

    exit_status = 78
