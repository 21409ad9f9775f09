"""One pipeline on the table of the rules, with what several of them ask for worked out once. Knows no rule."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterator, Sequence

from burstctl.light import field, state
from burstctl.lint.file import File
from burstctl.lint.interest import is_interesting
from burstctl.lint.pipeline import Pipeline
from burstctl.lint.project import Project
from burstctl.lint.settings import RATE_VARIABLES, Settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from burstctl.lint.fleet import Fleet
    from burstctl.lint.job import Job, Use, Variable
    from burstctl.lint.load import Load, Opaque, Scene, Storm
    from burstctl.lint.shell.model import Shell
    from burstctl.lint.survey import Survey


_LIMIT_NAME = (
    r"RATE_?LIMIT|(^|_)(RPS|QPS)(_|$)|ARRIVAL_?RATE|MAX_?RATE|REQUESTS_PER|REQUEST_RATE|(LOAD|BURST)_RATE|^RATE$"
)


@state
class Case:
    """A pipeline, the settings, the project's files."""

    pipeline: Pipeline
    settings: Settings
    project: Project
    rate_given: bool = False
    """Who sends this manifest says its rate."""
    _surveys: dict[int, Survey | None] = field(default_factory=dict)
    _shells: dict[str, Shell] = field(default_factory=dict)

    @property
    def fleet(self) -> Fleet:
        """Give what the files declare of a fleet."""
        if self.pipeline.fleet is None:
            from burstctl.lint.fleet import Fleet

            return Fleet()
        return self.pipeline.fleet

    def scenes(self, job: Job) -> Sequence[Scene]:
        """Give a job's scripts, and those that they run, read as shell; those that can't fire load are left out."""
        found = self._survey(job)
        return found.scenes if found else ()

    def loads(self, job: Job) -> Sequence[Load]:
        """Give all load that a job puts on servers."""
        found = self._survey(job)
        return found.loads if found else ()

    def storms(self, job: Job) -> Sequence[Storm]:
        """Give the requests of a job that are repeated without a pause until they are answered."""
        found = self._survey(job)
        return found.storms if found else ()

    def opaque(self, job: Job) -> Sequence[Opaque]:
        """Give the commands of a job whose work can't be followed."""
        found = self._survey(job)
        return found.opaque if found else ()

    def files(self) -> Iterator[File]:
        """Give the files of scripts that jobs run, beside the pipeline's own."""
        scenes = (scene for job in self.pipeline.jobs for scene in self.scenes(job) if scene.callers)
        return (piece.span.file for scene in scenes for piece in scene.script.pieces)

    def load_jobs(self) -> Iterator[tuple[Job, Sequence[Load]]]:
        """Give the jobs that fire any load."""
        return ((job, loads) for job in self.pipeline.jobs if (loads := self.loads(job)))

    def rate_variables(self, job: Job) -> list[Variable]:
        """Give the variables that hold a rate by their names, of the job itself and of every arm of its rules."""
        given = [*job.variables.values(), *(one for arm in job.arms for one in arm.variables.values())]
        return [one for one in given if self.is_rate_name(one.name)]

    def is_rate_name(self, name: str) -> bool:
        """Tell whether a variable of this name holds a rate."""
        return any(fnmatch.fnmatchcase(name.upper(), pattern.upper()) for pattern in self.settings.rate_variables)

    def is_limit_name(self, name: str) -> bool:
        """Tell whether a variable's name can only mean a rate limit, as those that the project names itself do."""
        if self.settings.rate_variables != RATE_VARIABLES:
            return self.is_rate_name(name)
        return bool(re.search(_LIMIT_NAME, name.upper()))

    def must_declare(self, job: Job) -> bool:
        """Tell whether the settings want a rate limit of this job, whatever it runs."""
        stage, settings = job.stage or "", self.settings
        return any(fnmatch.fnmatchcase(stage, one) for one in settings.stages) or any(
            fnmatch.fnmatchcase(job.name, one) for one in settings.jobs
        )

    def _own_rates(self, job: Job) -> list[Variable]:
        """Give the rates that are set for a job itself: the pipeline's are there for others, too."""
        return [one for one in self.rate_variables(job) if one.level not in ("global", "workflow", "default")]

    def suspects(self, job: Job) -> bool:
        """Tell whether a job is worth asking about load: by its words, its variables, or the settings."""
        return self._survey(job) is not None or bool(self.rate_variables(job)) or self.must_declare(job)

    def _survey(self, job: Job) -> Survey | None:
        """Read a job; None where no word of it speaks of load, so that the shell grammar need not be loaded."""
        key = id(job)
        if key not in self._surveys:
            suspect = self.must_declare(job) or any(self.is_limit_name(one.name) for one in self._own_rates(job))
            scripts = [one for one in job.scripts if is_interesting(one, job, self.project, suspect=suspect)]
            self._surveys[key] = None
            if scripts or _fires(job.uses):
                from burstctl.lint.survey import survey

                self._surveys[key] = survey(job, scripts, self.settings, self.project, self._shells)
        return self._surveys[key]


def _fires(uses: Sequence[Use]) -> bool:
    """Tell whether any reusable step stands for a command that fires load."""
    if not uses:
        return False
    from burstctl.lint.tool.action import command_of

    return any(command_of(use) for use in uses)
