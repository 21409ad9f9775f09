"""Reads a root module: all Terraform files of a folder, its variables' files, and the local modules that it calls."""

import glob
import json
import posixpath
from collections.abc import Iterator

from burstctl.light import field, state
from burstctl.lint.document import Unreadable
from burstctl.lint.file import File
from burstctl.lint.pipeline import Hit
from burstctl.lint.project import Project, Refused
from burstctl.lint.terraform.model import Block, Body, Expression, Literal
from burstctl.lint.terraform.scope import Scope
from burstctl.lint.terraform.syntax import read_hcl

_MAX_MODULES = 100
_MAX_LEVELS = 8


@state
class Root:
    """A root module, and all that was read for it."""

    scope: Scope
    files: dict[str, File] = field(default_factory=dict)
    """By path; those of variables too."""
    hits: list[Hit] = field(default_factory=list)

    def scopes(self) -> Iterator[Scope]:
        """Give every module, the root first."""
        rest = [self.scope]
        while rest:
            scope = rest.pop(0)
            yield scope
            rest.extend(scope.children.values())


def read_root(path: str, project: Project) -> Root:
    """Read the root module that a file belongs to."""
    return _Reading(project).read(path)


class _Reading:
    """One root module on its way from files to scopes."""

    __slots__ = ("_bodies", "_count", "_project", "_root")

    def __init__(self, project: Project) -> None:
        self._project = project
        self._root = Root(Scope("", ()))
        self._bodies: dict[str, tuple[Body, ...]] = {}
        self._count = 0

    def read(self, path: str) -> Root:
        folder = posixpath.dirname(path)
        given: dict[str, tuple[Expression, str]] = {}
        for path in self._variable_files(folder):
            given.update(self._values(path))
        others = {
            name
            for pattern in ("*.tfvars", "*/*.tfvars")
            for other in self._find(folder, pattern)
            if not _is_loaded(other, folder)
            for name in self._values(other)
        }
        scope = Scope("", self._folder(folder, path), given=given, disputed=frozenset(others))
        self._root.scope = scope
        self._call_all(scope, folder, 0)
        return self._root

    def _find(self, folder: str, pattern: str) -> list[str]:
        return self._project.find(posixpath.join(glob.escape(folder), pattern))

    def _folder(self, folder: str, asked: str = "") -> tuple[Body, ...]:
        """Read a folder's module; `asked` is a file that may be there only as a text on standard input."""
        if folder not in self._bodies:
            paths = {*self._find(folder, "*.tf"), *([asked] if asked.endswith(".tf") else [])}
            self._bodies[folder] = tuple(body for path in sorted(paths) if (body := self._body(path)) is not None)
        return self._bodies[folder]

    def _body(self, path: str) -> Body | None:
        try:
            file = self._project.read(path)
            if file is None:
                return None
            self._root.files[path] = file
            return read_hcl(file)
        except Refused as refused:
            empty = self._root.files[path] = File.of(path, "")
            self._root.hits.append(Hit("BL001", empty.line_span(), str(refused)))
        except Unreadable as error:
            self._root.hits.append(Hit("BL001", error.span, error.reason))
        return None

    def _variable_files(self, folder: str) -> list[str]:
        """Give the files of variables that Terraform loads by itself, the strongest last."""
        names = ("terraform.tfvars", "terraform.tfvars.json", "*.auto.tfvars", "*.auto.tfvars.json")
        usual = [path for name in names[:2] for path in self._find(folder, name)]
        return usual + sorted(path for name in names[2:] for path in self._find(folder, name))

    def _values(self, path: str) -> dict[str, tuple[Expression, str]]:
        if path.endswith(".json"):
            return self._json_values(path)
        body = self._body(path)
        attributes = body.attributes.values() if body else ()
        return {one.name: (one.expression, f"{path}:{one.span.begins.line}") for one in attributes}

    def _json_values(self, path: str) -> dict[str, tuple[Expression, str]]:
        try:
            file = self._project.read(path)
            values = json.loads(file.text) if file else {}
        except (Refused, ValueError, RecursionError):
            return {}
        plain = {name: one for name, one in values.items() if not isinstance(one, list | dict)}
        return {name: (Literal(one), path) for name, one in plain.items()}

    def _call_all(self, scope: Scope, folder: str, level: int) -> None:
        for block in scope.blocks("module"):
            source = _local_source(block)
            self._count += 1
            if source is None or not block.labels or level >= _MAX_LEVELS or self._count > _MAX_MODULES:
                continue
            below = posixpath.normpath(posixpath.join(folder, source))
            if below.startswith(".."):
                continue
            name = block.labels[0]
            child = Scope(
                prefix=f"{scope.prefix}module.{name}.",
                bodies=self._folder("" if below == "." else below),
                parent=scope,
                arguments=block.body.attributes,
                sure=scope.sure and not {"count", "for_each"} & set(block.body.attributes),
            )
            if child.bodies:
                scope.children[name] = child
                self._call_all(child, below, level + 1)


def _is_loaded(path: str, folder: str) -> bool:
    """Tell whether Terraform takes a file of variables without being told."""
    name = posixpath.basename(path)
    return posixpath.dirname(path) == folder and (name == "terraform.tfvars" or name.endswith(".auto.tfvars"))


def _local_source(block: Block) -> str | None:
    attribute = block.body.attributes.get("source")
    literal = attribute.expression if attribute else None
    text = literal.value if isinstance(literal, Literal) else None
    return text if isinstance(text, str) and text.startswith(("./", "../")) else None
