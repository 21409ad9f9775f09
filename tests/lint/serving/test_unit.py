"""systemd units: keys, continued lines, drop-ins, files of variables."""

from pathlib import Path

import pytest

from burstctl.lint.file import File
from burstctl.lint.fleet import Server
from burstctl.lint.project import Project
from burstctl.lint.serving.unit import read_text, read_unit


def server(text: str, folder: Path) -> Server:
    fleet, _ = read_unit(File.of("api.service", text), Project(folder.resolve()))
    return fleet.servers[0]


def test_entries_go_on_over_lines_and_comments_are_none() -> None:
    text = "# Key=1\n[Service]\nExecStart=a \\\n  b \\\n  c\n; Key=2\n Restart = always \n[Install]\nRestart=x"
    read = read_text(File.of("api.service", text))
    assert [(one.section, one.key, one.value.text) for one in read.entries] == [
        ("Service", "ExecStart", "a \\\n  b \\\n  c"),
        ("Service", "Restart", "always"),
        ("Install", "Restart", "x"),
    ]


@pytest.mark.parametrize(
    "text", ["", "[", "[Service]\nExecStart=\\", "=\n==\n[]\n", "[Service]\nExecStart=" + "\\\n" * 20_000]
)
def test_odd_units_are_survived(text: str, tmp_path: Path) -> None:
    assert read_unit(File.of("api.service", text), Project(tmp_path.resolve()))[0].servers == ()


@pytest.mark.parametrize(
    ("environment", "workers"),
    [
        ("Environment=WEB_CONCURRENCY=4", "4"),
        ('Environment="A=1 2" "WEB_CONCURRENCY=4"', "4"),
        ("Environment='WEB_CONCURRENCY=4'", "4"),
        ("Environment=WEB_CONCURRENCY=2\nEnvironment=WEB_CONCURRENCY=4", "4"),
        ("Environment=XWEB_CONCURRENCY=4", None),
        ("# Environment=WEB_CONCURRENCY=4", None),
    ],
)
def test_variables_are_read_as_systemd_does(environment: str, workers: str | None, tmp_path: Path) -> None:
    found = server(f"[Service]\n{environment}\nExecStart=/bin/gunicorn app:app\n", tmp_path).workers
    assert (found and found.value) == workers


def test_a_command_with_prefixes_is_one(tmp_path: Path) -> None:
    found = server("[Service]\nExecStart=-@/bin/gunicorn -w 4 app:app\n", tmp_path)
    assert found.workers
    assert found.workers.value == "4"
