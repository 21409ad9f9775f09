"""Finds load generators behind reusable steps: actions, orbs, tasks. Knows their inputs only."""

import re

from burstctl.lint.document import Scalar
from burstctl.lint.job import Script, Use

_STEPS = (
    (re.compile(r"grafana/(run-)?k6-action|k6io/action"), "k6 run {flags} {file}", ("filename", "path")),
    (re.compile(r"artilleryio/action-cli"), "artillery {file}", ("command",)),
    (re.compile(r".*/(jmeter-action|action-jmeter)"), "jmeter -n -t {file}", ("testFilePath", "testplan")),
    (re.compile(r".*/locust-action"), "locust --headless -f {file}", ("locustfile", "LOCUSTFILE")),
    (re.compile(r"k6io/test/test"), "k6 run {flags} {file}", ("script",)),
    (re.compile(r"k6-load-test"), "k6 run {flags} {file}", ("filename",)),
)


def command_of(use: Use) -> Script | None:
    """Give the command line that a reusable step stands for; None for one that fires nothing."""
    name = use.name.partition("@")[0].lower()
    found = next((one for one in _STEPS if one[0].fullmatch(name)), None)
    if found is None:
        return None
    _, template, keys = found
    flags, file = _text(use, ("flags", "arguments", "args")), _text(use, keys)
    text = template.replace("{flags}", flags).replace("{file}", file)
    # The line is written nowhere: all of it stands where the step is named.
    return Script((Scalar(use.span, text, text),), text, (0,), "uses")


def _text(use: Use, keys: tuple[str, ...]) -> str:
    found = next((use.inputs[key] for key in keys if key in use.inputs), None)
    return found.as_text.replace("\n", " ") if found else ""
