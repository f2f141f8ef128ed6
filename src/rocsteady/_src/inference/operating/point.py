"""The operating point: the threshold that holds one rate, with the other rate and how sure it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, cast

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError, refuse_one_class
from rocsteady._src.base.typed import typed
from rocsteady._src.inference.intervals.normal import check_choice, check_level
from rocsteady._src.inference.operating.rate_intervals import known_at
from rocsteady._src.inference.operating.worth import People, two_ids
from rocsteady._src.inference.units.subjects import few_units, ranked_and_rows, read_rows
from rocsteady._src.measures.at_rate import checked_rate, equal_error_rate, step_of
from rocsteady._src.measures.best_threshold import chosen_by
from rocsteady._src.measures.confusion import confusion_at, score_below
from rocsteady._src.measures.threshold_rules import read_rule
from rocsteady._src.ranked import RankedScores, Rows
from rocsteady._src.ranked.reading import answers_itself
from rocsteady._src.ranked.scores import refuse_more_than_one
from rocsteady._src.results.base import facts_of
from rocsteady._src.results.operating import OperatingPoint

if TYPE_CHECKING:
    from rocsteady._src.inference.operating.rate_intervals import Known
    from rocsteady._src.inputs.weights import WeightType
    from rocsteady._src.results import Interval
    from rocsteady._src.results.remarks import Remark

ANSWERS = {"fpr": "tpr", "tpr": "fpr", "precision": "tpr", "equal": "equal"}


@typed
def operating_point(
    y_true: object,
    y_score: object = None,
    *,
    fpr: float | None = None,
    tpr: float | None = None,
    precision: float | None = None,
    equal_error: bool = False,
    level: float = 0.95,
    method: Literal["auto", "mid-p", "exact"] = "auto",
    sample_weight: object = None,
    weight_type: WeightType | None = None,
    cluster: object = None,
    pos_label: Any = None,
    missing: Literal["raise", "drop"] = "raise",
    label: str | None = None,
) -> OperatingPoint:
    """The threshold that holds one rate, and the other rate there with an interval.

    The threshold is an observed score and conservative: never above the false positive rate that was asked for, nor
    below the recall or precision. The interval is that of the other rate where the first is truly as asked, so the
    uncertainty of the threshold is in it: the order statistics of one class are combined with the binomial tails of
    the other.

    Parameters
    ----------
    y_true, y_score, sample_weight, pos_label, missing
        As in :func:`rocsteady.rank`; ranked scores go alone. So does a sketch, whose answer is a bracket that says so.
    fpr, tpr, precision : float
        The rate to hold, one of them: the false positive rate at most, recall or precision at least. With ``fpr`` or
        ``precision`` the answer is the true positive rate, with ``tpr`` the false positive rate, and
        ``intervals["precision"]`` has the precision.
    equal_error : bool
        Ask for the equal error rate in place of a rate to hold; the threshold is that where the rates are closest.
    level : float
        Confidence level.
    method : {"auto", "mid-p", "exact"}
        How ends are made: "mid-p", which "auto" takes, is close to the level; "exact" is wider.
    weight_type : {"frequency", "sampling"}, optional
        As in :func:`rocsteady.auc_interval`.
    cluster : array-like, optional
        The subject of each row, when subjects have several rows; or two columns, the two people that each row
        compares: rows that share a person on either side are not independent.
    label : str, optional
        Column of labels, when a table comes first, as in :func:`rocsteady.auc_interval`.

    Returns
    -------
    OperatingPoint
        ``threshold, tpr, fpr, precision``, and ``low, high`` of the rate in return; ``predict`` labels new scores.
        Refused, with the number of rows that it takes, where the rows cannot show the rate that is to be held.

    Examples
    --------
    >>> import rocsteady as rs
    >>> table = rs.examples.loans(2000)
    >>> found = rs.operating_point(table["defaulted"], table["boosted"], fpr=0.05)
    >>> found.fpr <= 0.05, round(found.tpr, 3), round(found.low, 3), round(found.high, 3)
    (True, 0.567, 0.503, 0.65)
    """
    held, asked = asked_rate(fpr, tpr, precision, equal_error)
    check_choice("method", method, ("auto", "mid-p", "exact"))
    of_sketch = answers_itself(y_true, "operating_point")
    if of_sketch is not None:
        refuse_more_than_one(y_score, sample_weight, weight_type, cluster, pos_label, label)
        rates = {"fpr": fpr, "tpr": tpr, "precision": precision, "equal_error": equal_error}
        return cast("OperatingPoint", of_sketch(**rates, level=level, method=method))
    how: dict[str, Any] = {"sample_weight": sample_weight, "pos_label": pos_label, "missing": missing}
    how["weight_type"] = weight_type
    ranked, rows, people = _read(y_true, y_score, cluster, label, how)
    refuse_one_class(ranked.n_pos, ranked.n_neg, "an operating point needs")
    kind: Any = "mid-p" if method == "auto" else method
    return point_of(ranked, rows, people, (held, asked), (check_level(level), kind))


def asked_rate(
    fpr: float | None, tpr: float | None, precision: float | None, equal_error: bool = False
) -> tuple[str, float]:
    """Which rate is held, and where; one must be given."""
    given = {"fpr": fpr, "tpr": tpr, "precision": precision, "equal": True if equal_error else None}
    named = {name: value for name, value in given.items() if value is not None}
    if len(named) != 1:
        text = "hold one rate: fpr=0.01, tpr=0.9 or precision=0.9, or ask for equal_error=True"
        raise ArgumentError("held_rate", f"{text}; got {', '.join(named) or 'none'}")
    ((name, value),) = named.items()
    return (name, float("nan")) if name == "equal" else (name, checked_rate(name, value))


def _read(
    y_true: object, y_score: object, cluster: object, label: str | None, how: dict[str, Any]
) -> tuple[RankedScores, Rows | None, People | None]:
    columns = two_ids(cluster)
    if columns is None or isinstance(y_true, RankedScores):
        ranked, rows = ranked_and_rows(y_true, y_score, cluster, label, **how)
        return ranked, rows, None
    if how["sample_weight"] is not None or how["missing"] != "raise" or label is not None:
        text = "two ids per row go with labels and scores alone, without weights and missing values"
        raise InputError("two_ids", text)
    people = People.of(*columns)
    rows = read_rows(y_true, y_score, people.pair, **how)
    return rows.ranked[0], rows, people


def point_of(
    ranked: RankedScores,
    rows: Rows | None,
    people: People | None,
    asked: tuple[str, float],
    options: tuple[float, Any],
) -> OperatingPoint:
    """The operating point of ranked rows, which are kept where they are not independent or weigh unlike."""
    held, rate = asked
    step = step_of(ranked, held, rate)
    if held == "precision":
        _refuse_unmet(ranked, step, rate)
    threshold = ranked.thresholds_at(np.array([step]))[0]
    threshold = threshold.item() if isinstance(threshold, np.generic) else threshold
    known = known_at(ranked, rows, people, threshold, options)
    if held in ("fpr", "tpr"):
        known.refuse_unresolved(**{held: rate})
    counts = confusion_at(ranked, threshold)
    intervals = _intervals(known, held, rate)
    answer = ANSWERS[held]
    remarks: tuple[Remark, ...] = intervals[answer].warnings
    return OperatingPoint(
        threshold=threshold,
        held=held,
        asked=rate,
        answer=answer,
        tpr=float(counts.recall),
        fpr=float(counts.false_positive_rate),
        precision=float(counts.precision),
        interval=intervals[answer],
        **facts_of(ranked),
        next_lower=score_below(ranked, threshold),
        intervals=intervals,
        warnings=(*remarks, *(() if rows is None or people is not None else few_units(rows))),
    )


def _refuse_unmet(ranked: RankedScores, step: int, precision: float) -> None:
    """Say which precision is the highest, where none is as high as asked for."""
    if step == 0:
        chosen_by(read_rule("precision", {"value": precision}), ranked)


def _intervals(known: Known, held: str, rate: float) -> dict[str, Interval]:
    if held == "fpr":
        return {"tpr": known.tpr(rate)}
    if held == "tpr":
        found = known.fpr(rate)
        return {"fpr": found, "precision": known.precision(rate, found)}
    if held == "precision":
        return {"tpr": known.recall(rate)}
    return {"equal": known.equal_error(float(equal_error_rate.sheet.compute(known.ranked)))}
