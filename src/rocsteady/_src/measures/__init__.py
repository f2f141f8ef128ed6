"""Measures, one function each, and the registry that knows them all."""

from rocsteady._src.measures.confusion import Confusion
from rocsteady._src.measures.registry import REGISTRY, FactSheet, Measure, get_measure, list_measures, measure

# Measures register themselves when their module loads; the registry is to know them all.
from rocsteady._src.measures import ranking, curve_points, at_rate, regions, threshold, threshold_scores  # noqa: F401  isort: skip
from rocsteady._src.measures import scored, granular, probability, two_level  # noqa: F401  isort: skip


__all__ = ["REGISTRY", "Confusion", "FactSheet", "Measure", "get_measure", "list_measures", "measure"]
