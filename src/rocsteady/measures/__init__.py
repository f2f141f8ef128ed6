"""Measures, one function each, and the registry that knows them all."""

from rocsteady.measures.confusion import Confusion, confusion
from rocsteady.measures.registry import REGISTRY, FactSheet, Measure, get_measure, list_measures, measure

# Measures register themselves when their module loads; the registry is to know them all.
from rocsteady.measures import ranking, points, threshold, scored, granular, probability  # noqa: F401  isort: skip


__all__ = ["REGISTRY", "Confusion", "FactSheet", "Measure", "confusion", "get_measure", "list_measures", "measure"]
