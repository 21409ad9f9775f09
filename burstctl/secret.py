"""Keeps secret values out of every output. Knows values, and names that give them away; not where they are printed."""

import base64
import html
import json
import re
from collections.abc import Iterable, Mapping
from urllib.parse import parse_qsl, quote, quote_plus, urlsplit, urlunsplit

MASK = "***"

# Shorter values occur by chance in any text; they are masked only where they stand, by name.
_SHORTEST = 4

_LONG = 64
"""The start of a secret that is longer gives it away: excerpts of answers may end in its middle."""

_SECRET_NAME = re.compile(
    r"(authorization|cookie|api[-_]?key|access[-_]?key|subscription[-_]?key|token|secret|password|passwd|credential"
    r"|signature|session|private[-_]?key|^key$|^sig$|^auth$|-auth$|_auth$|-key$|_key$)",
    re.IGNORECASE,
)
_ESCAPED_BY_SOME = (re.compile("[&<>]"), re.compile("[&<>='+]"))
"""What JSON writers escape without need: Go's, and those that are wary of HTML."""
_PLAIN_NAME = re.compile(r"^(idempotency[-_]key|x[-_]idempotency[-_]key|max[-_]?(\w+[-_])?tokens)$", re.IGNORECASE)


def is_secret_name(name: str) -> bool:
    """Tell whether a header, query or key of this name holds a credential, whatever its value."""
    return bool(_SECRET_NAME.search(name)) and not _PLAIN_NAME.match(name)


def secret_values(headers: Iterable[tuple[str, str]], target: str) -> list[str]:
    """List what headers and a target's query hold that is a credential by its name."""
    query = parse_qsl(target.partition("?")[2], keep_blank_values=True)
    return [value for name, value in (*headers, *query) if is_secret_name(name)]


def redact_url(url: str) -> str:
    """Mask a URL's user info and the values of its credential-like query parameters; the host stays readable."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return re.sub(r"//[^/?#]*@", f"//{MASK}@", url)
    netloc = f"{MASK}@{parts.netloc.rpartition('@')[2]}" if "@" in parts.netloc else parts.netloc
    query = "&".join(_redact_pair(pair) for pair in parts.query.split("&")) if parts.query else ""
    return urlunsplit((parts.scheme, netloc, parts.path, query, parts.fragment))


def _redact_pair(pair: str) -> str:
    name, equals, _value = pair.partition("=")
    return f"{name}={MASK}" if equals and is_secret_name(name) else pair


class Redactor:
    """Replaces the secret values of one run in any text, in the forms in which they travel."""

    __slots__ = ("_pattern",)

    def __init__(self, secrets: Iterable[str]) -> None:
        forms = {form for secret in secrets for form in _forms(secret.strip()) if len(form) >= _SHORTEST}
        # The longest first: a secret that contains another one is masked whole.
        ordered = sorted(forms, key=lambda form: (-len(form), form))
        # Without regard to case: `%2f` and `%2F` are one.
        self._pattern = re.compile("|".join(map(_pattern, ordered)), re.IGNORECASE) if ordered else None

    def redact(self, text: str) -> str:
        """Mask every secret in `text`."""
        return text if self._pattern is None else self._pattern.sub(MASK, text)

    def redact_mapping(self, values: Mapping[str, str]) -> dict[str, str]:
        """Mask the values of secret names whole, and secrets inside the others."""
        return {name: MASK if is_secret_name(name) else self.redact(value) for name, value in values.items()}


def _pattern(form: str) -> str:
    """Match a form; a long one also where somebody has cut it off."""
    if len(form) <= _LONG:
        return re.escape(form)
    return rf"{re.escape(form)}|{re.escape(form[:_LONG])}[^\s\"'<>]*"


def _forms(secret: str) -> Iterable[str]:
    """Give a secret as it is and as URLs, HTML, JSON of several makes and basic authentication carry it."""
    yield secret
    for line in secret.splitlines():
        yield line.strip()
    for text in (secret, html.escape(secret), html.escape(secret, quote=False)):
        yield text
        yield quote(text, safe="")
        yield quote(text)
        yield quote_plus(text)
        for escaped in (json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1]):
            yield escaped
            yield escaped.replace("/", "\\/")  # as PHP does
            for characters in _ESCAPED_BY_SOME:
                yield characters.sub(lambda found: f"\\u{ord(found[0]):04x}", escaped)
            yield json.dumps(escaped)[1:-1]  # JSON within JSON
    yield base64.b64encode(secret.encode()).decode()
    # "Bearer abc" must not hide only as a whole: the credential alone is the secret.
    scheme, space, credential = secret.partition(" ")
    if space and scheme.lower() in {"bearer", "basic", "token", "apikey"}:
        yield credential.strip()
