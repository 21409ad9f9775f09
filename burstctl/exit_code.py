"""The process's exit codes: public API under SemVer. Knows nothing of what leads to them."""

from enum import IntEnum


class ExitCode(IntEnum):
    """What a pipeline may act on; every other code below 126 is reserved."""

    PASS = 0
    """Every threshold held, with data."""
    FAIL = 1
    """A threshold broke, or lint findings."""
    USAGE = 2
    """Bad option, invalid manifest, unknown metric, file not found: nothing was sent."""
    UNAVAILABLE = 3
    """No request got any HTTP answer."""
    INCONCLUSIVE = 4
    """No honest verdict is possible."""
    NOTHING = 5
    """Nothing to do."""
    INTERNAL = 70
    """A bug in burstctl."""
    INTERRUPTED = 130
    """SIGINT."""
    TERMINATED = 143
    """SIGTERM."""
