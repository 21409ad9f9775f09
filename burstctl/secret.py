"""Keeps secret values out of every output. Knows values, and names that give them away; not where they are printed.

A value is found in whatever form it travels in: encoded for URLs, HTML, JSON and Python, in any mixture and to any
depth, read in another charset, with other blanks, or within a text in base64. Of a value that is cut off or comes in
pieces only what is left of a long one's start is recognised.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

MASK = "***"

# Shorter values occur by chance in any text; they are masked only where they stand, by name.
_SHORTEST = 4

_LONG = 64
"""The start of a secret that is longer gives it away: excerpts of answers may end in its middle."""

_SHORTEST_WITHIN_BASE64 = 8
"""Of a shorter secret too little is the same wherever it begins in the text that was encoded."""

_SECRET_NAME = (
    r"(?i)(authorization|cookie|api[-_]?key|access[-_]?key|subscription[-_]?key|token|secret|password|passwd|credential"
    r"|signature|session|private[-_]?key|^key$|^sig$|^auth$|-auth$|_auth$|-key$|_key$)"
)
_PLAIN_NAME = r"(?i)^(idempotency[-_]key|x[-_]idempotency[-_]key|max[-_]?(\w+[-_])?tokens)$"
_ESCAPES = {"\a": "a", "\b": "b", "\f": "f", "\n": "n", "\r": "r", "\t": "t", "\v": "v"}
_BACKSLASH = r"(?:\\|%(?:25)*5c|&(?:amp;)*#(?:92|x5c);)"
_AMPERSAND = r"(?:&(?:amp;)*|%(?:25)*26(?:amp%(?:25)*3b)*|\\+u0026(?:amp;)*)"
_HASH, _SEMICOLON = "(?:#|%(?:25)*23)", "(?:;|%(?:25)*3b)?"
"""What escapes are made of may be escaped again."""
_SCHEMES = {"bearer", "basic", "token", "apikey"}


def is_secret_name(name: str) -> bool:
    """Tell whether a header, query or key of this name holds a credential, whatever its value."""
    return bool(re.search(_SECRET_NAME, name)) and not re.match(_PLAIN_NAME, name)


def secret_values(headers: Iterable[tuple[str, str]], target: str) -> list[str]:
    """List what headers and a target's query hold that is a credential by its name."""
    named, (_, _, query) = list(headers), target.partition("?")
    if query:
        from urllib.parse import parse_qsl

        named += parse_qsl(query, keep_blank_values=True)
    return [value for name, value in named if is_secret_name(name)]


def redact_url(url: str) -> str:
    """Mask a URL's user info and the values of its credential-like query parameters; the host stays readable."""
    from urllib.parse import urlsplit, urlunsplit

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

    __slots__ = ("_cut_off", "_needles", "_parts", "_pattern")

    def __init__(self, secrets: Iterable[str]) -> None:
        parts = {part for secret in secrets for part in _parts(secret.strip()) if len(part) >= _SHORTEST}
        # The longest first: a secret that contains another one is masked whole.
        self._parts = sorted(parts, key=lambda part: (-len(part), part))
        self._needles = tuple({needle for part in self._parts for needle in _needles(part)})
        self._pattern: re.Pattern[str] | None = None
        self._cut_off: re.Pattern[str] | None = None

    def redact(self, text: str) -> str:
        """Mask every secret in `text`."""
        # Nearly every text holds none: a look for letters that no encoding changes is a hundredth of the work.
        lower = text.lower()
        if not any(needle in lower for needle in self._needles):
            return text
        if self._pattern is None:  # only now: of the redactors that are made for single rows few ever mask anything
            patterns = [*map(_pattern, self._parts), *(one for part in self._parts for one in _within_base64(part))]
            # Without regard to case: `%2f` and `%2F` are one.
            self._pattern = re.compile("|".join(dict.fromkeys(patterns)), re.IGNORECASE)
        return self._redact_end(self._pattern.sub(MASK, text))

    def _redact_end(self, text: str) -> str:
        """Mask the start of a secret before the dots of a text that was cut: with others masked it comes to be seen."""
        if not text.endswith("…"):
            return text
        if self._cut_off is None:
            runs = [*map(_any_forms, self._parts), *(one for part in self._parts for one in _forms_within_base64(part))]
            self._cut_off = re.compile("|".join(map(_beginning, runs)), re.IGNORECASE)
        return self._cut_off.sub(f"{MASK}…", text)

    def redact_mapping(self, values: Mapping[str, str]) -> dict[str, str]:
        """Mask the values of secret names whole, and secrets inside the others."""
        return {name: MASK if is_secret_name(name) else self.redact(value) for name, value in values.items()}


