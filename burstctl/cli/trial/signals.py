"""What a dry-run tells of a plan's probes: where each reads, and what one reading gave, or why it gave nothing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from burstctl.cli.superior import Superior
from burstctl.cli.watching import Watching
from burstctl.clock import Clock
from burstctl.plan import Plan
from burstctl.probe import registry
from burstctl.probe_settings import ProbeSettings
from burstctl.report.words.probe import format_value
from burstctl.summary import ProbeFigures

_OF_EVERY_KIND = frozenset({"name", "kind", "every_s", "timeout_s", "recovery_s", "required"})


@dataclass(frozen=True, slots=True)
class Signal:
    """One probe; every text is free of secrets, none of them is inert."""

    name: str
    kind: str
    source: str
    """The keys of its kind, as they may be shown."""
    told: str = ""
    """What the reading gave; empty where it gave nothing."""
    trouble: str = ""
    """Why it gave nothing; empty where nobody asked."""
    hint: str = ""
    required: bool = False


def list_signals(plan: Plan) -> list[Signal]:
    """Describe a plan's probes, unread."""
    shown = cast("Sequence[Mapping[str, object]]", plan.settings.get("probes") or ())
    return [
        Signal(settings.name, settings.kind, _source(keys), required=settings.required)
        for settings, keys in zip(plan.probes, shown, strict=True)
    ]


async def read_signals(plan: Plan, clock: Clock, superior: Superior, *, allow_commands: bool) -> list[Signal]:
    """Read each probe once, all at the same time; an order to stop ends it. `UsageError` where an extra is missing."""
    wanted = tuple(one for one in plan.probes if allow_commands or not one.listed("command"))
    watching = Watching(replace(plan, probes=wanted), clock, superior, lambda text: None)
    try:
        await watching.take_baselines()
        figures = watching.figures(clock.now())
    finally:
        await watching.aclose()
    listed = list_signals(plan)
    if superior.stop is not None:
        return listed
    return [_tell(one, settings, figures, plan) for one, settings in zip(listed, plan.probes, strict=True)]


def _tell(signal: Signal, settings: ProbeSettings, figures: Mapping[str, ProbeFigures], plan: Plan) -> Signal:
    seen = figures.get(settings.name)
    if seen is None:
        program = plan.redactor.redact(settings.listed("command")[0])
        return replace(
            signal,
            trouble=f"it runs the command {program}, which was not allowed",
            hint="--allow-commands lets probes run commands; read them first",
        )
    if seen.readings:
        rest = [f"{name} {format_value(series.last)}" for name, series in seen.series.items()]
        return replace(signal, told=", ".join([format_value(seen.main.last), *rest]))
    trouble = plan.redactor.redact(seen.causes[0].text) if seen.causes else "it has told nothing yet"
    return replace(signal, trouble=trouble, hint=registry.load(settings.kind).HINT)


def _source(shown: Mapping[str, object]) -> str:
    return ", ".join(f"{key} {_write(value)}" for key, value in shown.items() if key not in _OF_EVERY_KIND)


def _write(value: object) -> str:
    if isinstance(value, Mapping):
        return " ".join(f"{name}={one}" for name, one in value.items())
    if isinstance(value, list):
        return " ".join(map(str, value))
    return f"{value:g}" if isinstance(value, float) else str(value)
