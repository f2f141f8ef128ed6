"""The door that most people enter by: evaluate(table, ...)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocsteady.errors import ArgumentError
from rocsteady.evaluation import evaluate_rows
from rocsteady.inputs.tables import read_table
from rocsteady.scale.columns import is_lazy
from rocsteady.scale.rows import lazy_rows
from rocsteady.table_intervals import refuse_repeated_ids

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocsteady.evaluation import Evaluation
    from rocsteady.inputs.clean import Missing


def evaluate(
    table: object,
    *,
    label: str,
    scores: str | Sequence[str],
    weight: str | None = None,
    id: str | None = None,  # noqa: A002 - the word people use for such a column
    measures: Sequence[Any] | None = None,
    threshold: float | str | None = None,
    pos_label: Any = None,
    missing: Missing = "raise",
    intervals: bool = False,
    level: float = 0.95,
    n_resamples: int | None = None,
    random_state: int = 0,
    cluster: str | None = None,
) -> Evaluation:
    """Judge one or more models on the same rows.

    Parameters
    ----------
    table : DataFrame, mapping or lazy table
        pandas, polars, pyarrow or a dict of columns. A lazy table, of DuckDB, Polars, Spark, Dask or Ibis, is grouped
        by its own engine, see :func:`rocsteady.scale.rank_table`; its rows stay there.
    label : str
        Column of labels: {0, 1}, {-1, 1}, booleans, or anything together with ``pos_label``.
    scores : str or list of str
        Columns of scores, one per model; higher means more positive.
    weight : str, optional
        Column of row weights >= 0.
    id : str, optional
        Column that names the subject of a row; repeated subjects are reported.
    measures : list, optional
        Names such as ``"auc"``, ``"family:threshold"`` or ``"partial_auc(fpr_range=(0, 0.2))"``, or functions.
    threshold : float or str, optional
        For threshold measures: a number, or a rule of :func:`rocsteady.best_threshold` applied to each model,
        such as ``"youden"`` or ``"sensitivity(value=0.9)"``.
    pos_label : optional
        The label of the positive class.
    missing : {"raise", "drop"}
        Rows that lack any of these columns are refused, or dropped for all models alike and counted.
    intervals : bool
        Whether to give each value a confidence interval at ``level``: by formula where there is one (AUC, Gini,
        partial AUC, threshold measures), else by bootstrap.
    level : float
        Confidence level.
    n_resamples : int, optional
        Resamples for measures without a formula: 2000, none above 100,000 distinct scores unless given.
    random_state : int
        Seed of the resamples.
    cluster : str, optional
        Column that names the subject of a row; intervals and comparisons then count subjects, not rows.

    Returns
    -------
    Evaluation

    Examples
    --------
    >>> import rocsteady as rs
    >>> table = {"y": [1, 1, 0, 1, 0, 0], "a": [0.9, 0.8, 0.7, 0.6, 0.3, 0.1], "b": [5, 9, 4, 6, 3, 1]}
    >>> print(rs.evaluate(table, label="y", scores=["a", "b"], measures=["auc", "gini"]))
    model     auc    gini
    a      0.8889  0.7778
    b      1.0000  1.0000
    6 rows: 3 positive, 3 negative; positive label 1; a higher score means more positive
    """
    models = tuple(scores) if isinstance(scores, (list, tuple)) else (scores,)
    if not models:
        raise ArgumentError("no_scores", "name at least one score column")
    id = _one_id(id, cluster)  # noqa: A001 - as above
    if is_lazy(table):
        _refuse_subjects(id)
        lazy = lazy_rows(table, label=label, scores=models, weight=weight, pos_label=pos_label, missing=missing)
        found = evaluate_rows(lazy, models, measures=measures, threshold=threshold)
        return (
            found.with_intervals(level=level, n_resamples=n_resamples, random_state=random_state)
            if intervals
            else found
        )
    rows = read_table(table, label=label, scores=models, weight=weight, id=id, missing=missing)
    if intervals:
        refuse_repeated_ids(rows, cluster)
    result = evaluate_rows(rows, models, measures=measures, threshold=threshold, pos_label=pos_label, cluster=cluster)
    if not intervals:
        return result
    return result.with_intervals(level=level, n_resamples=n_resamples, random_state=random_state)


def _refuse_subjects(id_column: str | None) -> None:
    if id_column is not None:
        text = f"the rows of a lazy table stay in their engine, so subjects ({id_column!r}) cannot be told apart"
        raise ArgumentError("cluster", f"{text}; bring the rows into memory, or leave id and cluster out")


def _one_id(id_column: str | None, cluster: str | None) -> str | None:
    if cluster is not None and id_column not in (None, cluster):
        raise ArgumentError("cluster", "id and cluster name the subject of a row: give one column, not two")
    return cluster if cluster is not None else id_column
