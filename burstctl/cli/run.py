"""`burstctl run`: its options. What they do is in `burst.py`, imported only when a run begins."""

import os
import secrets
import sys
from functools import partial
from typing import Any

import click

from burstctl.cli.display import display_options
from burstctl.cli.options import (
    Parsed,
    parse_abort,
    parse_gate,
    parse_ready,
    parse_report,
    parse_text,
    parse_variable,
)
from burstctl.cli.stale import discard_stale
from burstctl.cli.types import DurationType, JobsType, RateType, SharingType

_option = partial(click.option, show_envvar=True)
_list = partial(click.option, show_envvar=True, multiple=True)


class Run(click.Command):
    """Leaves no stale report behind where it can't read its options."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, list(args))
        except click.UsageError:
            discard_stale(self.name or "", args, os.environ)
            raise


@click.command(
    "run", cls=Run, epilog="Repeated options stand one per line in the environment. Option > environment > manifest."
)
@click.argument("manifest")
@_option("--rate-limit", type=RateType(), help="Ceiling of requests/s; never exceeded.  [default: the manifest's]")
@_option("--max-in-flight", type=click.IntRange(1), help="Most requests sent and not yet answered.")
@_option("--controller", type=click.Choice(["adaptive", "fixed"]), help="Back off by answers, or keep the rate.")
@_option("--target-latency", type=DurationType(), help="What the adaptive controller keeps the latency's p95 under.")
@_option("--base-latency", type=DurationType(), help="Latency without load, if known; else the first answers tell.")
@_option("--jobs", type=JobsType(), help="Parallel jobs that share the ceiling: a number, or auto (the CI's).")
@_option("--job", type=click.IntRange(1), help="Which of the jobs this is, from 1.  [default: as the CI says]")
@_option("--split", type=click.Choice(["none", "requests"]), help="Each job sends all, or its part of the requests.")
@_option("--share", type=SharingType(), help="Share the ceiling live: host, or redis://, rediss:// or unix:// URL.")
@_option("--workers", type=click.IntRange(1, 64), help="Processes that send, for rates beyond one processor core.")
@_option("--base-url", metavar="URL", help="Send everything there instead of to target.base_url.")
@_list("--var", type=Parsed("name=value", parse_variable, shown=False), help="Set ${NAME} in the manifest.")
@_list("--only", type=Parsed("name", parse_text), help="Send only requests of this name; may be repeated.")
@_option(
    "--only-failed", metavar="FILE", help="Send only what failed in an earlier run, by its --responses or ndjson file."
)
@_list("--threshold", type=Parsed("expr", parse_gate), help="Add a threshold (p95 < 200ms); may be repeated.")
@_option("--strict", is_flag=True, help="Fail where the verdict would be inconclusive.")
@_option("--abort", type=Parsed("expr", parse_abort), help="End early, and fail, on a condition (failed > 10%).")
@_option("--max-attempts", type=click.IntRange(1, 1000), help="Attempts per request, the first included.")
@_option("--deadline", type=DurationType(), help="Send nothing more after this long, and fail.")
@_option("--wait-ready", type=Parsed("url=60s", parse_ready, shown=False), help="Poll a URL until it answers 2xx.")
@_option("--allow-commands", is_flag=True, help="Let the manifest's probes run the commands that it lists.")
@_list("--report", type=Parsed("format=path", parse_report), help="Write a report (json=burst.json; - is stdout).")
@_option("--responses", metavar="FILE", help="Write one JSON line per answer, with its body, as the run goes.")
@_option("--seed", type=click.IntRange(0), help="Make jitter and ${uuid} repeatable.")
@display_options
def command(**options: Any) -> int:
    """Send the burst that MANIFEST describes ("-": standard input), print a summary, exit by its verdict.

    \b
    0 pass            every threshold held
    1 fail            a threshold broke, the deadline or --abort ended the run
    2 usage           bad option or manifest: nothing was sent
    3 unavailable     no request got any HTTP answer
    4 inconclusive    burstctl could not measure what was asked
    5 nothing         the plan is empty
    70 internal       a bug in burstctl
    130, 143          SIGINT, SIGTERM; reports are written all the same
    """
    from burstctl.cli.burst import Environment, run_burst
    from burstctl.cli.resolve import Options

    seed = options.pop("seed")
    options["verbose"] &= not options["quiet"]
    return run_burst(
        Options(seed=secrets.randbits(32) if seed is None else seed, **options),
        Environment(sys.stdin.buffer, sys.stdout, sys.stderr, os.environ),
    )
