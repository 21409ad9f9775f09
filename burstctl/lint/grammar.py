"""Loads tree-sitter and its grammars, and no more: their packages bring things along that take longer to load.

A grammar's package loads `importlib.resources` for queries that nobody here asks for, with archives, temporary files
and random numbers behind it: 25 ms. Only the extension within is needed. Knows no grammar.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.machinery import PathFinder
from importlib.util import module_from_spec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

    import tree_sitter

_EXTENSION = "_binding"


def parser_of(grammar: str) -> tree_sitter.Parser:
    """Give a parser for a grammar by its package's name."""
    library = _extension_of("tree_sitter")
    parser: tree_sitter.Parser = library.Parser(library.Language(_extension_of(grammar).language()))
    return parser


def _extension_of(package: str) -> ModuleType:
    """Load the extension within a package; the package itself where it is packed in another way."""
    name = f"{package}.{_EXTENSION}"
    if name in sys.modules:
        return sys.modules[name]
    outer = PathFinder.find_spec(package)
    places = outer.submodule_search_locations if outer else None
    inner = PathFinder.find_spec(name, places) if places else None
    if inner is None or inner.loader is None:
        return import_module(package)
    module = sys.modules[name] = module_from_spec(inner)
    inner.loader.exec_module(module)
    return module
