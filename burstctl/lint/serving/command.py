"""Recognises gunicorn, uvicorn and hypercorn in a command line, with their options. Knows no file format."""

from collections.abc import Iterator, Mapping

from burstctl.light import field, light
from burstctl.lint.file import Span
from burstctl.lint.fleet import Place, Server, Setting
from burstctl.lint.serving.words import Line, as_word
from burstctl.pattern import pattern

_LAUNCHERS = pattern(
    r"(?:python[\d.]*|poetry|pipenv|pdm|hatch|uv|uvx|conda|micromamba|tini|dumb-init|gosu|su-exec|chpst|runuser|"
    r"ddtrace-run|newrelic-admin|opentelemetry-instrument|start-stop-daemon|numactl|taskset|catchsegv|doppler|chamber|"
    r"authbind|setpriv|catatonit|aws-vault|sentry)"
)
_PROGRAMS = frozenset({"gunicorn", "uvicorn", "hypercorn"})
_TALK = frozenset({"--version", "-v", "--help", "-h", "--check-config", "--print-config"})
_OPTIONS: Mapping[str, Mapping[str, frozenset[str]]] = {
    "gunicorn": {
        "workers": frozenset({"-w", "--workers"}),
        "threads": frozenset({"--threads"}),
        "timeout": frozenset({"-t", "--timeout"}),
        "class": frozenset({"-k", "--worker-class"}),
        "config": frozenset({"-c", "--config"}),
    },
    "uvicorn": {"workers": frozenset({"--workers"})},
    "hypercorn": {"workers": frozenset({"-w", "--workers"}), "config": frozenset({"-c", "--config"})},
}
_DEVELOPMENT = frozenset({"--reload"})
WORKERS_VARIABLE = "WEB_CONCURRENCY"
ARGUMENTS_VARIABLE = "GUNICORN_CMD_ARGS"


@light
class Start:
    """A server's command line, its options by what they set, each time one is given."""

    program: str
    span: Span
    options: Mapping[str, tuple[Setting, ...]]
    environment: Mapping[str, Setting] = field(default_factory=dict)

    def last(self, option: str) -> Setting | None:
        """Give what counts of an option."""
        given = self.options.get(option, ())
        return given[-1] if given else None


def find_starts(lines: Iterator[Line]) -> Iterator[Start]:
    """Give the servers that command lines start, not those that say their version or watch for changes."""
    for line in lines:
        texts = line.texts
        at = _program(texts)
        if at is None:
            continue
        arguments, given = line.words[at + 1 :], set(texts[at + 1 :])
        if not given & (_TALK if len(given) == 1 else _TALK - {"-v", "-h"}) and not given & _DEVELOPMENT and given:
            program = texts[at].rpartition("/")[2]
            yield Start(program, line.span, _read(program, arguments), line.environment)


def as_server(start: Start, place: Place, environment: Mapping[str, Setting], doubt: str = "") -> Server:
    """Put together what a command line and its environment say; the environment's own command line is the weakest."""
    environment = {**environment, **start.environment}
    options = dict(start.options)
    if start.program == "gunicorn" and ARGUMENTS_VARIABLE in environment:
        given = environment[ARGUMENTS_VARIABLE]
        if not given.known:
            doubt = doubt or f"{ARGUMENTS_VARIABLE} is set when it starts"
        words = tuple(as_word(word, given.span) for word in str(given.value or "").split())
        for option, settings in _read("gunicorn", words).items():
            options.setdefault(option, settings[-1:])
    workers = options.get("workers", (None,))[-1]
    if workers is None and start.program != "hypercorn" and WORKERS_VARIABLE in environment:
        found = environment[WORKERS_VARIABLE]
        workers = Setting(found.span, found.value, found.known, f"from {WORKERS_VARIABLE}")
    return Server(
        start.program,
        place,
        start.span,
        workers=workers,
        threads=options.get("threads", (None,))[-1],
        timeout=options.get("timeout", (None,))[-1],
        classes=options.get("class", ()),
        doubt=doubt,
    )


def _program(texts: list[str]) -> int | None:
    """Find the server among a command's words: the first, or behind a launcher."""
    for at, text in enumerate(texts):
        name = text.rpartition("/")[2]
        if name in _PROGRAMS:
            launched = at == 0 or _LAUNCHERS.fullmatch(texts[0].rpartition("/")[2])
            return at if launched and not {"pip", "install", "add", "remove"} & set(texts[:at]) else None
    return None


def _read(program: str, words: tuple[Setting, ...]) -> dict[str, tuple[Setting, ...]]:
    names = {name: option for option, all_names in _OPTIONS[program].items() for name in all_names}
    found: dict[str, tuple[Setting, ...]] = {}
    for at, word in enumerate(words):
        text = word.span.text.strip("\"'") if not word.known else str(word.value)
        name, equals, _ = text.partition("=")
        value: Setting | None = None
        if text in names:
            value = words[at + 1] if at + 1 < len(words) else Setting(word.span, known=False)
        elif equals and name in names:
            value = _tail(word, text, len(name) + 1)
        elif text[:2] in names and len(text) > 2 and not text.startswith("--"):
            name, value = text[:2], _tail(word, text, 2)
        if value is not None:
            option = names[text if text in names else name]
            found[option] = (*found.get(option, ()), value)
    return found


def _tail(word: Setting, text: str, length: int) -> Setting:
    """Give what follows an option in the same word."""
    rest = text[length:]
    span = word.span
    if span.text.endswith(rest):
        span = Span(span.file, span.end - len(rest), span.end)
    return as_word(rest, span)
