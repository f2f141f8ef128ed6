"""Laboratory: measure the measures, on small score sets and by the models they pick. Names load when first used."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rocsteady.lab.counting import count_errors
    from rocsteady.lab.generators import generate, sample_labellings
    from rocsteady.lab.parse import parse_sets
    from rocsteady.lab.selection import select_models
    from rocsteady.lab.selection_binormal import simulate_binormal
    from rocsteady.lab.selection_stats import corrected_test
    from rocsteady.lab.sets import ScoreSets
    from rocsteady.lab.sweeps import sweep
    from rocsteady.lab.thesis import reproduce_thesis

_HOME_OF = {
    "ScoreSets": "sets",
    "corrected_test": "selection_stats",
    "count_errors": "counting",
    "generate": "generators",
    "parse_sets": "parse",
    "reproduce_thesis": "thesis",
    "sample_labellings": "generators",
    "select_models": "selection",
    "simulate_binormal": "selection_binormal",
    "sweep": "sweeps",
}

__all__ = [
    "ScoreSets",
    "corrected_test",
    "count_errors",
    "generate",
    "parse_sets",
    "reproduce_thesis",
    "sample_labellings",
    "select_models",
    "simulate_binormal",
    "sweep",
]


def __getattr__(name: str) -> Any:
    """Load a public name from the module it lives in."""
    if name not in _HOME_OF:
        raise AttributeError(f"module 'rocsteady.lab' has no attribute {name!r}")
    value = getattr(import_module(f"rocsteady.lab.{_HOME_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
