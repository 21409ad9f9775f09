"""The command for a request says all that decides how it is sent, and none of its secrets."""

from dataclasses import replace
from typing import Any

from burstctl.cli.trial.curl import write_curl
from burstctl.plan import Plan, RateLimit, Request, Retry, Target, Timeouts, Tls
from burstctl.secret import Redactor


def curl(request: Request, target: Target | None = None, **variables: str) -> str:
    plan = Plan(
        target or Target("http://127.0.0.1:9"),
        RateLimit(),
        Retry(frozenset(), frozenset()),
        {request.name: 1},
        lambda: iter([request]),
        (),
        redactor=Redactor(variables.values()),
        variables=tuple(variables.items()),
    )
    return "\n".join(write_curl(request, plan, "run"))


def request(method: str = "GET", target: str = "/p", headers: Any = (), body: bytes = b"") -> Request:
    return Request(0, "predict", method, target, tuple(headers), body)


def test_a_plain_request_is_a_short_command() -> None:
    assert curl(request(headers=[("accept", "*/*"), ("x-request-id", "run-0")])) == (
        "# predict\ncurl --request GET http://127.0.0.1:9/p \\\n  --globoff --http1.1 --connect-timeout 5 --max-time 30"
    )


def test_an_identity_that_the_manifest_sets_is_kept() -> None:
    assert "--header 'x-request-id: mine'" in curl(request(headers=[("x-request-id", "mine")]))


def test_transport_settings_become_options() -> None:
    target = Target(
        "https://host:8443",
        Timeouts(connect_s=1.5, total_s=2),
        Tls("my ca.pem", "c.pem", "k.pem", verify=False),
        proxy="http://proxy:3128",
        http="2",
    )
    command = curl(request("HEAD"), target)
    for words in (
        "curl --head https://host:8443/p",
        "--http2 --connect-timeout 1.5 --max-time 2",
        "--cacert 'my ca.pem'",
        "--cert c.pem",
        "--key k.pem",
        "--insecure",
        "--proxy http://proxy:3128",
    ):
        assert words in command
    hidden = curl(request(), replace(target, proxy="http://me:canary@proxy:3128"))
    assert '--proxy "$PROXY"' in hidden
    assert "# set PROXY: target.proxy" in hidden
    assert "canary" not in hidden


def test_a_request_that_has_its_own_timeouts_keeps_them() -> None:
    given = Request(0, "predict", "GET", "/p", timeouts=Timeouts(connect_s=0.5, total_s=90))
    assert "--connect-timeout 0.5 --max-time 90" in curl(given)


def test_a_credential_of_no_variable_gets_one() -> None:
    headers = [("x-api-key", "canary"), ("authorization", "Bearer canary"), ("cookie", "a=canary-1; b=2")]
    command = curl(request(target="/p?a=1&token=canary&b=2", headers=headers), T="canary-1")
    assert "canary" not in command
    assert '--header "x-api-key: $X_API_KEY"' in command
    assert '--header "authorization: $AUTHORIZATION"' in command
    assert '--header "cookie: $COOKIE"' in command
    assert '"http://127.0.0.1:9/p?a=1&token=$TOKEN&b=2"' in command
    assert "# set X_API_KEY: the header x-api-key, as in the manifest or its data\n" in command


def test_no_two_values_share_a_variable() -> None:
    headers = [("token", "header-literal"), ("x-env", "of-the-environment")]
    command = curl(request(target="/p?token=query-literal", headers=headers), TOKEN="of-the-environment")
    assert '--header "x-env: $TOKEN"' in command
    assert '--header "token: $TOKEN_' in command
    assert len({line for line in command.splitlines() if line.startswith("# set TOKEN_")}) == 2
    assert "?token=$TOKEN_" in command


def test_curl_adds_no_content_type_of_its_own() -> None:
    assert "--header Content-Type:" in curl(request("POST", body=b"x"))
    assert "--header Content-Type:" not in curl(request("POST", headers=[("Content-Type", "a/b")], body=b"x"))


def test_a_body_that_can_not_be_shown_is_fed_in() -> None:
    assert "{ printf %s AP8= | base64 -d; } |\n  curl " in curl(request("POST", body=b"\0\xff"))
    large = curl(request("POST", body=b"x" * 70_000))
    assert '--data-binary @"$BODY_FILE"' in large
    assert len(large) < 1000


def test_a_name_can_not_end_its_comment() -> None:
    given = Request(0, "a\nrm -rf /", "GET", "/p")
    assert curl(given).splitlines()[0] == "# a rm -rf /"
