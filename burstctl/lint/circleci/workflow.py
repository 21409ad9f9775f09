"""CircleCI's workflows: which jobs run, in which order, started by what. Knows no steps."""

from collections.abc import Iterator

from burstctl.light import light
from burstctl.lint.circleci.condition import holds
from burstctl.lint.circleci.config import Config
from burstctl.lint.circleci.job import Call
from burstctl.lint.circleci.matrix import matrix_of
from burstctl.lint.circleci.scope import Scope
from burstctl.lint.document import Mapping, Scalar, Value
from burstctl.lint.gathered import Gathered
from burstctl.lint.look import entries_of, inner, items_of, text_of

_ALONE = "build"
"""The job that runs where no workflow names any."""


@light
class _Listed:
    """A job as a workflow lists it."""

    key: Scalar
    body: Value | None
    name: str
    requires: tuple[str, ...]
    approval: bool


def calls_of(config: Config, scope: Scope, gathered: Gathered) -> Iterator[Call]:
    """Give the jobs that run."""
    workflows = [one for one in entries_of(config.body.get("workflows")) if isinstance(one.value, Mapping)]
    if not workflows:
        jobs = config.body.get("jobs")
        if isinstance(jobs, Mapping) and _ALONE in jobs.entries:
            key = jobs.entries[_ALONE].key
            yield Call(_ALONE, key, None, scope, matrix_of(None, scope, _ALONE, gathered), (), None, None)
        return
    several = len(workflows) > 1
    for workflow in workflows:
        condition = inner(workflow.value, "when"), inner(workflow.value, "unless")
        if holds(condition[0], scope) is False or holds(condition[1], scope) is True:
            continue
        parent = workflow.key.text if several else None
        yield from _calls(workflow.value, parent, _event(workflow.value, workflow.key.text), scope, gathered)


def _calls(value: Value, parent: str | None, event: str | None, scope: Scope, gathered: Gathered) -> Iterator[Call]:
    listed = list(_listed(inner(value, "jobs"), scope))
    waits = _behind_approvals(listed)
    for one in listed:
        gathered.spend(5, one.key.span)
        if one.approval:
            continue
        matrix = matrix_of(inner(one.body, "matrix"), scope, one.name, gathered)
        yield Call(one.name, one.key, one.body, scope, matrix, one.requires, parent, event, manual=one.name in waits)


def _listed(value: Value | None, scope: Scope) -> Iterator[_Listed]:
    for item in items_of(value):
        if isinstance(item, Scalar):
            yield _Listed(item, None, item.text, (), approval=False)
        elif isinstance(item, Mapping):
            for entry in item.entries.values():
                body = entry.value
                name = text_of(inner(body, "matrix", "alias")) or text_of(inner(body, "name")) or entry.key.text
                if "<<" in name:
                    name = entry.key.text
                requires = tuple(
                    one.text if isinstance(one, Scalar) else next(iter(one.entries), "")
                    for one in items_of(inner(body, "requires"))
                    if isinstance(one, Scalar | Mapping)
                )
                approval = text_of(inner(body, "type")) == "approval"
                yield _Listed(entry.key, body, name, requires, approval)


def _behind_approvals(listed: list[_Listed]) -> set[str]:
    """Give the jobs that run only after somebody has approved."""
    waits = {one.name for one in listed if one.approval}
    for _ in range(len(listed)):
        more = {one.name for one in listed if one.name not in waits and waits.intersection(one.requires)}
        if not more:
            break
        waits |= more
    return waits


def _event(value: Value, name: str) -> str | None:
    """Tell workflows apart that don't run in one pipeline, as far as that is written: by schedule or condition."""
    triggers = inner(value, "triggers")
    if triggers is not None and any(inner(one, "schedule") is not None for one in items_of(triggers)):
        return f"the schedule of {name}"
    condition = inner(value, "when") or inner(value, "unless")
    return None if condition is None else " ".join(condition.span.text.split())
