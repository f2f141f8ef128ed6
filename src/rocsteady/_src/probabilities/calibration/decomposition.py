"""A mean loss taken apart into miscalibration, discrimination and uncertainty."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal

from rocsteady._src.base.errors import ArgumentError, InputError
from rocsteady._src.base.exact import dot
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.inference.intervals.normal import check_choice
from rocsteady._src.measures.probability import brier_score, log_loss, probabilities_of
from rocsteady._src.probabilities.calibration.blocks import blocks_of
from rocsteady._src.ranked.takes_ranked import takes_ranked
from rocsteady._src.results.base import facts_of
from rocsteady._src.results.calibration import ScoreDecomposition

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.probabilities.calibration.blocks import Blocks
    from rocsteady._src.ranked import RankedScores

    Array = NDArray[Any]


@takes_ranked
def brier_decomposition(
    ranked: RankedScores,
    *,
    method: Literal["corp", "bins"] = "corp",
    n_bins: int = 10,
    strategy: Literal["quantile", "uniform"] = "quantile",
) -> ScoreDecomposition:
    """Brier score = miscalibration - discrimination + uncertainty.

    Uncertainty is the Brier score of the base rate. "corp" compares with the best rising recalibration of the scores
    (isotonic regression): miscalibration is what recalibration would save, never negative and free of bins to choose;
    discrimination is what the recalibrated scores save against the base rate. Isotonic regression fits these very
    rows, so both come out too large in small samples. "bins" is Murphy's, with shares of positives in fixed bins; what
    varies within bins is ``within_bins``, and the identity then holds with it. O(distinct scores).

    Parameters
    ----------
    y_true, y_score, sample_weight, pos_label, missing
        As in :func:`rocsteady.rank`; scores are probabilities.
    method : {"corp", "bins"}
        See above.
    n_bins, strategy
        For "bins", as in :func:`rocsteady.measures.expected_calibration_error`.

    Returns
    -------
    ScoreDecomposition

    References
    ----------
    Murphy (1973), Journal of Applied Meteorology 12:595-600. Stephenson, Coelho and Jolliffe (2008), Weather and
    Forecasting 23:752-757. Dimitriadis, Gneiting and Jordan (2021), PNAS 118(8).

    Examples
    --------
    >>> import rocsteady as rs
    >>> print(rs.calibration.brier_decomposition([0, 0, 1, 0, 1, 1], [0.1, 0.2, 0.3, 0.6, 0.7, 0.8]))
    Brier score 0.1717 = 0.0883 - 0.1667 + 0.2500 (miscalibration - discrimination + uncertainty, corp, 3 bins)
    """
    check_choice("method", method, ("corp", "bins"))
    if method == "corp" and (n_bins, strategy) != (10, "quantile"):
        raise ArgumentError(
            "n_bins", Sentence("{method='corp'} finds its own bins; n_bins and strategy are of {method='bins'}")
        )
    _refuse_empty(ranked)
    cut = blocks_of(ranked, "isotonic" if method == "corp" else strategy, n_bins, "brier_decomposition")
    total, share = ranked.n_rows_counted, ranked.n_pos / ranked.n_rows_counted
    resolution = float(cut.rows @ (cut.observed - share) ** 2 / total)
    uncertainty = share * (ranked.n_neg / total)
    score = brier_score.sheet.formula(ranked)
    within = 0.0
    if method == "corp":
        recalibrated = float(cut.pos @ (1 - cut.observed) ** 2 + (cut.rows - cut.pos) @ cut.observed**2) / total
        reliability = max(score - recalibrated, 0.0)
    else:
        reliability = float(cut.rows @ (cut.predicted - cut.observed) ** 2 / total)
        within = _within(ranked, cut)
    return _result(ranked, (score, reliability, resolution, uncertainty, within), "Brier score", method, cut)


def _within(ranked: RankedScores, cut: Blocks) -> float:
    """Variance of the scores within bins, less twice their covariance with the outcome there."""
    n = ranked.scores.size
    scores = probabilities_of(ranked, "brier_decomposition")
    apart = scores - cut.spread(cut.predicted, n)
    both = ranked.pos + ranked.neg
    surplus = ranked.pos - both * cut.spread(cut.observed, n)
    return float((dot(both, apart**2) - 2 * dot(apart, surplus)) / ranked.n_rows_counted)


@takes_ranked
def log_loss_decomposition(ranked: RankedScores) -> ScoreDecomposition:
    """Log loss = miscalibration - discrimination + uncertainty, by isotonic recalibration (CORP).

    As :func:`rocsteady.calibration.brier_decomposition` with ``method="corp"``; uncertainty is the entropy of the
    base rate. A score of 0 or 1 on the wrong side makes loss and miscalibration infinite. O(distinct scores).

    Parameters
    ----------
    y_true, y_score, sample_weight, pos_label, missing
        As in :func:`rocsteady.rank`; scores are probabilities.

    Returns
    -------
    ScoreDecomposition

    Examples
    --------
    >>> import rocsteady as rs
    >>> print(rs.calibration.log_loss_decomposition([0, 0, 1, 0, 1, 1], [0.1, 0.2, 0.3, 0.6, 0.7, 0.8]))
    Log loss 0.5048 = 0.2737 - 0.4621 + 0.6931 (miscalibration - discrimination + uncertainty, corp, 3 bins)
    """
    _refuse_empty(ranked)
    cut = blocks_of(ranked, "isotonic", 1, "log_loss_decomposition")
    total = ranked.n_rows_counted
    recalibrated = sum(_entropy(float(pos), float(count - pos)) for pos, count in zip(cut.pos, cut.rows, strict=True))
    uncertainty = _entropy(float(ranked.n_pos), float(ranked.n_neg)) / total
    score = log_loss.sheet.formula(ranked)
    parts = (max(score - recalibrated / total, 0.0), max(uncertainty - recalibrated / total, 0.0))
    return _result(ranked, (score, *parts, uncertainty, 0.0), "Log loss", "corp", cut)


def _entropy(pos: float, neg: float) -> float:
    """Log loss, summed, of rows that all get their share of positives."""
    return -sum(side * math.log(side / (pos + neg)) for side in (pos, neg) if side)


def _refuse_empty(ranked: RankedScores) -> None:
    if not ranked.scores.size:
        raise InputError("empty", "there are no rows")


def _result(
    ranked: RankedScores, parts: tuple[float, float, float, float, float], loss: str, method: str, cut: Blocks
) -> ScoreDecomposition:
    return ScoreDecomposition(
        *parts,
        loss=loss,
        method=method,
        n_bins=cut.starts.size,
        **facts_of(ranked),
    )
