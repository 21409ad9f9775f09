"""The table of truth: servers with a known nature, and what burstctl must say of each. Data; it plays nothing.

What decides is never the machine's speed: a tail is slow by its share of the requests and by tens of milliseconds, a
broken server breaks at a place that the table names. The bursts with chance in them are played twenty times.
"""

import gzip
import signal
from typing import Any

from .case import Case, ClockStep, Crowded, Signalled, Stalls, Truth
from .server.listen import Deaf, Nobody, Nowhere, Serving
from .server.nature import always, dying, first_tries, frozen, quota, ready_after, some, status, where
from .server.reply import Then, http, http_json
from .server.tls import authority_pem, context

NOISY = 20

LABEL_OK = {"expect": {"json": {"label": "ok"}}}
GOOD = Serving(always())
HANGING = Serving(always(b"", then=Then.HANG))


def timeout(seconds: float) -> dict[str, Any]:
    return {"target": {"timeout": f"{seconds}s"}}


ANSWERS = (
    Case("all-good", GOOD, Truth(0, 1200, 0, 0, seen={"200": 1200}), count=1200),
    Case("all-good-adaptive", GOOD, Truth(0, 300, 0, 0), count=300, rate="300/s", options=("--threshold=p95 < 200ms",)),
    Case("one-request", GOOD, Truth(0, 1, 0, 0), count=1),
    Case("no-content", Serving(always(http(204, b""))), Truth(0, 20, 0, 0, seen={"204": 20})),
    Case("empty-body", Serving(always(http(200, b""))), Truth(0, 20, 0, 0)),
    Case(
        "one-failure-in-1200",
        Serving(some(range(700, 701), status(500))),
        Truth(1, 1199, 1, 0, "failed <= 0%: observed 0.0833% (1 of 1,200)"),
        count=1200,
        options=("--max-attempts=1",),
    ),
    Case(
        "one-failure-in-1200-allowed",
        Serving(some(range(700, 701), status(500))),
        Truth(0, 1199, 1, 0),
        count=1200,
        options=("--max-attempts=1", "--threshold=failed <= 0.1%"),
    ),
    Case(
        "one-failure-in-1200-by-a-hair",
        Serving(some(range(700, 701), status(500))),
        Truth(1, 1199, 1, 0, "failed <= 0.083%"),
        count=1200,
        options=("--max-attempts=1", "--threshold=failed <= 0.083%"),
    ),
    Case(
        "errors-always",
        Serving(status(500)),
        Truth(1, 0, 20, 0, "20 of 20", seen={"500": 60}),
        options=("--max-attempts=3",),
    ),
    Case(
        "errors-that-retries-cure", Serving(first_tries(status(500))), Truth(0, 20, 0, 0, seen={"200": 20, "500": 20})
    ),
    Case(
        "errors-that-are-not-retried",
        Serving(first_tries(status(500))),
        Truth(1, 0, 20, 0, seen={"500": 20}),
        more={"retry": {"on": [503]}},
    ),
    Case(
        "errors-that-retries-cure-for-a-price",
        Serving(first_tries(status(502))),
        Truth(1, 20, 0, 0, "attempts_per_request <= 1.5: observed 2"),
        options=("--threshold=attempts_per_request <= 1.5",),
    ),
    Case("not-found", Serving(status(404)), Truth(1, 0, 20, 0, seen={"404": 20})),
    Case("unauthorized-where-expected", Serving(status(401)), Truth(0, 20, 0, 0), request={"expect": {"status": 401}}),
    Case(
        "redirect",
        Serving(always(http(302, b"", location="http://127.0.0.1:9/"))),
        Truth(1, 0, 20, 0, seen={"302": 20}),
    ),
    Case(
        "html-error-page-with-json-expected",
        Serving(status(502)),
        Truth(1, 0, 20, 0, seen={"502": 20}),
        request=LABEL_OK,
        options=("--max-attempts=1",),
    ),
    Case("quota-learnt", Serving(quota(100, 10)), Truth(0, 150, 0, 0), count=150, rate="300/s"),
    Case(
        "quota-learnt-but-429s-gated",
        Serving(quota(100, 10)),
        Truth(1, 60, 0, 0, "status.429 <= 0%"),
        count=60,
        rate="300/s",
        options=("--threshold=status.429 <= 0%",),
    ),
    Case(
        "quota-with-retry-after",
        Serving(first_tries(status(429, retry_after="1"))),
        Truth(0, 5, 0, 0, seen={"200": 5, "429": 5}),
        count=5,
    ),
    Case(
        "quota-of-nothing",
        Serving(status(429)),
        Truth(1, 0, 5, 0, seen={"429": 10}),
        count=5,
        options=("--max-attempts=2",),
    ),
    Case(
        "overload-with-retry-after",
        Serving(first_tries(status(503, retry_after="1"))),
        Truth(0, 5, 0, 0, seen={"200": 5, "503": 5}),
        count=5,
    ),
    Case(
        "overload-for-an-hour",
        Serving(status(503, retry_after="3600")),
        Truth(1, 0, 5, 0, seen={"503": 5}),
        count=5,
    ),
)

