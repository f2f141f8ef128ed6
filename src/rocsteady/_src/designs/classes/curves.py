"""Curves of more than two classes: each against the rest, their vertical average, and all predictions pooled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from rocsteady._src.base.errors import UndefinedWarning, warn
from rocsteady._src.base.typed import typed
from rocsteady._src.designs.classes.areas import pooled, ranked_classes
from rocsteady._src.designs.classes.averaged import absence_text, absent_classes
from rocsteady._src.designs.classes.scores_by_class import read_classes
from rocsteady._src.inference.intervals.normal import check_choice
from rocsteady._src.measures.curves import pr_curve, roc_curve, thin_curve
from rocsteady._src.results import PrCurve, RocCurve
from rocsteady._src.results.multiclass import MulticlassCurves

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from rocsteady._src.designs.classes.scores_by_class import ClassRows
    from rocsteady._src.inputs.clean import Missing
    from rocsteady._src.ranked import RankedScores

    Array = NDArray[np.float64]

Kind = Literal["roc", "pr"]
MOST_CELLS = 20_000_000  # points of the average times classes
FINE = 1e-4


@typed
def multiclass_curves(
    y_true: object,
    y_score: object,
    *,
    kind: Kind = "roc",
    labels: object = None,
    sample_weight: object = None,
    missing: Missing = "raise",
) -> MulticlassCurves:
    """ROC or precision-recall curves of each class against the rest, with their averages.

    "macro" is the vertical average: at each FPR the mean TPR of the classes, at each recall the mean precision; its
    area is the mean of the areas. "micro" is the curve of all predictions pooled.

    Parameters
    ----------
    y_true, y_score, labels, sample_weight, missing
        As in :func:`rocsteady.multiclass_auc`.
    kind : {"roc", "pr"}
        Which curves.

    Returns
    -------
    MulticlassCurves
        ``per_class`` by label, ``macro``, ``micro``. The macro curve has no thresholds (NaN). Where it would need more
        than 20 million values it is made of thinned curves, and ``max_deviation`` says how far they are off.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y = ["ant", "ant", "bee", "bee", "cat", "cat"]
    >>> scores = {"ant": [0.8, 0.4, 0.5, 0.1, 0.2, 0.3], "bee": [0.1, 0.5, 0.4, 0.6, 0.3, 0.1],
    ...           "cat": [0.1, 0.1, 0.1, 0.3, 0.5, 0.6]}
    >>> curves = rs.multiclass.multiclass_curves(y, scores)
    >>> curves.per_class["ant"].area, round(curves.macro.area, 4), round(curves.micro.area, 4)
    (0.875, 0.9167, 0.9306)
    """
    check_choice("kind", kind, get_args(Kind))
    rows = read_classes(y_true, y_score, labels=labels, sample_weight=sample_weight, missing=missing)
    if absent_classes(rows):
        warn(UndefinedWarning("class_absent", absence_text(rows)))
    return curves_of(rows, [kind])[kind]


def curves_of(rows: ClassRows, kinds: Sequence[str], *, thinned: float | None = None) -> dict[str, MulticlassCurves]:
    """Curves of rows that were read, by kind; ``thinned`` bounds how far points that are dropped lie off."""
    found = CurvesOfClasses(kinds, thinned)
    for label, ranked in zip(rows.labels, ranked_classes(rows, condense=False), strict=True):
        found.add(label, ranked)
    return found.all(rows, pooled(rows) if rows.n_classes > 1 and rows.n_rows else None)


class CurvesOfClasses:
    """Curves of some kinds, class by class."""

    def __init__(self, kinds: Sequence[str], thinned: float | None = None) -> None:
        self._per_class: dict[str, dict[Any, Any]] = {kind: {} for kind in kinds}
        self._thinned = thinned

    def add(self, label: Any, ranked: RankedScores) -> None:
        """Add those of a class, unless it has no rows, or all."""
        if ranked.n_pos and ranked.n_neg:
            for kind, curves in self._per_class.items():
                curves[label] = _curve(ranked, kind, self._thinned)

    def all(self, rows: ClassRows, pool: RankedScores | None) -> dict[str, MulticlassCurves]:
        """The curves by kind, with their averages, when every class was added."""
        return _with_averages(rows, self._per_class, pool, self._thinned)


def _with_averages(
    rows: ClassRows, per_class: dict[str, dict[Any, Any]], pool: RankedScores | None, thinned: float | None
) -> dict[str, MulticlassCurves]:
    notes = (absence_text(rows),) if absent_classes(rows) else ()
    chosen = [rows.labels[place] for place in np.flatnonzero(rows.averaged)]
    return {
        kind: MulticlassCurves(
            kind,
            curves,
            macro=_macro([curves[label] for label in chosen], kind)
            if rows.n_classes > 1 and chosen and all(label in curves for label in chosen)
            else None,
            micro=None if pool is None else _curve(pool, kind, thinned),
            origin=rows.origin(),
            warnings=notes,
        )
        for kind, curves in per_class.items()
    }


def _curve(ranked: RankedScores, kind: str, thinned: float | None) -> Any:
    curve: Any = roc_curve(ranked) if kind == "roc" else pr_curve(ranked)
    return curve if thinned is None else thin_curve(curve, thinned)


def _macro(curves: list[Any], kind: str) -> RocCurve | PrCurve:
    area = float(np.mean([curve.area for curve in curves]))
    if sum(len(curve) for curve in curves) * len(curves) > MOST_CELLS:
        curves = [thin_curve(curve, FINE) for curve in curves]
    deviation = max(curve.max_deviation for curve in curves)
    at = np.unique(np.concatenate([curve.xy[0] for curve in curves]))
    if kind == "roc":
        fpr, tpr = at.repeat(2), _mean_heights(curves, at)
        return RocCurve(fpr, tpr, np.full(fpr.size, np.nan), area, None, None, max_deviation=deviation)
    precision = np.mean([curve.precision[curve.recall.searchsorted(at)] for curve in curves], axis=0)
    return PrCurve(at, precision, np.full(at.size, np.nan), area, "step", None, None, max_deviation=deviation)


def _mean_heights(curves: Sequence[RocCurve], at: Array) -> Array:
    """Mean TPR at each FPR: first where the curves arrive there, then where they leave it upwards."""
    total = np.zeros((at.size, 2))
    for curve in curves:
        first, last = curve.fpr.searchsorted(at, "left"), curve.fpr.searchsorted(at, "right") - 1
        met = first <= last  # a point of the curve itself; elsewhere it is on a line between two points
        between = np.interp(at, curve.fpr, curve.tpr)
        total[:, 0] += np.where(met, curve.tpr[np.minimum(first, last.clip(0))], between)
        total[:, 1] += np.where(met, curve.tpr[last], between)
    mean: Array = total.ravel() / len(curves)
    return mean
