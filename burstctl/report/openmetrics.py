"""The run as OpenMetrics 1.0 text: for a Pushgateway, a textfile collector, GitLab's metrics report. Knows no files.

Gauges all, in base units: a finished run is a snapshot, not a counter that goes on. What counts the whole run has no
`request` label. Quantiles are gauges with a `quantile` label. Absent figures are left out.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime

from burstctl.gate import Result, Status, Verdict
from burstctl.summary import Figures, SeriesFigures, Spread, Summary

NAME = "openmetrics"

_STATES = ("planned", "succeeded", "failed", "unsent")
_QUANTILES = {"0.5": "p50", "0.75": "p75", "0.9": "p90", "0.95": "p95", "0.99": "p99", "0.999": "p999", "1": "max"}
_DISTRIBUTIONS = {
    "latency": "Of succeeded requests, sent to last byte",
    "response": "Of succeeded requests, due to last byte",
    "wait": "Of sent requests, due to first send",
    "ttfb": "Of succeeded requests, sent to first byte",
}
_FIGURES = ("min", "mean", "max", "last")


@dataclass(slots=True)
class _Family:
    name: str
    help: str
    unit: str = ""
    samples: list[tuple[dict[str, str], float]] = field(default_factory=list)

    def add(self, value: float | None, **labels: str) -> None:
        if value is not None:
            self.samples.append((labels, value))


def render(summary: Summary, verdict: Verdict) -> str:
    """Write the exposition."""
    families = [*_of_run(summary, verdict), *_of_requests(summary), *_of_probes(summary)]
    return "".join(line for family in families if family.samples for line in _lines(family)) + "# EOF\n"


def _of_run(summary: Summary, verdict: Verdict) -> Iterator[_Family]:
    family = _Family("burstctl_verdict", "1 for the verdict of the run, 0 for all others")
    for result in Result:
        family.add(float(result is verdict.result), verdict=result)
    yield family
    held = _Family("burstctl_threshold_held", "1 for a threshold that held, 0 for one that broke or had no data")
    # One that a manifest gives twice is one series: a second sample of it would make the whole text invalid.
    for judgement in {one.threshold.label: one for one in verdict.judgements}.values():
        scope = judgement.threshold.scope
        labels = {"threshold": judgement.threshold.expression, **({} if scope is None else {"request": scope})}
        held.add(float(judgement.status is Status.PASS), **labels)
    yield held
    for name, text, unit, value in (
        ("exit_code", "Exit code", "", float(verdict.exit_code)),
        ("start_time_seconds", "Unix time of the start", "seconds", _unix(summary.started_at)),
        ("duration_seconds", "First request due to last outcome", "seconds", summary.duration_s),
        ("rate_ceiling", "Allowed requests per second", "", summary.rate.ceiling),
        ("rate_achieved", "Requests per second sent", "", summary.rate.achieved),
        ("rate_max", "Most requests sent in any second", "", float(summary.rate.max_1s)),
        ("in_flight_max", "Most requests in flight", "", float(summary.in_flight.max)),
        ("cpu_ratio", "Share of one core that burstctl used", "ratio", summary.generator.cpu),
    ):
        family = _Family(f"burstctl_{name}", text, unit)
        family.add(value)
        yield family
    lag = _Family("burstctl_lag_seconds", "How late burstctl itself was", "seconds")
    _add_quantiles(lag, summary.generator.lag_ms)
    yield lag


def _of_requests(summary: Summary) -> Iterator[_Family]:
    scopes: list[tuple[dict[str, str], Figures]] = [({}, summary.total)]
    scopes += [({"request": name}, figures) for name, figures in summary.requests.items()]
    requests = _Family("burstctl_requests", "Requests by what became of them")
    attempts = _Family("burstctl_attempts", "HTTP exchanges, retries included")
    retries = _Family("burstctl_retries", "Attempts after the first")
    responses = _Family("burstctl_responses", "Attempts by status of the answer")
    faults = _Family("burstctl_faults", "Attempts without a whole answer, by fault")
    for labels, figures in scopes:
        for state in _STATES:
            requests.add(float(getattr(figures, state)), **labels, state=state)
        attempts.add(float(figures.attempts), **labels)
        retries.add(float(figures.retries), **labels)
        for status, n in figures.status.items():
            responses.add(float(n), **labels, code=str(status))
        for fault, n in figures.faults.items():
            faults.add(float(n), **labels, fault=fault)
    yield from (requests, attempts, retries, responses, faults)
    for distribution, text in _DISTRIBUTIONS.items():
        family = _Family(f"burstctl_{distribution}_seconds", text, "seconds")
        for labels, figures in scopes:
            _add_quantiles(family, getattr(figures, f"{distribution}_ms"), **labels)
        yield family


def _of_probes(summary: Summary) -> Iterator[_Family]:
    values = _Family("burstctl_probe", "What the fleet told of itself during the run, by figure")
    recovery = _Family("burstctl_probe_recovery_seconds", "Last answer to the probe's baseline", "seconds")
    errors = _Family("burstctl_probe_errors", "Readings of the probe that failed")
    for name, probe in summary.probes.items():
        values.add(probe.baseline, probe=name, figure="baseline")
        series: dict[str, SeriesFigures] = {"": probe.main, **probe.series}
        for key, figures in series.items():
            more = {"series": key} if key else {}
            for figure in _FIGURES:
                values.add(getattr(figures, figure), probe=name, **more, figure=figure)
        recovery.add(probe.recovery_s, probe=name)
        errors.add(float(probe.errors), probe=name)
    yield from (values, recovery, errors)


def _add_quantiles(family: _Family, spread: Spread, **labels: str) -> None:
    for quantile, figure in _QUANTILES.items():
        value: float | None = getattr(spread, figure)
        family.add(None if value is None else value / 1000, **labels, quantile=quantile)


def _lines(family: _Family) -> Iterator[str]:
    yield f"# TYPE {family.name} gauge\n"
    if family.unit:
        yield f"# UNIT {family.name} {family.unit}\n"
    yield f"# HELP {family.name} {family.help}.\n"
    for labels, value in family.samples:
        written = ",".join(f'{name}="{_escape(text)}"' for name, text in labels.items())
        yield f"{family.name}{{{written}}} {value:.12g}\n" if written else f"{family.name} {value:.12g}\n"


def _escape(text: str) -> str:
    """Escape a label's value; what is no Unicode text is replaced."""
    valid = text.encode("utf-8", "replace").decode("utf-8")
    printable = "".join(one if one.isprintable() or one == "\n" else "\N{REPLACEMENT CHARACTER}" for one in valid)
    return printable.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def _unix(started_at: str) -> float:
    return datetime.fromisoformat(started_at).timestamp()
