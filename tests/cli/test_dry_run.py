"""`burstctl dry-run` from outside: real servers on loopback, judged by what is printed and by the exit code."""

import contextlib
import itertools
import json
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import trustme

Run = Callable[..., Any]
Fleet = Callable[..., Any]

GOLDEN = """\
version: 1
target: {base_url: "http://127.0.0.1:9"}
rate_limit: 300/s
requests:
  - {name: plain, path: /predict, json: {text: hello}, count: 1200}
  - name: golden
    path: /predict
    data: rows.jsonl
    json: {text: "${row.text}"}
    expect: {json: {label: "${row.label}", nested: [1, {deep: true}]}, headers: {x-model: bert}}
thresholds: [p95 < 1ms]
"""


class Server:
    """Answers every request alike, and keeps what came."""

    def __init__(self, body: bytes, status: int, headers: dict[str, str], delay_s: float, tls: Any) -> None:
        self.seen: list[tuple[float, str, dict[str, str], bytes]] = []
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                sent = self.rfile.read(int(self.headers.get("content-length", 0)))
                names = {name.lower(): value for name, value in self.headers.items()}
                server.seen.append((time.monotonic(), f"{self.command} {self.path}", names, sent))
                time.sleep(delay_s)
                self.send_response(status)
                for name, value in {"content-length": str(len(body)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                with contextlib.suppress(OSError):
                    self.wfile.write(body)

            def do_GET(self) -> None:
                self.do_POST()

            def log_message(self, *_: object) -> None:
                """Keep the tests' output clean."""

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        if tls is not None:
            self.http.socket = tls.wrap_socket(self.http.socket, server_side=True)
        self.url = f"http{'s' if tls else ''}://127.0.0.1:{self.http.server_address[1]}"


@pytest.fixture
def serve() -> Iterator[Callable[..., Server]]:
    """Start servers that answer as told."""
    servers: list[Server] = []

    def start(
        body: bytes = b"{}",
        status: int = 200,
        headers: dict[str, str] | None = None,
        delay_s: float = 0.0,
        tls: ssl.SSLContext | None = None,
    ) -> Server:
        server = Server(body, status, headers or {}, delay_s, tls)
        threading.Thread(target=server.http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        servers.append(server)
        return server

    yield start
    for server in servers:
        server.http.shutdown()
        server.http.server_close()


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., str]:
    """Write a manifest, and rows for it."""

    def write(text: str = GOLDEN, rows: int = 12) -> str:
        (tmp_path / "burst.yaml").write_text(text)
        lines = [json.dumps({"text": f"row {i}", "label": "good"}) for i in range(rows)]
        (tmp_path / "rows.jsonl").write_text("\n".join(lines))
        return "burst.yaml"

    return write


def one(url: str, more: str = "", entry: str = "") -> str:
    """Give the manifest of one request name."""
    request = f"  - {{name: predict, path: /predict, json: {{text: hello}}{entry}}}\n"
    return f"version: 1\ntarget:\n  base_url: {url}\nrate_limit: 100/s\nrequests:\n{request}{more}"


GOOD = json.dumps({"label": "good", "nested": [1, {"deep": True, "more": 1}], "rest": "x"}).encode()


def test_the_first_requests_of_each_name_are_sent_once_each_and_slowly(burstctl: Run, serve: Any, write: Any) -> None:
    server = serve(GOOD, headers={"x-model": "bert"})
    result = burstctl("dry-run", write(), "--base-url", server.url, "--sample", "4")
    assert result.code == 0, result.out
    bodies = [json.loads(sent)["text"] for _, _, _, sent in server.seen]
    assert sorted(bodies) == ["hello"] * 4 + [f"row {i}" for i in range(4)]
    moments = sorted(moment for moment, *_ in server.seen)
    assert moments[-1] - moments[0] >= 7 / 5 - 0.05
    assert all(later - earlier > 0.15 for earlier, later in itertools.pairwise(moments))
    assert result.out.startswith("PASS  8 of 8 sampled requests succeeded")
    assert f"golden, row 3  POST {server.url}/predict\n" in result.out
    assert re.search(r"\n  200 OK  latency [\d.]+ ms, first byte [\d.]+ ms, HTTP/1.1, no TLS\n", result.out)


def test_every_expectation_is_shown_with_what_was_seen(burstctl: Run, serve: Any, write: Any) -> None:
    body = json.dumps({"label": "bad", "nested": [1, {"deep": False, "unasked": 1}], "rest": "x"}).encode()
    server = serve(body, headers={"x-model": "gpt"})
    result = burstctl("dry-run", write(), "--base-url", server.url, "--only", "golden")
    assert result.code == 1
    assert result.out.startswith("FAIL  failed <= 0%: observed 100% (1 of 1)\n")
    assert "  ok      status 2xx: 200\n" in result.out
    assert '  broken  header x-model: expected "bert", found "gpt"\n' in result.out
    assert "  broken  json: json $.label is not as expected" in result.out
    assert '          -  "label": "good",\n' in result.out
    assert '          +  "label": "bad",\n' in result.out
    assert '          -      "deep": true\n' in result.out
    assert "unasked" not in result.out.split("answer")[0]
    assert '  answer  {"label": "bad"' in result.out


def test_a_slow_answer_breaks_no_threshold_but_is_warned_of(burstctl: Run, serve: Any, write: Any) -> None:
    server = serve(GOOD, headers={"x-model": "bert"}, delay_s=0.05)
    result = burstctl("dry-run", write(), "--base-url", server.url)
    assert result.code == 0
    assert "p95 < 1ms: a request alone took " in result.out


def test_there_is_one_attempt_whatever_the_manifest_retries(burstctl: Run, serve: Any, write: Any) -> None:
    server = serve(b"slow down", 503, {"retry-after": "1"})
    more = "retry: {on: [503], max_attempts: 10}\n"
    result = burstctl("dry-run", write(one(server.url, more)))
    assert result.code == 1
    assert len(server.seen) == 1
    assert "  503 Service Unavailable  latency" in result.out
    assert "  limits  retry-after: 1\n" in result.out
    assert "  answer  slow down\n" in result.out


def test_announced_limits_are_found_and_held_against_the_ceiling(
    burstctl: Run, fleet: Fleet, write: Any, tmp_path: Path
) -> None:
    with fleet("--quota", "50/s", "--policy-header") as running:
        result = burstctl("dry-run", write(one(running.url, entry=", count: 500")))
    assert result.code == 0
    assert "limits  ratelimit-policy: " in result.out
    assert "the ceiling of 100/s is above the 50/s that the endpoint announces" in result.out
    with fleet("--quota", "500/s", "--policy-header") as running:
        result = burstctl("dry-run", write(one(running.url, entry=", count: 500")))
    assert "announces" not in result.out


def test_the_plan_tells_what_the_run_will_take(burstctl: Run, serve: Any, write: Any) -> None:
    server = serve(delay_s=0.2)
    manifest = write(one(server.url, "deadline: 2s\nthresholds: [p99 < 10s]\n", ", count: 901"))
    result = burstctl("dry-run", manifest)
    assert "  901        predict, bodies of 16 B\n" in result.out
    assert "  takes      9.0 s at the least\n" in result.out
    in_flight = re.search(r"in flight  about (\d+) at the ceiling", result.out)
    assert in_flight is not None
    assert 20 <= int(in_flight[1]) <= 40  # 0.2 s at 100/s, and what a busy machine adds
    assert "the deadline of 2 s can't hold: the run takes 9.0 s at the least" in result.out
    result = burstctl("dry-run", manifest, "--offline", "--jobs", "3", "--job", "2", "--split", "requests")
    assert "job 2 of 3: 33/s, 300 of 901 requests" in result.out


def test_nobody_listening_is_unavailable(burstctl: Run, write: Any) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        result = burstctl("dry-run", write(one(f"http://127.0.0.1:{taken.getsockname()[1]}")))
    assert result.code == 3
    assert result.out.startswith("UNAVAILABLE  no HTTP answer to any of 1 attempts: connect 1\n")


def test_an_empty_plan_is_nothing_and_a_bad_manifest_usage(burstctl: Run, write: Any) -> None:
    assert burstctl("dry-run", write(one("http://127.0.0.1:9", entry=", count: 0"))).code == 5
    assert burstctl("dry-run", "burst.yaml", "--offline").code == 5
    result = burstctl("dry-run", write(one("http://127.0.0.1:9", "thresholds: [p98 < 1s]\n")), "--offline")
    assert (result.code, result.out) == (2, "")
    assert "burst.yaml:7:" in result.err
    assert burstctl("dry-run", "burst.yaml", "--sample", "0").code == 2


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_it_and_what_was_seen_is_shown(
    tmp_path: Path, serve: Any, write: Any, number: signal.Signals, code: int
) -> None:
    server = serve()
    command = [
        sys.executable,
        "-m",
        "burstctl",
        "dry-run",
        write(one(server.url, entry=", count: 50")),
        "--sample",
        "50",
    ]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        while len(server.seen) < 2:
            time.sleep(0.02)
        process.send_signal(number)
        out, _ = process.communicate(timeout=20)
    assert process.returncode == code
    assert out.startswith("INTERRUPTED  ")
    assert "predict  POST " in out


def test_tls_and_its_version_are_shown(burstctl: Run, serve: Any, write: Any, tmp_path: Path) -> None:
    ca = trustme.CA()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    ca.issue_cert("127.0.0.1").configure_cert(context)
    ca.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    server = serve(tls=context)
    result = burstctl("dry-run", write(one(f"{server.url}\n  tls: {{ca: ca.pem}}")))
    assert result.code == 0, result.out
    assert "HTTP/1.1, TLSv1.3\n" in result.out
    result = burstctl("dry-run", write(one(server.url)))
    assert result.code == 3
    assert "tls: " in result.out


def test_hostile_answers_are_inert_and_bounded(burstctl: Run, serve: Any, write: Any) -> None:
    hostile = b"\x1b[31m::error::x\n::error::y\r##vso[task.complete]\xff[bold]&lt;" + b"A" * 50_000
    limits = {"x-ratelimit-limit": "\x9b31m owned \xe2\x80\xae", "retry-after": "::set-output name=a::b"}
    server = serve(hostile, 500, limits)
    result = burstctl("dry-run", write(one(server.url, entry=", expect: {json: {a: 1}}")), env={"COLUMNS": "80"})
    assert result.code == 1
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", result.out)
    assert "owned" in result.out
    assert not re.search(r"^\s*::", result.out, re.MULTILINE)
    assert "##vso[" not in result.out
    assert len(result.out) < 4000
    assert all(len(line) <= 80 for line in result.out.splitlines())


def test_no_secret_is_shown_in_any_form(burstctl: Run, serve: Any, write: Any) -> None:
    secret = "canary/7 + \"quoted\" 'it'"
    echo = json.dumps({"you": secret, "auth": f"Bearer {secret}"}).encode()
    server = serve(echo, 500, {"x-ratelimit-limit": secret})
    manifest = write(
        one(
            f'{server.url}\n  headers: {{authorization: "Bearer ${{TOKEN}}", x-api-key: "k-${{TOKEN}}"}}\n'
            '  query: {q: "${TOKEN}", token: literal-credential}',
            entry=', expect: {json: {you: "${TOKEN}x"}}',
        ).replace("text: hello", 'text: "${TOKEN}"')
    )
    for offline in ([], ["--offline"]):
        result = burstctl("dry-run", manifest, *offline, env={"TOKEN": secret})
        assert result.code == (0 if offline else 1), result.err
        shown = result.out + result.err
        for part in ("canary", "quoted", "literal-credential"):
            assert part not in shown


def test_offline_prints_commands_that_send_what_the_run_would(
    burstctl: Run, serve: Any, write: Any, tmp_path: Path
) -> None:
    if shutil.which("curl") is None:
        pytest.skip("curl is not installed")
    server = serve()
    manifest = write(
        "version: 1\n"
        f"target:\n  base_url: '{server.url}/v1/'\n"
        "  headers: {authorization: 'Bearer ${TOKEN}', x-plain: it's \"$HOME\"}\n"
        "rate_limit: 100/s\n"
        "requests:\n"
        "  - {name: a, path: '/x/{y}[1-3]', query: {q: 'a b&c'}, json: {t: \"it's `id` $(id) \\\\ ! ${PLAIN}\"}}\n"
        "  - {name: b, path: /b, body: \"@line\\n\\tnext ${PLAIN}\\n\", headers: {x-empty: ''}}\n"
        "  - {name: c, path: /c, query: {token: '${PLAIN}'}}\n"
    )
    environ = {"TOKEN": 'se"cr$et `1`', "PLAIN": "plain-secret"}
    offline = burstctl("dry-run", manifest, "--offline", env=environ)
    assert offline.code == 0, offline.err
    assert not server.seen
    assert '"authorization: Bearer $TOKEN"' in offline.out
    script = offline.out.split("\n", 1)[1].split("\nPlan\n")[0]
    subprocess.run(
        ["bash", "-euc", script],
        env={"PATH": "/usr/bin:/bin", "HOME": "/nowhere", **environ},
        cwd=tmp_path,
        check=True,
        capture_output=True,
        timeout=30,
    )
    assert burstctl("dry-run", manifest, env=environ).code == 0
    by_curl, by_us = server.seen[:3], server.seen[3:]
    assert len(by_us) == 3
    ours = {"x-request-id", "idempotency-key", "accept"}
    for (_, line, headers, body), (_, own_line, own_headers, own_body) in zip(by_curl, by_us, strict=True):
        assert (line, body) == (own_line, own_body)
        assert {k: v for k, v in headers.items() if k not in ours} == {
            k: v for k, v in own_headers.items() if k not in ours
        }


def test_offline_asks_nobody_not_even_for_a_name(burstctl: Run, write: Any, tmp_path: Path) -> None:
    manifest = write(one("https://nowhere.invalid"))
    (tmp_path / "sitecustomize.py").write_text(
        "import atexit, os, sys\n"
        "sys.addaudithook(lambda event, _: event in ('socket.connect', 'socket.getaddrinfo') and os._exit(99))\n"
        "atexit.register(lambda: 'uvloop' in sys.modules and os._exit(98))\n"  # whose sockets no hook sees
    )
    result = burstctl("dry-run", manifest, "--offline", env={"PYTHONPATH": str(tmp_path)})
    assert result.code == 0, result.err
    assert "nothing was sent" in result.out.splitlines()[0]


def test_login_in_the_base_url_becomes_curls_own_option(burstctl: Run, write: Any) -> None:
    manifest = write(one("http://${USER_NAME}:${PASSWORD}@127.0.0.1:9"))
    result = burstctl("dry-run", manifest, "--offline", env={"USER_NAME": "anna-user", "PASSWORD": "canary-pass"})
    assert '--user "$USER_NAME:$PASSWORD"' in result.out
    assert "canary" not in result.out
    assert "anna" not in result.out


def test_the_manifest_may_come_by_standard_input_and_options_by_the_environment(burstctl: Run, serve: Any) -> None:
    server = serve()
    result = burstctl(
        "dry-run",
        "-",
        stdin=one("http://127.0.0.1:9", entry=", count: 5"),
        env={"BURSTCTL_DRY_RUN_BASE_URL": server.url, "BURSTCTL_DRY_RUN_SAMPLE": "2"},
    )
    assert result.code == 0, result.err
    assert len(server.seen) == 2


def test_a_row_that_can_not_be_sent_fails_with_its_place(burstctl: Run, write: Any, tmp_path: Path) -> None:
    manifest = write(one("http://127.0.0.1:9", entry=', data: rows.jsonl, headers: {x-row: "${row.text}"}'))
    (tmp_path / "rows.jsonl").write_text('{"text": "a\\nb"}\n')
    for offline in ([], ["--offline"]):
        result = burstctl("dry-run", manifest, *offline)
        assert result.code == 1, result.out
        assert "control character into the header x-row" in result.out
        assert "rows.jsonl:1" in result.out


def test_large_uploads_are_warned_of(burstctl: Run, write: Any, tmp_path: Path) -> None:
    (tmp_path / "image.bin").write_bytes(bytes(2_000_000))
    manifest = write(
        "version: 1\ntarget: {base_url: 'http://127.0.0.1:9'}\nrate_limit: 100/s\n"
        "requests: [{name: image, path: /p, body_file: image.bin, count: 1000}]\n"
    )
    result = burstctl("dry-run", manifest, "--offline")
    assert "image: 1,000 × 2 MB are 2 GB to send, up to 200 MB per second" in result.out
    assert "# set BODY_FILE: a file with the body, 2,000,000 bytes" in result.out


def test_only_asked_for_colours_are_written(burstctl: Run, write: Any) -> None:
    manifest = write(one("http://127.0.0.1:9"))
    assert "\x1b[" not in burstctl("dry-run", manifest, "--offline").out
    assert "\x1b[" in burstctl("dry-run", manifest, "--offline", "--color", "always").out
