"""A file that was read, and spans of its text. Knows nothing of what the text means."""

from burstctl.light import light
from burstctl.source import Position, Source


@light
class File:
    """A text in the project."""

    path: str
    """POSIX, relative to the project's root."""
    text: str
    source: Source

    @classmethod
    def of(cls, path: str, text: str) -> "File":
        return cls(path, text, Source.of(path, text))

    def line_span(self, line: int = 1) -> "Span":
        """Give the span of one line without its end; of the last one where there is no such line."""
        line = min(line, len(self.source.lines))
        start = self.source.starts[line - 1]
        return Span(self, start, start + len(self.source.lines[line - 1].rstrip()))


@light
class Span:
    """A piece of a file's text; the end is exclusive."""

    file: File
    start: int
    end: int

    @property
    def begins(self) -> Position:
        return self.file.source.locate(self.start)

    @property
    def ends(self) -> Position:
        return self.file.source.locate(max(self.start, self.end))

    @property
    def text(self) -> str:
        return self.file.text[self.start : self.end]

    def contains(self, other: "Span") -> bool:
        """Tell whether the other one lies within this one."""
        return self.file is other.file and self.start <= other.start and other.end <= self.end
