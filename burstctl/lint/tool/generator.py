"""Finds load generators that take all they do from their options. Knows each one's options, nothing of CI systems."""

from collections.abc import Mapping

from burstctl.light import light
from burstctl.lint.load import Kind, Load, Scene
from burstctl.lint.shell.model import Command
from burstctl.lint.target import all_local, host_of, urls, urls_in
from burstctl.lint.tool.options import Given, find, has, is_quiet, number, read_rate
from burstctl.lint.value import expand


@light
class Generator:
    """What bounds one load generator."""

    rate: tuple[str, ...] = ()
    """Options for its rate; none: nothing can bound it."""
    workers: tuple[str, ...] = ()
    """Options for a number that multiplies the rate."""
    workers_default: int = 1
    default_per_s: float | None = None
    """Its rate without an option; None: as fast as it can."""
    verb: str | None = None
    """The subcommand that fires."""
    ends_by: tuple[str, ...] = ()
    """Options without which it never ends."""
    duration: tuple[str, ...] = ()
    """Options whose 0 means for ever."""
    each: tuple[str, ...] = ()
    """Options for a rate of each connection, another way to bound it."""


GENERATORS: Mapping[str, Generator] = {
    "ab": Generator(),
    "siege": Generator(ends_by=("-t", "--time", "-r", "--reps")),
    "wrk": Generator(),
    "wrk2": Generator(rate=("-R", "--rate"), default_per_s=1000.0),
    "hey": Generator(rate=("-q",), workers=("-c",), workers_default=50, duration=("-z",)),
    "oha": Generator(rate=("-q", "--query-per-second"), duration=("-z",)),
    "bombardier": Generator(rate=("-r", "--rate")),
    "autocannon": Generator(
        rate=("-R", "--overallRate"), workers=("-w", "--workers"), each=("-r", "--connectionRate"), duration=()
    ),
    "fortio": Generator(rate=("-qps", "--qps"), default_per_s=8.0, verb="load", duration=("-t", "--t")),
    "ghz": Generator(rate=("-r", "--rps", "--load-start")),
    "vegeta": Generator(
        rate=("-rate", "--rate"),
        default_per_s=50.0,
        verb="attack",
        ends_by=("-duration", "--duration"),
        duration=("-duration", "--duration"),
    ),
    "plow": Generator(rate=("--rate",), ends_by=("-n", "--requests", "-d", "--duration")),
    "h2load": Generator(rate=("--rps",), workers=("-c", "--clients")),
}
_ENDLESS = frozenset({"0", "0s", "0m", "0h", "-1"})
_PER_CONNECTION = 10
"""Autocannon's connections without an option."""


def detect_generators(scene: Scene, command: Command) -> Load | None:
    """Tell whether a command is a load generator, and what bounds it."""
    generator = GENERATORS.get(command.name)
    if generator is None or is_quiet(command):
        return None
    if generator.verb is not None and not has(command, (generator.verb,)):
        return None
    targets = [*urls(command, scene), *urls_in(expand(command.fed_by, scene))]
    if not targets and not any(word.text.startswith("-") for word in command.arguments):
        return None
    workers = number(find(command, generator.workers, scene), generator.workers_default) if generator.workers else 1
    given = find(command, generator.rate, scene)
    if given is None and generator.each:
        given = find(command, generator.each, scene)
        workers = number(find(command, ("-c", "--connections"), scene), _PER_CONNECTION) if given else workers
    if command.name == "oha" and given is None:
        return _burst(scene, command, targets)
    limited = given is not None and not given.unlimited
    nominal = read_rate(given.text) if given else generator.default_per_s
    span = scene.script.locate(command.start, command.end)
    return Load(
        kind=Kind.TOOL,
        tool=command.name,
        span=span,
        command_span=span,
        inference=True,
        local=all_local(targets, scene),
        limited=limited or (given is None and generator.default_per_s is not None),
        rate_per_s=nominal * workers if nominal and workers and (limited or given is None) else None,
        rate_span=scene.script.locate(given.word.start, given.word.end) if given else None,
        rate_text=given.text if given else None,
        workers=workers or 1,
        endless=_is_endless(scene, command, generator),
        hosts=tuple(map(host_of, targets)),
    )


def _burst(scene: Scene, command: Command, targets: list[str]) -> Load:
    """Read oha's other way to bound it: so many requests, then a delay."""
    size = find(command, ("--burst-rate",), scene)
    delay = find(command, ("--burst-delay",), scene)
    per_s = _per_delay(size, delay)
    span = scene.script.locate(command.start, command.end)
    return Load(
        kind=Kind.TOOL,
        tool=command.name,
        span=span,
        command_span=span,
        inference=True,
        local=all_local(targets, scene),
        limited=delay is not None,
        rate_per_s=per_s,
        rate_span=scene.script.locate(delay.word.start, delay.word.end) if delay else None,
        hosts=tuple(map(host_of, targets)),
    )


def _per_delay(size: Given | None, delay: Given | None) -> float | None:
    from burstctl.units import parse_duration

    count = number(size, 1)
    try:
        return count / parse_duration(delay.text) if count and delay else None
    except ValueError:
        return None


def _is_endless(scene: Scene, command: Command, generator: Generator) -> bool:
    if "timeout" in command.wrappers:
        return False
    duration = find(command, generator.duration, scene) if generator.duration else None
    if duration is not None and duration.text in _ENDLESS:
        return True
    return bool(generator.ends_by) and not has(command, generator.ends_by)
