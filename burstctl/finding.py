"""What a lint rule found, and where: the value that every lint format shows. Knows no rules and no files."""

from enum import StrEnum

from burstctl.light import light, to_mapping


class Severity(StrEnum):
    """How bad a finding is; errors and warnings fail a run, notices never do."""

    ERROR = "error"
    WARNING = "warning"
    NOTICE = "notice"

    @property
    def rank(self) -> int:
        """Give the order of severities, the worst first."""
        return list(Severity).index(self)


class Confidence(StrEnum):
    """How sure a finding is, given all that can't be read."""

    CERTAIN = "certain"
    LIKELY = "likely"
    POSSIBLE = "possible"


@light
class Origin:
    """The template, default or include that a job takes an inherited text from."""

    path: str
    line: int
    column: int
    note: str


@light
class Finding:
    """One finding; lines and columns count from 1, the end is exclusive."""

    code: str
    severity: Severity
    confidence: Confidence
    message: str
    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    job: str | None
    origin: Origin | None
    hint: str | None
    identity: str
    """The same in every run over the same fault, wherever it moves in its file; unique within a run."""

    @property
    def fingerprint(self) -> str:
        """Give the identity in the form that reports carry."""
        from hashlib import sha256  # loads OpenSSL: only some formats need it

        return sha256(self.identity.encode("utf-8", "surrogatepass")).hexdigest()[:32]

    @property
    def fails(self) -> bool:
        return self.severity is not Severity.NOTICE

    def as_mapping(self) -> dict[str, object]:
        """Give the finding as JSON has it."""
        fields = to_mapping(self)
        del fields["identity"]
        return {**fields, "fingerprint": self.fingerprint}

    @property
    def order(self) -> tuple[str, int, int, str, str]:
        """Sort by place, as people read."""
        return (self.path, self.line, self.column, self.code, self.job or "")
