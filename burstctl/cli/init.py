"""`burstctl init`: its options. Writing the files is in `starting.py`."""

import click


@click.command("init")
@click.option(
    "--ci",
    type=click.Choice(["gitlab", "github"]),
    show_envvar=True,
    help="Whose CI job to write.  [default: what the folder has, or else gitlab]",
)
@click.option("--force", is_flag=True, show_envvar=True, help="Replace files that are there.")
def command(ci: str | None, force: bool) -> None:
    """Write a starter manifest, burst.yaml, and a CI job that sends it, into this folder.

    \b
    gitlab   burst.gitlab-ci.yml, to be included in .gitlab-ci.yml
    github   .github/workflows/burst.yml

    Both are commented and work as they stand. Files that are there stay as they are, unless --force is given.
    """
    from pathlib import Path

    from burstctl.cli.starting import write_starter

    for line in write_starter(Path(), ci, force=force):
        click.echo(line)
