"""What lint looks at in a burst manifest. Knows no schema: a run checks the rest."""

from burstctl.light import light
from burstctl.lint.file import Span


@light
class Manifest:
    """One manifest."""

    head: Span
    """Its first key: what is missing is said there."""
    rate: Span | None
    """Where the ceiling stands; None: nowhere, so the default holds."""
    rate_per_s: float | None
    """The ceiling; None where it comes from the environment or can't be read."""
    has_thresholds: bool
