"""BL502: a worker that may hang for ever, or for longer than anybody waits. Knows servers, no file format."""

from collections.abc import Iterable

from burstctl.finding import Confidence, Severity
from burstctl.lint.case import Case
from burstctl.lint.pipeline import Hit

CODE = "BL502"
SEVERITY = Severity.WARNING
CONFIDENCE = Confidence.CERTAIN
SUMMARY = "a worker's time-out is 0, or above the time after which the balancer hangs up"
RATIONALE = """\
gunicorn kills a worker that has not answered for --timeout seconds. With 0 it never does: a stuck inference holds
its worker for good. Above the balancer's idle time-out the worker goes on with a request whose client has long got a
504. That limit is the setting `balancer-idle-timeout`; as long as it isn't set, 60 s is taken, and more is a notice."""
EXAMPLE_PATH = "inference.service"
BAD = """\
[Unit]
Description=Inference API
After=network.target

[Service]
WorkingDirectory=/srv/inference
ExecStart=/srv/inference/venv/bin/gunicorn --workers 4 --timeout 0 app:app
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
ExecStart=/srv/inference/venv/bin/gunicorn --workers 4 --timeout 30 app:app
Restart=on-failure

[Install]
WantedBy=multi-user.target
"""


_USUAL_S = 60


def check(case: Case) -> Iterable[Hit]:
    """Look for time-outs of none, or longer than the balancer's."""
    told_s = case.settings.balancer_idle_timeout_s
    limit_s = _USUAL_S if told_s is None else told_s
    for server in case.fleet.servers:
        timeout_s = server.timeout.number if server.timeout else None
        if server.timeout is None or timeout_s is None or 0 < timeout_s <= limit_s:
            continue
        if timeout_s <= 0:
            message = f"{server.program} never gives up a worker that hangs: its time-out is 0"
            severity = None
        elif server.waits_by_itself:
            continue
        else:
            message = (
                f"{server.program} lets a worker go on for {timeout_s:g} s, the balancer hangs up after {limit_s:g} s"
            )
            severity = Severity.NOTICE if told_s is None else None
        yield Hit(
            CODE,
            server.timeout.span,
            message,
            hint=f"set it to {min(limit_s, 30):g} s, or to the longest inference and a little more",
            severity=severity,
            key=server.program,
        )
