"""What the command line sets over a manifest. Knows no option names and no defaults."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Overrides:
    """Checked values that win over the manifest; None or empty leaves it as it is."""

    base_url: str | None = None
    rate_per_s: float | None = None
    max_in_flight: int | None = None
    controller: str | None = None
    variables: Mapping[str, str] = field(default_factory=dict)
    """Win over the environment; secret like it."""
    only: tuple[str, ...] = ()
    """Request names; the others are left out."""
    thresholds: tuple[str, ...] = ()
    """Added; one of the same metric and request name is replaced."""
    max_attempts: int | None = None
    deadline_s: float | None = None
