"""Finds `burstctl run`, which is always limited, and the rate that it is given. Knows its options, not manifests."""

from burstctl.lint.load import Kind, Load, Scene
from burstctl.lint.scenario.manifest import Limit, read_limit
from burstctl.lint.shell.model import Command
from burstctl.lint.target import all_local, host_of
from burstctl.lint.tool.options import Given, find, is_quiet, read_rate
from burstctl.lint.value import expand, value_of
from burstctl.pattern import pattern

_VARIABLE = "BURSTCTL_RUN_{}"
_VALUED = pattern(
    r"--(?:rate-limit|max-in-flight|base-url|var|only|threshold|report|controller|max-attempts|deadline|jobs|job|share"
    r"|seed|progress|color|split|base-latency|workers|abort|wait-ready|responses|only-failed)"
)


def detect_burstctl(scene: Scene, command: Command) -> Load | None:
    """Tell whether a command is burstctl's own burst."""
    words = [word.text for word in command.arguments]
    if command.name != "burstctl" or "run" not in words or (is_quiet(command) and words[-1:] != ["run"]):
        return None
    manifest = _manifest(command)
    limit = read_limit(scene, expand(manifest, scene)) if manifest else Limit()
    given = find(command, ("--rate-limit",), scene)
    text = given.text if given else _option(scene, command, "RATE_LIMIT")
    base = _setting(scene, command, "--base-url", "BASE_URL")
    targets = (base,) if base else limit.targets
    span = scene.script.locate(command.start, command.end)
    place = scene.script.locate(given.word.start, given.word.end) if given else None
    return Load(
        kind=Kind.BURSTCTL,
        tool="burstctl",
        span=span,
        command_span=span,
        inference=True,
        local=all_local(targets, scene),
        limited=True,
        rate_per_s=read_rate(text) if text else limit.rate_per_s if limit.read else None,
        divided=_divides(scene, command, limit),
        rate_span=place or (None if text else limit.span),
        rate_text=text or limit.text,
        hosts=tuple(map(host_of, targets)),
        path=limit.path,
    )


def _divides(scene: Scene, command: Command, limit: Limit) -> bool:
    """Tell whether parallel instances share one rate: its CI system tells how many there are, or somebody does."""
    if limit.shared or _setting(scene, command, "--share", "SHARE"):
        return True
    jobs = _setting(scene, command, "--jobs", "JOBS") or limit.jobs or "auto"
    return bool(scene.job.node_variables) if jobs == "auto" else jobs != "1"


def _setting(scene: Scene, command: Command, option: str, variable: str) -> str | None:
    given: Given | None = find(command, (option,), scene)
    return given.text if given else _option(scene, command, variable)


def _option(scene: Scene, command: Command, name: str) -> str | None:
    """Give an option's value out of the environment."""
    variable = _VARIABLE.format(name)
    word = command.environment.get(variable)
    text = word.text if word else value_of(variable, scene)
    return expand(text, scene) if text else None


def _manifest(command: Command) -> str | None:
    previous = ""
    for word in command.arguments:
        if not word.text.startswith("-") and word.text != "run" and not _VALUED.fullmatch(previous):
            return word.text
        previous = word.text
    return None
