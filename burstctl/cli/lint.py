"""`burstctl lint`: its options. What they do is in `linting.py`, imported only when a check begins."""

import sys
from functools import partial
from typing import Any

import click

from burstctl.cli.types import RateType

_option = partial(click.option, show_envvar=True)


class OutputType(click.ParamType):  # type: ignore[type-arg]  # generic only since Click 8.4
    """FORMAT=PATH; several stand one per line in the environment."""

    name = "format=path"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> object:
        from burstctl.lint.render.registry import names

        name, equals, path = str(value).partition("=")
        if not equals or not path:
            self.fail("expected FORMAT=PATH, such as sarif=lint.sarif or json=-", param, ctx)
        if name not in names():
            self.fail(f"unknown format {name}: expected one of {', '.join(names())}", param, ctx)
        return name, path

    def split_envvar_value(self, rv: str) -> list[str]:
        return [line.strip() for line in rv.splitlines() if line.strip()]


class CodesType(click.ParamType):  # type: ignore[type-arg]  # generic only since Click 8.4
    """Codes of rules, or their beginnings, with commas between them."""

    name = "code,…"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> object:
        from burstctl.lint.configuration import read_codes

        if not isinstance(value, str):
            return value
        try:
            return read_codes([code.strip() for code in value.split(",") if code.strip()])
        except ValueError as error:
            self.fail(str(error), param, ctx)


@click.command(
    "lint",
    epilog="Settings: [tool.burstctl.lint] in .burstctl.toml or pyproject.toml. "
    "`burstctl explain CODE` explains a rule.",
)
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@_option(
    "--output",
    multiple=True,
    type=OutputType(),
    help="Write findings (sarif=lint.sarif; - is stdout).  [default: text=-]",
)
@_option("--select", type=CodesType(), help="Only these rules (BL101,BL3), whatever the settings select.")
@_option("--ignore", type=CodesType(), help="Not these rules, nor those that the settings ignore.")
@_option("--budget", type=RateType(), help="What the whole fleet bears, for the sum over parallel jobs.")
@_option("--fix", is_flag=True, help="Repair files where that changes nothing that runs.")
@_option("--unsafe-fixes", is_flag=True, help="Repair, also where it changes what runs: look at the result.")
@_option("--diff", is_flag=True, help="Show what --fix, or --unsafe-fixes, would change, and change nothing.")
@_option("--baseline", metavar="FILE", help="Keep silent about the findings that this file lists.")
@_option("--write-baseline", is_flag=True, help="List all findings of now in the --baseline file.")
@_option("--stdin-filename", metavar="PATH", help="Where the text that PATH - reads from stdin would stand.")
@_option("--expand", is_flag=True, help="Print the jobs as they are once resolved, with origins, and check nothing.")
@_option("--exit-zero", is_flag=True, help="Exit 0 whatever is found.")
def command(**options: Any) -> int:
    """Check CI files, and burst manifests, for load without a rate limit.

    PATH: files or folders; the default is the project around the current folder. "-": standard input.

    In a folder it looks for .gitlab-ci.yml, .github/workflows/*.yml, .circleci/config.yml, azure-pipelines*.yml,
    bitbucket-pipelines.yml, .buildkite/*.yml, Jenkinsfile, .tekton/*.yml, argo/*.yml and *burst.yaml, and for
    Terraform, CloudFormation, systemd units, Dockerfiles and gunicorn's configuration. Any file can be named.

    \b
    0 pass      no finding above a notice
    1 fail      an error or a warning
    2 usage     bad option or settings, a path that can't be read
    5 nothing   no CI file found
    """
    from burstctl.cli.linting import Options, Streams, run_lint

    return run_lint(Options(**options), Streams(sys.stdin, sys.stdout, sys.stderr))
