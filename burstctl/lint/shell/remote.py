"""Finds the command inside a container: `docker run IMAGE …`, `kubectl exec POD -- …`. Knows no tools' options."""

from collections.abc import Mapping

from burstctl.lint.shell.model import Command, Word
from burstctl.pattern import pattern

_ENGINES = frozenset({"docker", "podman", "nerdctl"})
_SWITCHES = pattern(
    r"-[ditPTq]+|--(?:rm|detach|interactive|tty|init|privileged|publish-all|read-only|no-deps|oom-kill-disable|sig-proxy"
    r"|quiet|service-ports|use-aliases|build|no-TTY)"
)
"""The options of `docker run` and `exec` that take no value."""
_ENTRYPOINTS: Mapping[str, str] = {
    "k6": "k6",
    "grafana/k6": "k6",
    "loadimpact/k6": "k6",
    "locustio/locust": "locust",
    "artilleryio/artillery": "artillery",
    "peterevans/vegeta": "vegeta",
    "tsenart/vegeta": "vegeta",
    "williamyeh/hey": "hey",
    "williamyeh/wrk": "wrk",
    "skandyla/wrk": "wrk",
    "fortio/fortio": "fortio",
    "alpine/bombardier": "bombardier",
    "alpine/ab": "ab",
    "jordi/ab": "ab",
    "justb4/jmeter": "jmeter",
    "ghcr.io/hatoo/oha": "oha",
    "hatoo/oha": "oha",
    "obvionaoe/ghz": "ghz",
    "curlimages/curl": "curl",
}
"""Images that are the program of this name, by their name or its end."""


def inside_container(command: Command) -> tuple[Word, ...]:
    """Give the command that a container engine is told to run; nothing where it is told none."""
    words = command.argv
    name = command.name
    if name in ("docker-compose", "podman-compose"):
        return _in_container(words, 1)
    if name in _ENGINES and len(words) > 1:
        at = 2 if words[1].text in ("compose", "container") else 1
        return _in_container(words, at)
    if name in ("kubectl", "oc"):
        return _in_pod(words)
    return ()


def program_of(image: str) -> str | None:
    """Tell which program an image is, by its name without registry and tag."""
    plain = image.partition("@")[0]
    head, _, tail = plain.rpartition("/")
    plain = f"{head}/{tail.partition(':')[0]}" if head else tail.partition(":")[0]
    return next((program for end, program in _ENTRYPOINTS.items() if plain == end or plain.endswith(f"/{end}")), None)


def _in_container(words: tuple[Word, ...], at: int) -> tuple[Word, ...]:
    if at >= len(words) or words[at].text not in ("run", "exec"):
        return ()
    verb = words[at].text
    entrypoint: Word | None = None
    at += 1
    while at < len(words) and words[at].text.startswith("-"):
        text = words[at].text
        if text.startswith("--entrypoint"):
            entrypoint = words[at] if "=" in text else words[at + 1] if at + 1 < len(words) else None
        at += 1 if "=" in text or _SWITCHES.fullmatch(text) else 2
    if at >= len(words):
        return ()
    image, rest = words[at], words[at + 1 :]
    if entrypoint is not None:
        text = entrypoint.text.removeprefix("--entrypoint=")
        return (Word(text, entrypoint.start, entrypoint.end, entrypoint.static), *rest)
    program = program_of(image.text) if verb == "run" else None
    if program is not None and not (rest and rest[0].text == program):
        return (Word(program, image.start, image.end), *rest)
    return rest


def _in_pod(words: tuple[Word, ...]) -> tuple[Word, ...]:
    if not any(word.text in ("exec", "run") for word in words[1:]):
        return ()
    end = next((place for place, word in enumerate(words) if word.text == "--"), None)
    if end is None:
        return ()
    rest = words[end + 1 :]
    image = next((word.text.removeprefix("--image=") for word in words if word.text.startswith("--image=")), "")
    program = program_of(image)
    if program is not None and "--command" not in (word.text for word in words[:end]) and rest:
        return rest if rest[0].text == program else (Word(program, rest[0].start, rest[0].start), *rest)
    return rest
