"""`rate_limit.share`: host or a Redis; its password from the environment, and never shown."""

import pytest

from burstctl.errors import UsageError
from burstctl.manifest.load import load_source
from burstctl.manifest.overrides import Overrides
from burstctl.plan import Plan

MANIFEST = """\
target: {base_url: "http://h"}
rate_limit: {rate: 300/s, share: %s}
requests: [{name: p, path: /p}]
"""


def load(share: str, environ: dict[str, str] | None = None, *, told: str | None = None) -> Plan:
    source = (MANIFEST % share).encode()
    return load_source(source, "m.yaml", environ=environ or {}, overrides=Overrides(share=told), run_id="r", seed=0)


@pytest.mark.parametrize("share", ["host", "redis://h:6379/0", "rediss://user@h", "unix:///run/redis.sock?db=1"])
def test_a_share_is_host_or_a_redis(share: str) -> None:
    assert load(f'"{share}"').rate_limit.share == share


@pytest.mark.parametrize("share", ["none", "null", '""'])
def test_no_share_is_the_default(share: str) -> None:
    assert load(share).rate_limit.share is None


@pytest.mark.parametrize(
    ("share", "message"),
    [
        ("https://h", "expected host"),
        ("somewhere", "expected host"),
        ("redis://", "expected host"),
        ("redis://h:99999", "expected host"),
        ("redis://:geheimnis@h", "a password can't stand here"),
        ("redis://h?password=geheimnis", "before the host"),
    ],
)
def test_another_share_is_refused_and_no_password_repeated(share: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        load(f'"{share}"')
    assert message in caught.value.message
    assert message.startswith("expected host") or "${REDIS_PASSWORD}" in caught.value.message


def test_a_password_from_the_environment_is_shown_nowhere() -> None:
    plan = load('"redis://:${PASSWORD}@h:6379"', {"PASSWORD": "geheimnis"})
    assert plan.rate_limit.share == "redis://:geheimnis@h:6379"
    assert "geheimnis" not in repr(plan.settings) + repr(plan.rate_limit) + repr(plan.notes)
    assert plan.redactor.redact("it is geheimnis") == "it is ***"


def test_what_the_environment_sets_may_hold_a_password() -> None:
    plan = load("host", told="redis://:geheimnis@h")
    assert plan.rate_limit.share == "redis://:geheimnis@h"
    assert plan.redactor.redact("geheimnis") == "***"


def test_the_name_of_redis_own_user_is_no_secret() -> None:
    plan = load('"redis://default:${PASSWORD}@h"', {"PASSWORD": "geheimnis"})
    assert plan.redactor.redact("the default holds") == "the default holds"
