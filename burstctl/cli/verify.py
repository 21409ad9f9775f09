"""`burstctl verify`: its options. What they do is in `burst.py`, imported only when it begins."""

import os
import secrets
import sys
from functools import partial
from typing import Any

import click

from burstctl.cli.display import display_options
from burstctl.cli.options import Parsed, parse_gate, parse_ready, parse_report, parse_text, parse_variable
from burstctl.cli.run import Run
from burstctl.cli.types import DurationType, RateType

_option = partial(click.option, show_envvar=True)
_list = partial(click.option, show_envvar=True, multiple=True)
_MOST = 1_000_000


@click.command("verify", cls=Run, epilog="Repeated options stand one per line in the environment.")
@click.argument("manifest")
@_option("--for", type=DurationType(), default="60s", show_default=True, help="How long to watch.")
@_option("--rate", type=RateType(), default="1/s", show_default=True, help="Synthetic requests meanwhile.")
@_option("--base-url", metavar="URL", help="Send everything there instead of to target.base_url.")
@_list("--var", type=Parsed("name=value", parse_variable, shown=False), help="Set ${NAME} in the manifest.")
@_list("--only", type=Parsed("name", parse_text), help="Send only requests of this name; may be repeated.")
@_list("--threshold", type=Parsed("expr", parse_gate), help="Add a threshold (probe.queue.max <= 5).")
@_option("--strict", is_flag=True, help="Fail where the verdict would be inconclusive.")
@_option("--wait-ready", type=Parsed("url=60s", parse_ready, shown=False), help="Poll a URL until it answers 2xx.")
@_option("--allow-commands", is_flag=True, help="Let the manifest's probes run the commands that it lists.")
@_list("--report", type=Parsed("format=path", parse_report), help="Write a report (json=verify.json; - is stdout).")
@_option("--seed", type=click.IntRange(0), help="Make jitter and ${uuid} repeatable.")
@display_options
def command(**options: Any) -> int:
    """Watch the fleet of MANIFEST ("-": standard input) by its probes, with a trickle of its requests.

    After a deploy, before the burst: the manifest's requests take turns, one process sends them, and the same
    thresholds hold, but those on a burst's rate and duration. Reports and exit codes are those of run.

    \b
    0 pass            every threshold held
    1 fail            a threshold broke
    2 usage           bad option or manifest: nothing was sent
    3 unavailable     no request got any HTTP answer
    4 inconclusive    burstctl could not measure what was asked; a probe never answered
    5 nothing         the plan is empty
    70 internal       a bug in burstctl
    130, 143          SIGINT, SIGTERM; reports are written all the same
    """
    from burstctl.cli.burst import Environment, run_burst
    from burstctl.cli.resolve import Options

    seed, for_s, rate_per_s = options.pop("seed"), options.pop("for"), options.pop("rate")
    options["verbose"] &= not options["quiet"]
    told = Options(
        seed=secrets.randbits(32) if seed is None else seed,
        rate_limit=rate_per_s,
        max_in_flight=None,
        controller="fixed",
        target_latency=None,
        base_latency=None,
        workers=1,
        jobs=1,
        job=1,
        split="none",
        share="none",
        only_failed=None,
        abort=None,
        max_attempts=None,
        deadline=None,
        responses=None,
        trickle=min(_MOST, max(1, round(for_s * rate_per_s))),
        **options,
    )
    return run_burst(told, Environment(sys.stdin.buffer, sys.stdout, sys.stderr, os.environ))
