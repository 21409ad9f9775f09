"""What parallel jobs tell each other about the one server they send to. Holds values; learns nothing."""

from burstctl.value import value


@value
class Cut:
    """A refusal (429) and what it taught: the rate that the server accepts from all jobs together."""

    rate_per_s: float
    hold_s: float
    """How much longer nobody should go faster."""


@value
class Learnt:
    """Durations, never moments: the jobs' clocks have nothing in common."""

    base_latency_s: float | None = None
    """Latency without load."""
    pause_s: float = 0.0
    """How much longer everybody should wait because the server asked for it."""
    cut: Cut | None = None
    """News only: what was told once is not told again."""


NOTHING_LEARNT = Learnt()
