"""What a plan made for a burst means for a trickle: which limits and thresholds say something about it."""

from collections.abc import Iterator
from dataclasses import replace

from burstctl.plan import Plan

_OF_BURSTS = ("rate", "duration")
"""Metrics of how fast a burst went."""


def settle_trickle(plan: Plan) -> Plan:
    """Leave out what only a burst can be held to, and say so."""
    kept = tuple(threshold for threshold in plan.thresholds if threshold.metric not in _OF_BURSTS)
    return replace(plan, thresholds=kept, deadline_s=None, notes=(*plan.notes, *_notes(plan)))


def _notes(plan: Plan) -> Iterator[str]:
    for threshold in plan.thresholds:
        planned = plan.planned if threshold.scope is None else plan.counts.get(threshold.scope, 0)
        if threshold.metric in _OF_BURSTS:
            yield f"the threshold {threshold.label} is left out: it is about a burst"
        elif threshold.probe is None and threshold.samples_needed > planned:
            yield f"the threshold {threshold.label} needs {threshold.samples_needed:,} samples: lengthen --for"
    if plan.deadline_s is not None:
        yield "the manifest's deadline is left out: it is about a burst"
