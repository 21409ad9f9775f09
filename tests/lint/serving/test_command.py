"""Command lines: which of them start a server, and with what."""

import pytest

from burstctl.lint.file import File
from burstctl.lint.fleet import Place
from burstctl.lint.serving.command import as_server, find_starts
from burstctl.lint.serving.words import read_shell


def servers(line: str) -> list[tuple[str, object, object]]:
    file = File.of("start.sh", line)
    found = [as_server(start, Place.SCRIPT, {}) for start in find_starts(read_shell(file, 0, len(line)))]
    return [(one.program, one.workers and one.workers.value, one.timeout and one.timeout.value) for one in found]


@pytest.mark.parametrize(
    ("line", "workers"),
    [
        ("gunicorn -w 4 app:app", "4"),
        ("gunicorn -w4 app:app", "4"),
        ("gunicorn --workers=4 app:app", "4"),
        ("gunicorn app:app --workers 4", "4"),
        ("gunicorn -w 2 -w 4 app:app", "4"),
        ("WEB_CONCURRENCY=4 gunicorn app:app", "4"),
        ("GUNICORN_CMD_ARGS='--workers 4 --reuse-port' gunicorn app:app", "4"),
        ("WEB_CONCURRENCY=9 gunicorn -w 4 app:app", "4"),
        ("sudo -u www env X=1 /opt/venv/bin/gunicorn -w 4 app:app", "4"),
        ("exec poetry run gunicorn -w 4 app:app", "4"),
        ("python3 -m gunicorn -w 4 app:app", "4"),
        ("uv run --frozen gunicorn -w 4 app:app", "4"),
        ("N=4; gunicorn -w $N app:app", "4"),
        ('bash -c "gunicorn -w 4 app:app"', "4"),
        ("ddtrace-run gunicorn -w 4 app:app", "4"),
        ("gunicorn app:app", None),
    ],
)
def test_workers_are_read_however_they_are_given(line: str, workers: str | None) -> None:
    assert servers(line) == [("gunicorn", workers, None)]


@pytest.mark.parametrize(
    "line",
    [
        "pip install gunicorn uvicorn",
        "python -m pip install gunicorn",
        "uv add gunicorn",
        "gunicorn --version",
        "gunicorn",
        "uvicorn app:app --reload",
        "gunicorn --check-config app:app",
        "echo gunicorn -w 1 app:app",
        "pkill gunicorn",
        "cat <<EOF\ngunicorn -w 1 app:app\nEOF",
        "which gunicorn || exit 1",
    ],
)
def test_what_starts_no_server_is_none(line: str) -> None:
    assert servers(line) == []


@pytest.mark.parametrize(
    "line", ["gunicorn -w $N app:app", "gunicorn -w ${N:-1} app:app", "gunicorn -w `nproc` app:app"]
)
def test_what_is_known_only_when_it_starts_is_unknown(line: str) -> None:
    file = File.of("start.sh", line)
    (start,) = find_starts(read_shell(file, 0, len(line)))
    workers = as_server(start, Place.SCRIPT, {}).workers
    assert workers is not None
    assert not workers.known


def test_a_place_is_the_option_s_value() -> None:
    text = "cd /srv\nexec gunicorn --workers=1 \\\n  --timeout 0 app:app\n"
    file = File.of("start.sh", text)
    (start,) = find_starts(read_shell(file, 0, len(text)))
    server = as_server(start, Place.SCRIPT, {})
    assert server.workers
    assert server.timeout
    assert (server.workers.span.text, server.workers.span.begins.line) == ("1", 2)
    assert (server.timeout.span.text, server.timeout.span.begins.line) == ("0", 3)
