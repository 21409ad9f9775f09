"""What a repair changes: pieces of files, by their spans. Knows no rule and writes no file."""

from burstctl.light import light
from burstctl.lint.file import Span


@light
class Edit:
    """A piece of a file and the text that takes its place; an empty span inserts."""

    span: Span
    text: str


@light
class Fix:
    """Edits that belong together: all of them or none."""

    title: str
    """What they do, as an order: `quote the value`."""
    edits: tuple[Edit, ...]
    safe: bool
    """Whatever runs stays the same; else only a person can tell whether the change is wanted."""
