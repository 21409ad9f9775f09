"""A manifest becomes a plan: every key has its effect, and the command line wins."""

import contextlib
import io
import json
from base64 import b64encode
from copy import deepcopy
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import parse_qsl, unquote

import pytest
import trustme
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from burstctl.attempt import Fault
from burstctl.document import read_document
from burstctl.errors import UsageError
from burstctl.manifest.load import load
from burstctl.manifest.overrides import NO_OVERRIDES, Overrides
from burstctl.plan import Plan, RateLimit, Request, Timeouts, Tls


class Load(Protocol):
    def __call__(self, text: str | bytes, *arguments: Any, **more: Any) -> Plan: ...


HEAD = "version: 1\ntarget:\n  base_url: http://host/api/\n"


def one(plan: Plan) -> Request:
    [request] = plan.requests()
    return request


def headers(request: Request) -> dict[str, str]:
    return dict(request.headers)


def test_the_defaults_are_those_of_the_documentation(load_text: Load) -> None:
    plan = load_text(HEAD + "requests: [{name: a, path: /p}]\n")
    request = one(plan)
    assert plan.target.base_url == "http://host/api"
    assert plan.target.timeouts == Timeouts(5, 30, 30, 30)
    assert (plan.target.tls, plan.target.proxy, plan.target.http) == (Tls(), None, "1.1")
    assert plan.target.max_body == 16 * 2**20
    assert plan.rate_limit == RateLimit(300.0, None, "adaptive", stated=False)
    assert plan.retry.statuses == {429, *range(500, 600)}
    assert plan.retry.faults == {
        Fault.DNS, Fault.CONNECT, Fault.TLS, Fault.FILES, Fault.PORTS, Fault.RESET, Fault.TIMEOUT,
    }  # fmt: skip
    assert (plan.retry.max_attempts, plan.retry.deadline_s, plan.deadline_s) == (10, None, None)
    assert [threshold.label for threshold in plan.thresholds] == ["failed <= 0%", "unsent <= 0%"]
    assert plan.notes == ("rate_limit is not set: the default of 300/s holds",)
    assert plan.inputs == ("m.yaml",)
    assert (request.method, request.target, request.body) == ("GET", "/api/p", b"")
    assert headers(request).keys() == {"user-agent", "accept", "x-request-id", "idempotency-key"}
    assert (request.timeouts, request.safe, request.row, request.broken) == (None, True, None, None)
    assert request.expect.status.text == "2xx"


EVERYTHING = """
version: 1
name: nightly
target:
  base_url: https://host:8443
  headers: {Accept: text/plain, x-tenant: t}
  query: {version: 2, debug: true}
  timeout: {connect: 1s, total: 20s}
  tls: {verify: false}
  proxy: http://user:pa%20ss@proxy:3128
  http: 2
  max_body: 1MiB
rate_limit: {rate: 6000/min, max_in_flight: 50, controller: fixed}
deadline: 5m
requests:
  - name: a
    method: put
    path: /p/ä b?x=1
    query: {debug: "no", q: "a&b=c d"}
    headers: {X-Tenant: u, host: other}
    body: "text ü"
    count: 2
    timeout: 3s
    safe: false
    expect: {status: [200, 4xx], json: {ok: true}, headers: {X-A: " b "}, max_latency: 150ms}
  - name: b
    path: /q
    timeout: {first_byte: 8s}
retry: {on: [503, 4xx, tls], max_attempts: 3, deadline: 1m}
thresholds:
  - p95 < 200ms
  - a: p99 < 1s
  - failed <= 1%
"""


