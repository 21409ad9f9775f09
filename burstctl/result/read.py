"""Reads a json report back into the summary and verdict that it was written from. Opens no files."""

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NoReturn, TypeVar

from burstctl.errors import UsageError
from burstctl.exit_code import ExitCode
from burstctl.gate import Judgement, Result, Status, Verdict
from burstctl.hdrhistogram.counts import values
from burstctl.hdrhistogram.encoding import decode
from burstctl.result.node import Node
from burstctl.summary import (
    Cause,
    Ending,
    Figures,
    Generator,
    InFlight,
    ProbeFigures,
    Rate,
    Second,
    SeriesFigures,
    Shard,
    Spread,
    Summary,
)  # fmt: skip
from burstctl.threshold import parse_threshold

SCHEMA = "burstctl.report/1"

W = TypeVar("W", Result, Status, Ending)

_TIMES = ("min", "mean", "p50", "p75", "p90", "p95", "p99", "p999", "max")
_COUNTS = ("planned", "succeeded", "failed", "unsent", "attempts", "retries")
_SPREADS = ("latency_ms", "response_ms", "wait_ms", "ttfb_ms", "failed_ms")
_OF_SECOND = ("t", "sent", "succeeded", "failed", "status_429", "in_flight")
_HINT = "give a file that --report json=… wrote"


@dataclass(frozen=True, slots=True)
class Saved:
    """A result as it was saved."""

    file: str
    """Its name, for messages."""
    summary: Summary
    verdict: Verdict


def read_result(text: bytes, file: str) -> Saved:
    """Read a report; `UsageError` says what is wrong with it, and where."""
    root = Node(_parse(text, file), file)
    schema = root.get("schema")
    if schema.absent or schema.text() != SCHEMA:
        found = "none" if schema.absent else schema.text()[:80]
        raise UsageError(f"{file}: expected the schema {SCHEMA}, found {found}", hint=_HINT)
    summary = _summary(root)
    judgements = tuple(_judgement(node) for node in root["thresholds"].list())
    verdict = Verdict(
        _word(root["verdict"], Result),
        _exit_code(root["exit_code"]),
        tuple(node.text() for node in root["reasons"].list()),
        judgements,
        tuple(node.text() for node in root.get("warnings", []).list()),
    )
    return Saved(file, summary, verdict)


def _parse(text: bytes, file: str) -> object:
    def refuse(constant: str) -> NoReturn:
        raise ValueError(f"{constant} is no JSON")

    try:
        return json.loads(text, parse_constant=refuse)
    except (ValueError, RecursionError) as error:
        at = f":{error.lineno}:{error.colno}" if isinstance(error, json.JSONDecodeError) else ""
        said = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
        raise UsageError(f"{file}{at}: not a JSON document: {said}", hint=_HINT) from error


def _summary(root: Node) -> Summary:
    rate, in_flight, generator = root["rate"], root["in_flight"], root["generator"]
    started_at = root["started_at"]
    try:
        if datetime.fromisoformat(started_at.text()).tzinfo is None:
            raise started_at.refuse("expected a time with its zone")
    except ValueError:
        raise started_at.refuse("expected a time such as 2025-01-31T03:00:00Z") from None
    total = _figures(root)
    if total.succeeded + total.failed + total.unsent != total.planned:
        raise root["planned"].refuse("it is not the sum of succeeded, failed and unsent")
    return Summary(
        name=root.get("name", "").text(),
        started_at=started_at.text(),
        duration_s=root["duration_s"].number(),
        total=total,
        requests={name: _figures(node) for name, node in root["requests"].items()},
        rate=Rate(
            rate["ceiling"].number(),
            rate["achieved"].maybe_number(),
            rate["max_1s"].count(),
            rate.get("first_s").maybe_number(),
            rate.get("last_s").maybe_number(),
        ),
        in_flight=InFlight(in_flight["max"].count(), in_flight["window"].maybe_number()),
        generator=Generator(
            _spread(generator["lag_ms"]),
            generator["cpu"].maybe_number() or 0.0,
            generator["delivered"].number(),
            generator["processes"].count(),
            generator.get("lost_s", 0.0).number(),
        ),
        timeline=tuple(_second(node) for node in root["timeline"].list()),
        settings=root["settings"].mapping(),
        notes=tuple(node.text() for node in root["notes"].list()),
        ending=_word(root["ending"], Ending),
        ending_reason="" if root["ending_reason"].absent else root["ending_reason"].text(),
        shard=_shard(root["shard"]),
        probes={name: _probe(node) for name, node in root["probes"].items()},
        missing=tuple(node.text() for node in root.get("missing", []).list()),
    )


