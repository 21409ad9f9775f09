"""What one job adds to the load on the fleet: its rate, times its instances. Knows no other job and no budget."""

import re
from collections.abc import Iterator, Sequence

from burstctl.light import light
from burstctl.lint.case import Case
from burstctl.lint.job import Job, Variable
from burstctl.lint.load import Kind, Load
from burstctl.pattern import pattern
from burstctl.units import format_rate, parse_rate

_JOBS_OPTION = pattern(r"--jobs?\b")
_JOBS_VARIABLES = frozenset({"BURSTCTL_RUN_JOBS", "BURSTCTL_RUN_JOB"})


@light
class Term:
    """One job's part; None where it can't be known before the pipeline runs."""

    job: Job
    rates_per_s: tuple[float | None, ...]
    """One for each instance that runs at the same time; a job that divides its rate has one for all."""
    instances: int | None
    """How many run at the same time."""
    divided: bool
    """The instances share one rate."""
    bounded: bool
    """Its rate is limited by something, whether that is known or not."""

    @property
    def total_per_s(self) -> float | None:
        """Give the job's whole rate."""
        known = [rate for rate in self.rates_per_s if rate is not None]
        return sum(known) if known and len(known) == len(self.rates_per_s) and self.counted else None

    @property
    def counted(self) -> bool:
        """Tell whether it is known how many instances count."""
        return self.divided or self.instances is not None

    @property
    def least_per_s(self) -> float:
        """Give the part of the rate that is known."""
        return sum(rate for rate in self.rates_per_s if rate is not None)

    def show(self) -> str:
        """Write the term as people reckon: `3 × 300/s`, `300/s`, `? × 300/s`."""
        rates = ["?" if rate is None else format_rate(rate) for rate in dict.fromkeys(self.rates_per_s)]
        if self.divided:
            return rates[0]
        if len(rates) > 1:
            return f"({' + '.join('?' if rate is None else format_rate(rate) for rate in self.rates_per_s)})"
        count = "?" if self.instances is None else str(self.instances)
        return rates[0] if count == "1" else f"{count} × {rates[0]}"


def terms(case: Case) -> list[Term]:
    """Give the terms of all jobs that send load to a server that is not their own."""
    return [term for job in case.pipeline.jobs if (term := _term(job, case))]


def _term(job: Job, case: Case) -> Term | None:
    loads = [load for load in case.loads(job) if load.inference and not load.local]
    variables = case.rate_variables(job)
    if not loads and not (variables and case.opaque(job)):
        return None
    instances = _at_once(job)
    divided = bool(loads) and all(_divides(load, job) for load in loads)
    divided = divided or _reads_its_number(job)
    rates = _rates(job, loads, variables)
    bounded = bool(variables) or all(load.limited for load in loads)
    count = 1 if divided or instances is None else instances
    heaviest = sorted(rates, key=lambda rate: (rate is not None, -(rate or 0)))[:count]
    if divided and job.numbered and job.instances:
        heaviest = [None if rate is None else rate * job.instances / job.numbered for rate in heaviest]
    return Term(job, tuple(heaviest), instances, divided, bounded)


def _at_once(job: Job) -> int | None:
    """Give how many instances run at the same time."""
    if job.group and not _differs(job.group, job):
        return job.numbered or 1
    if job.max_parallel is not None:
        return job.max_parallel if job.instances is None else min(job.instances, job.max_parallel)
    return job.instances


def _differs(group: str, job: Job) -> bool:
    """Tell whether a group's name is another one for each instance."""
    names = {name for row in job.matrix for name in row} | job.node_variables
    return any(re.search(rf"\b{re.escape(name)}\b", group) for name in names)


def _divides(load: Load, job: Job) -> bool:
    """Tell whether a load's rate is for all instances: burstctl asks the CI system, or is told, how many there are."""
    if not load.divided or load.kind is not Kind.BURSTCTL:
        return load.divided
    told = _JOBS_OPTION.search(load.command_span.text) or _JOBS_VARIABLES & job.variables.keys()
    return bool(job.node_variables or told)


def _reads_its_number(job: Job) -> bool:
    """Tell whether the job reckons with the number of its instances."""
    names = {name for name in job.node_variables if re.search("TOTAL|COUNT", name, re.IGNORECASE)}
    names |= job.total_variables
    texts = [script.text for script in job.scripts] + [one.value or "" for one in job.variables.values()]
    return any(name in text for name in names for text in texts)


def _rates(job: Job, loads: Sequence[Load], variables: Sequence[Variable]) -> list[float | None]:
    """Give each instance's rate; what a job sends one after the other counts by its fastest part."""
    known = [load.rate_per_s for load in loads if load.limited or load.rate_per_s is not None]
    rates: list[float | None]
    if known and len(known) == len(loads) and None not in known:
        rates = [max(rate for rate in known if rate is not None)]
    else:
        rates = [max(filter(None, _declared(variables)), default=None)]
    by_row = [_row_rate(row, variables) for row in job.matrix]
    if by_row and None not in by_row:
        return list(by_row)
    return rates * (job.instances or 1)


def _declared(variables: Sequence[Variable]) -> Iterator[float | None]:
    return (_parse(one.value) for one in variables if one.level != "matrix")


def _row_rate(row: object, variables: Sequence[Variable]) -> float | None:
    assert hasattr(row, "get")
    given = [_parse(row.get(one.name)) for one in variables if one.level == "matrix"]
    return max(filter(None, given), default=None)


def _parse(value: str | None) -> float | None:
    try:
        return None if value is None else parse_rate(value)
    except ValueError:
        return None