def test_every_key_has_its_effect(load_text: Load) -> None:
    plan = load_text(EVERYTHING)
    first, second, third = plan.requests()
    assert (plan.name, plan.deadline_s, plan.planned, plan.counts) == ("nightly", 300, 3, {"a": 2, "b": 1})
    assert plan.target.timeouts == Timeouts(1, 20, 20, 20)
    assert plan.target.tls.verify is False
    assert (plan.target.proxy, plan.target.http) == ("http://user:pa%20ss@proxy:3128", "2")
    assert plan.target.max_body == 2**20
    assert plan.rate_limit == RateLimit(100, 50, "fixed", stated=True)
    assert plan.retry.statuses == {503, *range(400, 500)}
    assert plan.retry.faults == {Fault.TLS}
    assert (plan.retry.max_attempts, plan.retry.deadline_s) == (3, 60)
    labels = [threshold.label for threshold in plan.thresholds]
    assert labels == ["unsent <= 0%", "p95 < 200ms", "a: p99 < 1s", "failed <= 1%"]
    assert plan.notes == ("verify: false: certificates are not checked",)
    assert (first.index, second.index, third.index) == (0, 1, 2)
    assert (first.method, first.body) == ("PUT", "text ü".encode())
    assert first.target == "/p/%C3%A4%20b?x=1&version=2&debug=no&q=a%26b%3Dc%20d"
    assert third.target == "/q?version=2&debug=true"
    assert headers(first) | {"user-agent": ""} == {
        "user-agent": "",
        "Accept": "text/plain",
        "X-Tenant": "u",
        "host": "other",
        "x-request-id": "run-0",
        "idempotency-key": "run-0",
    }
    assert headers(third)["x-tenant"] == "t"
    assert first.timeouts == Timeouts(1, 3, 3, 3)
    assert third.timeouts == Timeouts(1, 8, 20, 20)
    assert first.safe is False
    assert first.expect.status.codes == {200, *range(400, 500)}
    assert (first.expect.json, first.expect.has_json) == ({"ok": True}, True)
    assert first.expect.headers == (("x-a", "b"),)
    assert first.expect.max_latency_s == pytest.approx(0.15)


def test_json_is_the_same_shape(load_text: Load) -> None:
    value = {"version": 1, "target": {"base_url": "http://h"}, "requests": [{"name": "a", "path": "/p", "json": "😀"}]}
    assert one(load_text(json.dumps(value, indent="\t"))).body == '"😀"'.encode()


def test_byte_order_mark_and_crlf_are_no_matter(load_text: Load) -> None:
    text = (HEAD + "requests:\n  - name: a\n    path: /p\n    data: d.csv\n    body: ${row.x}\n").replace("\n", "\r\n")
    plan = load_text(b"\xef\xbb\xbf" + text.encode(), files={"d.csv": b"\xef\xbb\xbfx\r\n1\r\n\r\n2\r\n"})
    assert [request.body for request in plan.requests()] == [b"1", b"2"]


def test_standard_input_is_a_manifest_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("b.bin").write_bytes(b"\0${x}")
    text = HEAD + "requests: [{name: a, path: /p, body_file: b.bin}]\n"
    plan = load("-", stdin=io.BytesIO(text.encode()), environ={}, run_id="r", seed=0)
    assert (one(plan).method, one(plan).body) == ("POST", b"\0${x}")
    assert plan.inputs == ("b.bin",)


def test_files_are_relative_to_the_manifest(tmp_path: Path) -> None:
    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    client = authority.issue_cert("client")
    client.private_key_and_cert_chain_pem.write_to_path(str(tmp_path / "client.pem"))
    text = HEAD + "  tls: {ca: ca.pem, cert: client.pem}\nrequests: [{name: a, path: /p}]\n"
    (tmp_path / "m.yaml").write_text(text)
    plan = load(str(tmp_path / "m.yaml"), stdin=io.BytesIO(), environ={}, run_id="r", seed=0)
    assert plan.target.tls == Tls(str(tmp_path / "ca.pem"), str(tmp_path / "client.pem"))
    assert set(plan.inputs) == {str(tmp_path / name) for name in ("m.yaml", "ca.pem", "client.pem")}


def test_an_interpolated_scalar_is_read_as_what_its_key_wants(load_text: Load) -> None:
    text = """
version: ${VERSION:-1}
target: {base_url: "${URL}", http: "${HTTP:-1.1}", tls: {verify: "${VERIFY:-false}"}}
rate_limit: ${RATE}
requests:
  - name: ${NAME:-12}
    path: /p
    count: "${COUNT:-3}"
    timeout: ${TIMEOUT:-2}
    expect: {status: "${STATUS:-201}"}
    headers: {x: "${NUMBER:-007}"}
    json:
      plain: ${NUMBER:-7}
      quoted: "${NUMBER:-7}"
      mixed: n${NUMBER:-7}
      text: ${TEXT}
"""
    plan = load_text(text, {"URL": "http://h", "RATE": "5/s", "TEXT": "a: [b]\n- c"})
    request = next(plan.requests())
    assert (plan.rate_limit.rate_per_s, plan.counts, plan.target.tls.verify) == (5, {"12": 3}, False)
    assert request.timeouts == Timeouts(2, 2, 2, 2)
    assert request.expect.status.codes == {201}
    assert headers(request)["x"] == "007"
    assert json.loads(request.body) == {"plain": 7, "quoted": "7", "mixed": "n7", "text": "a: [b]\n- c"}


