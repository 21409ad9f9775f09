"""Whatever is wrong with a manifest is named where it stands, all at once, with what to do, and without a secret."""

import io
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from burstctl.errors import UsageError
from burstctl.exit_code import ExitCode
from burstctl.manifest.load import MAX_BYTES, load
from burstctl.manifest.overrides import Overrides

Refuse = Callable[..., str]

TARGET = "target: {base_url: 'http://h'}\n"
REQUEST = "requests:\n  - name: a\n    path: /p\n"
GOOD = f"version: 1\n{TARGET}{REQUEST}"


@pytest.mark.parametrize(
    ("text", "place", "message", "hint"),
    [
        ("", "1:1", "the file is empty", ""),
        ("- a\n", "1:1", "expected a mapping, found a list", ""),
        ("hello\n", "1:1", "expected a mapping, found 'hello'", ""),
        ("version: 1\n\ttarget: 1\n", "2:1", "a tab can't indent YAML", "use spaces"),
        (GOOD + "version: 1\n", "6:1", "the key version is there twice", "line 1"),
        ("version: 2\n" + TARGET + REQUEST, "1:10", "version: expected version 1, found 2", "version 1"),
        ("version: '1'\n" + TARGET + REQUEST, "1:10", "version: expected version 1, found '1'", "version 1"),
        ("version: 1\n" + REQUEST, "1:1", "target is missing", "base_url"),
        ("version: 1\n" + TARGET, "1:1", "requests is missing", "name and a path"),
        ("version: 1\ntarget: {}\n" + REQUEST, "2:9", "base_url is missing", "--base-url"),
        (GOOD.replace("    path: /p\n", ""), "4:5", "path is missing", "/predict"),
        (GOOD.replace("name: a", "method: GET"), "4:5", "name is missing", "predict"),
        # unknown keys at each level
        (GOOD + "ratelimit: 5\n", "6:1", "unknown key ratelimit", "did you mean rate_limit?"),
        (GOOD + "timeout: 5s\n", "6:1", "unknown key timeout", "timeout belongs under target"),
        (GOOD + "outputs: []\n", "6:1", "unknown key outputs", "known keys"),
        (GOOD.replace("'http://h'", "'http://h', tiemout: 3s"), "2:32", "unknown key tiemout", "timeout"),
        (GOOD.replace("'http://h'", "'http://h', tls: {cs: x}"), "2:38", "unknown key cs", "known keys: ca"),
        (GOOD.replace("'http://h'", "'http://h', timeout: {read: 1s}"), "2:42", "unknown key read", "connect"),
        (GOOD + "rate_limit: {rates: 5}\n", "6:14", "unknown key rates", "did you mean rate?"),
        (GOOD + "rate_limit: {rate: 5, pool: x}\n", "6:23", "unknown key pool", "known keys: rate"),
        (GOOD + "rate_limit: {rate: 5, jobs: 0}\n", "6:29", "expected a whole number from 1 to 10,000, or auto", ""),
        (GOOD + "rate_limit: {rate: 5, jobs: many}\n", "6:29", "whole number from 1 to 10,000, or auto", ""),
        (GOOD + "rate_limit: {rate: 5, split: rows}\n", "6:30", "expected none or requests", ""),
        (GOOD + "    metod: GET\n", "6:5", "unknown key metod", "did you mean method?"),
        (GOOD + "    rate_limit: 5\n", "6:5", "unknown key rate_limit", "at the top level"),
        (GOOD + "    expect: {sttus: 200}\n", "6:14", "unknown key sttus", "did you mean status?"),
        (GOOD + "retry: {attempts: 3}\n", "6:9", "unknown key attempts", "did you mean max_attempts?"),
        # wrong kinds and values
        (GOOD + "rate_limit: 0\n", "6:13", "more than 0, found 0", "300/s"),
        (GOOD + "rate_limit: -1\n", "6:13", "more than 0, found -1", "300/s"),
        (GOOD + "rate_limit: 1e9\n", "6:13", "expected at most 1,000,000/s", "300/s"),
        (GOOD + "rate_limit: 300rps\n", "6:13", "found '300rps'", "did you mean 300/s?"),
        (GOOD + "rate_limit: ten\n", "6:13", "rate_limit: expected a positive number", "300/s"),
        (GOOD + "rate_limit:\n", "6:12", "found nothing", "300/s"),
        (GOOD + "rate_limit: {rate: 5, max_in_flight: 0}\n", "6:38", "expected a whole number from 1", ""),
        (GOOD + "rate_limit: {controller: adpative}\n", "6:26", "expected adaptive or fixed", "did you mean adaptive?"),
        (GOOD + "    count: '5'\n", "6:12", "expected a whole number from 0", "remove the quotes"),
        (GOOD + "    count: -1\n", "6:12", "expected a whole number from 0", ""),
        (GOOD + "    count: 1.5\n", "6:12", "expected a whole number from 0", ""),
        (GOOD + "    count: true\n", "6:12", "found true", ""),
        (GOOD + "    timeout: soon\n", "6:14", "requests[0].timeout: expected a duration", ""),
        (GOOD + "    timeout: {total: 0}\n", "6:22", "requests[0].timeout.total: expected a duration", ""),
        (GOOD + "    method: PSOT\n", "6:13", "found 'PSOT'", "did you mean POST?"),
        (GOOD + "    headers: [a]\n", "6:14", "requests[0].headers: expected a mapping, found a list", ""),
        (GOOD + "    query: {t: 0.5}\n", "6:16", "expected text, found 0.5", "quote it"),
        (GOOD + "    safe: 'no'\n", "6:11", "expected true or false, found 'no'", ""),
        (GOOD + "    expect: {status: [200, 2x]}\n", "6:22", "expected a status such as 200", ""),
        (GOOD + "retry: {on: [tiemout]}\n", "6:14", "found 'tiemout'", "did you mean timeout?"),
        (GOOD + "retry: {max_attempts: 0}\n", "6:23", "expected a whole number from 1", ""),
        (GOOD + "thresholds: failed\n", "6:13", "thresholds: expected a list, found 'failed'", ""),
        (GOOD + "thresholds: [pp95 < 1s]\n", "6:14", "unknown metric pp95: did you mean p95?", ""),
        (GOOD + "thresholds: ['p95 < 200']\n", "6:14", "with its unit", ""),
        (GOOD + "thresholds:\n  - b: p95 < 1s\n", "7:5", "no request has the name b", "names: a"),
        (GOOD + "thresholds: ['aa: p95 < 1s']\n", "6:14", "no request has the name aa", "did you mean a?"),
        (GOOD + "name: ${row.x}\n", "6:7", "${row.x} can't stand here", "per-request"),
        # what contradicts itself
        (GOOD + "  - {name: a, path: /q}\n", "6:12", "another request has the name a", "names"),
        (GOOD + "    json: 1\n    body: x\n", "7:5", "json and body exclude each other", "keep one"),
        (GOOD + "    body: ${row.x}\n", "6:11", "${row.x} needs data", ".jsonl"),
        (GOOD + "    headers: {A: x, a: y}\n", "6:21", "the header a is there twice", "case"),
        # addresses
        ("version: 1\ntarget: {base_url: 'ftp://h'}\n" + REQUEST, "2:20", "expected an absolute http://", ""),
        ("version: 1\ntarget: {base_url: 'h:80'}\n" + REQUEST, "2:20", "absolute http://", "did you mean http://h:80?"),
        ("version: 1\ntarget: {base_url: 'http://'}\n" + REQUEST, "2:20", "with a host", ""),
        ("version: 1\ntarget: {base_url: 'http://h:99999'}\n" + REQUEST, "2:20", "port from 1 to 65535", ""),
        ("version: 1\ntarget: {base_url: 'http://h/?a=1'}\n" + REQUEST, "2:20", "without query", "target.query"),
        ("version: 1\ntarget: {base_url: 'http://h/a/../b'}\n" + REQUEST, "2:20", "without . and ..", ""),
        ('version: 1\ntarget: {base_url: "http://h\\r\\nx: y"}\n' + REQUEST, "2:20", "without blanks and control", ""),
        ("version: 1\ntarget: {base_url: 'http://h', proxy: 'socks5://h'}\n" + REQUEST, "2:39", "the proxy's", ""),
        (GOOD.replace("/p", "predict"), "5:11", "starts with /", ""),
        (GOOD.replace("/p", "http://evil/p"), "5:11", "such as /predict", "base_url's origin"),
        (GOOD.replace("/p", "//evil/p"), "5:11", "such as /predict", "base_url's origin"),
        (GOOD.replace("/p", "p/http://x"), "5:11", "starts with /", ""),
        (GOOD.replace("/p", "/a/../../p"), "5:11", "without . and .. segments", ""),
        (GOOD.replace("/p", "/a/%2E%2e/p"), "5:11", "without . and .. segments", ""),
        (GOOD.replace("/p", '"/p\\r\\nx: y"'), "5:11", "without control characters", ""),
        (GOOD.replace("/p", "/p#x"), "5:11", "without a fragment", "%23"),
        # headers
        (GOOD + '    headers: {x: "a\\nb"}\n', "6:18", "line break", "trailing"),
        (GOOD + "    headers: {'a b': x}\n", "6:15", "expected a header name", "letters"),
        (GOOD + "    headers: {Content-Length: 5}\n", "6:15", "Content-Length can't be set", "body"),
        (GOOD + "    headers: {transfer-encoding: chunked}\n", "6:15", "can't be set", "whole"),
        # files
        (GOOD + "    body_file: nope.bin\n", "6:16", "the file nope.bin does not exist", "relative"),
        (GOOD + "    body_file: .\n", "6:16", "the file . is not a file", "relative"),
        (GOOD + "    data: rows.txt\n", "6:11", "ends in .jsonl, .json, .csv", ""),
        (GOOD + "    data: nope.csv\n", "6:11", "the file nope.csv does not exist", "relative"),
        (GOOD.replace("'http://h'", "'http://h', tls: {ca: no.pem}"), "2:42", "no.pem does not exist", "relative"),
        (GOOD.replace("'http://h'", "'http://h', tls: {ca: m.yaml}"), "2:42", "holds no CA certificate", "PEM"),
        (GOOD.replace("'http://h'", "'http://h', tls: {cert: m.yaml}"), "2:37", "no client certificate", "PEM"),
        (GOOD.replace("'http://h'", "'http://h', tls: {key: m.yaml}"), "2:43", "a key needs its cert", "cert"),
        # interpolation
        (GOOD + "    count: ${N}\n", "6:12", "the environment variable N is not set", "--var N=VALUE"),
        (GOOD + "    count: ${N:?how many}\n", "6:12", "N is not set", "how many"),
        (GOOD + "    count: ${N:-few}\n", "6:12", "found 'few'", ""),
        (GOOD + "    count: ${N\n", "6:12", "never closed", "${NAME:-default}"),
        (GOOD + "    json: {n: ${N}}\n", "6:16", "not valid YAML", 'quotes: {key: "${NAME}"}'),
    ],
)
def test_each_fault_is_named_with_place_and_hint(
    refuse: Refuse, text: str, place: str, message: str, hint: str
) -> None:
    found = refuse(text)
    flat = " ".join(found.split())
    assert found.startswith("m.yaml: 1 problem, nothing was sent\n")
    assert f"m.yaml:{place}: " in flat
    assert message in flat
    assert hint in flat.partition("hint: ")[2]
    assert max(map(len, found.splitlines())) <= 100


