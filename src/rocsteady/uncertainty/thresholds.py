"""How sure is a chosen threshold? The choice is made again in every resample."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.doors import two_doors
from rocsteady.errors import InputError
from rocsteady.measures.choose import best_threshold
from rocsteady.results import Interval, Resampling
from rocsteady.uncertainty.draws import GroupDraws
from rocsteady.uncertainty.normal import check_level
from rocsteady.uncertainty.resample import check_failures, ends, fresh_seed, replicate, sampler

if TYPE_CHECKING:
    from rocsteady.ranked import RankedScores

COORDINATES = ("threshold", "tpr", "fpr", "precision", "accuracy")


@two_doors
def threshold_interval(
    ranked: RankedScores,
    *,
    rule: str = "youden",
    level: float = 0.95,
    n_resamples: int = 2000,
    random_state: int | None = None,
    n_jobs: int | None = None,
    options: dict[str, Any] | None = None,
) -> dict[str, Interval]:
    """Bootstrap intervals of a threshold chosen by a rule, and of the rates at it.

    Each resample, stratified by class, chooses its own threshold; so the intervals include the uncertainty of the
    choice. The estimates are those of the data, and optimistic: a threshold is best on the rows that chose it.

    Parameters
    ----------
    y_true, y_score, sample_weight, pos_label, missing
        As in :func:`rocsteady.rank`; weights must be whole numbers.
    rule : str
        As in :func:`rocsteady.best_threshold`.
    level : float
        Confidence level.
    n_resamples, random_state, n_jobs
        Number of resamples, seed, threads.
    options : dict, optional
        Options of the rule, such as ``{"value": 0.9}``.

    Returns
    -------
    dict of Interval
        For "threshold", "tpr", "fpr", "precision" and "accuracy".

    Examples
    --------
    >>> import rocsteady as rs
    >>> table = rs.examples.loans(300)
    >>> found = rs.threshold_interval(table["defaulted"], table["logistic"], random_state=1)
    >>> found["tpr"].method
    'bootstrap percentile'
    """
    check_level(level)
    if not ranked.exact:
        raise InputError("weights_summed", "resampling rows needs weights that are whole numbers")
    draws, seed = GroupDraws(ranked), fresh_seed(random_state)

    def chosen(made: list[RankedScores]) -> list[float]:
        choice = best_threshold(made[0], rule=rule, **(options or {}))
        return [float(getattr(choice, name)) for name in COORDINATES]

    estimates = chosen([ranked])
    values = replicate(sampler(draws, chosen), n_resamples=n_resamples, seed=seed, n_jobs=n_jobs)
    return {
        name: _interval(values[:, column], estimates[column], level, draws, seed)
        for column, name in enumerate(COORDINATES)
    }


def _interval(values: Any, estimate: float, level: float, draws: GroupDraws, seed: int) -> Interval:
    n_failed, remarks = check_failures(values)
    finite = values[np.isfinite(values)]
    low, high = ends("percentile", finite, estimate, level)
    ranked = draws.ranked[0]
    return Interval(
        estimate,
        low,
        high,
        level,
        "bootstrap percentile",
        se=float(finite.std(ddof=1)),
        n_pos=ranked.n_pos,
        n_neg=ranked.n_neg,
        origin=ranked.origin,
        warnings=tuple(remarks),
        resampling=Resampling(draws.scheme, values.size, n_failed, seed, values),
    )
