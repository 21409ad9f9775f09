"""The demonstration: the same burst unthrottled and throttled, each against a fresh simulated fleet of its own."""

import contextlib
import http.client
import json
import secrets
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from typing import TextIO
from urllib.parse import urlsplit

from rich.console import Console
from rich.table import Table

import burstctl
from burstctl.cli.console import Appearance
from burstctl.cli.interrupts import Interrupts
from burstctl.cli.launch import Launch, launch
from burstctl.cli.loop import run_async
from burstctl.errors import BurstctlError
from burstctl.gate import judge
from burstctl.manifest.load import load
from burstctl.outcome import Outcome
from burstctl.plan import Plan, Request
from burstctl.report import terminal
from burstctl.summary import Summary
from burstctl.units import format_duration, format_ms

_HARMED_MS = 200.0
_FLEET_STOPS_S = 10.0
_MANIFEST = "burst.yaml"


@dataclass(frozen=True, slots=True)
class _Scene:
    """One burst and what the fleet saw of it."""

    summary: Summary
    stats: Mapping[str, object]
    slow: int
    """Requests over `_HARMED_MS`."""


def rehearse(stdout: TextIO, look: Appearance) -> int:
    """Show both bursts side by side, then the summary of the throttled one; return its exit code."""
    console = Console(
        file=stdout, width=look.width, force_terminal=look.color, no_color=not look.color, highlight=False, _environ={}
    )
    manifest = _find_manifest()
    console.print(f"Fleet: 3 instances × 150 requests/s, simulated on this machine. Burst: {manifest}", soft_wrap=True)
    console.print("1. All at once, as the pipeline sent it …")
    unthrottled = _play(manifest, throttled=False)
    console.print("2. By burstctl run, ceiling 300/s …")
    throttled = _play(manifest, throttled=True)
    console.print()
    console.print(_compare(unthrottled, throttled))
    console.print()
    plan = _load(manifest, "http://127.0.0.1:1")
    verdict = judge(throttled.summary, plan.thresholds)
    console.out(terminal.render(throttled.summary, verdict, width=look.width, color=look.color).rstrip("\n"))
    return verdict.exit_code


def _play(manifest: Path, *, throttled: bool) -> _Scene:
    with _fleet() as url:
        plan = _load(manifest, url)
        if not throttled:
            pace = replace(plan.rate_limit, rate_per_s=1_000_000.0, max_in_flight=plan.planned, controller="fixed")
            plan = replace(plan, rate_limit=pace)
        slow = 0

        def count(_request: Request, outcome: Outcome) -> None:
            nonlocal slow
            slow += outcome.last is None or outcome.last.latency_s * 1000 > _HARMED_MS

        how = Launch(Interrupts(lambda: None), seed=0, on_outcome=count)
        summary, _crash = run_async(lambda: launch(plan, how))
        return _Scene(summary, _stats(url), slow)


def _load(manifest: Path, url: str) -> Plan:
    return load(str(manifest), stdin=BytesIO(), environ={"INFERENCE_URL": url}, run_id=secrets.token_hex(8), seed=0)


def _find_manifest() -> Path:
    """Find the shipped example: inside an installed package, or beside it in a source tree."""
    package = Path(burstctl.__file__).parent
    for folder in (package / "examples", package.parent / "examples"):
        if (folder / _MANIFEST).is_file():
            return folder / _MANIFEST
    raise BurstctlError(f"the example manifest {_MANIFEST} is missing from this installation", hint="install it again")


@contextlib.contextmanager
def _fleet() -> Iterator[str]:
    """Run a fleet in a process of its own, so that neither side waits for the other's processor time."""
    arguments = [sys.executable, "-m", "burstctl", "fleet", "--port", "0"]
    with subprocess.Popen(  # noqa: S603 - our own program, no input of anybody else's
        arguments,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,  # Ctrl-C is for the bursts; the fleet ends when they have
    ) as process:
        try:
            assert process.stdout is not None
            url = process.stdout.readline().strip()
            if not url.startswith("http://"):
                raise BurstctlError("the simulated fleet did not start", hint="try: burstctl fleet")
            yield url
        finally:
            process.terminate()
            process.communicate(timeout=_FLEET_STOPS_S)


def _stats(url: str) -> Mapping[str, object]:
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=5)
    try:
        connection.request("GET", "/stats")
        stats: dict[str, object] = json.loads(connection.getresponse().read())
        return stats
    finally:
        connection.close()


def _compare(unthrottled: _Scene, throttled: _Scene) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 4, 0, 0), header_style="bold")
    table.add_column("")
    table.add_column("all at once", justify="right")
    table.add_column("throttled", justify="right")
    scenes = (unthrottled, throttled)
    for label, cells in (
        ("succeeded", [f"{s.summary.total.succeeded:,} of {s.summary.total.planned:,}" for s in scenes]),
        ("took", [format_duration(s.summary.duration_s) for s in scenes]),
        ("most sent in any second", [f"{s.summary.rate.max_1s:,}" for s in scenes]),
        ("longest queue in the fleet", [f"{s.stats['peak_queue']:,}" for s in scenes]),
        ("latency p95", [f"{format_ms(s.summary.total.latency_ms.p95)} ms" for s in scenes]),
        (f"slower than {_HARMED_MS:.0f} ms", [f"{s.slow:,} requests" for s in scenes]),
    ):
        table.add_row(label, *cells)
    return table
