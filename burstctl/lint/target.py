"""Where a request goes, as far as a script tells. Knows hosts and paths, no tools."""

import re
from collections.abc import Iterator

from burstctl.lint.load import Scene
from burstctl.lint.shell.model import Command
from burstctl.lint.value import expand
from burstctl.pattern import pattern

_URL = pattern(
    r"\w[\w+.-]*://|localhost\b|\[[0-9a-f:]+\]|\d+\.\d+\.\d+\.\d+|[\w-]+(\.[\w-]+)+(:\d+)?(/|$)|[\w-]+:\d+|"
    r"\$\{?\w*(URL|URI|HOST|ENDPOINT|ADDR|TARGET|SERVER|SERVICE|BASE|API|GATEWAY)|\$\{?\w+\}?/|\$\(",
    re.IGNORECASE,
)
_FILE = pattern(r"[^/]*\.(json|ya?ml|txt|csv|lua|js|ts|py|jmx|html?|log|bin|tar|gz|zip|out|proto|pem|crt|key|md)", re.I)
_HOST = pattern(r"""(?:[\w+.-]+://)?(?:[^/@\s"']*@)?(?P<host>\[[^\]]*\]|[^/:?#\s"']+)""")
_PATH = pattern(r"""(?:[\w+.-]+://)?[^/\s]*(?P<path>/.*)?""", re.DOTALL)
_PROBE = pattern(
    r"(health\w*|ready\w*|alive|livez?|liveness|status|version|metrics|ping|up|heartbeat)/?([?#].*)?$", re.I
)
_NAMES = pattern(
    r"\$\{?\w*(INFERENCE|PREDICT|COMPLETION|EMBEDDING|LLM|TRITON|SAGEMAKER|MODEL_(URL|HOST|ENDPOINT|SERV))", re.I
)
_STARTED = pattern(r"--(?:name|network-alias|net-alias)[= ]+[\"']?([\w.-]+)")

_DATA_OPTIONS = pattern(
    r"-[dHowFubTAxKXmecO]|--(?:data(?:-raw|-binary|-ascii|-urlencode)?|json|header|output|write-out|form|user|cookie"
    r"|upload-file|user-agent|proxy|config|cacert|cert|key|request|max-time|connect-timeout|retry|retry-delay|referer"
    r"|cookie-jar|dump-header|(?:body|post)-(?:data|file)|output-document|script|summary-export|out|body)"
)
"""Options of clients and load generators whose value is no URL."""


def urls(command: Command, scene: Scene) -> Iterator[str]:
    """Give the arguments that may be a request's URL, variables replaced."""
    previous = ""
    for word in command.arguments:
        text = word.text
        own, equals, value = text.partition("=")
        if text.startswith("-") and equals and own in ("--url", "--host", "--target", "--base-url", "-host", "-u"):
            yield expand(value, scene)
        elif previous in ("--url", "--host", "--target", "--base-url", "-host", "--endpoint-url"):
            yield expand(text, scene)
        elif not _DATA_OPTIONS.fullmatch(previous) and not text.startswith(("-", "@")):
            expanded = expand(text, scene)
            if _URL.match(expanded) and not _FILE.fullmatch(expanded):
                yield expanded
        previous = text


def urls_in(text: str) -> list[str]:
    """Find the URLs in any text."""
    return re.findall(r"https?://[^\s\"'`<>)\\]+", text)


def is_inference(url: str, scene: Scene) -> bool:
    """Tell whether a URL is one of inference, by its path."""
    match = _PATH.match(url)
    path = (match["path"] or "") if match else ""
    path = url if "$(" in url else path
    return not is_probe(url) and any(re.search(pattern, path) for pattern in scene.settings.inference_patterns)


def seems_inference(url: str) -> bool:
    """Tell whether a URL whose value isn't known is one of inference, by the name of its variable."""
    return bool(_NAMES.search(url)) and not is_probe(url)


def is_probe(url: str) -> bool:
    """Tell whether a URL asks how a server is, not for work."""
    return bool(_PROBE.search(url))


def host_of(url: str) -> str:
    """Give a URL's host, in small letters."""
    match = _HOST.match(url)
    return match["host"].lower().strip("[]") if match else ""


def is_local(url: str, scene: Scene) -> bool:
    """Tell whether a URL's host is the job's own machine, or a service that was started for it."""
    host = host_of(url)
    return (
        host in ("localhost", "0.0.0.0", "::1", "::", "host.docker.internal", "docker")  # noqa: S104 - recognised, not bound
        or host.endswith((".localhost", ".localdomain"))
        or host.startswith("127.")
        or host in scene.job.services
        or host in _started(scene)
    )


def all_local(targets: "list[str] | tuple[str, ...]", scene: Scene) -> bool:
    """Tell whether there are targets, and all of them local."""
    return bool(targets) and all(is_local(url, scene) for url in targets)


def _started(scene: Scene) -> set[str]:
    """Give the names of the containers that the job starts itself."""
    texts = (scene.script.text, *(caller.script.text for caller, _ in scene.callers))
    return {name.lower() for text in texts for name in _STARTED.findall(text)}
