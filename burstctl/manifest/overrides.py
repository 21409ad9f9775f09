"""What the command line sets over a manifest. Knows no option names and no defaults."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from burstctl.interpolate import Template
from burstctl.source import Path


@dataclass(frozen=True, slots=True)
class Overrides:
    """Checked values that win over the manifest; None or empty leaves it as it is."""

    base_url: str | None = None
    rate_per_s: float | None = None
    max_in_flight: int | None = None
    controller: str | None = None
    target_latency_s: float | None = None
    base_latency_s: float | None = None
    workers: int | None = None
    jobs: int | str | None = None
    """A number, or `auto`."""
    job: int | None = None
    split: str | None = None
    share: str | None = None
    """May hold a password, as what comes from the environment."""
    variables: Mapping[str, str] = field(default_factory=dict)
    """Win over the environment; secret like it."""
    only: tuple[str, ...] = ()
    """Request names; the others are left out."""
    thresholds: tuple[str, ...] = ()
    """Added; one of the same metric and request name is replaced."""
    max_attempts: int | None = None
    deadline_s: float | None = None
    trickle: int | None = None
    """So many requests instead of the manifest's, its entries taking turns."""

    def lay_over(self, value: object) -> tuple[object, frozenset[Path]]:
        """Put the values in the place of a manifest's own; tells which places those are."""
        if not isinstance(value, dict):
            return value, frozenset()
        changes: dict[str, dict[str, object]] = {
            "target": {"base_url": self.base_url},
            "rate_limit": {
                "rate": self.rate_per_s,
                "max_in_flight": self.max_in_flight,
                "controller": self.controller,
                "target_latency": self.target_latency_s,
                "base_latency": self.base_latency_s,
                "workers": self.workers,
                "jobs": self.jobs,
                "job": self.job,
                "split": self.split,
                "share": None if self.share is None else Template((self.share,)),
            },
            "retry": {"max_attempts": self.max_attempts},
        }
        value = dict(value)
        replaced: set[Path] = set()
        for section, keys in changes.items():
            given = {key: item for key, item in keys.items() if item is not None}
            own = value.get(section, {})
            if given and section == "rate_limit" and not isinstance(own, dict):
                own = {"rate": own}
                replaced |= {(section,)} if "rate" in given else set()
            if given and isinstance(own, dict):
                value[section] = own | given
                replaced |= {(section, key) for key in given}
        if self.deadline_s is not None:
            value["deadline"] = self.deadline_s
            replaced.add(("deadline",))
        return value, frozenset(replaced)


NO_OVERRIDES = Overrides()
"""The manifest as it is."""
