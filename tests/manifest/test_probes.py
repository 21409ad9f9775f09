"""Probes of a manifest: each kind's keys, what is refused and where, what is secret, what a threshold may ask."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from burstctl.manifest.overrides import Overrides
from burstctl.manifest.probe.kinds import KINDS, OVER, PRESETS, REDIS_TYPES
from burstctl.probe import registry
from burstctl.probe.kind import prometheus, redis
from tests.manifest.conftest import Load

GOOD = "version: 1\ntarget: {base_url: 'http://h'}\nrequests: [{name: a, path: /p}]\n"
QUEUE = "probes:\n  - {name: queue, kind: prometheus, url: 'http://h/metrics', metric: m}\n"


def with_probe(entry: str) -> str:
    return f"{GOOD}probes:\n  - {entry}\n"


def test_the_manifest_knows_every_kind_and_its_words() -> None:
    assert sorted(KINDS) == registry.names()
    assert set(PRESETS) == set(prometheus.PRESETS)
    assert set(OVER) == set(prometheus.COMBINE)
    assert set(REDIS_TYPES) == set(redis.COMMANDS)
    for name, kind in KINDS.items():
        assert kind.series == getattr(registry.load(name), "SERIES", ()), name


@pytest.mark.parametrize(
    ("entry", "keys"),
    [
        (
            "{name: q, kind: prometheus, url: 'http://u:p@h:9090/m/?a=b', preset: vllm, labels: {job: 1}, over: max}",
            {
                "url": "http://h:9090/m/?a=b",
                "preset": "vllm",
                "labels": {"job": "1"},
                "over": "max",
                "headers": {"authorization": "Basic dTpw"},
            },
        ),
        ("{name: q, kind: json, url: 'http://h', pointer: /a/0}", {"url": "http://h/", "pointer": "/a/0"}),
        (
            "{name: q, kind: log, file: w.log, pattern: 'Queue size = (?P<value>\\d+)$'}",
            {"file": "w.log", "pattern": "Queue size = (?P<value>\\d+)$"},
        ),
        (
            "{name: q, kind: log, command: [tail, -n, 1, f], pattern: '(?P<value>.)'}",
            {"command": ["tail", "-n", "1", "f"], "pattern": "(?P<value>.)"},
        ),
        ("{name: q, kind: command, command: [wc, -l]}", {"command": ["wc", "-l"]}),
        ("{name: q, kind: redis, url: 'redis://h', key: jobs}", {"url": "redis://h", "key": "jobs"}),
        ("{name: q, kind: sqs, queue_url: 'https://q', region: eu}", {"queue_url": "https://q", "region": "eu"}),
        (
            "{name: q, kind: cloudwatch, namespace: N, metric: m, statistic: MAXIMUM, period: 5m, dimensions: {A: b}}",
            {"namespace": "N", "metric": "m", "statistic": "Maximum", "period": 300.0, "dimensions": {"A": "b"}},
        ),
        ("{name: q, kind: aws-target-health, target_group: arn}", {"target_group": "arn"}),
        ("{name: q, kind: aws-scaling, group: asg}", {"group": "asg"}),
    ],
)
def test_each_kind_takes_its_own_keys(load_text: Load, entry: str, keys: Mapping[str, object]) -> None:
    [probe] = load_text(with_probe(entry)).probes
    assert probe.keys == keys


def test_rhythm_and_patience_are_the_kinds_own_unless_set(load_text: Load) -> None:
    text = (
        "{name: a, kind: json, url: 'http://h', pointer: /a}\n"
        "  - {name: b, kind: aws-scaling, group: g}\n"
        "  - {name: c, kind: json, url: 'http://h', pointer: '', every: 250ms, timeout: 1s,"
        " recovery: 5m, required: true}"
    )
    plain, aws, own = load_text(with_probe(text)).probes
    assert (plain.every_s, plain.timeout_s, plain.recovery_s, plain.required) == (1.0, 2.0, 60.0, False)
    assert (aws.every_s, aws.timeout_s, aws.recovery_s) == (5.0, 5.0, 0.0)
    assert (own.every_s, own.timeout_s, own.recovery_s, own.required) == (0.25, 1.0, 300.0, True)


def test_a_threshold_on_recovery_has_it_watched_long_enough(load_text: Load) -> None:
    [probe] = load_text(GOOD + QUEUE + "thresholds: ['probe.queue.recovery < 5m']\n").probes
    assert (probe.recovery_s, probe.recovery_asked) == (300.0, True)
    [unasked] = load_text(GOOD + QUEUE + "thresholds: ['probe.queue.max < 5']\n").probes
    assert (unasked.recovery_s, unasked.recovery_asked) == (60.0, False)


@pytest.mark.parametrize(
    ("entry", "every_s"),
    [
        ("{name: q, kind: json, url: 'http://h', pointer: /a, every: 30s}", 1.0),
        ("{name: q, kind: json, url: 'http://h', pointer: /a, every: 200ms}", 0.2),
        ("{name: q, kind: sqs, queue_url: q}", 5.0),
        ("{name: q, kind: cloudwatch, namespace: N, metric: m}", 15.0),
        ("{name: q, kind: cloudwatch, namespace: N, metric: m, every: 2s}", 2.0),
    ],
)
def test_a_return_is_watched_closely_where_readings_cost_nothing(load_text: Load, entry: str, every_s: float) -> None:
    [probe] = load_text(with_probe(entry)).probes
    assert probe.recovery_every_s == every_s


@pytest.mark.parametrize(
    ("entry", "place", "message", "hint"),
    [
        ("{name: Queue, kind: json, url: 'http://h', pointer: /a}", "5:12", "expected a name of a-z", "such as queue"),
        ("{name: max, kind: json, url: 'http://h', pointer: /a}", "5:12", "max is a figure", ""),
        ("{name: q, kind: promethus}", "5:21", "expected prometheus, json", "did you mean"),
        ("{name: q}", "5:5", "kind is missing", "such as kind: prometheus"),
        ("{kind: json, url: 'http://h', pointer: /a}", "5:5", "name is missing", ""),
        ("{name: q, kind: json, url: 'http://h'}", "5:5", "json probes need pointer", "json takes url, pointer"),
        ("{name: q, kind: prometheus, url: 'http://h'}", "5:5", "need metric or preset", ""),
        ("{name: q, kind: prometheus, url: 'http://h', metric: m, preset: vllm}", "5:61", "exclude each other", ""),
        ("{name: q, kind: prometheus, url: 'http://h', preset: vlm}", "5:58", "expected vllm", "did you mean vllm?"),
        ("{name: q, kind: json, url: 'http://h', pointer: /a, key: k}", "5:57", "json probes take no key", ""),
        ("{name: q, kind: json, url: 'http://h', pointer: a.b}", "5:53", "JSON pointer", "did you mean /a/b?"),
        ("{name: q, kind: json, url: h/x, pointer: /a}", "5:32", "expected an absolute http", ""),
        ("{name: q, kind: json, url: 'http://h/#a', pointer: /a}", "5:32", "without query and fragment", ""),
        ("{name: q, kind: json, url: 'http://h', pointer: /a, every: 1ms}", "5:64", "100ms or more", ""),
        ("{name: q, kind: json, url: 'http://h', pointer: /a, headers: {a b: c}}", "5:67", "a header name", ""),
        ("{name: q, kind: json, url: 'http://h', pointer: /a, headers: {a: '${row.x}'}}", "5:70", "can't stand", ""),
        ("{name: q, kind: log, file: f, pattern: '(\\d+)'}", "5:44", "a group named value", "?P<value>"),
        ("{name: q, kind: log, file: f, pattern: '('}", "5:44", "a regular expression", ""),
        ("{name: q, kind: log, pattern: '(?P<value>.)'}", "5:5", "need file or command", ""),
        ("{name: q, kind: command, command: 'wc -l'}", "5:39", "a list of arguments", "no shell"),
        ("{name: q, kind: command, command: []}", "5:39", "a list of arguments", ""),
        ("{name: q, kind: redis, url: 'redis://:pw1234@h', key: k}", "5:33", "a password can't stand here", "env"),
        ("{name: q, kind: redis, url: 'http://h', key: k}", "5:33", "expected a URL: redis://", ""),
        ("{name: q, kind: redis, url: 'redis://h', key: k, type: hash}", "5:60", "list, stream or zset", ""),
        ("{name: q, kind: cloudwatch, namespace: N, metric: m, period: 90s}", "5:66", "whole minutes", ""),
        ("{name: q, kind: aws-scaling, group: g, recovery: 5s}", "5:44", "aws-scaling probes have no recovery", ""),
    ],
)
def test_what_a_probe_can_not_be_is_refused_in_its_place(
    refuse: Callable[..., str], entry: str, place: str, message: str, hint: str
) -> None:
    said = refuse(with_probe(entry))
    assert f"m.yaml:{place}: " in said
    joined = " ".join(said.split())
    assert message in joined
    assert hint in joined
    assert "pw1234" not in said


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("average", "Average"),
        ("samplecount", "SampleCount"),
        ("iqm", "IQM"),
        ("P95", "p95"),
        ("p99.9", "p99.9"),
        ("p100", "p100"),
        ("tm99", "tm99"),
        ("wm98.5", "wm98.5"),
        ("tm(10%:90%)", "TM(10%:90%)"),
        ("TC(:0.5%)", "TC(:0.5%)"),
        ("TS(80%:)", "TS(80%:)"),
        ("PR(:300)", "PR(:300)"),
        ("WM(150:1000)", "WM(150:1000)"),
    ],
)
def test_every_statistic_of_cloudwatch_is_taken_in_its_own_words(load_text: Load, written: str, meant: str) -> None:
    [probe] = load_text(
        with_probe(f"{{name: q, kind: cloudwatch, namespace: N, metric: m, statistic: '{written}'}}")
    ).probes
    assert probe.text("statistic") == meant


@pytest.mark.parametrize(
    "written",
    ["p101", "p", "p-1", "p9999", "95", "tm", "TM(90%:10%)", "TM(:)", "TM(10:90%)", "PR(10%:90%)", "median", "p95; x"],
)
def test_what_is_no_statistic_of_cloudwatch_is_refused_with_examples(refuse: Callable[..., str], written: str) -> None:
    said = refuse(with_probe(f"{{name: q, kind: cloudwatch, namespace: N, metric: m, statistic: '{written}'}}"))
    assert "m.yaml:5:69: " in said
    assert "a percentile such as p95" in " ".join(said.split())


@pytest.mark.parametrize("state", KINDS["aws-target-health"].series)
def test_a_threshold_may_be_on_each_state_of_a_target(load_text: Load, state: str) -> None:
    text = with_probe("{name: t, kind: aws-target-health, target_group: arn}")
    plan = load_text(f"{text}thresholds: ['probe.t.{state}.max <= 1']\n")
    assert any(one.metric == f"probe.t.{state}.max" for one in plan.thresholds)


def test_two_probes_of_one_name_are_refused(refuse: Callable[..., str]) -> None:
    assert "another probe has the name queue" in refuse(GOOD + QUEUE + QUEUE.removeprefix("probes:\n"))


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("probe.queu.max < 3", "no probe has the name queu"),
        ("probe.queue.depth < 3", "the probe queue does not tell depth"),
        ("probe.scaling.launchs > 1", "did you mean probe.scaling.launches?"),
        ("probe.scaling.recovery < 3s", "aws-scaling probes have no recovery"),
    ],
)
def test_a_threshold_asks_only_what_a_probe_tells(refuse: Callable[..., str], expression: str, message: str) -> None:
    probes = QUEUE + "  - {name: scaling, kind: aws-scaling, group: g}\n"
    in_manifest = " ".join(refuse(f"{GOOD}{probes}thresholds: ['{expression}']\n").split())
    assert "m.yaml:7:14: " in in_manifest
    assert message in in_manifest
    assert message in " ".join(refuse(GOOD + probes, overrides=Overrides(thresholds=(expression,))).split())


@pytest.mark.parametrize(
    ("rate_limit", "place", "message"),
    [
        ("{rate: 5, follow: queu, keep_under: 60}", "6:31", "no probe has the name queu"),
        ("{rate: 5, follow: queue}", "6:31", "follow needs keep_under"),
        ("{rate: 5, keep_under: 60}", "6:35", "keep_under needs follow"),
        ("{rate: 5, follow: queue, keep_under: 0}", "6:50", "expected a positive number"),
        ("{rate: 5, follow: queue, keep_under: 60, workers: 2}", "6:31", "with one worker only"),
    ],
)
def test_what_can_not_be_followed_is_refused(
    refuse: Callable[..., str], rate_limit: str, place: str, message: str
) -> None:
    said = refuse(f"{GOOD}{QUEUE}rate_limit: {rate_limit}\n")
    assert f"m.yaml:{place}: " in said
    assert message in " ".join(said.split())


def test_what_goes_along_with_a_reading_is_secret_and_the_rest_is_shown(load_text: Load) -> None:
    text = (
        "{name: a, kind: json, pointer: /a, url: '${A_URL}',"
        " headers: {x-scope: '${SCOPE}', authorization: literal-one}}\n"
        "  - {name: b, kind: redis, key: jobs, url: 'redis://:${PASS}@cache:6379'}\n"
        "  - {name: c, kind: command, command: [ask, '${ARG}']}\n"
        "  - {name: d, kind: json, pointer: /a, url: 'http://h/x?tenant=${TENANT}'}"
    )
    environ = {
        "A_URL": "https://me:hush-hush@metrics.internal/q?token=in-query",
        "SCOPE": "scope-value",
        "PASS": "redis-pass",
        "ARG": "argument-value",
        "TENANT": "tenant-value",
    }
    plan = load_text(with_probe(text), environ)
    shown: Any = plan.settings["probes"]
    everything = repr(shown) + repr(plan)
    secrets = ("hush-hush", "in-query", "scope-value", "literal-one", "redis-pass", "argument-value", "tenant-value")
    for secret in secrets:
        assert secret not in everything
        assert plan.redactor.redact(f"<{secret}>") == "<***>"
    assert [one["name"] for one in shown] == ["a", "b", "c", "d"]
    assert shown[0]["url"].startswith("https://metrics.internal/q")
    assert shown[1]["url"] == "redis://***@cache:6379"
    assert plan.probes[0].mapping("headers")["authorization"] == "literal-one"
    assert plan.probes[0].text("url") == "https://metrics.internal/q?token=in-query"


def test_a_followed_file_is_an_input_that_no_report_may_replace(load_text: Load) -> None:
    plan = load_text(with_probe("{name: q, kind: log, file: w.log, pattern: '(?P<value>.)'}"))
    assert "w.log" in plan.inputs


def test_a_trickle_lets_entries_take_turns_and_repeats_rows(load_text: Load) -> None:
    text = (
        "version: 1\ntarget: {base_url: 'http://h'}\nrequests:\n"
        "  - {name: a, path: /a, count: 100}\n  - {name: none, path: /n, count: 0}\n"
        "  - {name: b, path: '/${row.x}', data: b.jsonl}\n"
    )
    plan = load_text(text, overrides=Overrides(trickle=7), files={"b.jsonl": '{"x": 1}\n{"x": 2}\n'})
    requests = list(plan.requests())
    assert [request.name for request in requests] == ["a", "b", "a", "b", "a", "b", "a"]
    assert [request.target for request in requests if request.name == "b"] == ["/1", "/1", "/2"]
    assert plan.counts == {"a": 4, "b": 3}
    assert len({request.index for request in requests}) == 7
    assert len({dict(request.headers)["idempotency-key"] for request in requests}) == 7
