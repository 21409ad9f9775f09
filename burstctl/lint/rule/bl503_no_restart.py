"""BL503: a unit that stays down when its server dies. Knows units, no file format."""

from collections.abc import Iterable

from burstctl.finding import Confidence, Severity
from burstctl.lint.case import Case
from burstctl.lint.edit import Edit, Fix
from burstctl.lint.pipeline import Hit

CODE = "BL503"
SEVERITY = Severity.NOTICE
CONFIDENCE = Confidence.CERTAIN
SUMMARY = "a unit doesn't restart its server"
RATIONALE = """\
Without Restart= systemd leaves a service down once its process dies, and a worker that runs out of memory in a burst
takes the instance with it until somebody looks. Set Restart=on-failure, or always."""
EXAMPLE_PATH = "inference.service"
BAD = """\
[Unit]
Description=Inference API
After=network.target

[Service]
WorkingDirectory=/srv/inference
ExecStart=/srv/inference/venv/bin/gunicorn --workers 4 app:app

[Install]
WantedBy=multi-user.target
"""
GOOD = """\
[Unit]
Description=Inference API
After=network.target

[Service]
WorkingDirectory=/srv/inference
ExecStart=/srv/inference/venv/bin/gunicorn --workers 4 app:app
Restart=on-failure

[Install]
WantedBy=multi-user.target
"""


def check(case: Case) -> Iterable[Hit]:
    """Look for units of servers without Restart=, or with one that says no."""
    for unit in case.fleet.units:
        if unit.restart is not None and unit.restart.word != "no":
            continue
        place = unit.section if unit.restart is None else unit.restart.span
        edit = Edit(unit.after, "\nRestart=on-failure") if unit.restart is None else Edit(place, "on-failure")
        yield Hit(
            CODE,
            place,
            f"{unit.name} stays down when its server dies" + (": it has no Restart=" if unit.restart is None else ""),
            hint="add Restart=on-failure",
            key=unit.name,
            fix=Fix("restart the server when it fails", (edit,), safe=True),
        )
