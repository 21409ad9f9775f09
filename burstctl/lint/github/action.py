"""Composite actions of the project: finds the file behind `uses: ./…` and what it declares. Knows no step."""

from collections.abc import Mapping as AbstractMapping

from burstctl.light import light
from burstctl.lint.document import Mapping, Scalar, Value
from burstctl.lint.file import Span
from burstctl.lint.gathered import Gathered
from burstctl.lint.github.expression import Result
from burstctl.lint.github.trigger import inputs_of
from burstctl.lint.look import inner, text_of
from burstctl.lint.pipeline import Hit

FILES = ("action.yml", "action.yaml")


@light
class Action:
    """A composite action."""

    body: Mapping
    key: Span
    """Where it begins."""
    inputs: AbstractMapping[str, Result]
    steps: Value | None


def open_action(folder: str, uses: Scalar, gathered: Gathered) -> Action | None:
    """Read the action of a folder; None where it is none of steps, or none that can be read."""
    for name in FILES:
        path = f"{folder}/{name}" if folder else name
        if gathered.is_there(path):
            opened = gathered.open(path, uses.span)
            return action_of(opened.body) if opened and opened.body else None
    message = f"the action `{uses.text}` isn't in the project, so it can't be read here"
    note_once(Hit("BL010", uses.span, message, key=uses.text), gathered)
    gathered.partial = True
    return None


def note_once(hit: Hit, gathered: Gathered) -> None:
    """Keep a hit at the first of all places that use the same."""
    if not any((one.code, one.key) == (hit.code, hit.key) for one in gathered.hits.values()):
        gathered.note(hit)


def action_of(body: Mapping) -> Action | None:
    """Give what a file declares; None for an action that is a program or an image."""
    runs = body.get("runs")
    if text_of(inner(runs, "using")) != "composite":
        return None
    steps = runs.entries["steps"] if isinstance(runs, Mapping) and "steps" in runs.entries else None
    key = body.entries["name"] if "name" in body.entries else body.entries["runs"]
    return Action(body, key.key.span, inputs_of(body.get("inputs")), steps.value if steps else None)