FAULTY = """\
version: 2
target:
  base_urll: x
  base_url: ${UNSET}
rate_limit: 300rps
requests:
  - name: a
    path: nope
    count: "5"
  - name: a
    path: /p
    data: rows.jsonl
    json: {text: "${row.text}"}
thresholds:
  - b: p95 < 200ms
"""


def test_all_faults_are_reported_at_once_in_the_order_of_the_file(refuse: Refuse) -> None:
    found = refuse(FAULTY, files={"rows.jsonl": '{"text": "x"}\n{"txt": "y"}\n'})
    places = [line.split(": ")[0] for line in found.splitlines() if line.startswith("m.yaml:") and line[7].isdigit()]
    assert found.splitlines()[0] == "m.yaml: 8 problems, nothing was sent"
    assert [place.removeprefix("m.yaml:") for place in places] == [
        "1:10", "3:3", "4:13", "5:13", "8:11", "9:12", "10:11", "15:5",
    ]  # fmt: skip


def test_the_report_reads_well(refuse: Refuse) -> None:
    assert refuse(GOOD + "rate_limit: 300rps\nretry: {on: [tiemout]}\n") == textwrap.dedent("""\
        m.yaml: 2 problems, nothing was sent

        m.yaml:6:13: rate_limit: expected a positive number with an optional /s, /min or
          /h, found '300rps'
          6 | rate_limit: 300rps
            |             ^
          hint: did you mean 300/s?

        m.yaml:7:14: retry.on[0]: expected a status such as 503, a class such as 5xx, or
          a fault, found 'tiemout'
          7 | retry: {on: [tiemout]}
            |              ^
          hint: did you mean timeout?""")


