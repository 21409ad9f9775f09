"""Finds load generators whose rate stands in a file: k6, Locust, Artillery, JMeter. Knows options, no file format."""

import re
from collections.abc import Callable, Mapping

from burstctl.finding import Confidence
from burstctl.light import replace
from burstctl.lint.file import File
from burstctl.lint.follow.place import find_file, written
from burstctl.lint.load import Kind, Load, Scene
from burstctl.lint.scenario.scenario import Scenario
from burstctl.lint.shell.model import Command
from burstctl.lint.target import all_local, host_of, urls
from burstctl.lint.tool.options import find, has, is_quiet, number, read_rate
from burstctl.lint.value import expand, value_of
from burstctl.pattern import pattern

_K6_VALUED = pattern(
    r"-[ueidsot]|--(?:vus|env|iterations|duration|stage|out|tag|config|summary-\S+|rps|address|log-\S+)"
)
_SHAPED = ("-u", "--vus", "-d", "--duration", "-i", "--iterations", "-s", "--stage")


def detect_k6(scene: Scene, command: Command) -> Load | None:
    """Tell whether a command is `k6 run`."""
    words = [word.text for word in command.arguments]
    if command.name != "k6" or is_quiet(command) or not {"run", "cloud"} & set(words):
        return None
    if {"archive", "inspect", "login"} & set(words[:2]):
        return None
    script = _positional(command, _K6_VALUED, {"run", "cloud"})
    scenario = _read(scene, command, script, "k6")
    if scenario is not None and scenario.single and not has(command, _SHAPED) and not _k6_variables(scene, command):
        return None
    total = find(command, ("--rps",), scene)
    load = _load(scene, command, scenario, _targets(scene, command, scenario))
    if total is not None and not total.unlimited:
        place = scene.script.locate(total.word.start, total.word.end)
        rate = read_rate(total.text)
        return replace(load, limited=True, rate_per_s=rate, rate_span=place, rate_text=total.text, closed_loop=False)
    return load


def detect_locust(scene: Scene, command: Command) -> Load | None:
    """Tell whether a command is Locust."""
    if command.name != "locust" or is_quiet(command):
        return None
    if not has(command, ("-f", "--locustfile", "--headless", "-u", "--users", "-H", "--host", "--config", "--worker")):
        return None
    given = find(command, ("-f", "--locustfile"), scene)
    scenario = _read(scene, command, given.text if given else "locustfile.py", "locust")
    host = find(command, ("-H", "--host"), scene)
    targets = (host.text,) if host else scenario.targets if scenario else ()
    load = _load(scene, command, scenario, targets)
    users = number(find(command, ("-u", "--users"), scene), None)
    if scenario is not None and scenario.per_user_per_s and users:
        load = replace(load, rate_per_s=scenario.per_user_per_s * users)
    bounded = has(command, ("-t", "--run-time", "--worker", "--stop-timeout")) or "timeout" in command.wrappers
    bounded = bounded or value_of("LOCUST_RUN_TIME", scene) is not None or find_file(scene, "locust.conf") is not None
    bounded = bounded or has(command, ("--config", "-i", "--iterations"))
    return replace(load, endless=has(command, ("--headless", "--autostart")) and not bounded)


def detect_artillery(scene: Scene, command: Command) -> Load | None:
    """Tell whether a command is `artillery run` or `artillery quick`."""
    words = [word.text for word in command.arguments]
    if command.name != "artillery" or is_quiet(command):
        return None
    verb = next((word for word in words if re.fullmatch(r"run(-\w+|:\w+)*|quick", word)), None)
    if verb is None:
        return None
    valued = re.compile(
        r"-[etopvkdnc]|--(?:environment|target|output|overrides|variables|config|payload|region|count|tags)"
    )
    script = None if verb == "quick" else _positional(command, valued, {verb})
    scenario = _read(scene, command, script, "artillery") if script else None
    given = find(command, ("-t", "--target"), scene)
    targets = (given.text,) if given else _targets(scene, command, scenario)
    return replace(_load(scene, command, scenario, targets), closed_loop=verb == "quick" or scenario is None)


