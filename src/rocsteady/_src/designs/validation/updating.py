"""An old model among new patients: its predictions moved, or stretched, as far as the new rows ask for."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from rocsteady._src.base.errors import InputError, refuse_one_class
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.base.text import format_count
from rocsteady._src.base.typed import typed
from rocsteady._src.inference.intervals.normal import check_choice, check_level, quantile_of
from rocsteady._src.inference.power.predictor import check_share
from rocsteady._src.measures.probability import probabilities_of
from rocsteady._src.probabilities.calibration.logistic import Groups, fit_intercept, fit_line
from rocsteady._src.probabilities.calibration.summary import separated
from rocsteady._src.probabilities.calibration.terms import log_likelihood, logits_of
from rocsteady._src.ranked import rank
from rocsteady._src.results import Interval
from rocsteady._src.results.base import facts_of
from rocsteady._src.results.remarks import Remark
from rocsteady._src.results.updating import UpdatedModel

if TYPE_CHECKING:
    from rocsteady._src.inputs.clean import Missing
    from rocsteady._src.probabilities.calibration.logistic import LogisticFit
    from rocsteady._src.ranked import RankedScores

Method = Literal["closed-test", "intercept", "slope", "none"]
FEW_EVENTS = 20
OF_SLOPES = ("closed-test", "slope")  # methods that need a slope
TESTS = ("any change", "slope beyond intercept")


@typed
def update(
    y_true: object,
    y_score: object,
    *,
    method: Method = "closed-test",
    alpha: float = 0.05,
    level: float = 0.95,
    pos_label: Any = None,
    missing: Missing = "raise",
) -> UpdatedModel:
    """Update the probabilities of an existing model on new rows, as an object with ``predict``.

    "intercept" moves all log-odds by one number, "slope" stretches and moves them (logistic recalibration). The closed
    test takes the smallest change that the rows ask for: none, if intercept and slope together are not better than the
    model as it is; else the intercept alone, if the slope adds nothing to it; else both. Ranking does not change.

    Parameters
    ----------
    y_true, y_score
        Labels and the model's probabilities on the rows that update it; strictly between 0 and 1.
    method : {"closed-test", "intercept", "slope", "none"}
        How much is changed. Scores that are all equal, or separate the classes, have an intercept and no slope.
    alpha : float
        Level of each of the closed test's likelihood-ratio tests.
    level : float
        Confidence level of the intercept's and slope's intervals.
    pos_label, missing
        As in :func:`rocsteady.rank`.

    Returns
    -------
    UpdatedModel
        ``predict(probabilities)`` applies it to other rows; ``chosen``, ``intercept``, ``slope``, ``pvalues``.

    References
    ----------
    Steyerberg, Borsboom, van Houwelingen, Eijkemans and Habbema (2004), Statistics in Medicine 23:2567-2586. Vergouwe,
    Nieboer, Oostenbrink, Debray, Murray, Kattan, Koffijberg, Moons and Steyerberg (2017), Statistics in Medicine
    36:4529-4539.

    Examples
    --------
    >>> import numpy as np
    >>> import rocsteady as rs
    >>> rng = np.random.default_rng(1)
    >>> risk = rng.beta(2, 5, 400)
    >>> y, said = rng.random(400) < risk, 1 / (1 + (1 - risk) / risk * np.exp(1))  # too low by 1 in log-odds
    >>> found = rs.validation.update(y, said)
    >>> found.chosen, found.predict([0.1, 0.2]).round(2).tolist()
    ('intercept', [0.25, 0.43])
    """
    check_choice("method", method, get_args(Method))
    check_level(level)
    check_share("alpha", alpha)
    ranked = rank(y_true, y_score, pos_label=pos_label, missing=missing)
    _refuse(ranked)
    why = _no_slope(ranked)
    if why and method in OF_SLOPES:
        words = "{why}, so that no finite slope fits best; pass {method='intercept'} to move them by one number"
        raise InputError("separated", Sentence(words, why=why))
    levels = Groups.of(ranked).levels()
    shifted, line = fit_intercept(levels), None if why else fit_line(levels)
    if not shifted.converged or (line is not None and not line.converged):
        raise InputError("not_converged", "no finite intercept and slope fit best: some scores may be extreme")
    pvalues = _tests(ranked, shifted, line)
    chosen = _choice(pvalues, alpha) if method == "closed-test" else {"none": "as it is"}.get(method, method)
    fit = {"as it is": None, "intercept": shifted, "slope": line}[chosen]
    moved = 0.0 if fit is None else float(fit.estimates[0])
    values = (moved, float(fit.estimates[1]) if fit is not None and chosen == "slope" else 1.0)
    errors = [] if fit is None else np.sqrt(np.diag(fit.covariance)).tolist()
    facts: dict[str, Any] = facts_of(ranked)
    return UpdatedModel(
        chosen=chosen,
        intercept=_interval(values[0], errors[0] if errors else None, level, facts),
        slope=_interval(values[1], errors[1] if chosen == "slope" else None, level, facts),
        pvalues=pvalues,
        method=method,
        alpha=alpha,
        level=level,
        warnings=_remarks(ranked, why),
        **facts,
    )


def _refuse(ranked: RankedScores) -> None:
    scores = probabilities_of(ranked, "update")
    refuse_one_class(ranked.n_pos, ranked.n_neg, "an update needs")
    if scores[0] == 0 or scores[-1] == 1:
        certain = float((ranked.pos + ranked.neg)[(scores == 0) | (scores == 1)].sum())
        text = f"{format_count(certain)} rows have a score of exactly 0 or 1, which has no logit"
        raise InputError("certain_scores", f"{text}: keep probabilities away from 0 and 1")
    if not ranked.exact:
        raise InputError("weights", "the ranked scores have weights that are no whole numbers: update by plain rows")


def _no_slope(ranked: RankedScores) -> str:
    """Why no slope fits best; empty where one does."""
    if ranked.doubles[0] == ranked.doubles[-1]:
        return "all scores are equal"
    return "the scores separate the classes" if separated(ranked) else ""


def _tests(ranked: RankedScores, shifted: LogisticFit, line: LogisticFit | None) -> dict[str, float]:
    """Likelihood-ratio tests: both numbers against none, and the slope against the intercept alone."""
    from scipy.special import chdtrc

    if line is None:
        return dict.fromkeys(TESTS, math.nan)
    pos = ranked.pos.astype(np.float64)
    rows, logits = pos + ranked.neg, logits_of(ranked.doubles)
    heights = [log_likelihood(at, pos, rows) for at in (logits, logits + shifted.estimates[0])]
    gains = [max(2 * (float(line.log_likelihood) - height), 0.0) for height in heights]
    return dict(zip(TESTS, (float(chdtrc(2, gains[0])), float(chdtrc(1, gains[1]))), strict=True))


def _remarks(ranked: RankedScores, why: str) -> tuple[Remark, ...]:
    few = min(float(ranked.n_pos), float(ranked.n_neg))
    told = [Remark("few_to_update", n=few, enough=FEW_EVENTS)] if few < FEW_EVENTS else []
    return (*told, *([Remark("no_slope_to_test", why=why)] if why else []))


def _choice(pvalues: dict[str, float], alpha: float) -> str:
    if pvalues["any change"] >= alpha:
        return "as it is"
    return "intercept" if pvalues["slope beyond intercept"] >= alpha else "slope"


def _interval(value: float, se: float | None, level: float, facts: dict[str, Any]) -> Interval:
    reach = math.nan if se is None else quantile_of(level) * se
    how = "fixed" if se is None else "logistic"
    return Interval(value, value - reach, value + reach, level, how, se=se, **facts)
