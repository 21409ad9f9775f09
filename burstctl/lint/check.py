"""The flow of a lint run: files → pipelines → hits → findings. Knows no dialect and no format by name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase

from burstctl.finding import Confidence, Finding, Origin, Severity
from burstctl.light import field, replace, state
from burstctl.lint.case import Case
from burstctl.lint.dialect.registry import Dialects
from burstctl.lint.file import File
from burstctl.lint.pipeline import Hit, Pipeline
from burstctl.lint.project import Project, Refused
from burstctl.lint.result import Result, Suppressed
from burstctl.lint.rule.choice import relevant
from burstctl.lint.rule.registry import codes, load
from burstctl.lint.secrets import secrets_of
from burstctl.lint.settings import Settings
from burstctl.lint.shown import plain, visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from burstctl.lint.edit import Fix
    from burstctl.lint.rule.registry import Rule


def check(paths: Sequence[str], project: Project, settings: Settings) -> Result:
    """Check files, given by their paths below the project's root, and the manifests that their jobs send."""
    found = _Found(settings, codes())
    asked = [code for code in found.known if _selected(code, settings)]
    known = Dialects()
    manifests: dict[str, bool] = {}
    for path in known.roots(paths, project):
        pipeline = read_pipeline(path, project, settings, known)
        if pipeline.manifest is not None:
            manifests.setdefault(path, False)
            continue
        case = Case(pipeline, settings, project)
        found.take(case, asked)
        for name, rate_given in _named_manifests(case):
            manifests[name] = manifests.get(name, False) or rate_given
    for path, rate_given in manifests.items():
        found.take(Case(read_pipeline(path, project, settings, known), settings, project, rate_given), asked)
    return found.result(project, asked)


def read_pipeline(path: str, project: Project, settings: Settings, known: Dialects | None = None) -> Pipeline:
    """Read one pipeline in the dialect that its path and first lines show; what can't be read is a hit of BL001."""
    from burstctl.lint.document import Unreadable

    try:
        file, refused = project.read(path), "there is no such file"
    except Refused as refusal:
        file, refused = None, str(refusal)
    if file is None:
        empty = File.of(path, "")
        return Pipeline("unknown", empty, files=(empty,), hits=(Hit("BL001", empty.line_span(), refused),))
    dialect = (known or Dialects()).of(file)
    try:
        if dialect is not None:
            return dialect.read(file, project, settings)
        _refuse_broken(file)
        hit = Hit("BL001", file.line_span(), "this is no CI file that lint knows")
    except Unreadable as error:
        hit = Hit("BL001", error.span, error.reason, hint=error.hint)
    return Pipeline("unknown" if dialect is None else dialect.NAME, file, files=(file,), hits=(hit,))


def _refuse_broken(file: File) -> None:
    """Raise `Unreadable` for YAML that is broken: that is the better reason why nobody knows the file."""
    if file.path.endswith((".yml", ".yaml")):
        from burstctl.lint.compose import read_yaml

        read_yaml(file)


def _named_manifests(case: Case) -> Iterable[tuple[str, bool]]:
    if not any("burstctl" in script.text for job in case.pipeline.jobs for script in job.scripts):
        return ()
    from burstctl.lint.manifest.named import named_manifests

    return named_manifests(case)


def _selected(code: str, settings: Settings) -> bool:
    chosen = not settings.select or code.startswith(settings.select)
    return chosen and not code.startswith(settings.ignore or ("\0",))


def _doubted(rule: Rule, hit: Hit) -> Hit:
    """Give a hit in a text that was merely scanned: nothing there is proved, so it is one step milder."""
    severity = Severity.WARNING if (hit.severity or rule.SEVERITY) is Severity.ERROR else Severity.NOTICE
    return replace(hit, severity=severity, confidence=Confidence.POSSIBLE)


