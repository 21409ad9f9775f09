"""Which variables of a job hold its rate, and whether anything reads them. Knows no rule."""

import re
from collections.abc import Iterator

from burstctl.lint.case import Case
from burstctl.lint.job import Job, Variable
from burstctl.lint.load import Kind
from burstctl.lint.project import Refused

_FIGURE = r"[-+]?[\d.][\w.,:/+-]{0,23}|[-+]?\.?(inf|infinity|nan)|unlimited|none|off|on|yes|no|true|false"


def declared_rates(case: Case, job: Job) -> list[Variable]:
    """Give the variables that bound a job's rate: by a name that means nothing else, or read by a command."""
    return [one for one in case.rate_variables(job) if case.is_limit_name(one.name) or is_read(case, job, one.name)]


def is_read(case: Case, job: Job, name: str) -> bool:
    """Tell whether any text that a job runs speaks of a variable."""
    word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    return any(_speaks(word, text) for text in _texts(case, job))


def _texts(case: Case, job: Job) -> Iterator[str]:
    yield from (scene.script.text for scene in case.scenes(job))
    for load in case.loads(job):
        if load.path is None:
            continue
        try:
            file = case.project.read(load.path)
        except Refused:
            continue
        if file is not None:
            yield file.text


def _speaks(word: re.Pattern[str], text: str) -> bool:
    """Tell whether a text uses a name other than to print it or to set it."""
    for match in word.finditer(text):
        line = text[text.rfind("\n", 0, match.start()) + 1 : match.start()].lstrip()
        if not line.startswith(("#", "//", "echo ", "printf ")) and text[match.end() : match.end() + 1] != "=":
            return True
    return False


def needs_rate(case: Case, job: Job) -> bool:
    """Tell whether a job's load takes its rate from the job, if from anywhere."""
    return any(load.inference and load.kind is not Kind.BURSTCTL for load in case.loads(job))


def show(text: str) -> str:
    """Show a rate as it is written; whatever is no figure stays unsaid, since it may be anything."""
    return repr(text) if re.fullmatch(_FIGURE, text, re.IGNORECASE) else "its value"
