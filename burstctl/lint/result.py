"""All that a lint run has found, ready to be rendered. Knows no format."""

from __future__ import annotations

from burstctl.light import field, light
from burstctl.source import Position

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from os import PathLike

    from burstctl.finding import Finding
    from burstctl.lint.edit import Fix
    from burstctl.source import Source


@light
class Suppressed:
    """A finding that somebody has decided to live with."""

    finding: Finding
    reason: str
    in_source: bool
    """By a comment; else by the baseline."""


@light
class Result:
    """The findings of one run, by place."""

    root: str | PathLike[str]
    findings: Sequence[Finding]
    checked: Sequence[str]
    """The paths of all files that were read, as they are shown."""
    sources: Mapping[str, Source] = field(default_factory=dict)
    """By the path that findings show; a finding's file may not be among them, when it could not be read."""
    suppressed: Sequence[Suppressed] = ()
    fixes: Mapping[str, Fix] = field(default_factory=dict)
    """By the identities of the findings that they mend."""
    secrets: Sequence[str] = ()
    """Values of the files that must not be shown."""

    @property
    def fails(self) -> bool:
        """Tell whether any finding is more than a notice."""
        return any(finding.fails for finding in self.findings)

    def excerpt(self, path: str, line: int, column: int) -> str | None:
        """Show a place with a caret, credentials masked; None where its text isn't known."""
        source = self.sources.get(path)
        if source is None:
            return None
        from burstctl.lint.excerpt import show

        return show(source, Position(line, column), self.secrets)
