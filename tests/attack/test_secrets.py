"""No secret in any output: a server gives back all it was sent, in every form, and each byte of every output is read."""

import base64
import html
import json
import urllib.parse
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from burstctl.cli.main import main
from burstctl.report.registry import comparing_names, names, streaming_names

Run = Callable[..., Any]
ODD = "/9f&<é>=\"'\\%+ z-tail7q"
"""What travels in another form nearly everywhere."""
SECRETS = {
    name: f"cAnArY{name.lower()}{ODD}"
    for name in ("HEADER", "COOKIE", "QUERY", "IN_PATH", "JSON", "BODY", "EXPECT", "CUSTOM")
}
LOGIN = ("cAnArYuser", "cAnArYpass&<é>:/tail7q")
ENVIRONMENT = {**SECRETS, "API_TOKEN": "cAnArYsegmenttail7q", "USER_NAME": LOGIN[0], "PASSWORD": LOGIN[1]}
MANIFEST = """\
version: 1
name: smoke
target:
  base_url: {url}
  headers: {{x-custom: "${{CUSTOM}}", x-api-key: cAnArY-literal-tail7q}}
  query: {{q: "${{QUERY}}"}}
rate_limit: {{rate: 100/s, controller: fixed}}
retry: {{max_attempts: 2}}
requests:
  - name: bearer
    path: /hook/${{API_TOKEN}}?also=${{IN_PATH}}
    headers: {{authorization: "Bearer ${{HEADER}}", cookie: "a=b; session=${{COOKIE}}"}}
    json: {{deep: ["${{JSON}}"]}}
    expect: {{json: {{label: "${{EXPECT}}"}}, headers: {{x-model: "${{EXPECT}}"}}}}
  - name: text
    path: /text
    body: "a ${{BODY}} b"
    expect: {{json: {{none: "${{EXPECT}}"}}}}
  - name: rows
    path: /rows
    data: rows.jsonl
    query: {{api_key: "${{row.t}}"}}
    headers: {{authorization: "Bearer ${{row.t}}"}}
thresholds: ["bearer: p95 < 1ms"]
"""


def forms(secret: str) -> Iterator[str]:
    """Give a secret in the forms in which it may come back."""
    yield from (secret, urllib.parse.quote(secret, safe=""), urllib.parse.quote_plus(secret))
    yield urllib.parse.quote(secret, safe="").replace("%2F", "%2f")
    yield from (html.escape(secret), html.escape(secret).replace("&#x27;", "&#39;").replace("&quot;", "&#34;"))
    yield from (json.dumps(secret), json.dumps(secret, ensure_ascii=False), json.dumps(json.dumps(secret)))
    yield json.dumps(secret).replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")
    yield json.dumps(secret).replace("/", "\\/")
    yield secret.encode().decode("latin-1")
    yield repr(secret)
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        encoded = encode(secret.encode()).decode()
        yield from (encoded, encoded.rstrip("="))


HELD = [*SECRETS.values(), "cAnArYsegmenttail7q", "cAnArY-literal-tail7q"]
LOGIN_SECRETS = [*LOGIN, ":".join(LOGIN)]
ROW = "cAnArYrow/&tail7q"
ALL = [*HELD, *LOGIN_SECRETS, ROW]
WORDS = [b"canary", b"tail7q"]
ENCODED = {
    encode(secret.encode()).rstrip(b"=")[:20]
    for secret in ALL
    for encode in (base64.b64encode, base64.urlsafe_b64encode)
}


def leaks(data: bytes) -> list[bytes]:
    """Find what gives a secret away, with what stands around it."""
    lower = data.lower()
    found = [lower[max(0, at - 60) : at + 30] for word in WORDS if (at := lower.find(word)) >= 0]
    return found + [encoded for encoded in ENCODED if encoded in data]


