"""Files that run in a cluster, told by the folder they stand in. Knows no file's content."""

import re


def is_yaml(path: str) -> bool:
    return path.endswith((".yml", ".yaml"))


def speaks_of(path: str, system: str) -> bool:
    """Tell whether a YAML file, or a folder above it, has a system's name as a word's beginning."""
    # Most paths of a project fail the first, cheap look.
    if system not in path.lower() or not is_yaml(path):
        return False
    return any(re.search(rf"(?<![a-z]){system}", part.lower()) for part in path.split("/"))
