"""No secret in any output: a server gives back all it got, in every form, and each output is read to the last byte."""

import base64
import html
import json
import urllib.parse
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from burstctl.report.registry import comparing_names, names, streaming_names
from burstctl.secret import Redactor

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


def test_no_format_of_a_saved_result_or_a_comparison_tells_a_secret(
    burstctl: Run, mirror: Any, write: Any, tmp_path: Path
) -> None:
    write(mirror(ANSWERS["500"]).url)
    saved = burstctl("run", "burst.yaml", "-q", "--report", "json=a.json", env=ENVIRONMENT)
    assert saved.code == 1
    (tmp_path / "b.json").write_bytes((tmp_path / "a.json").read_bytes())
    for command in (["show", "a.json"], ["merge", "a.json", "b.json"]):
        reports = [word for name in names() for word in ("--report", f"{name}={command[0]}.{name}")]
        done = burstctl("report", *command, *reports)
        assert done.code in (0, 1), done.err
        assert_silent(tmp_path, ("stdout", done.out), ("stderr", done.err))
    compared = [word for name in comparing_names() for word in ("--report", f"{name}=compare.{name}")]
    done = burstctl("report", "compare", "a.json", "b.json", *compared)
    assert_silent(tmp_path, ("stdout", done.out), ("stderr", done.err))


NAMED = """\
version: 1
name: smoke-${PLAIN}
target: {base_url: "http://127.0.0.1:9", headers: {x-a: "${PLAIN}"}}
retry: {max_attempts: 1}
requests:
  - {name: "with-${PLAIN}", path: /x}
  - {name: "with-cAnArYplain2tail7q", path: "/x/${PLAIN}"}
thresholds: ["with-${PLAIN}: p95 < 1s"]
"""


def test_a_secret_in_a_requests_name_is_told_nowhere_and_the_names_stay_apart(burstctl: Run, tmp_path: Path) -> None:
    (tmp_path / "burst.yaml").write_text(NAMED)
    env = {"PLAIN": "cAnArYplaintail7q", "GITHUB_STEP_SUMMARY": "step.md"}
    (tmp_path / "step.md").touch()
    done = burstctl("run", "burst.yaml", "-v", *every_report(), env=env)
    assert done.code == 3, done.err
    told = json.loads((tmp_path / "out.json").read_bytes())
    assert list(told["requests"]) == ["with-***", "with-cAnArYplain2tail7q"]
    for data in (done.out, done.err, *(data for _, data in artefacts(tmp_path))):
        assert b"canaryplaintail7q" not in data.lower()
    again = burstctl("run", "burst.yaml", "-q", "--only-failed", "out.ndjson", env=env)
    assert again.code == 3, again.err


@pytest.mark.parametrize(
    "wrong",
    [
        'target: {base_url: "${TOKEN}"}', 'target: {base_url: "http://h", timeout: "${TOKEN}"}',
        'rate_limit: "${TOKEN}"', 'rate_limit: {share: "redis://h?password=${TOKEN}"}',
        'deadline: "${TOKEN}"', 'version: "${TOKEN}"', 'retry: {max_attempts: "${TOKEN}", on: "${TOKEN}"}',
        'thresholds: ["${TOKEN}", "${TOKEN}: p95 < 1s", "p95 < ${TOKEN}"]',
        'requests: [{name: "${TOKEN}", path: /x}, {name: "${TOKEN}", path: "${TOKEN}", method: "${TOKEN}"}]',
        'requests: [{name: a, path: /x, data: "${TOKEN}", body_file: "${TOKEN}", expect: {status: "${TOKEN}"}}]',
        'target: {base_url: "http://h", headers: {x: "${TOKEN}\n"}, tls: {ca: "${TOKEN}"}, proxy: "${TOKEN}"}',
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_manifest_is_told_without_its_secrets(burstctl: Run, tmp_path: Path, wrong: str) -> None:
    key = wrong.partition(":")[0]
    sound = {"version": "1", "target": '{base_url: "http://127.0.0.1:9"}', "requests": "[{name: a, path: /x}]"}
    lines = [wrong, *(f"{name}: {value}" for name, value in sound.items() if name != key)]
    (tmp_path / "burst.yaml").write_text("\n".join(lines))
    for secret in ("cAnArYshorttail7q", "cAnArY" + "long" * 20 + "tail7q"):
        for command in ("run", "dry-run"):
            done = burstctl(command, "burst.yaml", env={"TOKEN": secret})
            assert done.code == 2, done.err
            assert not leaks(done.out + done.err)


ENCODE: Mapping[str, Callable[[str], str]] = {
    "as it is": str,
    "url": lambda text: urllib.parse.quote(text, safe=""),
    "form": urllib.parse.quote_plus,
    "html": html.escape,
    "json": lambda text: json.dumps(text)[1:-1],
    "text": lambda text: json.dumps(text, ensure_ascii=False)[1:-1],
    "php": lambda text: json.dumps(text)[1:-1].replace("/", "\\/"),
    "python": lambda text: repr(text)[1:-1],
    "latin-1": lambda text: text.encode().decode("latin-1"),
}


@given(
    odd=st.text(st.characters(min_codepoint=32, max_codepoint=0x10FFFF, exclude_categories=("Cs", "Cc")), max_size=8),
    ways=st.lists(st.sampled_from(sorted(ENCODE)), max_size=3),
    around=st.text(max_size=20),
)
@settings(max_examples=150, deadline=None)
def test_a_secret_is_found_whatever_it_was_put_through(odd: str, ways: list[str], around: str) -> None:
    secret = f"cAnArY{odd}tail7q"
    text = secret
    for way in ways[:1] + [way for way in ways[1:] if way != "latin-1"]:
        text = ENCODE[way](text)
    shown = Redactor([secret]).redact(f"{around} {text} {around}")
    assert "canary" not in shown.lower()
    assert "tail7q" not in shown.lower()


@given(before=st.binary(max_size=9), after=st.binary(max_size=9), url=st.booleans())
@settings(max_examples=100, deadline=None)
def test_a_secret_is_found_within_base64(before: bytes, after: bytes, url: bool) -> None:
    encode = base64.urlsafe_b64encode if url else base64.b64encode
    secret = "s3cr3t/+?>~é-token"
    text = encode(before + secret.encode() + after).decode()
    shown = Redactor([secret]).redact(text)
    assert "***" in shown
    assert len(shown) < len(text) - 4 * len(secret) // 3 + 6


@pytest.mark.parametrize("kept", range(4, 22))
def test_the_start_of_a_secret_is_found_where_a_text_was_cut(kept: int) -> None:
    secret = "sk/live&9f=é~token-end"
    for encode in ("as it is", "url", "html", "json"):
        cut = ENCODE[encode](secret)[:kept]
        if encode == "as it is" or len(cut) >= 12:
            assert Redactor([secret]).redact(f"you sent {secret}, {cut}…") == "you sent ***, ***…"