def detect_jmeter(scene: Scene, command: Command) -> Load | None:
    """Tell whether a command runs a JMeter plan without its window."""
    if re.sub(r"\.(sh|bat)$", "", command.name) != "jmeter" or is_quiet(command):
        return None
    given = find(command, ("-t", "--testfile"), scene)
    if given is None and not has(command, ("-n", "--nongui")):
        return None
    scenario = _read(scene, command, given.text, "jmeter") if given else None
    return _load(scene, command, scenario, scenario.targets if scenario else ())


def _load(scene: Scene, command: Command, scenario: Scenario | None, targets: tuple[str, ...]) -> Load:
    span = scene.script.locate(command.start, command.end)
    return Load(
        kind=Kind.TOOL,
        tool=re.sub(r"\.(sh|bat)$", "", command.name),
        span=span,
        command_span=span,
        inference=True,
        local=all_local(targets, scene),
        limited=scenario is not None and scenario.limited,
        rate_per_s=scenario.rate_per_s if scenario else None,
        closed_loop=scenario is None or not scenario.limited,
        confidence=Confidence.CERTAIN if scenario is not None else Confidence.LIKELY,
        note=None if scenario is not None else "its file can't be read here",
        rate_span=scenario.span if scenario else None,
        endless=scenario.endless if scenario else False,
        hosts=tuple(map(host_of, targets)),
        path=scenario.path if scenario else None,
    )


def _targets(scene: Scene, command: Command, scenario: Scenario | None) -> tuple[str, ...]:
    """Give where a scenario sends: what it says itself, or a variable that its command sets."""
    given = [value for word in command.arguments for value in _assigned_url(word.text)]
    own = [word.text for word in command.environment.values() if "://" in word.text]
    expanded = tuple(expand(text, scene) for text in (*given, *own))
    return expanded or (scenario.targets if scenario else tuple(urls(command, scene)))


def _assigned_url(text: str) -> list[str]:
    match = re.fullmatch(r"(?:-e|--env=)?\w*(?:URL|HOST|TARGET|ENDPOINT|BASE)\w*=(.+)", text)
    return [match[1]] if match else []


def _read(scene: Scene, command: Command, name: str | None, form: str) -> Scenario | None:
    """Read the file that a command names, or that the script has written or pipes in; None where it can't be read."""
    if name in (None, "-"):
        if command.fed_by and "\n" in command.fed_by:
            return _formats()[form](File.of(scene.script.pieces[0].span.file.path, command.fed_by), scene)
        name = command.stdin.text if command.stdin else _cat(command.fed_by)
    if name is None:
        return None
    if (found := written(scene, name)) is not None:
        scenario = _formats()[form](File.of(name, found[1].text), scene)
        # Its rate stands in the middle of the script.
        place = found[0].script.locate(found[1].start, found[1].end)
        return replace(scenario, path=None, span=place if scenario.span else None)
    file = find_file(scene, name)
    return None if file is None else _formats()[form](file, scene)


def _cat(text: str) -> str | None:
    match = re.match(r"\s*cat\s+[\"']?([^\s\"'|]+)", text)
    return match[1] if match else None


def _formats() -> Mapping[str, Callable[[File, Scene], Scenario]]:
    from burstctl.lint.scenario.artillery import read_artillery
    from burstctl.lint.scenario.jmeter import read_jmeter
    from burstctl.lint.scenario.k6 import read_k6
    from burstctl.lint.scenario.locust import read_locust

    return {
        "k6": read_k6,
        "artillery": read_artillery,
        "locust": lambda file, _scene: read_locust(file),
        "jmeter": read_jmeter,
    }


def _positional(command: Command, valued: re.Pattern[str], verbs: set[str]) -> str | None:
    """Give the first plain argument after the verb."""
    previous, seen = "", False
    for word in command.arguments:
        if word.text in verbs:
            seen = True
        elif seen and (word.text == "-" or not word.text.startswith("-")) and not valued.fullmatch(previous):
            return word.text
        previous = word.text
    return None


def _k6_variables(scene: Scene, command: Command) -> bool:
    names = ("K6_VUS", "K6_DURATION", "K6_ITERATIONS", "K6_STAGES")
    return any(name in command.environment or value_of(name, scene) is not None for name in names)
