"""Thresholds that keep a promise on new rows, whatever the scores are."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, cast

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError, some_values
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.base.text import format_count, format_level, format_number, format_setting
from rocsteady._src.base.typed import typed
from rocsteady._src.inference.intervals.normal import check_level
from rocsteady._src.inference.intervals.proportions import interval_of, proportion_interval
from rocsteady._src.inference.operating.binomial_tails import at_most_so_many, complement, rows_needed
from rocsteady._src.inference.operating.promised import (
    STARTS,
    Stop,
    stop_for_fdr,
    stop_for_fnr,
    stop_for_fpr,
    surest_step,
    threshold_of,
)
from rocsteady._src.inference.operating.subject_promise import SubjectShares
from rocsteady._src.inference.operating.worth import two_ids
from rocsteady._src.inference.units.subjects import few_units, ranked_and_rows, subject_cells
from rocsteady._src.measures.at_rate import step_at_fpr, step_at_precision, step_at_tpr
from rocsteady._src.measures.confusion import Confusion, confusion_at_steps, score_below
from rocsteady._src.measures.registry import find_measure, get_measure
from rocsteady._src.ranked import RankedScores
from rocsteady._src.ranked.reading import answers_itself
from rocsteady._src.ranked.scores import refuse_more_than_one
from rocsteady._src.results.base import facts_of
from rocsteady._src.results.guarantee import ThresholdGuarantee

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocsteady._src.ranked import Rows

MOST_ROWS = 10**12
CALLED = ("tp", "fp")


@dataclass(frozen=True, slots=True)
class Promise:
    """A rate that can be promised: the cells its errors are counted in and among, and what is given up for it.

    A rate that is promised "at_least" is to be high, and its errors are the rest. ``stop`` finds where to stop, and
    ``plain`` where the bound is met on the rows only.
    """

    name: str
    side: str
    errors: str
    among: tuple[str, str]
    whose: str
    in_return_of: str
    stop: Callable[..., Stop | None]
    plain: Callable[[RankedScores, float], int]

    @property
    def turned(self) -> bool:
        """Whether the rate itself is to be high."""
        return self.side == "at_least"

    def bound_on_errors(self, bound: float) -> float:
        """The same for the rate of errors."""
        return complement(bound) if self.turned else bound


def _promises() -> dict[str, Promise]:
    """All of them by name; where a rate is to be high, the bound that is met on the rows is that of its errors."""
    fpr: dict[str, Any] = {"errors": "fp", "among": ("fp", "tn"), "whose": "negatives", "in_return_of": "recall"}
    fnr: dict[str, Any] = {"errors": "fn", "among": ("tp", "fn"), "whose": "positives"}
    fdr: dict[str, Any] = {"errors": "fp", "among": CALLED, "whose": "rows called positive", "in_return_of": "recall"}
    fpr |= {"stop": stop_for_fpr, "plain": step_at_fpr}
    fnr |= {"stop": stop_for_fnr, "in_return_of": "false_positive_rate"}
    fdr |= {"stop": stop_for_fdr}
    made = (
        Promise("false_positive_rate", "at_most", **fpr),
        Promise("specificity", "at_least", **{**fpr, "plain": _of_the_rest(step_at_fpr)}),
        Promise("recall", "at_least", **fnr, plain=step_at_tpr),
        Promise("false_negative_rate", "at_most", **fnr, plain=_of_the_rest(step_at_tpr)),
        Promise("precision", "at_least", **fdr, plain=step_at_precision),
        Promise("false_discovery_rate", "at_most", **fdr, plain=_of_the_rest(step_at_precision)),
    )
    return {each.name: each for each in made}


def _of_the_rest(step: Callable[[RankedScores, float], int]) -> Callable[[RankedScores, float], int]:
    return lambda ranked, bound: step(ranked, complement(bound))


PROMISES = _promises()


@typed
def threshold_guarantee(
    y_true: object,
    y_score: object = None,
    rate: Any = None,
    *,
    at_most: float | None = None,
    at_least: float | None = None,
    confidence: float = 0.95,
    sample_weight: object = None,
    weight_type: Literal["frequency", "sampling"] | None = None,
    pos_label: Any = None,
    missing: Literal["raise", "drop"] = "raise",
    label: str | None = None,
    cluster: object = None,
) -> ThresholdGuarantee:
    """A threshold at which a rate stays within a bound on new rows, with this confidence.

    Nothing is assumed about the scores but that rows, these and new ones, are independent and alike: in all but
    1 - ``confidence`` of the samples that could have been drawn, the true rate at the threshold is within the bound.
    The false positive rate goes by an order statistic of the negatives (the Neyman-Pearson umbrella), recall by one of
    the positives; precision and false discovery rate, which need not fall with the threshold, by exact tests in a fixed
    sequence (learn then test). With tied scores the tests of precision are exact where precision falls with the
    threshold.

    Parameters
    ----------
    y_true, y_score, sample_weight, pos_label, missing
        As in :func:`rocsteady.rank`; ranked scores stand for labels and scores. So does a sketch, whose answer is a
        bracket that says so.
    rate : str
        ``"fpr"`` or ``"fdr"`` (or "fnr") with ``at_most``; ``"recall"``, ``"precision"`` (or "specificity") with
        ``at_least``; or another of their names, such as ``"tpr"`` or ``"sensitivity"``.
    at_most, at_least : float
        The bound, between 0 and 1.
    confidence : float
        In how large a share of samples the promise is kept.
    weight_type : {"frequency", "sampling"}, optional
        Whole weights may count repeated rows, ``"frequency"``; with sampling weights the promise is refused: keep each
        row with probability weight / largest weight, and promise of the rows kept.
    cluster : array-like, optional
        The subject of each row, when subjects have several rows: new rows are then those of new subjects, and the rate
        that is promised is the mean over subjects of the share of errors among a subject's rows, so that a subject of
        many rows counts no more than one of few. Rows of a subject may depend on each other in any way. Not for
        precision and FDR: keep one row of each subject there.
    label : str, optional
        Column of labels, when a table comes first, as in :func:`rocsteady.auc_interval`.

    Returns
    -------
    ThresholdGuarantee
        ``threshold``, the other rate ``in_return`` with its interval, and what it would be ``without`` the promise;
        ``predict`` labels new scores. For the false positive rate the threshold is the smallest number above a
        negative's score, so that it is not needlessly timid. Refused, with the number of rows that it takes, where
        these rows cannot show it.

    References
    ----------
    Tong, Feng and Li (2018), Neyman-Pearson classification algorithms and NP receiver operating characteristics,
    Science Advances 4:eaao1659. Angelopoulos, Bates, Candes, Jordan and Lei (2021), Learn then test. Bates,
    Angelopoulos, Lei, Malik and Jordan (2021), Journal of the ACM 68:43, for means of shares.

    Examples
    --------
    >>> import rocsteady as rs
    >>> table = rs.examples.loans(2000)
    >>> found = rs.threshold_guarantee(table["defaulted"], table["boosted"], "fpr", at_most=0.1)
    >>> found.errors, found.rows, round(found.tpr, 3), round(found.without, 3)
    (146, 1674, 0.687, 0.724)
    >>> found.predict([0.2, 0.9]).tolist()
    [0, 1]
    """
    of_sketch = answers_itself(y_true, "threshold_guarantee")
    if rate is None and isinstance(y_score, str) and (of_sketch is not None or isinstance(y_true, RankedScores)):
        y_score, rate = None, y_score
    if of_sketch is not None:
        refuse_more_than_one(y_score, sample_weight, weight_type, cluster, pos_label, label)
        return cast("ThresholdGuarantee", of_sketch(rate, at_most=at_most, at_least=at_least, confidence=confidence))
    how: dict[str, Any] = {"sample_weight": sample_weight, "pos_label": pos_label, "missing": missing}
    promise, bound = asked_promise(rate, at_most, at_least)
    if two_ids(cluster) is not None:
        raise InputError("two_ids", "no promise is made of rows that compare two people: keep one row of each person")
    ranked, rows = ranked_and_rows(y_true, y_score, cluster, label, weight_type=weight_type, **how)
    if rows is None:
        return promised(ranked, promise, bound, check_level(confidence))
    if not ranked.counts_rows:
        raise InputError("weights_summed", _of_sampling_weights())
    return promised_by_subject(rows, promise, bound, check_level(confidence))


def _of_sampling_weights() -> Sentence:
    """Why no promise is made, and how to have one: rows that are kept as often as they weigh are a plain sample."""
    return Sentence(
        "no promise is made of rows with sampling weights, whose errors are not binomial; keep each row with the "
        "probability {keep}, and promise of the rows kept, without weights; or pass {weight_type='frequency'} if these "
        "weights count repeated rows",
        keep="weight / largest weight",
    )


def asked_promise(rate: Any, at_most: float | None, at_least: float | None) -> tuple[Promise, float]:
    """The promise and its bound, refused where they do not fit."""
    found = find_measure(rate) if isinstance(rate, str) else None
    promise = None if found is None else PROMISES.get(found.sheet.name)
    if promise is None:
        text = "which rate is promised? 'fpr' or 'fdr' with at_most, 'recall' or 'precision' with at_least"
        raise ArgumentError("rate", text if rate is None else f"{text}; got {some_values([rate])}")
    bounds = {"at_most": at_most, "at_least": at_least}
    bound, other = bounds.pop(promise.side), next(iter(bounds.values()))
    if bound is None or other is not None:
        raise ArgumentError("bound", f"{rate} is promised {promise.side.replace('_', ' ')} a bound: {promise.side}=0.9")
    if not 0 < bound < 1:
        raise ArgumentError("bound", f"{promise.side} must lie between 0 and 1, got {bound!r}")
    return promise, bound


def promised(ranked: RankedScores, promise: Promise, bound: float, confidence: float) -> ThresholdGuarantee:
    """The threshold of ranked rows."""
    risk, errors = complement(confidence), promise.bound_on_errors(bound)
    stop = promise.stop(ranked, errors, risk) if ranked.n_rows_counted else None
    if stop is None:
        raise _refusal(ranked, promise, bound, confidence)
    return _stopped(ranked, promise, bound, confidence, stop)


def promised_by_subject(rows: Rows, promise: Promise, bound: float, confidence: float) -> ThresholdGuarantee:
    """The threshold of rows that belong to subjects."""
    if promise.among == CALLED:
        text = f"{promise.name.replace('_', ' ')} is promised of independent rows: which rows are called, and how many"
        raise ArgumentError("cluster", f"{text} of a subject, differs from one to the next; keep one row of each")
    ranked, risk, errors = rows.ranked[0], complement(confidence), promise.bound_on_errors(bound)
    shares = SubjectShares(rows, promise)
    stop = promise.stop(ranked, errors, risk) if shares.single else shares.stop(promise, errors, risk)
    if stop is None:
        raise _refusal(ranked, promise, bound, confidence, n_subjects=shares.n)
    made = _stopped(ranked, promise, bound, confidence, stop)
    seen = float(shares.errors(promise)[stop.step])
    counts, subjects = subject_cells(rows, made.threshold)
    sheet = get_measure(promise.in_return_of).sheet
    return replace(
        made,
        observed=1 - seen if promise.turned else seen,
        in_return=interval_of(sheet, counts, level=confidence, subjects=subjects),
        method=f"{made.method if shares.single else 'Hoeffding and Bentkus'}, by cluster",
        n_subjects=shares.n,
        warnings=(*made.warnings, *few_units(rows)),
    )


def _stopped(ranked: RankedScores, promise: Promise, bound: float, confidence: float, stop: Stop) -> ThresholdGuarantee:
    """What is known at the step where the walk stops."""
    counts, plain = (_at(ranked, step) for step in (stop.step, promise.plain(ranked, bound)))
    threshold = threshold_of(ranked, stop)
    among = sum(getattr(counts, cell) for cell in promise.among)
    hits, total = (counts.tp, ranked.n_pos) if promise.in_return_of == "recall" else (counts.fp, ranked.n_neg)
    return ThresholdGuarantee(
        threshold=threshold,
        rate=promise.name,
        side=promise.side,
        bound=bound,
        confidence=confidence,
        observed=float(getattr(counts, promise.name)),
        errors=getattr(counts, promise.errors),
        rows=among,
        in_return=proportion_interval(hits, total, level=confidence),
        in_return_of=promise.in_return_of,
        without=float(getattr(plain, promise.in_return_of)),
        tpr=float(counts.recall),
        fpr=float(counts.false_positive_rate),
        precision=float(counts.precision),
        **facts_of(ranked),
        method="exact tests in a fixed sequence" if promise.among == CALLED else "order statistic",
        next_lower=score_below(ranked, threshold),
    )


def _at(ranked: RankedScores, step: int) -> Confusion:
    found = confusion_at_steps(ranked, np.array([step]))
    tp, fp, fn, tn = (cell[0].item() for cell in (found.tp, found.fp, found.fn, found.tn))
    return Confusion(tp, fp, fn, tn, threshold=found.threshold[0])


def _refusal(
    ranked: RankedScores, promise: Promise, bound: float, confidence: float, n_subjects: int | None = None
) -> InputError:
    risk, rate = complement(confidence), promise.bound_on_errors(bound)
    asked = f"{promise.name.replace('_', ' ')} {promise.side.replace('_', ' ')} {format_setting(bound)}"
    if promise.among != CALLED:
        there = ranked.n_neg if promise.whose == "negatives" else ranked.n_pos
        there = there if n_subjects is None else n_subjects
        whose = promise.whose if n_subjects is None else f"subjects with {promise.whose}"
        needed = f"needs at least {format_count(rows_needed(rate, risk))} {whose} without an error"
        text = f"{asked} {needed} to be shown at {format_level(confidence)}; there are {format_count(there)}"
        return InputError("too_few_for_promise", text)
    fewest = rows_needed(rate, risk / len(STARTS))
    text = f"{asked} needs at least {format_count(fewest)} rows called positive without an error to be shown"
    text = f"{text} at {format_level(confidence)}"
    if ranked.n_rows_counted < fewest:
        return InputError("too_few_for_promise", f"{text}; there are {format_count(ranked.n_rows_counted)} rows")
    return InputError("too_few_for_promise", f"{text}, or more with some; {_best_seen(ranked, promise, rate, risk)}")


def _best_seen(ranked: RankedScores, promise: Promise, rate: float, risk: float) -> str:
    """The surest of all steps, and how many rows like those above it would show the promise."""
    tp, fp = ranked.walked
    surest = surest_step(tp, fp, rate)
    called, wrong = int(tp[surest] + fp[surest]), int(fp[surest])
    shown = format_number((called - wrong if promise.turned else wrong) / called)
    told = f"the surest {format_count(called)} rows have {promise.name.replace('_', ' ')} {shown}"
    times = 2
    while at_most_so_many(wrong * times, called * times, rate) > risk / len(STARTS) and called * times < MOST_ROWS:
        times *= 2
    if called * times >= MOST_ROWS or wrong >= rate * called:
        return f"{told}, which no number of such rows would show"
    return f"{told}: take about {format_count(times)} times as many rows, or a lower bound"
