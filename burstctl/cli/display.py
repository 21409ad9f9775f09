"""The options of what a run shows while it lasts and when it ends. Prints nothing itself."""

from collections.abc import Callable
from functools import partial
from typing import Any

import click

Command = Callable[..., Any]

_option = partial(click.option, show_envvar=True)
_OPTIONS = (
    _option(
        "--progress",
        type=click.Choice(["auto", "live", "lines", "off"]),
        default="auto",
        show_default=True,
        help="Live display, or a line each 5 s; auto: live on a terminal.",
    ),
    _option(
        "--color", type=click.Choice(["auto", "always", "never"]), default="auto", show_default=True, help="Colours."
    ),
    _option("-q", "--quiet", is_flag=True, help="Print the verdict's line only."),
    _option("-v", "--verbose", is_flag=True, help="Print the resolved settings, and each request that fails."),
)
"""In the order of `--help`."""


def display_options(command: Command) -> Command:
    """Give a command these options."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command
