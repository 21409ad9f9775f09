"""A server writes whatever it likes into bodies, headers and reason phrases: in no output is any of it obeyed."""

import csv
import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Mapping
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.openmetrics.parser import text_string_to_metric_families

from burstctl.report.registry import names, streaming_names

Run = Callable[..., Any]

EVIL: Mapping[str, bytes] = {
    "html": b"<script>alert(1)</script><img src=x onerror=y>\"'&lt;</td></textarea><!--",
    "cdata": b"]]><a/>&lt;&#0;<?xml?>",
    "ansi": b"\x1b[2J\x1b]0;owned\x07\x9b31m\xc2\x9b31m\x1b[0m",
    "github": b"::error file=a::pwned\n::error::pwned\n  ::set-output name=a::b\r\n::stop-commands::x\n##[error]x",
    "gitlab": b"\x1b[0Ksection_start:1:a[collapsed=true]\r\x1b[0Kheader\nsection_end:1:a\r\x1b[0K",
    "azure": b"##vso[task.complete result=Succeeded;]DONE\n##teamcity[buildStatus status='SUCCESS']",
    "formula": b"=cmd|' /C calc'!A0\n+1\n-1\n@sum\t=1",
    "dotenv": b"a\nBURSTCTL_VERDICT=pass\nFAKE=1",
    "openmetrics": b'a"} 1\n# EOF\nburstctl_verdict 1\n',
    "markdown": b"|a|`c`*d* @everyone #1 ~x~ [l](javascript:x) ![i](http://e/x.png)\n# h\n- [ ] x",
    "invalid": b"\xff\xfe\xc3\x28\xed\xa0\x80 \x00 \xef\xbf\xbe \xf4\x90\x80\x80",
    "bidi": "\u202egnp\u2066x\u2028y\u2029z\u200b\ufeff\U000e0041".encode(),
    "json": b'{"verdict": "pass"}\x00\\u0000 NaN',
    "rich": b"[bold]x[/bold] [link=http://e]y[/link] :smile: [/]",
}
MANIFEST = """\
version: 1
target: {{base_url: "{url}"}}
rate_limit: {{rate: 100/s, controller: fixed}}
retry: {{max_attempts: 2}}
requests:
  - {{name: status, path: /a}}
  - {{name: header, path: /200, expect: {{headers: {{x-evil: good}}}}}}
  - {{name: json, path: /json, expect: {{json: {{label: good, deep: {{a: 1}}}}}}}}
  - {{name: framing, path: /framing}}
  - {{name: raw, path: /raw}}
  - {{name: broken, path: /broken}}
thresholds: [p95 < 1s]
"""
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2028\u2029\u2066-\u2069\ufeff\ufffe\U000e0041]")


def answer_with(evil: bytes) -> Callable[[bytes, bytes], bytes]:
    """Put a text wherever one fits: reason phrase, headers, bodies, JSON keys and values, broken framing."""
    line = re.sub(rb"[\x00-\x1f\x7f]", b" ", evil)
    headers = b"".join(name + b": " + line + b"\r\n" for name in (b"x-evil", b"retry-after", b"x-ratelimit-limit"))

    def answer(head: bytes, _body: bytes) -> bytes:
        path = head.split(b" ", 2)[1]
        if path == b"/broken":
            return evil + b"\r\n\r\n" + evil
        if path == b"/raw":  # what no header can hold
            return b"HTTP/1.1 200 %s\r\nx-evil: %s\r\ncontent-length: 2\r\n\r\n{}" % (evil, evil)
        status, body = b"500", evil
        if path == b"/200":
            status = b"200"
        if path == b"/json":
            text = evil.decode("utf-8", "surrogateescape")
            status, body = b"200", json.dumps({"label": text, text: text, "deep": {"a": text, text: 1}}).encode()
        length = b"-7" + line if path == b"/framing" else b"%d" % len(body)
        start = b"HTTP/1.1 %s %s\r\ncontent-length: %s\r\nconnection: close\r\n" % (status, line, length)
        return start + headers + b"\r\n" + body

    return answer


