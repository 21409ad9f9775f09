"""Walks the steps of a job, and of the composite actions that it uses: scripts, and actions from elsewhere."""

from collections.abc import Iterator, Sequence

from burstctl.light import light, replace, state
from burstctl.lint.document import Mapping, Scalar, Value
from burstctl.lint.file import Span
from burstctl.lint.gathered import Gathered
from burstctl.lint.github.action import Action, note_once, open_action
from burstctl.lint.github.condition import is_never
from burstctl.lint.github.expression import Result
from burstctl.lint.github.filling import Filling, text_result
from burstctl.lint.github.scope import Scope
from burstctl.lint.github.words import is_own, normal_folder, shell_of
from burstctl.lint.interest import is_loadish
from burstctl.lint.job import Script, Use, Variable
from burstctl.lint.look import entries_of, inner, mappings_of, scalar_of, scalars_of, text_of
from burstctl.lint.pipeline import Block, Hit

MAX_ACTIONS = 10
"""Actions within actions, as GitHub allows them."""
STEP_COST = 5
_KNOWN_OWNERS = ("actions/", "docker/", "github/", "aws-actions/", "azure/", "google-github-actions/", "hashicorp/")


@light
class Setting:
    """What stands around a step."""

    scopes: Sequence[Scope]
    shell: Scalar | None = None
    folder: Scalar | None = None
    windows: bool = False
    actions: tuple[str, ...] = ()
    """The composite actions that it stands in."""
    given: tuple[tuple[str, str], ...] = ()
    """Variables that the steps around it set for it."""


@state
class Steps:
    """Collects what the steps of one job run."""

    job: str
    filling: Filling
    gathered: Gathered
    scripts: list[Script]
    uses: list[Use]
    variables: dict[str, Variable]
    blocks: list[Block]
    timeout: Scalar | None = None

    def walk(self, steps: Value | None, setting: Setting) -> None:
        """Go through a list of steps."""
        for step in mappings_of(steps):
            self.gathered.spend(STEP_COST, step.span)
            if not is_never(step.get("if"), setting.scopes):
                self._step(step, setting)

    def _step(self, step: Mapping, setting: Setting) -> None:
        own, scopes = self.filling.env(env_of(step.get("env")), "step", setting.scopes)
        self.variables.update(own)
        stated = {name: one.value for name, one in own.items() if one.level != "matrix" and one.value is not None}
        setting = replace(setting, scopes=scopes, given=(*setting.given, *stated.items()))
        self.timeout = self.timeout or scalar_of(step.get("timeout-minutes"))
        run, uses = scalar_of(step.get("run")), scalar_of(step.get("uses"))
        if run is not None:
            self._run(run, step, setting)
        elif uses is not None:
            self._use(uses, step, setting)

    def _run(self, run: Scalar, step: Mapping, setting: Setting) -> None:
        shell = scalar_of(step.get("shell")) or setting.shell
        folder = scalar_of(step.get("working-directory")) or setting.folder
        text = self.filling.fill(run, setting.scopes)
        where = text_of(folder) if folder is None else str(text_result(folder, setting.scopes[0]).value)
        script = Script.of((text,), "run", shell=shell_of(text_of(shell), windows=setting.windows))
        given = dict(setting.given)
        if setting.actions:
            given.setdefault("GITHUB_ACTION_PATH", f"/{setting.actions[-1]}")
        self.scripts.append(replace(script, folder=normal_folder(where), given=given))

    def _use(self, uses: Scalar, step: Mapping, setting: Setting) -> None:
        given = scalars_of(step.get("with"))
        if not is_own(uses.text):
            filled = {name: self.filling.fill(one, setting.scopes) for name, one in given.items()}
            self.uses.append(Use(uses.text, uses.span, filled))
            self._note_foreign(uses)
            return
        folder = normal_folder(uses.text)
        if folder in setting.actions:
            circle = " → ".join((*setting.actions[setting.actions.index(folder) :], folder))
            self._fail(uses, f"`uses` goes in a circle: {circle}", "action circle")
        elif len(setting.actions) >= MAX_ACTIONS:
            self._fail(uses, f"actions nest deeper than {MAX_ACTIONS} levels", "action nesting")
        elif (action := open_action(folder, uses, self.gathered)) is not None:
            self._enter(action, folder, given, setting)

    def _enter(self, action: Action, folder: str, given: dict[str, Scalar], setting: Setting) -> None:
        self.blocks.append(Block(f"the action ./{folder}", action.key, action.body.span))
        names = {name.lower(): name for name in action.inputs}
        scopes = []
        for scope in setting.scopes:
            values: dict[str, Result] = dict(action.inputs)
            for name, scalar in given.items():
                result = text_result(scalar, scope)
                text = scalar.as_text if "${{" not in scalar.text else result.value
                values[names.get(name.lower(), name)] = replace(result, value=text)
            scopes.append(replace(scope, inputs=values, inputs_closed=True, action_folder=folder))
            self.gathered.spend(1 + len(given), action.key)
        inside = replace(setting, scopes=scopes, shell=None, folder=None, actions=(*setting.actions, folder))
        self.walk(action.steps, inside)

    def _note_foreign(self, uses: Scalar) -> None:
        from burstctl.lint.tool.action import command_of

        name = uses.text.partition("@")[0]
        if name.lower().startswith(_KNOWN_OWNERS) or not is_loadish(name) or command_of(self.uses[-1]) is not None:
            return
        message = f"the action `{name}` may send load, and can't be read here"
        note_once(Hit("BL010", uses.span, message, key=name), self.gathered)

    def _fail(self, uses: Scalar, message: str, key: str) -> None:
        self.gathered.note(Hit("BL002", uses.span, message, job=self.job, key=key))


def env_of(value: Value | None) -> dict[str, tuple[Scalar, Span]]:
    """Give the entries of an `env`, with the places of their keys."""
    return dict(_entries(value))


def _entries(value: Value | None) -> Iterator[tuple[str, tuple[Scalar, Span]]]:
    for entry in entries_of(value):
        if isinstance(entry.value, Scalar):
            yield entry.key.text, (entry.value, entry.key.span)


def run_defaults(value: Value | None) -> tuple[Scalar | None, Scalar | None]:
    """Give the shell and the folder of `defaults.run`."""
    return scalar_of(inner(value, "run", "shell")), scalar_of(inner(value, "run", "working-directory"))
