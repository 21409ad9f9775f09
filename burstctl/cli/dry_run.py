"""`burstctl dry-run`: its options. What they do is in `trial/`, imported only when it begins."""

import os
import sys
from functools import partial
from typing import Any

import click

from burstctl.cli.options import Parsed, parse_text, parse_variable
from burstctl.cli.types import JobsType, RateType

_option = partial(click.option, show_envvar=True)
_list = partial(click.option, show_envvar=True, multiple=True)


@click.command("dry-run", epilog="Repeated options stand one per line in the environment.")
@click.argument("manifest", type=click.Path(allow_dash=True))
@_option("--base-url", metavar="URL", help="Send everything there, to a staging endpoint, not to target.base_url.")
@_option(
    "--sample", type=click.IntRange(1), default=1, show_default=True, help="Requests of each name, the first ones."
)
@_option("--offline", is_flag=True, help="Send nothing: print the plan, and one curl command for each name.")
@_option("--allow-commands", is_flag=True, help="Let the manifest's probes run the commands that it lists.")
@_list("--only", type=Parsed("name", parse_text), help="Only requests of this name; may be repeated.")
@_list("--var", type=Parsed("name=value", parse_variable, shown=False), help="Set ${NAME} in the manifest.")
@_option("--rate-limit", type=RateType(), help="The ceiling that the run will have.  [default: the manifest's]")
@_option("--jobs", type=JobsType(), help="Parallel jobs that will share it: a number, or auto (the CI's).")
@_option("--job", type=click.IntRange(1), help="Which of the jobs this is, from 1.  [default: as the CI says]")
@_option("--split", type=click.Choice(["none", "requests"]), help="Each job sends all, or its part of the requests.")
@_option("--color", type=click.Choice(["auto", "always", "never"]), default="auto", show_default=True, help="Colours.")
def command(**options: Any) -> int:
    """Try MANIFEST ("-": standard input) before it is run: a few requests, slowly, each exchange shown.

    Sends the first requests of each name, at 5/s or less and once each, and shows what every expectation met; reads
    each probe once; then what the whole plan will take. Failures gate as in a run; thresholds on times and rates don't.

    \b
    0 pass            every sampled request was answered as expected
    1 fail            one was not, or a required probe could not be read
    2 usage           bad option or manifest: nothing was sent
    3 unavailable     no request got any HTTP answer
    4 inconclusive    burstctl could not measure what was asked
    5 nothing         the plan is empty
    130, 143          SIGINT, SIGTERM
    """
    from burstctl.cli.burst import Environment
    from burstctl.cli.trial.trial import TrialOptions, run_trial

    return run_trial(TrialOptions(**options), Environment(sys.stdin.buffer, sys.stdout, sys.stderr, os.environ))
