"""Finds load that is made of single requests: loops over curl and its kin, fan-outs. Knows no load generators."""

import re

from burstctl.finding import Confidence
from burstctl.light import light
from burstctl.lint.interest import is_loadish
from burstctl.lint.load import Kind, Load, Scene, Storm
from burstctl.lint.shell.model import Command, FanOut, Loop
from burstctl.lint.target import all_local, host_of, is_inference, is_probe, seems_inference, urls
from burstctl.lint.value import expand, is_known
from burstctl.pattern import pattern
from burstctl.units import parse_rate

CLIENTS = frozenset({"curl", "wget", "http", "https", "xh", "xhs", "grpcurl", "httpie", "curlie", "http.sh"})
_QUIET = frozenset({"--version", "-V", "--help", "-h", "--manual"})
_DOWNLOADS = pattern(r"-[sSfLkivgNq0-9]*[OJ][a-zA-Z]*|--remote-name(-all)?|-T|--upload-file|--continue-at")
_SINKS = frozenset(
    {
        "tar",
        "sh",
        "bash",
        "gpg",
        "unzip",
        "gunzip",
        "zcat",
        "apt-key",
        "dd",
        "sudo",
        "python",
        "python3",
        "docker",
        "kubectl",
    }
)
_DISCARDS = frozenset({"/dev/null", "-", "nul", "NUL", "/dev/stdout", "/dev/stderr"})
_ARCHIVE = pattern(
    r"\.(tar|tgz|gz|xz|zip|deb|rpm|apk|jar|whl|bz2|zst|exe|dmg|iso|asc|sha256\w*|onnx|safetensors|pt|bin)([?#].*)?$"
)
_FEW = 10
"""A loop of so many requests, one after the other, tries something out."""
_SLOW_S = 1.0
"""One request after the other with such a pause is a poll."""


@light
class _Around:
    """The loops and fan-outs that repeat a request."""

    loops: tuple[tuple[Scene, Loop], ...]
    """Outermost first."""
    fork: tuple[Scene, Loop] | None
    fan_out: tuple[Scene, FanOut] | None


def detect_requests(scene: Scene, command: Command) -> Load | None:
    """Tell what load an HTTP client is by the loop or fan-out that it stands in; a single request is none."""
    if command.name not in CLIENTS or not _sends(command, scene):
        return None
    around = _look_around(scene, command)
    itself = command.name == "curl" and _has(command, ("-Z", "--parallel"))
    if not (around.loops or around.fan_out or itself):
        return None
    targets = list(urls(command, scene))
    certain = any(is_inference(url, scene) for url in targets) or _calls_model(command)
    parallel = bool(around.fork or around.fan_out or itself)
    if not certain and any(is_probe(url) for url in targets):
        return None
    likely = _seems_load(scene, command, targets, around) if parallel else _seems_inference(command, scene)
    endless = any(loop.endless for _, loop in around.loops) and _pause_s(around) is None
    if not parallel and not endless and _tries_out(around, command):
        return None
    if not (certain or likely or endless) or (not certain and _keeps_file(command)):
        return None
    return _load(scene, command, around, targets, certain=certain, likely=likely)


def detect_storm(scene: Scene, command: Command) -> Storm | None:
    """Tell whether a client repeats an inference request until it is answered, without a pause."""
    if command.name not in CLIENTS or not _sends(command, scene):
        return None
    targets = list(urls(command, scene))
    if not any(is_inference(url, scene) or (not is_known(url) and seems_inference(url)) for url in targets):
        return None
    span, local = scene.script.locate(command.start, command.end), all_local(targets, scene)
    loop = command.loops[-1] if command.loops else None
    if loop is not None and loop.kind in ("while", "until") and loop.sleep_s is None and _decides(command, loop, scene):
        where = scene.script.locate(loop.start, loop.end)
        return Storm(where, f"the loop repeats {command.name} until it succeeds, without a pause", local)
    if _has(command, ("--retry-all-errors",)) and not _has(command, ("--retry-delay", "--retry-max-time", "--rate")):
        return Storm(span, "curl --retry-all-errors repeats whatever fails, without --retry-delay", local)
    return None


def _load(
    scene: Scene, command: Command, around: _Around, targets: list[str], *, certain: bool, likely: bool
) -> Load | None:
    pause_s, fan_out, fork = _pause_s(around), around.fan_out, around.fork
    rate = _own_rate(command, scene)
    parallel = bool(fork or fan_out or not around.loops)
    if not parallel and pause_s is not None and not 0 < pause_s < _SLOW_S:
        return None
    where, place = _place(scene, command, around)
    return Load(
        kind=Kind.FAN_OUT if fan_out or not around.loops else Kind.BACKGROUND if fork else Kind.LOOP,
        tool=command.name,
        span=where.script.locate(*place),
        command_span=scene.script.locate(command.start, command.end),
        inference=certain or likely,
        local=all_local(targets, scene),
        limited=pause_s is not None or rate is not None,
        rate_per_s=rate or (_times(around) / pause_s if pause_s else None),
        closed_loop=not parallel or bool(fork and _batches(around, fork[1])),
        confidence=Confidence.CERTAIN if certain else Confidence.LIKELY,
        endless=any(loop.endless for _, loop in around.loops) and pause_s is None and rate is None,
        hosts=tuple(host_of(url) for url in targets),
    )


