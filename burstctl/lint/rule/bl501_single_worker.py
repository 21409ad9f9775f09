"""BL501: a server with one worker. Knows servers, no file format."""

from collections.abc import Iterable

from burstctl.finding import Confidence, Severity
from burstctl.lint.case import Case
from burstctl.lint.fleet import Place, Server, Setting
from burstctl.lint.pipeline import Hit

CODE = "BL501"
SEVERITY = Severity.WARNING
CONFIDENCE = Confidence.CERTAIN
SUMMARY = "an application server runs with a single worker"
RATIONALE = """\
One worker serves one inference at a time, and the machine's other cores do nothing: everything else waits in its
queue. gunicorn and uvicorn start one worker unless told otherwise, by --workers or WEB_CONCURRENCY. In a container
one worker may be meant, where an orchestrator runs several: there it is a notice."""
EXAMPLE_PATH = "inference.service"
BAD = """\
[Unit]
Description=Inference API
After=network.target

[Service]
WorkingDirectory=/srv/inference
ExecStart=/srv/inference/venv/bin/gunicorn -k uvicorn.workers.UvicornWorker app:app
Restart=on-failure

[Install]
WantedBy=multi-user.target
"""
GOOD = """\
[Unit]
Description=Inference API
After=network.target

[Service]
WorkingDirectory=/srv/inference
ExecStart=/srv/inference/venv/bin/gunicorn --workers 4 -k uvicorn.workers.UvicornWorker app:app
Restart=on-failure

[Install]
WantedBy=multi-user.target
"""


def check(case: Case) -> Iterable[Hit]:
    """Look for servers with one worker, or with none given."""
    for server in case.fleet.servers:
        workers, threads = server.workers, server.threads
        if workers is not None and not workers.known:
            if server.place is Place.CONFIG:
                yield Hit(
                    CODE,
                    workers.span,
                    f"how many workers {server.program} runs {workers.source}",
                    severity=Severity.NOTICE,
                )
            continue
        if workers is not None and workers.number != 1:
            continue
        several = threads is not None and (not threads.known or (threads.number or 0) > 1)
        doubtful = several or server.place is Place.IMAGE or (workers is None and _is_doubtful(server))
        yield Hit(
            CODE,
            server.span if workers is None else workers.span,
            _describe(server, workers),
            hint=_hint(server, workers),
            severity=Severity.NOTICE if doubtful else None,
            confidence=Confidence.LIKELY if workers is None or workers.source else None,
            key=server.program,
        )


def _is_doubtful(server: Server) -> bool:
    return bool(server.doubt) or server.place is Place.CONFIG


def _describe(server: Server, workers: Setting | None) -> str:
    if workers is None and server.place is Place.CONFIG:
        return f"{server.program} runs one worker, unless its command line says more: workers is not set"
    if workers is None:
        doubt = f", as far as can be seen: {server.doubt}" if server.doubt else ""
        return f"{server.program} runs one worker: neither --workers nor WEB_CONCURRENCY is given{doubt}"
    source = workers.source if workers.span.file is server.span.file else ""
    return f"{server.program} runs one worker {source}".rstrip()


def _hint(server: Server, workers: Setting | None) -> str:
    hint = "give --workers, about one for each core that inference may use"
    if workers is not None and workers.span.file is not server.span.file:
        return f"{hint} ({server.span.file.path} starts it: {workers.source})"
    return hint
