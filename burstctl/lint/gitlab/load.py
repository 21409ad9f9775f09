"""Loads a GitLab file with all that it includes into one configuration. Knows no job."""

from __future__ import annotations

import posixpath

from burstctl.light import state
from burstctl.lint.compose import Documents, read_yaml
from burstctl.lint.document import Mapping, Unreadable, Value
from burstctl.lint.file import File, Span
from burstctl.lint.gitlab.config import Config
from burstctl.lint.gitlab.mask import masked
from burstctl.lint.gitlab.merge import Merger
from burstctl.lint.gitlab.reading import Reading
from burstctl.lint.pipeline import Hit
from burstctl.lint.project import Refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from burstctl.lint.gitlab.include import Include

MAX_INCLUDES = 150
MAX_DOCUMENTS = 2
"""A header with `spec`, and the configuration."""


@state
class Loader:
    """Loads the files of one pipeline."""

    reading: Reading
    merger: Merger
    unread: str = "BL010"
    """The code for a file that can't be read here."""
    _count: int = 0

    def root(self, file: File) -> Config:
        """Load the root file; `Unreadable` if it is none."""
        return self._file(file, None, None, (), None)

    def includes(self, value: Value | None, stack: tuple[str, ...], home: str | None = None) -> Config:
        """Load all files that an `include` names, later ones over earlier ones."""
        config = Config()
        if value is None:
            return config
        from burstctl.lint.gitlab.include import includes_of

        for include in includes_of(value, self.reading):
            for path, origin in self._paths(include, home):
                if (loaded := self._included(path, include, stack, origin)) is not None:
                    config.lay(loaded, self.merger)
        return config

    def _file(
        self, file: File, inputs: Value | None, used_at: Span | None, stack: tuple[str, ...], home: str | None
    ) -> Config:
        config = Config()
        body = self._body(file, inputs, used_at)
        if body is not None:
            self.reading.spend(len(body.entries) + 1, body.span)
            included = self.includes(body.get("include"), (*stack, file.path), home)
            config.lay(included, self.merger)
            config.lay_file(body, self.merger)
        return config

    def _paths(self, include: Include, home: str | None) -> list[tuple[str, str | None]]:
        """Find the local files that an include means, each with the foreign project it stands for."""
        mapped = self.reading.settings.include_map
        include = include.within(home)
        if include.address in mapped:
            return [(mapped[include.address], include.home)]
        if include.kind == "local" and "$" not in include.path:
            if "*" in include.path:
                from burstctl.lint.gitlab.wildcard import expand

                found = (expand(pattern, self.reading.project) for pattern in self._places(include.path))
                return [(path, home) for path in next(filter(None, found), [])]
            existing = (path for path in self._places(include.path) if self._exists(path))
            return [(next(existing, include.path), home)]
        for path in include.own_component():
            if self._exists(path):
                return [(path, home)]
        self._not_read(include)
        return []

    def _included(self, path: str, include: Include, stack: tuple[str, ...], home: str | None) -> Config | None:
        note = self.reading.note
        self._count += 1
        if self._count > MAX_INCLUDES:
            note(Hit("BL002", include.span, f"the pipeline includes more than {MAX_INCLUDES} files", key="includes"))
            return None
        try:
            file = self.reading.project.read(path)
        except Refused as refused:
            note(Hit("BL001", include.span, f"{path}: {refused}", key=path))
            self.reading.partial = True
            return None
        if file is None:
            self._missing(include, path)
            return None
        if file.path in stack:
            circle = " → ".join((*stack[stack.index(file.path) :], file.path))
            note(Hit("BL002", include.span, f"`include` goes in a circle: {circle}", key="include circle"))
            return None
        try:
            return self._file(file, include.inputs, include.span, stack, home)
        except Unreadable as error:
            note(Hit("BL001", error.span, error.reason, hint=error.hint))
            self.reading.partial = True
            return None

    def _places(self, path: str) -> tuple[str, ...]:
        """Give the paths that a local one may mean: a pipeline in a folder of its own brings its includes along."""
        own = posixpath.dirname(self.reading.root.path)
        return (path, posixpath.join(own, path.lstrip("/"))) if own else (path,)

    def _exists(self, path: str) -> bool:
        try:
            return self.reading.project.read(path) is not None
        except Refused:
            return True

    def _missing(self, include: Include, path: str) -> None:
        if self.reading.live and include.kind == "local":
            self.reading.note(Hit("BL002", include.span, f"there is no file `{path}` to include", key=path))
        else:
            self._not_read(include)
        self.reading.partial = True

    def _not_read(self, include: Include) -> None:
        self.reading.partial = True
        verb = "included" if self.unread == "BL010" else "started as a child pipeline"
        here = include.kind in ("local", "artifact")
        hint = None if here else f"the setting include-map can name a local copy of `{include.address}`"
        message = f"the {include.shown} is {verb} and can't be read here"
        self.reading.note(Hit(self.unread, include.span, message, hint=hint, key=include.address))

    def _body(self, file: File, given: Value | None, used_at: Span | None) -> Mapping | None:
        """Give a file's configuration with its inputs put in; None if it has none."""
        documents = self._read(file)
        roots = documents.roots
        if len(roots) > MAX_DOCUMENTS:
            message = "a third document stands here: a file holds a header with `spec` and the configuration, no more"
            self.reading.note(Hit("BL002", roots[MAX_DOCUMENTS].span, message, key="documents"))
        header = roots[0] if len(roots) > 1 else None
        spec = header.get("spec") if isinstance(header, Mapping) else None
        body = roots[0] if roots and spec is None else roots[1] if len(roots) > 1 else None
        if spec is not None or (body is not None and "$[[" in file.text):
            from burstctl.lint.gitlab.input import Interpolation, inputs_of

            inputs = inputs_of(spec, given, used_at, self.reading)
        if body is not None and "$[[" in file.text:
            closed = isinstance(spec, Mapping) and "include" not in spec.entries
            body = Interpolation(inputs, closed, spec is None, self.reading).apply(body)
        if isinstance(body, Mapping):
            return body
        if body is not None and body.span.text.strip():
            message = "the top of a CI file must be a mapping of names to jobs and settings"
            self.reading.note(Hit("BL002", body.span, message, key="top"))
        return None

    def _read(self, file: File) -> Documents:
        known = self.reading.documents
        if file.path not in known:
            self.reading.files[file.path] = file
            known[file.path] = read_yaml(file, text=masked(file.text))
            self.reading.tagged = self.reading.tagged or known[file.path].tagged
            if known[file.path].clashes:
                from burstctl.lint.gitlab.clash import clash_hits

                for hit in clash_hits(known[file.path]):
                    self.reading.note(hit)
        return known[file.path]
