"""One point of the ROC curve, found by one of its coordinates; straight lines join the points of the curve."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import ArgumentError, is_number
from rocsteady._src.measures.ranking import BOTH_CLASSES
from rocsteady._src.measures.registry import WITHIN_CLASSES, measure

if TYPE_CHECKING:
    from rocsteady._src.ranked import RankedScores


@measure(
    label="Sensitivity at specificity",
    better="higher",
    bounds=(0, 1),
    undefined_when=BOTH_CLASSES,
    resampling=WITHIN_CLASSES,
)
def sensitivity_at(ranked: RankedScores, *, specificity: float = 0.9, fpr: float | None = None) -> float:
    """Sensitivity of the ROC curve at a given specificity, 0.9 unless said otherwise.

    Between two points of the curve it lies on the straight line; where the curve rises, its upper end is taken.

    Parameters
    ----------
    specificity : float
        Where to read the curve, in [0, 1].
    fpr : float, optional
        The same place as 1 - specificity, in [0, 1]; it goes before ``specificity``.

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.measures.sensitivity_at([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2], specificity=0.5)
    1.0
    """
    at = 1 - _share("specificity", specificity) if fpr is None else _share("fpr", fpr)
    return _height(*ranked.rates, at)


@measure(
    label="Specificity at sensitivity",
    better="higher",
    bounds=(0, 1),
    undefined_when=BOTH_CLASSES,
    resampling=WITHIN_CLASSES,
)
def specificity_at(ranked: RankedScores, *, sensitivity: float = 0.9) -> float:
    """Specificity of the ROC curve at a given sensitivity, 0.9 unless said otherwise.

    Between two points of the curve it lies on the straight line; where the curve is level, its left end is taken.

    Parameters
    ----------
    sensitivity : float
        Where to read the curve, in [0, 1].

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.measures.specificity_at([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2], sensitivity=1.0)
    0.5
    """
    return _height(*ranked.rates_up, 1 - _share("sensitivity", sensitivity))


def _share(name: str, value: float) -> float:
    if not (is_number(value) and 0 <= value <= 1):
        raise ArgumentError(name, f"{name} must lie between 0 and 1, got {value!r}")
    return value


def _height(x: Any, y: Any, at: float) -> float:
    """The highest y of a rising chain of points at x = ``at``; a distance of rounding counts as none."""
    last = int(x.searchsorted(at + 4e-16, side="right")) - 1
    if last + 1 >= x.size:
        return float(y[-1])
    share = max(0.0, at - x[last]) / (x[last + 1] - x[last])
    return float(y[last] + share * (y[last + 1] - y[last]))
