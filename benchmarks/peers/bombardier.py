"""bombardier, the HTTP benchmark: `-r` is a token bucket over all connections."""

import json

from workload import Command, Load, Peer, Shown


def _command(load: Load) -> Command:
    pace = ["-r", f"{load.rate_per_s:.0f}"] if load.rate_per_s else []
    arguments = ["bombardier", "-n", str(load.requests), "-c", str(load.connections), *pace, "-m", "POST", "-l"]
    arguments += ["-H", "Content-Type: application/json", "-f", str(load.write_body()), "-p", "r", "-o", "json"]
    return Command((*arguments, load.url))


def _read(output: str, _load: Load) -> Shown:
    result = json.loads(output)["result"]
    return Shown(result["req2xx"], result["latency"]["percentiles"]["99"] / 1000)


PEER = Peer("bombardier", "bombardier", _command, _command, _read)
