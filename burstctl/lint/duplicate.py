"""Tells of keys that stand twice in a mapping, the first of them without effect. Knows no CI system."""

from collections.abc import Iterator

from burstctl.lint.compose import Documents
from burstctl.lint.pipeline import Hit


def duplicate_hits(documents: Documents) -> Iterator[Hit]:
    """Give a hit of BL003 for each."""
    for clash in documents.clashes:
        name, line = clash.key.text, clash.lost.begins.line
        message = f"`{name}` stands here again: its value on line {line} has no effect"
        yield Hit("BL003", clash.key.span, message, key=name)