def artefacts(folder: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.name not in ("burst.yaml", "rows.jsonl"):
            yield path.name, path.read_bytes()


def assert_silent(folder: Path, *streams: tuple[str, bytes]) -> None:
    told = {name: found for name, data in (*streams, *artefacts(folder)) if (found := leaks(data))}
    assert not told


def echo(status: str) -> Callable[[bytes, bytes], bytes]:
    """Answer with everything that is known of the requests, in reason phrase, headers and body."""

    def answer(head: bytes, body: bytes) -> bytes:
        line, *lines = head.split(b"\r\n")
        sent = [value.partition(b": ")[2] for value in lines]
        held = [*HELD, *(LOGIN_SECRETS if b"Basic" in head else ()), *([ROW] if b"/rows" in line else ())]
        everything = [line, *sent, body, *(form.encode() for secret in held for form in forms(secret))]
        number = sum(body) % len(everything)
        # Another one each time would be too few: each secret must come first once, since excerpts are short.
        payload = b"\n".join(everything[number:] + everything[:number])
        value = SECRETS["HEADER"].encode("latin-1")
        names = (b"x-model", b"x-ratelimit-limit", b"retry-after", b"location", b"set-cookie", b"x-ratelimit-policy")
        headers = b"".join(name + b": " + value + b"\r\n" for name in names)
        return b"HTTP/1.1 %s %s\r\ncontent-length: %d\r\nconnection: close\r\n%s\r\n%s" % (
            status.encode(), value, len(payload), headers, payload,
        )  # fmt: skip

    return answer


def echo_json(_head: bytes, _body: bytes) -> bytes:
    """Answer 200 with JSON of nothing but secrets, keys included."""
    document = {"label": SECRETS["HEADER"], SECRETS["JSON"]: SECRETS["JSON"], "none": [SECRETS["BODY"]]}
    payload = json.dumps(document).encode()
    return b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\nconnection: close\r\n\r\n%s" % (len(payload), payload)


def broken(head: bytes, _body: bytes) -> bytes:
    """Answer with what is no HTTP: errors of a parser like to repeat what they stumbled on."""
    return head.replace(b"POST", SECRETS["HEADER"].encode())


ANSWERS: Mapping[str, Callable[[bytes, bytes], bytes]] = {
    "404": echo("404"), "429": echo("429"), "500": echo("500"), "200": echo("200"), "json": echo_json, "broken": broken,
}  # fmt: skip


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., None]:
    def write(url: str, *, login: bool = False) -> None:
        base = url.replace("http://", f"http://{'${USER_NAME}'}:{urllib.parse.quote(LOGIN[1], safe='')}@")
        (tmp_path / "burst.yaml").write_text(MANIFEST.format(url=json.dumps(base) if login else url))
        (tmp_path / "rows.jsonl").write_text(json.dumps({"t": ROW}) + "\n")

    return write


def every_report() -> list[str]:
    """Ask for a file of each format there is."""
    known = [*names(), *streaming_names()]
    return [word for name in known for word in ("--report", f"{name}=out.{name}")]


@pytest.mark.parametrize("level", ["-v", "-q", "--progress=lines"])
@pytest.mark.parametrize("answer", ANSWERS)
def test_a_run_tells_no_secret_in_any_format(
    burstctl: Run, mirror: Any, write: Any, tmp_path: Path, answer: str, level: str
) -> None:
    write(mirror(ANSWERS[answer]).url, login=level == "-q")
    (tmp_path / "step.md").touch()
    env = {**ENVIRONMENT, "GITHUB_STEP_SUMMARY": "step.md"}
    done = burstctl("run", "burst.yaml", level, *every_report(), "--responses", "answers.ndjson", env=env)
    assert done.code in (1, 3), done.err
    assert {f"out.{name}" for name in (*names(), *streaming_names())} <= {path.name for path in tmp_path.iterdir()}
    assert b"***" in (tmp_path / "out.json").read_bytes()
    assert_silent(tmp_path, ("stdout", done.out), ("stderr", done.err))


@pytest.mark.parametrize("options", [[], ["--offline"]], ids=["sent", "offline"])
@pytest.mark.parametrize("answer", ANSWERS)
def test_a_dry_run_tells_no_secret(
    burstctl: Run, mirror: Any, write: Any, tmp_path: Path, answer: str, options: list[str]
) -> None:
    for login in (False, True):
        write(mirror(ANSWERS[answer]).url, login=login)
        done = burstctl("dry-run", "burst.yaml", *options, env=ENVIRONMENT)
        assert done.code in (0, 1, 3), done.err
        assert_silent(tmp_path, ("stdout", done.out), ("stderr", done.err))
