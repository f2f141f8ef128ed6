"""Scores of rows by models that had not seen them: a scikit-learn estimator run through a splitter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from rocsteady._src.base.errors import InputError, first_rows, require, some_values
from rocsteady._src.base.progress import progress_bar
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.base.text import format_count
from rocsteady._src.base.typed import typed
from rocsteady._src.designs.folds.processes import in_order
from rocsteady._src.inference.intervals.normal import check_choice
from rocsteady._src.inputs.arrays import read_column
from rocsteady._src.inputs.estimators import (
    response_of,
    scores_by_class,
    scores_by_label,
    scores_of_class,
    scores_of_classes,
)
from rocsteady._src.inputs.labels import positive_rows
from rocsteady._src.ranked import order_points
from rocsteady._src.results.crossval import CrossvalScores, ScoresByRow

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Rows = NDArray[np.intp]
    Split = tuple[Rows, Rows]

Unscored = Literal["raise", "leave_out"]


@typed
def crossval_scores(
    estimator: Any,
    X: Any,  # noqa: N803 - as scikit-learn calls it
    y: object,
    *,
    cv: Any = 5,
    groups: object = None,
    response: str | None = None,
    pos_label: Any = None,
    unscored: Unscored = "raise",
    n_jobs: int | None = None,
) -> CrossvalScores:
    """Fit a scikit-learn classifier on each split and score the rows it has not seen.

    Parameters
    ----------
    estimator : classifier
        Cloned for each split.
    X, y
        Features and labels of two classes.
    cv : int, splitter or iterable of (train, test)
        As in scikit-learn; a number makes stratified folds. Repeated splitters give one score per row and repeat.
    groups : array-like, optional
        For splitters that keep groups together.
    response : {"predict_proba", "decision_function"}, optional
        The first that the estimator has, unless named.
    pos_label : optional
        The label of the positive class; needed unless labels are {0, 1}, {-1, 1} or booleans.
    unscored : {"raise", "leave_out"}
        Some splitters, such as TimeSeriesSplit and ShuffleSplit, leave rows untested.
    n_jobs : int, optional
        How many splits are fitted at the same time, as in scikit-learn; -1 for one per processor.

    Returns
    -------
    CrossvalScores
        ``y_score`` stands in the order of the rows of ``X``, repeat after repeat: of one repeat that tests every row it
        fits ``y``; any other is refused beside labels that are not its own. To be passed alone to
        :func:`rocsteady.crossval_auc`, :func:`rocsteady.crossval.crossval_evaluate`,
        :func:`rocsteady.crossval.averaged_roc` and
        :func:`rocsteady.crossval.crossval_confusion`.

    Examples
    --------
    >>> import rocsteady as rs
    >>> from sklearn.datasets import make_classification
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.model_selection import RepeatedStratifiedKFold
    >>> X, y = make_classification(n_samples=120, random_state=1)
    >>> cv = RepeatedStratifiedKFold(n_splits=5, n_repeats=3, random_state=1)
    >>> print(rs.crossval.crossval_scores(LogisticRegression(), X, y, cv=cv))
    360 scores (predict_proba) of 120 rows, 5 folds in each of 3 repeats; positive label 1
    """
    check_choice("unscored", unscored, get_args(Unscored))
    selection = require("sklearn.model_selection", extra="sklearn", purpose="crossval_scores()")
    labels, positive_label = _labels(y, X, pos_label)
    splitter = selection.check_cv(cv, labels, classifier=True)
    splits = _checked_splits(splitter.split(X, labels, groups), labels.size)
    folds, repeats = number_tests([test for _, test in splits], labels.size)
    n_unscored = _untested(splits, repeats, labels.size, unscored, type(splitter).__name__)
    response = response_of(estimator, response)
    scores = _scores_of_splits(estimator, X, labels, splits, response, positive_label, n_jobs)
    sizes = [test.size for _, test in splits]
    rows, repeat = np.concatenate([test for _, test in splits]), np.repeat(repeats, sizes)
    order = order_points(repeat, rows)
    rows = rows[order]
    shares = [test.size / (train.size + test.size) for train, test in splits]
    return CrossvalScores(
        y_true=ScoresByRow.of(labels[rows], rows),
        y_score=ScoresByRow.of(np.concatenate(scores)[order], rows),
        fold=ScoresByRow.of(np.repeat(folds, sizes)[order], rows),
        repeat=ScoresByRow.of(repeat[order], rows),
        row=ScoresByRow.of(rows, rows),
        pos_label=positive_label,
        test_share=float(np.mean(shares)),
        n_repeats=int(max(repeats)) + 1,
        n_rows=labels.size,
        response=response,
        n_unscored=n_unscored,
    )


def class_scores(
    estimator: Any,
    features: Any,
    labels: NDArray[Any],
    classes: Sequence[Any] | None,
    made: Any,
    *,
    response: str | None,
    unscored: str,
    n_jobs: int | None,
) -> tuple[list[Rows], list[NDArray[np.float64]]]:
    """Rows that each split tests, and their scores by a model fitted on the others: one column per class.

    Without ``classes`` the labels have a column each, and so have the scores.
    """
    splits = _checked_splits(made, len(labels))
    tests = [test for _, test in splits]
    _untested(splits, number_tests(tests, len(labels))[1], len(labels), unscored, "cv")
    response, wanted = response_of(estimator, response), None if classes is None else tuple(classes)
    return tests, _scores_of_splits(estimator, features, labels, splits, response, wanted, n_jobs)


def labels_of_rows(y: object, features: Any) -> NDArray[Any]:
    """Labels without gaps, one for each row of the features."""
    labels, gap = read_column(y, "y")
    if gap is not None:
        rows = np.flatnonzero(gap)
        text = (
            f"y: {format_count(rows.size)} missing, {first_rows(rows, total=rows.size)}; "
            "leave these rows out of X and y"
        )
        raise InputError("missing_values", text)
    refuse_lengths(features, labels)
    return labels


def refuse_lengths(features: Any, labels: NDArray[Any]) -> None:
    """Refuse features and labels of different numbers of rows."""
    n_rows = features.shape[0] if hasattr(features, "shape") else len(features)
    if n_rows != len(labels):
        raise InputError(
            "lengths_differ",
            f"X has {format_count(n_rows)} rows and y {format_count(len(labels))}; pass one label per row",
        )


def _labels(y: object, features: Any, pos_label: Any) -> tuple[NDArray[Any], Any]:
    labels = labels_of_rows(y, features)
    distinct = list(dict.fromkeys(labels.tolist()))
    if len(distinct) != 2:
        text = (
            f"y holds {format_count(len(distinct))} classes, {some_values(distinct)}; "
            "scores of one class need exactly two"
        )
        raise InputError("not_two_classes", text)
    return labels, positive_rows(labels, pos_label, "y")[1]


def _checked_splits(made: Any, n_rows: int) -> list[Split]:
    splits = [(np.asarray(train), np.asarray(test)) for train, test in made]
    if len(splits) < 2:
        raise InputError(
            "single_fold", f"cv makes {format_count(len(splits))} split; cross-validation needs two or more"
        )
    for number, (train, test) in enumerate(splits):
        if np.bincount(test, minlength=n_rows).max(initial=0) > 1:
            raise InputError(
                "row_twice", f"split {number} of cv tests a row more than once; test sets hold distinct rows"
            )
        seen = np.zeros(n_rows, dtype=bool)
        seen[train] = True
        both = test[seen[test]]
        if both.size:
            raise InputError(
                "train_test_overlap",
                f"split {number} of cv trains on {format_count(both.size)} rows that it "
                f"tests, {first_rows(both, total=both.size)}; "
                "a model must not have seen the rows it scores",
            )
    return splits


def number_tests(tests: Sequence[Rows], n_rows: int) -> tuple[list[int], list[int]]:
    """Fold and repeat of each split: a repeat ends where a row would be tested again."""
    tested = np.zeros(n_rows, dtype=bool)
    folds, repeats, fold, repeat = [], [], 0, 0
    for test in tests:
        if tested[test].any():
            tested[:] = False
            fold, repeat = 0, repeat + 1
        tested[test] = True
        folds.append(fold)
        repeats.append(repeat)
        fold += 1
    return folds, repeats


def _untested(splits: Sequence[Split], repeats: Sequence[int], n_rows: int, unscored: str, name: str) -> int:
    """How many rows some repeat does not test, which is refused unless asked for."""
    times = np.zeros(n_rows, dtype=np.int64)
    for _, test in splits:
        times[test] += 1
    left = np.flatnonzero(times < max(repeats) + 1)
    if left.size and unscored == "raise":
        raise InputError(
            "rows_unscored",
            Sentence(
                "{name} leaves {size:count} of {n_rows:count} rows untested in some repeat, {rows}; use "
                "a splitter that tests every row, such as StratifiedKFold, or {unscored='leave_out'}; "
                "for random splits compare values per split with rs.compare_learners",
                name=name,
                size=left.size,
                n_rows=n_rows,
                rows=first_rows(left, total=left.size),
            ),
        )
    return int(np.count_nonzero(times == 0))


def _scored(
    estimator: Any, features: Any, labels: NDArray[Any], split: Split, response: str, wanted: Any
) -> NDArray[np.float64]:
    """Scores of one class, or of several as columns."""
    from sklearn.base import clone
    from sklearn.utils import _safe_indexing

    train, test = split
    model = clone(estimator).fit(_safe_indexing(features, train), labels[train])
    if labels.ndim > 1:
        return scores_by_label(model, _safe_indexing(features, test), response, type(estimator).__name__)
    classes = list(model.classes_)
    if len(classes) < 2:
        text = f"a training set has one class, {some_values(classes)}; stratify the folds, or make fewer"
        raise InputError("single_class_training", text)
    values = scores_by_class(model, _safe_indexing(features, test), response)
    if isinstance(wanted, tuple):
        return scores_of_classes(values, classes, wanted, type(estimator).__name__)
    return scores_of_class(values, classes, wanted)


def _scores_of_splits(
    estimator: Any,
    features: Any,
    labels: NDArray[Any],
    splits: Sequence[Split],
    response: str,
    wanted: Any,
    n_jobs: int | None,
) -> list[NDArray[np.float64]]:
    def fit(split: Split) -> tuple[Any, ...]:
        return estimator, features, labels, split, response, wanted

    scores = []
    with progress_bar("cross-validation") as report:
        for values in in_order(_scored, [fit(split) for split in splits], n_jobs):
            scores.append(values)
            report(len(scores) / len(splits))
    return scores
