"""`burstctl schema`: prints a JSON Schema for editors and checks."""

import json

import click


@click.command
@click.argument("document", type=click.Choice(["manifest", "report"]))
def command(document: str) -> None:
    """Print the JSON Schema of a DOCUMENT: the manifest, or the json report."""
    if document == "manifest":
        from burstctl.manifest.json_schema import manifest_schema as schema
    else:
        from burstctl.result.schema import report_schema as schema
    click.echo(json.dumps(schema(), indent=2, ensure_ascii=False))
