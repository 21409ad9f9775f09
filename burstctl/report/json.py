"""The report for machines, schema `burstctl.report/1`: one strict JSON document. Knows neither files nor streams.

Beyond counts, distributions and verdict it holds `ending` and `ending_reason` (why the run ended), `warnings` (of the
verdict), `notes`, `failures` and `retried` (`[{cause, count, example}]`: of failed requests, of attempts that were
tried again), `failed_ms` (the latency of failures), `broken_off` (faults after the answer had begun) and of each
distribution `relative_error` (0 where it is exact) and `histogram`: all samples in nanoseconds to three digits, in
HdrHistogram's V2 encoding, so that results can be merged. `rate.first_s` and `last_s` are the first and last send, in
seconds since `started_at`. `probes` holds what the fleet told of itself, with `points` as pairs of seconds and value.
A threshold's `unit` is that of `observed`, `allowed` and `interval`: ms, s, share (0 to 1), requests/s, or empty for a
count; `interval` encloses the true percentile with 95 % confidence and decides nothing. `missing` tells what merged
results lack.
`generator.lost_s` is the schedule that burstctl itself let pass.
Absent figures are null. Times are in the unit that their key names; shares go from 0 to 1.
"""

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict

from burstctl.gate import Judgement, Verdict
from burstctl.hdrhistogram.counts import count
from burstctl.hdrhistogram.encoding import encode
from burstctl.report.words.inert import disarm_json
from burstctl.summary import Cause, Figures, ProbeFigures, Spread, Summary

NAME = "json"
SCHEMA = "burstctl.report/1"


def render(summary: Summary, verdict: Verdict) -> str:
    """Write the document; keys always stand in the same order."""
    return disarm_json(json.dumps(_plain(_document(summary, verdict)), indent=2, allow_nan=False) + "\n")


def _document(summary: Summary, verdict: Verdict) -> dict[str, object]:
    rate, generator, total = summary.rate, summary.generator, _figures(summary.total)
    return {
        "schema": SCHEMA,
        "name": summary.name,
        "verdict": verdict.result,
        "exit_code": verdict.exit_code,
        "reasons": verdict.reasons,
        "warnings": verdict.warnings,
        "notes": summary.notes,
        "ending": summary.ending,
        "ending_reason": summary.ending_reason or None,
        "started_at": summary.started_at,
        "duration_s": _round(summary.duration_s, 6),
        "thresholds": [_threshold(judgement) for judgement in verdict.judgements],
        "rate": {
            "ceiling": rate.ceiling,
            "achieved": _round(rate.achieved, 3),
            "max_1s": rate.max_1s,
            "first_s": _round(rate.first_s, 6),
            "last_s": _round(rate.last_s, 6),
        },
        "in_flight": {"max": summary.in_flight.max, "window": _round(summary.in_flight.window, 3)},
        **total,
        "generator": {
            "lag_ms": _spread(generator.lag_ms),
            "cpu": _round(generator.cpu, 4),
            "delivered": _round(generator.delivered, 4),
            "processes": generator.processes,
            "lost_s": _round(generator.lost_s, 6),
        },
        "requests": {
            # Of a single name they are the same, and not worth encoding again.
            name: total if figures is summary.total else _figures(figures)
            for name, figures in summary.requests.items()
        },
        "timeline": _timeline(summary),
        "probes": {name: _probe(figures) for name, figures in summary.probes.items()},
        "settings": summary.settings,
        "shard": asdict(summary.shard),
        "missing": summary.missing,
    }


def _figures(figures: Figures) -> dict[str, object]:
    return {
        "planned": figures.planned,
        "succeeded": figures.succeeded,
        "failed": figures.failed,
        "unsent": figures.unsent,
        "attempts": figures.attempts,
        "retries": figures.retries,
        "latency_ms": _spread(figures.latency_ms),
        "response_ms": _spread(figures.response_ms),
        "wait_ms": _spread(figures.wait_ms),
        "ttfb_ms": _spread(figures.ttfb_ms),
        "failed_ms": _spread(figures.failed_ms),
        "status": {str(status): n for status, n in sorted(figures.status.items())},
        "faults": dict(sorted(figures.faults.items())),
        "broken_off": figures.broken_off,
        "failures": _causes(figures.causes),
        "retried": _causes(figures.retry_causes),
    }


def _spread(spread: Spread) -> dict[str, object]:
    times = ("min", "mean", "p50", "p75", "p90", "p95", "p99", "p999", "max")
    figures = {key: _round(getattr(spread, key), 3) for key in times}
    histogram = encode(count(spread.histogram)) if spread.histogram else None
    return {"count": spread.count, **figures, "relative_error": spread.relative_error, "histogram": histogram}


def _causes(causes: Iterable[Cause]) -> list[dict[str, object]]:
    return [{"cause": cause.text, "count": cause.count, "example": cause.example or None} for cause in causes]


def _threshold(judgement: Judgement) -> dict[str, object]:
    threshold = judgement.threshold
    return {
        "expression": threshold.expression,
        "request": threshold.scope,
        # Significant digits, not decimals: one failure in ten million is not 0.
        "observed": None if judgement.observed is None else float(f"{judgement.observed:.9g}"),
        "allowed": threshold.limit,
        "interval": None if judgement.interval is None else [round(bound, 3) for bound in judgement.interval],
        "unit": threshold.unit,
        "status": judgement.status,
        "result": judgement.result,
        "reason": judgement.reason or None,
    }


def _timeline(summary: Summary) -> list[dict[str, object]]:
    """Write each second, with the last value that each probe read in it."""
    read = {name: {int(at_s): value for at_s, value in one.points} for name, one in summary.probes.items()}
    return [
        {
            **asdict(second),
            **{key: _round(getattr(second, key), 3) for key in ("p95_ms", "rate", "window")},
            **({"probes": {name: values.get(second.t) for name, values in read.items()}} if read else {}),
        }
        for second in summary.timeline
    ]


def _probe(figures: ProbeFigures) -> dict[str, object]:
    return {
        "kind": figures.kind,
        "baseline": figures.baseline,
        **asdict(figures.main),
        "recovery_s": _round(figures.recovery_s, 3),
        "watched_s": _round(figures.watched_s, 3),
        "required": figures.required,
        "readings": figures.readings,
        "errors": figures.errors,
        "series": {name: asdict(one) for name, one in figures.series.items()},
        "causes": _causes(figures.causes),
        "points": [[_round(at_s, 3), value] for at_s, value in figures.points],
    }


def _round(value: float | None, digits: int) -> float | None:
    return None if value is None else round(value, digits)


def _plain(value: object) -> object:
    """Reduce a value to what strict JSON can hold; a lone surrogate or an infinity would break readers."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return str(value).encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(_plain(str(key))): _plain(item) for key, item in value.items()}
    if isinstance(value, set | frozenset):
        return sorted((_plain(item) for item in value), key=str)
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return _plain(str(value))
