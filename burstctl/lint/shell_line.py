"""Tells a shell by the line that starts it: `/bin/bash -eo pipefail`, `powershell.exe`. Knows no CI system."""

_KIN = frozenset({"sh", "bash", "dash", "ash", "zsh", "ksh", "busybox"})
_NAMES = {"powershell": "pwsh", "cmd": "cmd", "python3": "python"}


def shell_of(line: str | None) -> str:
    """Give `sh` for sh, bash and their kin, and where nothing is said; else the program's name."""
    words = (line or "sh").replace("\\", "/").split() or ["sh"]
    program = words[1] if words[0].endswith("/env") and len(words) > 1 else words[0]
    name = program.rpartition("/")[2].lower().removesuffix(".exe")
    return "sh" if name in _KIN else _NAMES.get(name, name)
