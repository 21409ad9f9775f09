"""`burstctl completion`: prints what makes a shell complete burstctl's commands and options. Knows none of them."""

import click
from click.shell_completion import get_completion_class

_SHELLS = ("bash", "zsh", "fish")


@click.command("completion")
@click.argument("shell", type=click.Choice(_SHELLS))
@click.pass_context
def command(ctx: click.Context, shell: str) -> None:
    """Print the completion script of a SHELL.

    \b
    bash, zsh   eval "$(burstctl completion bash)" in ~/.bashrc, or zsh in ~/.zshrc
    fish        burstctl completion fish > ~/.config/fish/completions/burstctl.fish
    """
    kind = get_completion_class(shell)
    assert kind is not None
    click.echo(kind(ctx.find_root().command, {}, "burstctl", "_BURSTCTL_COMPLETE").source())
