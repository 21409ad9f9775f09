"""A CloudFormation template's resources, with parameters' defaults put in. Knows no type of resource."""

from collections.abc import Iterator

from burstctl.light import light
from burstctl.lint.compose import read_yaml
from burstctl.lint.document import Mapping, Scalar, Sequence, Tagged, Unreadable, Value, walk
from burstctl.lint.file import File, Span
from burstctl.lint.fleet import Plain, Setting
from burstctl.pattern import pattern

_SHORT = pattern(r"!(?P<function>Ref|GetAtt)\s+[\"']?(?P<name>[\w:]+)")
_TAG = pattern(r"!\w")


@light
class Resource:
    """One resource."""

    name: str
    kind: str
    key: Span
    properties: Mapping
    defaults: "dict[str, Scalar]"
    """The parameters' defaults, by name."""
    sure: bool
    """It is made under no condition."""

    def get(self, *path: str) -> Value | None:
        """Give a property, through several levels."""
        found: Value | None = self.properties
        for name in path:
            found = found.get(name) if isinstance(found, Mapping) else None
        return found

    def given(self, *path: str) -> Setting | None:
        """Give a property that is set."""
        found = self.get(*path)
        return None if found is None else self.worth(found)

    def setting(self, default: Plain, *path: str) -> Setting:
        """Give a property, or its default at the resource's name."""
        return self.given(*path) or Setting(self.key, default, source="by default")

    def worth(self, found: Value) -> Setting:
        """Give what a value is worth: a literal, or a parameter's default."""
        name = reference(found)
        if name in self.defaults:
            default = self.defaults[name]
            place = f"{default.span.file.path}:{default.span.begins.line}"
            return Setting(found.span, default.value, source=f"from the default of {name} ({place})")
        known = isinstance(found, Scalar) and _TAG.match(found.span.text) is None
        value = found.value if isinstance(found, Scalar) and known else None
        editable = known and not found.span.file.path.endswith(".json")  # whose tabs are read as blanks
        return Setting(found.span, value, known and value is not None, literal=editable)


def read_template(file: File) -> list[Resource]:
    """Read a template's resources; `Unreadable` if it is no YAML or JSON."""
    text = file.text.replace("\t", " ") if file.path.endswith(".json") else file.text
    roots = read_yaml(File(file.path, text, file.source)).roots
    root = roots[0] if roots else None
    if not isinstance(root, Mapping):
        raise Unreadable("this is no template: it has no Resources", file.line_span())
    defaults = dict(_defaults(root.get("Parameters")))
    return list(_resources(root.get("Resources"), defaults))


def reference(found: Value) -> str:
    """Give the name that a value refers to; nothing for what is no reference."""
    match = _SHORT.match(found.span.text)
    if match:
        return match["name"]
    if isinstance(found, Mapping) and len(found.entries) == 1:
        target = found.get("Ref") or found.get("Fn::GetAtt")
        first = target.items[0] if isinstance(target, Sequence) and target.items else target
        return first.text.partition(".")[0] if isinstance(first, Scalar) else ""
    return ""


def references(found: Value | None) -> frozenset[str]:
    """Give all names that a value refers to, however deep."""
    return frozenset(name for one in walk(found) if (name := reference(one))) if found is not None else frozenset()


def _defaults(found: Value | None) -> Iterator[tuple[str, Scalar]]:
    for name, entry in found.entries.items() if isinstance(found, Mapping) else ():
        default = entry.value.get("Default") if isinstance(entry.value, Mapping) else None
        if isinstance(default, Scalar):
            yield name, default


def _resources(found: Value | None, defaults: dict[str, Scalar]) -> Iterator[Resource]:
    for name, entry in found.entries.items() if isinstance(found, Mapping) else ():
        one = entry.value
        kind = one.get("Type") if isinstance(one, Mapping) else None
        if not isinstance(one, Mapping) or not isinstance(kind, Scalar):
            continue
        properties = one.get("Properties")
        if not isinstance(properties, Mapping):
            properties = Mapping(one.span, {})
        yield Resource(name, kind.text, entry.key.span, properties, defaults, one.get("Condition") is None)


def texts(found: Value | None) -> Iterator[Scalar]:
    """Give all texts below a value."""
    return (one for one in walk(found) if isinstance(one, Scalar)) if found is not None else iter(())


def items(found: Value | None) -> tuple[Value, ...]:
    """Give a list's items; none for what is no list."""
    return found.items if isinstance(found, Sequence) else ()


def is_computed(found: Value | None) -> bool:
    """Tell whether a value is made by a function."""
    return isinstance(found, Tagged) or (
        isinstance(found, Mapping) and any(key.startswith("Fn::") for key in found.entries)
    )
