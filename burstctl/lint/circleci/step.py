"""The steps of a CircleCI job: what they run, the commands that they call. Knows no job and no workflow."""

from collections.abc import Sequence as AbstractSequence

from burstctl.light import field, light, replace, state
from burstctl.lint.circleci.condition import holds
from burstctl.lint.circleci.config import Config
from burstctl.lint.circleci.scope import Bound, Scope, bind, given_by
from burstctl.lint.document import Mapping, Scalar, Value
from burstctl.lint.environment import environment_of
from burstctl.lint.gathered import Gathered
from burstctl.lint.interest import is_loadish
from burstctl.lint.job import Script, Use, Variable
from burstctl.lint.look import inner, items_of, scalar_of
from burstctl.lint.pipeline import Block, Hit
from burstctl.lint.shell_line import shell_of
from burstctl.lint.tool.action import command_of

STEP_COST = 5
MAX_COMMANDS = 30
"""Commands within commands: beyond what anybody writes."""
BUILT_IN = frozenset(
    {
        *("checkout", "setup_remote_docker", "save_cache", "restore_cache", "store_artifacts", "store_test_results"),
        *("persist_to_workspace", "attach_workspace", "add_ssh_keys", "deploy", "run", "when", "unless", "steps"),
    }
)
_FIRST_PARTY = "circleci/"


@light
class Setting:
    """What stands around a step."""

    scope: Scope
    shell: Scalar | None = None
    folder: Scalar | None = None
    commands: tuple[str, ...] = ()
    """The commands that it stands in."""


@state
class Steps:
    """Collects what the steps of one job run."""

    job: str
    config: Config
    gathered: Gathered
    scripts: list[Script] = field(default_factory=list)
    uses: list[Use] = field(default_factory=list)
    variables: dict[str, Variable] = field(default_factory=dict)
    blocks: dict[str, Block] = field(default_factory=dict)
    continued: dict[str, Scalar] = field(default_factory=dict)
    """The files that the pipeline goes on with, by path."""

    def walk(self, value: Value | None, setting: Setting) -> None:
        """Go through a list of steps, or through what a parameter of steps stands for."""
        bound = setting.scope.resolve(value)
        if bound is None or isinstance(bound.value, Scalar):
            return
        inside = replace(setting, scope=bound.scope)
        for step in items_of(bound.value):
            self.gathered.spend(STEP_COST, step.span)
            if isinstance(step, Mapping):
                for name, entry in step.entries.items():
                    self._step(name, entry.key, entry.value, inside)
            elif isinstance(step, Scalar):
                listed = inside.scope.resolve(step)
                if listed is not None and not isinstance(listed.value, Scalar):
                    self.walk(step, inside)
                else:
                    self._step(step.text, step, None, inside)

    def _step(self, name: str, key: Scalar, value: Value | None, setting: Setting) -> None:
        match name:
            case "run" | "deploy":
                self._run(value, setting)
            case "steps":
                self.walk(value, setting)
            case "when" | "unless":
                met = holds(inner(value, "condition"), setting.scope)
                if met is None or met == (name == "when"):
                    self.walk(inner(value, "steps"), setting)
            case _ if name not in BUILT_IN:
                self._call(name, key, value, setting)

    def _run(self, value: Value | None, setting: Setting) -> None:
        command = scalar_of(value) or scalar_of(inner(value, "command"))
        if command is None:
            return
        own = environment_of(inner(value, "environment"), "step", setting.scope.fill)
        self.variables.update(own)
        shell = scalar_of(inner(value, "shell")) or setting.shell
        folder = scalar_of(inner(value, "working_directory")) or setting.folder
        line = setting.scope.fill(shell).text if shell else None
        script = Script.of((setting.scope.fill(command),), "run", shell=shell_of(line))
        given = {one.name: one.value for one in own.values() if one.value is not None}
        self.scripts.append(replace(script, folder=folder_of(folder and setting.scope.fill(folder)), given=given))

    def _call(self, name: str, key: Scalar, value: Value | None, setting: Setting) -> None:
        orb = setting.scope.orb
        found = self.config.find("commands", name, orb)
        given = given_by(value, setting.scope)
        address = self.config.address(name, orb) if found is None else None
        if address is not None:
            self.foreign(name, address, key, given)
        elif found is None:
            self._fail(key, f"there is no command `{name}`", f"command {name}")
        elif (full := f"{found.orb}/{name}") in setting.commands:
            circle = " → ".join([*setting.commands, full])
            self._fail(key, f"commands go in a circle: {circle.replace(' /', ' ').lstrip('/')}", "command circle")
        elif len(setting.commands) >= MAX_COMMANDS:
            self._fail(key, f"commands nest deeper than {MAX_COMMANDS} levels", "command nesting")
        else:
            entry = found.entry
            self.blocks.setdefault(full, Block(f"the command {name}", entry.key.span, entry.value.span))
            scope = bind(found.body.get("parameters"), given, setting.scope, found.orb)
            self.walk(found.body.get("steps"), replace(setting, scope=scope, commands=(*setting.commands, full)))

    def foreign(self, name: str, address: str, key: Scalar, given: dict[str, Bound]) -> None:
        """Note what is from an orb of the registry."""
        plain = address.partition("@")[0]
        use = f"{plain}/{name.partition('/')[2]}"
        self.uses.append(
            Use(use, key.span, {word: one.value for word, one in given.items() if isinstance(one.value, Scalar)})
        )
        for word in ("configuration_path", "config-path", "config_path"):
            if plain.startswith(_FIRST_PARTY) and word in given and isinstance(path := given[word].value, Scalar):
                self.continued[path.text] = path
        readable = command_of(self.uses[-1]) is not None
        if not readable and (not plain.startswith(_FIRST_PARTY) or is_loadish(use)):
            message = f"the orb {plain} can't be read here, so what `{name}` does is not known"
            self.gathered.note(Hit("BL010", key.span, message, key=plain))

    def _fail(self, key: Scalar, message: str, about: str) -> None:
        self.gathered.note(Hit("BL002", key.span, message, job=self.job, key=about))


def folder_of(value: Scalar | None) -> str:
    """Give a folder below the root; the usual checkout folder is the root itself."""
    text = (value.text if value else "").rstrip("/")
    for root in ("~/project", "$CIRCLE_WORKING_DIRECTORY", "${CIRCLE_WORKING_DIRECTORY}", "."):
        if text == root or text.startswith(f"{root}/"):
            text = text[len(root) :].lstrip("/")
            break
    return "" if text.startswith(("~", "/", "$", "..")) else text


def texts(steps: Steps) -> AbstractSequence[str]:
    """Give all texts in which a shell variable may stand for a parameter."""
    return [script.text for script in steps.scripts] + [one.value or "" for one in steps.variables.values()]
