"""Calibration error of more than two classes: of the class that is called, or of every class."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from rocsteady._src.base.typed import typed
from rocsteady._src.designs.classes.areas import class_rows
from rocsteady._src.designs.classes.predictions import called_of_scores
from rocsteady._src.designs.classes.row_scores import refuse_scores
from rocsteady._src.designs.classes.scores_by_class import read_classes
from rocsteady._src.inference.intervals.normal import check_choice
from rocsteady._src.inputs import CleanRows
from rocsteady._src.measures.probability import Strategy, expected_calibration_error
from rocsteady._src.ranked import RankedScores

if TYPE_CHECKING:
    from rocsteady._src.inputs.clean import Missing

Which = Literal["top-label", "classwise"]


@typed
def multiclass_calibration_error(
    y_true: object,
    y_score: object,
    *,
    kind: Which = "top-label",
    n_bins: int = 10,
    strategy: Strategy = "quantile",
    labels: object = None,
    sample_weight: object = None,
    missing: Missing = "raise",
) -> float:
    """Mean over bins of the distance between mean probability and share of rows, bins weighted by their rows.

    "top-label" bins the highest probability of each row and counts the rows called right (Guo et al. 2017);
    "classwise" bins the probability of each class and counts its rows, and is the plain mean over classes (Nixon et al.
    2019). Both are biased upwards, as :func:`rocsteady.measures.expected_calibration_error` is, and depend on the bins.

    Parameters
    ----------
    y_true, y_score, labels, sample_weight, missing
        As in :func:`rocsteady.multiclass_auc`; the scores of a row must be probabilities.
    kind : {"top-label", "classwise"}
        Which probabilities are judged.
    n_bins, strategy
        As in :func:`rocsteady.measures.expected_calibration_error`.

    Returns
    -------
    float

    Examples
    --------
    >>> import rocsteady as rs
    >>> p = [[0.7, 0.2, 0.1], [0.3, 0.6, 0.1], [0.2, 0.3, 0.5], [0.6, 0.3, 0.1]]
    >>> round(rs.multiclass.multiclass_calibration_error([0, 1, 2, 1], p, n_bins=1), 6)
    0.15
    """
    check_choice("kind", kind, get_args(Which))
    rows = read_classes(y_true, y_score, labels=labels, sample_weight=sample_weight, missing=missing)
    refuse_scores(rows, "a calibration error")
    if kind == "top-label":
        called = called_of_scores(rows).called
        top = np.take_along_axis(rows.matrix(), called[:, None], axis=1)[:, 0]
        judged = [CleanRows(rows.codes == called, top, rows.weights, None, rows.n_dropped)]
    else:
        judged = [class_rows(rows, place, rows.column(place)) for place in range(rows.n_classes)]
    options = {"n_bins": n_bins, "strategy": strategy}
    found = [expected_calibration_error.sheet.compute(RankedScores.from_clean(each), **options) for each in judged]
    return float(np.mean(found))
