"""`burstctl report`: show, merge and compare saved results. What they do is in `saved.py`, imported on use."""

import os
import sys
from functools import partial
from typing import Any

import click

from burstctl.cli.options import Parsed, parse_allowed, parse_comparison, parse_gate, parse_rendered

_option = partial(click.option, show_envvar=True)
_list = partial(click.option, show_envvar=True, multiple=True)
_color = _option(
    "--color", type=click.Choice(["auto", "always", "never"]), default="auto", show_default=True, help="Colours."
)
_reports = _list(
    "--report",
    type=Parsed("format=path", parse_rendered),
    help="Write a report (markdown=burst.md; - is stdout); may be repeated.",
)


@click.group("report")
def command() -> None:
    """Work with results that `burstctl run --report json=PATH` has saved."""


@command.command("show")
@click.argument("result")
@_reports
@_color
def show(**options: Any) -> int:
    """Render RESULT ("-": standard input) again, by default for the terminal. Exits 0 whatever its verdict was."""
    from burstctl.cli.saved import Around, show_result

    return show_result(around=Around(sys.stdin.buffer, sys.stdout, sys.stderr, os.environ), **options)


@command.command("merge")
@click.argument("results", nargs=-1, required=True)
@_reports
@_list("--threshold", type=Parsed("expr", parse_gate), help="Add a threshold, or replace the one of the same metric.")
@_option("--strict", is_flag=True, help="Fail where the verdict would be inconclusive.")
@_color
def merge(**options: Any) -> int:
    """Join the RESULTS of parallel jobs into one verdict, which is the exit code.

    Results of other plans are refused. Where the result of a job is missing, the verdict is inconclusive (4).
    """
    from burstctl.cli.saved import Around, merge_results

    return merge_results(around=Around(sys.stdin.buffer, sys.stdout, sys.stderr, os.environ), **options)


@command.command("compare")
@click.argument("base")
@click.argument("new")
@_list(
    "--max-regression",
    type=Parsed("metric=share", parse_allowed),
    help="How much worse a metric may get (p95=10%); may be repeated.  [default: p95=10%, failed=1%]",
)
@_list(
    "--report",
    type=Parsed("format=path", parse_comparison),
    help="Write the comparison (json, markdown, terminal; - is stdout).",
)
@_option("--strict", is_flag=True, help="Fail where the comparison would be inconclusive.")
def compare(**options: Any) -> int:
    """Hold the result NEW against an earlier one, BASE.

    \b
    0 pass            nothing got worse by more than is allowed
    1 fail            something did, beyond what chance explains
    4 inconclusive    too few samples to tell, or runs that can't be compared
    """
    from burstctl.cli.saved import Around, compare_results

    return compare_results(around=Around(sys.stdin.buffer, sys.stdout, sys.stderr, os.environ), **options)
