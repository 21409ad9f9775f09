"""The page holds its form whatever the run was: well-formed, inert, bounded, and alone in a browser at any width."""

import json
import re
import shutil
import subprocess
import threading
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from html import unescape
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Protocol

import pytest

from burstctl.gate import Verdict, judge
from burstctl.report.html import render
from burstctl.summary import Cause, Figures, ProbeFigures, Rate, Second, SeriesFigures, Spread, Summary
from burstctl.threshold import parse_threshold

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
EVIL = (
    "</title></style></svg><script>alert(1)</script>",
    "\"' onmouseover=alert(1) x='",
    "<img src=//evil.example/x>",
    "&lt;script&gt;&#60;b>",
    "javascript:alert(1)",
    "]]><![CDATA[ --><!--",
    "\x1b[2J\x00\ud800\u202egnp\u2028\r\n::error::x",
)


class Situation(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def summary(self) -> Summary: ...
    @property
    def verdict(self) -> Verdict: ...


class Reader(HTMLParser):
    """Reads a page strictly: every tag that is opened is closed, in order."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(attrs) == len(dict(attrs)), f"an attribute twice: {tag}"
        self.elements.append((tag, dict(attrs)))
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def read(page: str) -> Reader:
    reader = Reader()
    reader.feed(page)
    reader.close()
    assert reader.open == []
    # Each drawing holds one inner picture.
    drawings = re.findall(r"<svg xmlns.*?</svg>.*?</svg>", page, re.DOTALL)
    assert 2 * len(drawings) == page.count("<svg")
    for drawing in drawings:
        ET.fromstring(drawing)
    return reader


def assert_inert(page: str) -> Reader:
    """Hold that nothing on it acts, loads or leaves."""
    reader = read(page)
    page.encode("utf-8")
    for tag, attributes in reader.elements:
        assert tag not in {"script", "link", "img", "iframe", "object", "embed", "form", "a", "base", "use", "image"}
        assert not {name for name in attributes if name.startswith("on")} | ({"src", "href", "style"} & set(attributes))
    [policy] = [one["content"] for _, one in reader.elements if one.get("http-equiv") == "Content-Security-Policy"]
    assert re.fullmatch(
        r"default-src 'none'; style-src 'sha256-\S{44}'; base-uri 'none'; form-action 'none'", policy or ""
    )
    assert "url(" not in page.split("</style>")[0]
    return reader


def long_run() -> Summary:
    """Give a run of an hour with thousands of names, many signals and long texts."""
    spread = Spread(10_000, 1, 9, 5, 6, 7, 8, 9, 10, 900, histogram=tuple((n * 1_000_000, 1) for n in range(1, 10_001)))
    one = Figures(9, 8, 1, attempts=90, retries=81, latency_ms=spread, failed_ms=spread, status={200: 8, 500: 82})
    causes = tuple(Cause(f"<cause {n}> {'&' * 900}", 1, "<" * 900) for n in range(500))
    points = tuple((n / 2, 1000.0 if n == 4001 else float(n % 7)) for n in range(7200))
    probe = ProbeFigures("sqs", 1.0, SeriesFigures(0, 3, 1000, 1), 2.0, 2.0, 7200, causes=causes, points=points)
    return Summary(
        name="&" * 5000,
        started_at="2025-01-31T03:00:00Z",
        duration_s=3600.0,
        total=replace(one, causes=causes, retry_causes=causes),
        requests={f"name {n} {'<' * 500}": one for n in range(5000)},
        rate=Rate(300.0, 299.0, 300),
        timeline=tuple(Second(t, 300, 299, t == 1801, t == 99, 40.0, 300.0, 20.0, 12) for t in range(3600)),
        settings={f"key {n}": "<" * 900 for n in range(1000)},
        notes=tuple(f"note {n}" for n in range(100)),
        probes={f"signal_{n}": probe for n in range(60)},
    )


def test_a_page_is_well_formed_and_inert(situation: Situation) -> None:
    page = render(situation.summary, situation.verdict)
    text = " ".join(assert_inert(page).text)
    assert page.startswith("<!doctype html>\n")
    assert situation.verdict.result.upper() in text
    for reason in situation.verdict.reasons:
        assert " ".join(reason.split())[:20] in text or not reason.isprintable()
    assert not re.search(r"\b(nan|inf|None)\b", page.split("Settings")[0])


def test_the_verdict_and_its_reasons_come_first(hostile_run: Summary) -> None:
    verdict = judge(hostile_run, [parse_threshold("failed <= 0%"), parse_threshold("p95 < 1ms")])
    reader = read(render(hostile_run, verdict))
    seen = [line for line in "".join(reader.text).split("</style>")[-1].splitlines() if line.strip()]
    at = {line: place for place, line in reversed(list(enumerate(seen)))}
    assert at["FAIL"] < at[verdict.reasons[0]] < at[verdict.reasons[1]] < at["Thresholds"] < at["Over time"]


@pytest.mark.parametrize("evil", EVIL)
def test_hostile_text_is_only_text_wherever_it_stands(evil: str, hostile_run: Summary) -> None:
    cause = Cause(evil, 3, evil)
    total = replace(hostile_run.total, causes=(cause,), retry_causes=(cause,), faults={evil: 1})
    probe = ProbeFigures(
        evil, 1.0, SeriesFigures(1, 1, 1, 1), causes=(cause,), points=((0.0, 1.0),), series={evil: SeriesFigures()}
    )
    summary = replace(
        hostile_run,
        name=evil,
        started_at=evil,
        ending_reason=evil,
        total=total,
        requests={evil: total, "b": total},
        settings={evil: {evil: [evil, {evil: evil}]}},
        notes=(evil,),
        probes={evil: probe},
    )
    verdict = replace(judge(summary, [parse_threshold("p95 < 1ms", evil)]), reasons=(evil,), warnings=(evil,))
    page = render(summary, verdict)
    assert_inert(page)
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2028\ud800]", page)
    assert not re.search(r"^[ \t]*::", page, re.MULTILINE)


def test_text_of_any_script_is_shown_as_it_is() -> None:
    name = "日本語 · résumé · עברית · 🚀"
    figures = Figures(1, 1, attempts=1, status={200: 1})
    summary = Summary(name, "2025-01-31T03:00:00Z", 0.1, figures, {name: figures}, Rate(300.0))
    assert "".join(read(render(summary, judge(summary, []))).text).count(name) == 3


def test_a_page_has_bounds_whatever_the_run_was() -> None:
    summary = long_run()
    thresholds = [parse_threshold("p95 < 1ms", f"name {n} {'<' * 500}") for n in range(1000)]
    page = render(summary, judge(summary, thresholds))
    text = unescape(page)
    assert_inert(page)
    assert len(page) < 1_500_000
    assert "and 4,800 more names, 4,800 of their requests failed or not sent; csv and json list all" in text
    assert "and 480 more causes" in text
    assert "and 800 more thresholds" in text
    # The one failure, the one 429 and the one peak of an hour.
    assert "failed 1, 429 0" in text
    assert "failed 0, 429 1" in text
    assert ": 1,000<" in page


def test_a_run_of_a_minute_makes_a_small_page(hostile_run: Summary) -> None:
    timeline = tuple(Second(t, 300, 299, 0, 1, 40.0, 300.0, 20.0, 12) for t in range(60))
    summary = replace(hostile_run, timeline=timeline)
    assert len(render(summary, judge(summary, []))) < 120_000


class Quiet(SimpleHTTPRequestHandler):
    """Serves a folder and remembers what was asked for."""

    asked: list[str]

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        self.asked.append(self.path)

    def log_error(self, *args: object) -> None:
        pass


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[tuple[Path, str, list[str]]]:
    """Give a folder, where a server on loopback offers it, and what was asked of it so far."""
    asked: list[str] = []
    handler = type("Handler", (Quiet,), {"asked": asked})
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=str(tmp_path))) as server:
        serving = threading.Thread(target=server.serve_forever)
        serving.start()
        yield tmp_path, f"http://127.0.0.1:{server.server_port}", asked
        server.shutdown()
        serving.join()


HARNESS = """<!doctype html><title>harness</title><body>{frames}<pre id=seen></pre><script>
onload = () => {{
  const look = frame => {{
    const page = frame.contentDocument, root = page.documentElement;
    const charts = [...page.querySelectorAll("svg.chart")].map(one => one.getBoundingClientRect());
    return {{name: frame.name, wide: root.scrollWidth, room: frame.contentWindow.innerWidth,
      styled: getComputedStyle(page.querySelector("main")).maxWidth, charts: charts.length,
      cramped: charts.filter(one => one.width < 200 || one.height < 100).length,
      verdict: page.querySelector("h1").getBoundingClientRect().bottom}};
  }};
  document.getElementById("seen").textContent = JSON.stringify([...document.querySelectorAll("iframe")].map(look));
}};
</script>"""


def browse(url: str, profile: Path, *options: str) -> str:
    assert CHROMIUM is not None
    command = [CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
    command += ["--no-first-run", f"--user-data-dir={profile}", "--window-size=1400,1000", *options, url]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")
def test_a_browser_shows_it_at_any_width_and_is_asked_for_nothing_else(
    folder: tuple[Path, str, list[str]], hostile_run: Summary
) -> None:
    place, url, asked = folder
    wide_name = replace(hostile_run, name="n" * 300, requests={"r" * 300: hostile_run.total, "b": hostile_run.total})
    runs: dict[str, Summary] = {"broken": hostile_run, "long": long_run(), "names": wide_name}
    for name, summary in runs.items():
        verdict = judge(summary, [parse_threshold("failed <= 0%"), parse_threshold("p95 < 200ms")])
        (place / f"{name}.html").write_text(render(summary, verdict), encoding="utf-8")
    widths: Sequence[int] = (1280, 390)
    frames = "".join(
        f'<iframe name="{name} {width}" width={width} height=800 frameborder=0 src="{name}.html"></iframe>'
        for name in runs
        for width in widths
    )
    (place / "harness.html").write_text(HARNESS.format(frames=frames))
    dom = browse(f"{url}/harness.html", place / "profile", "--dump-dom")
    found = re.search(r"<pre id=\"seen\">(.*?)</pre>", dom)
    assert found is not None
    seen = json.loads(unescape(found[1]))
    assert len(seen) == len(runs) * len(widths)
    for one in seen:
        assert one["wide"] <= one["room"], one
        assert one["styled"] == "1180px", "the policy kept the page's own style out"
        assert one["charts"] >= 5
        assert one["cramped"] == 0
        assert one["verdict"] < 300, "the verdict can be seen without scrolling"
    assert set(asked) - {"/favicon.ico"} == {"/harness.html", *(f"/{name}.html" for name in runs)}
