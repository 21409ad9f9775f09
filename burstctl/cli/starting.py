"""The starter files: where they go, all of them or none. Knows no options."""

import os
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import burstctl
from burstctl.errors import UsageError

_MANIFEST = "burst.yaml"
_JOBS = {
    "gitlab": ("gitlab-ci.yml", "burst.gitlab-ci.yml"),
    "github": ("github-actions.yml", ".github/workflows/burst.yml"),
}
_NEXT = {
    "gitlab": "add to .gitlab-ci.yml:  include: burst.gitlab-ci.yml",
    "github": "call .github/workflows/burst.yml from the workflow that deploys",
}


def write_starter(folder: Path, ci: str | None, *, force: bool) -> Iterator[str]:
    """Write manifest and CI job into `folder`, then say what was written and what comes next."""
    ci = ci or _detect(folder)
    template, place = _JOBS[ci]
    files = {folder / _MANIFEST: _read(_MANIFEST), folder / place: _read(template)}
    there = [str(path) for path in files if os.path.lexists(path)]
    if there and not force:
        are = "is" if len(there) == 1 else "are"
        raise UsageError(f"{' and '.join(there)} {are} there already", hint="--force replaces what is there")
    _write(files)
    yield from (f"wrote {path}" for path in files)
    yield f"next: burstctl dry-run {_MANIFEST} --offline"
    yield f"then: {_NEXT[ci]}"


def _detect(folder: Path) -> str:
    """Take the CI system whose files are there."""
    if (folder / ".gitlab-ci.yml").exists():
        return "gitlab"
    return "github" if (folder / ".github").is_dir() else "gitlab"


def _read(name: str) -> bytes:
    return (Path(burstctl.__file__).parent / "starter" / name).read_bytes()


def _write(files: Mapping[Path, bytes]) -> None:
    """Write every file beside its place, then move all of them there; a link is replaced, never followed."""
    written: dict[Path, Path] = {}
    path = Path()
    try:
        for path, content in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
            written[path] = Path(name)
            with os.fdopen(handle, "wb") as file:
                file.write(content)
            written[path].chmod(0o666 & ~_umask())
        for path, temporary in written.items():
            temporary.replace(path)
    except OSError as error:
        raise UsageError(f"{path} can't be written: {(error.strerror or 'unknown reason').lower()}") from None
    finally:
        for temporary in written.values():
            temporary.unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
