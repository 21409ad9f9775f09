"""Reads an Artillery script: the peak of its phases' arrivals, times the requests of a flow. Knows only YAML."""

from collections.abc import Iterator

from burstctl.lint.compose import read_yaml
from burstctl.lint.document import Mapping, Scalar, Sequence, Unreadable, Value, walk
from burstctl.lint.file import File, Span
from burstctl.lint.load import Scene
from burstctl.lint.scenario.scenario import Scenario
from burstctl.lint.value import expand, is_known
from burstctl.units import parse_duration, parse_rate

_VERBS = frozenset({"get", "post", "put", "patch", "delete", "head"})
_MOST_LOOPS = 100_000


def read_artillery(file: File, scene: Scene) -> Scenario:
    """Read the rate at which an Artillery script sends at its peak."""
    try:
        roots = read_yaml(file).roots
    except Unreadable:
        return Scenario(file.path)
    config = roots[0].get("config") if roots and isinstance(roots[0], Mapping) else None
    if not isinstance(config, Mapping):
        return Scenario(file.path)
    target = config.get("target")
    targets = (expand(target.as_text, scene),) if isinstance(target, Scalar) else ()
    phases = config.get("phases")
    found = [rate for phase in _items(phases) for rate in _rates(phase)]
    if not found:
        return Scenario(file.path, targets=targets, single=phases is None)
    known = [rate for _, rate in found if rate is not None]
    flow = max((_requests(one.get("flow")) for one in _items(_scenarios(roots[0]))), default=1)
    peak = max(known) * flow if len(known) == len(found) else None
    span = max(found, key=lambda pair: pair[1] or 0.0)[0]
    return Scenario(file.path, limited=True, rate_per_s=peak, span=span, targets=targets)


def _scenarios(root: Value) -> Value | None:
    return root.get("scenarios") if isinstance(root, Mapping) else None


def _items(value: Value | None) -> Iterator[Mapping]:
    """Give the mappings of a list, or the one that stands alone."""
    if isinstance(value, Mapping):
        yield value
    elif isinstance(value, Sequence):
        yield from (item for item in value.items if isinstance(item, Mapping))


def _rates(phase: Mapping) -> Iterator[tuple[Span, float | None]]:
    for key in ("arrivalRate", "rampTo"):
        value = phase.get(key)
        if isinstance(value, Scalar):
            yield value.span, _number(value)
    count, duration = phase.get("arrivalCount"), phase.get("duration")
    if isinstance(count, Scalar) and isinstance(duration, Scalar):
        arrivals, over_s = _number(count), _seconds(duration)
        yield count.span, arrivals / over_s if arrivals and over_s else None


def _number(value: Scalar) -> float | None:
    try:
        return parse_rate(value.text) if is_known(value.text) else None
    except ValueError:
        return None


def _seconds(value: Scalar) -> float | None:
    try:
        return parse_duration(value.text)
    except ValueError:
        return None


def _requests(flow: Value | None) -> int:
    """Count the requests that each arrival sends; loops count as often as they say."""
    if flow is None:
        return 1
    times = 1
    found = 0
    for value in walk(flow):
        if isinstance(value, Mapping):
            found += len(_VERBS & set(value.entries))
            count = value.get("count") if "loop" in value.entries else None
            if isinstance(count, Scalar) and isinstance(count.value, int):
                times = max(times, min(count.value, _MOST_LOOPS))
    return max(1, found) * times
