"""`burstctl demo`: its options. The demonstration itself is in `rehearsal.py`."""

import os
import sys

import click


@click.command("demo")
@click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    show_default=True,
    show_envvar=True,
    help="Colours.",
)
def command(color: str) -> int:
    """Send one burst twice to a simulated fleet: all at once, as a careless pipeline does, and throttled.

    Everything stays on this machine: the fleet (3 instances, 150 requests/s each) runs beside the bursts, and no
    other server or network is needed. Takes about ten seconds; exits by the verdict on the throttled burst.
    """
    from burstctl.cli.console import ColorChoice, inspect
    from burstctl.cli.rehearsal import rehearse

    return rehearse(sys.stdout, inspect(sys.stdout, os.environ, ColorChoice(color)))
