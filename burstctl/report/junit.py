"""One test case for the verdict and one for each threshold, as JUnit XML, for CI systems. Knows no files.

The safe subset that Jenkins, GitLab and others read: `failure` is a broken threshold, `error` one that could not be
evaluated, both with their text as content. `classname` is `burstctl`, or `burstctl.NAME` for a threshold on a request.
"""

import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator
from itertools import count

from burstctl.gate import Judgement, Result, Verdict
from burstctl.report.words.account import account, pace
from burstctl.report.words.inert import disarm_lines, inert
from burstctl.summary import Summary

NAME = "junit"

_TEXT_CHARS = 2000


def render(summary: Summary, verdict: Verdict) -> str:
    """Write the document."""
    cases = [_verdict_case(summary, verdict), *_threshold_cases(verdict.judgements)]
    found = Counter(child.tag for case in cases for child in case)
    figures = {
        "tests": str(len(cases)),
        "failures": str(found["failure"]),
        "errors": str(found["error"]),
        "skipped": "0",
        "time": f"{summary.duration_s:.3f}",
    }
    root = ET.Element("testsuites", {key: figures[key] for key in ("tests", "failures", "errors", "time")})
    name = "burstctl" + (f" {inert(summary.name)}" if summary.name else "")
    # Without a zone, as the schema wants it; the time is UTC.
    suite = ET.SubElement(root, "testsuite", {"name": name, **figures, "timestamp": summary.started_at[:19]})
    properties = ET.SubElement(suite, "properties")
    for key, value in _properties(summary, verdict):
        ET.SubElement(properties, "property", {"name": key, "value": value})
    suite.extend(cases)
    ET.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def _properties(summary: Summary, verdict: Verdict) -> Iterator[tuple[str, str]]:
    total = summary.total
    yield "verdict", str(verdict.result)
    yield "exit_code", str(int(verdict.exit_code))
    for key in ("planned", "succeeded", "failed", "unsent", "attempts", "retries"):
        yield key, str(getattr(total, key))
    for key in ("p50", "p95", "p99"):
        value: float | None = getattr(total.latency_ms, key)
        if value is not None:
            yield f"latency_{key}_ms", f"{value:.3f}"


def _verdict_case(summary: Summary, verdict: Verdict) -> ET.Element:
    case = ET.Element("testcase", {"classname": "burstctl", "name": "verdict", "time": f"{summary.duration_s:.3f}"})
    if verdict.result is not Result.PASS:
        _add_outcome(case, verdict.result, "\n".join(verdict.reasons))
    if summary.total.attempts:
        ET.SubElement(case, "system-out").text = f"{inert(account(summary))}\n{inert(pace(summary))}"
    return case


def _threshold_cases(judgements: tuple[Judgement, ...]) -> Iterator[ET.Element]:
    taken: set[tuple[str, str]] = set()
    for judgement in judgements:
        threshold = judgement.threshold
        place = "burstctl" if threshold.scope is None else f"burstctl.{inert(threshold.scope)}"
        # Of two cases of one name GitLab keeps only the first.
        names = (inert(threshold.expression) + ("" if n == 1 else f" ({n})") for n in count(1))
        name = next(one for one in names if (place, one) not in taken)
        taken.add((place, name))
        case = ET.Element("testcase", {"classname": place, "name": name, "time": "0"})
        if judgement.result is not Result.PASS:
            _add_outcome(case, judgement.result, judgement.reason)
        yield case


def _add_outcome(case: ET.Element, result: Result, text: str) -> None:
    tag = "failure" if result is Result.FAIL else "error"
    lines = disarm_lines("\n".join(inert(line, _TEXT_CHARS) for line in text.split("\n")))
    message = lines.split("\n", 1)[0]
    ET.SubElement(case, tag, {"message": message, "type": str(result)}).text = lines
