"""What the contexts of one instance of a job hold: inputs, matrix, strategy, env. Knows no keyword."""

from collections.abc import Mapping, Sequence
from typing import Any

from burstctl.light import field, light, replace
from burstctl.lint.github.expression import Result
from burstctl.lint.github.function import inside
from burstctl.lint.github.operand import UNKNOWN


@light
class Scope:
    """One instance; what it doesn't hold is unknown."""

    inputs: Mapping[str, Result] = field(default_factory=dict)
    inputs_closed: bool = False
    """An input that isn't declared is empty, not unknown."""
    matrix: Mapping[str, Any] | None = None
    """None: not known, or there is none."""
    index: int | None = None
    """Of the instance, from 0."""
    total: int | None = None
    max_parallel: int | None = None
    env: Mapping[str, Result] = field(default_factory=dict)
    action_folder: str | None = None
    """Where the composite action is that the step stands in."""

    def lookup(self, path: Sequence[str]) -> Result:
        """Give what a path of a context stands for."""
        match list(path):
            case ["inputs", name, *rest]:
                return _follow(self._input(name), rest)
            case ["github", "event", "inputs", name, *rest]:
                return _follow(self._input(name), rest)
            case ["matrix", name, *rest] if self.matrix is not None:
                return _follow(Result(inside(dict(self.matrix), name)), rest)
            case ["matrix"] if self.matrix is not None:
                return Result(dict(self.matrix))
            case ["env", name]:
                return self.env.get(name, Result())
            case ["strategy", "job-index"] if self.index is not None:
                return Result(self.index)
            case ["strategy", "job-total"] if self.total is not None:
                return Result(self.total)
            case ["strategy", "max-parallel"] if self.max_parallel is not None:
                return Result(self.max_parallel)
            case ["github", "workspace"]:
                return Result("$GITHUB_WORKSPACE")
            case ["github", "action_path"] if self.action_folder is not None:
                return Result(f"/{self.action_folder}" if self.action_folder else "$GITHUB_WORKSPACE")
        return Result()

    def with_env(self, env: Mapping[str, Result]) -> "Scope":
        """Give the same instance with more environment variables."""
        return replace(self, env={**self.env, **env}) if env else self

    def _input(self, name: str) -> Result:
        found = next((one for key, one in self.inputs.items() if key.lower() == name.lower()), None)
        if found is not None:
            return found
        return Result("") if self.inputs_closed else Result()


def _follow(result: Result, rest: Sequence[str]) -> Result:
    for key in rest:
        value = UNKNOWN if not result.known else inside(result.value, key)
        result = Result(value, result.asked, result.key)
    return result
