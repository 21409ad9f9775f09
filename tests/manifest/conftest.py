"""A manifest written into a folder of its own and loaded as the command line would."""

import io
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Protocol

import pytest

from burstctl.errors import UsageError
from burstctl.manifest.load import load
from burstctl.manifest.overrides import NO_OVERRIDES, Overrides
from burstctl.plan import Plan


class Load(Protocol):
    def __call__(
        self,
        text: str | bytes,
        environ: Mapping[str, str] = {},
        overrides: Overrides = NO_OVERRIDES,
        files: Mapping[str, str | bytes] = {},
    ) -> Plan: ...


@pytest.fixture
def load_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Load:
    """Give the means to load a manifest `m.yaml`; files are written beside it."""
    monkeypatch.chdir(tmp_path)

    def load_text(
        text: str | bytes,
        environ: Mapping[str, str] = {},
        overrides: Overrides = NO_OVERRIDES,
        files: Mapping[str, str | bytes] = {},
    ) -> Plan:
        for name, content in {**files, "m.yaml": text}.items():
            Path(name).write_bytes(content.encode() if isinstance(content, str) else content)
        return load("m.yaml", stdin=io.BytesIO(), environ=environ, overrides=overrides, run_id="run", seed=7)

    return load_text


@pytest.fixture
def refuse(load_text: Load) -> Callable[..., str]:
    """Give the means to load what must be refused, and the message."""

    def refuse(
        text: str | bytes,
        environ: Mapping[str, str] = {},
        overrides: Overrides = NO_OVERRIDES,
        files: Mapping[str, str | bytes] = {},
    ) -> str:
        with pytest.raises(UsageError) as caught:
            load_text(text, environ, overrides, files)
        return caught.value.message + (f"\nhint: {caught.value.hint}" if caught.value.hint else "")

    return refuse
