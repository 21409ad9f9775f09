"""`rules`, `only` and `when`: the arms under which a job or a pipeline runs. Evaluates no condition."""

import itertools
from collections.abc import Iterator
from collections.abc import Sequence as AbstractSequence

from burstctl.lint.document import Mapping, Scalar, Sequence, Value
from burstctl.lint.gitlab.reading import Reading
from burstctl.lint.gitlab.variable import variables_of
from burstctl.lint.job import Arm

MAX_ARMS = 100
"""Arms of a job times arms of its workflow that are worth telling apart."""

RULE_COST = 4
"""What a rule takes, in values."""

_CONDITIONS = ("if", "changes", "exists")


def arms_of(value: Value | None, level: str, reading: Reading, when: str | None = None) -> tuple[Arm, ...]:
    """Read a list of rules; `when` is what holds for an arm that doesn't say."""
    return tuple(_arm(rule, level, when) for rule in rules(value, reading))


def rules(value: Value | None, reading: Reading) -> Iterator[Mapping]:
    """Give the rules of a list, which references may nest; those after one without a condition are never asked."""
    rest: list[Value] = [value] if value is not None else []
    while rest:
        one = rest.pop()
        reading.spend(RULE_COST, one.span)
        if isinstance(one, Sequence):
            rest.extend(reversed(one.items))
        elif isinstance(one, Mapping):
            yield one
            if not any(key in one.entries for key in _CONDITIONS):
                return


def crossed(outer: AbstractSequence[Arm], inner: AbstractSequence[Arm]) -> tuple[Arm, ...]:
    """Join the arms of a workflow with those of a job, whose variables are stronger."""
    outer = [arm for arm in outer if arm.runs]
    if not any(arm.variables for arm in outer):
        return tuple(inner)
    if not inner:
        return tuple(outer)
    pairs = itertools.islice(itertools.product(outer, inner), MAX_ARMS)
    return tuple(Arm(b.span, {**a.variables, **b.variables}, b.runs, b.manual) for a, b in pairs)


def when_of(job: Mapping) -> str | None:
    """Give the `when` of a job or rule."""
    when = job.get("when")
    return when.text if isinstance(when, Scalar) else None


def never(arms: AbstractSequence[Arm]) -> bool:
    """Tell whether no arm runs."""
    return bool(arms) and not any(arm.runs for arm in arms)


def guarded(value: Value | None, reading: Reading) -> bool:
    """Tell whether a job runs on protected branches or tags only."""
    conditions = [rule.get("if") for rule in rules(value, reading) if when_of(rule) != "never"]
    texts = [one.text for one in conditions if isinstance(one, Scalar)]
    return bool(texts) and len(texts) == len(conditions) and all(_is_protected(text) for text in texts)


def _is_protected(condition: str) -> bool:
    words = " ".join(condition.replace("'", '"').split())
    return "||" not in words and '$CI_COMMIT_REF_PROTECTED == "true"' in words


def _arm(rule: Mapping, level: str, when: str | None) -> Arm:
    own = when_of(rule) or when
    return Arm(rule.span, variables_of(rule.get("variables"), level), runs=own != "never", manual=own == "manual")
