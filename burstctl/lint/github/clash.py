"""Tells of what GitHub refuses in a workflow though YAML allows it: a key twice, and `<<`. Knows no keyword."""

from collections.abc import Iterator

from burstctl.lint.compose import Documents
from burstctl.lint.pipeline import Hit


def clash_hits(documents: Documents) -> Iterator[Hit]:
    """Give a hit of BL003 for each duplicate key, and one of BL004 for each `<<`."""
    for clash in documents.clashes:
        line = clash.lost.begins.line
        message = f"`{clash.key.text}` stands here again, after line {line}: GitHub refuses the file"
        yield Hit("BL003", clash.key.span, message, key=clash.key.text)
    for merge in documents.merges:
        hint = "repeat the keys, or alias the whole mapping"
        yield Hit("BL004", merge.span, "GitHub refuses `<<`: it knows anchors and aliases only", hint=hint, key="<<")
