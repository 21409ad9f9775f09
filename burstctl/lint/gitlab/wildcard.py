"""Wildcards in the paths of GitLab's local includes. Knows paths only."""

import re

from burstctl.light import light
from burstctl.lint.project import Project


def expand(pattern: str, project: Project) -> list[str]:
    """List the files that match, in order: `*` stays within a folder, `**` does not."""
    pattern = pattern.lstrip("/")
    if ".." in pattern.split("/"):
        return []
    folder = pattern[: pattern.index("*")].rpartition("/")[0]
    matcher = _Matcher.of(pattern)
    return [path for path in project.below(folder) if matcher.matches(path)]


@light
class _Matcher:
    """A pattern as a set of states in the bits of a number: no path takes it longer than its length."""

    steps: dict[str, int]
    """The states that a character leads on from."""
    stars: int
    """The states that stay where they are, and lead on without a character."""
    deep: int
    """Those of them that a slash doesn't end."""
    end: int

    @classmethod
    def of(cls, pattern: str) -> "_Matcher":
        steps: dict[str, int] = {}
        stars = deep = 0
        parts = re.findall(r"\*\*|.", pattern, re.DOTALL)
        for number, part in enumerate(parts):
            if part in ("*", "**"):
                stars |= 1 << number
                deep |= (part == "**") << number
            else:
                steps[part] = steps.get(part, 0) | 1 << number
        return cls(steps, stars, deep, 1 << len(parts))

    def matches(self, path: str) -> bool:
        """Tell whether the whole path matches."""
        states = self._skip(1)
        for character in path:
            staying = states & (self.deep if character == "/" else self.stars)
            states = self._skip((states & self.steps.get(character, 0)) << 1 | staying)
            if not states:
                return False
        return bool(states & self.end)

    def _skip(self, states: int) -> int:
        """Add the states behind stars that stand for nothing."""
        while (more := states | (states & self.stars) << 1) != states:
            states = more
        return states
