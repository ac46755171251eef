"""Logs: structlog to stderr, for people on a terminal, as JSON lines otherwise (DESIGN section 6).

Values, summaries and other memory content never go to the log: it holds ids and counts.
"""

from __future__ import annotations

import logging
import os
import sys
from typing import Any

import structlog

from consolidate.render import printable


def configure() -> None:
    """Set structlog up; ``CONSOLIDATE_DEBUG`` lowers the level to debug, ``NO_COLOR`` switches colours off."""
    level = logging.DEBUG if os.environ.get("CONSOLIDATE_DEBUG") else logging.INFO
    terminal = sys.stderr.isatty()
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            *(_for_people() if terminal else _for_programs()),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.WriteLoggerFactory(file=sys.stderr),
        cache_logger_on_first_use=True,
    )


def _for_people() -> list[structlog.typing.Processor]:
    from structlog.dev import ConsoleRenderer, plain_traceback

    colours = not os.environ.get("NO_COLOR")
    return [_escaped, ConsoleRenderer(colors=colours, exception_formatter=plain_traceback)]


def _for_programs() -> list[structlog.typing.Processor]:
    return [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]


def _escaped(_logger: Any, _method: str, event: structlog.typing.EventDict) -> structlog.typing.EventDict:
    """Escape what a terminal would act on; ids come from the application."""
    return {key: printable(value) if isinstance(value, str) else value for key, value in event.items()}
