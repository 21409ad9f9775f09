"""`extends`: jobs laid over their parents. Knows no other keyword."""

from collections.abc import Mapping as AbstractMapping

from burstctl.light import field, light, state
from burstctl.lint.document import Entry, Mapping, Scalar, Sequence, Value
from burstctl.lint.gitlab.merge import Merger
from burstctl.lint.gitlab.reading import Reading
from burstctl.lint.gitlab.words import GLOBAL_KEYS
from burstctl.lint.pipeline import Hit

MAX_PARENTS = 10
"""Levels of parents above a job."""
_TOO_HIGH = f"more than {MAX_PARENTS} levels of parents stand above this job"


@light
class Extended:
    """An entry laid over its parents."""

    entry: Entry
    height: int = 0
    """Levels of parents above it."""
    partial: bool = False
    """Some parent is unknown."""


@state
class Extender:
    """Extends the entries of one configuration, each once."""

    entries: AbstractMapping[str, Entry]
    merger: Merger
    reading: Reading
    _done: dict[str, Extended] = field(default_factory=dict)

    def extend(self, name: str) -> Extended:
        """Give an entry with all that it inherits."""
        return self._extend(name, ())

    def find(self, name: str) -> Value | None:
        """Give an extended entry's value; None where there is no such entry."""
        return self.extend(name).entry.value if name in self.entries else None

    def _extend(self, name: str, below: tuple[str, ...]) -> Extended:
        if name in self._done:
            return self._done[name]
        entry = self.entries[name]
        parents = _parents(entry) if name not in GLOBAL_KEYS else ()
        found: list[Extended] = []
        whole = True
        for parent in parents:
            if self._usable(name, parent, (*below, name)):
                found.append(self._extend(parent.text, (*below, name)))
            else:
                whole = False
        partial = not whole or any(one.partial for one in found)
        height = 1 + max((one.height for one in found), default=-1)
        if height > MAX_PARENTS and not partial:
            self._fail(name, parents[0], _TOO_HIGH)
            partial = True
        value = entry.value
        if found and isinstance(value, Mapping):
            base = Mapping(value.span, {})
            for one in found:
                if isinstance(one.entry.value, Mapping):
                    base = self.merger.merge(base, one.entry.value)
            value = self.merger.merge(base, value)
        done = self._done[name] = Extended(Entry(entry.key, value), height, partial)
        return done

    def _usable(self, name: str, parent: Scalar, below: tuple[str, ...]) -> bool:
        """Tell whether a parent can be extended; note why not."""
        found = self.entries.get(parent.text)
        if found is None:
            if not self.reading.miss(parent.text, parent.span):
                self._fail(name, parent, f"extends `{parent.text}`, which nothing defines")
            return False
        if not isinstance(found.value, Mapping):
            self._fail(name, parent, f"extends `{parent.text}`, which is no job")
            return False
        if parent.text in self._done:
            return True
        if parent.text in below:
            circle = " → ".join((*below[below.index(parent.text) :], parent.text))
            self._fail(name, parent, f"`extends` goes in a circle: {circle}")
            return False
        if len(below) > MAX_PARENTS:
            self._fail(below[0], _parents(self.entries[below[0]])[0], _TOO_HIGH)
            return False
        return True

    def _fail(self, name: str, parent: Scalar, message: str) -> None:
        self.reading.note(Hit("BL002", parent.span, message, job=name, key=f"extends {parent.text}"))


def _parents(entry: Entry) -> tuple[Scalar, ...]:
    named = entry.value.get("extends") if isinstance(entry.value, Mapping) else None
    items = named.items if isinstance(named, Sequence) else (named,)
    return tuple(one for one in items if isinstance(one, Scalar) and one.value is not None)
