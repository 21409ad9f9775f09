"""A burst with probes beside it, in one process and on one event loop. Run as a program; knows no server.

`python watched.py BASE_URL REQUESTS RATE PROBES` prints `{"lag_ms": …, "readings": …, "errors": …}`; PROBES is a JSON
list of `{"kind": …, "keys": …}`.
"""

import asyncio
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from burstctl.cli.launch import Launch, launch
from burstctl.cli.loop import run_async
from burstctl.cli.probing import open_means
from burstctl.clock import clock_of
from burstctl.control.guard import Stop
from burstctl.manifest.load import load
from burstctl.plan import Plan
from burstctl.probe import registry
from burstctl.probe.watch import Watch
from burstctl.probe_settings import ProbeSettings


class _Nobody:
    """Orders nothing."""

    stop: Stop | None = None

    def __init__(self) -> None:
        self.on_stop = lambda: None

    async def watch(self) -> None:
        await asyncio.Event().wait()


async def burst(plan: Plan, probes: list[dict[str, Any]]) -> dict[str, Any]:
    """Send a plan while its fleet is watched."""
    clock = clock_of(asyncio.get_running_loop())
    means, fetcher = open_means(plan.target, clock)
    settings = [ProbeSettings(f"p{i}", one["kind"], keys=one["keys"]) for i, one in enumerate(probes)]
    watch = Watch([(one, registry.load(one.kind).make(one, means)) for one in settings], clock)
    try:
        await watch.take_baselines()
        async with asyncio.TaskGroup() as group:
            watch.start(group)
            summary, crash = await launch(plan, Launch(_Nobody(), seed=0))
            await watch.stop()
    finally:
        await watch.aclose()
        await fetcher.aclose()
    told = watch.figures(0.0).values()
    return {
        "succeeded": summary.total.succeeded,
        "crash": crash,
        "lag_p50_ms": summary.generator.lag_ms.p50,
        "lag_p99_ms": summary.generator.lag_ms.p99,
        "lag_max_ms": summary.generator.lag_ms.max,
        "cpu": summary.generator.cpu,
        "readings": sum(one.readings for one in told),
        "errors": sum(one.errors for one in told),
    }


def main(base_url: str, requests: str, rate: str, probes: str) -> None:
    """Print what a burst came to."""
    request = {"name": "predict", "path": "/predict", "json": {"text": "hello"}, "count": int(requests)}
    manifest = {"version": 1, "target": {"base_url": base_url}, "rate_limit": rate, "requests": [request]}
    with tempfile.TemporaryDirectory() as home:
        path = Path(home) / "burst.json"
        path.write_text(json.dumps(manifest))
        plan = load(str(path), stdin=sys.stdin.buffer, environ=os.environ, run_id="polling", seed=0)
        print(json.dumps(run_async(lambda: burst(plan, json.loads(probes)))))


if __name__ == "__main__":
    main(*sys.argv[1:])
