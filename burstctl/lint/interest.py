"""Tells by their words which scripts are worth reading: to load the shell grammar takes longer than all else."""

import re
from collections.abc import Iterator

from burstctl.lint.job import Job, Script
from burstctl.lint.project import Project, Refused

_LOADISH = r"(?<![a-z])(load|stress|soak|spike|burst|benchmarks?|bench|perf|performance|inference|predict|throughput)"
_TOOLS = (
    r"(?<![\w-])(?:ab|hey|wrk2?|oha|bombardier|autocannon|fortio|ghz|k6|locust|artillery|jmeter|gatling|vegeta|siege|plow|"
    r"h2load|guidellm|vllm|sglang|llmperf|genai-perf|aiperf|perf_analyzer|inference-perf|bench_serving|benchmark_serving|"
    r"token_benchmark_ray|burstctl|bzt|tsung)(?![\w-])"
)
_CLIENTS = r"(?<![\w-])(?:curl|wget|https?|xhs?|grpcurl|httpie|curlie)(?=\s)"
_AGAIN = r"\b(?:for|while|until|xargs|parallel)\b|(?<!&)&(?![&\d>])|\s-Z\b|--parallel\b|--retry-all-errors"
_PROGRAM = (
    r"^[ \t]*(?:import|from)[ \t]+(?:requests|httpx|aiohttp|urllib3?|http\.client|openai|grpc|tritonclient|boto3)\b",
    r"\b(?:gather|submit|imap\w*|map|starmap|Thread|Process|create_task|as_completed|start_soon|ensure_future)\(",
)
"""A Python program that sends requests, many at once."""
_FILE = r"(?<![\w./${}@%+-])[\w./${}@%+-]*[\w}]\.(?:sh|bash|zsh|py)\b"
_MAKE = r"(?<![\w-])g?make(?=[\s;&|]|$)"
_PACKAGE = r"(?<![\w-])(?:npm\s+(?:run|test|start|t)|yarn|pnpm|bun\s+run)\b"
_PLAIN_PATH = r"(?:^|[\s;&|(])\.{1,2}/[\w./-]+"
_MAX_DEPTH = 3
_LONGEST = 200_000


def is_loadish(name: str | None) -> bool:
    """Tell whether a job or stage of this name is about load, or inference."""
    return bool(name and re.search(_LOADISH, name.lower()))


def is_interesting(script: Script, job: Job, project: Project, *, suspect: bool = False) -> bool:
    """Tell whether a script may fire load, itself or by a file that it names; a suspect job's any may."""
    if script.shell in ("python", "node", "perl", "ruby"):
        return False
    if suspect or is_loadish(job.name) or is_loadish(job.stage):
        return bool(script.text.strip())
    return _speaks(script.text, project, set(), 0)


def _speaks(text: str, project: Project, seen: set[str], depth: int) -> bool:
    text = text[:_LONGEST]
    if re.search(_TOOLS, text) or (re.search(_CLIENTS, text) and re.search(_AGAIN, text)):
        return True
    if depth >= _MAX_DEPTH:
        return False
    elsewhere = bool(re.search(r"\b(?:cd|pushd)\s|\s-C\s", text))
    return any(_file_speaks(path, project, seen, depth, elsewhere=elsewhere) for path in _names(text))


def _names(text: str) -> Iterator[str]:
    """Give the files that a text names."""
    yield from (path for path in re.findall(_FILE, text) if not path.startswith("//"))
    yield from (path.strip(" \t\n;&|(") for path in re.findall(_PLAIN_PATH, text))
    if re.search(_MAKE, text):
        yield "Makefile"
    if re.search(_PACKAGE, text):
        yield "package.json"


def _file_speaks(path: str, project: Project, seen: set[str], depth: int, *, elsewhere: bool) -> bool:
    if path in seen:
        return False
    seen.add(path)
    try:
        file = project.read(path)
    except Refused:
        return False
    if file is None:
        # It may stand where the script has gone to, or where something points that only the shell knows.
        return elsewhere or "$" in path or path.startswith("/")
    if path.endswith(".py"):
        return all(re.search(one, file.text[:_LONGEST], re.MULTILINE) for one in _PROGRAM)
    return _speaks(file.text, project, seen, depth + 1)
