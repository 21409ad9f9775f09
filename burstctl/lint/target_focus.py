"""Tells how much a finding about a target group matters: by its own names, or by the groups behind it."""

from burstctl.finding import Severity
from burstctl.lint.fleet import Fleet, TargetGroup
from burstctl.lint.focus import focus
from burstctl.lint.settings import Settings


def target_focus(target: TargetGroup, fleet: Fleet, settings: Settings) -> Severity | None:
    """Give a warning for what serves inference, by the names of the target group or of any group attached to it."""
    titles = set(target.titles)
    for group in fleet.groups:
        if group.name in target.groups:
            titles |= group.titles
    return focus(titles, settings)
