"""Measures and curves of a sketch, each between two bounds that hold.

A measure of the ranking that never falls when a positive moves up past a negative is least when in every cell of the
sketch all negatives stand above all positives, and greatest when it is the other way round. So its value on these two
orders brackets its value on the rows. All measures listed in ``FOLLOW_THE_ORDER`` are of this sort. Average precision
is not: it also falls when positives that are tied with each other come apart, so it has a bound of its own, and so has
the precision at a recall, which one positive of a cell may reach or all of them. Sums over other groups round
otherwise, so bounds are moved outwards by a trace, equal ones too.

Of a threshold only the rows in its own cell are open: any number of each class may lie above it. A threshold measure
grows with the positives there and falls with the negatives, or the reverse, so it is extreme where all or none of a
class are; where that is 0/0, one row away from it. Counts that are known give the very digits of the rows.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, Undefined
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.measures.at_rate import checked_rate, fewest_reaching
from rocsteady._src.measures.confusion import Confusion, confusion_at
from rocsteady._src.measures.curves import roc_curve
from rocsteady._src.measures.requests import parse_requests
from rocsteady._src.results.remarks import Remark
from rocsteady._src.results.scale import BracketedPr, BracketedRoc

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from rocsteady._src.measures.registry import FactSheet
    from rocsteady._src.measures.requests import Request
    from rocsteady._src.results.scale import Bracket
    from rocsteady._src.scale.sketch_cells import Cells
    from rocsteady._src.scale.sketch_reading import Reading

    Array = NDArray[np.float64]

FOLLOW_THE_ORDER = frozenset(
    {
        "auc",
        "auch",
        "defective_pairs",
        "equal_error_rate",
        "fnmr_at_fmr",
        "fpr_at",
        "gini",
        "h_measure",
        "ks_statistic",
        "lift",
        "partial_auc",
        "partial_pr_auc",
        "pr_auc",
        "precision_at_k",
        "prg_auc",
        "r_precision",
        "recall_at_k",
        "recall_at_precision",
        "sensitivity_at",
        "specificity_at",
        "tpr_at",
        "two_way_partial_auc",
    }
)
OWN_BOUNDS = ("average_precision", "precision_at_recall")
ROUNDING = 1e-12  # of a value above 1, else absolute: more than the sums of a measure can lose


def bracketed_measure(sketch: Reading, name: Any, **params: Any) -> Bracket:
    """Value of a registered measure on the rows of a sketch, between two bounds that hold.

    Parameters
    ----------
    sketch : Sketch
        Counted rows.
    name : str or measure
        Such as ``"ks_statistic"`` or ``"partial_auc(fpr_range=(0, 0.2))"``. While the sketch is exact any measure;
        else measures of the ranking, and threshold measures with their ``threshold``.
    **params
        Parameters of the measure.

    Returns
    -------
    Bracket

    Examples
    --------
    >>> from rocsteady.scale import Sketch
    >>> coarse = Sketch(bits=4, range=(0, 1), capacity=0).update([1, 0, 1, 0], [0.93, 0.64, 0.63, 0.2])
    >>> coarse.measure("recall", threshold=0.625).estimate
    1.0
    >>> low, high = coarse.measure("ks_statistic")
    >>> round(low, 6), round(high, 6)
    (0.5, 1.0)
    """
    (request,) = parse_requests([name])[:1]
    return requested_bracket(sketch, request, params)


def requested_bracket(sketch: Reading, request: Request, params: dict[str, Any]) -> Bracket:
    """Value of a measure that was asked for, between two bounds that hold."""
    sheet, params = request.sheet, {**request.params, **params}
    if sheet.name == "auc":
        return sketch.auc()
    if sketch.exact:
        value = sheet.compute(sketch.best(), **params)
        return sketch.bracket(request.column, value, value, value)
    if sheet.family == "threshold":
        check_threshold(sheet, params)
        return _extremes(sketch, request.column, _values_at(sketch, sheet, **params), sheet.bounds)
    found = _bounds(sketch, sheet, params)
    if any(isinstance(value, Undefined) for value in found):
        return _extremes(sketch, request.column, found, sheet.bounds)
    return sketch.bracket(request.column, *_widened(min(found), max(found), sheet.bounds))


def _extremes(sketch: Reading, column: str, values: Sequence[float], limits: tuple[float, float]) -> Bracket:
    """The least and the greatest of the values that are defined; equal ones have the digits of the rows."""
    defined = [value for value in values if not math.isnan(value)]
    if not defined:
        return sketch.bracket(column, values[0], values[0], values[0])
    low, high = min(defined), max(defined)
    made = sketch.bracket(column, *((low, low, high) if low == high else _widened(low, high, limits)))
    if len(defined) == len(values):
        return made
    return replace(made, exact=False, method="sketch bracket", warnings=(*made.warnings, Remark("may_be_undefined")))


def _values_at(sketch: Reading, sheet: FactSheet, *, threshold: Any, **params: Any) -> list[float]:
    """Values for all and for none of the open positives and negatives above the threshold, and one row away."""
    best, worst = (confusion_at(ranked, threshold) for ranked in (sketch.best(), sketch.worst()))
    return [
        sheet.of(Confusion(tp, fp, sketch.n_pos - tp, sketch.n_neg - fp), **params)
        for tp in outermost(worst.tp, best.tp)
        for fp in outermost(best.fp, worst.fp)
    ]


def outermost(least: int, most: int) -> list[int]:
    """All, none, and one row away from either."""
    return [count for count in {least, least + 1, most - 1, most} if least <= count <= most]


def _bounds(sketch: Reading, sheet: FactSheet, params: dict[str, Any]) -> tuple[float, float]:
    if sheet.name == "average_precision":
        return sketch.average_precision_bounds()
    if sheet.name == "precision_at_recall":
        return _precision_at_recall_bounds(sketch.cells, **{**sheet.params, **params})
    if sheet.name not in FOLLOW_THE_ORDER:
        raise ArgumentError(
            "measure_not_bracketed",
            f"{sheet.name} uses more than the order of the classes, so this sketch, which is not exact, has no bounds "
            f"for it; raise the capacity, or use: {', '.join(sorted(FOLLOW_THE_ORDER))}, {', '.join(OWN_BOUNDS)}",
        )
    low, high = (sheet.compute(ranked, **params) for ranked in (sketch.worst(), sketch.best()))
    return low, high


def check_threshold(sheet: FactSheet, params: dict[str, Any]) -> None:
    """Refuse anything but one number: rules need the rows."""
    threshold = params.get("threshold")
    if threshold is None or isinstance(threshold, str) or np.ndim(threshold):
        raise ArgumentError(
            "threshold_required", Sentence("{name} of a sketch needs one number as {threshold=...}", name=sheet.name)
        )


def _widened(low: float, high: float, limits: tuple[float, float]) -> tuple[float, float, float]:
    """Bounds moved outwards by what rounding may have cost, but not past the limits of the measure."""
    if math.isinf(low) or math.isnan(low + high):
        return low, low, high
    least = max(low - ROUNDING * max(1.0, abs(low)), float(limits[0]))
    most = min(high + ROUNDING * max(1.0, abs(high)), float(limits[1]))
    return least, low if low == high else (least + most) / 2, most


def average_precision_bounds(cells: Cells) -> tuple[float, float]:
    """Least and greatest average precision.

    In a cell below T positives and F negatives, with p and n of its own, it is greatest when the positives are tied
    above all negatives: p (T + p) / (T + p + F). It is least when they come one by one below them: the sum over
    i = 1..p of (T + i) / (T + i + C), C = F + n. These terms are concave in i, so the sum is at least the integral
    from 1/2 to p + 1/2.
    """
    if not cells.pos.any():
        return (Undefined("no_positives" if cells.neg.any() else "empty"),) * 2
    known, p, n, above, passed = _walk(cells)
    tied = p * _share(above + p, passed + n)
    high = np.where(known, tied, p * _share(above + p, passed))
    one_by_one = np.where(p == 1, _share(above + p, passed + n), _least_sum(p, above, passed + n))
    low = np.where(known, tied, one_by_one)
    total = float(p.sum())
    return math.fsum(low) / total, min(math.fsum(high) / total, 1.0)


def _precision_at_recall_bounds(cells: Cells, *, recall: float) -> tuple[float, float]:
    """The recall is reached in one cell: below all of its negatives by as few positives as do, or above them by all."""
    n_pos = int(cells.pos.sum())
    if not (n_pos and cells.neg.any()):
        return (Undefined("single_class" if n_pos or cells.neg.any() else "empty"),) * 2
    needed = fewest_reaching(checked_rate("recall", recall), n_pos)
    if not needed:
        return (Undefined("zero_division"),) * 2
    known, p, n, above, passed = _walk(cells)
    cell = int((above + p).searchsorted(needed))
    most, first, last = (float(each) for each in (above[cell] + p[cell], passed[cell], passed[cell] + n[cell]))
    if known[cell]:
        return (most / (most + last),) * 2
    return needed / (needed + last), most / (most + first)


def _walk(cells: Cells) -> tuple[NDArray[np.bool_], Array, Array, Array, Array]:
    """From the highest cell: whether its scores are known, its positives and negatives, and those above it."""
    pos, neg = (counts[::-1] for counts in (cells.pos, cells.neg))
    above, passed = (np.cumsum(counts) - counts for counts in (pos, neg))
    return cells.known[::-1], *(each.astype(np.float64) for each in (pos, neg, above, passed))  # type: ignore[return-value]


def _share(part: Array, rest: Array) -> Array:
    whole = part + rest
    return np.divide(part, whole, out=np.zeros_like(whole), where=whole > 0)


def _least_sum(p: Array, above: Array, passed: Array) -> Array:
    """Integral of (T + t) / (T + t + C) for t from 1/2 to p + 1/2, as terms that are all positive: none cancel."""
    whole = above + passed + 0.5
    won: Array = (above + 0.5) / whole
    bent: Array = passed / whole * _curvature(p / whole)
    return p * (won + bent)


def _curvature(u: Array) -> Array:
    """1 - log(1 + u) / u, by its series where u is small."""
    found = np.full_like(u, -1 / 11)
    for k in range(10, 1, -1):  # Horner's scheme
        found *= u
        found += (-1.0) ** k / k
    found *= u
    large = np.flatnonzero(~(u < 0.01))
    with np.errstate(invalid="ignore", divide="ignore"):
        found[large] = 1 - np.log1p(u[large]) / u[large]
    return found


def bracketed_roc(sketch: Reading) -> BracketedRoc:
    """The ROC curve between that of the worst and that of the best order.

    Examples
    --------
    >>> from rocsteady.scale import Sketch
    >>> print(Sketch(bits=4, range=(0, 1), capacity=0).update([1, 0, 1, 0], [0.9, 0.64, 0.63, 0.2]).roc_curve())
    ROC curve with an area from 0.75 to 1 (exact=False)
    """
    low, up, area = roc_curve(sketch.worst()), roc_curve(sketch.best()), sketch.auc()
    return BracketedRoc(low, up, area.low, area.high, area.exact, area.n_pos, area.n_neg, sketch.origin)


def bracketed_pr(sketch: Reading) -> BracketedPr:
    """Limits of the precision: one step for every cell that holds positives, from the highest.

    A point of the exact curve with a recall in (recall[i-1], recall[i]] has a precision from low[i] to high[i].
    """
    known, p, n, above, passed = _walk(sketch.cells)
    held = np.flatnonzero(p)
    through = np.where(known, passed, passed + n)[held]  # negatives that may come before the next positive
    until = np.append(through[1:], float(sketch.n_neg))[: held.size]
    known = known[held]
    p, n, above, passed = (each[held] for each in (p, n, above, passed))
    end = _share(above + p, until)
    high = _share(above + p, np.where(known, passed + n, passed))
    low = np.where(known, end, np.minimum(_share(above + 1, passed + n), end))
    area = bracketed_measure(sketch, "average_precision")
    recall = (above + p) / max(float(sketch.n_pos), 1.0)
    return BracketedPr(recall, low, high, area, sketch.exact, area.n_pos, area.n_neg, sketch.origin)
