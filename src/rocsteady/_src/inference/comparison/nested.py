"""Two models that give nearly the same predictions: nested ones, judged where they were fitted, fool the AUC test.

Measured by benchmarks/nested_models.py: on the rows of the fit DeLong's test finds a useless marker in 0.2% of samples
instead of 5%, and a marker that the likelihood ratio finds in half of them in about 3%. What can be seen of it is that
the log-odds of both models hardly differ.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.exact import dot
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.ranked import AnyModels

    Array = NDArray[np.float64]

ALIKE, ENOUGH = 0.95, 20  # correlation, and rows to tell it from


def nested_remarks(models: AnyModels, which: tuple[int, int]) -> tuple[Remark, ...]:
    """On two models that may be nested; nothing on models that rank all rows alike, which have no difference. O(n)."""
    rows = models.in_memory()
    if rows is None or rows.alike(*which):
        return ()
    of_groups = [_predictor(rows.ranked[model].scores) for model in which]  # logarithms of groups, which may be few
    one, two = (
        None if each is None else each[rows.places[model]] for each, model in zip(of_groups, which, strict=True)
    )
    return _remarks(one, two)


def alike_remarks(first: Array, second: Array) -> tuple[Remark, ...]:
    """The same for scores of the same rows."""
    return _remarks(_predictor(first), _predictor(second))


def _remarks(one: Array | None, two: Array | None) -> tuple[Remark, ...]:
    if one is None or two is None or one.size < ENOUGH or np.array_equal(one, two):
        return ()
    one, two = one - one.mean(), two - two.mean()
    with np.errstate(all="ignore"):
        found = float(dot(one, two) / np.sqrt(dot(one, one) * dot(two, two)))
    return (Remark("maybe_nested", r=min(found, 1.0)),) if found > ALIKE else ()


def _predictor(scores: Any) -> Array | None:
    """Log-odds of probabilities, other scores as they are; None where some are infinite or too large to multiply."""
    if not scores.size or scores.dtype.kind == "O":
        return None
    with np.errstate(over="ignore"):  # long doubles beyond all doubles are infinite
        values = scores.astype(np.float64)
    low, high = float(values.min()), float(values.max())
    if low > 0 and high < 1:
        return np.asarray(np.log(values) - np.log1p(-values))
    return values if max(-low, high) < 1e100 else None
