"""Carries out what Azure does before it reads a pipeline: templates, `${{ if }}`, `${{ each }}`. Knows no job."""

import posixpath
import re

from burstctl.light import field, replace, state
from burstctl.lint.azure.expression import is_true
from burstctl.lint.azure.scope import Scope, declared
from burstctl.lint.document import Entry, Mapping, Scalar, Sequence, Value
from burstctl.lint.file import File
from burstctl.lint.gathered import Gathered
from burstctl.lint.look import entries_of, inner, text_of
from burstctl.lint.pipeline import Block, Hit
from burstctl.pattern import pattern

MAX_DEPTH = 100
MAX_TEMPLATES = 50
"""Templates within templates, as Azure allows them."""
_DIRECTIVE = pattern(r"\$\{\{\s*(?P<word>if|elseif|else|each|insert)\b\s*(?P<rest>.*?)\s*\}\}")
_EACH = pattern(r"(?P<name>\w+)\s+in\s+(?P<path>.+)")


@state
class Expander:
    """Expands the files of one pipeline."""

    gathered: Gathered
    blocks: dict[str, Block] = field(default_factory=dict)

    def expand(self, value: Value, scope: Scope, file: File, stack: tuple[str, ...], depth: int = 0) -> Value:
        """Give a value with all of its directives carried out."""
        self.gathered.spend(1, value.span)
        if depth > MAX_DEPTH:
            return value
        if isinstance(value, Scalar):
            return scope.whole(value) or scope.fill(value)
        if isinstance(value, Sequence):
            items: list[Value] = []
            met: bool | None = False
            for item in value.items:
                met = self._item(item, scope, file, stack, depth, items, met)
            return Sequence(value.span, tuple(items))
        if isinstance(value, Mapping):
            return self._mapping(value, scope, file, stack, depth)
        return value

    def _mapping(self, value: Mapping, scope: Scope, file: File, stack: tuple[str, ...], depth: int) -> Mapping:
        entries: dict[str, Entry] = {}
        met: bool | None = False
        for name, entry in value.entries.items():
            found = _DIRECTIVE.fullmatch(name.strip())
            if found is None:
                key = scope.fill(entry.key) if "${{" in name else entry.key
                entries[key.text] = Entry(key, self.expand(entry.value, scope, file, stack, depth + 1))
                continue
            taken, met = self._taken(found, scope, met)
            for one in self._scopes(found, scope) if taken else ():
                inside = self.expand(entry.value, one, file, stack, depth + 1)
                entries.update(inside.entries if isinstance(inside, Mapping) else {})
        return Mapping(value.span, entries)

    def _item(
        self,
        item: Value,
        scope: Scope,
        file: File,
        stack: tuple[str, ...],
        depth: int,
        items: list[Value],
        met: bool | None,
    ) -> bool | None:
        """Add what one item of a list comes to; tell whether the last `if` of its chain was met."""
        entry = next(iter(item.entries.values())) if isinstance(item, Mapping) and len(item.entries) == 1 else None
        found = _DIRECTIVE.fullmatch(entry.key.text.strip()) if entry else None
        if found is not None and entry is not None:
            taken, met = self._taken(found, scope, met)
            for one in self._scopes(found, scope) if taken else ():
                inside = self.expand(entry.value, one, file, stack, depth + 1)
                items.extend(inside.items if isinstance(inside, Sequence) else (inside,))
            return met
        if isinstance(item, Mapping) and "template" in item.entries:
            items.extend(self._template(item, scope, file, stack))
            return False
        expanded = self.expand(item, scope, file, stack, depth + 1)
        # A list that a parameter holds takes the place of the item.
        items.extend(expanded.items if isinstance(item, Scalar) and isinstance(expanded, Sequence) else (expanded,))
        return False

    def _taken(self, found: re.Match[str], scope: Scope, met: bool | None) -> tuple[bool, bool | None]:
        """Tell whether a branch may be read, and whether the chain is met with it; None: only Azure knows."""
        if found["word"] in ("each", "insert"):
            return True, False
        if found["word"] == "if":
            met = False
        if met is True:
            return False, True
        result = True if found["word"] == "else" else is_true(scope.work_out(found["rest"]))
        return result is not False, None if result is None or met is None else result or met

    def _scopes(self, found: re.Match[str], scope: Scope) -> list[Scope]:
        each = _EACH.fullmatch(found["rest"]) if found["word"] == "each" else None
        if each is None:
            return [scope]
        listed = scope.find(each["path"].split("."))
        if isinstance(listed, Sequence):
            values: list[Value] = list(listed.items)
        elif isinstance(listed, Mapping):
            values = [
                Mapping(one.value.span, {"key": Entry(one.key, one.key), "value": one}) for one in entries_of(listed)
            ]
        else:
            return [scope]
        return [replace(scope, loops={**scope.loops, each["name"]: value}) for value in values]

    def _template(self, item: Mapping, scope: Scope, file: File, stack: tuple[str, ...]) -> tuple[Value, ...]:
        """Give what a template puts into the list that names it."""
        opened = self.open(item, scope, file, stack)
        if opened is None:
            return ()
        body = opened
        for key in ("stages", "jobs", "steps", "variables"):
            inside = body.get(key)
            if isinstance(inside, Sequence):
                return inside.items
            if isinstance(inside, Mapping):
                return (inside,)
        return ()

    def open(self, item: Mapping, scope: Scope, file: File, stack: tuple[str, ...]) -> Mapping | None:
        """Read the template that a mapping names, expanded; None where it can't be read here."""
        name = item.get("template")
        if not isinstance(name, Scalar):
            return None
        filled = scope.fill(name)
        path, at, home = filled.text.partition("@")
        if (at and home != "self") or "$" in path:
            self.gathered.partial = True
            message = f"the template `{name.text}` can't be read here"
            hint = f"the setting include-map can name a local copy of `template:{filled.text}`"
            mapped = self.gathered.settings.include_map.get(f"template:{filled.text}")
            if mapped is None:
                self.gathered.note(Hit("BL010", name.span, message, hint=hint, key=filled.text))
                return None
            path = f"/{mapped}"
        folder = file.path.rpartition("/")[0]
        path = path.lstrip("/") if path.startswith("/") else posixpath.normpath(posixpath.join(folder, path))
        if path in stack:
            circle = " → ".join((*stack[stack.index(path) :], path))
            self.gathered.note(Hit("BL002", name.span, f"`template` goes in a circle: {circle}", key="template circle"))
            return None
        if len(stack) > MAX_TEMPLATES:
            message = f"templates nest deeper than {MAX_TEMPLATES} levels"
            self.gathered.note(Hit("BL002", name.span, message, key="template nesting"))
            return None
        opened = self.gathered.open(path, name.span)
        if opened is None or opened.body is None:
            if not self.gathered.is_there(path):
                self.gathered.note(Hit("BL002", name.span, f"there is no template `{path}`", key=path))
            self.gathered.partial = True
            return None
        given = {entry.key.text: self.expand(entry.value, scope, file, stack) for entry in _arguments(item)}
        inside = Scope({**declared(opened.body.get("parameters"), asked=False), **given}, scope.variables)
        self.blocks.setdefault(path, Block(f"the template {path}", opened.body.span, opened.body.span))
        content = Mapping(
            opened.body.span, {key: one for key, one in opened.body.entries.items() if key != "parameters"}
        )
        expanded = self.expand(content, inside, opened.file, (*stack, path))
        return expanded if isinstance(expanded, Mapping) else None


def _arguments(item: Mapping) -> tuple[Entry, ...]:
    return entries_of(item.get("parameters"))


def extended(body: Mapping) -> Mapping | None:
    """Give the template that a whole pipeline extends."""
    value = inner(body, "extends")
    return value if isinstance(value, Mapping) and text_of(value.get("template")) else None
