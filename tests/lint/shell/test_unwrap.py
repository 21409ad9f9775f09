"""What a command really runs, behind whatever stands before it."""

import pytest

from burstctl.lint.shell.parse import parse
from burstctl.lint.shell.remote import program_of


def last(text: str) -> list[str]:
    return [word.text for word in parse(text).commands[-1].argv]


@pytest.mark.parametrize(
    "text",
    [
        "sudo -u ci hey -z 1s u",
        "timeout -k 5 60 hey -z 1s u",
        "nohup hey -z 1s u &",
        "env -u A B=1 hey -z 1s u",
        "B=1 hey -z 1s u",
        "sudo -E nohup nice -n 5 timeout 5m hey -z 1s u",
        "bash -c 'hey -z 1s u'",
        "sh -ec 'cd x; hey -z 1s u'",
        "bash -c \"bash -c 'hey -z 1s u'\"",
        'eval "hey -z 1s u"',
        "eval hey -z 1s u",
        "ssh -i key -p 22 ci@host 'hey -z 1s u'",
        "ssh host hey -z 1s u",
        "docker run --rm -e A=1 --network host tools:1 hey -z 1s u",
        "docker run --rm williamyeh/hey:latest -z 1s u",
        "docker run --entrypoint hey tools -z 1s u",
        "podman exec -it box hey -z 1s u",
        "docker compose exec -T box hey -z 1s u",
        "docker-compose run --rm box hey -z 1s u",
        "kubectl -n x exec deploy/box -- hey -z 1s u",
        "kubectl run box --image=williamyeh/hey --rm -it -- -z 1s u",
        "npx --yes hey -z 1s u",
        "poetry run hey -z 1s u",
        "uv run --with x hey -z 1s u",
        "COMMAND='hey -z 1s u'\n$COMMAND",
        "COMMAND='hey -z'\n$COMMAND 1s u",
        'run=(hey -z 1s)\n"${run[@]}" u',
    ],
)
def test_wrappers_come_off(text: str) -> None:
    assert last(text) == ["hey", "-z", "1s", "u"]


@pytest.mark.parametrize(
    "text", ["docker build -t hey .", "docker pull williamyeh/hey", "poetry add hey", "kubectl get hey"]
)
def test_what_wraps_nothing_stays(text: str) -> None:
    assert last(text)[0] == text.split()[0]


def test_a_fan_out_is_remembered_through_an_inner_shell() -> None:
    [command] = [one for one in parse("seq 9 | xargs -P 3 sh -c 'curl $0'").commands if one.name == "curl"]
    assert command.fan_out is not None
    assert command.fan_out.degree == 3


@pytest.mark.parametrize(
    ("text", "degree", "delay_s"),
    [
        ("xargs -P 3 curl", 3, None),
        ("xargs -P3 curl", 3, None),
        ("xargs --max-procs=3 curl", 3, None),
        ("parallel curl", None, None),
        ("parallel -j 8 --delay 0.5 'curl {}' ::: a", 8, 0.5),
        ('xargs -P "$N" curl', None, None),
    ],
)
def test_a_fan_out_says_how_wide_it_is(text: str, degree: int | None, delay_s: float | None) -> None:
    fan_out = parse(text).commands[-1].fan_out
    assert fan_out is not None
    assert (fan_out.degree, fan_out.delay_s) == (degree, delay_s)
    assert parse("xargs curl").commands[-1].fan_out is None


def test_images_are_known_whatever_their_registry_and_tag() -> None:
    assert program_of("grafana/k6") == "k6"
    assert program_of("registry.example.com:5000/mirror/grafana/k6:0.49.0") == "k6"
    assert program_of("locustio/locust@sha256:0000") == "locust"
    assert program_of("example/k6-results") is None
