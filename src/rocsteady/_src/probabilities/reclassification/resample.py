"""Bootstrap of estimates on paired rows: rows, or subjects, are drawn and keep both probabilities and their weight."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from rocsteady._src.inference.intervals.normal import p_value
from rocsteady._src.inference.intervals.replicate_ends import ends
from rocsteady._src.inference.resampling.resample import check_failures, fresh_seed, replicate
from rocsteady._src.results import Resampling

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rocsteady._src.probabilities.reclassification.two_models import TwoModels
    from rocsteady._src.results import Estimate

    Sample = Callable[[np.random.Generator], Sequence[float]]


def bootstrapped(
    parts: list[Estimate],
    rows: TwoModels,
    statistic: Callable[[TwoModels], Sequence[float]],
    n_resamples: int,
    random_state: int | None,
) -> list[Estimate]:
    """The same estimates with standard deviations and percentiles of their replicates."""
    seed = fresh_seed(random_state)
    scheme, sample = _sampler(rows, statistic) if rows.clusters is None else _subject_sampler(rows, statistic)
    values = replicate(sample, n_resamples=n_resamples, seed=seed)
    made = []
    for column, part in enumerate(parts):
        found = values[:, column]
        n_failed, _ = check_failures(found)
        se = float(np.nanstd(found, ddof=1))
        gap = part.estimate - part.null
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
                resampling=Resampling(scheme, n_resamples, n_failed, seed, found),
            )
        )
    return made


def _sampler(rows: TwoModels, statistic: Callable[[TwoModels], Sequence[float]]) -> tuple[str, Sample]:
    sides = [np.flatnonzero(rows.positive), np.flatnonzero(~rows.positive)]
    repeats = [_shares(rows, side) for side in sides]

    def sample(rng: np.random.Generator) -> Sequence[float]:
        drawn = [
            side[(rng.random(n) * side.size).astype(np.int64)] if shares is None else rng.choice(side, size=n, p=shares)
            for side, (shares, n) in zip(sides, repeats, strict=True)
        ]
        made = rows.take(np.concatenate(drawn))
        return statistic(replace(made, weights=None, weight_type=None) if rows.weight_type == "frequency" else made)

    return "rows within each class", sample


def _subject_sampler(rows: TwoModels, statistic: Callable[[TwoModels], Sequence[float]]) -> tuple[str, Sample]:
    """Subjects within their class where each has rows of one class only, else all together; weights stay."""
    clusters = rows.clusters if rows.clusters is not None else np.arange(rows.positive.size)
    n = int(clusters.max()) + 1
    share = np.bincount(clusters, rows.positive, n) / np.bincount(clusters, minlength=n)
    apart = bool(((share == 0) | (share == 1)).all())
    strata = [np.flatnonzero(share == side) for side in (1, 0)] if apart else [np.arange(n)]
    places, n_values = np.arange(rows.positive.size), len(statistic(rows))

    def sample(rng: np.random.Generator) -> Sequence[float]:
        drawn = np.concatenate([rng.choice(units, units.size) for units in strata])
        made = rows.take(places.repeat(np.bincount(drawn, minlength=n)[clusters]))
        one_class = not made.positive.any() or bool(made.positive.all())
        return [np.nan] * n_values if one_class else statistic(made)

    return "subjects within each class" if apart else "subjects", sample


def _shares(rows: TwoModels, side: np.ndarray) -> tuple[np.ndarray | None, int]:
    """Frequency weights are rows of their own: draw by weight, as many as there are."""
    if rows.weights is None or rows.weight_type != "frequency":
        return None, side.size
    weights = rows.weights[side]
    return weights / weights.sum(), int(weights.sum())
