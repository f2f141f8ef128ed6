"""Bootstrap of estimates on paired rows: rows are drawn within classes and keep both probabilities and their weight."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from rocsteady.results import Resampling
from rocsteady.uncertainty.normal import p_value
from rocsteady.uncertainty.resample import check_failures, ends, fresh_seed, replicate

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rocsteady.reclassified.rows import TwoModels
    from rocsteady.results import Estimate


def bootstrapped(
    parts: list[Estimate],
    rows: TwoModels,
    statistic: Callable[[TwoModels], Sequence[float]],
    n_resamples: int,
    random_state: int | None,
    *,
    null: Sequence[float] | None = None,
) -> list[Estimate]:
    """The same estimates with standard deviations and percentiles of their replicates."""
    seed = fresh_seed(random_state)
    values = replicate(_sampler(rows, statistic), n_resamples=n_resamples, seed=seed)
    made = []
    for column, part in enumerate(parts):
        found = values[:, column]
        n_failed, _ = check_failures(found)
        se = float(np.nanstd(found, ddof=1))
        gap = part.estimate - (null[column] if null is not None else 0.0)
        z = gap / se if se > 0 else part.statistic
        low, high = ends("percentile", found, part.estimate, part.level)
        made.append(
            replace(
                part,
                se=se,
                statistic=z,
                pvalue=p_value(z) if se > 0 else part.pvalue,
                low=low,
                high=high,
                method="bootstrap percentile",
                resampling=Resampling("rows within each class", n_resamples, n_failed, seed, found),
            )
        )
    return made


def _sampler(
    rows: TwoModels, statistic: Callable[[TwoModels], Sequence[float]]
) -> Callable[[np.random.Generator], Sequence[float]]:
    sides = [np.flatnonzero(rows.positive), np.flatnonzero(~rows.positive)]
    repeats = [_shares(rows, side) for side in sides]

    def sample(rng: np.random.Generator) -> Sequence[float]:
        drawn = [
            side[(rng.random(n) * side.size).astype(np.int64)] if shares is None else rng.choice(side, size=n, p=shares)
            for side, (shares, n) in zip(sides, repeats, strict=True)
        ]
        made = rows.take(np.concatenate(drawn))
        return statistic(replace(made, weights=None, weight_type=None) if rows.weight_type == "frequency" else made)

    return sample


def _shares(rows: TwoModels, side: np.ndarray) -> tuple[np.ndarray | None, int]:
    """Frequency weights are rows of their own: draw by weight, as many as there are."""
    if rows.weights is None or rows.weight_type != "frequency":
        return None, side.size
    weights = rows.weights[side]
    return weights / weights.sum(), int(weights.sum())