def _look_around(scene: Scene, command: Command) -> _Around:
    levels = scene.around(command)
    loops = [(one, loop) for one, at in reversed(levels) for loop in at.loops]
    fork = next(((one, at.forked_in) for one, at in levels if at.forked_in), None)
    spread = next(((one, at.fan_out) for one, at in levels if at.fan_out and at.fan_out.degree != 1), None)
    return _Around(tuple(loops), fork, spread)


def _place(scene: Scene, command: Command, around: _Around) -> tuple[Scene, tuple[int, int]]:
    if around.fan_out:
        return around.fan_out[0], (around.fan_out[1].start, around.fan_out[1].end)
    nearest = around.fork or (around.loops[-1] if around.loops else None)
    if nearest is not None:
        return nearest[0], (nearest[1].start, nearest[1].end)
    return scene, (command.start, command.end)


def _seems_load(scene: Scene, command: Command, targets: list[str], around: _Around) -> bool:
    """Tell whether parallel requests to an unknown place are load: the same again and again, or a job made for it."""
    if _has(command, ("-I", "--head", "--spider")):
        return False
    job = scene.job
    again = any(loop.repeats for _, loop in around.loops) or bool(around.fan_out and around.fan_out[1].repeats)
    open_ended = any(not is_known(url) for url in targets) or not targets
    return again or _seems_inference(command, scene) or (open_ended and (is_loadish(job.name) or is_loadish(job.stage)))


def _seems_inference(command: Command, scene: Scene) -> bool:
    return any(seems_inference(word.text) and not is_known(expand(word.text, scene)) for word in command.arguments)


def _tries_out(around: _Around, command: Command) -> bool:
    """Tell whether a loop goes through a few things or files, one after the other, or repeats until it succeeds."""
    count = 1
    for _, loop in around.loops:
        if loop.kind in ("while", "until") and command.start < loop.body:
            return True
        if not loop.repeats and loop.kind == "for":
            continue
        if loop.count is None:
            return False
        count *= loop.count
    return count <= _FEW


def _decides(command: Command, loop: Loop, scene: Scene) -> bool:
    """Tell whether a request is a loop's condition, or what leaves an endless one."""
    if command.start < loop.body:
        return True
    body = scene.script.text[loop.body : loop.end]
    return bool(re.search(r"&&\s*(break|exit|return)\b", body)) and not loop.waits and command.forked_in is None


def _pause_s(around: _Around) -> float | None:
    """Give the pause of the innermost loop that makes one, or the fan-out's delay."""
    if around.fan_out and around.fan_out[1].delay_s is not None:
        return around.fan_out[1].delay_s
    return next((loop.sleep_s for _, loop in reversed(around.loops) if loop.sleep_s is not None), None)


def _times(around: _Around) -> float:
    """Tell how many requests go out for each pause: workers in the background, or loops within the pause."""
    if around.fan_out:
        return 1.0
    loops = [loop for _, loop in around.loops]
    pausing = max(place for place, loop in enumerate(loops) if loop.sleep_s is not None)
    times = 1.0
    for loop in loops[pausing + 1 :]:
        times *= loop.count or 1
    if around.fork is not None and around.fork[1] in loops[:pausing]:
        times *= around.fork[1].count or 1
    return times


def _batches(around: _Around, fork: Loop) -> bool:
    """Tell whether the loop, or one around it, waits for what it has started."""
    return any(loop.waits for _, loop in around.loops if loop.start <= fork.start)


def _own_rate(command: Command, scene: Scene) -> float | None:
    """Read curl's `--rate`."""
    words = [word.text for word in command.arguments]
    if command.name != "curl" or "--rate" not in words[:-1]:
        return None
    try:
        return parse_rate(expand(words[words.index("--rate") + 1], scene))
    except ValueError:
        return None


def _has(command: Command, options: tuple[str, ...]) -> bool:
    short = {option[1] for option in options if len(option) == 2}
    for word in command.arguments:
        text = word.text
        if text in options or text.partition("=")[0] in options:
            return True
        if short and re.fullmatch(r"-[a-zA-Z]+", text) and short & set(text[1:]) and command.name in ("curl", "wget"):
            return True
    return False


def _calls_model(command: Command) -> bool:
    """Tell whether a gRPC call is one of inference, by its method."""
    last = command.argv[-1].text
    return command.name == "grpcurl" and bool(
        re.search(r"/\w*(infer|predict|generat|complet|embed)", last, re.IGNORECASE)
    )


def _keeps_file(command: Command) -> bool:
    """Tell whether a client stores what it gets: a download, not a question."""
    words = [word.text for word in command.arguments]
    wget = command.name == "wget"
    option = r"-[a-zA-Z]*O|--output-document" if wget else r"-[a-zA-Z]*o|--output"
    for place, word in enumerate(words[:-1]):
        if re.fullmatch(option, word):
            return words[place + 1] not in _DISCARDS
    if wget:
        return not any(word in ("-O-", "-qO-", "--spider") or word.startswith(("--post", "--body")) for word in words)
    return any(word.startswith("--upload") or word in ("-F", "--form") for word in words)


def _sends(command: Command, scene: Scene) -> bool:
    """Tell whether a client asks a server for work, not for a file or its own version."""
    words = [word.text for word in command.arguments]
    if not words or _QUIET & set(words) or _SINKS & set(command.pipes_into):
        return False
    if command.name in ("curl", "curlie") and any(_DOWNLOADS.fullmatch(word) for word in words):
        return False
    return not any(_ARCHIVE.search(expand(word, scene)) for word in words if not word.startswith(("-", "@")))
