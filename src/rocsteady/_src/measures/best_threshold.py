"""Choosing a threshold by a rule. Thresholds are observed scores; among equals the highest wins."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError, refuse_one_class
from rocsteady._src.base.written_numbers import number_of
from rocsteady._src.measures.confusion import Confusion, confusion_at, confusion_at_steps, score_below
from rocsteady._src.measures.prevalence import counts_at_prevalence
from rocsteady._src.measures.threshold_rules import read_rule
from rocsteady._src.ranked.takes_ranked import takes_ranked
from rocsteady._src.ranked.walks import MANY_GROUPS
from rocsteady._src.results import ThresholdChoice
from rocsteady._src.results.base import facts_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocsteady._src.measures.confusion import Threshold
    from rocsteady._src.measures.rule import Rule
    from rocsteady._src.ranked import RankedScores


@takes_ranked
def best_threshold(
    ranked: RankedScores, *, rule: str | Callable[..., Any] = "youden", **options: Any
) -> ThresholdChoice:
    """Choose the threshold that a rule calls best.

    The rates at a chosen threshold are optimistic on the rows it was chosen on. Costs O(distinct scores).

    Parameters
    ----------
    y_true, y_score : array-like
        Labels and scores, or ranked scores alone.
    rule : str or callable
        ``"youden"``: largest TPR - FPR. ``"closest_topleft"``: smallest distance to (0, 1).
        ``"sensitivity"`` or ``"recall"``: largest TNR with TPR >= ``value``. ``"specificity"``: largest TPR with
        TNR >= ``value``. ``"precision"``: with ``value``, largest TPR with a precision >= it; other rates likewise.
        ``"breakeven"``: as many called positive as are positive, so that precision and recall are equal.
        ``"cost"``: smallest expected cost (options ``fp`` and ``fn``, 1 by default, ``tp`` and ``tn``, 0 by default,
        also as ``cost_fp``, ..., ``benefit_tp`` and ``benefit_tn``; and ``prevalence``, by default that of the data):
        the point where an iso-performance line touches the curve.
        Any threshold measure by its name, such as ``"f1"``, ``"mcc"``, ``"accuracy"`` or ``"f_beta"``: its largest
        value, or its smallest where lower is better. A function of the counts, such as
        ``lambda counts: counts.tp - 5 * counts.fp``: its largest value.
        Options may stand in the rule, as on the command line: ``"precision(value=0.9)"``, or ``"precision=0.9"``.
    sample_weight, pos_label, missing
        As in :func:`rocsteady.rank`.
    **options
        Options of the rule.

    Returns
    -------
    ThresholdChoice
        ``objective`` is the value of the rule's criterion there. A threshold of inf calls nothing positive. Where
        several are best, the highest is chosen.

    Examples
    --------
    >>> import rocsteady as rs
    >>> choice = rs.best_threshold([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.3, 0.1])
    >>> choice.threshold, round(choice.tpr, 3), round(choice.fpr, 3)
    (0.8, 0.667, 0.0)
    >>> choice.predict([0.85, 0.2]).tolist()
    [1, 0]
    >>> ranked = rs.rank([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.3, 0.1])
    >>> print(rs.best_threshold(ranked, rule="sensitivity(value=0.95)"))
    sensitivity: positive when score >= 0.6 (TPR 1.0000, FPR 0.3333, precision 0.7500)
    largest specificity with sensitivity >= 0.95: 0.6667
    >>> print(rs.best_threshold(ranked, rule="cost", fp=1, fn=5, benefit_tp=2))
    cost: positive when score >= 0.6 (TPR 1.0000, FPR 0.3333, precision 0.7500)
    smallest expected cost per row (FP 1, FN 5, TP -2): -0.8333
    """
    return chosen_by(read_rule(rule, options), ranked)


def chosen_by(rule: Rule, ranked: RankedScores) -> ThresholdChoice:
    """The threshold that a rule chooses."""
    refuse_one_class(ranked.n_pos, ranked.n_neg, "choosing a threshold needs")
    counts = _candidates(rule, ranked)
    best, objective = rule.best(counts)
    tp, fp, fn, tn = (cell[best].item() for cell in (counts.tp, counts.fp, counts.fn, counts.tn))
    chosen = Confusion(tp, fp, fn, tn, threshold=counts.threshold[best])
    return ThresholdChoice(
        threshold=chosen.threshold.item() if isinstance(chosen.threshold, np.generic) else chosen.threshold,
        rule=rule.name,
        objective=objective,
        tpr=chosen.recall,
        fpr=chosen.false_positive_rate,
        precision=chosen.precision,
        accuracy=chosen.accuracy,
        base_rate=chosen.base_rate,
        **facts_of(ranked),
        next_lower=score_below(ranked, chosen.threshold),
        criterion=rule.criterion,
    )


def _candidates(rule: Rule, ranked: RankedScores) -> Confusion:
    """The counts at all thresholds; of very many scores at those alone that the rule can choose."""
    if rule.on_hull and ranked.exact and ranked.scores.size >= MANY_GROUPS:
        return confusion_at_steps(ranked, ranked.hull_vertices)
    return confusion_at(ranked, "all")


def chosen_if_any(rule: Rule, ranked: RankedScores) -> ThresholdChoice | None:
    """The same of a resample, which may hold one class, or no threshold that the rule allows."""
    if not (ranked.n_pos and ranked.n_neg):
        return None
    try:
        return chosen_by(rule, ranked)
    except InputError as error:
        if error.code != "rule_unmet":
            raise
        return None


@takes_ranked
def confusion(
    ranked: RankedScores, *, threshold: Threshold | Callable[..., Any] = None, prevalence: float | None = None
) -> Confusion:
    """Count true and false positives and negatives at one threshold, several, or all.

    A row is called positive when ``score >= threshold``. O(n log n) for rows, O(log n) per threshold once ranked.

    Parameters
    ----------
    y_true, y_score : array-like
        Labels and scores, or ranked scores alone.
    threshold : float, str, callable, ThresholdChoice, array-like, optional
        A rule of :func:`rocsteady.best_threshold`, such as ``"f1"`` or ``"precision(value=0.9)"``, chooses it on these
        rows; a choice made before stands for its threshold. "all" takes inf and every distinct score, decreasing.
        Without it 0.5 is used if every score lies in [0, 1], and 1 if the scores are the labels -1 and 1; other scores
        need a threshold.
    prevalence : float, optional
        The counts to expect of as many rows of which this share is positive: precision, accuracy and all else that
        depends on it are then those there. For intervals see :func:`rocsteady.inference.predictive_values`.
    sample_weight, pos_label, missing
        As in :func:`rocsteady.rank`.

    Returns
    -------
    Confusion

    Examples
    --------
    >>> import rocsteady as rs
    >>> counts = rs.confusion([1, 1, 0, 0], [0.9, 0.4, 0.6, 0.1], threshold=0.5)
    >>> counts.tp, counts.fp, counts.recall, counts.accuracy
    (1, 1, 0.5, 0.5)
    >>> rs.confusion([1, 1, 0, 0], [0.9, 0.4, 0.6, 0.1], threshold="f1").threshold
    0.4
    >>> rs.confusion([1, 1, 0, 0], [0.9, 0.4, 0.6, 0.1], threshold="all").fpr.tolist()
    [0.0, 0.0, 0.5, 0.5, 1.0]
    >>> rs.confusion([1, 1, 0, 0], [0.9, 0.6, 0.6, 0.1], threshold=0.5, prevalence=0.1).precision
    0.18181818181818182
    """
    if is_rule(threshold):
        threshold = chosen_by(read_rule(threshold), ranked)
    counts = confusion_at(ranked, threshold)
    return counts if prevalence is None else counts_at_prevalence(counts, prevalence)


def is_rule(threshold: Any) -> bool:
    """Whether a threshold is to be chosen on the rows."""
    return callable(threshold) or (isinstance(threshold, str) and threshold != "all")


def number_or_rule(text: str) -> float | str:
    """A number where the text is one, else a rule that exists."""
    try:
        return number_of(text, "threshold")
    except ArgumentError:
        raise
    except ValueError:
        if text.strip() == "all":
            raise ArgumentError("threshold", "one threshold is wanted: a number, or a rule such as f1") from None
        read_rule(text)
        return text
