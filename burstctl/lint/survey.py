"""Reads a job's scripts, and all that they name in the project, for their load. Knows no rule and no dialect."""

import re
from collections.abc import Sequence

from burstctl.finding import Confidence
from burstctl.light import field, replace, state
from burstctl.lint.follow.opened import Parse, open_scripts, script_path
from burstctl.lint.job import Job, Script
from burstctl.lint.load import Load, Opaque, Scene, Storm
from burstctl.lint.project import Project
from burstctl.lint.request import detect_requests, detect_storm
from burstctl.lint.settings import Settings
from burstctl.lint.shell.model import Command, Shell, Word
from burstctl.lint.shell.parse import parse
from burstctl.lint.tool.action import command_of
from burstctl.lint.tool.bench import detect_benchmarks
from burstctl.lint.tool.burst import detect_burstctl
from burstctl.lint.tool.generator import detect_generators
from burstctl.lint.tool.program import PYTHONS, detect_programs, program_name, read_program
from burstctl.lint.tool.scripted import detect_artillery, detect_jmeter, detect_k6, detect_locust
from burstctl.lint.value import expand
from burstctl.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from burstctl.lint.load import Detector

DETECTORS: "tuple[Detector, ...]" = (
    detect_burstctl,
    detect_requests,
    detect_generators,
    detect_k6,
    detect_locust,
    detect_artillery,
    detect_jmeter,
    detect_benchmarks,
    detect_programs,
)
TOOLS: "tuple[Detector, ...]" = (
    detect_burstctl,
    detect_generators,
    detect_k6,
    detect_locust,
    detect_artillery,
    detect_jmeter,
    detect_benchmarks,
)
"""Those that understand a command of any shell, since they look at one line."""
_MOST_LOADS = 100
_MOST_SCENES = 200
_RUNTIMES = frozenset({"node", "ruby", "java", "go", "deno", "bun", "perl", "php", "dotnet", "cargo"})
_BUILDERS = pattern(r"(\./)?(gradlew|mvnw|gatling\.sh)|mvn|gradle|sbt|bzt|tsung")
_HARMLESS = pattern(
    r"install|build|lint|test|check|clean|deps|setup|version|--version|compile|package|mod|fmt|deploy", re.I
)

_LOADISH = pattern(r"load|stress|bench|perf", re.I)


@state
class Survey:
    """What a job's scripts do."""

    scenes: list[Scene] = field(default_factory=list)
    loads: list[Load] = field(default_factory=list)
    storms: list[Storm] = field(default_factory=list)
    opaque: list[Opaque] = field(default_factory=list)
    looked: int = 0
    """How many commands were looked up as scripts."""


def survey(
    job: Job, scripts: Sequence[Script], settings: Settings, project: Project, shells: dict[str, Shell]
) -> Survey:
    """Read some of a job's scripts and its reusable steps; `shells` keeps what was parsed for the next job."""
    found = Survey()

    def read(text: str) -> Shell:
        if text not in shells:
            shells[text] = parse(text)
        return shells[text]

    uses = [script for use in job.uses if (script := command_of(use)) is not None]
    for script in (*scripts, *uses):
        rest = [Scene(job, script, read(script.text), settings, project, given=script.given)]
        while rest and len(found.scenes) < _MOST_SCENES:
            scene = rest.pop()
            found.scenes.append(scene)
            for command in scene.shell.commands:
                rest.extend(_look(scene, _prepared(scene, command), found, read) if command.argv else ())
    return found


def _look(scene: Scene, command: Command, found: Survey, read: Parse) -> Sequence[Scene]:
    """Note what a command does, and give the scripts that it opens."""
    foreign = scene.script.shell != "sh"
    load = next(filter(None, (detect(scene, command) for detect in (TOOLS if foreign else DETECTORS))), None)
    if load is not None and foreign and load.confidence is Confidence.CERTAIN:
        load = replace(load, confidence=Confidence.LIKELY)
    if load is not None:
        if len(found.loads) < _MOST_LOADS:
            found.loads.append(load)
        return ()
    if foreign:
        return ()
    if (storm := detect_storm(scene, command)) is not None and len(found.storms) < _MOST_LOADS:
        found.storms.append(storm)
    found.looked += bool(script_path(command))
    opened = open_scripts(scene, command, read) if found.looked < _MOST_SCENES else ()
    if not opened and len(found.opaque) < _MOST_LOADS and (what := _opaque(scene, command)):
        found.opaque.append(Opaque(scene.script.locate(command.start, command.end), what))
    return opened


def _prepared(scene: Scene, command: Command) -> Command:
    """Spell out a name that is a variable, and take `python -m` off a module's name."""
    first = command.argv[0]
    if first.text.startswith("$") and not first.text.startswith("$("):
        words = expand(first.text, scene).split()
        if words and not words[0].startswith("$"):
            spelt = tuple(Word(word.strip("\"'"), first.start, first.end, "$" not in word) for word in words)
            command = replace(command, argv=(*spelt, *command.argv[1:]))
    words = [word.text for word in command.argv[:4]]
    if command.name in PYTHONS and "-m" in words[:-1]:
        command = replace(command, argv=command.argv[words.index("-m") + 1 :])
    return command


def _opaque(scene: Scene, command: Command) -> str | None:
    """Say what a command runs whose work can't be seen; None where there is nothing to follow."""
    name, words = command.name, [word.text for word in command.arguments]
    harmless = any(_HARMLESS.search(word) and not _LOADISH.search(word) for word in words[:2])
    if (program := program_name(command)) is not None:
        return None if read_program(scene, program) is not None or harmless else program.rpartition("/")[2]
    if (path := script_path(command)) is not None:
        shown = path.rpartition("/")[2]
        return None if _HARMLESS.search(shown) and not _LOADISH.search(shown) else shown
    if name in ("npm", "yarn", "pnpm", "make", "gmake") and words and not harmless:
        return f"{name} {words[0]}" if name not in ("npm", "yarn", "pnpm") or words[0] == "run" else None
    if _BUILDERS.fullmatch(name) and any(re.search(r"gatling|load|perf|bench", word, re.I) for word in (name, *words)):
        return name
    if name in _RUNTIMES and words and not harmless and not words[0].startswith("-"):
        return f"{name} {words[0].rpartition('/')[2]}"
    return None
