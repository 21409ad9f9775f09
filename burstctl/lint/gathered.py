"""What is gathered while one pipeline is read: hits, files, the work it costs. Knows no CI system."""

from burstctl.light import field, light, state
from burstctl.lint.compose import Documents, Schema, read_yaml
from burstctl.lint.document import Mapping, Unreadable
from burstctl.lint.file import File, Span
from burstctl.lint.pipeline import Hit
from burstctl.lint.project import Project, Refused
from burstctl.lint.settings import Settings
from burstctl.lint.yaml_core import resolve

MAX_SPENT = 300_000
"""Jobs, steps and values that a pipeline may grow to by aliases, templates and matrices."""

CORE = Schema(resolve, late_merge_wins=False)


@light
class Opened:
    """A local file that another one names."""

    file: File
    documents: Documents

    @property
    def body(self) -> Mapping | None:
        """Give its first document; None if that is no mapping."""
        root = self.documents.roots[0] if self.documents.roots else None
        return root if isinstance(root, Mapping) else None


@state
class Gathered:
    """The state of reading one pipeline with all that it names."""

    project: Project
    settings: Settings
    files: dict[str, File] = field(default_factory=dict)
    hits: dict[tuple[object, ...], Hit] = field(default_factory=dict)
    partial: bool = False
    """Something that the pipeline takes in can't be read."""
    _opened: dict[str, Opened | None] = field(default_factory=dict)
    _spent: int = 0

    def note(self, hit: Hit) -> None:
        """Keep a hit, each once."""
        self.hits.setdefault((hit.code, hit.span.file.path, hit.span.start, hit.job, hit.message), hit)

    def spend(self, count: int, span: Span) -> None:
        """Count what reading costs; `Unreadable` when it is beyond any bounds."""
        self._spent += count
        if self._spent > MAX_SPENT:
            raise Unreadable(f"expands to more than {MAX_SPENT:,} values", span)

    def open_root(self, file: File) -> Opened:
        """Read the root file; `Unreadable` if it is no YAML."""
        opened = self._opened[file.path] = Opened(file, read_yaml(file, CORE))
        self.files[file.path] = file
        return opened

    def open(self, path: str, used_at: Span) -> Opened | None:
        """Read a local file that is named somewhere; None if there is none, or none that can be read."""
        if path in self._opened:
            return self._opened[path]
        opened = None
        try:
            file = self.project.read(path)
            if file is not None:
                self.files[file.path] = file
                opened = Opened(file, read_yaml(file, CORE))
        except Refused as refused:
            self.note(Hit("BL001", used_at, f"{path}: {refused}", key=path))
        except Unreadable as error:
            self.note(Hit("BL001", error.span, error.reason, hint=error.hint))
        self._opened[path] = opened
        return opened

    def is_there(self, path: str) -> bool:
        """Tell whether the project has a file of this path, readable or not."""
        try:
            return self.project.read(path) is not None
        except Refused:
            return True
