"""Finds benchmarks of inference servers: vLLM's, SGLang's, GuideLLM, GenAI-Perf and kin. Knows their options only."""

import re

from burstctl.light import replace
from burstctl.lint.compose import read_yaml
from burstctl.lint.document import Mapping, Scalar, Sequence, Unreadable, walk
from burstctl.lint.follow.place import find_file
from burstctl.lint.load import Kind, Load, Scene
from burstctl.lint.shell.model import Command
from burstctl.lint.target import all_local, host_of, urls
from burstctl.lint.tool.options import Given, find, is_quiet, read_rate
from burstctl.pattern import pattern

_RATES = ("--request-rate", "--qps", "--request-rate-range")
_SERVING = pattern(
    r"(vllm\.|sglang\.)?bench_serving(\.py)?|benchmark_serving\w*(\.py)?|token_benchmark_ray(\.py)?|llm_correctness(\.py)?"
    r"|vllm\.benchmarks\.serve|genai-perf|aiperf|perf_analyzer|llmperf|guidellm|inference-perf|vllm(\.entrypoints\.cli\.main)?"
)
_VLLM = frozenset({"vllm", "vllm.entrypoints.cli.main"})
_VERBS = {"genai-perf": {"profile"}, "aiperf": {"profile"}, "guidellm": {"benchmark"}}


def detect_benchmarks(scene: Scene, command: Command) -> Load | None:
    """Tell whether a command benchmarks an inference server over the network."""
    name = command.name
    words = [word.text for word in command.arguments]
    if not _SERVING.fullmatch(name) or is_quiet(command):
        return None
    if name in _VLLM and words[:2] != ["bench", "serve"]:
        return None
    if name in _VERBS and not _VERBS[name] & set(words):
        return None
    found = [find(command, (option,), scene) for option in ("--base-url", "--host", "--target", "-u", "--url")]
    targets = tuple(given.text for given in found if given) or tuple(urls(command, scene))
    span = scene.script.locate(command.start, command.end)
    load = Load(
        kind=Kind.TOOL,
        tool=name.removesuffix(".py"),
        span=span,
        command_span=span,
        inference=True,
        local=all_local(targets, scene) or (not targets and name in (*_VLLM, "vllm.benchmarks.serve")),
        closed_loop=True,
        hosts=tuple(map(host_of, targets)),
    )
    if name == "inference-perf":
        return _configured(scene, command, load)
    given = find(command, _RATES, scene) if name != "guidellm" else _guidellm(scene, command)
    if given is None or given.unlimited:
        return load
    return replace(
        load,
        limited=True,
        closed_loop=False,
        rate_per_s=read_rate(given.text.rpartition(":")[2] if name == "perf_analyzer" else given.text),
        rate_text=given.text if name != "perf_analyzer" else None,
        rate_span=scene.script.locate(given.word.start, given.word.end),
    )


def _guidellm(scene: Scene, command: Command) -> Given | None:
    """Give the rate of a constant profile; a sweep seeks the server's limit on purpose."""
    profile = find(command, ("--rate-type", "--profile"), scene)
    if profile is None:
        return None
    kind = re.match(r"(?:kind=)?(constant|poisson|async)\b", profile.text)
    inside = re.search(r"\brate=([\d.]+)", profile.text)
    if kind is None:
        return None
    return Given(inside[1], profile.word) if inside else find(command, ("--rate",), scene)


def _configured(scene: Scene, command: Command, load: Load) -> Load:
    """Read the peak of `load.stages` in inference-perf's configuration."""
    given = find(command, ("--config_file", "--config-file", "-c"), scene)
    file = find_file(scene, given.text) if given else None
    if file is None:
        return load
    try:
        roots = read_yaml(file).roots
    except Unreadable:
        return load
    rates = []
    for value in walk(roots[0]) if roots else ():
        if isinstance(value, Mapping) and isinstance(stages := value.get("stages"), Sequence):
            found = [stage.get("rate") for stage in stages.items if isinstance(stage, Mapping)]
            rates += [(read_rate(rate.text), rate.span) for rate in found if isinstance(rate, Scalar)]
    known = [(rate, span) for rate, span in rates if rate]
    if not known or len(known) < len(rates):
        return replace(load, path=file.path)
    peak, span = max(known, key=lambda pair: pair[0])
    return replace(load, limited=True, closed_loop=False, rate_per_s=peak, rate_span=span, path=file.path)
