"""The project's files, read once and only below its root. Knows nothing of what they hold."""

import os
import stat
from collections.abc import Iterator

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

    root: str | os.PathLike[str]
    overlay: dict[str, str] = field(default_factory=dict)
    """Texts that stand for files, by path: an editor's unsaved buffer."""
    _files: dict[str, File | None] = field(default_factory=dict)

    @classmethod
    def around(cls, path: str) -> "Project":
        """Find the project of a file or folder: the nearest folder above with a `.git`, else the folder itself."""
        folder = os.path.join(os.getcwd(), path if os.path.isdir(path) else os.path.dirname(path))
        own = folder
        while not os.path.exists(os.path.join(folder, ".git")):
            above = os.path.dirname(folder)
            if above == folder:
                return cls(os.path.realpath(own))
            folder = above
        return cls(os.path.realpath(folder))

    def name(self, path: str) -> str:
        """Give a file's path below the root; `UsageError` if it lies elsewhere."""
        folder, name = os.path.split(path)
        below = self.below_root(os.path.join(os.path.realpath(folder), name))
        if below is None:
            raise UsageError(f"{path} lies outside of {self.root}", hint="lint reads one project at a time")
        return below

    def below_root(self, place: str) -> str | None:
        """Give a whole path's part below the root, empty for the root itself; None if it lies elsewhere."""
        root = os.path.join(self.root, "")
        if os.path.join(place, "") == root:
            return ""
        return place[len(root) :].replace(os.sep, "/") if place.startswith(root) else None

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
        import glob

        matches = glob.iglob(name, root_dir=self.root, recursive=True, include_hidden=True)
        found = sorted(os.path.normpath(match) for match, _ in zip(matches, range(MAX_MATCHES), strict=False))
        return [one.replace(os.sep, "/") for one in found if os.path.isfile(os.path.join(self.root, one))]

    def below(self, folder: str) -> Iterator[str]:
        """List the files in a folder and all its folders, in order, links to folders not followed."""
        found = 0
        top = os.path.join(self.root, folder)
        if self.below_root(os.path.realpath(top)) is None:
            return
        for where, folders, files in os.walk(top):
            folders[:] = sorted(one for one in folders if one != ".git")
            for file in sorted(files):
                yield self.below_root(os.path.join(where, file)) or file
                found += 1
                if found >= MAX_WALKED:
                    return

    def _load(self, name: str) -> File | None:
        if name in self.overlay:
            return File.of(name, self.overlay[name].removeprefix("\ufeff"))
        try:
            place = os.path.realpath(os.path.join(self.root, name), strict=True)
            status = os.stat(place)
            if self.below_root(place) is None or not stat.S_ISREG(status.st_mode):
                return None
            if status.st_size > MAX_BYTES:
                raise Refused(f"it has {status.st_size:,} bytes; {MAX_BYTES:,} is the limit")
            with open(place, "rb") as stream:
                data = stream.read(MAX_BYTES + 1)
        except (FileNotFoundError, NotADirectoryError):
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
