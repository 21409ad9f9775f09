"""hey: `-q` is the rate of each worker, and `-n` is cut to a multiple of the workers."""

import re

from workload import Command, Load, Peer, Shown


def _command(load: Load) -> Command:
    pace = ["-q", f"{load.rate_per_s / load.connections:g}"] if load.rate_per_s else []
    arguments = ["hey", "-n", str(load.requests), "-c", str(load.connections), *pace, "-m", "POST"]
    return Command((*arguments, "-T", "application/json", "-D", str(load.write_body()), load.url))


def _read(output: str, _load: Load) -> Shown:
    answered = sum(int(count) for count in re.findall(r"\[2\d\d\]\s+(\d+) responses", output))
    p99 = re.search(r"99% in ([\d.]+) secs", output)
    return Shown(answered, float(p99[1]) * 1000 if p99 else None)


PEER = Peer("hey", "hey", _command, _command, _read)
