"""How evenly clients send, and how true the latency is that they show: arrivals noted by the server."""

import tempfile
from dataclasses import dataclass
from pathlib import Path

from fit import achieved_per_s, arrival_errors_ms, most_in_any_second, percentile
from peers import find_peers, run_peer
from rounds import median_of, play_rounds
from servers import arrivals, take_arrivals
from table import Table, Target
from workload import Load, Peer


@dataclass(frozen=True, slots=True)
class Pace:
    """What the server saw of one client, and what the client showed."""

    arrived: int
    achieved_per_s: float
    error_p50_ms: float
    error_p99_ms: float
    error_max_ms: float
    most_1s: int
    shown_p99_ms: float | None
    true_p99_ms: float
    """Arrival to answer, at the server."""
    cpu_s: float

    @property
    def latency_error_ms(self) -> float:
        """How much more than the truth was shown."""
        return float("nan") if self.shown_p99_ms is None else self.shown_p99_ms - self.true_p99_ms


def _compare(rate_per_s: float, delay_ms: float, connections: int, rounds: int) -> dict[str, list[Pace]]:
    """Have every client send at a rate for 4 s."""
    peers = [peer for peer in find_peers() if peer.open_loop]
    with tempfile.TemporaryDirectory() as home, arrivals(delay_ms) as url:
        load = Load(url, Path(home), connections, int(rate_per_s * 4), rate_per_s)
        paces = play_rounds(peers, rounds, lambda peer: _measure(peer, load, rate_per_s))
    return {peer.name: figures for peer, figures in paces.items()}


def _measure(peer: Peer, load: Load, rate_per_s: float) -> Pace:
    assert peer.open_loop is not None
    take_arrivals(load.url)
    ended, shown = run_peer(peer, peer.open_loop(load), load)
    seen = take_arrivals(load.url)
    errors = arrival_errors_ms(seen.arrived_s, rate_per_s)
    return Pace(
        arrived=len(seen.arrived_s),
        achieved_per_s=achieved_per_s(seen.arrived_s),
        error_p50_ms=percentile(errors, 0.5),
        error_p99_ms=percentile(errors, 0.99),
        error_max_ms=errors[-1],
        most_1s=most_in_any_second(seen.arrived_s),
        shown_p99_ms=shown.p99_ms,
        true_p99_ms=percentile(sorted(seen.served_ms), 0.99),
        cpu_s=ended.cpu_s,
    )


_HEADS = (
    "client",
    "arrived",
    "achieved/s",
    "arrival error ms p50",
    "p99",
    "max",
    "most in any second",
    "p99 shown ms",
    "true p99 ms",
    "CPU s",
)


def _rows(paces: dict[str, list[Pace]]) -> list[list[str]]:
    """Write medians, the most even client first."""
    rows = []
    for name, figures in sorted(paces.items(), key=lambda item: median_of(item[1], lambda pace: pace.error_p99_ms)):
        shown = [pace.shown_p99_ms for pace in figures if pace.shown_p99_ms is not None]
        rows.append(
            [
                name,
                f"{median_of(figures, lambda pace: pace.arrived):,.0f}",
                f"{median_of(figures, lambda pace: pace.achieved_per_s):,.1f}",
                f"{median_of(figures, lambda pace: pace.error_p50_ms):.2f}",
                f"{median_of(figures, lambda pace: pace.error_p99_ms):.2f}",
                f"{median_of(figures, lambda pace: pace.error_max_ms):.1f}",
                f"{median_of(figures, lambda pace: pace.most_1s):,.0f}",
                f"{median_of(shown, float):.1f}" if shown else "",
                f"{median_of(figures, lambda pace: pace.true_p99_ms):.1f}",
                f"{median_of(figures, lambda pace: pace.cpu_s):.2f}",
            ]
        )
    return rows


def measure_slow_endpoint(rounds: int, *, quick: bool) -> Table:
    """Send 300/s to an endpoint that takes a second, so that 300 requests are in flight."""
    del quick
    paces = _compare(300, 1000, 300, rounds)
    ours = paces["burstctl, uvloop"]
    arrived, rate = median_of(ours, lambda pace: pace.arrived), median_of(ours, lambda pace: pace.achieved_per_s)
    p99_ms = median_of(ours, lambda pace: pace.shown_p99_ms or float("inf"))
    return Table(
        _HEADS,
        _rows(paces),
        [
            Target("1,200 requests at 300/s", f"{arrived:,.0f} at {rate:.1f}/s", arrived == 1200 and rate >= 298.5),
            Target("p99 shown ≤ 1,010 ms", f"{p99_ms:,.1f} ms", p99_ms <= 1010),
        ],
    )


def measure_arrival_error(rounds: int, *, quick: bool) -> Table:
    """Send 300/s to an endpoint that takes 20 ms."""
    del quick
    paces = _compare(300, 20, 30, rounds)
    error_ms = {name: median_of(figures, lambda pace: pace.error_p99_ms) for name, figures in paces.items()}
    ours, most = error_ms["burstctl, uvloop"], median_of(paces["burstctl, uvloop"], lambda pace: pace.most_1s)
    targets = [Target("most arrivals in any second ≤ 303", f"{most:.0f}", most <= 303)]
    rivals = {name: error_ms[name] for name in ("vegeta", "bombardier") if name in error_ms}
    if rivals:
        best = min(rivals, key=lambda name: rivals[name])
        text = "arrival error p99 no worse than the best of vegeta and bombardier"
        targets.append(Target(text, f"{ours:.2f} ms, {best} {rivals[best]:.2f} ms", ours <= rivals[best]))
    return Table(_HEADS, _rows(paces), targets)


def measure_fast(rounds: int, *, quick: bool) -> Table:
    """Send 3,000/s to an endpoint that takes 20 ms."""
    del quick
    paces = _compare(3000, 20, 100, rounds)
    ours = paces["burstctl, uvloop"]
    rate = median_of(ours, lambda pace: pace.achieved_per_s)
    error_ms = median_of(ours, lambda pace: abs(pace.latency_error_ms))
    return Table(
        _HEADS,
        _rows(paces),
        [
            Target("at least 99.5 % of 3,000/s", f"{rate / 3000:.2%}", rate >= 0.995 * 3000),
            Target("p99 shown within 6 ms of the truth", f"{error_ms:.1f} ms", error_ms <= 6),
        ],
    )
