"""The binormal model of a ROC curve, fitted to ranks or to scores, and the smooth curve that belongs to it."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError, Undefined, refuse_one_class
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.inference.bands.probit import Maximum, collapse, maximise
from rocsteady._src.inference.intervals.normal import check_choice
from rocsteady._src.inputs.weights import sampled
from rocsteady._src.measures.ranking import auc
from rocsteady._src.ranked.takes_ranked import takes_ranked
from rocsteady._src.results.bands import BinormalFit, SmoothRocCurve
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.ranked import RankedScores

    Array = NDArray[np.float64]

FitMethod = Literal["binormal", "normal"]
METHODS = ("binormal", "normal")
FEW = 10
# Beyond these the curve is a step to the eye, and a and b say nothing.
MOST_UNEQUAL = 1e3


@partial(takes_ranked, reads_weights=True)
def binormal_fit(ranked: RankedScores, *, method: FitMethod = "binormal") -> BinormalFit:
    """Fit the binormal ROC curve ROC(t) = Phi(a + b Phi^-1(t)).

    "binormal" maximises the likelihood of the ranks (Dorfman and Alf; with many distinct scores Metz's LABROC4): some
    increasing map makes both classes normal, which one does not matter. "normal" fits two normals to the scores
    themselves. The standard error of the AUC is the delta method on the observed information of a and b. The time
    after sorting is O(categories) per step, with about ten steps.

    Parameters
    ----------
    y_true, y_score : array-like
        Labels and scores, or ranked scores alone.
    method : {"binormal", "normal"}
        Whether only the order of the scores counts, or their values.
    sample_weight, pos_label, missing
        As in :func:`rocsteady.rank`; weights count as rows, so standard errors hold for counts.

    Returns
    -------
    BinormalFit
        ``a``, ``b``, ``auc``, ``se_auc``, ``covariance`` of (a, b), ``converged``, ``warnings``; ``roc(fpr)``.

    Raises
    ------
    InputError
        ``single_class``; ``binormal_degenerate`` where the likelihood has no maximum: perfect separation, a
        constant score, fewer than two different points inside the square; ``binormal_not_converged``;
        ``infinite_scores`` and ``no_spread`` for "normal".

    Examples
    --------
    Five ratings of 109 CT images (Hanley and McNeil 1982):

    >>> import rocsteady as rs
    >>> table = rs.RankedScores.from_counts(range(5), pos=[3, 2, 2, 11, 33], neg=[33, 6, 6, 11, 2])
    >>> print(binormal_fit(table))
    Binormal ROC (binormal): a = 1.6568, b = 0.7130, AUC 0.9113 (se 0.0295)
    """
    check_choice("method", method, METHODS)
    refuse_one_class(ranked.n_pos, ranked.n_neg, "a binormal curve needs")
    return _fit_ranks(ranked) if method == "binormal" else _fit_scores(ranked)


@partial(takes_ranked, reads_weights=True)
def smooth_roc(ranked: RankedScores, *, method: FitMethod = "binormal", n_points: int = 201) -> SmoothRocCurve:
    """ROC curve of the binormal model; its ``area`` is the AUC of the model, not of the data.

    pROC's ``smooth`` regresses the probits of the points instead, without regard to how sure each one is; its
    AUC differs, often in the second digit.

    Parameters
    ----------
    y_true, y_score : array-like
        Labels and scores, or ranked scores alone.
    method : {"binormal", "normal"}
        As in :func:`binormal_fit`.
    n_points : int
        Points of the curve, both corners included; at least 3.
    sample_weight, pos_label, missing
        As in :func:`rocsteady.rank`.

    Returns
    -------
    SmoothRocCurve
        A ROC curve with the model in ``fit``; its thresholds are NaN except for "normal".

    Examples
    --------
    >>> import rocsteady as rs
    >>> curve = smooth_roc([0, 0, 1, 0, 1, 0, 1, 1], [1, 2, 3, 4, 5, 6, 7, 8])
    >>> print(curve)
    Smooth ROC: 201 points, area 0.8328
    """
    if n_points < 3:
        raise ArgumentError("n_points", f"n_points must be at least 3, got {n_points!r}")
    fit = binormal_fit(ranked, method=method)
    deviates = _deviates(fit, n_points - 2)
    fpr, tpr = _rates(fit, deviates)
    thresholds = np.concatenate([[np.inf], _cuts(ranked, fit, deviates), [-np.inf]])
    return SmoothRocCurve(fpr, tpr, thresholds, fit.auc, fit.n_pos, fit.n_neg, fit.origin, fit=fit)


def _fit_ranks(ranked: RankedScores) -> BinormalFit:
    pos, neg = collapse(ranked.pos, ranked.neg)
    _refuse_degenerate(pos, neg)
    best = _climb(pos, neg)
    if not 1 / MOST_UNEQUAL < best.b < MOST_UNEQUAL:
        raise _degenerate()
    return _assemble(ranked, best, np.linalg.inv(best.information), "binormal", pos.size)


def _climb(pos: Array, neg: Array) -> Maximum:
    """Only a maximum is an answer: where the iterations lose their way, as with wild weights, there is none."""
    try:
        with np.errstate(all="ignore"):
            best = maximise(pos, neg)
    except (ValueError, np.linalg.LinAlgError):
        best = None
    if best is None or not best.converged or not np.linalg.cond(best.information) < 1e12:
        text = "the binormal likelihood found no maximum: the data hardly show a slope, or the weights differ too much"
        raise InputError("binormal_not_converged", text)
    return best


def _refuse_degenerate(pos: Array, neg: Array) -> None:
    """The likelihood has no maximum where a horizontal or vertical line, or a corner, goes through all points."""
    tp, fp = pos.cumsum()[:-1], neg.cumsum()[:-1]
    n_pos, n_neg = pos.sum(), neg.sum()
    heights = np.unique(tp[(fp > 0) & (fp < n_neg)])
    places = np.unique(fp[(tp > 0) & (tp < n_pos)])
    if heights.size < 2 or places.size < 2:
        raise _degenerate()


def _degenerate() -> InputError:
    text = Sentence(
        "no binormal curve fits best: the ROC points do not show a slope, as with perfect separation, a constant "
        'score or fewer than three categories; use {method="normal"}, or a band that needs no model'
    )
    return InputError("binormal_degenerate", text)


def _fit_scores(ranked: RankedScores) -> BinormalFit:
    if ranked.has_infinite_scores:
        raise InputError(
            "infinite_scores", Sentence('{method="normal"} needs finite scores; {method="binormal"} reads ranks only')
        )
    (mean_pos, sd_pos), (mean_neg, sd_neg) = class_moments(ranked)
    if not (sd_pos > 0 and sd_neg > 0):
        raise InputError("no_spread", "all scores of one class are equal, so that its normal has no width")
    a, b = (mean_pos - mean_neg) / sd_pos, sd_neg / sd_pos
    n_pos, n_neg = float(ranked.n_pos), float(ranked.n_neg)
    covariance = np.array(
        [
            [1 / n_pos + b**2 / n_neg + a**2 / (2 * n_pos), a * b / (2 * n_pos)],
            [a * b / (2 * n_pos), b**2 / (2 * n_pos) + b**2 / (2 * n_neg)],
        ]
    )
    constant = (math.log(2 * math.pi) + 1) / 2
    likelihood = -n_pos * (math.log(sd_pos) + constant) - n_neg * (math.log(sd_neg) + constant)
    best = Maximum(a, b, likelihood, np.linalg.inv(covariance), converged=True, n_iterations=0)
    return _assemble(ranked, best, covariance, "normal", ranked.scores.size)


def class_moments(ranked: RankedScores) -> tuple[tuple[float, float], tuple[float, float]]:
    """Mean and standard deviation (divided by n: maximum likelihood) of positives and of negatives."""
    scores = ranked.doubles
    return _moments(ranked.pos, scores), _moments(ranked.neg, scores)


def _moments(weights: NDArray[Any], scores: Array) -> tuple[float, float]:
    shares = weights / weights.sum()
    mean = float(shares @ scores)
    return mean, math.sqrt(float(shares @ (scores - mean) ** 2))


def _assemble(
    ranked: RankedScores, best: Maximum, covariance: NDArray[Any], method: str, n_categories: int
) -> BinormalFit:
    from scipy.special import ndtr

    a, b = float(best.a), float(best.b)
    scale = math.hypot(1, b)
    where = a / scale
    gradient = math.exp(-(where**2) / 2) / math.sqrt(2 * math.pi) * np.array([1 / scale, -a * b / scale**3])
    se = math.sqrt(float(gradient @ covariance @ gradient))
    area = float(ndtr(where))
    fit = BinormalFit(
        a, b, area, se, covariance, method, best.converged, float(best.log_likelihood), n_categories,
        best.n_iterations, ranked.n_pos, ranked.n_neg, ranked.origin,
    )  # fmt: skip
    if not ranked.counts_rows:
        fit = replace(fit, se_auc=Undefined("weights_no_counts"), covariance=np.full((2, 2), math.nan))
    return _with_warnings(ranked, fit)


def _with_warnings(ranked: RankedScores, fit: BinormalFit) -> BinormalFit:
    told = {
        Remark("normal_theory_rough", enough=FEW): min(fit.n_pos, fit.n_neg) < FEW,
        Remark("no_standard_errors", why=sampled("the likelihood")): not ranked.counts_rows,
        Remark("poor_fit"): ranked.counts_rows and _poor(ranked, fit),
        Remark("hooked"): _hooked(fit),
    }
    return replace(fit, warnings=tuple(remark for remark, holds in told.items() if holds))


def _poor(ranked: RankedScores, fit: BinormalFit) -> bool:
    """Whether the data lie farther from the curve than two Kolmogorov-Smirnov bounds of 1% each, or the AUCs do."""
    tp, fp = ranked.called_positive
    fpr, tpr = _rates(fit, _deviates(fit, 2001))
    n_pos, n_neg = float(ranked.n_pos), float(ranked.n_neg)
    along, across = slanted(fp / n_neg, tp / n_pos, n_neg, n_pos)
    model_along, model_across = slanted(fpr, tpr, n_neg, n_pos)
    far = np.abs(across - np.interp(along, model_along, model_across)).max()
    return bool(far > 1.63 or abs(auc.sheet.compute(ranked) - fit.auc) > 2.58 * fit.se_auc)


def slanted(fpr: Array, tpr: Array, n_neg: float, n_pos: float) -> tuple[Array, Array]:
    """Coordinates along and across a ROC curve, in standard errors: every increasing curve is a function of the first.

    A curve that is displaced by (-d / sqrt(n_neg), d / sqrt(n_pos)) keeps the first and adds d to the second.
    """
    right, up = fpr * math.sqrt(n_neg), tpr * math.sqrt(n_pos)
    return right + up, (up - right) / 2


def _hooked(fit: BinormalFit) -> bool:
    fpr, tpr = _rates(fit, _deviates(fit, 501))
    return bool(min((fpr - tpr).max(), (tpr - fpr).max()) > 0.01)


def _deviates(fit: BinormalFit, count: int) -> Array:
    """Deviates of the negatives from where both rates are below 1e-6 to where both are above 1 - 1e-6."""
    reach = 4.75
    ends = (-reach - fit.a) / fit.b, (reach - fit.a) / fit.b
    return np.linspace(min(-reach, ends[0]), max(reach, ends[1]), count)


def _rates(fit: BinormalFit, deviates: Array) -> tuple[Array, Array]:
    from scipy.special import ndtr

    return tuple(np.concatenate([[0.0], ndtr(at), [1.0]]) for at in (deviates, fit.a + fit.b * deviates))  # type: ignore[return-value]


def _cuts(ranked: RankedScores, fit: BinormalFit, deviates: Array) -> Array:
    if fit.method != "normal":
        return np.full(deviates.size, np.nan)
    _, (mean, sd) = class_moments(ranked)
    return mean - sd * deviates
