"""Tables that do not fit in memory: groups counted by the engine that holds them. Names load when first used."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rocsteady.scale.engine import rank_table
    from rocsteady.scale.sketch import Sketch, evaluate_sketches
    from rocsteady.scale.sketched import sketch_table

_HOME_OF = {"Sketch": "sketch", "evaluate_sketches": "sketch", "rank_table": "engine", "sketch_table": "sketched"}

__all__ = ["Sketch", "evaluate_sketches", "rank_table", "sketch_table"]


def __getattr__(name: str) -> Any:
    """Load a public name from the module it lives in."""
    if name not in _HOME_OF:
        raise AttributeError(f"module 'rocsteady.scale' has no attribute {name!r}")
    value = getattr(import_module(f"rocsteady.scale.{_HOME_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
