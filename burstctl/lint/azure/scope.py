"""What names stand for at one place of an Azure template: parameters, variables, loop variables. Knows no keyword."""

from collections.abc import Mapping as AbstractMapping
from collections.abc import Sequence as AbstractSequence
from re import Match, sub

from burstctl.light import field, light, replace
from burstctl.lint.azure.expression import EXPRESSION, UNKNOWN, Known, Unknown, evaluate, path_of
from burstctl.lint.document import Mapping, Scalar, Value
from burstctl.lint.interpolate import Piece, interpolate
from burstctl.lint.job import Variable
from burstctl.lint.look import entries_of, inner, mappings_of, scalar_of, text_of


@light
class Scope:
    """The values of one file's parameters, by name."""

    parameters: AbstractMapping[str, Value] = field(default_factory=dict)
    variables: AbstractMapping[str, Scalar] = field(default_factory=dict)
    loops: AbstractMapping[str, Value] = field(default_factory=dict)

    def find(self, path: AbstractSequence[str]) -> Value | None:
        """Give the value of a path; None where it isn't known."""
        first, rest = path[0], path[1:]
        if first == "parameters" and rest:
            return inner(_named(self.parameters, rest[0]), *rest[1:])
        if first == "variables" and rest:
            return _named(self.variables, rest[0])
        return inner(self.loops.get(first), *rest)

    def work_out(self, body: str) -> Known | Unknown:
        """Work a condition out."""
        return evaluate(body, self._known)

    def whole(self, scalar: Scalar) -> Value | None:
        """Give the list or mapping that a scalar's only expression stands for; None where it stands for none."""
        match = EXPRESSION.fullmatch(scalar.text.strip()) if "${{" in scalar.text else None
        path = path_of(match["body"]) if match else None
        found = self.find(path) if path else None
        return None if found is None or isinstance(found, Scalar) else found

    def fill(self, scalar: Scalar) -> Scalar:
        """Replace a text's expressions by their values, or by shell variables where somebody may type others."""
        if "${{" not in scalar.text:
            return scalar
        filled = interpolate(scalar, EXPRESSION, self._piece)
        match = EXPRESSION.fullmatch(scalar.text.strip())
        found = self.find(path) if match and (path := path_of(match["body"])) else None
        if isinstance(found, Scalar) and not found.asked:
            return replace(filled, value=found.value)  # the type stays that of the parameter
        return filled

    def _piece(self, match: Match[str]) -> Piece:
        path = path_of(match["body"])
        found = self.find(path) if path else None
        if isinstance(found, Scalar):
            text = found.as_text
            if found.asked and path and not text.startswith("${"):
                return Piece(f"${{{variable_name(path)}}}", asked=True)
            return Piece(text, unknown=found.unknown, asked=found.asked)
        result = evaluate(match["body"], self._known)
        if not isinstance(result, Unknown) and result is not None:
            return Piece(str(result))
        name = variable_name(path) if path else sub(r"\W+", "_", match["body"]).strip("_")[:60]
        return Piece(f"${{{name or 'expression'}}}", unknown=True)

    def _known(self, path: AbstractSequence[str]) -> Known | Unknown:
        found = self.find(path)
        known = isinstance(found, Scalar) and not found.asked and not found.unknown
        return found.value if known and isinstance(found, Scalar) else UNKNOWN


def variable_name(path: AbstractSequence[str]) -> str:
    """Give the name of the shell variable that stands for a path."""
    return sub(r"\W", "_", "_".join(path))


def declared(value: Value | None, *, asked: bool) -> dict[str, Value]:
    """Give the defaults of a file's parameters, listed or by name; `asked`: whoever starts the pipeline sets them."""
    if isinstance(value, Mapping):
        return {entry.key.text: entry.value for entry in entries_of(value)}
    found: dict[str, Value] = {}
    for one in mappings_of(value):
        name, default = text_of(one.get("name")), one.get("default")
        if name is None or default is None:
            continue
        free = asked and one.get("values") is None and text_of(one.get("type")) in ("string", "number", None)
        found[name] = replace(default, asked=True) if free and isinstance(default, Scalar) else default
    return found


def asked_variables(scope: Scope, text: str) -> dict[str, Variable]:
    """Give the shell variables that stand for parameters in a text."""
    found: dict[str, Variable] = {}
    for name, value in scope.parameters.items():
        shell_name = variable_name(("parameters", name))
        scalar = scalar_of(value)
        if scalar is not None and scalar.asked and shell_name in text:
            found[shell_name] = Variable(
                shell_name, scalar.as_text, scalar.span, scalar.span, "global", scalar, asked=True
            )
    return found


def _named(values: AbstractMapping[str, Value], name: str) -> Value | None:
    return values.get(name) or next((one for key, one in values.items() if key.lower() == name.lower()), None)
