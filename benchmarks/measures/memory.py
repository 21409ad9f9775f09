"""How much memory a long burst takes: the peak of a run of 100,000 requests and of one of a million."""

import tempfile
from pathlib import Path

from peers.burstctl import ON_UVLOOP, command
from process import run_pinned
from rounds import median_of, play_rounds
from servers import nginx
from table import Table, Target
from workload import Load


def measure_memory(rounds: int, *, quick: bool) -> Table:
    """Run both lengths, as fast as they go."""
    short, long = (1_000, 10_000) if quick else (100_000, 1_000_000)
    with tempfile.TemporaryDirectory() as home, nginx(Path(home)) as url:

        def peak_mb(requests: int) -> float:
            load = Load(url, Path(home), 32, requests)
            ended = run_pinned(command(load).arguments, timeout_s=600)
            if ON_UVLOOP.read(ended.output, load).completed != requests:
                raise RuntimeError(f"not all of {requests:,} requests succeeded: {ended.errors}")
            return ended.peak_rss_mb

        peaks = play_rounds([short, long], min(rounds, 3), peak_mb)
    few_mb, many_mb = (median_of(peaks[requests], float) for requests in (short, long))
    return Table(
        ["requests", "peak RSS MB"],
        [[f"{short:,}", f"{few_mb:.0f}"], [f"{long:,}", f"{many_mb:.0f}"]],
        [
            Target("RSS < 120 MB", f"{many_mb:.0f} MB", many_mb < 120),
            Target("growth < 20 MB", f"{many_mb - few_mb:.0f} MB", many_mb - few_mb < 20),
        ],
    )
