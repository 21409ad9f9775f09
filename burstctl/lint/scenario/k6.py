"""Reads a k6 script: its scenarios' arrival rates, or that it has none. Looks at the text and runs no JavaScript."""

import re

from burstctl.lint.file import File, Span
from burstctl.lint.load import Scene
from burstctl.lint.scenario.scenario import Scenario, without_comments
from burstctl.lint.target import urls_in
from burstctl.pattern import pattern
from burstctl.units import parse_duration

_ARRIVAL = pattern(r"""["'`](?:constant|ramping)-arrival-rate["'`]""")
_RATE = pattern(r"""["']?\b(?:rate|startRate)["']?\s*:\s*(?P<rate>[^,}\n]+)""")
_TARGET = pattern(r"""["']?\btarget["']?\s*:\s*(?P<rate>[^,}\n]+)""")
_UNIT = pattern(r"""["']?\btimeUnit["']?\s*:\s*["'`](?P<unit>[^"'`]+)["'`]""")
_RPS = pattern(r"""["']?\brps["']?\s*:\s*(?P<rate>[^,}\n]+)""")
_CLOSED = pattern(
    r"""\b(vus|stages|iterations|duration)["']?\s*:|(constant|ramping)-vus|(shared|per-vu)-iterations|externally-controlled"""
)
_FALLBACK = pattern(r"__ENV\.(?P<name>\w+)\s*\)?\s*(?:\|\||\?\?)\s*[\"'`]?(?P<default>\d+(?:\.\d+)?)")
_ENV = pattern(r"__ENV\.(?P<name>\w+)")
_LONGEST = 400_000


def read_k6(file: File, scene: Scene) -> Scenario:
    """Read what bounds a k6 script's load."""
    text = without_comments(file.text[:_LONGEST])
    targets = tuple(urls_in(text))
    arrivals = list(_ARRIVAL.finditer(text))
    if total := _RPS.search(text):
        return _found(file, total, _number(total["rate"], text, scene), targets)
    if not arrivals:
        return Scenario(file.path, targets=targets, single=not _CLOSED.search(text))
    rates = [_peak(text, arrivals, place, scene) for place in range(len(arrivals))]
    known = [rate for _, rate in rates if rate is not None]
    total_per_s = sum(known) if len(known) == len(rates) else None
    first = rates[0][0] or arrivals[0]
    users = bool(re.search(r"(constant|ramping)-vus|(shared|per-vu)-iterations", text))
    if users:  # another scenario of the same script has no limit
        return Scenario(file.path, targets=targets)
    return _found(file, first, total_per_s, targets)


def _peak(
    text: str, arrivals: list[re.Match[str]], place: int, scene: Scene
) -> tuple[re.Match[str] | None, float | None]:
    """Read the highest rate of one scenario, whose keys stand around its executor's name."""
    start = text.rfind("{", 0, arrivals[place].start())
    following = arrivals[place + 1].start() if place + 1 < len(arrivals) else len(text)
    end = text.rfind("{", start + 1, following) if place + 1 < len(arrivals) else following
    block = text[start : max(end, arrivals[place].end())]
    unit = _UNIT.search(block)
    try:
        per_s = parse_duration(unit["unit"]) if unit else 1.0
    except ValueError:
        return _RATE.search(text, start, end), None
    found = [*_RATE.finditer(text, start, max(end, start)), *_TARGET.finditer(text, start, max(end, start))]
    numbers = [_number(match["rate"], text, scene) for match in found]
    known = [number for number in numbers if number is not None]
    return (found[0] if found else None), (max(known) / per_s if known and len(known) == len(numbers) else None)


def _number(expression: str, text: str, scene: Scene) -> float | None:
    """Read a number, or a constant or variable of the environment that stands for one."""
    expression = expression.strip().strip("\"'`")
    if re.fullmatch(r"\d{1,9}(\.\d{1,6})?", expression):
        return float(expression)
    if re.fullmatch(r"[A-Za-z_]\w*", expression):
        constant = re.search(rf"\b(?:const|let|var)\s+{expression}\s*=\s*([^;\n]+)", text)
        return _number(constant[1], "", scene) if constant and text else None
    name = _ENV.search(expression)
    if name is None:
        return None
    from burstctl.lint.value import value_of

    value = value_of(name["name"], scene)
    fallback = _FALLBACK.search(expression)
    return _number(value, "", scene) if value else float(fallback["default"]) if fallback else None


def _found(file: File, match: re.Match[str], rate_per_s: float | None, targets: tuple[str, ...]) -> Scenario:
    span = Span(file, match.start(), match.start() + len(match[0].rstrip()))
    return Scenario(file.path, limited=True, rate_per_s=rate_per_s or None, span=span, targets=targets)
