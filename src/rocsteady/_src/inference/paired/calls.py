"""Two tests on the same people: sensitivity, specificity and predictive values of models that call yes or no."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError, refuse_one_class, some_values
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.base.text import format_count
from rocsteady._src.base.typed import typed
from rocsteady._src.inference.comparison.compared import chosen_pairs
from rocsteady._src.inference.comparison.multiplicity import adjust_pvalues
from rocsteady._src.inference.paired.mcnemar import Asked
from rocsteady._src.inference.paired.relative_values import relative_values, with_holm
from rocsteady._src.inference.paired.right_answers import RightAnswers
from rocsteady._src.inputs.arrays import read_column
from rocsteady._src.inputs.given import one_weight, read_given
from rocsteady._src.inputs.labels import positive_rows
from rocsteady._src.inputs.tables import pick_columns
from rocsteady._src.measures.model_thresholds import places_called, rules_of_models, threshold_of_each
from rocsteady._src.ranked import read_rows
from rocsteady._src.ranked.lazy.cells import called_rows, counted_cells
from rocsteady._src.ranked.lazy.columns import find_columns, is_lazy
from rocsteady._src.ranked.lazy.lazy_rows import LazyRows
from rocsteady._src.results.base import facts_of
from rocsteady._src.results.paired import CallComparison, PairPredictive
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from rocsteady._src.inference.paired.mcnemar import Ends, Method
    from rocsteady._src.inputs.clean import Missing
    from rocsteady._src.inputs.given import Given
    from rocsteady._src.inputs.weights import WeightType
    from rocsteady._src.measures.model_thresholds import ThresholdOrRule
    from rocsteady._src.ranked import Rows
    from rocsteady._src.results import Comparison

    Calls = dict[str, NDArray[np.bool_]]

YES = 1
COUNTS = "rows of a kind"


@typed
def compare_calls(
    y_true: object,
    scores: object = None,
    *,
    label: object = None,
    threshold: ThresholdOrRule = None,
    baseline: str | None = None,
    method: Method = "mcnemar-exact",
    interval: Ends = "tango",
    level: float = 0.95,
    sample_weight: object = None,
    weight: object = None,
    weight_type: WeightType | None = None,
    cluster: object = None,
    pos_label: Any = None,
    missing: Missing = "raise",
) -> CallComparison:
    """Compare models that call the same rows positive or negative: two diagnostic tests on the same patients.

    Sensitivity is compared on the positives and specificity on the negatives, by McNemar's test with an interval of
    the difference; predictive values, whose denominators differ between models, by their ratio.

    Parameters
    ----------
    y_true, scores, label, sample_weight, weight, cluster
        Labels and a column for each model, or a table with the names of its columns, as in
        :func:`rocsteady.evaluate`. Columns are scores with ``threshold``, and yes or no without: True and False, 1 and
        0, or the labels themselves. Weights are frequencies.
    threshold : float, str or dict, optional
        A row is called positive when its score reaches it: a number, a rule such as "youden", a choice of
        :func:`rocsteady.best_threshold`, or one of these for each model by name.
    baseline : str, optional
        Compare each model to this one; all pairs when absent.
    method, interval
        As in :func:`rocsteady.compare_outcomes`.
    level : float
        Confidence level; a verdict needs Holm's p below 1 - level and an interval that excludes 0.
    weight_type, pos_label, missing
        As in :func:`rocsteady.auc_interval`.

    Returns
    -------
    CallComparison
        ``sensitivity`` and ``specificity``, each a :class:`Comparison`, and ``predictive``: relative predictive values
        with the interval and test of Moskowitz and Pepe (2006) and the weighted generalised score of Kosinski (2013).
        Where fewer than ten calls of a model are right, or wrong, Wilson's limits of the parts are joined instead.

    Examples
    --------
    >>> import numpy as np
    >>> import rocsteady as rs
    >>> cells = [[1, 1, 1], [1, 1, 0], [1, 0, 1], [1, 0, 0], [0, 1, 1], [0, 1, 0], [0, 0, 1], [0, 0, 0]]
    >>> d, y1, y2 = np.repeat(cells, [319, 78, 22, 32, 31, 53, 22, 155], axis=0).T
    >>> found = rs.inference.compare_calls(d, {"y1": y1, "y2": y2})
    >>> print(found.sensitivity.verdict[0])
    y1 is better than y2: sensitivity +0.124 [+0.083, +0.167]
    >>> print(found.predictive[0].ppv)
    rPPV 0.9536 [0.9171, 0.9916], p = 0.0171 (moskowitz-pepe)
    """
    given = read_given(y_true, scores, label, weight=one_weight(weight, sample_weight), cluster=cluster)
    how: dict[str, Any] = {"pos_label": pos_label, "missing": missing, "weight_type": weight_type}
    if is_lazy(given.table):
        rows = _counted(given, threshold, how)
    else:
        names = [name for name in given.options.values() if name is not None]
        table = given.table
        if threshold is None:
            picked = pick_columns(table, list(dict.fromkeys([given.label, *given.scores, *names])))
            table = _as_calls(picked, given.scores, pos_label)
        named = {"weight": given.options["weight"], "id": given.options["cluster"]}
        rows = read_rows(table, label=given.label, scores=given.scores, **named, **how).checked()
    asked = Asked(method, interval, level=level)
    return compared_calls(rows, YES if threshold is None else threshold, baseline, asked, told=threshold is not None)


def _counted(given: Given, threshold: Any, how: dict[str, Any]) -> Rows:
    """Rows of a lazy table that agree in label, calls and subject as one, counted by the engine."""
    weight, cluster = (given.options[name] for name in ("weight", "cluster"))
    by = () if cluster is None else (cluster,)
    if threshold is not None:
        columns = find_columns(given.table, label=given.label, scores=given.scores, weight=weight, by=by)
        lazy = LazyRows(columns, how["pos_label"], how["missing"], weight_type=how["weight_type"])
        ranked = lazy.rank()
        return called_rows(lazy, ranked, places_called(ranked, threshold), cluster)
    columns = find_columns(given.table, label=given.label, scores=(), weight=weight, by=(*given.scores, *by))
    cells = counted_cells(columns, columns.keys(), **how)
    table = _as_calls(cells.values, given.scores, how["pos_label"]) | {COUNTS: cells.weights}
    named = {"weight": COUNTS, "id": cluster, "pos_label": how["pos_label"], "weight_type": how["weight_type"]}
    rows = read_rows(table, label=given.label, scores=given.scores, **named).checked()
    return rows.counted_elsewhere(cells.n_rows, cells.n_dropped, weighted=cells.weighted)


def _as_calls(columns: dict[str, Any], models: Sequence[str], pos_label: Any) -> dict[str, Any]:
    """The columns with yes and no in those of models, whatever they are written as."""
    return columns | {name: _yes(columns[name], pos_label, name) for name in models}


def _yes(column: object, pos_label: Any, name: str) -> Any:
    values, gap = read_column(column, name)
    known = values if gap is None else values[~gap]
    text = known.dtype.kind in "USO" and any(isinstance(each, str) for each in known.tolist())
    named = pos_label if pos_label is not None and text == isinstance(pos_label, str) else None
    try:
        yes, _ = positive_rows(known, named, name)
    except InputError as error:
        if text and named is None:
            raise
        told = "{name} is no column of yes and no: pass {threshold=} for scores, such as {threshold=0.5}"
        raise InputError("calls", Sentence(told, name=name)) from error
    if named is not None and not text and len(set(known.tolist())) > 2:
        told = "{name} holds {n} different values: pass {threshold=} for scores"
        raise InputError("calls", Sentence(told, name=name, n=format_count(len(set(known.tolist())))))
    if gap is None:
        return yes.astype(np.int64)
    found = np.zeros(values.size, dtype=np.int64)
    found[~gap] = yes
    return np.ma.MaskedArray(found, gap)


def compared_calls(
    rows: Rows, threshold: Any, baseline: str | None, asked: Asked, *, told: bool = True
) -> CallComparison:
    """The same of rows that were read; ``told`` where thresholds are worth telling."""
    answers = right_calls(rows, threshold, asked)
    positive = rows.positive
    refuse_one_class(int(positive.sum()), int((~positive).sum()), "two tests are compared on")
    thresholds = threshold_of_each(rows.rank(), threshold)
    remarks = (Remark("threshold_as_given"),) if rules_of_models(threshold) else ()
    found: Mapping[str, Comparison] = {
        "sensitivity": answers.where(positive).compare("sensitivity", baseline, asked, remarks),
        "specificity": answers.where(~positive).compare("specificity", baseline, asked, remarks),
    }
    pvalues = [pair.test.pvalue for each in found.values() for pair in each.pairs]
    return CallComparison(
        found,
        tuple(adjust_pvalues(pvalues, "holm").tolist()),
        _predictive(rows, answers, chosen_pairs(rows.names, baseline), asked.level),
        thresholds if told else {},
    )


def right_calls(rows: Rows, threshold: Any, asked: Asked) -> RightAnswers:
    """Which rows each model calls as they are, at its threshold."""
    if rows.reading == "sampling":
        words = (
            "McNemar's tests count rows, and sampling weights are no counts; say {weight_type='frequency'} if they are"
        )
        more = "{words}, or compare by resampling: {compare(measure='recall')}"
        raise ArgumentError("weight_type", Sentence(more, words=Sentence(words)))
    asked.checked(by_subject=rows.clusters is not None)
    places = places_called(rows.rank(), threshold)
    right = {model: (rows.places_of(model) >= places[model]) == rows.positive for model in rows.names}
    return RightAnswers(right, rows.weights, rows.clusters, facts_of(rows.ranked[0], rows.origin))


def _predictive(
    rows: Rows, answers: RightAnswers, pairs: Sequence[tuple[int, int]], level: float
) -> tuple[PairPredictive, ...]:
    calls: Calls = {name: right == rows.positive for name, right in answers.right.items()}
    made = []
    for i, j in pairs:
        first, second = rows.names[i], rows.names[j]
        both = relative_values(rows.positive, (calls[first], calls[second]), rows.weights, rows.clusters, level)
        made.append(PairPredictive(first, second, *both, **answers.facts))
    return with_holm(made)


def compare_right(rows: Rows, measure: str, threshold: Any, baseline: str | None, asked: Asked) -> Comparison:
    """Models by recall, specificity or accuracy alone, which are shares of rows that a model has right."""
    kept = {"recall": rows.positive, "specificity": ~rows.positive, "accuracy": np.ones(rows.n_rows, dtype=bool)}
    if measure not in kept:
        text = f"{asked.method} compares shares of the same rows: {some_values(list(kept))}"
        raise ArgumentError("method", Sentence("{text}; for {measure} use {method='auto'}", text=text, measure=measure))
    answers = right_calls(rows, threshold, asked)
    return answers.where(kept[measure]).compare(measure, baseline, asked)
