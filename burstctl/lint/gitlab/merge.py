"""GitLab's deep merge: mappings join key by key, all else is replaced. Knows no keyword."""

from burstctl.light import field, state
from burstctl.lint.document import MAX_DEPTH, Entry, Mapping
from burstctl.lint.gitlab.reading import Reading, TooLarge


@state
class Merger:
    """Merges values of one pipeline; the same pair, however often anchors repeat it, only once."""

    reading: Reading
    _done: dict[tuple[int, int], tuple[Mapping, Mapping, Mapping]] = field(default_factory=dict)
    """With the pair itself, which keeps their identities from being used again."""

    def merge(self, lower: Mapping, upper: Mapping, depth: int = 0) -> Mapping:
        """Lay one mapping over another."""
        pair = (id(lower), id(upper))
        if pair in self._done:
            return self._done[pair][2]
        if depth > MAX_DEPTH:
            raise TooLarge(f"nested deeper than {MAX_DEPTH} levels", upper.span)
        self.reading.spend(len(lower.entries) + len(upper.entries) + 1, upper.span)
        entries = dict(lower.entries)
        for name, entry in upper.entries.items():
            entries[name] = self.over(entries.get(name), entry, depth)
        merged = Mapping(upper.span, entries)
        self._done[pair] = (lower, upper, merged)
        return merged

    def over(self, lower: Entry | None, upper: Entry, depth: int = 0) -> Entry:
        """Lay one entry over another of the same name."""
        if lower is None or not (isinstance(lower.value, Mapping) and isinstance(upper.value, Mapping)):
            return upper
        return Entry(upper.key, self.merge(lower.value, upper.value, depth + 1))
