"""Works expressions out, as far as literals, variables' values and locals go. Knows modules by their names only."""

import operator
from collections.abc import Callable, Iterable, Mapping

from burstctl.light import field, light, state
from burstctl.lint.terraform.model import (
    Attribute,
    Block,
    Body,
    Choice,
    Expression,
    Keyed,
    Listed,
    Literal,
    Opaque,
    Operation,
    Plain,
    Reference,
    Template,
)

_MAX_DEPTH = 100
_MAX_TEXT = 4096
"""No name or size is longer; locals that double each other would grow without end."""
ELSEWHERE = "?"
"""Stands for whatever the value comes from where that can't be seen."""
_NOT_RESOURCES = frozenset({"each", "count", "self", "path", "terraform"})


@light
class Worth:
    """What an expression is worth."""

    value: "Plain | tuple[Worth, ...] | Mapping[str, Worth]" = None
    known: bool = True
    refs: frozenset[str] = frozenset()
    """The addresses of the resources that it depends on."""
    source: str = ""
    """Where it was said: `from var.size (variables.tf:3)`."""


@state
class Scope:
    """One module as it is called: what its names mean."""

    prefix: str
    """What its resources' addresses begin with: nothing for the root module."""
    bodies: tuple[Body, ...]
    parent: "Scope | None" = None
    arguments: Mapping[str, Attribute] = field(default_factory=dict)
    given: Mapping[str, tuple[Expression, str]] = field(default_factory=dict)
    """Values from files of variables, with where they stand."""
    disputed: frozenset[str] = frozenset()
    """Variables that another file may set, if somebody names it."""
    sure: bool = True
    children: dict[str, "Scope"] = field(default_factory=dict)
    _known: dict[tuple[str, str], Worth | None] = field(default_factory=dict)

    def blocks(self, kind: str) -> list[Block]:
        """Give all blocks of a type."""
        return [block for body in self.bodies for block in body.find(kind)]

    def work_out(self, expression: Expression, depth: int = 0) -> Worth:
        """Work an expression out."""
        if depth > _MAX_DEPTH:
            return _unknown()
        match expression:
            case Literal():
                return Worth(expression.value)
            case Reference():
                return self._refer(expression, depth)
            case Listed():
                items = tuple(self.work_out(item, depth + 1) for item in expression.items)
                return Worth(items, refs=_refs(items))
            case Keyed():
                entries = {key: self.work_out(one, depth + 1) for key, one in expression.entries.items()}
                return Worth(entries, expression.whole, _refs(entries.values()))
            case Template():
                return _join([self.work_out(part, depth + 1) for part in expression.parts])
            case Choice():
                return self._choose(expression, depth)
            case Operation():
                left, right = self.work_out(expression.left, depth + 1), self.work_out(expression.right, depth + 1)
                return _operate(expression.sign, left, right)
            case Opaque():
                return _unknown(_refs([self.work_out(inner, depth + 1) for inner in expression.inner]))

    def _refer(self, reference: Reference, depth: int) -> Worth:
        path = reference.path
        if len(path) == 1:  # a name in a `for`, or the bare word of `ignore_changes`
            return _unknown()
        if path[0] in ("var", "local", "module"):
            worth = self._named(path[0], path[1:], depth)
            rest = path[3:] if path[0] == "module" else path[2:]
            return _pick(worth, rest) if reference.whole else _unknown(worth.refs)
        if path[0] in _NOT_RESOURCES:
            return _unknown(frozenset({ELSEWHERE}))
        address = ".".join(path[: 3 if path[0] == "data" else 2])
        return _unknown(frozenset({self.prefix + address}))

    def _named(self, kind: str, path: tuple[str, ...], depth: int) -> Worth:
        name = ".".join(path[:2]) if kind == "module" else path[0]
        if (kind, name) not in self._known:
            self._known[kind, name] = None  # whoever asks again while this is worked out goes in circles
            finders = {"var": self._variable, "local": self._local, "module": self._output}
            self._known[kind, name] = finders[kind](path, depth + 1)
        return self._known[kind, name] or _unknown()

    def _variable(self, path: tuple[str, ...], depth: int) -> Worth:
        name = path[0]
        block = next((one for one in self.blocks("variable") if one.labels[:1] == (name,)), None)
        default = block.body.attributes.get("default") if block else None
        if name in self.arguments and self.parent is not None:
            return self.parent.work_out(self.arguments[name].expression, depth)
        if name in self.disputed:
            return _unknown(frozenset({ELSEWHERE}))
        if name in self.given:
            expression, where = self.given[name]
            return _from(self.work_out(expression, depth), f"from var.{name} ({where})")
        if default is None:
            return _unknown(frozenset({ELSEWHERE}))
        place = f"{default.span.file.path}:{default.span.begins.line}"
        return _from(self.work_out(default.expression, depth), f"from var.{name} ({place})")

    def _local(self, path: tuple[str, ...], depth: int) -> Worth:
        for block in self.blocks("locals"):
            if attribute := block.body.attributes.get(path[0]):
                worth = self.work_out(attribute.expression, depth)
                place = f"{attribute.span.file.path}:{attribute.span.begins.line}"
                return worth if worth.source else _from(worth, f"from local.{path[0]} ({place})")
        return _unknown()

    def _output(self, path: tuple[str, ...], depth: int) -> Worth:
        child = self.children.get(path[0])
        if child is None or len(path) < 2:
            return _unknown(frozenset({ELSEWHERE, f"{self.prefix}module.{path[0]}"}))
        block = next((one for one in child.blocks("output") if one.labels[:1] == (path[1],)), None)
        value = block.body.attributes.get("value") if block else None
        return child.work_out(value.expression, depth) if value else _unknown()

    def _choose(self, choice: Choice, depth: int) -> Worth:
        condition = self.work_out(choice.condition, depth + 1)
        yes, no = self.work_out(choice.yes, depth + 1), self.work_out(choice.no, depth + 1)
        if condition.known and isinstance(condition.value, bool):
            return yes if condition.value else no
        if _is_plain(yes) and _is_plain(no) and yes.value == no.value:
            return yes
        return _unknown(yes.refs | no.refs)


