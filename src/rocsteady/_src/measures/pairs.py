"""Any function of the difference between a positive and a negative score, averaged over all pairs."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import ArgumentError, InputError, Undefined, some_values
from rocsteady._src.base.progress import progress_bar
from rocsteady._src.base.typed import typed
from rocsteady._src.measures.pairwise import pair_mean
from rocsteady._src.measures.registry import warn_undefined
from rocsteady._src.ranked import rank

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocsteady._src.inputs.clean import Missing


@typed
def pairwise_mean(
    f: Callable[[Any], Any],
    y_true: object,
    y_score: object = None,
    *,
    exact: bool = False,
    progress: bool | Callable[[float], object] = False,
    sample_weight: object = None,
    pos_label: Any = None,
    missing: Missing = "raise",
) -> float:
    """Mean of f(p - n) over all positive-negative pairs, for any difference function.

    Parameters
    ----------
    f : callable
        Takes an array of differences and returns an array. One that says how smooth it is, as a
        :class:`rocsteady.measures.SmoothKernel`, costs O(n log n); any other function is evaluated on all pairs, in
        blocks: O(P N) time, linear memory.
    y_true, y_score : array-like
        Labels and scores, or ranked scores alone. Scores must be finite.
    exact : bool
        Take all pairs also for kernels that have a fast way.
    progress : bool or callable
        Show a progress bar, or call this with the share done, while all pairs are taken.
    sample_weight, pos_label, missing
        As in :func:`rocsteady.rank`.

    Returns
    -------
    float
        It also carries ``error_bound``, absolute, and ``method``. NaN with a reason when a class is absent.

    Examples
    --------
    >>> import numpy as np, rocsteady as rs
    >>> y, s = [1, 1, 0, 0], [0.9, 0.3, 0.4, 0.2]
    >>> round(rs.pairwise_mean(np.tanh, y, s), 6)
    0.266621
    >>> bump = rs.measures.SmoothKernel(lambda d: np.exp(-d * d), width=0.2, reach=6.5)
    >>> abs(rs.pairwise_mean(bump, y, s) - rs.pairwise_mean(bump, y, s, exact=True)) < 1e-12
    True
    """
    if not callable(f):
        raise ArgumentError("f", f"f must be a function of the difference of two scores, got {some_values([f])}")
    ranked = rank(y_true, y_score, sample_weight=sample_weight, pos_label=pos_label, missing=missing)
    if not (ranked.n_pos and ranked.n_neg):
        value = Undefined("single_class" if ranked.scores.size else "empty")
        warn_undefined("pairwise_mean", value)
        return value
    if ranked.has_infinite_scores:
        raise InputError("infinite_scores", "differences need finite scores; drop the rows with infinite ones")
    bar = progress_bar("pairs") if progress is True else nullcontext(progress or None)
    with bar as report:
        return pair_mean(ranked, f, exact=exact, progress=report)
