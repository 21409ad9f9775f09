"""What is known of a job's load: its rate, what bounds it, where it goes."""

from pathlib import Path

import pytest

from burstctl.lint.case import Case
from burstctl.lint.check import read_pipeline
from burstctl.lint.load import Kind, Load
from burstctl.lint.project import Project
from burstctl.lint.settings import Settings

PATH = ".gitlab-ci.yml"


def loads(tmp_path: Path, script: str, head: str = "", files: dict[str, str] | None = None) -> list[Load]:
    body = "\n".join(f"      {line}" for line in script.splitlines())
    text = f"job:\n{head}  script:\n    - |\n{body}\n"
    project = Project(tmp_path.resolve(), {PATH: text, **(files or {})})
    pipeline = read_pipeline(PATH, project, Settings())
    return list(Case(pipeline, Settings(), project).loads(pipeline.jobs[0]))


@pytest.mark.parametrize(
    ("command", "rate_per_s"),
    [
        ("vegeta attack -rate 20/s -duration 5s", 20),
        ("vegeta attack -rate=120/1m -duration 5s", 2),
        ("vegeta attack -targets t.txt -duration 5s", 50),
        ("hey -q 5 -c 10 http://m.example/predict", 50),
        ("hey -q 5 http://m.example/predict", 250),
        ("oha -q 30 http://m.example/predict", 30),
        ("oha --burst-rate 10 --burst-delay 2s http://m.example/predict", 5),
        ("bombardier --rate=40 http://m.example/predict", 40),
        ("autocannon -R 20 -w 4 http://m.example/predict", 80),
        ("autocannon -r 5 -c 20 http://m.example/predict", 100),
        ("fortio load -qps 12 http://m.example/predict", 12),
        ("fortio load http://m.example/predict", 8),
        ("ghz --rps 7 m.example:50051 -d '{}'", 7),
        ("wrk2 -R 90 http://m.example/predict", 90),
        ("k6 run --rps 25 load.js", 25),
        ("vllm bench serve --base-url http://m.example --request-rate 4", 4),
        ("guidellm benchmark --target http://m.example --profile kind=constant,rate=6", 6),
        ("for i in $(seq 99); do curl http://m.example/predict & sleep 0.25; done", 4),
        ("for w in 1 2 3 4; do (for i in {1..99}; do curl m.example/predict; sleep 0.5; done) & done", 8),
        ("for i in {1..9}; do for j in {1..5}; do curl m.example/predict & done; sleep 2; done", 2.5),
        ("parallel --delay 0.1 curl http://m.example/predict ::: {1..99}", 10),
        ("burstctl run burst.yaml --rate-limit 120/min", 2),
    ],
)
def test_the_rate_of_a_command_is_what_all_its_workers_send(tmp_path: Path, command: str, rate_per_s: float) -> None:
    [load] = loads(tmp_path, command)
    assert load.limited
    assert load.rate_per_s == pytest.approx(rate_per_s)


@pytest.mark.parametrize(
    "command",
    [
        "hey -z 5s http://m.example/predict",
        "vegeta attack -rate 0 -duration 5s",
        "fortio load -qps 0 http://m.example/predict",
        "sglang.bench_serving --base-url http://m.example --request-rate inf",
        "guidellm benchmark --target http://m.example --rate-type sweep",
        "locust --headless -u 9 -r 100 -t 1m -H http://m.example",
        "seq 99 | xargs -P 9 curl http://m.example/predict",
    ],
)
def test_what_has_no_rate_is_not_limited(tmp_path: Path, command: str) -> None:
    [load] = loads(tmp_path, command)
    assert not load.limited
    assert load.rate_per_s is None


