"""Reads the rate limit out of a burstctl manifest, as far as lint needs it. Knows no other key, and checks nothing."""

from burstctl.light import light
from burstctl.lint.compose import read_yaml
from burstctl.lint.document import Mapping, Scalar, Unreadable, Value
from burstctl.lint.file import Span
from burstctl.lint.follow.place import find_file
from burstctl.lint.load import Scene
from burstctl.lint.value import expand, is_known
from burstctl.units import parse_rate

DEFAULT_PER_S = 300.0


@light
class Limit:
    """What a manifest says of its rate."""

    read: bool = False
    """The manifest could be read."""
    rate_per_s: float | None = None
    text: str | None = None
    span: Span | None = None
    jobs: str | None = None
    shared: bool = False
    targets: tuple[str, ...] = ()
    path: str | None = None


def read_limit(scene: Scene, path: str) -> Limit:
    """Read the manifest at a path that a script names."""
    file = find_file(scene, path)
    if file is None:
        return Limit()
    try:
        roots = read_yaml(file).roots
    except Unreadable:
        return Limit(path=file.path)
    root = roots[0] if len(roots) == 1 else None
    if not isinstance(root, Mapping):
        return Limit(path=file.path)
    target = root.get("target")
    base = _text(target.get("base_url"), scene) if isinstance(target, Mapping) else None
    targets = (base,) if base else ()
    limit = root.get("rate_limit")
    settings = limit if isinstance(limit, Mapping) else None
    rate = settings.get("rate") if settings else limit
    text = _text(rate, scene)
    return Limit(
        read=True,
        rate_per_s=DEFAULT_PER_S if text is None else _rate(text),
        text=text,
        span=rate.span if isinstance(rate, Scalar) else None,
        jobs=_text(settings.get("jobs"), scene) if settings else None,
        shared=bool(settings and _text(settings.get("share"), scene)),
        targets=targets,
        path=file.path,
    )


def _text(value: Value | None, scene: Scene) -> str | None:
    return expand(value.as_text, scene) if isinstance(value, Scalar) and value.value is not None else None


def _rate(text: str) -> float | None:
    try:
        return parse_rate(text) if is_known(text) else None
    except ValueError:
        return None