def _parts(secret: str) -> Iterator[str]:
    """Give a secret and what of it is one by itself: its lines, a credential without its scheme, a login's password."""
    # Lint takes this module's names only, and lives as long as these take to load.
    import base64

    yield secret
    yield from (line.strip() for line in secret.splitlines())
    scheme, space, credential = secret.partition(" ")
    if space and scheme.lower() in _SCHEMES:
        yield credential.strip()
    if space and scheme.lower() == "basic":
        try:
            login = base64.b64decode(credential.strip(), validate=True).decode()
        except ValueError:
            return
        user, _, password = login.partition(":")
        yield from (login, user, password)


def _needles(secret: str) -> Iterator[str]:
    """Give what is in any text that holds a secret in one of its forms; the empty text where nothing is for sure."""
    for text in (secret[:_LONG], *_encode_within(secret)):
        yield max(re.findall(r"[0-9A-Za-z]+", text), key=len, default="").lower()


def _pattern(secret: str) -> str:
    """Match a secret; a long one also where somebody has cut it off."""
    forms = _any_forms(secret)
    if len(secret) <= _LONG:
        return "".join(forms)
    return rf"{''.join(forms)}|{''.join(_any_forms(secret[:_LONG]))}[^\s\"'<>]*"


def _beginning(forms: Sequence[str]) -> str:
    """Match the start of what `forms` match in a row, and of one of them, at the end of a text that was cut."""
    more = ""
    for form in reversed(forms[_SHORTEST:_LONG]):
        more = f"(?:{form}{more})?"
    return "".join(forms[:_SHORTEST]) + more + r"(?:[%&\\][\w#%&;\\]{0,12})?…$"


def _any_forms(text: str) -> list[str]:
    """Match a text, each of its characters in any form; how many blanks stand side by side makes no difference."""
    return [_any_form_of_run(run) for run in re.findall(r"\s+|\S", text)]


def _any_form_of_run(run: str) -> str:
    """Match a character, or blanks."""
    if run.isascii() and run.isalnum():
        return run
    forms = "|".join(dict.fromkeys(form for character in run for form in _forms(character)))
    return f"(?:{forms})+" if run.isspace() else f"(?:{forms})"


def _forms(character: str) -> Iterator[str]:
    r"""Give patterns for a character as it is, as %2F, &#47;, \/, \u002f or \x2f, and those of its bytes read apart."""
    from html.entities import codepoint2name

    code, octets = ord(character), character.encode("utf-8", "surrogatepass")
    yield f"{_BACKSLASH}+" if character == "\\" else f"{_BACKSLASH}*{re.escape(character)}"
    if character.isspace():
        yield from (r"\s", r"\+")
    if character in _ESCAPES:
        yield f"{_BACKSLASH}+{_ESCAPES[character]}"
    yield "".join(map(_percent, octets))
    name = codepoint2name.get(code, "apos" if character == "'" else "")
    yield f"{_AMPERSAND}(?:{_HASH}(?:0*{code}|x0*{code:x}){f'|{name}' if name else ''}){_SEMICOLON}"
    yield f"{_BACKSLASH}+" + (f"(?:x|u00|U000000){code:02x}" if code < 256 else f"(?:u|U0000){code:04x}")
    if code > 0xFFFF:
        high, low = divmod(code - 0x10000, 0x400)
        yield f"{_BACKSLASH}+u{0xD800 + high:04x}{_BACKSLASH}+u{0xDC00 + low:04x}"
        yield f"{_BACKSLASH}+U{code:08x}"
    if code >= 128:
        yield "".join(map(_apart, octets))


def _percent(octet: int) -> str:
    return f"%(?:25)*{octet:02x}"


def _apart(octet: int) -> str:
    """Match a byte of a character that was taken for a character itself."""
    encoded = "".join(map(_percent, chr(octet).encode()))
    return f"(?:{re.escape(chr(octet))}|{_BACKSLASH}+(?:x|u00){octet:02x}|{encoded})"


def _within_base64(text: str) -> Iterator[str]:
    """Match what a text becomes within any longer one that is encoded in base64, as headers carry a login."""
    for forms in _forms_within_base64(text):
        yield "".join(forms) + r"(?:[\w+/-]?(?:=|%3d){1,2}|[\w+/-](?![\w+/-]))?"


def _forms_within_base64(text: str) -> Iterator[list[str]]:
    for encoded in _encode_within(text):
        yield ["(?:[+-]|%2b)" if c == "+" else r"(?:\\*/|_|%2f)" if c == "/" else c for c in encoded]


def _encode_within(text: str) -> Iterator[str]:
    import base64

    octets = text.encode("utf-8", "surrogatepass")
    if len(octets) < _SHORTEST_WITHIN_BASE64:
        yield base64.b64encode(octets).decode().rstrip("=")
        return
    for before in range(3):
        # The characters at both ends also hold what stands beside the secret.
        first, last = -(-before * 8 // 6), (before + len(octets)) * 8 // 6
        yield base64.b64encode(bytes(before) + octets).decode()[first:last]