def _unknown(refs: frozenset[str] = frozenset()) -> Worth:
    return Worth(None, known=False, refs=refs)


def _is_plain(worth: Worth) -> bool:
    """Tell whether a value is known and no collection: to compare those may take for ever."""
    return worth.known and not isinstance(worth.value, tuple | Mapping)


def _refs(worths: Iterable[Worth]) -> frozenset[str]:
    return frozenset().union(*(worth.refs for worth in worths))


def _from(worth: Worth, source: str) -> Worth:
    return Worth(worth.value, worth.known, worth.refs, source)


def _pick(worth: Worth, path: tuple[str, ...]) -> Worth:
    """Follow attributes into an object."""
    for name in path:
        if not worth.known or not isinstance(worth.value, Mapping) or name not in worth.value:
            return _unknown(worth.refs)
        worth = worth.value[name]
    return worth


def _join(parts: list[Worth]) -> Worth:
    refs = _refs(parts)
    if not all(part.known and isinstance(part.value, str | int | float) for part in parts):
        return _unknown(refs)
    text = "".join(str(part.value).lower() if isinstance(part.value, bool) else str(part.value) for part in parts)
    return Worth(text, len(text) <= _MAX_TEXT, refs) if len(text) <= _MAX_TEXT else _unknown(refs)


_SIGNS: Mapping[str, Callable[[float, float], float | bool]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
}


def _operate(sign: str, left: Worth, right: Worth) -> Worth:
    refs = left.refs | right.refs
    source = left.source or right.source
    if not (left.known and right.known):
        return _unknown(refs)
    if sign in ("==", "!=") and _is_plain(left) and _is_plain(right):
        return Worth((left.value == right.value) is (sign == "=="), refs=refs, source=source)
    if sign not in _SIGNS or not (_is_number(left.value) and _is_number(right.value)):
        return _unknown(refs)
    try:
        return Worth(_SIGNS[sign](float(left.value), float(right.value)), refs=refs, source=source)  # type: ignore[arg-type]
    except ArithmeticError:
        return _unknown(refs)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
