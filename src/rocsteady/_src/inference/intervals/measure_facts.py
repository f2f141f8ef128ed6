"""What resampling must know about a measure: what is drawn, and within which bounds its values lie."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from rocsteady._src.inference.units.components import Area
from rocsteady._src.measures.ranking import partial_auc
from rocsteady._src.measures.registry import WITHIN_CLASSES
from rocsteady._src.measures.requests import parse_requests

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from rocsteady._src.measures.registry import FactSheet

UNBOUNDED = (-math.inf, math.inf)

LARGEST_PART: dict[str, Callable[[Mapping[str, Any]], float]] = {
    "two_way_partial_auc": lambda asked: float(asked["max_fpr"] * (1 - asked["min_tpr"])),
    "partial_pr_auc": lambda asked: float(asked["recall_range"][1] - asked["recall_range"][0]),
}


def sheet_of(measure: Any) -> FactSheet | None:
    """The fact sheet of a measure given by name or function; none for other functions of ranked scores."""
    if callable(measure) and not hasattr(measure, "sheet"):
        return None
    return parse_requests([measure])[0].sheet


def area_of(measure: Any) -> Area | None:
    """The area whose value a function is, if it is one."""
    owner = getattr(measure, "__self__", None)
    return owner if isinstance(owner, Area) else None


def draws_within_classes(measure: Any) -> bool:
    """Whether rows are drawn within classes: where the fact sheet says so, and for areas; else all rows together."""
    sheet = sheet_of(measure)
    return area_of(measure) is not None if sheet is None else sheet.resampling == WITHIN_CLASSES


def ends_of_measure(measure: Any) -> str:
    """How replicates become an interval unless something else is asked for."""
    sheet = sheet_of(measure)
    return "percentile" if sheet is None else sheet.ends


def bounds_of_measure(measure: Any, params: Mapping[str, Any] | None = None) -> tuple[float, float]:
    """Smallest and largest value that a measure can take with these parameters."""
    sheet, area = sheet_of(measure), area_of(measure)
    if sheet is None:
        return UNBOUNDED if area is None else (0.0, area.width)
    asked = parse_requests([measure])[0].params
    return bounds_with(sheet, {**asked, **(params or {})})


def bounds_with(sheet: FactSheet, params: Mapping[str, Any]) -> tuple[float, float]:
    """Bounds of the fact sheet; a partial area is no larger than its range is wide."""
    if sheet.name in LARGEST_PART and not params.get("standardize"):
        return (0.0, LARGEST_PART[sheet.name]({**sheet.params, **params}))
    if sheet is not partial_auc.sheet:
        return sheet.bounds
    asked = {name: params.get(name) for name in ("fpr_range", "tpr_range") if params.get(name) is not None}
    area = Area(**(asked or {"fpr_range": (0.0, 0.1)}), standardize=bool(params.get("standardize")))
    return (0.0, area.width)
