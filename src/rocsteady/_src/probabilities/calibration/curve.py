"""Calibration curves: what share of the rows with a score of about p are positive?"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError
from rocsteady._src.base.sentences import Option, Sentence
from rocsteady._src.inference.intervals.normal import check_choice, check_level
from rocsteady._src.inference.intervals.proportions import proportion_bounds
from rocsteady._src.inference.resampling.draws import GroupDraws, RowDraws
from rocsteady._src.inference.resampling.resample import fresh_seed, replicate
from rocsteady._src.inputs.weights import reading_remarks, summed
from rocsteady._src.probabilities.calibration.blocks import blocks_of, isotonic_starts
from rocsteady._src.probabilities.calibration.smooth_curve import histogram_of, smooth_curve
from rocsteady._src.probabilities.calibration.subjects import (
    block_effects,
    blocks_of_rows,
    by_units_of,
    clustered_doors,
)
from rocsteady._src.results.base import facts_of
from rocsteady._src.results.calibration import CalibrationCurve
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.probabilities.calibration.blocks import Blocks
    from rocsteady._src.ranked import RankedScores, Rows

    Array = NDArray[Any]

FEW_ROWS = 20
Strategy = Literal["quantile", "uniform", "isotonic"]
MOST_BINS, ROWS_PER_BIN = 10, 10
METHODS = ("bins", "spline", "lowess", "belt")


@partial(clustered_doors, values_of_groups=True)
def calibration_curve(
    ranked: RankedScores,
    *,
    method: Literal["bins", "spline", "lowess", "belt"] = "bins",
    n_bins: int | None = None,
    strategy: Strategy = "quantile",
    level: float = 0.95,
    limits: Literal["wilson", "bootstrap"] = "wilson",
    n_resamples: int = 500,
    random_state: int | None = None,
    n_jobs: int | None = None,
    n_knots: int | None = None,
    external: bool = True,
    cluster: Any = None,
) -> CalibrationCurve:
    """Share of positives against score, with limits: the reliability diagram.

    In fixed bins each share is binomial given the scores and gets Wilson's interval. "isotonic" (CORP) chooses the
    bins from the data: the best rising curve through the outcomes, whose steps are the edges of the ROC hull. The rows
    chose the steps, so limits are approximate there: in simulations Wilson's hold the truth more often than they
    promise, those from resampled curves less often (docs/calibration.md). Rows of equal score are never split.
    O(distinct scores) once ranked, per resample too.

    Smooth curves are :class:`rocsteady.results.SmoothCalibrationCurve`: limits of each point by itself, a band that
    holds the whole curve, and the distances ICI, E50, E90 and Emax with intervals. "spline": logistic regression on a
    restricted cubic spline of the logit (``rcs`` in the R package rms); "lowess": local lines through two thirds of
    the rows (``val.prob``); "belt": a polynomial of the logit whose degree the rows choose, with the test and region
    of the GiViTI calibration belt. Splines and belts need scores strictly between 0 and 1.

    Parameters
    ----------
    y_true, y_score, sample_weight, pos_label, missing
        As in :func:`rocsteady.rank`; scores are probabilities. A row of a sampling weight is
        handled as a subject of its own.
    weight_type : {"frequency", "sampling"}, optional
        As in :func:`rocsteady.auc_interval`.
    method : {"bins", "spline", "lowess", "belt"}
        Shares in bins, or a smooth curve.
    n_bins : int, optional
        Number of bins; not for "isotonic". Unless given there are ten, or fewer where they would hold fewer than ten
        rows on average, but at least two; a warning says so. Bins without rows are left out.
    strategy : {"quantile", "uniform", "isotonic"}
        Bins of about equally many rows, of equal width, or the steps of isotonic regression.
    level : float
        Confidence level, of each bin by itself.
    limits : {"wilson", "bootstrap"}
        For "isotonic" also percentiles of the curve fitted to resampled rows.
    n_resamples, random_state, n_jobs
        For "bootstrap": resamples, seed, threads.
    n_knots : int, optional
        Of a spline, from 3 to 7, at quantiles of the rows. Unless given 5, with fewer than 100 rows of the smaller
        class 4, with fewer than 50 of them 3.
    external : bool
        Of a belt: False for rows on which the model was fitted, where the line fits by construction.
    cluster : array-like, optional
        Subject of each row, where subjects have several. Wilson's limits then take the rows of a bin as fewer, by the
        design effect 1 + correlation x (rows per subject in the bin - 1); the correlation of outcomes of a subject
        within bins is estimated from all bins together, not below 0. Resamples draw subjects. Spline and lowess take
        sums over subjects; the belt takes no subjects.

    Returns
    -------
    CalibrationCurve
        ``predicted``, ``observed``, ``low``, ``high``, ``count``, ``bin_low``, ``bin_high``; has ``plot``.

    References
    ----------
    Dimitriadis, Gneiting and Jordan (2021), Stable reliability diagrams, PNAS 118(8). Austin and Steyerberg (2019),
    Statistics in Medicine 38:4051-4065. Nattino, Finazzi and Bertolini (2014), Statistics in Medicine 33:2390-2407.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, score = [0, 0, 1, 0, 1, 1], [0.1, 0.2, 0.3, 0.6, 0.7, 0.8]
    >>> curve = rs.calibration_curve(y, score, n_bins=2)
    >>> curve.predicted.round(3).tolist(), curve.observed.round(3).tolist(), curve.count.tolist()
    ([0.2, 0.7], [0.333, 0.667], [3, 3])
    >>> rs.calibration_curve(y, score, strategy="isotonic").observed.tolist()
    [0.0, 0.5, 1.0]
    """
    _check_method(method)
    of_bins = {"n_bins": n_bins is not None, "strategy": strategy != "quantile", "limits": limits != "wilson"}
    of_curves = {"spline": {"n_knots": n_knots is not None}, "belt": {"external": not external}}
    _refuse_unused(method, {"bins": of_bins} | of_curves)
    if method != "bins":
        return smooth_curve(ranked, cluster, method, level=check_level(level), n_knots=n_knots, external=external)
    if strategy == "isotonic" and n_bins is not None:
        raise ArgumentError("n_bins", "n_bins is not for isotonic steps, whose number the rows choose: leave it out")
    resampled: dict[str, Any] = {"n_resamples": n_resamples, "random_state": random_state, "n_jobs": n_jobs}
    return _in_bins(ranked, n_bins, strategy, limits, level=level, cluster=cluster, **resampled)


def _in_bins(
    ranked: RankedScores,
    n_bins: int | None,
    strategy: Strategy,
    limits: str,
    *,
    level: float,
    cluster: Any,
    n_resamples: int,
    random_state: int | None,
    n_jobs: int | None,
) -> CalibrationCurve:
    check_choice("strategy", strategy, ("quantile", "uniform", "isotonic"))
    check_choice("limits", limits, ("wilson", "bootstrap") if strategy == "isotonic" else ("wilson",))
    check_level(level)
    if not ranked.scores.size:
        raise InputError("empty", "there are no rows")
    bins = _enough_rows(ranked) if n_bins is None else n_bins
    blocks = blocks_of(ranked, strategy, bins, "calibration_curve")
    limited = ranked.counts_rows or cluster is not None
    seed = fresh_seed(random_state) if limits == "bootstrap" and limited else None
    if not limited:
        ends = (np.full(blocks.pos.size, np.nan),) * 2
    elif seed is None:
        fewer = 1.0 if cluster is None else design_effects(cluster, blocks)
        ends = proportion_bounds(blocks.pos / fewer, blocks.rows / fewer, level)
    else:
        draws = GroupDraws(ranked, stratified=False) if cluster is None else RowDraws(cluster, stratified=False)
        ends = _resampled_limits(draws, blocks, level, n_resamples, seed, n_jobs)
    last = np.append(blocks.starts[1:], ranked.scores.size) - 1
    return CalibrationCurve(
        predicted=blocks.predicted,
        observed=blocks.observed,
        low=ends[0],
        high=ends[1],
        count=blocks.rows,
        bin_low=ranked.doubles[blocks.starts],
        bin_high=ranked.doubles[last],
        strategy=strategy,
        level=level,
        method=("wilson" if limits == "wilson" else "bootstrap percentile") + by_units_of(cluster),
        histogram=histogram_of(ranked),
        **facts_of(ranked),
        warnings=(
            reading_remarks(ranked.origin) + _remarks(blocks, strategy, limits)
            if limited
            else (Remark("no_limits", why=summed("a limit")),)
        )
        + _fewer(bins, n_bins, strategy),
        n_resamples=n_resamples if seed is not None else None,
        seed=seed,
    )


def _check_method(method: str) -> None:
    """Refuse what is no method."""
    plain = "".join(letter for letter in method.lower() if letter.isalnum())
    if method not in METHODS and plain in get_args(Strategy):
        words = "bins are cut by a strategy, not by a method: pass {strategy}"
        raise ArgumentError("method", Sentence(words, strategy=Option("strategy", (plain,))))
    check_choice("method", method, METHODS)


def _refuse_unused(method: str, given: dict[str, dict[str, bool]]) -> None:
    """Options of another method would change nothing."""
    for other, options in given.items():
        asked, kinds = [name for name, told in options.items() if told], f"{other.removesuffix('s')}s"
        if asked and other != method:
            is_about = f"is about {kinds}: leave it" if len(asked) == 1 else f"are about {kinds}: leave them"
            raise ArgumentError("method", f"{' and '.join(asked)} {is_about} out, or take the method {other}")


def _enough_rows(ranked: RankedScores) -> int:
    """How many bins hold ten rows on average: at most ten of them, at least two."""
    n_rows = int(ranked.n_rows_counted) if ranked.counts_rows else ranked.origin.n_rows
    return max(2, min(MOST_BINS, n_rows // ROWS_PER_BIN))


def _fewer(bins: int, asked: int | None, strategy: str) -> tuple[Remark, ...]:
    if asked is not None or bins == MOST_BINS or strategy == "isotonic":
        return ()
    return (Remark("fewer_bins", n=bins, usual=MOST_BINS, enough=ROWS_PER_BIN),)


def design_effects(rows: Rows, blocks: Blocks) -> Array:
    """How many times more rows there are in each block than independent ones."""
    block, share = blocks_of_rows(rows, blocks.starts), blocks.observed
    with np.errstate(invalid="ignore", divide="ignore"):
        away = (rows.positive - share[block]) / np.sqrt(share * (1 - share))[block]
    return block_effects(rows, away, block, share.size)


def _resampled_limits(
    draws: GroupDraws | RowDraws, blocks: Blocks, level: float, n_resamples: int, seed: int, n_jobs: int | None
) -> tuple[Array, Array]:
    """Percentiles, over resampled rows, of the isotonic curve at the mean score of each step."""
    scores = draws.ranked[0].doubles
    at = np.maximum(scores.searchsorted(blocks.predicted, side="right") - 1, blocks.starts)

    def sample(rng: np.random.Generator) -> Any:
        ((pos, neg),) = draws.draw(rng)
        starts = isotonic_starts(pos, neg)
        hits, misses = (np.add.reduceat(side, starts) for side in (pos, neg))
        return (hits / (hits + misses))[starts.searchsorted(at, side="right") - 1]

    values = replicate(sample, n_resamples=n_resamples, seed=seed, n_jobs=n_jobs, what="calibration curve")
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2], axis=0)
    return low, high


def _remarks(blocks: Blocks, strategy: str, limits: str) -> tuple[Remark, ...]:
    if strategy == "isotonic":
        chosen = Remark("steps_chosen")
        return (chosen,) if limits == "wilson" else (chosen, Remark("isotonic_limits_short"))
    few = int((blocks.rows < FEW_ROWS).sum())
    return (Remark("few_in_bins", n=few, total=blocks.rows.size, enough=FEW_ROWS),) if few else ()
