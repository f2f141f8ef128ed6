"""How surely the standard errors of groups are known, and what they would be if all groups were alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocsteady._src.inference.comparison.advice import class_sizes
from rocsteady._src.inference.intervals.formulas import newcombe_variance
from rocsteady._src.inference.units.components import Area
from rocsteady._src.inference.units.influence import area_freedom
from rocsteady._src.inference.units.spread import areas_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.evaluation.evaluation import Evaluation

    Array = NDArray[np.float64]
    Sizes = tuple[float, float]


def freedom_and_sizes(part: Evaluation, model: str, *, whole_area: bool) -> tuple[float, Sizes]:
    """Degrees of freedom of a standard error in a group, and its independent units of both classes.

    Those of an AUC follow from what its rows add; of other measures they are taken as those of the smaller class.
    """
    ranked, rows = part.ranked[model], part.rows.paired(part.ranked).in_memory()
    sizes = float(ranked.n_pos), float(ranked.n_neg)
    if rows is not None and min(sizes) > 0:
        rows = rows.of_models(model)
        if whole_area:
            found = areas_of(rows, Area(), rows.origin.weight_type)
            components = found.components or (Area().components(rows.ranked[0]),)
            return float(area_freedom(rows, components)[0, 0]), found.units
        sizes = class_sizes(rows, rows.origin.weight_type)
    return max(min(sizes) - 1, 1.0), sizes


def joint_errors(values: Array, se: Array, weight: Array, sizes: Array) -> Array:
    """Standard errors of AUCs, no less than by Newcombe's formula if all groups had the same AUC."""
    known = se > 0
    if not known.any():
        return se
    together = float(weight[known] @ values[known] / weight[known].sum())
    alike = [newcombe_variance(together, *size) if min(size) > 0 else 0.0 for size in sizes.tolist()]
    return np.where(known, np.sqrt(np.maximum(se**2, np.maximum(alike, 0.0))), se)