@pytest.mark.parametrize(
    ("head", "rate"),
    [
        ("", "$RATE"),
        ("  variables: {RATE: '5'}\n", "5"),
        ("  variables: {RATE: '$OTHER', OTHER: '7'}\n", "7"),
        ("  parallel: {matrix: [{RATE: ['5', '9']}]}\n", "9"),
        ("  rules: [{if: $A, variables: {RATE: '4'}}, {when: always, variables: {RATE: '6'}}]\n", "6"),
        ("  variables: {RATE: '9'}\n  rules: [{if: $A, variables: {RATE: '4'}}, {when: always}]\n", "9"),
    ],
)
def test_a_rate_is_resolved_through_the_job_to_its_highest_value(tmp_path: Path, head: str, rate: str) -> None:
    [load] = loads(tmp_path, 'oha -q "$RATE" http://m.example/predict', head)
    assert load.rate_text == rate


@pytest.mark.parametrize(
    ("script", "rate"),
    [
        ("oha -q ${RATE:-3} m.example/predict", "3"),
        ("RATE=4\noha -q $RATE m.example/predict", "4"),
        ("export RATE=${RATE:-5}\noha -q $RATE m.example/predict", "5"),
        ("if x; then RATE=4; else RATE=5; fi\noha -q $RATE m.example/predict", "$RATE"),
    ],
)
def test_a_rate_is_resolved_through_the_script(tmp_path: Path, script: str, rate: str) -> None:
    [load] = loads(tmp_path, script)
    assert load.rate_text == rate


@pytest.mark.parametrize(
    "url",
    [
        "http://localhost:8000/predict",
        "127.0.0.1:8000/predict",
        "http://[::1]:8000/predict",
        "http://0.0.0.0/predict",
        "http://app.localhost/predict",
        "http://model:8000/predict",
        "$BASE/predict",
    ],
)
def test_a_target_on_the_jobs_own_machine_is_local(tmp_path: Path, url: str) -> None:
    head = "  services: [{name: x/model, alias: model}]\n  variables: {BASE: 'http://localhost:1'}\n"
    [load] = loads(tmp_path, f'hey -z 5s "{url}"', head)
    assert load.local


@pytest.mark.parametrize("url", ["http://m.example/predict", "$URL/predict", "http://localhost.example/predict"])
def test_a_target_elsewhere_or_unknown_is_not(tmp_path: Path, url: str) -> None:
    [load] = loads(tmp_path, f'hey -z 5s "{url}"')
    assert not load.local


@pytest.mark.parametrize(
    ("options", "manifest", "rate_per_s", "divided"),
    [
        ("", "rate_limit: 90/s", 90, True),
        ("", "name: x", 300, True),
        ("", "rate_limit: {rate: 60, jobs: 1}", 60, False),
        ("", "rate_limit: {rate: 60, share: 'redis://x'}", 60, True),
        ("--jobs 1", "rate_limit: 90/s", 90, False),
        ("--rate-limit 20", "rate_limit: 90/s", 20, True),
        ("", "rate_limit: '${LIMIT:-45/s}'", 45, True),
    ],
)
def test_burstctl_is_limited_by_its_manifest_and_divides_by_itself(
    tmp_path: Path, options: str, manifest: str, rate_per_s: float, divided: bool
) -> None:
    files = {"b.yaml": f"version: 1\n{manifest}\n"}
    [load] = loads(tmp_path, f"burstctl run {options} b.yaml", "  parallel: 3\n", files)
    assert (load.kind, load.limited) == (Kind.BURSTCTL, True)
    assert (load.rate_per_s, load.divided, load.path) == (rate_per_s, divided, "b.yaml")


def test_burstctls_variable_beats_the_manifest(tmp_path: Path) -> None:
    head = "  variables: {BURSTCTL_RUN_RATE_LIMIT: 30/s}\n"
    [load] = loads(tmp_path, "burstctl run b.yaml", head, {"b.yaml": "version: 1\nrate_limit: 90/s\n"})
    assert load.rate_per_s == 30


@pytest.mark.parametrize(
    "command", ["burstctl lint", "burstctl dry-run b.yaml", "burstctl run --help", "burstctl --version"]
)
def test_burstctl_that_sends_no_burst_is_no_load(tmp_path: Path, command: str) -> None:
    assert loads(tmp_path, command) == []
