"""Tells how much a finding about a group matters: whether it serves inference, by its names. Knows no rule."""

import fnmatch
from collections.abc import Iterable

from burstctl.finding import Severity
from burstctl.lint.settings import FLEET, Settings


def focus(titles: Iterable[str], settings: Settings) -> Severity | None:
    """Give a warning for what serves inference; else a notice, or nothing where the settings say what does."""
    names = [title.lower() for title in titles]
    patterns = [pattern.lower() for pattern in settings.fleet or FLEET]
    if any(fnmatch.fnmatchcase(name, pattern) for name in names for pattern in patterns):
        return Severity.WARNING
    return None if settings.fleet else Severity.NOTICE
