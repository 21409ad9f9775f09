"""ab (Debian: apache2-utils): closed loop only."""

import re

from workload import Command, Load, Peer, Shown


def _command(load: Load) -> Command:
    arguments = ["ab", "-k", "-q", "-n", str(load.requests), "-c", str(load.connections)]
    return Command((*arguments, "-T", "application/json", "-p", str(load.write_body()), load.url))


def _read(output: str, _load: Load) -> Shown:
    def count(label: str) -> int:
        found = re.search(rf"{label}:\s+(\d+)", output)
        return int(found[1]) if found else 0

    return Shown(count("Complete requests") - count("Failed requests") - count("Non-2xx responses"))


PEER = Peer("ab -k", "ab", _command, None, _read)