def check_json(text: str) -> None:
    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    json.loads(text, parse_constant=refuse)


def check_xml(text: str) -> None:
    ET.fromstring(text)


def check_lines(text: str) -> None:
    for line in text.splitlines():
        check_json(line)


def check_markup(text: str) -> None:
    assert not re.search(r"<(script|img|a|!--)\b|javascript:[^<]*[\"']\s*>", text.lower())


def check_csv(text: str) -> None:
    rows = list(csv.reader(StringIO(text)))
    assert len({len(row) for row in rows}) == 1
    assert not any(cell.startswith(("=", "+", "@")) for row in rows for cell in row)


def check_dotenv(text: str) -> None:
    lines = text.splitlines()
    assert all(re.fullmatch(r"BURSTCTL_[A-Z0-9_]+=[a-z0-9.]*", line) for line in lines)
    assert "BURSTCTL_VERDICT=fail" in lines


def check_openmetrics(text: str) -> None:
    families = list(text_string_to_metric_families(text))  # type: ignore[no-untyped-call]
    assert text.count("# EOF") == 1
    assert [one.name for one in families].count("burstctl_verdict") == 1


def check_commands(text: str) -> None:
    assert all(re.match(r"::(error|warning|notice) title=burstctl", line) for line in text.splitlines())


READERS: Mapping[str, Callable[[str], object]] = {
    "json": check_json, "k6-summary": check_json, "ndjson": check_lines, "junit": check_xml, "html": check_markup,
    "markdown": check_markup, "csv": check_csv, "gitlab-dotenv": check_dotenv, "openmetrics": check_openmetrics,
    "github": check_commands,
}  # fmt: skip


def check_inert(name: str, data: bytes) -> None:
    """Hold a text against what its readers obey, whatever they are: a later format is held against it as well."""
    text = data.decode("utf-8")
    assert not CONTROL.search(text.replace("\r\n", "\n") if name == "csv" else text)
    if name != "github":
        assert not re.search(r"^[ \t]*::", text, re.MULTILINE)
    assert not re.search(r"##(\w*\[)", text)
    if name in READERS:
        READERS[name](text)


@pytest.mark.parametrize("kind", EVIL)
def test_what_a_server_writes_is_inert_in_every_format(burstctl: Run, mirror: Any, tmp_path: Path, kind: str) -> None:
    (tmp_path / "burst.yaml").write_text(MANIFEST.format(url=mirror(answer_with(EVIL[kind])).url))
    (tmp_path / "step.md").touch()
    known = [*names(), *streaming_names()]
    reports = [word for name in known for word in ("--report", f"{name}=out.{name}")]
    done = burstctl("run", "burst.yaml", "-v", *reports, env={"GITHUB_STEP_SUMMARY": "step.md"})
    assert done.code == 1, done.err
    check_inert("terminal", done.out)
    check_inert("terminal", done.err)
    check_inert("markdown", (tmp_path / "step.md").read_bytes())
    for name in known:
        check_inert(name, (tmp_path / f"out.{name}").read_bytes())
    for name in names():
        again = burstctl("report", "show", "out.json", "--report", f"{name}=-")
        assert again.code == 0, again.err
        check_inert(name, again.out)
    compared = burstctl("report", "compare", "out.json", "out.json")
    check_inert("terminal", compared.out)


@pytest.mark.parametrize("kind", EVIL)
def test_what_a_server_writes_is_inert_in_a_dry_run(burstctl: Run, mirror: Any, tmp_path: Path, kind: str) -> None:
    (tmp_path / "burst.yaml").write_text(MANIFEST.format(url=mirror(answer_with(EVIL[kind])).url))
    done = burstctl("dry-run", "burst.yaml")
    assert done.code == 1, done.err
    check_inert("terminal", done.out)
    check_inert("terminal", done.err)