EXPECTATIONS = (
    Case(
        "status-not-expected",
        Serving(status(201)),
        Truth(1, 0, 20, 0, seen={"201": 20}),
        request={"expect": {"status": 200}},
    ),
    Case("json-as-expected", GOOD, Truth(0, 20, 0, 0), request=LABEL_OK),
    Case("json-not-expected", Serving(always(http_json({"label": "bad"}))), Truth(1, 0, 20, 0), request=LABEL_OK),
    Case(
        "json-with-an-error-frame", Serving(always(http_json({"error": "dead"}))), Truth(1, 0, 20, 0), request=LABEL_OK
    ),
    Case(
        "json-wrong-once",
        Serving(some(range(7, 8), always(http_json({"label": 1})))),
        Truth(1, 19, 1, 0),
        request=LABEL_OK,
    ),
    Case("json-broken", Serving(always(http(200, b'{"label": "ok"'))), Truth(1, 0, 20, 0), request=LABEL_OK),
    Case("json-nan", Serving(always(http(200, b'{"label": NaN}'))), Truth(1, 0, 20, 0), request=LABEL_OK),
    Case("json-empty", Serving(always(http(200, b""))), Truth(1, 0, 20, 0), request=LABEL_OK),
    Case(
        "header-not-expected",
        Serving(always(http(content_type="text/html"))),
        Truth(1, 0, 20, 0),
        request={"expect": {"headers": {"content-type": "application/json"}}},
    ),
    Case(
        "max-latency-broken-once",
        Serving(some(range(3, 4), always(ms=900))),
        Truth(1, 19, 1, 0),
        request={"expect": {"max_latency": "450ms"}},
    ),
)


def tail(name: str, slow: int, ms: float, gate: str, truth: Truth, times: int = NOISY) -> Case:
    """Answer 100 requests, so many of them so late."""
    server = Serving(some(range(20, 20 + slow), always(ms=ms)))
    return Case(name, server, truth, count=100, options=(f"--threshold={gate}",), times=times)


