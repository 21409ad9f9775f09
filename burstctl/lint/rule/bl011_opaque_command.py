"""BL011: a command of a load job whose work can't be followed. Knows commands only as surveys tell of them."""

from collections.abc import Iterable

from burstctl.finding import Confidence, Severity
from burstctl.lint.case import Case
from burstctl.lint.interest import is_loadish
from burstctl.lint.pipeline import Hit

CODE = "BL011"
SEVERITY = Severity.NOTICE
CONFIDENCE = Confidence.CERTAIN
SUMMARY = "a load job runs something that lint can't follow"
RATIONALE = """\
Shell scripts, Makefile targets, package scripts and the files of load generators are followed as far as they are in
the project. What is not, or is a program in another language, may send any load at any rate. This notice says where
lint's sight ends: have a look there yourself, or send the load with `burstctl run`."""
BAD = """\
load-test:
  script:
    - git clone https://git.example.com/tools/platform.git
    - ./platform/steps/run-load.sh
"""
GOOD = """\
load-test:
  script:
    - burstctl run burst.yaml --rate-limit 100/s
"""


def check(case: Case) -> Iterable[Hit]:
    """Note the first such command of each job that is about load, by its name or stage or a rate that it is given."""
    for job in case.pipeline.jobs:
        rates = any(case.is_limit_name(one.name) for one in case.rate_variables(job))
        if not (rates or is_loadish(job.name) or is_loadish(job.stage) or case.must_declare(job)):
            continue
        opaque = case.opaque(job)
        if opaque:
            more = f", nor {len(opaque) - 1} more like it" if len(opaque) > 1 else ""
            message = f"lint can't see what {opaque[0].what} does{more}"
            yield Hit(CODE, opaque[0].span, message, job=job.name, key=opaque[0].what)
