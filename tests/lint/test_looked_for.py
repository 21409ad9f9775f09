"""What help and messages say that lint looks for is what it looks for."""

from typing import TYPE_CHECKING

from click.testing import CliRunner

from burstctl.cli.lint import command
from burstctl.lint.dialect.registry import Dialects
from burstctl.lint.looked_for import LOOKED_FOR

if TYPE_CHECKING:
    from burstctl.lint.dialect.registry import Dialect

FLEET = {"terraform", "cloudformation", "systemd", "dockerfile", "gunicorn", "script"}


def test_each_name_is_one_that_its_dialect_takes() -> None:
    # One system's files may be of several kinds, each with a module of its own.
    known: dict[str, list[Dialect]] = {}
    for one in Dialects().all():
        known.setdefault(one.NAME, []).append(one)
    assert set(known) - FLEET <= set(LOOKED_FOR)
    for name in set(known) & set(LOOKED_FOR):
        filled = [LOOKED_FOR[name].replace("*", text) for text in ("nightly", "-nightly", "nightly.")]
        assert any(one.live(path) for one in known[name] for path in filled), name


def test_help_names_them_all() -> None:
    shown = " ".join(CliRunner().invoke(command, ["--help"]).output.split())
    assert [name for name in LOOKED_FOR.values() if name not in shown] == []
