"""A number that a command prints. The command is an argument list; no shell reads it."""

from collections.abc import Sequence

from burstctl.probe.number import number
from burstctl.probe.probe import MAIN, Means, Probe, ProbeError, Reading
from burstctl.probe_settings import ProbeSettings

KIND = "command"
HINT = "run it by hand: it must print one number, and end with code 0"


def make(settings: ProbeSettings, means: Means) -> Probe:
    """Make the probe that a manifest asks for."""
    return _Command(settings, means)


class _Command:
    def __init__(self, settings: ProbeSettings, means: Means) -> None:
        self._arguments = settings.listed("command")
        self._execute = means.execute

    async def read(self) -> Sequence[Reading]:
        value = number((await self._execute(self._arguments)).strip())
        if value is None:
            raise ProbeError("the command did not print one number")
        return [{MAIN: value}]

    async def aclose(self) -> None:
        """Each reading ends its own command."""
