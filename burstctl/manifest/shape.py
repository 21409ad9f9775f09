"""JSON Schema of each kind of scalar, for editors: wherever a value may stand, a `${…}` text may stand for it."""

from collections.abc import Sequence

from burstctl.manifest import leaf

Shape = dict[str, object]

_NUMBER = r"(\d+(\.\d+)?|\.\d+)"
_PLACEHOLDER: Shape = {"type": "string", "pattern": r"\$\{"}


def _or_placeholder(*shapes: Shape) -> Shape:
    return {"anyOf": [*shapes, _PLACEHOLDER]}


def _pattern(pattern: str) -> Shape:
    return {"type": "string", "pattern": f"^{pattern}$"}


TEXT: Shape = {"type": "string"}
FLAG = _or_placeholder({"type": "boolean"})
RATE = _or_placeholder(
    {"type": "number", "exclusiveMinimum": 0, "maximum": 1_000_000}, _pattern(rf"{_NUMBER}\s*(/(s|sec|min|m|h))?")
)
DURATION = _or_placeholder(
    {"type": "number", "exclusiveMinimum": 0}, _pattern(rf"({_NUMBER}|({_NUMBER}\s*(ms|min|s|m|h))+)")
)
SIZE = _or_placeholder({"type": "integer", "minimum": 1}, _pattern(rf"{_NUMBER}\s*([kKmMgG][iI]?[bB]|[bB])?"))
HTTP = _or_placeholder({"enum": ["1.1", "2", 1.1, 2]})
SHARE = _or_placeholder({"enum": ["host", "none"]}, _pattern(r"(rediss?|unix)://\S+"))
URL = _or_placeholder(_pattern(r"https?://[^?#\s]+"))
PROBE_URL = _or_placeholder(_pattern(r"(https?|rediss?|unix)://\S+"))
PATH = _pattern(r"/([^/].*)?")
PARAMETER: Shape = {"type": ["string", "integer", "boolean"]}
ARGUMENTS: Shape = {"type": "array", "items": PARAMETER, "minItems": 1}
DATA = _or_placeholder(_pattern(r".*\.(jsonl|json|csv)"))
_STATUS: Shape = _or_placeholder({"type": "integer", "minimum": 100, "maximum": 599}, _pattern(r"[1-5](\d\d|xx)"))
STATUSES: Shape = {"anyOf": [_STATUS, {"type": "array", "items": _STATUS, "minItems": 1}]}
_EXPRESSION = r"[a-z_][\w.]*\s*(<=|>=|==|<|>)\s*\S.*"
THRESHOLD: Shape = {
    "anyOf": [
        _PLACEHOLDER,
        _pattern(rf"\s*(.+:\s*)?{_EXPRESSION}"),
        {
            "type": "object",
            "additionalProperties": _or_placeholder(_pattern(_EXPRESSION)),
            "minProperties": 1,
            "maxProperties": 1,
        },
    ]
}


BOUND = _or_placeholder({"type": "number", "exclusiveMinimum": 0})


def whole(least: int, most: int | None = None) -> Shape:
    """A whole number within bounds."""
    return _or_placeholder({"type": "integer", "minimum": least} | ({"maximum": most} if most else {}))


def choice(words: Sequence[str]) -> Shape:
    """One of a few words."""
    return _or_placeholder({"enum": list(words)})


def either(*shapes: Shape) -> Shape:
    """One of several shapes."""
    return {"anyOf": list(shapes)}


def nullable(shape: Shape) -> Shape:
    """The shape, or nothing."""
    return either(shape, {"type": "null"})


def retry_word() -> Shape:
    """A status, a class or a fault."""
    return {"anyOf": [_STATUS, {"enum": list(leaf.RETRY_FAULTS)}]}
