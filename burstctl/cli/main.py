"""The `burstctl` command: finds subcommands, and is the one place where errors become messages and exit codes.

Imports nothing heavy, and neither do the command modules: what a command needs is imported when it runs.
"""

import contextlib
import errno
import io
import os
import signal
import sys
from collections.abc import Sequence
from importlib import import_module

import click
from click.core import ParameterSource

from burstctl import __version__
from burstctl.cli.crash import place_of
from burstctl.errors import BurstctlError
from burstctl.exit_code import ExitCode

_UNWRITABLE = (errno.ENOSPC, errno.EIO, errno.EFBIG, errno.EDQUOT)

COMMANDS = ("run", "fleet", "demo", "schema")
"""In the order of `--help`; each is a module of this package with a `command`."""


class Commands(click.Group):
    """Loads each subcommand's module when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command = import_module(f"burstctl.cli.{cmd_name.replace('-', '_')}").command
        assert isinstance(command, click.Command)
        return command


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="burstctl")
def cli() -> None:
    """Send a burst of inference requests without harming the fleet that answers them.

    \b
    burstctl demo                 see it work, on this machine alone
    burstctl run burst.yaml       send a manifest's requests; the exit code gates the pipeline

    \b
    Exit codes: 0 pass, 1 fail, 2 usage, 3 unavailable, 4 inconclusive, 5 nothing to do,
    70 a bug in burstctl, 130/143 interrupted/terminated.
    """


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code and never raise."""
    _mend_streams()
    _end_in_order()
    try:
        result = cli.main(args=arguments, prog_name="burstctl", standalone_mode=False, auto_envvar_prefix="BURSTCTL")
        sys.stdout.flush()
        return int(result) if isinstance(result, int) else ExitCode.PASS
    except click.exceptions.Exit as error:
        return error.exit_code
    except click.ClickException as error:
        _blame_environment(error)
        with contextlib.suppress(OSError):
            error.show()
        return ExitCode.USAGE
    except (click.Abort, KeyboardInterrupt):
        _say("burstctl: interrupted")
        return ExitCode.INTERRUPTED
    except SystemExit as error:
        return error.code if isinstance(error.code, int) else ExitCode.INTERNAL
    except BurstctlError as error:
        _say(f"Error: {error.message}")
        if error.hint:
            _say(f"Hint: {error.hint}")
        return error.exit_code
    except BrokenPipeError:
        _silence_stdout()
        return ExitCode.PASS
    except OSError as error:
        if error.errno not in _UNWRITABLE:
            return _report_bug(error)
        _silence_stdout()
        _say(f"Error: can't write the output: {(error.strerror or 'unknown reason').lower()}")
        return ExitCode.USAGE
    except Exception as error:  # noqa: BLE001 - the edge: a bug gets a message and its own exit code, never a traceback
        return _report_bug(error)


def _mend_streams() -> None:
    """Have characters that the terminal's encoding lacks escaped: a report is worth more than its dashes."""
    for descriptor in (0, 1, 2):  # one that was closed before the start would be given to a socket
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    sys.stdin = sys.stdin or io.TextIOWrapper(io.BytesIO())
    sys.stdout = sys.stdout or io.StringIO()
    sys.stderr = sys.stderr or io.StringIO()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _end_in_order() -> None:
    """Have SIGTERM and SIGHUP unwind like an exception, so that nothing half-written is left; a run does more."""
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _end)


def _end(number: int, _frame: object) -> None:
    _say(f"burstctl: ended by {signal.Signals(number).name}")
    raise SystemExit(ExitCode.TERMINATED)


def _blame_environment(error: click.ClickException) -> None:
    """Name the variable that a bad value came from: no such option stands in the pipeline's script."""
    if not isinstance(error, click.BadParameter) or error.ctx is None or error.param is None:
        return
    name = error.param.name
    if name and error.ctx.get_parameter_source(name) is ParameterSource.ENVIRONMENT:
        variable = f"{error.ctx.auto_envvar_prefix}_{name.upper()}"
        error.param_hint = f"environment variable {variable}"


def _report_bug(error: Exception) -> int:
    _say(f"Error: a bug in burstctl: {place_of(error)}")
    _say("Hint: please report it with the command and this line; nothing else is wrong with your input.")
    return ExitCode.INTERNAL


def _say(text: str) -> None:
    try:
        click.echo(text, err=True)
    except OSError:  # stderr is gone as well: the exit code still speaks
        return


def _silence_stdout() -> None:
    """Keep the interpreter from complaining at exit that nobody reads its output."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