def test_many_faults_do_not_flood(refuse: Refuse) -> None:
    found = refuse(GOOD + "".join(f"unknown_{n}: 1\n" for n in range(100)))
    assert found.startswith("m.yaml: 100 problems")
    assert found.endswith("… and 70 more")


@pytest.mark.parametrize(
    "text",
    [
        GOOD + "    headers: {authorization: [s3cr3t]}\n",
        GOOD + "    headers:\n      x-api-key:\n        - s3cr3t\n",
        GOOD + '    headers: {x-api-key: "s3cr3t\\n"}\n',
        GOOD + "    headers:\n      authorization: ${TOKEN}\n",
        GOOD + "    json:\n      a: ${TOKEN}\n    count: ${API_KEY}\n",
        GOOD + "    headers: {authorization: s3cr3t\n",
        GOOD.replace("'http://h'", "'ftp://user:s3cr3t@h'"),
        GOOD.replace("'http://h'", "'user:s3cr3t@h'"),
        GOOD.replace("'http://h'", "'http://user:s3cr3t@h:port'"),
        GOOD.replace("'http://h'", "'http://h', proxy: 'user:s3cr3t@h'"),
        GOOD.replace("'http://h'", "${BAD_URL}").replace("{base_url: ", "\n  base_url: ").replace("}}", "}"),
    ],
)
def test_no_message_shows_a_secret(refuse: Refuse, text: str) -> None:
    environ = {"TOKEN": "s3cr3t\n", "API_KEY": "s3cr3t", "BAD_URL": "ftp://me:s3cr3t@h"}
    assert "s3cr3t" not in refuse(text, environ)


