"""Reads a JMeter plan: its throughput timers, or that it has none. Looks at the text and parses no XML."""

import re

from burstctl.lint.file import File, Span
from burstctl.lint.load import Scene
from burstctl.lint.scenario.scenario import Scenario, without_comments
from burstctl.lint.value import value_of
from burstctl.pattern import pattern

_TIMER = pattern(
    r"<(ConstantThroughputTimer|PreciseThroughputTimer|kg\.apc\.jmeter\.timers\.VariableThroughputTimer)\b"
)
_THROUGHPUT = pattern(r"""(?:name="throughput">|<name>throughput</name>)\s*(?:<value>)?\s*(?P<value>[^<\s]+)""")
_PERIOD = pattern(r"""(?:name="throughputPeriod">|<name>throughputPeriod</name>)\s*(?:<value>)?\s*(?P<value>\d+)""")
_PROPERTY = pattern(r"\$\{__\w+\((?P<name>[\w.]+)(?:,[^,()]*?)*?(?:,(?P<default>\d+(?:\.\d+)?))?\)\}")
_DOMAIN = pattern(r"""name="HTTPSampler\.domain">([^<]*)<""")
_DISABLED = pattern(r'enabled="false"')
_LONGEST = 1_000_000


def read_jmeter(file: File, scene: Scene) -> Scenario:
    """Read the throughput that a plan's timers allow, in requests/s."""
    text = without_comments(file.text[:_LONGEST])
    targets = tuple(domain for domain in _DOMAIN.findall(text) if domain)
    timers = [
        one for one in _TIMER.finditer(text) if not _DISABLED.search(text, one.start(), text.find(">", one.end()))
    ]
    if not timers:
        return Scenario(file.path, targets=targets)
    timer = timers[0]
    end = text.find(f"</{timer[1]}", timer.end())
    end = end if end > 0 else len(text)
    value = _THROUGHPUT.search(text, timer.end(), end)
    period = _PERIOD.search(text, timer.end(), end)
    per_s = float(period["value"]) if period else 60.0 if timer[1].startswith("Constant") else 3600.0
    number = _number(value["value"], scene) if value else None
    place = value or timer
    return Scenario(
        file.path,
        limited=True,
        rate_per_s=number / per_s if number and per_s and len(timers) == 1 else None,
        span=Span(file, place.start(), place.end()),
        targets=targets,
    )


def _number(text: str, scene: Scene) -> float | None:
    match = _PROPERTY.fullmatch(text)
    if match is not None:
        text = value_of(match["name"], scene) or match["default"] or ""
    return float(text) if re.fullmatch(r"\d{1,9}(\.\d{1,6})?", text) else None
