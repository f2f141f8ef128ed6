"""Intervals of predictive values where another share of the rows is positive than here."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from rocsteady._src.base.errors import ArgumentError
from rocsteady._src.base.typed import typed
from rocsteady._src.inference.intervals.proportions import counted_at, interval_of
from rocsteady._src.measures.best_threshold import is_rule
from rocsteady._src.measures.prevalence import npv_of_ratio, ppv_of_ratio, values_at_prevalence
from rocsteady._src.measures.registry import get_measure
from rocsteady._src.measures.rule import check_share
from rocsteady._src.results.predictive import PredictiveValues

if TYPE_CHECKING:
    from rocsteady._src.inputs.weights import WeightType
    from rocsteady._src.measures.confusion import Confusion
    from rocsteady._src.results import Interval

RATIOS = ("positive_likelihood_ratio", "negative_likelihood_ratio")


@typed
def predictive_values(
    y_true: object,
    y_score: object = None,
    *,
    prevalence: float,
    threshold: float | None = None,
    level: float = 0.95,
    sample_weight: object = None,
    weight_type: WeightType | None = None,
    cluster: object = None,
    pos_label: Any = None,
    missing: Literal["raise", "drop"] = "raise",
) -> PredictiveValues:
    """Positive and negative predictive value where another share of the rows is positive, with intervals.

    Recall and specificity are those of these rows; Bayes' rule puts them together. Odds of being positive after a
    positive call are the odds before times the positive likelihood ratio, so the interval of the PPV is that of the
    ratio at this prevalence, and its coverage is the ratio's; likewise the NPV with the negative likelihood ratio. The
    prevalence is taken as known.

    Parameters
    ----------
    y_true, y_score, level, sample_weight, weight_type, cluster, pos_label, missing
        As in :func:`rocsteady.inference.measure_interval`.
    prevalence : float
        The share of positives there, in [0, 1].
    threshold : float, optional
        As in :func:`rocsteady.confusion`. It should not come from the same rows.

    Returns
    -------
    PredictiveValues
        ``ppv`` and ``npv``, each an :class:`rocsteady.results.Interval`. NaN where nothing is called so.

    Examples
    --------
    >>> import rocsteady as rs
    >>> counts = rs.measures.Confusion(tp=80, fp=10, fn=20, tn=90)
    >>> found = rs.inference.predictive_values(counts, prevalence=0.05)
    >>> print(found.ppv)
    0.2963 [0.1883, 0.4332] (0.95 level, logit of the likelihood ratio)
    """
    check_share(prevalence)
    if is_rule(threshold):
        text = "predictive_values takes a threshold that is known; choose one with rs.best_threshold on other rows"
        raise ArgumentError("threshold", text)
    rows = {"sample_weight": sample_weight, "cluster": cluster, "pos_label": pos_label, "missing": missing}
    counts, subjects = counted_at(y_true, y_score, threshold, rows | {"weight_type": weight_type})
    positive, negative = (
        interval_of(get_measure(name).sheet, counts, level=level, subjects=subjects) for name in RATIOS
    )
    ppv, npv = intervals_at_prevalence(counts, positive, negative, prevalence)
    sizes = {"n_pos": counts.tp + counts.fn, "n_neg": counts.fp + counts.tn, "origin": counts.origin}
    return PredictiveValues(ppv, npv, prevalence, counts.threshold, counts.recall, counts.specificity, **sizes)


def intervals_at_prevalence(
    counts: Confusion, positive: Interval, negative: Interval, prevalence: float
) -> tuple[Interval, Interval]:
    """Predictive values with the intervals that those of both likelihood ratios give; a higher LR- is a lower NPV."""
    ppv, npv = values_at_prevalence(counts, prevalence)
    upward = (ppv_of_ratio(end, prevalence) for end in positive)
    downward = (npv_of_ratio(end, prevalence) for end in (negative.high, negative.low))
    return _moved(positive, ppv, *upward), _moved(negative, npv, *downward)


def _moved(of_ratio: Interval, value: float, low: float, high: float) -> Interval:
    method = of_ratio.method.replace("delta", "logit of the likelihood ratio", 1)
    return replace(of_ratio, estimate=value, low=low, high=high, se=None, method=method)
