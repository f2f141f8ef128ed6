"""Measures, one function each, and the registry that knows them all."""

from rocsteady.measures.confusion import Confusion, confusion
from rocsteady.measures.registry import REGISTRY, FactSheet, Measure, get_measure, list_measures, measure

__all__ = ["REGISTRY", "Confusion", "FactSheet", "Measure", "confusion", "get_measure", "list_measures", "measure"]
