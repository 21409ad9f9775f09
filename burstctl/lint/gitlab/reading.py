"""What is gathered while one GitLab pipeline is read: hits, files, names that are missing. Knows no keyword."""

from burstctl.light import field, state
from burstctl.lint.compose import Documents
from burstctl.lint.file import File, Span
from burstctl.lint.pipeline import Hit
from burstctl.lint.project import Project
from burstctl.lint.settings import Settings

MAX_EXPANDED = 1_000_000
"""Values that a pipeline may grow to: far beyond GitLab's own limits, and a second or two of work."""

SHOWN = 3
"""Names in one message."""

LIVE = ".gitlab-ci.yml"
"""The root file's usual path."""


class TooLarge(Exception):  # noqa: N818 - it says what the pipeline is
    """A pipeline that expands beyond any bounds."""

    def __init__(self, reason: str, span: Span) -> None:
        super().__init__(reason)
        self.reason = reason
        self.span = span


@state
class Reading:
    """The state of reading one pipeline; child pipelines share it with their parent."""

    root: File
    project: Project
    settings: Settings
    live: bool
    """The root file is the one that GitLab itself would run, not a part that others include."""
    partial: bool = False
    """The configuration at hand includes something that can't be read."""
    files: dict[str, File] = field(default_factory=dict)
    documents: dict[str, Documents] = field(default_factory=dict)
    """By path: a file may be included many times."""
    tagged: bool = False
    """Some file has values with tags, which may be references."""
    missing: dict[str, Span] = field(default_factory=dict)
    """Names that files which aren't read must define, with a place that uses each."""
    hits: dict[tuple[object, ...], Hit] = field(default_factory=dict)
    expanded: int = 0

    @property
    def whole(self) -> bool:
        """Tell whether all of the pipeline is known, so that what is missing is missing."""
        return self.live and not self.partial

    def note(self, hit: Hit) -> None:
        """Keep a hit, each once."""
        self.hits.setdefault((hit.code, hit.span.file.path, hit.span.start, hit.job, hit.message), hit)

    def miss(self, name: str, span: Span) -> bool:
        """Tell whether a name that nothing defines may well stand in a file that isn't read."""
        if self.whole:
            return False
        self.missing.setdefault(name, span)
        return True

    def sum_up(self) -> None:
        """Note once what a part of a pipeline takes from other parts, unless its includes have been noted."""
        if self.live or not self.missing or any(hit.code == "BL010" for hit in self.hits.values()):
            return
        names = ", ".join(f"`{name}`" for name in list(self.missing)[:SHOWN])
        more = f" and {len(self.missing) - SHOWN} more" if len(self.missing) > SHOWN else ""
        self.note(
            Hit(
                "BL010",
                next(iter(self.missing.values())),
                f"this file uses {names}{more} of files that aren't read with it",
                hint=f"lint the pipeline's root file, {LIVE}, to read them all",
                key="other files",
            )
        )

    def spend(self, count: int, span: Span) -> None:
        """Count values that expanding makes; `TooLarge` when there are too many."""
        self.expanded += count
        if self.expanded > MAX_EXPANDED:
            raise TooLarge(f"expands to more than {MAX_EXPANDED:,} values", span)
