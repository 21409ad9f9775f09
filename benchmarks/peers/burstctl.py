"""burstctl itself, on the loop that it chooses and on plain asyncio."""

import json
import sys

from workload import BODY, Command, Load, Peer, Shown

_CHOICE = ("-m", "burstctl")
_PLAIN = ("-c", "import sys; sys.modules['uvloop'] = None; from burstctl.cli.main import main; sys.exit(main())")
_WITHOUT_CEILING = "1000000/s"


def command(load: Load, start: tuple[str, ...] = _CHOICE, *options: str) -> Command:
    """Send a load by a manifest, with the rate kept whatever the answers are."""
    base_url, _, path = load.url.rpartition("/")
    manifest = {
        "version": 1,
        "target": {"base_url": base_url},
        "requests": [{"name": "predict", "path": f"/{path}", "json": json.loads(BODY), "count": load.requests}],
    }
    file = load.home / "burst.json"
    file.write_text(json.dumps(manifest))
    report = load.home / "report.json"
    report.unlink(missing_ok=True)
    rate = f"{load.rate_per_s:g}/s" if load.rate_per_s else _WITHOUT_CEILING
    arguments = [sys.executable, *start, "run", str(file), "--rate-limit", rate, "--controller", "fixed"]
    if load.rate_per_s is None:
        arguments += ["--max-in-flight", str(load.connections)]
    return Command((*arguments, "--progress", "off", "--quiet", "--report", f"json={report}", *options))


def read(_output: str, load: Load) -> Shown:
    """Read the report."""
    report = json.loads((load.home / "report.json").read_text())
    return Shown(report["succeeded"], report["latency_ms"]["p99"])


ON_UVLOOP = Peer("burstctl, uvloop", sys.executable, command, command, read, starts_slowly=True)
ON_ASYNCIO = Peer(
    "burstctl, asyncio",
    sys.executable,
    lambda load: command(load, _PLAIN),
    lambda load: command(load, _PLAIN),
    read,
    starts_slowly=True,
)
