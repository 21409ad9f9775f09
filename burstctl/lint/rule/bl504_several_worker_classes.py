"""BL504: a server told two worker classes at once. Knows servers, no file format."""

from collections.abc import Iterable

from burstctl.finding import Confidence, Severity
from burstctl.lint.case import Case
from burstctl.lint.pipeline import Hit

CODE = "BL504"
SEVERITY = Severity.WARNING
CONFIDENCE = Confidence.CERTAIN
SUMMARY = "two worker classes are given at once, of which only the last counts"
RATIONALE = """\
gunicorn takes the last -k or --worker-class and says nothing about the others. Whoever wrote both wanted one of
them, and whoever reads the line can't tell which: with the order changed, an ASGI application runs in sync workers
and fails. Give one."""
EXAMPLE_PATH = "inference.service"
BAD = """\
[Unit]
Description=Inference API
After=network.target

[Service]
WorkingDirectory=/srv/inference
ExecStart=/srv/inference/venv/bin/gunicorn --workers 4 -k sync -k uvicorn.workers.UvicornWorker app:app
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
    """Look for servers with a second worker class that isn't the first."""
    for server in case.fleet.servers:
        names = [str(one.value) for one in server.classes]
        if len(set(names)) < 2:
            continue
        yield Hit(
            CODE,
            server.classes[-2].span,
            f"{server.program} is told {' and '.join(dict.fromkeys(names))} as worker class: only {names[-1]} counts",
            hint=f"leave only {names[-1]}, if that is the one",
            key=server.program,
        )
