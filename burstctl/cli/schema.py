"""`burstctl schema`: prints a JSON Schema for editors and checks."""

import json

import click


@click.command
@click.argument("document", type=click.Choice(["manifest"]))
def command(document: str) -> None:
    """Print the JSON Schema of a DOCUMENT: the manifest."""
    from burstctl.manifest.json_schema import manifest_schema

    click.echo(json.dumps(manifest_schema(), indent=2, ensure_ascii=False))