TIMES = (
    tail("p95-tail-just-small-enough", 5, 600, "p95 < 300ms", Truth(0, 100, 0, 0)),
    tail("p95-tail-just-too-large", 6, 600, "p95 < 300ms", Truth(1, 100, 0, 0, "p95 < 300ms: observed")),
    tail("p95-tail-just-fast-enough", 15, 360, "p95 < 400ms", Truth(0, 100, 0, 0)),
    tail("p95-tail-just-too-slow", 15, 440, "p95 < 400ms", Truth(1, 100, 0, 0, "p95 < 400ms: observed")),
    tail("p99-tail-just-small-enough", 1, 600, "p99 < 300ms", Truth(0, 100, 0, 0)),
    tail("p99-tail-just-too-large", 2, 600, "p99 < 300ms", Truth(1, 100, 0, 0, "p99 < 300ms: observed")),
    tail("max-broken-by-one", 1, 600, "max < 300ms", Truth(1, 100, 0, 0, "max < 300ms: observed"), times=1),
    tail("mean-held-by-many", 10, 600, "mean < 100ms", Truth(0, 100, 0, 0), times=1),
    Case(
        "freeze-of-the-server",
        Serving(frozen(after=120, for_s=0.8)),
        Truth(1, 450, 0, 0, "p95 < 300ms"),
        count=450,
        options=("--threshold=p95 < 300ms",),
        times=NOISY // 4,
    ),
    Case(
        "slow-answers-hidden-by-waiting",
        Serving(always(ms=40)),
        Truth(1, 40, 0, 0, "response.p95 < 300ms"),
        count=40,
        options=("--max-in-flight=1", "--threshold=p95 < 300ms", "--threshold=response.p95 < 300ms"),
    ),
    Case(
        "too-slow-for-a-rate",
        Serving(always(ms=50)),
        Truth(1, 30, 0, 0, "rate >= 100/s"),
        count=30,
        options=("--max-in-flight=1", "--threshold=rate >= 100/s"),
    ),
    Case(
        "too-few-samples-for-p99",
        GOOD,
        Truth(4, 99, 0, 0, "needs 100 samples and there are 99"),
        count=99,
        options=("--threshold=p99 < 9s",),
    ),
    Case("samples-enough-for-p99", GOOD, Truth(0, 100, 0, 0), count=100, options=("--threshold=p99 < 9s",)),
    Case(
        "too-few-samples-where-strict",
        GOOD,
        Truth(1, 19, 0, 0, "needs 20 samples"),
        count=19,
        options=("--threshold=p95 < 9s", "--strict"),
    ),
    Case(
        "too-few-samples-and-a-failure",
        Serving(some(range(1), status(404))),
        Truth(1, 18, 1, 0, "failed <= 0%"),
        count=19,
        options=("--threshold=p95 < 9s",),
    ),
    Case(
        "no-samples-at-all",
        Serving(status(404)),
        Truth(1, 0, 20, 0, "p95 < 9s: no data"),
        options=("--threshold=p95 < 9s", "--threshold=failed <= 100%"),
    ),
)