ROW_FAULTS = [
    ("rows.jsonl", '{"x": 1}\n\n{"x": 1\n', "rows.jsonl:3 is not valid JSON"),
    ("rows.jsonl", '{"x": 1}\n[1]\n', "rows.jsonl:2 is not a JSON object"),
    ("rows.jsonl", '{"x": 1}\n{"y": 1}\n', "rows.jsonl:2: the row has no field x"),
    ("rows.jsonl", b'{"x": "\xff"}\n', "rows.jsonl:1 is not valid JSON"),
    ("rows.jsonl", '{"x": NaN}\n', "rows.jsonl:1 is not valid JSON"),
    ("rows.json", '[{"x": 1},\n 5]', "rows.json:2 is not a JSON object"),
    ("rows.json", '[{"x": 1},\n {"x" 1}]', "rows.json:2 is not valid JSON"),
    ("rows.json", '[{"x": "\\ud800"}]', "rows.json:1: holds text that is not valid Unicode"),
    ("rows.json", '[{"x": 1}', "rows.json:1 is not valid JSON"),
    ("rows.json", '[{"x": 1}] 1', "rows.json:1 is not valid JSON: there is more"),
    ("rows.json", '[{"x": NaN}]', "NaN is not JSON"),
    ("rows.json", '{"x": 1}', "is not a JSON array"),
    ("rows.json", "", "is not a JSON array"),
    ("rows.json", b"[\xff]", "rows.json is not UTF-8"),
    ("rows.json", "[" * 100_000, "rows.json:1 is not valid JSON"),
    ("rows.csv", "x,y\n1,2\n1\n", "rows.csv:3 has 1 fields, the header has 2"),
    ("rows.csv", 'x,y\n"a\nb",2\n1,"2\n', "rows.csv:4 is not valid CSV"),
    ("rows.csv", b"x\n\xff\n", "rows.csv:2 is not UTF-8"),
    ("rows.csv", "y\n1\n", "rows.csv:2: the row has no field x"),
    ("rows.csv", "x,x\n1,2\n", "each field needs a name of its own"),
    ("rows.csv", "", "rows.csv is empty"),
]


