"""Scans a Jenkinsfile for the commands of its stages. Knows what a stage looks like, and no plugin."""

import re

from burstctl.light import field, replace, state
from burstctl.lint.document import Scalar
from burstctl.lint.file import File, Span
from burstctl.lint.interpolate import Piece, interpolate
from burstctl.lint.job import Job, Script, Variable
from burstctl.lint.pipeline import Pipeline
from burstctl.lint.scan.groovy import Token, tokens
from burstctl.pattern import pattern

_SHELLS = {"sh": "sh", "bat": "cmd", "powershell": "pwsh", "pwsh": "pwsh"}
_ESCAPED = pattern(r"\\(?P<one>[\\$\"'])|\$\{(?:env|params)\.(?P<name>\w+)\}")
_LOOKAHEAD = 12
"""Tokens in which a step's script, or a stage's name, must come."""
_WHOLE = "Jenkinsfile"


@state
class _Stage:
    """A stage, or the file around all stages."""

    name: str
    key: Span
    depth: int
    scripts: list[Script] = field(default_factory=list)
    variables: dict[str, Variable] = field(default_factory=dict)
    needs: tuple[str, ...] = ()
    group: str | None = None
    in_matrix: bool = False


def read_pipeline(file: File) -> Pipeline:
    """Scan a file."""
    scan = _Scan(file, list(tokens(file.text)), _Stage(_WHOLE, file.line_span(), 0))
    scan.run()
    jobs = tuple(
        Job(
            name=stage.name,
            key=stage.key,
            own=(stage.key,),
            scripts=tuple(stage.scripts),
            variables={**scan.whole.variables, **stage.variables},
            instances=None if stage.in_matrix else 1,
            spread=stage.key if stage.in_matrix else None,
            group=stage.group,
            needs=stage.needs,
            possible=True,
        )
        for stage in (scan.whole, *scan.stages)
        if stage.scripts
    )
    return Pipeline("jenkins", file, jobs, files=(file,))


@state
class _Scan:
    """One file on its way."""

    file: File
    tokens: list[Token]
    whole: _Stage
    stages: list[_Stage] = field(default_factory=list)
    open: list[_Stage] = field(default_factory=list)
    blocks: list[str] = field(default_factory=list)
    """The words that the open braces stand behind."""
    parallel: list[tuple[int, tuple[str, ...]]] = field(default_factory=list)
    """Open parallel blocks: their depth, and the stages before them."""
    names: dict[str, int] = field(default_factory=dict)

    def run(self) -> None:
        """Go through all tokens."""
        for place, token in enumerate(self.tokens):
            match token.kind:
                case "open":
                    self.blocks.append(self._word_before(place))
                    if self.blocks[-1] == "parallel":
                        self.parallel.append((len(self.blocks), tuple(one.name for one in self.stages)))
                case "close" if self.blocks:
                    self._close()
                case "word":
                    self._word(token, place)

    def _close(self) -> None:
        depth = len(self.blocks)
        self.blocks.pop()
        if self.parallel and self.parallel[-1][0] == depth:
            self.parallel.pop()
        if self.open and self.open[-1].depth >= depth:
            self.open.pop()

    def _word(self, token: Token, place: int) -> None:
        inside = self.open[-1] if self.open else self.whole
        if token.text == "stage" and (name := self._text_after(place)) is not None:
            self._stage(name)
        elif token.text in _SHELLS and (text := self._script_after(place)) is not None:
            script = Script.of((self._scalar(text),), token.text, shell=_SHELLS[token.text])
            inside.scripts.append(script)
        elif token.text == "lock" and (text := self._text_after(place)) is not None:
            inside.group = text.text
        elif self._is_assignment(place):
            value = self.tokens[place + 2]
            scalar = self._scalar(value)
            span = Span(self.file, token.start, token.end)
            inside.variables[token.text] = Variable(token.text, scalar.text, scalar.span, span, "job", scalar)
        elif token.text in ("string", "choice", "text") and "parameters" in self.blocks:
            self._parameter(place, asked=token.text != "choice")

    def _stage(self, name: Token) -> None:
        count = self.names[name.text] = self.names.get(name.text, 0) + 1
        shown = name.text if count == 1 else f"{name.text} ({count})"
        before = self.parallel[-1][1] if self.parallel else tuple(one.name for one in self.stages)
        stage = _Stage(shown, Span(self.file, name.start, name.end), len(self.blocks) + 1, needs=before)
        stage.in_matrix = "matrix" in self.blocks
        if self.open:
            stage.variables, stage.group = dict(self.open[-1].variables), self.open[-1].group
        self.stages.append(stage)
        self.open.append(stage)

    def _parameter(self, place: int, *, asked: bool) -> None:
        found: dict[str, Token] = {}
        for at in range(place + 1, min(place + _LOOKAHEAD, len(self.tokens) - 2)):
            word, text = self.tokens[at], self.tokens[at + 2]
            if word.kind == "word" and text.kind == "text":
                found.setdefault(word.text, text)
        name, value = found.get("name"), found.get("defaultValue")
        if name is not None and value is not None:
            scalar, span = self._scalar(value), Span(self.file, name.start, name.end)
            self.whole.variables[name.text] = Variable(
                name.text, scalar.text, scalar.span, span, "global", scalar, asked=asked
            )

    def _is_assignment(self, place: int) -> bool:
        after = self.tokens[place + 1 : place + 3]
        return (
            "environment" in self.blocks[-1:] and len(after) == 2 and after[0].text == "=" and after[1].kind == "text"
        )

    def _text_after(self, place: int) -> Token | None:
        """Give the first text of a call: `stage('Load')`, `lock(resource: 'fleet')`."""
        for token in self.tokens[place + 1 : place + 5]:
            if token.kind == "text":
                return token
            if (token.kind == "word" and token.text not in ("resource", "name")) or token.kind in ("open", "close"):
                return None
        return None

    def _script_after(self, place: int) -> Token | None:
        """Give the script of a step: `sh '…'`, `sh("…")`, `sh(label: '…', script: '…')`."""
        after = self.tokens[place + 1 : place + 1 + _LOOKAHEAD]
        if after and after[0].kind == "sign" and after[0].text == "(":
            after = after[1:]
        if after and after[0].kind == "text":
            return after[0]
        for at, token in enumerate(after):
            if token.kind in ("open", "close"):
                return None
            if token.text == "script" and token.kind == "word" and at + 2 < len(after) and after[at + 2].kind == "text":
                return after[at + 2]
        return None

    def _word_before(self, place: int) -> str:
        """Give the word that a brace stands behind, over the arguments of a call."""
        depth = 0
        for token in reversed(self.tokens[max(0, place - 30) : place]):
            if token.text == ")" and token.kind == "sign":
                depth += 1
            elif token.text == "(" and token.kind == "sign":
                depth -= 1
            elif depth == 0:
                return token.text if token.kind == "word" else ""
        return ""

    def _scalar(self, token: Token) -> Scalar:
        span = Span(self.file, token.start, token.end)
        plain = Scalar(span, token.text, token.text)

        def piece(match: re.Match[str]) -> Piece | None:
            if match["name"] is not None:
                return Piece(f"${{{match['name']}}}") if token.expands else None
            return Piece(match["one"])

        return replace(interpolate(plain, _ESCAPED, piece), value=token.text)
