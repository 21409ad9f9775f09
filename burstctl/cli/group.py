"""The `burstctl` command as Click knows it: finds subcommands, and turns Click's complaints into exit codes.

Imports nothing heavy but Click, and neither do the command modules: what a command needs is imported when it runs.
"""

import contextlib
from collections.abc import Sequence
from importlib import import_module

import click
from click.core import ParameterSource

from burstctl import __version__
from burstctl.cli.main import COMMANDS
from burstctl.exit_code import ExitCode


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


def invoke(arguments: Sequence[str] | None) -> int:
    """Run a command line; raise nothing of Click's."""
    try:
        result = cli.main(args=arguments, prog_name="burstctl", standalone_mode=False, auto_envvar_prefix="BURSTCTL")
        return int(result) if isinstance(result, int) else ExitCode.PASS
    except click.exceptions.Exit as error:
        return error.exit_code
    except click.ClickException as error:
        _blame_environment(error)
        with contextlib.suppress(OSError):
            error.show()
        return ExitCode.USAGE
    except click.Abort:
        raise KeyboardInterrupt from None


def _blame_environment(error: click.ClickException) -> None:
    """Name the variable that a bad value came from: no such option stands in the pipeline's script."""
    if not isinstance(error, click.BadParameter) or error.ctx is None or error.param is None:
        return
    name = error.param.name
    if name and error.ctx.get_parameter_source(name) is ParameterSource.ENVIRONMENT:
        variable = f"{error.ctx.auto_envvar_prefix}_{name.upper()}"
        error.param_hint = f"environment variable {variable}"
