"""`<< parameters.rate >>`: what parameters stand for where a step, job or command is read. Knows no other keyword."""

import re
from collections.abc import Mapping as AbstractMapping

from burstctl.light import field, light, replace
from burstctl.lint.document import Mapping, Scalar, Value
from burstctl.lint.interpolate import Piece, interpolate
from burstctl.lint.job import Variable
from burstctl.lint.look import entries_of, inner, scalar_of, text_of
from burstctl.pattern import pattern

EXPRESSION = pattern(r"(?<!\\)<<\s*(?P<body>(?:parameters|pipeline|matrix)\.[\w.-]+)\s*>>")


@light
class Bound:
    """What a parameter stands for; a list of steps is read where it was written."""

    value: Value
    scope: "Scope"
    varies: bool = False
    """It is one of a matrix: each instance has another value."""


@light
class Scope:
    """The parameters that hold at one place."""

    parameters: AbstractMapping[str, Bound] = field(default_factory=dict)
    pipeline: AbstractMapping[str, Bound] = field(default_factory=dict)
    orb: str = ""
    """The orb written into the file that the place is in."""

    def find(self, body: str) -> Bound | None:
        """Give what an expression names; None if only the running pipeline knows."""
        kind, _, name = body.partition(".")
        if kind == "pipeline":
            return self.pipeline.get(name.removeprefix("parameters."))
        return self.parameters.get(name)

    def fill(self, scalar: Scalar) -> Scalar:
        """Replace a text's expressions by their values, or by shell variables where these differ or can be typed."""
        if "<<" not in scalar.text:
            return scalar
        whole = EXPRESSION.fullmatch(scalar.text.strip())
        found = self.find(whole["body"]) if whole else None
        filled = interpolate(scalar, EXPRESSION, self._piece)
        if found is not None and isinstance(found.value, Scalar) and not found.varies:
            # The type stays that of the parameter.
            return replace(filled, value=found.value.value) if filled.text == found.value.as_text else filled
        return filled

    def resolve(self, value: Value | None) -> Bound | None:
        """Give a value that may be one expression for another one, with the scope to read it in."""
        if value is None:
            return None
        if isinstance(value, Scalar):
            whole = EXPRESSION.fullmatch(value.text.strip())
            found = self.find(whole["body"]) if whole else None
            if found is not None and not isinstance(found.value, Scalar):
                return found
            return Bound(self.fill(value), self)
        return Bound(value, self)

    def by_default(self, value: Value | None) -> Scalar | None:
        """Give a scalar as it is where nobody sets the pipeline's parameters; None where that isn't known."""
        if not isinstance(value, Scalar):
            return None
        whole = EXPRESSION.fullmatch(value.text.strip())
        found = self.find(whole["body"]) if whole else None
        if found is not None:
            return found.value if isinstance(found.value, Scalar) and not found.varies else None
        filled = self.fill(value)
        return None if filled.unknown else filled

    def _piece(self, match: re.Match[str]) -> Piece:
        found = self.find(match["body"])
        name = variable_name(match["body"])
        if found is None or not isinstance(found.value, Scalar):
            return Piece(f"${{{name}}}", unknown=True)
        if found.varies or (found.value.asked and match["body"].startswith("pipeline.")):
            return Piece(f"${{{name}}}", asked=found.value.asked)
        return Piece(found.value.as_text, unknown=found.value.unknown, asked=found.value.asked)


def variable_name(body: str) -> str:
    """Give the name of the shell variable that stands for an expression."""
    return re.sub(r"\W", "_", body.replace("matrix.", "parameters.", 1) if body.startswith("matrix.") else body)


def pipeline_scope(value: Value | None) -> Scope:
    """Give what holds everywhere: the pipeline's parameters, which whoever starts it may set."""
    found: dict[str, Bound] = {}
    for entry in entries_of(value):
        default = scalar_of(inner(entry.value, "default"))
        if default is not None:
            free = text_of(inner(entry.value, "type")) in ("string", "integer", None)
            found[entry.key.text] = Bound(replace(default, asked=free), Scope())
    return Scope(pipeline=found)


def pipeline_variables(scope: Scope, used: str) -> dict[str, Variable]:
    """Give the shell variables that stand for the pipeline's parameters in a text."""
    found: dict[str, Variable] = {}
    for name, bound in scope.pipeline.items():
        shell_name = variable_name(f"pipeline.parameters.{name}")
        if shell_name in used and isinstance(bound.value, Scalar):
            place = bound.value.span
            found[shell_name] = Variable(
                shell_name, bound.value.as_text, place, place, "global", bound.value, asked=True
            )
    return found


def bind(declared: Value | None, given: AbstractMapping[str, Bound], outer: Scope, orb: str) -> Scope:
    """Give the scope inside of a job, command or executor that declares parameters."""
    found: dict[str, Bound] = {}
    for entry in entries_of(declared):
        default = entry.value.get("default") if isinstance(entry.value, Mapping) else None
        if default is not None:
            found[entry.key.text] = Bound(default, Scope(pipeline=outer.pipeline, orb=orb))
    return Scope({**found, **given}, outer.pipeline, orb)


def given_by(value: Value | None, outer: Scope) -> dict[str, Bound]:
    """Give the arguments of a call, read where the call stands."""
    bound = {entry.key.text: outer.resolve(entry.value) for entry in entries_of(value)}
    return {name: one for name, one in bound.items() if one is not None}
