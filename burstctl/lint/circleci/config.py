"""What a CircleCI file defines by name: jobs, commands, executors, also of orbs written into it. Runs nothing."""

from burstctl.light import light
from burstctl.lint.document import Entry, Mapping
from burstctl.lint.look import inner, text_of


@light
class Found:
    """A definition, and the orb in the file that it belongs to."""

    entry: Entry
    body: Mapping
    orb: str


@light
class Config:
    """The top of one file."""

    body: Mapping

    def find(self, kind: str, name: str, orb: str = "") -> Found | None:
        """Find a definition of `jobs`, `commands` or `executors` by its name, from within an orb or from outside."""
        first, slash, rest = name.partition("/")
        home, own = (first, rest) if slash else (orb, name)
        holder = inner(self.body, "orbs", home) if home else self.body
        definitions = inner(holder, kind)
        if not isinstance(definitions, Mapping) or own not in definitions.entries:
            return None
        entry = definitions.entries[own]
        return Found(entry, entry.value, home) if isinstance(entry.value, Mapping) else None

    def address(self, name: str, orb: str = "") -> str | None:
        """Give the registry's address of the orb that a name is from, `circleci/node@5`; None if it is from none."""
        alias, slash, _ = name.partition("/")
        if not slash:
            return None
        orbs = (inner(self.body, "orbs", orb, "orbs", alias), inner(self.body, "orbs", alias))
        return next((text for one in orbs if (text := text_of(one))), None)
