"""A probe as the manifest sets it: its name, its rhythm and the keys of its kind, checked. Knows no kind's meaning."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast


@dataclass(frozen=True, slots=True)
class ProbeSettings:
    """What one entry of `probes` says."""

    name: str
    kind: str
    every_s: float = 1.0
    timeout_s: float = 2.0
    """For one reading."""
    recovery_s: float = 60.0
    """How long after the last answer it is watched for its return to the baseline."""
    recovery_every_s: float = 1.0
    """Between two readings meanwhile."""
    recovery_asked: bool = False
    """A threshold is on its recovery: it is watched to the end, also while its readings fail."""
    required: bool = False
    """A threshold on it fails, instead of being inconclusive, when there is no reading."""
    keys: Mapping[str, object] = field(default_factory=dict)
    """Of its kind; checked and resolved."""

    def text(self, key: str) -> str:
        """Give a key's text; empty where it is not set."""
        return str(self.keys.get(key) or "")

    def mapping(self, key: str) -> Mapping[str, str]:
        return cast("Mapping[str, str]", self.keys.get(key) or {})

    def listed(self, key: str) -> Sequence[str]:
        return cast("Sequence[str]", self.keys.get(key) or ())

    def number(self, key: str, otherwise: float) -> float:
        value = self.keys.get(key)
        return otherwise if value is None else float(cast("float", value))
