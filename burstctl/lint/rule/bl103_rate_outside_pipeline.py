"""BL103: a rate that stands in a script or scenario file. Knows loads, no file formats."""

from collections.abc import Iterable

from burstctl.finding import Confidence, Severity
from burstctl.lint.case import Case
from burstctl.lint.load import Kind
from burstctl.lint.pipeline import Hit
from burstctl.units import format_rate

CODE = "BL103"
SEVERITY = Severity.NOTICE
CONFIDENCE = Confidence.CERTAIN
SUMMARY = "the rate of a load job stands in a file outside of the pipeline"
RATIONALE = """\
A rate in a scenario file or a script holds, but who reads the pipeline doesn't see it, and who changes it doesn't
see what else sends to the fleet. A variable in the pipeline, handed on to the file, shows it where it matters."""
BAD = """\
load-test:
  script:
    - k6 run load.js
"""
FILES = {
    "load.js": """\
import http from 'k6/http';
export const options = {
  scenarios: {
    steady: {executor: 'constant-arrival-rate', rate: 10, timeUnit: '1s', duration: '1m', preAllocatedVUs: 5},
  },
};
export default function () { http.post(`${__ENV.URL}/predict`, '{}'); }
"""
}
GOOD = """\
load-test:
  script:
    - k6 run --rps 10 load.js
"""


def check(case: Case) -> Iterable[Hit]:
    """Look for rates in files that are none of the pipeline's; a manifest is burstctl's own place for them."""
    own = {file.path for file in case.pipeline.files} | {case.pipeline.file.path}
    for job, loads in case.load_jobs():
        for load in loads:
            if not load.limited or load.rate_span is None or load.kind is Kind.BURSTCTL:
                continue
            place = load.rate_span
            if place.file.path in own:
                continue
            rate = format_rate(load.rate_per_s) if load.rate_per_s else "a rate"
            where = f"{place.file.path}:{place.begins.line}"
            message = f"{load.tool} takes {rate} from {where}"
            yield Hit(CODE, load.command_span, message, job=job.name, key=place.file.path)