@state
class _Found:
    """What has been found so far."""

    settings: Settings
    known: Mapping[str, str]
    """The rules' modules by their codes."""
    findings: dict[tuple[object, ...], Finding] = field(default_factory=dict)
    """By place: a file that two pipelines include is shown once."""
    fixes: dict[str, Fix] = field(default_factory=dict)
    files: dict[str, File] = field(default_factory=dict)
    ordinals: dict[str, int] = field(default_factory=dict)
    keys: dict[tuple[str, int], str] = field(default_factory=dict)
    """The job whose key stands on a line of a file."""
    secrets: dict[str, None] = field(default_factory=dict)
    rules: dict[str, Rule] = field(default_factory=dict)

    def take(self, case: Case, asked: Iterable[str]) -> None:
        """Ask the rules of these codes about one pipeline."""
        pipeline = case.pipeline
        rules = [self._rule(code) for code in relevant(asked, case)]
        scanned = {job.name for job in pipeline.jobs if job.possible}
        hits = [
            (rule, _doubted(rule, hit) if hit.job in scanned else hit) for rule in rules for hit in rule.check(case)
        ]
        self.files.update((file.path, file) for file in (*pipeline.files, *case.files()))
        self.secrets.update(dict.fromkeys(secrets_of(pipeline)))
        for job in pipeline.jobs:
            self.keys[visible(job.key.file.path), job.key.begins.line] = visible(job.name)
        for rule, hit in sorted(hits, key=lambda pair: pair[1].span.start):
            self._add(rule, hit, pipeline.origin(hit))

    def _rule(self, code: str) -> Rule:
        """Import a rule once in a run: to look for it in its folder takes longer than many a check."""
        if code not in self.rules:
            self.rules[code] = load(code, self.known)
        return self.rules[code]

    def _add(self, rule: Rule, hit: Hit, origin: Origin | None) -> None:
        begins, ends = hit.span.begins, hit.span.ends
        path = hit.span.file.path
        if any(hit.code.startswith(given) for given in self._ignored_at(path)):
            return
        place = (hit.code, path, begins, hit.job, hit.message)
        if place in self.findings:
            return
        identity = self._identity("\0".join((hit.code, path, hit.job or "", hit.key)))
        if hit.fix is not None:
            self.fixes[identity] = hit.fix
        self.findings[place] = Finding(
            code=hit.code,
            severity=hit.severity or rule.SEVERITY,
            confidence=hit.confidence or rule.CONFIDENCE,
            message=plain(hit.message, self.secrets),
            path=visible(path),
            line=begins.line,
            column=begins.column,
            end_line=ends.line,
            end_column=ends.column,
            job=None if hit.job is None else visible(hit.job),
            origin=origin
            and Origin(visible(origin.path), origin.line, origin.column, plain(origin.note, self.secrets)),
            hint=None if hit.hint is None else plain(hit.hint, self.secrets),
            identity=identity,
        )

    def _ignored_at(self, path: str) -> Iterator[str]:
        for pattern, given in self.settings.per_file_ignores.items():
            if fnmatchcase(path, pattern):
                yield from given

    def _identity(self, stable: str) -> str:
        """Tell findings of one kind in one job apart by their order: a new line above changes nothing."""
        number = self.ordinals[stable] = self.ordinals.get(stable, 0) + 1
        return stable if number == 1 else f"{stable}\0{number}"

    def result(self, project: Project, asked: Sequence[str]) -> Result:
        """Lay the comments that silence findings over them, and sum up."""
        files = {visible(path): file for path, file in self.files.items()}
        silenced = self._silence(asked) if any("burstctl:" in file.text for file in self.files.values()) else {}
        ordered = sorted(self.findings.values(), key=lambda finding: finding.order)
        return Result(
            root=project.root,
            findings=[finding for finding in ordered if finding.identity not in silenced],
            checked=sorted(files),
            sources={path: file.source for path, file in files.items()},
            suppressed=[
                Suppressed(finding, silenced[finding.identity], in_source=True)
                for finding in ordered
                if finding.identity in silenced
            ],
            fixes=self.fixes,
            secrets=tuple(self.secrets),
        )

    def _silence(self, asked: Sequence[str]) -> dict[str, str]:
        """Map the identities of findings that comments silence to the reasons, and judge the comments."""
        from burstctl.lint import ignore

        ignores = ignore.read_ignores(self.files.values())
        silenced = ignore.silence(list(self.findings.values()), ignores, self.keys)
        if ignore.CODE in asked:
            for hit in ignore.judge(ignores, self.known, asked):
                self._add(self._rule(ignore.CODE), hit, None)
        return {identity: visible(one.reason) for identity, one in silenced.items()}
