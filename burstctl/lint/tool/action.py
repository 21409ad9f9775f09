"""Finds load generators behind reusable steps: actions, orbs, tasks. Knows their inputs only."""

from burstctl.lint.document import Scalar
from burstctl.lint.job import Script, Use
from burstctl.pattern import pattern

_STEPS = (
    (pattern(r"grafana/(run-)?k6-action|k6io/action"), "k6 run {flags} {file}", ("filename", "path")),
    (pattern(r"artilleryio/action-cli"), "artillery {file}", ("command",)),
    (pattern(r".*/(jmeter-action|action-jmeter)"), "jmeter -n -t {file}", ("testFilePath", "testplan")),
    (pattern(r".*/locust-action"), "locust --headless -f {file}", ("locustfile", "LOCUSTFILE")),
    (pattern(r"k6io/test/test"), "k6 run {flags} {file}", ("script",)),
    (pattern(r"k6-load-test"), "k6 run {flags} {file}", ("filename",)),
)
_IMAGE = "docker://"


def command_of(use: Use) -> Script | None:
    """Give the command line that a reusable step stands for; None for one that fires nothing."""
    if use.name.startswith(_IMAGE):
        return _line(use, f"docker run {use.name.removeprefix(_IMAGE)} {_text(use, ('args',))}")
    name = use.name.partition("@")[0].lower()
    found = next((one for one in _STEPS if one[0].fullmatch(name)), None)
    if found is None:
        return None
    _, template, keys = found
    flags, file = _text(use, ("flags", "arguments", "args")), _text(use, keys)
    return _line(use, template.replace("{flags}", flags).replace("{file}", file))


def _line(use: Use, text: str) -> Script:
    # The line is written nowhere: all of it stands where the step is named.
    return Script((Scalar(use.span, text, text),), text, (0,), "uses")


def _text(use: Use, keys: tuple[str, ...]) -> str:
    found = next((use.inputs[key] for key in keys if key in use.inputs), None)
    return found.as_text.replace("\n", " ") if found else ""