ROWS = [
    {"id": 1, "text": "a/b?c", "label": "ok", "more": {"x": [1, None]}},
    {"id": 2, "text": "ü", "label": 5, "more": {}},
]
FROM_ROWS = """
  headers: {x-trace: "${index}-${row.id}"}
  query: {t: "${row.text}"}
requests:
  - {name: first, path: /first, data: d.jsonl}
  - name: rows
    path: /items/${row.text}/${index}
    data: d.jsonl
    count: 2
    json: {all: "${row}", id: "${row.id}", note: "id ${row.id}", more: "${row.more}", fixed: [1, "x"]}
    expect: {json: {label: "${row.label}", fixed: 1}, headers: {x-id: "${row.id}"}}
"""


def test_rows_fill_requests_and_expectations_in_order(load_text: Load) -> None:
    plan = load_text(HEAD + FROM_ROWS, files={"d.jsonl": "\n".join(map(json.dumps, ROWS))})
    requests = list(plan.requests())
    assert plan.counts == {"first": 2, "rows": 4}
    assert [(r.index, r.row) for r in requests] == [(0, 0), (1, 1), (2, 0), (3, 0), (4, 1), (5, 1)]
    third, last = requests[2], requests[-1]
    assert third.target == "/api/items/a%2Fb%3Fc/2?t=a%2Fb%3Fc"
    assert last.target == "/api/items/%C3%BC/5?t=%C3%BC"
    assert headers(last)["x-trace"] == "5-2"
    assert last.body == (
        '{"all":{"id":2,"text":"ü","label":5,"more":{}},"id":2,"note":"id 2","more":{},"fixed":[1,"x"]}'.encode()
    )
    assert last.expect.json == {"label": 5, "fixed": 1}
    assert last.expect.headers == (("x-id", "2"),)
    assert list(plan.requests()) == requests


def test_a_uuid_is_one_for_each_request_and_the_same_in_every_pass(load_text: Load) -> None:
    text = HEAD + 'requests: [{name: a, path: "/p/${uuid}", count: 3, headers: {X-Request-Id: "${uuid}"}}]\n'
    plan = load_text(text)
    requests = list(plan.requests())
    assert requests == list(plan.requests())
    assert len({request.target for request in requests}) == 3
    for request in requests:
        assert request.target == f"/api/p/{headers(request)['X-Request-Id']}"
        assert headers(request)["idempotency-key"] == f"run-{request.index}"


@pytest.mark.parametrize(
    ("entry", "cause"),
    [
        ('path: "/p/${row.x}"', "control character into the path"),
        ('path: /p, headers: {h: "${row.x}"}', "control character into the header h"),
    ],
)
def test_a_control_character_from_a_row_breaks_its_own_request_only(load_text: Load, entry: str, cause: str) -> None:
    text = HEAD + f"requests: [{{name: a, {entry}, data: d.jsonl}}]\n"
    bad, good = load_text(text, files={"d.jsonl": '{"x": "a\\r\\nb: c"}\n{"x": "y"}\n'}).requests()
    assert bad.broken is not None
    assert cause in bad.broken.cause
    assert bad.broken.example.startswith("d.jsonl:1: ")
    assert good.broken is None


def test_rows_that_break_later_break_their_own_requests_only(load_text: Load) -> None:
    rows = ['{"x": 1}'] * 1000 + ["{", '{"y": 1}', '{"x": 2}']
    text = HEAD + "requests: [{name: a, path: /p, data: d.jsonl, json: ['${row.x}']}]\n"
    plan = load_text(text, files={"d.jsonl": "\n".join(rows)})
    *_, broken, lacking, good = plan.requests()
    assert plan.planned == 1003
    assert broken.broken is not None
    assert broken.broken.cause == "broken data row"
    assert broken.broken.example.startswith("d.jsonl:1001 is not valid JSON")
    assert lacking.broken is not None
    assert lacking.broken.example == "d.jsonl:1002: the row has no field x"
    assert (good.index, good.row, good.body) == (1002, 1002, b"[2]")


def test_a_file_that_shrinks_leaves_the_plan_as_it_was(load_text: Load) -> None:
    text = HEAD + "requests: [{name: a, path: /p, data: d.jsonl}]\n"
    plan = load_text(text, files={"d.jsonl": "{}\n{}\n"})
    Path("d.jsonl").write_text("{}\n")
    requests = list(plan.requests())
    assert [request.broken is None for request in requests] == [True, False]


