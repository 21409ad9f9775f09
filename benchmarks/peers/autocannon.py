"""autocannon: with `-R`, each connection has a quota per second and spends it at once."""

import json

from workload import Command, Load, Peer, Shown


def _command(load: Load) -> Command:
    pace = ["-R", f"{load.rate_per_s:.0f}", "-C"] if load.rate_per_s else []
    arguments = ["autocannon", "--json", "-a", str(load.requests), "-c", str(load.connections), *pace, "-m", "POST"]
    return Command((*arguments, "-H", "content-type=application/json", "-i", str(load.write_body()), load.url))


def _read(output: str, _load: Load) -> Shown:
    figures = json.loads(output.splitlines()[-1])
    return Shown(figures["2xx"], figures["latency"]["p99"])


PEER = Peer("autocannon", "autocannon", _command, _command, _read, starts_slowly=True)
