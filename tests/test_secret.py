"""Secrets are masked in every form in which they travel; what only looks like one stays readable."""

import base64
import json
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burstctl.secret import MASK, Redactor, is_secret_name, redact_url, secret_values


@pytest.mark.parametrize(
    "name",
    [
        "Authorization",
        "proxy-authorization",
        "cookie",
        "Set-Cookie",
        "x-api-key",
        "api_key",
        "apikey",
        "X-Auth-Token",
        "password",
        "client_secret",
        "x-amz-security-token",
        "ocp-apim-subscription-key",
        "sig",
        "key",
        "session",
    ],
)
def test_names_that_give_a_credential_away(name: str) -> None:
    assert is_secret_name(name)


@pytest.mark.parametrize(
    "name", ["content-type", "idempotency-key", "x-request-id", "max_tokens", "max-new-tokens", "keyboard", "accept"]
)
def test_names_that_do_not(name: str) -> None:
    assert not is_secret_name(name)


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("http://user:pass@host:8080/p", "http://***@host:8080/p"),
        ("https://host/p?api_key=abc&page=2", "https://host/p?api_key=***&page=2"),
        ("http://user:p@ss@host/", "http://***@host/"),
        ("http://[::1/", "http://[::1/"),
        ("http://u:p@[::1/", "http://***@[::1/"),
    ],
)
def test_a_url_is_shown_without_its_credentials(url: str, shown: str) -> None:
    assert redact_url(url) == shown


SECRET = 'p/a+ss wo"rd=ü'


@pytest.mark.parametrize(
    "form",
    [
        SECRET,
        quote(SECRET, safe=""),
        quote_plus(SECRET),
        json.dumps(SECRET),
        json.dumps(SECRET, ensure_ascii=False),
        base64.b64encode(SECRET.encode()).decode(),
    ],
)
def test_a_secret_is_masked_in_each_form(form: str) -> None:
    shown = Redactor([SECRET]).redact(f"<{form}>")
    assert shown in (f"<{MASK}>", f'<"{MASK}">')


def test_a_bearer_token_is_masked_without_its_scheme_and_basic_as_it_travels() -> None:
    redactor = Redactor(["Bearer abcdef", "user:hunter22"])
    encoded = base64.b64encode(b"user:hunter22").decode()
    assert redactor.redact(f"token abcdef, Basic {encoded}") == f"token {MASK}, Basic {MASK}"


def test_the_longer_secret_is_masked_whole() -> None:
    assert Redactor(["abcd", "abcdefgh"]).redact("abcdefgh abcd") == f"{MASK} {MASK}"


def test_short_values_are_masked_by_name_only() -> None:
    redactor = Redactor(["ok"])
    assert redactor.redact("it is ok") == "it is ok"
    assert redactor.redact_mapping({"x-api-key": "ok", "accept": "ok"}) == {"x-api-key": MASK, "accept": "ok"}


@given(st.lists(st.text(min_size=4, max_size=12).filter(lambda text: len(text.strip()) >= 4), max_size=4), st.text())
def test_no_secret_survives_in_any_text(secrets: list[str], text: str) -> None:
    shown = Redactor(secrets).redact(text + "".join(secrets))
    for secret in secrets:
        assert secret.strip() not in shown.split(MASK)


def test_without_secrets_nothing_changes() -> None:
    assert Redactor([]).redact("text") == "text"


@pytest.mark.parametrize(
    "written",
    [
        "sk-live/9f&<é==",
        r"sk-live\/9f&<é==",
        "sk-live/9f\\u0026\\u003cé\\u003d\\u003d",
        "sk-live/9f&amp;&lt;é==",
        "sk-live%2f9f%26%3c%c3%a9%3d%3d",
        "sk-live%2F9f%26%3C%C3%A9%3D%3D",
        "sk-live/9f%26%3C%C3%A9%3D%3D",
        "SK-LIVE/9F&<É==",
    ],
)
def test_a_secret_is_masked_in_the_forms_that_servers_write(written: str) -> None:
    assert Redactor(["sk-live/9f&<é=="]).redact(f"bad token {written}!") == "bad token ***!"


def test_a_credential_in_a_query_is_one_by_its_name() -> None:
    assert secret_values((("x-api-key", "a"), ("accept", "b")), "/p?api_key=c%2Fd&q=e") == ["a", "c/d"]
