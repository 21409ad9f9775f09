"""Joins what several jobs read of the same fleet: each signal once. Knows no run."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from burstctl.summary import ProbeFigures, SeriesFigures


def join_probes(parts: Sequence[Mapping[str, ProbeFigures]], offsets_s: Sequence[float]) -> Mapping[str, ProbeFigures]:
    """Join the probes of jobs that started `offsets_s` after the first one."""
    joined: dict[str, ProbeFigures] = {}
    for probes, offset_s in zip(parts, offsets_s, strict=True):
        for name, probe in probes.items():
            moved = replace(probe, points=tuple((at_s + offset_s, value) for at_s, value in probe.points))
            joined[name] = _join(joined[name], moved) if name in joined else moved
    return joined


def _join(one: ProbeFigures, other: ProbeFigures) -> ProbeFigures:
    weights = one.readings, other.readings
    recoveries = [probe.recovery_s for probe in (one, other)]
    return ProbeFigures(
        kind=one.kind,
        baseline=one.baseline if one.baseline is not None else other.baseline,
        main=_join_series(one.main, other.main, weights),
        # Not recovered for one is not recovered.
        recovery_s=None if None in recoveries else max(value for value in recoveries if value is not None),
        watched_s=max((watched for watched in (one.watched_s, other.watched_s) if watched is not None), default=None),
        required=one.required or other.required,
        readings=one.readings + other.readings,
        errors=one.errors + other.errors,
        series={
            name: _join_series(one.series.get(name, SeriesFigures()), other.series.get(name, SeriesFigures()), weights)
            for name in dict.fromkeys((*one.series, *other.series))
        },
        causes=(*one.causes, *(cause for cause in other.causes if cause not in one.causes)),
        points=tuple(sorted((*one.points, *other.points))),
    )


def _join_series(one: SeriesFigures, other: SeriesFigures, weights: tuple[int, int]) -> SeriesFigures:
    mean = one.mean if other.mean is None else other.mean
    if one.mean is not None and other.mean is not None and any(weights):
        mean = (one.mean * weights[0] + other.mean * weights[1]) / (weights[0] + weights[1])
    return SeriesFigures(
        min=min((value for value in (one.min, other.min) if value is not None), default=None),
        mean=mean,
        max=max((value for value in (one.max, other.max) if value is not None), default=None),
        last=other.last if other.last is not None else one.last,
    )
