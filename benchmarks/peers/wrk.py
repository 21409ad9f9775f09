"""wrk: closed loop only, for a time; the body comes from a Lua script."""

import re

from workload import BODY, Command, Load, Peer, Shown


def _command(load: Load) -> Command:
    script = load.home / "post.lua"
    script.write_text(f"wrk.method = 'POST'\nwrk.body = '{BODY}'\nwrk.headers['Content-Type'] = 'application/json'\n")
    return Command(
        ("wrk", "-t1", f"-c{load.connections}", f"-d{load.duration_s:.0f}s", "--latency", "-s", str(script), load.url)
    )


def _read(output: str, _load: Load) -> Shown:
    completed = re.search(r"(\d+) requests in", output)
    failed = re.search(r"Non-2xx or 3xx responses: (\d+)", output)
    return Shown((int(completed[1]) if completed else 0) - (int(failed[1]) if failed else 0))


PEER = Peer("wrk", "wrk", _command, None, _read)