values = st.text() | st.integers() | st.none() | st.lists(st.text(), max_size=2)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=200)
@given(st.fixed_dictionaries({"a": values, "b": values}))
def test_no_row_leaves_its_place_in_the_target(load_text: Load, row: dict[str, object]) -> None:
    text = HEAD + """requests: [{name: a, path: "/x/${row.a}/y", query: {q: "${row.b}", end: z}, data: d.json}]"""
    request = one(load_text(text, files={"d.json": json.dumps([row])}))
    if request.broken is not None:
        return
    path, _, query = request.target.partition("?")
    as_text = [
        v if isinstance(v, str) else json.dumps(v, ensure_ascii=False, separators=(",", ":"))
        for v in (row["a"], row["b"])
    ]
    assert request.target.isascii()
    assert request.target.isprintable()
    assert [unquote(part) for part in path.split("/")] == ["", "api", "x", as_text[0], "y"]
    assert parse_qsl(query, keep_blank_values=True) == [("q", as_text[1]), ("end", "z")]


@pytest.mark.parametrize("value", ["..", ".", "%2e%2e", "/../../admin", "//evil"])
def test_a_row_can_not_climb_out_of_base_url(load_text: Load, value: str) -> None:
    text = HEAD.replace("/api/", "") + 'requests: [{name: a, path: "/${row.x}/", data: d.json}]\n'
    request = one(load_text(text, files={"d.json": json.dumps([{"x": value}])}))
    assert request.broken is not None or request.target.count("/") == 2


def test_user_info_becomes_a_header_and_never_shows(load_text: Load) -> None:
    text = "version: 1\ntarget: {base_url: 'http://me:${PASSWORD}@host:8080'}\nrequests: [{name: a, path: /p}]\n"
    plan = load_text(text, {"PASSWORD": "p%40ss word".replace(" ", "%20")})
    encoded = b64encode(b"me:p@ss word").decode()
    assert plan.target.base_url == "http://host:8080"
    assert headers(one(plan))["authorization"] == f"Basic {encoded}"
    assert plan.redactor.redact(f"p@ss word, {encoded}") == "***, ***"
    assert "host:8080" in plan.redactor.redact(str(plan.settings))


SECRETS = """
version: 1
target:
  base_url: ${URL}
  headers: {authorization: "Bearer ${TOKEN}", x-plain: "${PLAIN}", x-api-key: literal-key}
  query: {k: "${QUERY}"}
  proxy: http://proxyuser:proxypass@proxy
rate_limit: ${RATE}
requests:
  - {name: a, path: /p, json: {deep: ["${BODY}"]}, timeout: "${TIME}"}
  - {name: b, path: "/p?sig=${SIGNATURE}", body: "<${VARIABLE}>"}
"""
ENVIRON = {
    "URL": "http://host.example", "TOKEN": "tokentoken", "PLAIN": "plainplain", "QUERY": "queryquery", "RATE": "1234/s",
    "BODY": "bodybody", "TIME": "1234s", "SIGNATURE": "signaturesignature",
}  # fmt: skip


def test_what_goes_over_the_wire_from_the_environment_is_secret(load_text: Load) -> None:
    plan = load_text(SECRETS, ENVIRON, Overrides(variables={"VARIABLE": "variablevariable", "BODY": "bodyoption"}))
    secrets = ["tokentoken", "plainplain", "queryquery", "bodyoption", "signaturesignature", "variablevariable"]
    secrets += ["literal-key", "proxyuser", "proxypass"]
    for secret in secrets:
        assert plan.redactor.redact(f"<{secret}>") == "<***>"
        assert secret not in str(plan.settings)
    for plain in ("http://host.example", "1234/s", "1234s"):
        assert plan.redactor.redact(plain) == plain
    assert "http://host.example" in str(plan.settings)


def test_settings_are_json_and_hold_no_body(load_text: Load) -> None:
    plan = load_text(EVERYTHING)
    shown = json.dumps(plan.settings, allow_nan=False)
    assert "text ü" not in shown
    assert '"bytes": 7' in shown


def test_the_command_line_wins(load_text: Load) -> None:
    text = HEAD.replace("http://host/api/", "${UNSET}") + "rate_limit: ${UNSET}\nrequests: [{name: a, path: /p}]\n"
    overrides = Overrides(
        base_url="https://other/v1/",
        rate_per_s=7.5,
        max_in_flight=3,
        controller="fixed",
        max_attempts=2,
        deadline_s=9.0,
        thresholds=("unsent <= 5%", "a: p95 < 1s"),
    )
    plan = load_text(text, {}, overrides)
    assert plan.target.base_url == "https://other/v1"
    assert plan.rate_limit == RateLimit(7.5, 3, "fixed", stated=True)
    assert (plan.retry.max_attempts, plan.deadline_s) == (2, 9)
    assert [t.label for t in plan.thresholds] == ["failed <= 0%", "unsent <= 5%", "a: p95 < 1s"]


