"""Measures with intervals among the metrics of a report of skore."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import ArgumentError
from rocsteady._src.base.typed import typed
from rocsteady._src.evaluation.estimators import evaluate_estimators

if TYPE_CHECKING:
    from collections.abc import Sequence

NOT_IN_NAMES = re.compile(r"\W+")
ENDS = ("", "_low", "_high")


@typed
def add_to_skore(
    report: Any, measures: Sequence[Any] = ("auc", "average_precision"), *, level: float = 0.95, **options: Any
) -> list[str]:
    """Add measures with their intervals to the metrics of a report of skore, whose tables then show them.

    Parameters
    ----------
    report : skore report
        Anything with ``metrics.add``: ``EstimatorReport``, ``CrossValidationReport``, ``ComparisonReport``. Its
        ``pos_label`` is the positive class.
    measures : list of str
        Names of measures, as in :func:`rocsteady.evaluate`.
    level : float
        Confidence level.
    **options
        Others of :func:`rocsteady.evaluate`, such as ``threshold`` or ``n_resamples``.

    Returns
    -------
    list of str
        Names of the metrics that were added: ``auc``, ``auc_low``, ``auc_high``. A cross-validation shows means of
        them over folds; the mean of lower ends is no end of an interval of the mean, which
        :func:`rocsteady.crossval_auc` gives.

    Examples
    --------
    >>> import rocsteady as rs
    >>> class Metrics:  # as a report of skore has them
    ...     def add(self, metric, *, name, position): print(name, round(metric(model, X, y), 3))
    >>> class Report:
    ...     metrics, pos_label = Metrics(), 1
    >>> from sklearn.linear_model import LogisticRegression
    >>> X, y = [[0], [1], [2], [3], [4], [5]], [0, 0, 1, 0, 1, 1]
    >>> model = LogisticRegression().fit(X, y)
    >>> rs.trackers.add_to_skore(Report(), ["auc"])
    auc 0.889
    auc_low 0.339
    auc_high 0.992
    ['auc', 'auc_low', 'auc_high']
    """
    add = getattr(getattr(report, "metrics", None), "add", None)
    if add is None:
        raise ArgumentError("report", f"a report of skore has metrics.add, and a {type(report).__name__} has not")
    how = {"level": level, "pos_label": getattr(report, "pos_label", None), **options}
    added = []
    for measure in measures:
        stem = NOT_IN_NAMES.sub("_", str(measure)).strip("_")
        for end in ENDS:
            add(partial(_measured, measure=measure, end=end, how=how), name=f"{stem}{end}", position="last")
            added.append(f"{stem}{end}")
    return added


def _measured(estimator: Any, rows: Any, labels: Any, *, measure: Any, end: str, how: dict[str, Any]) -> Any:
    """What skore asks of a metric: the value, or one end of its interval."""
    result: Any = evaluate_estimators({"model": estimator}, rows, labels, measures=[measure], intervals=True, **how)
    found = result.intervals["model"][result.columns[0]]
    return {"": found.estimate, "_low": found.low, "_high": found.high}[end]
