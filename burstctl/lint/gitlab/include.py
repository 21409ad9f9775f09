"""What an `include` names, as GitLab writes it: local paths, and addresses elsewhere. Reads no file."""

import re
from collections.abc import Iterator

from burstctl.light import light
from burstctl.lint.document import Mapping, Scalar, Sequence, Value
from burstctl.lint.file import Span
from burstctl.lint.gitlab.reading import Reading
from burstctl.lint.gitlab.rules import arms_of, never
from burstctl.pattern import pattern

_URL = pattern(r"https?://", re.IGNORECASE)
_OWN_COMPONENT = pattern(r"\$\{?CI_SERVER_(?:FQDN|HOST)\}?/\$\{?CI_PROJECT_PATH\}?/(?P<name>[\w./-]+)@")


@light
class Include:
    """One file that is included."""

    kind: str
    """`local`, `project`, `remote`, `template`, `component` or `artifact`."""
    path: str
    """The path, or the address as a setting maps it: `group/name/file.yml` for a project's."""
    span: Span
    inputs: Value | None = None
    project: str | None = None
    """Whose file it is, where it is a project's."""

    @property
    def home(self) -> str | None:
        """Name the place that local paths in this file start from; None: this project."""
        return None if self.kind in ("local", "artifact") else self.project or self.path

    def within(self, home: str | None) -> "Include":
        """Give it as a file of that place means it: a local path there is one of that project."""
        if home is None or self.kind != "local":
            return self
        return Include("project", f"{home}/{self.path.lstrip('/')}", self.span, self.inputs, home)

    @property
    def address(self) -> str:
        """Give the name by which a setting maps it to a local file."""
        return f"{self.kind}:{self.path}"

    @property
    def shown(self) -> str:
        """Describe it in words."""
        words = {"local": "file", "remote": "URL", "project": "project file", "artifact": "generated file"}
        return f"{words.get(self.kind, self.kind)} `{self.path}`"

    def own_component(self) -> tuple[str, ...]:
        """Give the paths at which a component of this very project may stand."""
        match = _OWN_COMPONENT.match(self.path) if self.kind == "component" else None
        return (f"templates/{match['name']}.yml", f"templates/{match['name']}/template.yml") if match else ()


def includes_of(value: Value | None, reading: Reading) -> Iterator[Include]:
    """Give the includes of an `include` key, those literally never left out."""
    rest: list[Value] = [value] if value is not None else []
    while rest:
        one = rest.pop()
        reading.spend(1, one.span)
        if isinstance(one, Sequence):
            rest.extend(reversed(one.items))
        elif isinstance(one, Scalar) and one.value is not None:
            yield Include("remote" if _URL.match(one.text) else "local", one.text, one.span)
        elif isinstance(one, Mapping) and not never(arms_of(one.get("rules"), "rule", reading)):
            yield from _entry(one)


def _entry(entry: Mapping) -> Iterator[Include]:
    inputs = entry.get("inputs")
    project = entry.get("project")
    if isinstance(project, Scalar):
        files = entry.get("file")
        for file in files.items if isinstance(files, Sequence) else (files,):
            if isinstance(file, Scalar):
                home = project.text.strip("/")
                yield Include("project", f"{home}/{file.text.lstrip('/')}", file.span, inputs, home)
        return
    for kind in ("local", "remote", "template", "component", "artifact"):
        if isinstance(named := entry.get(kind), Scalar) and named.value is not None:
            yield Include(kind, named.text, named.span, inputs)
            return
