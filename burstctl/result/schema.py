"""The JSON Schema of the json report, `burstctl.report/1`: for checks without burstctl. Writes no report."""

from typing import Any

from burstctl.exit_code import ExitCode
from burstctl.gate import Result, Status
from burstctl.summary import Ending

Schema = dict[str, Any]

_COUNT: Schema = {"type": "integer", "minimum": 0}
_NUMBER: Schema = {"type": "number"}
_TEXT: Schema = {"type": "string"}
_TEXTS: Schema = {"type": "array", "items": _TEXT}
_COUNTS: Schema = {"type": "object", "additionalProperties": _COUNT}


def report_schema() -> Schema:
    """Give the schema, draft 7."""
    figures = _figures()
    run = {
        "schema": {"const": "burstctl.report/1"},
        "name": _TEXT,
        "verdict": {"enum": [str(word) for word in Result]},
        "exit_code": {"enum": [int(code) for code in ExitCode if code is not ExitCode.USAGE]},
        "reasons": {**_TEXTS, "description": "In words, the most important first; empty exactly for a pass."},
        "warnings": _TEXTS,
        "notes": _TEXTS,
        "ending": {"enum": [str(word) for word in Ending], "description": "Why the run ended."},
        "ending_reason": _maybe(_TEXT),
        "started_at": {"type": "string", "format": "date-time"},
        "duration_s": _maybe(_NUMBER),
        "thresholds": {"type": "array", "items": {"$ref": "#/definitions/threshold"}},
        "rate": _object(
            {
                "ceiling": _NUMBER,
                "achieved": _maybe(_NUMBER),
                "max_1s": {**_COUNT, "description": "Most sends in any sliding second."},
                "first_s": _maybe(_NUMBER),
                "last_s": _maybe(_NUMBER),
            },
            "Requests/s; first and last send in seconds since started_at.",
        ),
        "in_flight": _object({"max": _COUNT, "window": _maybe(_NUMBER)}),
        **figures["properties"],
        "generator": _object(
            {
                "lag_ms": {"$ref": "#/definitions/distribution"},
                "cpu": _maybe(_NUMBER),
                "delivered": _maybe(_NUMBER),
                "processes": _COUNT,
                "lost_s": {**_NUMBER, "description": "Schedule that burstctl itself let pass, in seconds."},
            },
            "How burstctl itself did.",
        ),
        "requests": {"type": "object", "additionalProperties": {"$ref": "#/definitions/figures"}},
        "timeline": {"type": "array", "items": {"$ref": "#/definitions/second"}},
        "probes": {"type": "object", "additionalProperties": {"$ref": "#/definitions/probe"}},
        "settings": {"type": "object", "description": "Resolved, secrets masked."},
        "shard": _object({"index": _COUNT, "total": _COUNT}, "Which of several parallel jobs this was, from 1."),
        "missing": {**_TEXTS, "description": "What merged results lack."},
    }
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": "urn:burstctl:schema:report:1",
        "title": "burstctl report, version 1",
        **_object(run),
        "definitions": {
            "distribution": _distribution(),
            "figures": figures,
            "threshold": _threshold(),
            "second": _second(),
            "probe": _probe(),
        },
    }


def _distribution() -> Schema:
    times = ("min", "mean", "p50", "p75", "p90", "p95", "p99", "p999", "max")
    return _object(
        {
            "count": _COUNT,
            **dict.fromkeys(times, _maybe(_NUMBER)),
            "relative_error": {**_NUMBER, "description": "How far a percentile may be off; 0 where it is exact."},
            "histogram": {**_maybe(_TEXT), "description": "All samples in nanoseconds: HdrHistogram V2, three digits."},
        },
        "Milliseconds; null without samples.",
    )


def _figures() -> Schema:
    counts = ("planned", "succeeded", "failed", "unsent", "attempts", "retries")
    spreads = ("latency_ms", "response_ms", "wait_ms", "ttfb_ms", "failed_ms")
    cause = _object({"cause": _TEXT, "count": _COUNT, "example": _maybe(_TEXT)})
    return _object(
        {
            **dict.fromkeys(counts, _COUNT),
            **{name: {"$ref": "#/definitions/distribution"} for name in spreads},
            "status": {**_COUNTS, "description": "Attempts by status."},
            "faults": {**_COUNTS, "description": "Attempts without a whole answer, by fault."},
            "broken_off": {**_COUNT, "description": "Faults after the answer had begun."},
            "failures": {"type": "array", "items": cause},
            "retried": {"type": "array", "items": cause},
        }
    )


def _threshold() -> Schema:
    return _object(
        {
            "expression": _TEXT,
            "request": _maybe(_TEXT),
            "observed": _maybe(_NUMBER),
            "allowed": _NUMBER,
            "interval": _maybe({"type": "array", "items": _NUMBER, "minItems": 2, "maxItems": 2}),
            "unit": {"enum": ["ms", "s", "share", "requests/s", ""]},
            "status": {"enum": [str(word) for word in Status]},
            "result": {"enum": [str(word) for word in Result]},
            "reason": _maybe(_TEXT),
        }
    )


def _second() -> Schema:
    second = _object(
        {
            **dict.fromkeys(("t", "sent", "succeeded", "failed", "status_429", "in_flight"), _COUNT),
            **dict.fromkeys(("p95_ms", "rate", "window"), _maybe(_NUMBER)),
        },
        "One second of the run; rate, window and in_flight at its end.",
    )
    second["properties"]["probes"] = {"type": "object", "additionalProperties": _maybe(_NUMBER)}
    return second


def _probe() -> Schema:
    series = dict.fromkeys(("min", "mean", "max", "last"), _maybe(_NUMBER))
    return _object(
        {
            "kind": _TEXT,
            "baseline": _maybe(_NUMBER),
            **series,
            "recovery_s": _maybe(_NUMBER),
            "watched_s": _maybe(_NUMBER),
            "required": {"type": "boolean"},
            "readings": _COUNT,
            "errors": _COUNT,
            "series": {"type": "object", "additionalProperties": _object(series)},
            "causes": {"type": "array", "items": {"type": "object"}},
            "points": {"type": "array", "items": {"type": "array", "items": _NUMBER, "minItems": 2, "maxItems": 2}},
        },
        "What one signal of the fleet came to.",
    )


def _object(properties: Schema, description: str = "") -> Schema:
    said = {"description": description} if description else {}
    required = list(properties)
    return {"type": "object", **said, "properties": properties, "required": required, "additionalProperties": False}


def _maybe(schema: Schema) -> Schema:
    if isinstance(schema.get("type"), str):
        return {**schema, "type": [schema["type"], "null"]}
    return {"anyOf": [schema, {"type": "null"}]}
