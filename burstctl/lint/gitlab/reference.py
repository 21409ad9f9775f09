"""`!reference [name, key, …]`: puts another part of the configuration in its place. Knows no keyword."""

from collections.abc import Callable

from burstctl.light import field, light, state
from burstctl.lint.document import MAX_DEPTH, Entry, Mapping, Scalar, Sequence, Tagged, Value
from burstctl.lint.gitlab.reading import Reading, TooLarge
from burstctl.lint.pipeline import Hit

TAG = "!reference"


@light
class Resolved:
    """A value without references."""

    value: Value
    partial: bool = False
    """Something that it refers to is unknown."""


@state
class Resolver:
    """Resolves the references of one configuration, each once."""

    find: Callable[[str], Value | None]
    """Gives a top-level entry, already extended."""
    reading: Reading
    _done: dict[int, tuple[Value, Resolved]] = field(default_factory=dict)
    """With the value itself, which keeps its identity from being used again."""
    _open: list[int] = field(default_factory=list)

    def resolve(self, value: Value, job: str | None, depth: int = 0) -> Resolved:
        """Give a value with all references replaced by what they mean."""
        if isinstance(value, Scalar) or not self.reading.tagged:
            return Resolved(value)
        if id(value) in self._done:
            return self._done[id(value)][1]
        if depth > MAX_DEPTH:
            raise TooLarge(f"nested deeper than {MAX_DEPTH} levels", value.span)
        self.reading.spend(1, value.span)
        match value:
            case Mapping():
                inner = {name: self.resolve(entry.value, job, depth + 1) for name, entry in value.entries.items()}
                done = _mapping(value, inner)
            case Sequence():
                items = [self.resolve(item, job, depth + 1) for item in value.items]
                changed = any(new.value is not old for new, old in zip(items, value.items, strict=True))
                new = Sequence(value.span, tuple(one.value for one in items)) if changed else value
                done = Resolved(new, any(one.partial for one in items))
            case Tagged(tag=tag) if tag == TAG:
                done = self._follow(value, job, depth)
            case Tagged():
                done = self.resolve(value.value, job, depth + 1)
        self._done[id(value)] = (value, done)
        return done

    def _follow(self, reference: Tagged, job: str | None, depth: int) -> Resolved:
        nothing = Resolved(Scalar(reference.span, "", None), partial=True)
        path = _path(reference)
        shown = f"`!reference [{', '.join(path)}]`"
        if id(reference) in self._open:
            self._fail(reference, job, f"{shown} leads back to itself")
            return nothing
        self._open.append(id(reference))
        try:
            target = self._dig(path, job, depth)
            if target is not None:
                return self.resolve(target, job, depth + 1)
        finally:
            self._open.pop()
        if not path or not self.reading.miss(path[0], reference.span):
            self._fail(reference, job, f"{shown} leads to nothing")
        return nothing

    def _dig(self, path: tuple[str, ...], job: str | None, depth: int) -> Value | None:
        target = self.find(path[0]) if path else None
        for name in path[1:]:
            if isinstance(target, Tagged):
                target = self.resolve(target, job, depth + 1).value
            target = target.get(name) if isinstance(target, Mapping) else None
        return target

    def _fail(self, reference: Tagged, job: str | None, message: str) -> None:
        self.reading.note(Hit("BL002", reference.span, message, job=job, key=message))


def _mapping(value: Mapping, inner: dict[str, Resolved]) -> Resolved:
    changed = any(inner[name].value is not entry.value for name, entry in value.entries.items())
    entries = {name: Entry(entry.key, inner[name].value) for name, entry in value.entries.items()}
    return Resolved(Mapping(value.span, entries) if changed else value, any(one.partial for one in inner.values()))


def _path(reference: Tagged) -> tuple[str, ...]:
    steps = reference.value
    return tuple(one.text for one in steps.items if isinstance(one, Scalar)) if isinstance(steps, Sequence) else ()