@pytest.mark.parametrize("rate_limit", ["20/s", "{rate: 20, max_in_flight: 8}"])
def test_an_override_leaves_the_rest_of_its_mapping(load_text: Load, rate_limit: str) -> None:
    text = HEAD + f"rate_limit: {rate_limit}\nrequests: [{{name: a, path: /p}}]\n"
    plan = load_text(text, {}, Overrides(controller="fixed"))
    assert (plan.rate_limit.rate_per_s, plan.rate_limit.controller) == (20, "fixed")


def test_an_added_threshold_replaces_the_one_of_its_metric_and_scope(load_text: Load) -> None:
    text = HEAD + "requests: [{name: a, path: /p}]\nthresholds: [p95 < 1s, {a: p95 < 2s}, failed <= 1%]\n"
    plan = load_text(text, {}, Overrides(thresholds=("p95 < 3s",)))
    assert [t.label for t in plan.thresholds] == ["unsent <= 0%", "a: p95 < 2s", "failed <= 1%", "p95 < 3s"]


def test_only_some_requests_are_sent_and_keep_their_numbers(load_text: Load) -> None:
    entries = "requests: [{name: a, path: /a, count: 5}, {name: b, path: /b, count: 2}]\n"
    text = HEAD + entries + "thresholds: [{a: p95 < 1s}, {b: p95 < 1s}]\n"
    plan = load_text(text, {}, Overrides(only=("b",)))
    assert plan.counts == {"b": 2}
    assert [request.index for request in plan.requests()] == [5, 6]
    assert [t.label for t in plan.thresholds] == ["failed <= 0%", "unsent <= 0%", "b: p95 < 1s"]
    assert "the threshold a: p95 < 1s is left out: a is not sent" in plan.notes


def test_an_empty_plan_is_a_plan(load_text: Load) -> None:
    assert load_text(HEAD + "requests: []\n").planned == 0
    plan = load_text(HEAD + "requests: [{name: a, path: /p, count: 0}]\n")
    assert (plan.counts, list(plan.requests())) == ({"a": 0}, [])


@pytest.mark.parametrize(
    ("base_url", "header", "warned"),
    [
        ("http://staging", "authorization: Bearer ${TOKEN}", True),
        ("https://host", "x-api-key: ${TOKEN}", True),
        ("http://host:80/other", "authorization: Bearer ${TOKEN}", True),
        ("http://host/other", "authorization: Bearer ${TOKEN}", False),
        ("http://staging", "accept: ${TOKEN}", False),
    ],
)
def test_credentials_that_go_to_another_origin_are_pointed_out(
    load_text: Load, base_url: str, header: str, warned: bool
) -> None:
    text = HEAD + f"  headers:\n    {header}\nrate_limit: 5\nrequests: [{{name: a, path: /p}}]\n"
    plan = load_text(text, {"TOKEN": "tokentoken"}, Overrides(base_url=base_url))
    if warned:
        [note] = plan.notes
        assert "http://host," in note
        assert base_url.removesuffix("/other") in note
    else:
        assert plan.notes == ()


def places(value: object, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(found for key, item in inner for found in places(item, (*path, key)))]


WHOLE = read_document(EVERYTHING.encode(), "m.yaml").value
SCALARS = ["", "${row.x}", "${X}", "${index}", "a: b", "\0", "http://h", "/", "1s", "5xx", "p95 < 1s"]
ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(max_size=9)
    | st.sampled_from(SCALARS),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from([*SCALARS, "rate", "json"]), inner, max_size=2)
    ),
    max_leaves=4,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=300, deadline=None)
@given(st.sampled_from(places(WHOLE)), ANYTHING)
def test_whatever_stands_in_a_manifest_is_a_plan_or_a_usage_error(
    load_text: Load, path: tuple[str | int, ...], anything: object
) -> None:
    whole: Any = {"root": deepcopy(WHOLE)}
    holder = whole
    for step in ("root", *path)[:-1]:
        holder = holder[step]
    holder[("root", *path)[-1]] = anything
    with contextlib.suppress(UsageError):
        for _ in load_text(json.dumps(whole["root"]), {"X": "1"}, Overrides(rate_per_s=5.0)).requests():
            break


def test_the_manifests_user_info_stays_with_its_origin(load_text: Load) -> None:
    text = "version: 1\ntarget: {base_url: 'http://me:secret@host'}\nrequests: [{name: a, path: /p}]\n"
    assert "authorization" not in headers(one(load_text(text, {}, Overrides(base_url="http://other"))))
    assert "authorization" in headers(one(load_text(text, {}, NO_OVERRIDES)))
