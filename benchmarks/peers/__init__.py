"""The clients: one file per tool, each with its `Peer` values."""

import shutil
from collections.abc import Iterator

from process import Ended, run_pinned
from workload import Command, Load, Peer, Shown

from peers import ab, autocannon, bombardier, burstctl, hey, locust, oha, vegeta, wrk

_ALL = (
    burstctl.ON_UVLOOP,
    burstctl.ON_ASYNCIO,
    hey.PEER,
    wrk.PEER,
    ab.PEER,
    vegeta.PEER,
    oha.PEER,
    bombardier.PEER,
    autocannon.PEER,
    locust.PEER,
)


def find_peers() -> Iterator[Peer]:
    """Give the clients that are on the PATH."""
    for peer in _ALL:
        program = shutil.which(peer.program)
        # Debian's `bombardier` is a game.
        if program is not None and "/games/" not in program:
            yield peer


def run_peer(peer: Peer, command: Command, load: Load) -> tuple[Ended, Shown]:
    """Run a client and read its output; `RuntimeError` if it gives none that can be read."""
    ended = run_pinned(command.arguments, environment=command.environment)
    try:
        return ended, peer.read(ended.output, load)
    except (ValueError, LookupError, OSError) as error:
        raise RuntimeError(f"{peer.name} ended with {ended.code}: {ended.errors or ended.output}") from error
