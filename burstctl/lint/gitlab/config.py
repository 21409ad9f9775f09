"""The top of a GitLab configuration, merged from files, and what each file defines there. Knows no includes."""

from collections.abc import Iterator

from burstctl.light import field, state
from burstctl.lint.document import Entry, Mapping
from burstctl.lint.gitlab.merge import Merger
from burstctl.lint.pipeline import Block


@state
class Config:
    """Top-level entries as merged, and all that they were merged from, the weakest first."""

    entries: dict[str, Entry] = field(default_factory=dict)
    definitions: dict[str, list[Entry]] = field(default_factory=dict)

    def lay(self, upper: "Config", merger: Merger) -> None:
        """Lay another configuration over this one."""
        for name, entry in upper.entries.items():
            self.entries[name] = merger.over(self.entries.get(name), entry)
        for name, definitions in upper.definitions.items():
            self.definitions.setdefault(name, []).extend(definitions)

    def lay_file(self, body: Mapping, merger: Merger) -> None:
        """Lay a file's own content over what it includes."""
        for name, entry in body.entries.items():
            self.entries[name] = merger.over(self.entries.get(name), entry)
            self.definitions.setdefault(name, []).append(entry)

    def blocks(self) -> Iterator[Block]:
        """Give all that jobs may inherit from, job or not."""
        for name, definitions in self.definitions.items():
            for entry in definitions:
                yield Block(name, entry.key.span, entry.value.span)
