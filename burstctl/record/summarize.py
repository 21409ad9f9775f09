"""Turns a recorder's counts into the summary that everybody reads. The one place where a run becomes figures."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

from burstctl.plan import Plan
from burstctl.record.held_back import held_back
from burstctl.record.recorder import Recorder
from burstctl.summary import Ending, Generator, InFlight, ProbeFigures, Rate, Summary

_FORGIVEN_S = 0.5
"""So much schedule lost in all is a hiccup of the machine: in a short burst it must not pass for a slow generator."""


@dataclass(frozen=True, slots=True)
class Course:
    """What only the run itself knows of its course."""

    started_at_s: float
    """Unix time."""
    duration_s: float
    cpu_s: float
    """Processor time that was used meanwhile, by all processes."""
    rate_per_s: float
    """The controller's rate at the end."""
    window: float | None
    ending: Ending
    reason: str = ""
    processes: int = 1
    start_s: float = 0.0
    """When it started, by the clock of its sends."""
    probes: Mapping[str, ProbeFigures] = field(default_factory=dict)
    """What the fleet told of itself."""


def summarize(plan: Plan, recorder: Recorder, course: Course) -> Summary:
    """Freeze a run that has ended."""
    sends = recorder.sends
    requests = {name: tally.figures() for name, tally in recorder.tallies.items()}
    # Sorted and read twice it would be a tenth of what a short run costs.
    (total,) = requests.values() if len(requests) == 1 else (recorder.total().figures(),)
    ceiling_per_s = plan.rate_limit.rate_per_s
    why_slow = held_back(
        ceiling_per_s,
        sends.achieved_per_s,
        sends.count,
        course.rate_per_s,
        recorder.max_in_flight,
        course.window if plan.rate_limit.share is None else None,
    )
    allowed = sends.count + max(0.0, recorder.lost_sends - _FORGIVEN_S * ceiling_per_s)
    return Summary(
        name=plan.name,
        started_at=datetime.fromtimestamp(course.started_at_s, UTC).isoformat(timespec="milliseconds"),
        duration_s=course.duration_s,
        total=total,
        requests=requests,
        rate=Rate(
            ceiling_per_s,
            sends.achieved_per_s,
            sends.max_1s,
            first_s=sends.first_s - course.start_s if sends.count else None,
            last_s=sends.last_s - course.start_s if sends.count else None,
        ),
        in_flight=InFlight(recorder.max_in_flight, course.window),
        generator=Generator(
            lag_ms=recorder.lag_ms.spread(),
            cpu=course.cpu_s / course.duration_s if course.duration_s > 0 else 0.0,
            processes=course.processes,
            delivered=sends.count / allowed if allowed else 1.0,
            lost_s=recorder.lost_sends / ceiling_per_s,
        ),
        timeline=recorder.timeline.finish(course.rate_per_s, course.window, 0),
        settings=plan.settings,
        notes=plan.notes if why_slow is None else (*plan.notes, why_slow),
        ending=course.ending,
        ending_reason=plan.redactor.redact(course.reason),
        shard=plan.shard,
        probes=course.probes,
    )
