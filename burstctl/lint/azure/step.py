"""The steps of an Azure job: scripts in several shells, and tasks. Knows no job and no template."""

from collections.abc import Iterator
from collections.abc import Mapping as AbstractMapping

from burstctl.light import field, replace, state
from burstctl.lint.azure.variable import environment_name, macros_filled
from burstctl.lint.document import Mapping, Scalar, Value
from burstctl.lint.environment import environment_of
from burstctl.lint.gathered import Gathered
from burstctl.lint.interest import is_loadish
from burstctl.lint.job import Script, Use, Variable
from burstctl.lint.look import inner, mappings_of, scalar_of, scalars_of, text_of, whole_of
from burstctl.lint.pipeline import Hit
from burstctl.lint.tool.action import command_of

STEP_COST = 5
_SHELLS = {"bash": "sh", "pwsh": "pwsh", "powershell": "pwsh"}
_TASKS = {"bash": "sh", "cmdline": "", "powershell": "pwsh", "shellscript": "sh", "npm": "", "npmauthenticate": ""}
"""The tasks that run a script, with its shell; an empty one is the machine's own."""
_ROOTS = ("${SYSTEM_DEFAULTWORKINGDIRECTORY}", "${BUILD_SOURCESDIRECTORY}", "${BUILD_REPOSITORY_LOCALPATH}")


@state
class Steps:
    """Collects what the steps of one job run."""

    known: AbstractMapping[str, Variable]
    """The variables that macros may name."""
    windows: bool
    gathered: Gathered
    scripts: list[Script] = field(default_factory=list)
    uses: list[Use] = field(default_factory=list)
    variables: dict[str, Variable] = field(default_factory=dict)
    retry: int = 0

    def walk(self, value: Value | None) -> None:
        """Go through a list of steps."""
        for step in mappings_of(value):
            self.gathered.spend(STEP_COST, step.span)
            if text_of(step.get("enabled")) != "false" and text_of(step.get("condition")) != "false":
                self._step(step)

    def _step(self, step: Mapping) -> None:
        self.retry = max(self.retry, whole_of(step.get("retryCountOnTaskFailure")) or 0)
        task = text_of(step.get("task"))
        if task is not None:
            self._task(task, step)
        own = self._own_shell()
        for word, shell in (("script", own), *_SHELLS.items()):
            if (text := scalar_of(step.get(word))) is not None:
                self._run(text, word, shell, step, scalar_of(step.get("workingDirectory")))

    def _own_shell(self) -> str:
        return "cmd" if self.windows else "sh"

    def _run(self, text: Scalar, word: str, shell: str, step: Mapping, folder: Scalar | None) -> None:
        own = {
            environment_name(name): one
            for name, one in environment_of(step.get("env"), "step", lambda one: macros_filled(one, self.known)).items()
        }
        self.variables.update(own)
        script = Script.of((macros_filled(text, self.known),), word, shell=shell)
        given = {name: one.value for name, one in own.items() if one.value is not None}
        where = _folder(macros_filled(folder, self.known)) if folder else ""
        self.scripts.append(replace(script, folder=where, given=given))

    def _task(self, task: str, step: Mapping) -> None:
        name = task.partition("@")[0].rpartition(".")[2].lower()
        inputs = {key.lower(): one for key, one in scalars_of(step.get("inputs")).items()}
        folder = inputs.get("workingdirectory") or inputs.get("cwd")
        if name in _TASKS:
            shell = _TASKS[name] or self._own_shell()
            text = inputs.get("script") or _called(name, inputs)
            if text is not None:
                self._run(text, "task", shell, step, folder)
            return
        place = scalar_of(step.get("task"))
        if place is None:
            return
        filled = {key: macros_filled(one, self.known) for key, one in inputs.items()}
        use = Use(name, place.span, filled)
        self.uses.append(use)
        if is_loadish(name.replace("azureloadtest", "loadtest")) and command_of(use) is None:
            message = f"the task `{task}` may send load, and can't be read here"
            self.gathered.note(Hit("BL010", place.span, message, key=name))


def _called(name: str, inputs: AbstractMapping[str, Scalar]) -> Scalar | None:
    """Give the command that a task stands for, which names a file or a package's script."""
    if name == "npm":
        custom = inputs.get("customcommand")
        return replace(custom, text=f"npm {custom.text}", written=None) if custom else None
    path = inputs.get("filepath") or inputs.get("scriptpath") or inputs.get("targetfilepath")
    if path is None:
        return None
    arguments = inputs.get("arguments") or inputs.get("args")
    text = f"bash {path.text} {arguments.text if arguments else ''}".rstrip()
    # The line is written nowhere: all of it stands where the file is named.
    return Scalar(path.span, text, text, "'")


def _folder(value: Scalar) -> str:
    text = value.text.rstrip("/")
    for root in _ROOTS:
        text = text.removeprefix(root).lstrip("/")
    return "" if text.startswith(("$", "..", "~")) else text.removeprefix("./")


def phases_of(strategy: Value | None) -> Iterator[Value]:
    """Give the lists of steps of a deployment, in the order in which they run."""
    for kind in ("runOnce", "rolling", "canary"):
        holder = inner(strategy, kind)
        for phase in ("preDeploy", "deploy", "routeTraffic", "postRouteTraffic"):
            if (steps := inner(holder, phase, "steps")) is not None:
                yield steps
        for outcome in ("success", "failure"):
            if (steps := inner(holder, "on", outcome, "steps")) is not None:
                yield steps
