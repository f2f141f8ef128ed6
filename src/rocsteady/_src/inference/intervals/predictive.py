"""Intervals of predictive values where another share of the rows is positive than here."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, cast

import numpy as np

from rocsteady._src.base.errors import ArgumentError
from rocsteady._src.base.typed import typed
from rocsteady._src.inference.intervals.proportions import counted_at, interval_of
from rocsteady._src.inference.intervals.rates_elsewhere import Costs, Rates
from rocsteady._src.inputs.reals import real_numbers
from rocsteady._src.measures.best_threshold import is_rule
from rocsteady._src.measures.prevalence import npv_of_ratio, ppv_of_ratio, values_at_prevalence
from rocsteady._src.measures.registry import get_measure
from rocsteady._src.measures.rule import check_share
from rocsteady._src.ranked.reading import answers_itself
from rocsteady._src.ranked.scores import refuse_more_than_one
from rocsteady._src.results.predictive import PredictiveValues, PrevalenceCurve

if TYPE_CHECKING:
    from rocsteady._src.inference.units.subjects import SubjectCells
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
    cost_fp: float | None = None,
    cost_fn: float | None = None,
    level: float = 0.95,
    sample_weight: object = None,
    weight_type: WeightType | None = None,
    cluster: object = None,
    pos_label: Any = None,
    missing: Literal["raise", "drop"] = "raise",
    label: str | None = None,
) -> PredictiveValues:
    """Predictive values, accuracy, cost and net benefit where another share of the rows is positive, with intervals.

    Recall and specificity are those of these rows; Bayes' rule puts them together. Odds of being positive after a
    positive call are the odds before times the positive likelihood ratio, so the interval of the PPV is that of the
    ratio at this prevalence, and its coverage is the ratio's; likewise the NPV with the negative likelihood ratio.
    Accuracy, cost and net benefit are sums of recall and specificity, whose Wilson intervals are put together by the
    root of the sum of squares. The prevalence is taken as known.

    Parameters
    ----------
    y_true, y_score, level, sample_weight, weight_type, cluster, pos_label, missing
        As in :func:`rocsteady.inference.measure_interval`.
    prevalence : float
        The share of positives there, in [0, 1].
    threshold : float, optional
        As in :func:`rocsteady.confusion`. It should not come from the same rows.
    cost_fp, cost_fn : float, optional
        What a false alarm and a miss cost, 1 for the one left out; ``cost`` per row and ``net_benefit``, in true
        positives per row at the going rate cost_fp / cost_fn, are then among the answers.
    label : str, optional
        Column of labels, when a table comes first, as in :func:`rocsteady.auc_interval`.

    Returns
    -------
    PredictiveValues
        ``ppv``, ``npv``, ``accuracy``, and with costs ``cost`` and ``net_benefit``, each an
        :class:`rocsteady.results.Interval`. NaN where nothing is called so.

    Examples
    --------
    >>> import rocsteady as rs
    >>> counts = rs.measures.Confusion(tp=80, fp=10, fn=20, tn=90)
    >>> found = rs.inference.predictive_values(counts, prevalence=0.05)
    >>> print(found.ppv)
    0.2963 [0.1883, 0.4332] (0.95 level, logit of the likelihood ratio)
    """
    check_share(prevalence)
    of_sketch = answers_itself(y_true, "predictive_values")
    if of_sketch is not None:
        refuse_more_than_one(y_score, sample_weight, weight_type, cluster, pos_label, label)
        how = {"prevalence": prevalence, "cost_fp": cost_fp, "cost_fn": cost_fn, "level": level}
        return cast("PredictiveValues", of_sketch(threshold=threshold, **how))
    costs = Costs.of(cost_fp, cost_fn)
    rows = {"sample_weight": sample_weight, "cluster": cluster, "pos_label": pos_label, "missing": missing}
    known = _known(y_true, y_score, threshold, level, rows | {"weight_type": weight_type, "label": label})
    return known.at(prevalence, costs)


@typed
def prevalence_curve(
    y_true: object,
    y_score: object = None,
    *,
    prevalences: object = None,
    threshold: float | None = None,
    cost_fp: float | None = None,
    cost_fn: float | None = None,
    level: float = 0.95,
    sample_weight: object = None,
    weight_type: WeightType | None = None,
    cluster: object = None,
    pos_label: Any = None,
    missing: Literal["raise", "drop"] = "raise",
    label: str | None = None,
) -> PrevalenceCurve:
    """The same over many prevalences: what a call is worth from where it is rare to where it is common.

    Parameters
    ----------
    prevalences : array-like, optional
        Shares of positives in [0, 1]; 0.01, 0.02, ..., 0.99 unless given.
    y_true, y_score, threshold, cost_fp, cost_fn, level, sample_weight, weight_type, cluster, pos_label, missing, label
        As in :func:`rocsteady.inference.predictive_values`, whose answers these are one by one.

    Returns
    -------
    PrevalenceCurve
        ``to_frame`` has a line per prevalence, ``plot`` draws them. Each interval holds by itself.

    Examples
    --------
    >>> import rocsteady as rs
    >>> counts = rs.measures.Confusion(tp=80, fp=10, fn=20, tn=90)
    >>> curve = rs.inference.prevalence_curve(counts, prevalences=[0.01, 0.1, 0.5])
    >>> [round(found.ppv.estimate, 3) for found in curve.values]
    [0.075, 0.471, 0.889]
    """
    costs = Costs.of(cost_fp, cost_fn)
    shares = np.arange(1, 100) / 100 if prevalences is None else real_numbers(prevalences, "prevalences")
    rows = {"sample_weight": sample_weight, "cluster": cluster, "pos_label": pos_label, "missing": missing}
    known = _known(y_true, y_score, threshold, level, rows | {"weight_type": weight_type, "label": label})
    for share in shares.tolist():
        check_share(share)
    return PrevalenceCurve(tuple(known.at(share, costs) for share in shares.tolist()), level)


@dataclass(frozen=True, slots=True)
class _Known:
    """What holds at any prevalence: counts, the intervals of both likelihood ratios, and both rates."""

    counts: Confusion
    positive: Interval
    negative: Interval
    rates: Rates

    def at(self, prevalence: float, costs: Costs | None) -> PredictiveValues:
        """What follows where a share is positive."""
        ppv, npv = intervals_at_prevalence(self.counts, self.positive, self.negative, prevalence)
        counts, rates = self.counts, self.rates
        return PredictiveValues(
            ppv,
            npv,
            prevalence,
            counts.threshold,
            counts.recall,
            counts.specificity,
            counts.tp + counts.fn,
            counts.fp + counts.tn,
            counts.origin,
            accuracy=rates.accuracy(prevalence),
            cost=None if costs is None else rates.cost(prevalence, costs),
            net_benefit=None if costs is None else rates.net_benefit(prevalence, costs),
        )


def _known(y_true: object, y_score: object, threshold: Any, level: float, rows: dict[str, Any]) -> _Known:
    if is_rule(threshold):
        text = "predictive_values takes a threshold that is known; choose one with rs.best_threshold on other rows"
        raise ArgumentError("threshold", text)
    counts, subjects = counted_at(y_true, y_score, threshold, rows)
    return _Known(counts, *logit_ratios(counts, level, subjects), Rates.of(counts, level, subjects))


def logit_ratios(counts: Confusion, level: float, subjects: SubjectCells | None) -> tuple[Interval, Interval]:
    """Both likelihood ratios by the delta method of their logarithms, which is the logit interval of what follows."""
    positive, negative = (
        interval_of(get_measure(name).sheet, counts, level=level, method="delta", subjects=subjects) for name in RATIOS
    )
    return positive, negative


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
    method = method.replace("mid-p", "mid-p of the likelihood ratio", 1)
    return replace(of_ratio, estimate=value, low=low, high=high, se=None, method=method)
