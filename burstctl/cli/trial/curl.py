"""A request as a `curl` command that can be run as it stands; secrets are variables of the shell. Sends nothing."""

import base64
import re
from collections.abc import Iterable, Iterator, Sequence

from burstctl.cli.trial.exchange import origin_of
from burstctl.cli.trial.shell import Piece, Substitution, Variable, is_writable, word
from burstctl.plan import Plan, Request
from burstctl.report.words.inert import inert
from burstctl.secret import is_secret_name, redact_url

_MOST_BODY = 64 * 2**10
"""Bytes: a command line must stay one that a shell takes."""
_SCHEME = re.compile(r"[A-Za-z][A-Za-z-]* +")
_BASIC = re.compile(r"Basic +([A-Za-z0-9+/=]+)", re.IGNORECASE)
_HTTP = {"1.1": "--http1.1", "2": "--http2"}


def write_curl(request: Request, plan: Plan, run_id: str) -> list[str]:
    """Give the lines of a command, comments first; the request's generated identity is left out."""
    return _Curl(request, plan, run_id).lines()


class _Curl:
    """One command while it is made."""

    def __init__(self, request: Request, plan: Plan, run_id: str) -> None:
        self._request = request
        self._plan = plan
        self._identity = f"{run_id}-{request.index}"
        self._secrets = Substitution(plan.variables, plan.redactor)
        self._environment = {name for name, _ in plan.variables}
        self._foreign: dict[str, str] = {}
        """Variables that the environment of a run does not have, and what they stand for."""
        self._feed = ""
        """A command whose output is the body."""

    def lines(self) -> list[str]:
        options = [*self._transfer(), *self._headers(), *self._body()]
        words = [f"{self._feed}curl {self._method()} {self._url()}", *options]
        comments = [f"# set {name}: {meaning}" for name, meaning in self._foreign.items()]
        name = f"# {inert(self._request.name)}"
        return [name, *comments, *" \\\n  ".join(words).split("\n")]

    def _method(self) -> str:
        return "--head" if self._request.method == "HEAD" else f"--request {self._word(self._request.method)}"

    def _url(self) -> str:
        path, mark, query = self._request.target.partition("?")
        pieces = self._split(origin_of(self._plan) + path)
        # Found first and divided then: a secret may hold what divides parameters.
        for place, pair in enumerate(_divide(self._split(query), "&") if mark else ()):
            named, value = _cut(pair, "=")
            name = named[0].removesuffix("=") if named and isinstance(named[0], str) else ""
            if is_secret_name(name) and any(isinstance(piece, str) for piece in value):
                value = [self._take_variable_of("query parameter", name)]
            pieces += [*(["&"] if place else ["?"]), *named, *value]
        return word(_join(pieces))

    def _transfer(self) -> Iterator[str]:
        target, timeouts = self._plan.target, self._request.timeouts or self._plan.target.timeouts
        # A brace or bracket in the path is no pattern here, as it is to curl.
        yield f"--globoff {_HTTP[target.http]} --connect-timeout {timeouts.connect_s:g} --max-time {timeouts.total_s:g}"
        for option, path in (("cacert", target.tls.ca), ("cert", target.tls.cert), ("key", target.tls.key)):
            if path is not None:
                yield f"--{option} {self._word(path)}"
        if not target.tls.verify:
            yield "--insecure"
        if target.proxy is not None:
            open_to_all = redact_url(target.proxy) == target.proxy
            pieces = self._split(target.proxy) if open_to_all else [self._take_variable("PROXY", "target.proxy")]
            yield f"--proxy {word(pieces)}"

    def _headers(self) -> Iterator[str]:
        names = set()
        for name, value in self._request.headers:
            names.add(name.lower())
            if value == self._identity or (name, value) == ("accept", "*/*"):
                continue
            login = self._login(name, value)
            if login:
                yield f"--user {word(login)}"
            elif not value:
                yield f"--header {self._word(f'{name};')}"
            else:
                of_value = self._credential("header", name, value) if is_secret_name(name) else self._split(value)
                yield f"--header {word(_join([f'{name}: ', *of_value]))}"
        if self._request.body and "content-type" not in names:
            yield "--header Content-Type:"  # or curl would name one of its own

    def _body(self) -> Iterator[str]:
        body = self._request.body
        if not body:
            return
        if len(body) > _MOST_BODY:
            file = self._take_variable("BODY_FILE", f"a file with the body, {len(body):,} bytes")
            yield f"--data-binary @{word([file])}"
            return
        pieces = self._split(body.decode("utf-8", "surrogateescape"))
        if all(is_writable(piece) for piece in pieces if isinstance(piece, str)):
            yield f"--data-raw {word(pieces)}"
        else:
            self._feed = " ".join(["{", *(f"{self._emit(piece)};" for piece in pieces), "} |\n  "])
            yield "--data-binary @-"

    def _emit(self, piece: Piece) -> str:
        if isinstance(piece, Variable):
            return f'printf %s "${piece.name}"'
        encoded = base64.b64encode(piece.encode("utf-8", "surrogateescape")).decode()
        return f"printf %s {encoded} | base64 -d"

    def _login(self, name: str, value: str) -> list[Piece]:
        """Turn basic authentication whose password is a variable into curl's own option."""
        match = _BASIC.fullmatch(value) if name.lower() == "authorization" else None
        if match is None:
            return []
        try:
            login = base64.b64decode(match[1], validate=True).decode()
        except ValueError:
            return []
        user, _, password = login.partition(":")
        of_user, of_password = self._split(user), self._split(password)
        if len(of_password) != 1 or not isinstance(of_password[0], Variable):
            return []
        return _join([*of_user, ":", *of_password])

    def _credential(self, what: str, name: str, value: str) -> list[Piece]:
        """Show of a credential no more than its scheme."""
        scheme = _SCHEME.match(value)
        start = scheme[0] if scheme else ""
        pieces = self._split(value[len(start) :])
        if pieces and all(isinstance(piece, Variable) for piece in pieces):
            return [start, *pieces] if start else pieces
        return [self._take_variable_of(what, name)]

    def _take_variable_of(self, what: str, name: str) -> Variable:
        meaning = f"the {what} {name}, as in the manifest or its data"
        return self._take_variable(re.sub(r"\W", "_", name, flags=re.ASCII).upper(), meaning)

    def _take_variable(self, name: str, meaning: str) -> Variable:
        """Take a name that stands for nothing else."""
        while name in self._environment or self._foreign.get(name, meaning) != meaning:
            name += "_"
        self._foreign[name] = meaning
        return Variable(name)

    def _split(self, text: str) -> list[Piece]:
        pieces = self._secrets.split(text)
        for piece in pieces:
            if isinstance(piece, Variable) and piece.name not in self._environment:
                name, _, form = piece.name.rpartition("_IN_")
                how = {"JSON": "escaped for JSON", "URL": "percent-encoded"}[form]
                self._foreign[piece.name] = f"{name}, {how}"
        return pieces

    def _word(self, text: str) -> str:
        return word(self._split(text))


def _join(pieces: list[Piece]) -> list[Piece]:
    """Put neighbouring texts together."""
    joined: list[Piece] = []
    for piece in pieces:
        if isinstance(piece, str) and joined and isinstance(joined[-1], str):
            joined[-1] += piece
        elif piece != "":
            joined.append(piece)
    return joined


def _divide(pieces: Iterable[Piece], at: str) -> list[list[Piece]]:
    """Divide pieces where a sign stands in a text."""
    parts: list[list[Piece]] = [[]]
    for piece in pieces:
        first, *others = piece.split(at) if isinstance(piece, str) else [piece]
        parts[-1].append(first)
        parts += [[other] for other in others]
    return parts


def _cut(pair: Sequence[Piece], at: str) -> tuple[list[Piece], list[Piece]]:
    """Cut pieces behind the first sign, if it stands in the first of them."""
    if not pair or not isinstance(pair[0], str) or at not in pair[0]:
        return list(pair), []
    name, _, value = pair[0].partition(at)
    return [name + at], [piece for piece in (value, *pair[1:]) if piece != ""]
