"""Finds kinds of probes by name: each module of `kind/` is one. Imports none until it is asked."""

import pkgutil
from importlib import import_module
from typing import Protocol, cast

from burstctl.probe import kind
from burstctl.probe.probe import Means, Probe
from burstctl.probe_settings import ProbeSettings


class Kind(Protocol):
    """What a kind's module offers."""

    KIND: str
    HINT: str
    """What to try where it can't be read."""

    def make(self, settings: ProbeSettings, means: Means) -> Probe:
        """Make a probe of this kind; `UsageError` where this machine lacks what it needs."""
        ...


def names() -> list[str]:
    """List the kinds."""
    return sorted(module.name.replace("_", "-") for module in pkgutil.iter_modules(kind.__path__))


def load(name: str) -> Kind:
    """Import a kind that `names` lists."""
    return cast("Kind", import_module(f"{kind.__name__}.{name.replace('-', '_')}"))
