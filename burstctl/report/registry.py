"""Finds report formats by name: each module of this folder but this one is a format. Imports none until it is asked."""

import pkgutil
from difflib import get_close_matches
from importlib import import_module
from typing import Protocol, cast

from burstctl import report
from burstctl.errors import UsageError
from burstctl.gate import Verdict
from burstctl.summary import Summary


class Format(Protocol):
    """What a format's module offers."""

    NAME: str

    def render(self, summary: Summary, verdict: Verdict) -> str:
        """Write the whole report, to its last newline."""
        ...


def names() -> list[str]:
    """List the formats; what formats share lies in packages, which are none."""
    modules = (module.name for module in pkgutil.iter_modules(report.__path__) if not module.ispkg)
    return sorted(name.replace("_", "-") for name in modules if name != "registry")


def load(name: str) -> Format:
    """Import a format; `UsageError` if there is none of this name."""
    known = names()
    if name not in known:
        close = get_close_matches(name.lower(), known, n=1)
        hint = f"did you mean {close[0]}?" if close else f"the formats are {', '.join(known)}"
        raise UsageError(f"unknown report format {name}", hint=hint)
    return cast("Format", import_module(f"{report.__name__}.{name.replace('-', '_')}"))
