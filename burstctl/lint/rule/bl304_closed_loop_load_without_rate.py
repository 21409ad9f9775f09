"""BL304: users in a closed loop without a pace. Knows loads, no tools."""

from collections.abc import Iterable

from burstctl.finding import Confidence, Severity
from burstctl.lint.case import Case
from burstctl.lint.load import Kind
from burstctl.lint.pipeline import Hit

CODE = "BL304"
SEVERITY = Severity.WARNING
CONFIDENCE = Confidence.CERTAIN
SUMMARY = "k6 users, Locust, JMeter or a benchmark runs without a request rate"
RATIONALE = """\
A number of users bounds how many requests are in flight, not how many are sent: the faster the server, the more it
gets, and Locust's spawn rate only says how soon the users are there. Use an arrival rate (k6
`constant-arrival-rate`, Locust `constant_throughput`, a throughput timer, `--request-rate`), or `burstctl run`."""
BAD = """\
load-test:
  script:
    - locust --headless -u 50 -r 10 -t 5m -H "$INFERENCE_URL"
"""
FILES = {
    "locustfile.py": """\
from locust import HttpUser, task

class User(HttpUser):
    @task
    def predict(self):
        self.client.post("/predict", json={"text": "hello"})
"""
}
GOOD = """\
load-test:
  script:
    - burstctl run burst.yaml --rate-limit 50/s
"""


def check(case: Case) -> Iterable[Hit]:
    """Look for closed loops that nothing paces; an error in a stage of inference."""
    for job, loads in case.load_jobs():
        for load in loads:
            if load.kind is not Kind.TOOL or load.limited or not load.closed_loop:
                continue
            inference = "inference" in (job.stage or "").lower()
            yield Hit(
                CODE,
                load.span,
                f"{load.tool} has no request rate: its users send as fast as answers come",
                job=job.name,
                hint="use an arrival rate, or send with `burstctl run`",
                severity=load.severity or (Severity.ERROR if inference else None),
                confidence=load.confidence,
                key=load.tool,
            )
