"""oha: with `-q`, latency is corrected for coordinated omission if asked to."""

import json

from workload import Command, Load, Peer, Shown


def _command(load: Load) -> Command:
    pace = ["-q", f"{load.rate_per_s:g}", "--latency-correction"] if load.rate_per_s else []
    arguments = ["oha", "--no-tui", "--output-format", "json", "-n", str(load.requests), "-c", str(load.connections)]
    return Command((*arguments, *pace, "-m", "POST", "-T", "application/json", "-D", str(load.write_body()), load.url))


def _read(output: str, _load: Load) -> Shown:
    figures = json.loads(output)
    answered = sum(n for status, n in figures["statusCodeDistribution"].items() if status.startswith("2"))
    return Shown(answered, figures["latencyPercentiles"]["p99"] * 1000)


PEER = Peer("oha", "oha", _command, _command, _read)
