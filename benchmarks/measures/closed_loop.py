"""What a request costs when nothing holds the client back: CPU time per request, against one nginx worker."""

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median

from peers import find_peers, run_peer
from rounds import play_rounds
from servers import nginx
from table import Table, Target
from workload import Load, Peer

_CONNECTIONS = (32, 256)
_REQUESTS = 40_960


def measure_closed_loop(rounds: int, *, quick: bool) -> Table:
    """Compare all clients at few and at many connections."""
    peers = [peer for peer in find_peers() if peer.closed_loop]
    requests = 2560 if quick else _REQUESTS
    with tempfile.TemporaryDirectory() as home, nginx(Path(home)) as url:

        def measure(contender: tuple[Peer, int]) -> float:
            peer, connections = contender
            return _cpu_us(peer, Load(url, Path(home), connections, requests))

        contenders = [(peer, connections) for peer in peers for connections in _CONNECTIONS]
        costs = play_rounds(contenders, rounds, measure)
    cpu_us = {(peer.name, connections): median(figures) for (peer, connections), figures in costs.items()}
    heads = ["client"]
    for connections in _CONNECTIONS:
        heads += [f"CPU µs/request, {connections} connections", "requests/CPU-second ÷ hey's"]
    rows = []
    for peer in sorted(peers, key=lambda peer: cpu_us[peer.name, _CONNECTIONS[0]]):
        row = [peer.name]
        for connections in _CONNECTIONS:
            cost, hey = cpu_us[peer.name, connections], cpu_us.get(("hey", connections))
            row += [f"{cost:.1f}", f"{hey / cost:.2f}" if hey else ""]
        rows.append(row)
    return Table(heads, rows, _targets(cpu_us))


def _cpu_us(peer: Peer, load: Load) -> float:
    """Measure what a request costs, in µs."""
    cpu_s, completed = _run(peer, load)
    if peer.starts_slowly:
        start_cpu_s, start_completed = _run(peer, replace(load, requests=load.connections))
        cpu_s, completed = cpu_s - start_cpu_s, completed - start_completed
    return cpu_s / completed * 1e6


def _run(peer: Peer, load: Load) -> tuple[float, int]:
    assert peer.closed_loop is not None
    ended, shown = run_peer(peer, peer.closed_loop(load), load)
    return ended.cpu_s, shown.completed


def _targets(cpu_us: Mapping[tuple[str, int], float]) -> Sequence[Target]:
    targets = []
    for ours, theirs, least in (
        ("burstctl, uvloop", "hey", 0.7),
        ("burstctl, asyncio", "hey", 0.4),
        ("burstctl, uvloop", "locust FastHttpUser", 3.5),
    ):
        for connections in _CONNECTIONS:
            if (theirs, connections) in cpu_us:
                ratio = cpu_us[theirs, connections] / cpu_us[ours, connections]
                text = f"{ours}: at least {least} × {theirs}'s requests per CPU-second at {connections} connections"
                targets.append(Target(text, f"{ratio:.2f}", ratio >= least))
    return targets
