"""Sources as trees, parsed once for all tests that read them."""

from __future__ import annotations

import ast
import gc
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


@cache
def tree_of(path: Path) -> ast.Module:
    """A file, parsed; what collects garbage would walk all trees again and again meanwhile, and ever after."""
    gc.disable()
    try:
        return ast.parse(path.read_text(encoding="utf-8"))
    finally:
        gc.enable()
        gc.freeze()


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    """All of its nodes, in the order of ``ast.walk`` but quicker; none that say load, store or delete."""
    found: list[ast.AST] = [tree_of(path)]
    for node in found:  # which grows meanwhile
        for name in node._fields:
            value = None if name == "ctx" else getattr(node, name, None)
            if isinstance(value, list):
                found += [each for each in value if isinstance(each, ast.AST)]
            elif isinstance(value, ast.AST):
                found.append(value)
    return tuple(found)