def _shard(node: Node) -> Shard:
    index, total = node["index"].count(), node["total"].count()
    if not 1 <= index <= total:
        raise node["index"].refuse("expected a number from 1 to that of the jobs")
    return Shard(index, total)


def _figures(node: Node) -> Figures:
    counts: dict[str, Any] = {key: node[key].count() for key in _COUNTS}
    spreads: dict[str, Any] = {key: _spread(node[key]) for key in _SPREADS}
    return Figures(
        **counts,
        **spreads,
        status={_status(key, one): one.count() for key, one in node["status"].items()},
        faults={key: one.count() for key, one in node["faults"].items()},
        broken_off=node["broken_off"].count(),
        causes=tuple(_cause(one) for one in node["failures"].list()),
        retry_causes=tuple(_cause(one) for one in node["retried"].list()),
    )


def _spread(node: Node) -> Spread:
    count, encoded = node["count"].count(), node["histogram"]
    histogram: tuple[tuple[int, int], ...] = ()
    if not encoded.absent:
        try:
            histogram = tuple(values(decode(encoded.text())))
        except ValueError as error:
            raise encoded.refuse(str(error)) from error
    if histogram and sum(times for _, times in histogram) != count:
        raise encoded.refuse(f"it does not hold {count:,} samples")
    return Spread(
        count,
        **{key: node[key].maybe_number() for key in _TIMES},
        relative_error=node["relative_error"].number(),
        histogram=histogram,
    )


def _cause(node: Node) -> Cause:
    example = node["example"]
    return Cause(node["cause"].text(), node["count"].count(), "" if example.absent else example.text())


def _status(key: str, node: Node) -> int:
    if not key.isdecimal() or len(key) > 3:
        raise node.refuse("expected the number of a status")
    return int(key)


def _second(node: Node) -> Second:
    counts: dict[str, Any] = {
        key: node[key].count() for key in ("t", "sent", "succeeded", "failed", "status_429", "in_flight")
    }
    figures: dict[str, Any] = {key: node[key].maybe_number() for key in ("p95_ms", "rate", "window")}
    return Second(**counts, **figures)


def _probe(node: Node) -> ProbeFigures:
    return ProbeFigures(
        kind=node["kind"].text(),
        baseline=node["baseline"].maybe_number(),
        main=_series(node),
        recovery_s=node["recovery_s"].maybe_number(),
        watched_s=node["watched_s"].maybe_number(),
        required=node["required"].flag(),
        readings=node["readings"].count(),
        errors=node["errors"].count(),
        series={name: _series(one) for name, one in node["series"].items()},
        causes=tuple(_cause(one) for one in node["causes"].list()),
        points=tuple(_point(one) for one in node["points"].list()),
    )


def _series(node: Node) -> SeriesFigures:
    return SeriesFigures(**{key: node[key].maybe_number() for key in ("min", "mean", "max", "last")})


def _point(node: Node) -> tuple[float, float]:
    pair = node.list()
    if len(pair) != 2:
        raise node.refuse("expected a pair of seconds and value")
    return pair[0].number(), pair[1].number()


def _judgement(node: Node) -> Judgement:
    scope, reason, between = node["request"], node["reason"], node.get("interval")
    try:
        threshold = parse_threshold(node["expression"].text(), None if scope.absent else scope.text())
    except ValueError as error:
        raise node["expression"].refuse(str(error)) from error
    status = _word(node["status"], Status)
    return Judgement(
        threshold,
        node["observed"].maybe_number(),
        status,
        "" if reason.absent else reason.text(),
        _word(node["result"], Result),
        None if between.absent else _point(between),
    )


def _exit_code(node: Node) -> ExitCode:
    try:
        return ExitCode(node.count())
    except ValueError:
        raise node.refuse("expected an exit code of burstctl") from None


def _word(node: Node, words: type[W]) -> W:
    try:
        return words(node.text())
    except ValueError:
        raise node.refuse(f"expected one of {', '.join(words)}") from None
