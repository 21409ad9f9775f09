"""`burstctl explain`: says what a lint rule, a threshold's metric or an exit code means."""

import click


@click.command
@click.argument("code", required=False)
def command(code: str | None) -> None:
    """Explain CODE: a lint rule (BL101), a metric of thresholds (p95) or an exit code (4). Without it: list all."""
    from burstctl.cli.explanation.registry import explain, overview

    click.echo(explain(code) if code else overview(), nl=False)
