"""Reads a Python program: whether it sends many requests at once, and minds a rate. Parses it, and runs nothing."""

import ast
import re
from collections.abc import Iterator

from burstctl.lint.file import File
from burstctl.lint.load import Scene
from burstctl.lint.scenario.locust import called, parse_python, span_of
from burstctl.lint.scenario.scenario import Scenario
from burstctl.lint.target import is_inference, urls_in
from burstctl.pattern import pattern

_CLIENTS = pattern(r"^(requests|httpx|aiohttp|urllib3?|urllib\.request|http\.client|openai|tritonclient|grpc|boto3)\b")
_SENDS = frozenset(
    {"get", "post", "put", "request", "urlopen", "create", "acreate", "infer", "invoke_endpoint", "send"}
)
_AT_ONCE = frozenset(
    {"gather", "submit", "map", "imap", "imap_unordered", "starmap", "Thread", "Process", "create_task", "as_completed"}
    | {"start_soon", "spawn", "ensure_future", "map_async", "apply_async"}
)
_PACES = pattern(
    r"aiolimiter|pyrate_limiter|ratelimit|\blimits\b|rate_?limit|throttl|token_?bucket|leaky|\brps\b|\bqps\b", re.I
)
_MODEL_CLIENTS = pattern(r"^(openai|tritonclient)\b")
_SLEEPS = frozenset({"sleep"})


def read_python(file: File, scene: Scene) -> Scenario | None:
    """Tell what load a program makes; None where it can't be told."""
    tree = parse_python(file.text)
    if tree is None:
        return None
    modules = list(_modules(tree))
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    names = {called(call) for call in calls}
    sends = any(map(_CLIENTS.match, modules)) and bool(_SENDS & names)
    if not sends:
        return Scenario(file.path, single=True)
    texts = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    targets = tuple(url for text in texts for url in urls_in(text))
    inference = any(map(_MODEL_CLIENTS.match, modules)) or any(
        is_inference(text if "//" in text else f"//host{text}", scene)
        for text in texts
        if text.startswith(("/", "http"))
    )
    parallel = bool(_AT_ONCE & names)
    first = next((call for call in calls if called(call) in _AT_ONCE), None)
    return Scenario(
        file.path,
        limited=bool(_PACES.search(file.text)) or _pauses(tree),
        span=span_of(file, first) if first else None,
        targets=targets,
        single=not parallel,
        parallel=parallel,
        inference=inference,
    )


def _modules(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def _pauses(tree: ast.Module) -> bool:
    """Tell whether a loop sleeps."""
    loops = (node for node in ast.walk(tree) if isinstance(node, ast.For | ast.While | ast.AsyncFor))
    return any(isinstance(node, ast.Call) and called(node) in _SLEEPS for loop in loops for node in ast.walk(loop))
