"""vegeta: open loop; its results are a binary file that a second command reports on."""

import json
import subprocess

from workload import Command, Load, Peer, Shown


def _command(load: Load) -> Command:
    targets = load.home / "targets.http"
    targets.write_text(f"POST {load.url}\nContent-Type: application/json\n@{load.write_body()}\n")
    arguments = ["vegeta", "attack", f"-targets={targets}", f"-output={load.home / 'results.bin'}"]
    return Command((*arguments, f"-rate={load.rate_per_s:.0f}/1s", f"-duration={load.duration_s * 1000:.0f}ms"))


def _read(_output: str, load: Load) -> Shown:
    report = ["vegeta", "report", "-type=json", str(load.home / "results.bin")]
    figures = json.loads(subprocess.run(report, capture_output=True, check=True, timeout=60).stdout)
    answered = sum(count for status, count in figures["status_codes"].items() if status.startswith("2"))
    return Shown(answered, figures["latencies"]["99th"] / 1e6)


PEER = Peer("vegeta", "vegeta", None, _command, _read)
