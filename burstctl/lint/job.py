"""A CI job in neutral words, whatever system runs it. Knows no dialect, no rule and no shell grammar."""

from bisect import bisect_right
from collections.abc import Mapping
from itertools import accumulate

from burstctl.light import field, light
from burstctl.lint.document import Scalar
from burstctl.lint.file import Span


@light
class Script:
    """Commands that run in one shell, joined by line feeds, each piece with its place in a file."""

    pieces: tuple[Scalar, ...]
    text: str
    """What the shell reads; as long as the pieces joined, so that places can be found."""
    starts: tuple[int, ...]
    section: str
    """The key that it stands under: `script`, `after_script`, `run`…"""
    shell: str = "sh"
    """`sh` for sh, bash and their kin; else the program's name (`pwsh`, `python`, `cmd`)."""
    folder: str = ""
    """Where it starts, below the project's root."""
    given: Mapping[str, str] = field(default_factory=dict)
    """Variables that are set for it alone: a step's own."""

    @classmethod
    def of(cls, pieces: tuple[Scalar, ...], section: str, *, shell: str = "sh", text: str | None = None) -> "Script":
        """Join pieces; `text` replaces what they hold where an expression had to be masked, and is equally long."""
        starts = accumulate((len(piece.text) + 1 for piece in pieces[:-1]), initial=0)
        joined = "\n".join(piece.text for piece in pieces) if text is None else text
        return cls(pieces, joined, tuple(starts), section, shell)

    def locate(self, start: int, end: int) -> Span:
        """Find a piece of `text` in its file; one that reaches over several pieces ends with the first file's last."""
        first = bisect_right(self.starts, start) - 1
        last = bisect_right(self.starts, max(start, end - 1)) - 1
        begin = self.pieces[first].locate(start - self.starts[first], start - self.starts[first] + 1)
        finish = self.pieces[last].locate(max(0, end - 1 - self.starts[last]), end - self.starts[last])
        if finish.file is not begin.file or finish.end < begin.start:
            return begin
        return Span(begin.file, begin.start, finish.end)


@light
class Variable:
    """An environment variable that a job is given."""

    name: str
    value: str | None
    """None: known only when the pipeline runs."""
    span: Span
    """Its value."""
    key: Span
    level: str
    """`job`, `matrix`, `global`, `rule`, `upstream`, `workflow`, `step`…"""
    plain: Scalar | None = None
    """The scalar as it is written, for what depends on quotes."""
    asked: bool = False
    """Whoever starts the pipeline is asked for it and may type any value."""


@light
class Arm:
    """One of several conditions under which a job runs, of which the first that holds decides."""

    span: Span
    variables: Mapping[str, Variable]
    runs: bool = True
    """False: `when: never`."""
    manual: bool = False


@light
class Use:
    """A step that isn't a script: a reusable action, task, orb or template."""

    name: str
    span: Span
    inputs: Mapping[str, Scalar] = field(default_factory=dict)


@light
class Job:
    """One job, with all that it inherits."""

    name: str
    key: Span
    """Its name, where the job is defined last."""
    own: tuple[Span, ...]
    """Its definitions: a text elsewhere is inherited."""
    scripts: tuple[Script, ...] = ()
    variables: Mapping[str, Variable] = field(default_factory=dict)
    """By name, the strongest level of each; without the arms'."""
    arms: tuple[Arm, ...] = ()
    stage: str | None = None
    instances: int | None = 1
    """How many run, by count or matrix; None: not known before the pipeline runs."""
    matrix: tuple[Mapping[str, str], ...] = ()
    """What the instances differ in; empty for a mere count."""
    spread: Span | None = None
    """Where the number of instances is said."""
    max_parallel: int | None = None
    """How many of the instances run at once; None: all."""
    numbered: int | None = None
    """How many the CI system counts together: each count in a matrix, all steps of a group; None: the instances."""
    group: str | None = None
    """The name under which the CI system runs one at a time: resource group, concurrency group."""
    needs: tuple[str, ...] | None = None
    """The jobs that it waits for; None: all earlier stages, or whatever is usual."""
    uses: tuple[Use, ...] = ()
    image: Scalar | None = None
    services: frozenset[str] = frozenset()
    """Host names that are local to the job."""
    environment: str | None = None
    tier: str | None = None
    manual: bool = False
    protected: bool = False
    timeout: Scalar | None = None
    retry: int = 0
    node_variables: frozenset[str] = frozenset()
    """Variables that tell an instance its number or their total."""
    total_variables: frozenset[str] = frozenset()
    """Variables by which the file itself tells an instance how many there are."""
    partial: bool = False
    """It inherits from something that can't be read, so what is missing may well be there."""
    parent: str | None = None
    """The job that starts the child pipeline, or calls the workflow, that this one belongs to."""
    event: str | None = None
    """What starts it: jobs of different events are in different pipelines; None: whatever starts the others."""
    possible: bool = False
    """Read by a mere scan of text."""
