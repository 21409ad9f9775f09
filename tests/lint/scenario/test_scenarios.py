"""The rate that a scenario file states, in each format, and what is said of one that states none."""

from pathlib import Path

import pytest

from burstctl.lint.document import Scalar
from burstctl.lint.file import File, Span
from burstctl.lint.job import Job, Script
from burstctl.lint.load import Scene
from burstctl.lint.project import Project
from burstctl.lint.scenario.artillery import read_artillery
from burstctl.lint.scenario.jmeter import read_jmeter
from burstctl.lint.scenario.k6 import read_k6
from burstctl.lint.scenario.locust import read_locust
from burstctl.lint.scenario.python import read_python
from burstctl.lint.scenario.scenario import without_comments
from burstctl.lint.settings import Settings
from burstctl.lint.shell.model import Shell


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    span = Span(File.of("x", ""), 0, 0)
    script = Script.of((Scalar(span, "", ""),), "script")
    return Scene(Job("job", span, ()), script, Shell(()), Settings(), Project(tmp_path.resolve()), given={"RATE": "70"})


@pytest.mark.parametrize(
    ("options", "rate_per_s"),
    [
        ("scenarios: {a: {executor: 'constant-arrival-rate', rate: 10, timeUnit: '1s'}}", 10),
        ("scenarios: {a: {executor: 'constant-arrival-rate', rate: 600, timeUnit: '1m'}}", 10),
        ("scenarios: {a: {executor: 'ramping-arrival-rate', startRate: 1, stages: [{target: 40}, {target: 5}]}}", 40),
        (
            "x: {a: {executor: 'constant-arrival-rate', rate: 9}, b: {executor: 'ramping-arrival-rate', rate: 6}}",
            15,
        ),
        ("scenarios: {a: {executor: 'constant-arrival-rate', rate: __ENV.RATE}}", 70),
        ("scenarios: {a: {executor: 'constant-arrival-rate', rate: Number(__ENV.OTHER || 20)}}", 20),
        ("scenarios: {a: {executor: 'constant-arrival-rate', rate: compute()}}", None),
        ("rps: 12, vus: 50", 12),
    ],
)
def test_k6_arrival_rates(scene: Scene, options: str, rate_per_s: float | None) -> None:
    found = read_k6(File.of("load.js", f"export const options = {{ {options} }};"), scene)
    assert found.limited
    assert found.rate_per_s == rate_per_s


@pytest.mark.parametrize(
    "options",
    [
        "vus: 10, duration: '1m'",
        "stages: [{ target: 10, duration: '1m' }]",
        "scenarios: {a: {executor: 'ramping-vus', stages: [{target: 5}]}}",
        "scenarios: {a: {executor: 'constant-arrival-rate', rate: 5}, b: {executor: 'constant-vus', vus: 5}}",
        "vus: 10 // rps: 5",
    ],
)
def test_k6_users_have_no_rate(scene: Scene, options: str) -> None:
    found = read_k6(File.of("load.js", f"export const options = {{ {options}\n }};"), scene)
    assert not found.limited
    assert not found.single


def test_artillery_counts_the_peak_of_arrivals_and_the_requests_of_each(scene: Scene) -> None:
    text = """\
config:
  target: https://m.example
  phases: [{duration: 60, arrivalRate: 5, rampTo: 20}, {duration: 10, arrivalCount: 50}]
scenarios:
  - flow: [{post: {url: /predict}}, {loop: [{get: {url: /a}}], count: 3}]
"""
    found = read_artillery(File.of("a.yml", text), scene)
    assert (found.limited, found.rate_per_s, found.targets) == (True, 120, ("https://m.example",))


@pytest.mark.parametrize(
    ("wait", "per_user"),
    [
        ("constant_throughput(0.5)", 0.5),
        ("constant_pacing(4)", 0.25),
        ("between(1, 3)", None),
        ("constant(1)", None),
    ],
)
def test_locust_users_have_a_pace_or_none(wait: str, per_user: float | None) -> None:
    found = read_locust(File.of("l.py", f"class User(HttpUser):\n    wait_time = {wait}\n"))
    assert (found.limited, found.per_user_per_s) == (per_user is not None, per_user)


CONSTANT = """\
<ConstantThroughputTimer{}><stringProp name="throughput">{}</stringProp></ConstantThroughputTimer>"""
PRECISE = """\
<PreciseThroughputTimer><doubleProp><name>throughput</name><value>90</value></doubleProp>
<intProp name="throughputPeriod">30</intProp></PreciseThroughputTimer>"""


@pytest.mark.parametrize(
    ("timer", "rate_per_s"),
    [
        (CONSTANT.format(' enabled="true"', "120"), 2),
        (CONSTANT.format("", "${__P(speed,600)}"), 10),
        (PRECISE, 3),
    ],
)
def test_jmeter_throughput_timers(scene: Scene, timer: str, rate_per_s: float) -> None:
    found = read_jmeter(File.of("p.jmx", f"<jmeterTestPlan>{timer}</jmeterTestPlan>"), scene)
    assert (found.limited, found.rate_per_s) == (True, rate_per_s)


@pytest.mark.parametrize(
    "text",
    [
        "<jmeterTestPlan></jmeterTestPlan>",
        CONSTANT.format(' enabled="false"', "9"),
        f"<!-- {CONSTANT.format('', '9')} -->",
    ],
)
def test_jmeter_without_a_timer_in_force(scene: Scene, text: str) -> None:
    assert not read_jmeter(File.of("p.jmx", text), scene).limited


@pytest.mark.parametrize(
    ("text", "parallel", "limited"),
    [
        ("import httpx\nasyncio.gather(*[c.post('/predict') for i in x])", True, False),
        ("import requests\npool.submit(requests.post, '/predict')\nrequests.get('a')", True, False),
        ("import httpx, aiolimiter\nasyncio.gather(*[c.post('/predict') for i in x])", True, True),
        ("import requests\nfor i in x:\n    pool.submit(f)\n    requests.get('a')\n    time.sleep(1)", True, True),
        ("import requests\nrequests.post('/predict')", False, False),
        ("print('gather')", False, False),
    ],
)
def test_python_programs(scene: Scene, text: str, parallel: bool, limited: bool) -> None:
    found = read_python(File.of("p.py", text), scene)
    assert found is not None
    assert (found.parallel, found.limited) == (parallel, limited)


@pytest.mark.parametrize("text", ["def (", "(" * 10_000, "\0", "x = 1\n" * 200_000])
def test_python_that_cannot_be_read_is_not_known(scene: Scene, text: str) -> None:
    assert read_python(File.of("p.py", text), scene) is None
    assert not read_locust(File.of("p.py", text)).limited


def test_comments_are_blanked_in_place() -> None:
    text = "a /* b */ c // d\ne 'http://x' /* f"
    blank = without_comments(text)
    assert blank == "a         c     \ne 'http://x'     "
    assert len(without_comments("/*/*" * 50_000)) == 200_000
