"""The latency distributions as an HdrHistogram log (V2), one tagged line each: for its plotting tools. Knows no files.

Values are nanoseconds to three digits; the interval's maximum is in milliseconds. Tags name request and distribution:
`predict.latency`; the whole run's have no request: `latency`. What a tag can't hold becomes `_`.
"""

import re
from collections.abc import Iterator
from datetime import datetime

from burstctl.gate import Verdict
from burstctl.hdrhistogram.counts import count
from burstctl.hdrhistogram.encoding import encode
from burstctl.summary import Spread, Summary

NAME = "hdr"

_DISTRIBUTIONS = ("latency", "response", "wait", "ttfb", "failed")
_LEGEND = '"StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"'


def render(summary: Summary, _verdict: Verdict) -> str:
    """Write the log; a run without answers has only its head."""
    started_s = datetime.fromisoformat(summary.started_at).timestamp()
    head = [
        "#[Histogram log format version 1.3]",
        f"#[StartTime: {started_s:.3f} (seconds since epoch), {summary.started_at}]",
        "#[MaxValueDivisor: 1000000.0]",
        _LEGEND,
    ]
    return "\n".join([*head, *_lines(summary)]) + "\n"


def _lines(summary: Summary) -> Iterator[str]:
    scopes = {"": summary.total, **({name: one for name, one in summary.requests.items() if len(summary.requests) > 1})}
    tags: set[str] = set()
    for name, figures in scopes.items():
        for distribution in _DISTRIBUTIONS:
            spread: Spread = getattr(figures, f"{distribution}_ms")
            if spread.histogram:
                tag = _distinct(re.sub(r"[^\w.-]", "_", f"{name}.{distribution}".lstrip(".")), tags)
                text = encode(count(spread.histogram))
                yield f"Tag={tag},0.000,{summary.duration_s:.3f},{spread.max or 0.0:.3f},{text}"


def _distinct(tag: str, taken: set[str]) -> str:
    """Keep two names apart that differ only in what a tag can't hold."""
    number, one = 1, tag
    while one in taken:
        number += 1
        one = f"{tag}-{number}"
    taken.add(one)
    return one
