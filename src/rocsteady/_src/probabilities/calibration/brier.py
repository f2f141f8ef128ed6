"""Brier score with its interval, and the paired test between two models."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rocsteady._src.base.errors import InputError
from rocsteady._src.base.typed import typed
from rocsteady._src.inference.comparison.hypotheses import NormalDifference, check_alternative, result_of
from rocsteady._src.inference.comparison.rounding import rounding, settled
from rocsteady._src.inference.intervals.normal import check_choice, check_level, quantile_of
from rocsteady._src.inference.units.row_formulas import METHODS, ROW_FORMULAS, row_ends
from rocsteady._src.inference.units.row_means import mean_of_groups, mean_of_rows
from rocsteady._src.inputs.weights import reading_remarks
from rocsteady._src.measures.probability import probabilities_of
from rocsteady._src.probabilities.calibration.read_probabilities import of_probabilities, read_probabilities
from rocsteady._src.ranked import RankedScores, count_rows, groups_or_rows
from rocsteady._src.results import Interval, TestResult
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.inference.units.row_means import RowMean
    from rocsteady._src.inputs.clean import Missing
    from rocsteady._src.inputs.weights import WeightType
    from rocsteady._src.ranked import Rows
    from rocsteady._src.results import Origin


FEW_OF_A_CLASS, RARE = 15, 0.15  # rows of the smaller class, and its share: as docs/calibration.md measured


@typed
def brier_interval(
    y_true: object,
    y_score: object = None,
    *,
    level: float = 0.95,
    method: Literal["logit", "wald"] = "logit",
    sample_weight: object = None,
    weight_type: WeightType | None = None,
    cluster: object = None,
    pos_label: Any = None,
    missing: Missing = "raise",
) -> Interval:
    """Brier score with its interval: the score is a mean over rows of squared errors. O(n log n).

    Parameters
    ----------
    y_true, y_score, sample_weight, pos_label, missing
        As in :func:`rocsteady.rank`; scores are probabilities.
    level : float
        Confidence level.
    method : {"logit", "wald"}
        Wald's interval on the log-odds scale, which held its level where few rows are positive, or on the plain one.
    weight_type, cluster
        As in :func:`rocsteady.auc_interval`.

    Returns
    -------
    Interval
        Cut to [0, 1]. For a model fitted on the same rows it is too low.

    Examples
    --------
    >>> import rocsteady as rs
    >>> print(rs.inference.brier_interval([1, 1, 0, 0], [0.9, 0.6, 0.4, 0.1]))
    0.0850 [0.0303, 0.2167] (0.95 level, wald on log-odds)
    """
    check_level(level)
    check_choice("method", method, ("logit", "wald"))
    options: dict[str, Any] = {"sample_weight": sample_weight, "pos_label": pos_label, "missing": missing}
    options["weight_type"] = weight_type
    if isinstance(y_true, RankedScores) and cluster is not None:
        raise InputError("rows_needed", "groups do not know their rows: pass labels, scores, weights and clusters")
    rows = groups_or_rows(y_true, y_score, "an interval", cluster=cluster, **options)
    if isinstance(rows, RankedScores):
        return interval_of_groups(rows, level, method)
    of_probabilities(rows)
    found = mean_of_rows(_squared_errors(rows, "y_score"), rows)
    return _interval(found, level, *rows.class_weights, rows.origin, method)


def interval_of_groups(ranked: RankedScores, level: float, method: str = "logit") -> Interval:
    """Interval where every unit of weight is a row."""
    if not ranked.scores.size:
        raise InputError("empty", "there are no rows")
    probabilities_of(ranked, "brier_interval")
    found = mean_of_groups(ranked, lambda scores: ((1 - scores) ** 2, scores**2))
    return _interval(found, level, ranked.n_pos, ranked.n_neg, ranked.origin, method)


def interval_of_subjects(rows: Rows, level: float) -> Interval:
    """Interval where subjects are the independent units; one model only."""
    ranked, scores = rows.ranked[0], rows.ranked[0].doubles[rows.places[0]]
    found = mean_of_rows((scores - rows.positive) ** 2, rows)
    return _interval(found, level, ranked.n_pos, ranked.n_neg, ranked.origin)


def _interval(
    found: RowMean, level: float, n_pos: float, n_neg: float, origin: Origin, method: str = "logit"
) -> Interval:
    reach = quantile_of(level) * found.se
    low, high = np.clip([found.mean - reach, found.mean + reach], 0.0, 1.0).tolist()
    formula = ROW_FORMULAS["brier_score"]
    if method == "logit":
        low, high = row_ends(formula, found, found.mean, min(n_pos, n_neg), level, (0.0, 1.0))
    facts: dict[str, Any] = {"se": found.se, "n_pos": n_pos, "n_neg": n_neg, "origin": origin}
    facts["warnings"] = reading_remarks(origin)
    return Interval(found.mean, low, high, level, METHODS[formula.scale] if method == "logit" else method, **facts)


@typed
def compare_brier(
    y_true: object,
    first: object,
    second: object,
    *,
    alternative: str = "two-sided",
    margin: float | None = None,
    level: float = 0.95,
    sample_weight: object = None,
    weight_type: WeightType | None = None,
    cluster: object = None,
    pos_label: Any = None,
    missing: Missing = "raise",
) -> TestResult:
    """Test whether two models differ in Brier score on the same rows.

    The difference is a mean over rows of differences of squared errors; z is that mean over its standard error.
    Lower is better: with ``alternative="less"`` the first model is claimed to be the better one. O(n log n).

    Parameters
    ----------
    y_true : array-like
        Labels.
    first, second : array-like
        Probabilities from both models.
    alternative, margin, level
        As in :func:`rocsteady.compare_auc`, about first minus second; a margin is in units of the Brier score.
    sample_weight, weight_type, cluster
        As in :func:`rocsteady.auc_interval`.
    pos_label, missing
        As in :func:`rocsteady.rank`; rows incomplete in either model are dropped for both.

    Returns
    -------
    TestResult
        ``estimate, low, high`` of first minus second. For nested models fitted on the same rows the test does not hold.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y = [1, 1, 1, 1, 0, 0, 0, 0]
    >>> first, second = [0.9, 0.8, 0.7, 0.4, 0.3, 0.3, 0.2, 0.1], [0.6, 0.7, 0.4, 0.6, 0.3, 0.4, 0.6, 0.2]
    >>> print(rs.inference.compare_brier(y, first, second))
    -0.0863 [-0.1994, +0.0269] (0.95 level), p = 0.135 (paired squared errors); alternative: first and second differ
    """
    check_alternative(alternative, margin)
    check_level(level)
    columns = {"first": first, "second": second}
    options: dict[str, Any] = {"sample_weight": sample_weight, "cluster": cluster, "weight_type": weight_type}
    rows = read_probabilities(y_true, columns, pos_label=pos_label, missing=missing, **options)
    difference = _squared_errors(rows, "first") - _squared_errors(rows, "second")
    found = mean_of_rows(difference, rows)
    return paired_result(difference, found, rows, alternative, margin, level, "paired squared errors")


def _squared_errors(rows: Rows, name: str) -> NDArray[Any]:
    return (rows.doubles_of(name) - rows.positive) ** 2


def _of_a_rare_class(rows: Rows) -> tuple[Remark, ...]:
    """Few rows of a class that is rare: differences then lean on them, and are skewed."""
    sizes = [count_rows(rows, mask) for mask in (rows.positive, ~rows.positive)]
    return (Remark("rare_class", n=min(sizes)),) if min(sizes) < min(FEW_OF_A_CLASS, RARE * sum(sizes)) else ()


def paired_result(
    difference: NDArray[Any],
    found: RowMean,
    rows: Rows,
    alternative: str,
    margin: float | None,
    level: float,
    method: str,
    remarks: tuple[Remark, ...] = (),
) -> TestResult:
    """Normal test of the mean of a difference over rows."""
    sizes = np.abs(difference)
    bound = rounding(sizes.size, float(np.average(sizes, weights=rows.weights)))
    n_pos, n_neg = rows.class_weights
    tested = NormalDifference(settled(found.mean, bound), settled(found.se, bound))
    facts: dict[str, Any] = {"n_pos": n_pos, "n_neg": n_neg, "origin": rows.origin}
    told = (*remarks, *_of_a_rare_class(rows))
    made = result_of(tested, alternative, margin, level, method, remarks=told, **facts)
    identical = tested.se == 0 and tested.estimate == 0
    return replace(made, warnings=(Remark("difference_none"),)) if identical else made
