"""Lists the modules of a folder that is a registry, without importing any. Knows no registry."""

import os
from types import ModuleType


def modules_in(package: ModuleType) -> list[str]:
    """Give the names of a package's modules in order, packages, `registry` and `choice` left out.

    `pkgutil` loads `inspect`, which takes as long as half a lint run, so it is asked only where there is no folder.
    """
    folder = package.__path__[0]
    try:
        names = {name.removesuffix(".py") for name in os.listdir(folder) if name.endswith(".py")}
    except NotADirectoryError:  # in an archive
        import pkgutil

        names = {module.name for module in pkgutil.iter_modules(package.__path__) if not module.ispkg}
    return sorted(names - {"__init__", "registry", "choice"})
