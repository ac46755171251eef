"""Entry points: the commands by name, and how any of them ends (DESIGN section 6)."""

from __future__ import annotations

import importlib
import os
import signal
import sys
from types import FrameType
from typing import NoReturn

import click

from consolidate import __version__
from consolidate.cli.options import complain, mute_stdout, output_failed, report_error
from consolidate.errors import ConsolidateError, StorageError

# Each command's module is imported only when the command is needed: starting must be fast.
_COMMANDS = {
    "nightly": "consolidate.cli.nightly:nightly",
    "init": "consolidate.cli.store:init",
    "import": "consolidate.cli.store:import_",
    "export": "consolidate.cli.store:export",
    "show": "consolidate.cli.read:show",
    "history": "consolidate.cli.read:history",
    "check": "consolidate.cli.check:check",
    "status": "consolidate.cli.status:status",
    "inspect": "consolidate.cli.inspect:inspect_",
    "diff": "consolidate.cli.inspect:diff",
    "prune": "consolidate.cli.prune:prune",
    "probe": "consolidate.cli.probe:probe",
    "stats": "consolidate.cli.stats:stats",
    "alert": "consolidate.cli.alert:alert",
    "review": "consolidate.cli.review:review",
    "pin": "consolidate.cli.decide:pin",
    "unpin": "consolidate.cli.decide:unpin",
    "forget": "consolidate.cli.decide:forget",
    "undo": "consolidate.cli.decide:undo",
    "rollback": "consolidate.cli.rollback:rollback",
}
_CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


class _Commands(click.Group):
    """The group whose commands are imported on demand."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands, in the order a new user meets them."""
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command."""
        if cmd_name not in _COMMANDS:
            return None
        module, name = _COMMANDS[cmd_name].split(":")
        command: click.Command = getattr(importlib.import_module(module), name)
        return command


@click.group(cls=_Commands, context_settings=_CONTEXT, no_args_is_help=False)
@click.version_option(__version__, prog_name="consolidate")
def consolidate() -> None:
    """Keep an AI agent's memory healthy without ever editing it in place."""


class Stopped(KeyboardInterrupt):
    """A signal asks the command to stop; ``number`` is the signal's."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


def main() -> NoReturn:
    """Run the ``consolidate`` command and exit with its status."""
    _end(consolidate, "consolidate")


def nightly_main() -> NoReturn:
    """Run the ``nightly`` command, the same as ``consolidate nightly``, and exit with its status."""
    from consolidate.cli.nightly import nightly

    nightly.context_settings = _CONTEXT
    _end(click.version_option(__version__, prog_name="nightly")(nightly), "nightly")


def _end(command: click.Command, name: str) -> NoReturn:
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _stop)
    _prepare_streams()
    sys.exit(_status(command, name))


def _prepare_streams() -> None:
    """Make the standard streams take any text; one that the caller closed goes nowhere."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: PTH123, SIM115 - it lasts as long as the process
        elif mode == "w" and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _stop(number: int, _frame: FrameType | None) -> NoReturn:
    raise Stopped(number)


def _status(command: click.Command, name: str) -> int:
    """Run a command and return its exit status; whatever goes wrong becomes one sentence."""
    try:
        with command.make_context(name, sys.argv[1:]) as context:
            status = command.invoke(context)
        sys.stdout.flush()
        return status if isinstance(status, int) else 0
    except click.exceptions.Exit as ended:
        return ended.exit_code
    except click.ClickException as error:
        path = error.ctx.command_path if isinstance(error, click.UsageError) and error.ctx else name
        complain(f"Error: {error.format_message()} Try '{path} -h'.")
        return 2
    except ConsolidateError as error:
        report_error(error)
        return error.exit_status
    except (KeyboardInterrupt, click.Abort) as stop:
        number = stop.number if isinstance(stop, Stopped) else signal.SIGINT
        complain(f"Stopped by {signal.Signals(number).name}.")
        return 128 + number
    except BrokenPipeError:
        mute_stdout()
        return 128 + signal.SIGPIPE
    except OSError as error:
        mute_stdout()
        report_error(output_failed(error))
        return StorageError.exit_status
    except Exception as error:
        _log_crash(error)
        complain(
            f"Error: An internal error ended the command: {type(error).__name__}. "
            "Run it again with CONSOLIDATE_DEBUG=1 for the details."
        )
        return 70


def _log_crash(error: Exception) -> None:
    if os.environ.get("CONSOLIDATE_DEBUG"):
        import structlog

        from consolidate import logs

        logs.configure()
        structlog.get_logger().debug("command.crashed", exc_info=error)
