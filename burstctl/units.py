"""Quantities as people write them (`300/s`, `30s`, `16MiB`, `5%`) and back. Knows nothing of what they limit."""

import math
import re

from burstctl.pattern import pattern

MAX_RATE_PER_S = 1_000_000.0

_PER = {"": 1.0, "/s": 1.0, "/sec": 1.0, "/min": 60.0, "/m": 60.0, "/h": 3600.0}
_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}
_BYTES = {"": 1, "b": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "kib": 2**10, "mib": 2**20, "gib": 2**30}
_NUMBER = r"(?P<number>[0-9]+(?:\.[0-9]+)?|\.[0-9]+)"
_RATE = pattern(rf"{_NUMBER}\s*(?P<unit>/(?:s|sec|min|m|h))?")
_DURATION = pattern(rf"{_NUMBER}\s*(?P<unit>ms|min|s|m|h)")
_SIZE = pattern(rf"{_NUMBER}\s*(?P<unit>[kmg]i?b|b)?", re.IGNORECASE)


def parse_rate(value: object) -> float:
    """Read a rate in requests/s; a `ValueError` says what was expected."""
    expected = "a positive number with an optional /s, /min or /h"
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ValueError(f"expected {expected}")
    if isinstance(value, str):
        match = _RATE.fullmatch(value.strip())
        if match is None:
            raise ValueError(f"expected {expected}")
        rate = float(match["number"]) / _PER[match["unit"] or ""]
    else:
        rate = float(value)
    if not math.isfinite(rate) or rate <= 0:
        raise ValueError(f"expected {expected}, more than 0")
    if rate > MAX_RATE_PER_S:
        raise ValueError("expected at most 1,000,000/s")
    return rate


def parse_duration(value: object) -> float:
    """Read a duration in seconds (`30s`, `200ms`, `10m`, `1h`, compound `1h30m`; a bare number is seconds)."""
    expected = "a duration such as 500ms, 30s, 10m or 1h"
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ValueError(f"expected {expected}")
    if isinstance(value, str):
        text = value.strip()
        try:
            seconds = float(text) if re.fullmatch(_NUMBER, text) else _compound(text)
        except ValueError:
            raise ValueError(f"expected {expected}") from None
    else:
        seconds = float(value)
    if not math.isfinite(seconds) or seconds <= 0:
        raise ValueError(f"expected {expected}, more than 0")
    if seconds > 30 * 24 * 3600:
        raise ValueError("expected at most 30 days (720h)")
    return seconds


def _compound(text: str) -> float:
    position, total = 0, 0.0
    while position < len(text):
        match = _DURATION.match(text, position)
        if match is None:
            raise ValueError
        total += float(match["number"]) * _SECONDS[match["unit"]]
        position = match.end()
    if not position:
        raise ValueError
    return total


def parse_size(value: object) -> int:
    """Read a size in bytes (`16MiB`, `500kB`; a bare number is bytes)."""
    expected = "a size such as 64KiB or 16MiB"
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise ValueError(f"expected {expected}")
    match = _SIZE.fullmatch(str(value).strip())
    if match is None:
        raise ValueError(f"expected {expected}")
    size = float(match["number"]) * _BYTES[(match["unit"] or "").lower()]
    if not 1 <= size <= 2**40:
        raise ValueError(f"expected {expected}, from 1 byte to 1 TiB")
    return int(size)


def format_rate(rate_per_s: float) -> str:
    """Show a rate as it may be written: `300/s`, `0.5/s`."""
    text = f"{rate_per_s:.6g}"
    return f"{f'{rate_per_s:.9f}'.rstrip('0').rstrip('.') if 'e' in text else text}/s"


def format_duration(seconds: float) -> str:
    """Show a duration for people: `850 ms`, `4.1 s`, `2 m 05 s`, `1 h 02 m`."""
    if seconds < 0.9995:
        return f"{seconds * 1000:.0f} ms"
    if seconds < 59.95:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02d} m" if hours else f"{minutes} m {rest:02d} s"


def format_ms(milliseconds: float | None) -> str:
    """Show a latency with three meaningful digits: `0.84`, `12.3`, `164`, `1,240`; a dash where there is none."""
    if milliseconds is None:
        return "–"
    if milliseconds < 9.995:
        return f"{milliseconds:.2f}"
    if milliseconds < 99.95:
        return f"{milliseconds:.1f}"
    return f"{milliseconds:,.0f}"


def format_share(share: float) -> str:
    """Show a share as a percentage that never rounds a failure away: `0%`, `0.083%`, `12.5%`."""
    return f"{share * 100:.3g}%"
