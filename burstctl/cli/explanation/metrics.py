"""Explains the metrics that thresholds may be written on. Knows what they count, not how they are measured."""

import re
from collections.abc import Mapping

from burstctl.metric import probe_of

TITLE = "metrics of thresholds"

_PERCENTILES = ("p50", "p75", "p90", "p95", "p99", "p99.9", "mean", "max")
_NEEDED = {"p90": 10, "p95": 20, "p99": 100, "p99.9": 1000}
_TIMES = {
    "": ("latency", "from the send to the last byte, of the attempt that decided"),
    "response.": ("response", "from the moment a request was due to its outcome, waits and retries included"),
    "wait.": ("wait", "from the moment a request was due to its first send: held back by ceiling, window or backoff"),
    "ttfb.": ("time to first byte", "from the send to the answer's first byte"),
}
_COUNTED: Mapping[str, tuple[str, str, str]] = {
    "failed": (
        "share of planned requests that failed: no answer, or not the expected one",
        "`failed <= 0%` is always on unless you write another one. Requests that were never tried are `unsent`.",
        "failed <= 1%",
    ),
    "unsent": (
        "share of planned requests that were never tried",
        "The deadline, --abort or a signal ended the run before. `unsent <= 0%` is always on unless you write another.",
        "unsent <= 0%",
    ),
    "fault": (
        "share of attempts without an HTTP answer",
        "Refused connections, timeouts, broken protocols. Retries may hide them from `failed`, never from this.",
        "fault < 1%",
    ),
    "attempts_per_request": (
        "attempts for each request that was sent, retries included",
        "1 means that nothing had to be sent twice. A plain number.",
        "attempts_per_request < 1.1",
    ),
    "rate": ("attempts per second over the whole run", "A figure of the run, not of one request name.", "rate >= 90/s"),
    "duration": ("how long the run took", "A figure of the run, not of one request name.", "duration < 2m"),
}
_PROBED = """what a probe of the fleet told over the run

Figures: min, mean, max, last, baseline, recovery, readings, errors; without one it is the last value. recovery is the
time from the last answer until the value was back where it was before the first request; what nobody saw, because its
readings failed or a signal ended the wait, is no data. A series of a probe stands in
between: probe.targets.healthy.min. On a probe that never answered it is inconclusive, with required: true it fails.

Example: probe.queue.max <= 200
"""
_STATUS = re.compile(r"status\.([1-5]xx|[1-5]\d\d)")


def topics() -> Mapping[str, str]:
    """Map each metric, or family of them, to its meaning in a line."""
    lines = {name: line for name, (line, _, _) in _COUNTED.items()}
    lines["status.429"] = "share of attempts that were answered with a status, or with a class such as status.5xx"
    lines["probe.NAME.max"] = "what a probe of the fleet told over the run: a queue's greatest length, and the like"
    lines |= {name: _line("", name) for name in _PERCENTILES}
    return lines | {
        f"{prefix}p95": f"p95 of {what}; also {prefix}p50 to max" for prefix, (what, _) in _TIMES.items() if prefix
    }


def explain(word: str) -> str | None:
    """Explain a metric; None if there is none of this name."""
    if word in _COUNTED:
        line, text, example = _COUNTED[word]
        return f"{word}: {line}\n\n{text}\n\nExample: {example}\n"
    if _STATUS.fullmatch(word):
        code = word.removeprefix("status.")
        text = "Each attempt counts, also one that was retried: this is what the fleet has answered."
        return f"{word}: share of attempts that were answered with {code}\n\n{text}\n\nExample: {word} < 1%\n"
    if probe_of(word) is not None or word.startswith("probe.NAME"):
        return f"{word}: {_PROBED}"
    prefix = next((one for one in _TIMES if one and word.startswith(one)), "")
    figure = word.removeprefix(prefix)
    return _figure(prefix, figure) if figure in _PERCENTILES else None


def _figure(prefix: str, figure: str) -> str:
    needed = _NEEDED.get(figure)
    lines = [f"{prefix}{figure}: {_line(prefix, figure)}", "", f"{_TIMES[prefix][1].capitalize()}."]
    if prefix == "":
        lines.append("Of succeeded requests only: failures have their own distribution.")
    if needed:
        lines.append(f"It needs {needed:,} samples; with fewer the verdict is inconclusive.")
    return "\n".join([*lines, "", f"Example: {prefix}{figure} < 200ms", ""])


def _line(prefix: str, figure: str) -> str:
    what = _TIMES[prefix][0]
    if figure in ("mean", "max"):
        return f"{'mean' if figure == 'mean' else 'greatest'} {what}"
    return f"the {what} that {figure.removeprefix('p')}% of requests stay within"
