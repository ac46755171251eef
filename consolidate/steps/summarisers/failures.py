"""How a call of a summariser can end without candidates (DESIGN section 3: it costs that user this night's promotion)."""

from __future__ import annotations


class SummariserError(Exception):
    """A call that failed for one user, with a sentence that can be shown: no memory content, no key."""


class NotAskedError(SummariserError):
    """A user who was not asked for tonight, for a reason that is not the user's; told of once, with the number of users."""
