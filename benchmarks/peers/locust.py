"""Locust with FastHttpUser: `locustfile.py` beside this file is its user."""

import json
from collections import Counter
from pathlib import Path

from workload import BODY, Command, Load, Peer, Shown


def _command(load: Load) -> Command:
    users = str(load.connections)
    arguments = ["locust", "--headless", "--only-summary", "--json", "--loglevel", "ERROR", "-u", users, "-r", users]
    environment = {
        "BENCHMARK_BODY": BODY,
        "BENCHMARK_USERS": users,
        "BENCHMARK_REQUESTS": str(load.requests // load.connections),
        "BENCHMARK_RATE": f"{(load.rate_per_s or 0) / load.connections}",
    }
    base_url = load.url.removesuffix("/predict")
    file = str(Path(__file__).with_name("locustfile.py"))
    return Command((*arguments, "-t", "100s", "-f", file, "-H", base_url), environment)


def _read(output: str, _load: Load) -> Shown:
    (figures,) = json.loads(output[output.index("[") :])
    times = Counter({float(ms): count for ms, count in figures["response_times"].items()})
    answered = sorted(times.elements())
    completed = figures["num_requests"] - figures["num_failures"]
    return Shown(completed, answered[int(len(answered) * 0.99)] if answered else None)


PEER = Peer("locust FastHttpUser", "locust", _command, _command, _read, starts_slowly=True)
