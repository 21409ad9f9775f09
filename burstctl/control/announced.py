"""Reads what a server tells of its quota in an answer's headers. Malformed fields are ignored, never guessed at.

Dialects: the IETF draft (`RateLimit-Policy`, `RateLimit`), its older form (`RateLimit-Limit/-Remaining/-Reset`),
`x-ratelimit-*` of OpenAI, Azure and GitHub, and `anthropic-ratelimit-requests-*`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from burstctl.attempt import Quota

_WINDOW_S = 5.0
"""What is left of a longer window than this can be used at once; of a shorter one only what its bucket has saved."""

_EPOCH = 1_000_000_000
_ITEM = re.compile(r'(?:[^,"]|"[^"]*")+')
_PARAMETER = re.compile(r"(?:^|;)\s*([a-z]+)\s*=\s*\"?([\w.-]+)\"?")
_NAME = re.compile(r'\s*"([^"]*)"')
_SPAN = re.compile(r"(?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+(?:\.\d+)?)s)?(?:(\d+(?:\.\d+)?)ms)?")
_COUNTED = ("x-ratelimit-{}-requests", "anthropic-ratelimit-requests-{}", "x-ratelimit-{}", "ratelimit-{}")


def read_announced(received: Sequence[tuple[str, str]], wall_s: float) -> Quota | None:
    """Read the strictest quota in `received` headers (names in lower case); None where there is none."""
    for name, _ in received:  # every answer comes by here, and most have none
        if "ratelimit" in name:
            break
    else:
        return None
    headers = dict(received)
    policy = headers.get("ratelimit-policy")
    if policy is not None:
        return _read_policy(policy, headers)
    for pattern in _COUNTED:
        limit, remaining = (_number(headers.get(pattern.format(part), "")) for part in ("limit", "remaining"))
        if limit is not None and remaining is not None:
            return _read_counted(limit, remaining, headers.get(pattern.format("reset"), ""), wall_s)
    return None


def _read_policy(policy: str, headers: Mapping[str, str]) -> Quota | None:
    """Read quotas per window, each with what is left of it where that is told."""
    left = {name: (r, t) for name, r, t in _items(headers.get("ratelimit", ""), "r", "t")}
    announced: list[Quota] = []
    for name, quota, window_s in _items(policy, "q", "w"):
        if not quota or not window_s:
            continue
        remaining, reset_s = left.get(name, (_number(headers.get("ratelimit-remaining", "")), None))
        usable = None
        if remaining is not None:
            usable = remaining if window_s > _WINDOW_S else remaining - quota / window_s * (reset_s or window_s)
        announced.append(Quota(quota / window_s, usable))
    return min(announced, key=lambda one: one.rate_per_s or 0.0, default=None)


def _read_counted(limit: float, remaining: float, reset: str, wall_s: float) -> Quota | None:
    """Read a limit, what is left of it and when it is whole again."""
    span_s = _span_s(reset)
    moment_s = _moment_s(reset)
    if span_s is None and moment_s is None:  # a plain number: the end of a window
        number = _number(reset)
        if number is None:
            return None
        return Quota(usable=remaining, reset_s=number - wall_s if number > _EPOCH else number)
    whole_s = span_s if span_s is not None else (moment_s or 0.0) - wall_s
    if whole_s <= 0 or remaining >= limit:
        return None
    return Quota((limit - remaining) / whole_s, usable=remaining)


def _items(field: str, quantity: str, seconds: str) -> Iterator[tuple[str, float | None, float | None]]:
    """Give name and two parameters of each item of a structured list; `600;w=300` is the older form of a quota."""
    for item in _ITEM.findall(field):
        parameters = dict(_PARAMETER.findall(item))
        if parameters.get("qu", "requests") != "requests":
            continue
        name = _NAME.match(item)
        bare = item.split(";")[0].strip()
        yield (
            name[1] if name else "",
            _number(parameters.get(quantity, bare)),
            _number(parameters.get(seconds, "")),
        )


def _number(text: str) -> float | None:
    return float(text) if re.fullmatch(r"\d{1,12}(\.\d{1,9})?", text.strip()) else None


def _span_s(text: str) -> float | None:
    """Read a duration with units, such as `1s`, `6m0s`, `12ms`."""
    match = _SPAN.fullmatch(text.strip())
    if not text.strip() or match is None:
        return None
    hours, minutes, seconds, milliseconds = (float(part or 0) for part in match.groups())
    return hours * 3600 + minutes * 60 + seconds + milliseconds / 1000


def _moment_s(text: str) -> float | None:
    """Read an RFC 3339 date as Unix time."""
    if not re.match(r"\d{4}-\d\d-\d\dT", text):
        return None
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    return moment.timestamp() if moment.tzinfo else None
