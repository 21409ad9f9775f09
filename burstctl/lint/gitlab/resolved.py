"""One GitLab configuration with `extends`, references and defaults carried out. Knows no includes and no children."""

from collections.abc import Iterator

from burstctl.light import state
from burstctl.lint.document import Entry, Mapping, Tagged, Value
from burstctl.lint.gitlab.config import Config
from burstctl.lint.gitlab.default import defaults_of, with_defaults
from burstctl.lint.gitlab.extends import Extender
from burstctl.lint.gitlab.job import Definition, Surroundings, job_of
from burstctl.lint.gitlab.merge import Merger
from burstctl.lint.gitlab.reading import Reading
from burstctl.lint.gitlab.reference import Resolver
from burstctl.lint.gitlab.words import GLOBAL_KEYS, is_hidden
from burstctl.lint.job import Job

JOB_COST = 50
"""What a job takes, in values."""


@state
class Resolution:
    """Resolves what one configuration holds, by name."""

    config: Config
    reading: Reading
    extender: Extender
    resolver: Resolver

    @classmethod
    def of(cls, config: Config, merger: Merger, reading: Reading) -> "Resolution":
        extender = Extender(config.entries, merger, reading)
        return cls(config, reading, extender, Resolver(extender.find, reading))

    def value(self, name: str) -> Value | None:
        """Give a setting at the top; None where there is none."""
        found = self.extender.find(name)
        return None if found is None else self.resolver.resolve(found, None).value

    def jobs(self, around: Surroundings) -> Iterator[tuple[Job, Mapping]]:
        """Give all jobs that may run, each with its resolved content."""
        top = {name: Entry(entry.key, self.value(name) or entry.value) for name, entry in self._globals()}
        defaults = defaults_of(top)
        for name, entry in self.config.entries.items():
            if name in GLOBAL_KEYS or not isinstance(entry.value, Mapping | Tagged):
                continue
            extended = self.extender.extend(name)
            # What hides is resolved as well: GitLab takes no pipeline with a mistake in a template.
            resolved = self.resolver.resolve(extended.entry.value, name)
            if is_hidden(name) or not isinstance(resolved.value, Mapping):
                continue
            self.reading.spend(JOB_COST, entry.key.span)
            body = with_defaults(resolved.value, defaults)
            partial = extended.partial or resolved.partial or self._overrides(body)
            own = tuple(one.value.span for one in self.config.definitions.get(name, ()))
            job = job_of(body, Definition(name, entry.key.span, own, partial), around, self.reading)
            if job is not None:
                yield job, body

    def _globals(self) -> Iterator[tuple[str, Entry]]:
        return ((name, entry) for name, entry in self.config.entries.items() if name in GLOBAL_KEYS)

    def _overrides(self, body: Mapping) -> bool:
        """Tell whether a job has nothing to run, so that the rest of it must stand where it can't be read."""
        return not self.reading.whole and not any(body.get(key) for key in ("script", "run", "trigger"))