@pytest.mark.parametrize(("name", "content", "message"), ROW_FAULTS)
def test_a_broken_row_among_the_first_is_named_by_file_and_line(
    refuse: Refuse, name: str, content: str | bytes, message: str
) -> None:
    found = refuse(GOOD + f"    data: {name}\n    json: ['${{row.x}}']\n", files={name: content})
    assert "m.yaml:6:11: requests[0].data: " in found
    assert message in " ".join(found.split())


def attempt(path: str | Path, stdin: bytes = b"") -> UsageError:
    with pytest.raises(UsageError) as caught:
        load(str(path), stdin=io.BytesIO(stdin), environ={}, run_id="r", seed=0)
    assert caught.value.exit_code is ExitCode.USAGE
    return caught.value


def test_a_directory_is_no_manifest(tmp_path: Path) -> None:
    error = attempt(tmp_path)
    assert "is a directory" in error.message
    assert error.hint


def test_a_missing_file(tmp_path: Path) -> None:
    assert "no such file" in attempt(tmp_path / "none.yaml").message


def test_a_name_that_no_file_can_have() -> None:
    assert "can't be read" in attempt("a\0b").message


def test_a_file_behind_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    assert "can't be read: Not a directory" in attempt(tmp_path / "file" / "m.yaml").message


def test_a_binary_file(tmp_path: Path) -> None:
    (tmp_path / "m.yaml").write_bytes(bytes(range(256)) * 10)
    found = " ".join(attempt(tmp_path / "m.yaml").message.split())
    assert "not UTF-8 text" in found
    assert "binary" in found


def test_a_huge_manifest_is_refused_unread(tmp_path: Path) -> None:
    with (tmp_path / "m.yaml").open("wb") as file:
        file.truncate(50 * 2**20)
    error = attempt(tmp_path / "m.yaml")
    assert f"larger than {MAX_BYTES // 2**20} MiB" in error.message
    assert "data file" in (error.hint or "")


def test_standard_input_has_a_name() -> None:
    assert attempt("-", b"version: 3\n").message.startswith("<stdin>: 3 problems")


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        (Overrides(only=("b",)), "no request has the name b"),
        (Overrides(thresholds=("pp95 < 1s",)), "unknown metric pp95"),
        (Overrides(thresholds=("b: p95 < 1s",)), "no request has the name b"),
        (Overrides(base_url="h:1"), "did you mean http://h:1?"),
    ],
)
def test_what_the_command_line_gets_wrong(refuse: Refuse, overrides: Overrides, message: str) -> None:
    assert message in refuse(GOOD, overrides=overrides)


@pytest.mark.parametrize(
    "text",
    [
        'headers: "authorization: Bearer sk-canary"',
        'headers: {"Authorization: Bearer sk-canary": x}',
        "headers: {authorization: {a: sk-canary}}",
        'headers: ["x-api-key: sk-canary"]',
        "timeout: {x-api-key: sk-canary}",
    ],
)
def test_a_credential_in_the_wrong_place_is_not_repeated(text: str, tmp_path: Path) -> None:
    (tmp_path / "m.yaml").write_text(f"target:\n  base_url: http://h\n  {text}\n{REQUEST}")
    with pytest.raises(UsageError) as caught:
        load(str(tmp_path / "m.yaml"), stdin=io.BytesIO(), environ={}, run_id="r", seed=1)
    assert "m.yaml:3:" in caught.value.message
    assert "canary" not in caught.value.message
