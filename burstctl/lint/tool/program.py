"""Finds the project's own Python programs that send requests. Knows what a program's text shows, no tool's options."""

from burstctl.finding import Confidence
from burstctl.lint.file import File
from burstctl.lint.follow.place import find_file, written
from burstctl.lint.interest import is_loadish
from burstctl.lint.load import Kind, Load, Scene
from burstctl.lint.scenario.scenario import Scenario
from burstctl.lint.shell.model import Command
from burstctl.lint.target import all_local, host_of
from burstctl.lint.tool.options import find, read_rate

PYTHONS = frozenset({"python", "python3", "pypy", "pypy3"})
_RATES = ("--rate-limit", "--rate", "--rps", "--qps", "--max-rps", "--max-rate", "--requests-per-second", "--ratelimit")


def detect_programs(scene: Scene, command: Command) -> Load | None:
    """Tell whether a command is a Python program that sends many requests at once."""
    name = program_name(command)
    if name is None:
        return None
    scenario = read_program(scene, name)
    job = scene.job
    if scenario is None or not scenario.parallel:
        return None
    if not (scenario.inference or is_loadish(job.name) or is_loadish(job.stage)):
        return None
    given = find(command, _RATES, scene)
    rate = read_rate(given.text) if given else None
    span = scene.script.locate(command.start, command.end)
    return Load(
        kind=Kind.PROGRAM,
        tool=name.rpartition("/")[2],
        span=span,
        command_span=span,
        inference=True,
        local=all_local(scenario.targets, scene),
        limited=scenario.limited or given is not None,
        rate_per_s=rate,
        confidence=Confidence.LIKELY,
        rate_text=given.text if given else None,
        rate_span=scene.script.locate(given.word.start, given.word.end) if given else None,
        hosts=tuple(map(host_of, scenario.targets)),
        path=scenario.path,
    )


def program_name(command: Command) -> str | None:
    """Give the file of a Python program that a command runs."""
    words = [word.text for word in command.argv]
    if command.name in PYTHONS or command.name.startswith("python3."):
        words = words[1:]
        while words and words[0].startswith("-") and words[0] not in ("-m", "-c", "-"):
            words = words[1:]
    return words[0] if words and words[0].endswith(".py") else None


def read_program(scene: Scene, name: str) -> Scenario | None:
    """Read a Python program; None where there is none that can be read."""
    from burstctl.lint.scenario.python import read_python

    if (found := written(scene, name)) is not None:
        return read_python(File.of(name, found[1].text), scene)
    file = find_file(scene, name)
    return read_python(file, scene) if file else None
