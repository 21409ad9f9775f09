"""Which jobs of a pipeline may run at the same time. Knows stages, needs, groups and conditions; no rates."""

from collections.abc import Mapping

from burstctl.light import field, state
from burstctl.lint.job import Job
from burstctl.lint.pipeline import Pipeline
from burstctl.pattern import pattern

_EQUALS = pattern(
    r"(?:\$\{?(?P<name>\w+)\}?|(?<![\w.])(?P<path>(?:github|vars)(?:\.[\w-]+)+))"
    r"\s*==\s*(?P<quote>[\"'])(?P<literal>[^\"'$]*)(?P=quote)"
)
_MOST_STEPS = 10_000


@state
class Order:
    """What is known of one pipeline's order."""

    pipeline: Pipeline
    _before: dict[str, frozenset[str]] = field(default_factory=dict)

    def may_overlap(self, one: Job, other: Job) -> bool:
        """Tell whether nothing keeps two jobs from running at the same time."""
        if one.group and one.group == other.group:
            return False
        if _exclusive(one, other):
            return False
        if one.event and other.event and one.event != other.event:
            return False
        if one.parent != other.parent:
            return True
        return not (self._waits(one, other) or self._waits(other, one))

    def _waits(self, late: Job, early: Job) -> bool:
        """Tell whether a job can't begin before the other one has ended."""
        return early.name in self._all_before(late)

    def _all_before(self, job: Job) -> frozenset[str]:
        if job.name not in self._before:
            self._before[job.name] = frozenset(self._collect(job))
        return self._before[job.name]

    def _collect(self, job: Job) -> set[str]:
        by_name = {one.name: one for one in self.pipeline.jobs if one.parent == job.parent}
        seen: set[str] = set()
        rest = [job]
        while rest and len(seen) < _MOST_STEPS:
            one = rest.pop()
            names = self._stages_before(one, by_name) if one.needs is None else one.needs
            fresh = [name for name in names if name not in seen and name in by_name]
            seen.update(fresh)
            rest.extend(by_name[name] for name in fresh)
        return seen

    def _stages_before(self, job: Job, by_name: Mapping[str, Job]) -> list[str]:
        stages = self.pipeline.stages
        if job.stage not in stages:
            return []
        earlier = stages[: stages.index(job.stage)]
        return [one.name for one in by_name.values() if one.stage in earlier]


def _exclusive(one: Job, other: Job) -> bool:
    """Tell whether the conditions of two jobs want different values of one variable."""
    mine, others = _wanted(one), _wanted(other)
    return any(not mine[name] & others[name] for name in mine.keys() & others.keys())


def _wanted(job: Job) -> Mapping[str, frozenset[str]]:
    """Give the values that each variable must have for the job to run, as far as every arm names them."""
    running = [arm for arm in job.arms if arm.runs]
    by_arm: list[dict[str, str]] = []
    for arm in running:
        text = arm.span.text
        if "||" in text:
            return {}
        by_arm.append({match["name"] or match["path"]: match["literal"] for match in _EQUALS.finditer(text)})
    if not by_arm:
        return {}
    shared = set.intersection(*(set(one) for one in by_arm))
    return {name: frozenset(one[name] for one in by_arm) for name in shared}
