"""Reads how long a server asks to wait from an answer's headers. Malformed fields are ignored, never guessed at."""

import re
from collections.abc import Mapping
from datetime import UTC
from email.utils import parsedate_to_datetime

_SECONDS = re.compile(r"[0-9]{1,30}(\.[0-9]{0,9})?")


def read_retry_after(headers: Mapping[str, str], wall_s: float) -> float | None:
    """Tell the seconds to wait; `headers` with names in lower case, `wall_s` the local Unix time.

    An HTTP date is taken relative to the answer's own Date, so that a skewed clock on either side does not matter.
    Source: RFC 9110, sections 5.6.7 and 10.2.3.
    """
    milliseconds = headers.get("retry-after-ms", "").strip()
    if _SECONDS.fullmatch(milliseconds):
        return float(milliseconds) / 1000
    value = headers.get("retry-after", "").strip()
    if not value:
        return None
    if _SECONDS.fullmatch(value):
        return float(value)
    until_s = _date(value)
    if until_s is None:
        return None
    sent_s = _date(headers.get("date", ""))
    return max(0.0, until_s - (wall_s if sent_s is None else sent_s))


def _date(value: str) -> float | None:
    try:
        moment = parsedate_to_datetime(value)
    except (ValueError, IndexError, TypeError, OverflowError):
        return None
    # The form that ends in "-0000" comes back naive; HTTP dates are always in UTC.
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