BROKEN = (
    Case(
        "truncated-by-length",
        Serving(always(http(body=b"x" * 9)[:-4], then=Then.CLOSE)),
        Truth(1, 0, 20, 0, seen={"reset": 20}),
        options=("--max-attempts=1",),
    ),
    Case(
        "truncated-in-a-chunk",
        Serving(always(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n9\r\nabc", then=Then.CLOSE)),
        Truth(1, 0, 20, 0, seen={"reset": 20}),
        options=("--max-attempts=1",),
    ),
    Case(
        "truncated-between-chunks",
        Serving(always(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n", then=Then.CLOSE)),
        Truth(1, 0, 20, 0, seen={"reset": 20}),
        options=("--max-attempts=1",),
    ),
    Case(
        "truncated-once-and-cured",
        Serving(first_tries(always(http(body=b"x" * 9)[:-4], then=Then.CLOSE))),
        Truth(0, 20, 0, 0, seen={"200": 20, "reset": 20}),
    ),
    Case(
        "answer-until-close", Serving(always(b"HTTP/1.1 200 OK\r\n\r\nall of it", then=Then.CLOSE)), Truth(0, 20, 0, 0)
    ),
    Case(
        "stream-that-stands-still",
        Serving(always(http(body=b"x" * 9)[:-4], then=Then.HANG)),
        Truth(1, 0, 20, 0, seen={"timeout": 20}),
        more=timeout(0.5),
        options=("--max-attempts=1",),
    ),
    Case("garbage", Serving(always(b"SSH-2.0-OpenSSH_9.6\r\n", then=Then.CLOSE)), Truth(3, 0, 20, 0, "protocol")),
    Case(
        "garbage-once",
        Serving(some(range(5, 6), always(b"\0\1\2\3 no HTTP\r\n\r\n", then=Then.CLOSE))),
        Truth(1, 19, 1, 0, seen={"200": 19, "protocol": 1}),
    ),
    Case(
        "body-beyond-its-bound",
        Serving(always(http(body=b"x" * 1025))),
        Truth(1, 0, 20, 0, seen={"too_large": 20}),
        more={"target": {"max_body": "1KiB"}},
    ),
    Case(
        "body-within-its-bound",
        Serving(always(http(body=b"x" * 1024))),
        Truth(0, 20, 0, 0),
        more={"target": {"max_body": "1KiB"}},
    ),
    Case(
        "compressed-beyond-its-bound",
        Serving(always(http(body=gzip.compress(bytes(2**20)), content_encoding="gzip"))),
        Truth(1, 0, 20, 0, seen={"too_large": 20}),
        more={"target": {"max_body": "64KiB"}},
    ),
    Case(
        "compressed-as-expected",
        Serving(always(http(body=gzip.compress(b'{"label": "ok"}'), content_encoding="gzip"))),
        Truth(0, 20, 0, 0),
        request=LABEL_OK,
    ),
    Case(
        "compression-broken",
        Serving(always(http(content_encoding="gzip"))),
        Truth(1, 0, 20, 0, seen={"decode": 20}),
    ),
    Case(
        "compression-cut",
        Serving(always(http(body=gzip.compress(b'{"label": "ok"}')[:-6], content_encoding="gzip"))),
        Truth(1, 0, 20, 0, seen={"decode": 20}),
    ),
)

ABSENT = (
    Case(
        "refused", Nobody(), Truth(3, 0, 20, 0, "no HTTP answer", seen={"connect": 40}), options=("--max-attempts=2",)
    ),
    Case("refused-for-ten-seconds", Nobody(), Truth(3, 0, says="no connection to the target in 10 s"), count=5000),
    Case(
        "silent",
        HANGING,
        Truth(3, 0, 20, 0, "timeout 20", seen={"timeout": 20}),
        more=timeout(0.5),
        options=("--max-attempts=1",),
    ),
    Case("deaf", Deaf(64), Truth(3, 0, 20, 0, "timeout 20"), more=timeout(0.5), options=("--max-attempts=1",)),
    Case(
        "deaf-and-crowded",
        Deaf(0),
        Truth(3, 0, 20, 0, "no HTTP answer"),
        more={"target": {"timeout": {"connect": "400ms", "total": "600ms"}}},
        options=("--max-attempts=1",),
    ),
    Case("unknown-name", Nowhere(), Truth(3, 0, 5, 0, "dns", seen={"dns": 5}), count=5, options=("--max-attempts=1",)),
    Case(
        "plain-where-tls-is-expected",
        Serving(always(), scheme="https"),
        Truth(3, 0, 20, 0, "tls"),
        options=("--max-attempts=1",),
    ),
    Case(
        "tls-where-plain-is-expected",
        Serving(always(), context, "http"),
        Truth(3, 0, 20, 0, "no HTTP answer"),
        options=("--max-attempts=1",),
    ),
    Case("tls-not-trusted", Serving(always(), context), Truth(3, 0, 20, 0, "tls 20"), options=("--max-attempts=1",)),
    Case(
        "tls-trusted",
        Serving(always(), context),
        Truth(0, 20, 0, 0),
        more={"target": {"tls": {"ca": "ca.pem"}}},
        files={"ca.pem": authority_pem()},
    ),
    Case(
        "closes-without-a-word",
        Serving(always(b"", then=Then.CLOSE)),
        Truth(3, 0, 20, 0, "reset 20"),
        options=("--max-attempts=1",),
    ),
    Case(
        "resets-every-connection",
        Serving(always(), slams=lambda connection: True),
        Truth(3, 0, 20, 0, "no HTTP answer to any of 20 attempts"),
        options=("--max-attempts=1",),
    ),
)

HALF_DEAD = (
    Case(
        "resets-every-second-connection",
        Serving(always(http(connection="close"), then=Then.CLOSE), slams=lambda n: n % 2 == 0),
        Truth(1, 10, 10, 0, "50% (10 of 20)"),
        options=("--max-attempts=1",),
        times=NOISY,
    ),
    Case(
        "resets-every-second-connection-and-retries-cure",
        Serving(always(http(connection="close"), then=Then.CLOSE), slams=lambda n: n % 2 == 0),
        Truth(0, 20, 0, 0),
        more={"retry": {"on": ["connect"], "max_attempts": 30}},
        times=NOISY // 4,
    ),
    Case(
        "answers-every-second-request",
        Serving(where(lambda asked: asked.arrival % 2 == 0, always(b"", then=Then.RESET))),
        Truth(1, 10, 10, 0, seen={"200": 10, "reset": 10}),
        options=("--max-attempts=1",),
        times=NOISY,
    ),
    Case(
        "dies-halfway",
        Serving(dying(30)),
        Truth(1, unsent=0, says="failed <= 0%"),
        count=60,
        options=("--max-attempts=2",),
        times=NOISY // 4,
    ),
    Case(
        "ready-late",
        Serving(ready_after(1.0)),
        Truth(0, 20, 0, 0, seen={"200": 20}),
        options=("--wait-ready=URL/healthz=20s",),
    ),
    Case("ready-late-and-not-awaited", Serving(ready_after(0.6)), Truth(0, 20, 0, 0)),
    Case(
        "ready-never",
        Serving(status(503)),
        Truth(3, 0, 0, 20, "was not ready within 1.0 s: status 503"),
        options=("--wait-ready=URL/healthz=1s",),
    ),
)

EARLY_ENDS = (
    Case(
        "deadline-without-a-single-answer",
        HANGING,
        Truth(3, 0, 20, 0, "deadline of 0.5 s reached: 20 cut off"),
        options=("--deadline=0.5s",),
    ),
    Case("deadline-held", GOOD, Truth(0, 20, 0, 0), options=("--deadline=30s",)),
    Case(
        "deadline-amid-answers",
        Serving(where(lambda asked: asked.index >= 10, always(b"", then=Then.HANG))),
        Truth(1, 10, says="deadline of 0.8 s reached"),
        count=2000,
        options=("--deadline=0.8s",),
    ),
    Case(
        "aborted",
        Serving(status(500)),
        Truth(1, 0, says="aborted by failed > 10%"),
        count=3000,
        options=("--abort=failed > 10%",),
    ),
    Case(
        "abort-not-needed",
        Serving(first_tries(status(503))),
        Truth(0, 300, 0, 0),
        count=300,
        options=("--abort=failed > 10%",),
    ),
    Case(
        "sigint", GOOD, Truth(130, failed=0, says="SIGINT received"), count=3000, meanwhile=Signalled(signal.SIGINT, 50)
    ),
    Case(
        "sigterm",
        GOOD,
        Truth(143, failed=0, says="SIGTERM received"),
        count=3000,
        meanwhile=Signalled(signal.SIGTERM, 50),
    ),
    Case(
        "sigterm-amid-failures",
        Serving(status(404)),
        Truth(143, 0, says="SIGTERM received"),
        count=3000,
        meanwhile=Signalled(signal.SIGTERM, 50),
    ),
)

EMPTY = (
    Case("empty-plan", GOOD, Truth(5, 0, 0, 0, "the plan is empty"), count=0),
    Case(
        "empty-data",
        GOOD,
        Truth(5, 0, 0, 0, "the plan is empty"),
        request={"data": "rows.jsonl"},
        files={"rows.jsonl": "\n"},
    ),
    Case(
        "empty-share",
        GOOD,
        Truth(5, 0, 0, 0, "share of the plan is empty"),
        count=2,
        options=("--jobs=3", "--job=3", "--split=requests"),
    ),
    Case("share-of-one", GOOD, Truth(0, 1, 0, 0), count=2, options=("--jobs=3", "--job=2", "--split=requests")),
)

USAGE = (
    Case("unknown-metric", GOOD, Truth(2, says="p59"), options=("--threshold=p59 < 1s",)),
    Case("unknown-request-name", GOOD, Truth(2, says="predict"), options=("--threshold=predcit: p95 < 1s",)),
    Case("unknown-metric-in-the-manifest", GOOD, Truth(2, says="checks"), more={"thresholds": ["checks >= 90%"]}),
    Case("unknown-key", GOOD, Truth(2, says="ensure"), more={"ensure": {"p95": 200}}),
    Case("unset-variable", GOOD, Truth(2, says="MISSING"), request={"path": "/${MISSING}"}),
    Case("missing-data", GOOD, Truth(2, says="rows.jsonl"), request={"data": "rows.jsonl"}),
    Case("bad-rate", GOOD, Truth(2, says="rate-limit"), options=("--rate-limit=fast",)),
    Case("unwritable-report", GOOD, Truth(2, says="missing/r.json"), options=("--report=json=missing/r.json",)),
)

SLOW_CLIENT = (
    Case(
        "starved-so-that-times-break",
        GOOD,
        Truth(4, 100, 0, 0, "burstctl's own lag"),
        count=100,
        options=("--threshold=p95 < 50ms",),
        meanwhile=Stalls(0.08, 0.1),
        times=NOISY,
    ),
    Case(
        "starved-so-that-load-is-not-delivered",
        GOOD,
        Truth(4, 150, 0, 0, "could not keep the pace"),
        count=150,
        options=("--threshold=p95 < 9s",),
        meanwhile=Stalls(0.08, 0.1),
        times=NOISY // 4,
    ),
    Case(
        "starved-where-strict",
        GOOD,
        Truth(1, 150, 0, 0, "could not keep the pace"),
        count=150,
        options=("--strict",),
        meanwhile=Stalls(0.08, 0.1),
    ),
    Case(
        "late-with-thresholds-held",
        GOOD,
        Truth(0, 300, 0, 0, warns="burstctl itself was late"),
        count=300,
        options=("--threshold=p95 < 9s",),
        meanwhile=Stalls(0.03, 0.3),
        times=NOISY,
    ),
    Case(
        "starved-yet-the-server-is-slower",
        Serving(always(ms=700)),
        Truth(1, 100, 0, 0, "p95 < 200ms: observed"),
        count=100,
        options=("--threshold=p95 < 200ms",),
        meanwhile=Stalls(0.08, 0.1),
        times=NOISY // 4,
    ),
    Case(
        "one-long-stall-breaks-p95",
        Serving(always(ms=100)),
        Truth(4, 300, 0, 0, "burstctl's own lag"),
        count=300,
        options=("--threshold=p95 < 300ms",),
        meanwhile=Stalls(0.45, 1.0, times=1, after=100),
        times=NOISY,
    ),
    Case(
        "one-long-stall-breaks-max",
        Serving(always(ms=40)),
        Truth(4, 600, 0, 0, "max < 200ms: observed"),
        count=600,
        options=("--threshold=max < 200ms",),
        meanwhile=Stalls(0.45, 1.0, times=1, after=100),
        times=NOISY // 4,
    ),
    Case(
        "one-stall-is-no-excuse-for-a-slow-server",
        Serving(some(range(50, 80), always(ms=1200))),
        Truth(1, 300, 0, 0, "p95 < 300ms: observed"),
        count=300,
        options=("--threshold=p95 < 300ms",),
        meanwhile=Stalls(0.2, 1.0, times=1, after=100),
        times=NOISY // 4,
    ),
    Case(
        "stalls-behind-a-full-window",
        Serving(always(ms=40)),
        Truth(4, 200, 0, 0, "burstctl's own lag"),
        count=200,
        options=("--max-in-flight=4", "--threshold=p95 < 70ms"),
        meanwhile=Stalls(0.1, 0.3),
        times=NOISY // 4,
    ),
    Case(
        "stalls-that-add-up-in-waiting",
        GOOD,
        Truth(4, 300, 0, 0, "response.p95 < 100ms: observed"),
        count=300,
        options=("--threshold=response.p95 < 100ms",),
        meanwhile=Stalls(0.06, 0.25),
        times=NOISY // 4,
    ),
    Case(
        "crowded-core",
        GOOD,
        Truth(4, 3000, 0, 0, "could not keep the pace"),
        count=3000,
        rate={"rate": "5000/s", "controller": "fixed"},
        options=("--threshold=p95 < 9s",),
        meanwhile=Crowded(3),
    ),
    Case(
        "clock-set-forward",
        GOOD,
        Truth(0, 300, 0, 0),
        count=300,
        rate="300/s",
        options=("--threshold=duration < 20s", "--threshold=p95 < 500ms"),
        meanwhile=ClockStep(3600),
    ),
    Case(
        "clock-set-back",
        GOOD,
        Truth(0, 300, 0, 0),
        count=300,
        rate="300/s",
        options=("--threshold=duration < 20s", "--threshold=p95 < 500ms"),
        meanwhile=ClockStep(-3600),
    ),
)

CASES = (*ANSWERS, *EXPECTATIONS, *TIMES, *BROKEN, *ABSENT, *HALF_DEAD, *EARLY_ENDS, *EMPTY, *USAGE, *SLOW_CLIENT)
