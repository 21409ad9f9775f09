"""The project's files, read once and only below its root. Knows nothing of what they hold."""

import glob
import os
import stat
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from burstctl.errors import UsageError
from burstctl.light import field, state
from burstctl.lint.file import File

MAX_BYTES = 2 * 1024 * 1024
"""GitLab's limit for one file; no CI system takes larger ones."""
MAX_MATCHES = 500
MAX_WALKED = 100_000


class Refused(Exception):  # noqa: N818 - it says what happened to the file
    """A file that exists and is not read, with the reason."""


@state
class Project:
    """A folder whose files may be read; symbolic links that lead out of it are not followed."""

    root: Path
    overlay: dict[str, str] = field(default_factory=dict)
    """Texts that stand for files, by path: an editor's unsaved buffer."""
    _files: dict[str, File | None] = field(default_factory=dict)

    @classmethod
    def around(cls, path: Path) -> "Project":
        """Find the project of a file or folder: the nearest folder above with a `.git`, else the folder itself."""
        folder = path if path.is_dir() else path.parent
        folder = folder.absolute()
        return cls(next((one for one in (folder, *folder.parents) if (one / ".git").exists()), folder).resolve())

    def name(self, path: Path) -> str:
        """Give a file's path below the root; `UsageError` if it lies elsewhere."""
        try:
            return (path.parent.resolve() / path.name).relative_to(self.root).as_posix()
        except ValueError:
            raise UsageError(f"{path} lies outside of {self.root}", hint="lint reads one project at a time") from None

    def read(self, path: str) -> File | None:
        """Read a file below the root; None where there is none, `Refused` where it can't be read as text."""
        name = _normal(path)
        if name is None:
            return None
        if name not in self._files:
            self._files[name] = self._load(name)
        return self._files[name]

    def find(self, pattern: str) -> list[str]:
        """List the files that match a path with `*` and `**`, in order, as far as `read` takes them."""
        name = _normal(pattern)
        if name is None:
            return []
        matches = glob.iglob(name, root_dir=self.root, recursive=True, include_hidden=True)  # noqa: PTH207 - ** and dots
        found = sorted(PurePosixPath(match).as_posix() for match, _ in zip(matches, range(MAX_MATCHES), strict=False))
        return [one for one in found if (self.root / one).is_file()]

    def below(self, folder: str) -> Iterator[str]:
        """List the files in a folder and all its folders, in order, links to folders not followed."""
        found = 0
        top = self.root / folder
        if not top.resolve().is_relative_to(self.root):
            return
        for where, folders, files in os.walk(top):
            folders[:] = sorted(one for one in folders if one != ".git")
            for file in sorted(files):
                yield (Path(where) / file).relative_to(self.root).as_posix()
                found += 1
                if found >= MAX_WALKED:
                    return

    def _load(self, name: str) -> File | None:
        if name in self.overlay:
            return File.of(name, self.overlay[name].removeprefix("\ufeff"))
        place = self.root / name
        try:
            place = place.resolve(strict=True)
            if not place.is_relative_to(self.root) or not stat.S_ISREG(place.stat().st_mode):
                return None
            if place.stat().st_size > MAX_BYTES:
                raise Refused(f"it has {place.stat().st_size:,} bytes; {MAX_BYTES:,} is the limit")
            with place.open("rb") as stream:
                data = stream.read(MAX_BYTES + 1)
        except (FileNotFoundError, NotADirectoryError, RuntimeError):
            return None
        except OSError as error:
            raise Refused(f"it can't be read: {(error.strerror or 'unknown reason').lower()}") from None
        try:
            return File.of(name, data.decode("utf-8-sig"))
        except UnicodeDecodeError:
            raise Refused("it is not UTF-8 text") from None


def _normal(path: str) -> str | None:
    """Bring a path below the root into its plain form; None if it leads out, or is none."""
    name = os.path.normpath(path.lstrip("/").replace("\\", "/"))
    return None if name in ("", ".", "..") or name.startswith("../") or "\0" in name else name
