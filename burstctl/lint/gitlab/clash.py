"""Tells of keys without effect in a GitLab file: duplicates, and those that a later `<<` beats. Knows no keyword."""

from bisect import bisect_right
from collections.abc import Iterator

from burstctl.light import state
from burstctl.lint.compose import Clash, Documents
from burstctl.lint.document import Entry, Mapping
from burstctl.lint.file import Span
from burstctl.lint.gitlab.mask import unmasked
from burstctl.lint.pipeline import Hit


def clash_hits(documents: Documents) -> Iterator[Hit]:
    """Give a hit of BL003 for each duplicate, and one of BL004 for each `<<` that beats keys before it."""
    owners = _Owners.of(documents)
    merges: dict[int, list[Clash]] = {}
    for clash in documents.clashes:
        if clash.by_merge:
            merges.setdefault(clash.key.span.start, []).append(clash)
        else:
            yield _duplicate(clash, owners)
    for clashes in merges.values():
        yield _late_merge(clashes, owners)


def _duplicate(clash: Clash, owners: "_Owners") -> Hit:
    name, line = unmasked(clash.key.text), clash.lost.begins.line
    message = f"`{name}` stands here again: its value on line {line} has no effect"
    return Hit("BL003", clash.key.span, message, job=owners.find(clash.key.span), key=name)


def _late_merge(clashes: list[Clash], owners: "_Owners") -> Hit:
    names = [unmasked(clash.key.text) for clash in clashes]
    keys = ", ".join(f"`{name}` (line {clash.lost.begins.line})" for name, clash in zip(names, clashes, strict=True))
    verb = "has" if len(clashes) == 1 else "have"
    message = f"`<<` comes after {keys}, which {verb} no effect: GitLab merges at the place where `<<` stands"
    span = clashes[0].key.span
    return Hit("BL004", span, message, job=owners.find(span), hint="put `<<` first", key=",".join(names))


@state
class _Owners:
    """The entries at the top, by place."""

    starts: list[int]
    entries: list[Entry]

    @classmethod
    def of(cls, documents: Documents) -> "_Owners":
        entries = [entry for root in documents.roots if isinstance(root, Mapping) for entry in root.entries.values()]
        entries.sort(key=lambda entry: entry.value.span.start)
        return cls([entry.value.span.start for entry in entries], entries)

    def find(self, span: Span) -> str | None:
        """Name the entry in which a span lies."""
        index = bisect_right(self.starts, span.start) - 1
        entry = self.entries[index] if index >= 0 else None
        return unmasked(entry.key.text) if entry and entry.value.span.contains(span) else None
