"""Marks a class as a value like `value` does, at a fiftieth of what a dataclass costs when its module is imported.

`dataclasses` loads `inspect` and compiles each method of each class: 50 ms for a command that reads a hundred classes
and lives as long. Here a constructor is compiled when its class is first made, and whatever else is shared.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

TYPE_CHECKING = False
"""As every checker of types takes it; `typing` itself takes a quarter of what the interpreter takes to start."""
if TYPE_CHECKING:
    from typing import Any, TypeVar, dataclass_transform

    T = TypeVar("T")
else:

    def dataclass_transform(**_):
        return lambda decorator: decorator


class _Factory:
    """Makes a field's default, one for each value."""

    __slots__ = ("make",)

    def __init__(self, make: Callable[[], object]) -> None:
        self.make = make


def field(*, default_factory: Callable[[], Any]) -> Any:
    """Give a field a default that is made anew for each value."""
    return _Factory(default_factory)


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def light(cls: type[T]) -> type[T]:
    """Make a slotted class whose fields are set once, by its constructor; values are equal by their fields."""
    return _slotted(cls, {"__eq__": _equal, "__hash__": _hash})


@dataclass_transform(field_specifiers=(field,))
def state(cls: type[T]) -> type[T]:
    """Make a slotted class whose fields change; each one is equal to itself only."""
    return _slotted(cls, {})


def replace(value: T, /, **changes: object) -> T:
    """Give a copy with other values in some fields."""
    fields = {name: getattr(value, name) for name in fields_of(value)}
    return type(value)(**(fields | changes))


def fields_of(value: object) -> tuple[str, ...]:
    """Name a value's fields, in their order."""
    names: tuple[str, ...] = type(value).__match_args__  # type: ignore[attr-defined]  # of each class made here
    return names


def to_mapping(value: object) -> dict[str, object]:
    """Give a value's fields, and those of the values within, as mappings for JSON."""
    return {name: _plain(getattr(value, name)) for name in fields_of(value)}


def _plain(value: object) -> object:
    return to_mapping(value) if hasattr(type(value), "__match_args__") else value


def _slotted(cls: type[T], methods: Mapping[str, object]) -> type[T]:
    body = dict(vars(cls))
    names = tuple(body.get("__annotations__", ()))
    defaults = {name: body.pop(name) for name in names if name in body}
    for made_again in ("__dict__", "__weakref__"):
        body.pop(made_again, None)
    constructor = {"__init__": _first_constructor(names, defaults)}
    body |= {"__slots__": names, "__match_args__": names, **methods, **constructor}
    body.setdefault("__repr__", _repr)
    kind: Callable[..., type[T]] = type(cls)
    return kind(cls.__name__, cls.__bases__, body)


def _first_constructor(names: tuple[str, ...], defaults: Mapping[str, object]) -> Callable[..., None]:
    """Give a constructor that compiles the real one, and leaves its place to it."""

    def construct(self: object, *values: object, **named: object) -> None:
        constructor = _compile(names, defaults)
        type(self).__init__ = constructor  # type: ignore[method-assign]  # of a class that nobody inherits from
        constructor(self, *values, **named)

    return construct


def _compile(names: tuple[str, ...], defaults: Mapping[str, object]) -> Callable[..., None]:
    parameters = ", ".join(f"{name}=default_{name}" if name in defaults else name for name in names)
    lines = (f"    self.{name} = {_value_of(name, defaults)}" for name in names)
    space: dict[str, Any] = {f"default_{name}": value for name, value in defaults.items()}
    text = "\n".join([f"def __init__(self, {parameters}):", *lines, "    return None"])
    exec(text, space)  # noqa: S102 - of nothing but the names of a class's fields
    constructor: Callable[..., None] = space["__init__"]
    return constructor


def _value_of(name: str, defaults: Mapping[str, object]) -> str:
    made = isinstance(defaults.get(name), _Factory)
    return f"default_{name}.make() if {name} is default_{name} else {name}" if made else name


def _equal(self: object, other: object) -> Any:
    if type(other) is not type(self):
        return NotImplemented
    return all(getattr(self, name) == getattr(other, name) for name in fields_of(self))


def _hash(self: object) -> int:
    return hash(tuple(getattr(self, name) for name in fields_of(self)))


def _repr(self: object) -> str:
    shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in fields_of(self))
    return f"{type(self).__name__}({shown})"
