"""The door that most people enter by: evaluate(table, ...)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias, Unpack, overload

from rocsteady._src.base.errors import ArgumentError, InputError
from rocsteady._src.base.sentences import Sentence, argument
from rocsteady._src.base.typed import typed
from rocsteady._src.evaluation.brought_home import brought_home, in_engine
from rocsteady._src.evaluation.evaluate_checks import (
    check_repeats,
    groups_of,
    needed_time,
    one_id,
    one_split,
)
from rocsteady._src.evaluation.evaluate_rows import evaluate_rows
from rocsteady._src.evaluation.evaluation import Evaluation
from rocsteady._src.evaluation.intervals import refuse_repeated_ids
from rocsteady._src.inference.intervals.every_measure import AUC_METHODS
from rocsteady._src.inference.intervals.normal import check_choice
from rocsteady._src.inputs.given import one_weight, read_given
from rocsteady._src.inputs.given_labels import are_indicators
from rocsteady._src.ranked import read_rows
from rocsteady._src.ranked.lazy.columns import is_lazy
from rocsteady._src.ranked.lazy.lazy_rows import lazy_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocsteady._src.designs.classes.averaged import Absent
    from rocsteady._src.evaluation.classes.classes_by_fold import MulticlassFolds
    from rocsteady._src.evaluation.classes.grouped import MulticlassGroups
    from rocsteady._src.evaluation.classes.judge import Forms
    from rocsteady._src.evaluation.classes.models import MulticlassModels
    from rocsteady._src.evaluation.evaluation_by_fold import FoldedEvaluation
    from rocsteady._src.evaluation.groups import GroupedEvaluation
    from rocsteady._src.evaluation.options import OneColumn, Options, OptionsOfClasses
    from rocsteady._src.evaluation.timed import TimedEvaluation
    from rocsteady._src.inputs.clean import Missing
    from rocsteady._src.inputs.given import Given
    from rocsteady._src.inputs.weights import WeightType
    from rocsteady._src.measures.model_thresholds import ThresholdOrRule
    from rocsteady._src.ranked import AnyRows
    from rocsteady._src.results.multiclass import MulticlassEvaluation, MulticlassMeasures
    from rocsteady._src.results.multilabel import MultilabelEvaluation
    from rocsteady._src.results.scale import BracketedEvaluation

    AnyAnswer: TypeAlias = (
        Evaluation
        | BracketedEvaluation
        | GroupedEvaluation
        | FoldedEvaluation
        | MulticlassEvaluation
        | MulticlassModels
        | MulticlassGroups
        | MulticlassFolds
        | MultilabelEvaluation
        | MulticlassMeasures
        | TimedEvaluation
    )
    OfClasses: TypeAlias = MulticlassEvaluation | MulticlassModels | MulticlassGroups | MulticlassFolds


@overload
def evaluate(
    table: object,
    scores: object = None,
    *,
    label: object = None,
    time: object,
    at: object = None,
    censored: Any = 0,
    ipcw: object = None,
    **options: Unpack[Options],
) -> TimedEvaluation: ...


@overload
def evaluate(table: object, scores: OneColumn, *, label: object = None, **options: Unpack[Options]) -> Evaluation: ...


@overload
def evaluate(
    table: object, scores: OneColumn, *, label: object = None, by: object, **options: Unpack[Options]
) -> GroupedEvaluation: ...


@overload
def evaluate(
    table: object,
    scores: OneColumn,
    *,
    label: object = None,
    fold: object,
    repeat: object = None,
    **options: Unpack[Options],
) -> FoldedEvaluation: ...


@overload
def evaluate(
    table: object,
    scores: object = None,
    *,
    label: object = None,
    by: object,
    classes: Sequence[Any],
    **options: Unpack[OptionsOfClasses],
) -> MulticlassGroups: ...


@overload
def evaluate(
    table: object,
    scores: object = None,
    *,
    label: object = None,
    fold: object,
    repeat: object = None,
    classes: Sequence[Any],
    **options: Unpack[OptionsOfClasses],
) -> MulticlassFolds: ...


@overload
def evaluate(
    table: object,
    scores: object = None,
    *,
    label: object = None,
    classes: Sequence[Any],
    **options: Unpack[OptionsOfClasses],
) -> MulticlassEvaluation | MulticlassModels: ...


@overload
def evaluate(
    table: object, scores: object = None, *, label: object = None, by: object, **options: Unpack[OptionsOfClasses]
) -> GroupedEvaluation | MulticlassGroups: ...


@overload
def evaluate(
    table: object,
    scores: object = None,
    *,
    label: object = None,
    fold: object,
    repeat: object = None,
    **options: Unpack[OptionsOfClasses],
) -> FoldedEvaluation | MulticlassFolds: ...


@overload
def evaluate(
    table: object, scores: object = None, *, label: object = None, **options: Unpack[OptionsOfClasses]
) -> (
    Evaluation
    | BracketedEvaluation
    | MulticlassEvaluation
    | MulticlassModels
    | MultilabelEvaluation
    | MulticlassMeasures
): ...


@typed
def evaluate(  # noqa: PLR0913 - one door for every design, see the overloads
    table: object,
    scores: object = None,
    *,
    label: object = None,
    weight: object = None,
    sample_weight: object = None,
    weight_type: WeightType | None = None,
    id: object = None,  # noqa: A002 - the word people use for such a column
    measures: Sequence[Any] | None = None,
    threshold: ThresholdOrRule = None,
    pos_label: Any = None,
    missing: Missing = "raise",
    intervals: bool | None = None,
    level: float = 0.95,
    n_resamples: int | None = None,
    random_state: int = 0,
    auc_method: str = "auto",
    cluster: object = None,
    by: object = None,
    fold: object = None,
    repeat: object = None,
    classes: Sequence[Any] | None = None,
    classes_averaged: Sequence[Any] | None = None,
    absent: Absent = "undefined",
    time: object = None,
    at: object = None,
    censored: Any = 0,
    ipcw: object = None,
) -> AnyAnswer:
    """Judge one or more models on the same rows: ``evaluate(y, scores)`` or ``evaluate(table, label=, scores=)``.

    Parameters
    ----------
    table : array-like, DataFrame, mapping or lazy table
        Labels, with ``scores`` after them. Or a table: pandas, polars, pyarrow or a dict of columns. A lazy table, of
        DuckDB, Polars, Spark, Dask or Ibis, is grouped by its own engine, see :func:`rocsteady.scale.rank_table`; its
        rows stay there. Or several labels of each row: an array or table of one column of 0 and 1 per label, with a
        column of scores for each after it; then areas, their averages and intervals come without being asked for.
    scores : array-like, mapping or DataFrame of scores; str or list of str
        After labels: the scores of one model, or of several by name; higher means more positive. An array of one
        column per class, as ``predict_proba`` returns it, has the classes in their sorted order; more than two classes
        as ``predict`` returns them have measures of called classes. Of a table: the names of its columns of scores.
    label : str
        Column of labels of a table: {0, 1}, {-1, 1}, booleans, or anything together with ``pos_label``.
    weight, sample_weight : str or array-like, optional
        Row weights >= 0, under either name: a column of the table or one value per row, as all columns below.
    weight_type : {"frequency", "sampling"}, optional
        How intervals and tests read the weights: as how often a row was seen, or as sampling weights, which they are
        unless said otherwise. Values do not depend on it.
    id : str or array-like, optional
        Column that names the subject of a row; repeated subjects are reported.
    measures : list, optional
        Names such as ``"auc"``, ``"family:threshold"`` or ``"partial_auc(fpr_range=(0, 0.2))"``, or functions.
    threshold : float, str, callable, ThresholdChoice or mapping, optional
        For threshold measures: a number, or a rule of :func:`rocsteady.best_threshold` applied to each model,
        such as ``"f1"`` or ``"precision(value=0.9)"``; or one of these for each model: ``{"a": 0.3, "b": "youden"}``.
        Intervals at a threshold that a rule chose on these rows count that choice.
    pos_label : optional
        The label of the positive class.
    missing : {"raise", "drop"}
        Rows that lack any of these columns are refused, or dropped for all models alike and counted.
    intervals : bool, optional
        Whether to give each value a confidence interval at ``level``: by formula where there is one (AUC, Gini,
        partial AUC, threshold measures), else by bootstrap. When absent, only with ``by`` and ``fold``.
    level : float
        Confidence level.
    n_resamples : int, optional
        Resamples for measures without a formula: 2000, none above 100,000 distinct scores unless given.
    random_state : int
        Seed of the resamples.
    auc_method : {"auto", "wilson", "logit", "delong", "newcombe", "hanley-mcneil", "bootstrap"}
        How intervals of AUC, Gini and partial AUC are made, as ``method`` of :func:`rocsteady.auc_interval`. The mean
        of folds, which "newcombe", "hanley-mcneil" and "bootstrap" do not know, then has its own default.
    cluster : str or array-like, optional
        Column that names the subject of a row; intervals and comparisons then count subjects, not rows.
    by : str, array-like, or list of them, optional
        Column of groups, such as a site: every group by itself, and tests of whether they differ. Several columns
        make a group of each combination, named as "site=north, sex=f". Groups stand in the order of their values.
    fold : str or array-like, optional
        Column of the folds of a cross-validation: the AUC of each fold, their mean, and all rows pooled; and the
        ``measures`` that were asked for, at the thresholds of all rows.
    repeat : str or array-like, optional
        Column of the repeats of a repeated cross-validation, with ``fold``; then ``id`` names the row of the data, or
        ``cluster`` its subject, which every repeat has once more.
    classes : sequence, optional
        More than two classes: the label that each column of ``scores`` belongs to, which together are one model.
        Several models are a mapping of their names to arrays or frames of one column per class, or, of a table, to
        lists of columns. Then ``threshold``, ``pos_label`` and ``intervals`` do not apply: everything that
        :func:`rocsteady.evaluate_multiclass` gives has intervals; ``measures`` are numbers about all classes, such as
        ``"macro_auc"``, ``"kappa_quadratic"`` or ``"log_loss"``.
    classes_averaged : sequence, optional
        Of more than two classes, or of several labels: those that averages are over; all when absent.
    absent : {"undefined", "skip"}
        Averages over a class without rows, or over a label that all rows have or none, are undefined; or they are over
        the others, which a remark names.
    time : str or array-like, optional
        Column of times, when the event came or until when a row was watched; ``label`` says whether it came. Then
        concordance and, at the times ``at``, AUC(t) are given, all with intervals; see :mod:`rocsteady.times`.
    at : float or sequence of float, optional
        With ``time``: increasing times to judge at. Of one time, scores in [0, 1] are taken as risks by then.
    censored : optional
        With ``time``: the label of rows without any event, where there are competing ones; None where every row has
        an event.
    ipcw : str, list of str or array-like, optional
        With ``at``: weights in place of those by Kaplan-Meier, a column for each time; Uno's C is left out then.

    Returns
    -------
    Evaluation
        :class:`GroupedEvaluation` with ``by``, :class:`FoldedEvaluation` with ``fold``,
        :class:`MulticlassEvaluation` for more than two classes, :class:`MulticlassModels` for several such models,
        ``MulticlassGroups`` and ``MulticlassFolds`` with ``by`` and ``fold``,
        :class:`MultilabelEvaluation` for several columns of labels; ``BracketedEvaluation`` of a lazy table with more
        different scores than come into memory; of predicted classes ``CalledClasses``, of several
        models ``CalledModels``, with ``by`` and ``fold`` ``CalledGroups`` and ``CalledFolds``;
        ``TimedEvaluation`` with ``time``.

    Examples
    --------
    >>> import rocsteady as rs
    >>> print(rs.evaluate([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.3, 0.1], measures=["auc", "gini"]))
    model     auc    gini
    score  0.8889  0.7778
    6 rows: 3 positive, 3 negative; positive label 1; a higher score means more positive
    >>> table = {"y": [1, 1, 0, 1, 0, 0], "a": [0.9, 0.8, 0.7, 0.6, 0.3, 0.1], "b": [5, 9, 4, 6, 3, 1]}
    >>> print(rs.evaluate(table, label="y", scores=["a", "b"], measures=["auc", "gini"]))
    model     auc    gini
    a      0.8889  0.7778
    b      1.0000  1.0000
    6 rows: 3 positive, 3 negative; positive label 1; a higher score means more positive
    """
    places: dict[str, Any] = {"weight": one_weight(weight, sample_weight), "fold": fold, "repeat": repeat}
    places |= {"id": id, "cluster": cluster, "by": groups_of(by)}
    read: dict[str, Any] = {"weight_type": weight_type, "pos_label": pos_label, "missing": missing}
    if time is not None or at is not None or ipcw is not None:
        from rocsteady._src.evaluation.timed import evaluate_times

        unfit: dict[str, Any] = {"measures": measures, "threshold": threshold, "n_resamples": n_resamples}
        unfit["classes"] = classes
        unfit |= {"by": by, "fold": fold, "repeat": repeat, "classes_averaged": classes_averaged}
        timed = read_given(table, scores, label, pos_label=pos_label, **places | {"time": needed_time(time)})
        return evaluate_times(timed, at, censored, level, ipcw=ipcw, read=read, unfit=unfit)
    if are_indicators(table, scores, label):
        from rocsteady._src.evaluation.labels.judge import evaluate_labels

        of_one = {"threshold": threshold, "n_resamples": n_resamples, "classes": classes}
        words: dict[str, Any] = {"level": level, "auc_method": auc_method, "measures": measures, "refused": of_one}
        words |= {"averaged": (classes_averaged, absent), "read": read, "places": places}
        return evaluate_labels(table, scores, label, **words)
    given = read_given(table, scores, label, classes=classes, pos_label=pos_label, **places)
    asked: dict[str, Any] = {"measures": measures, "threshold": threshold}
    how: dict[str, Any] = {"level": level, "n_resamples": n_resamples, "random_state": random_state}
    check_choice("auc_method", auc_method, AUC_METHODS)
    how["auc_method"] = auc_method
    try:
        return _judge(given, read, asked, how, intervals, (classes_averaged, absent))
    except (InputError, ArgumentError) as error:
        from rocsteady._src.evaluation.called_classes import judge_called

        def in_parts(called: Given, forms: Forms) -> Any:
            return _judge(called, read, asked, how, None, (classes_averaged, absent), forms)

        averaged: dict[str, Any] = {"classes_averaged": classes_averaged, "absent": absent}
        refused = {"threshold": threshold, "n_resamples": n_resamples}
        called: AnyAnswer = judge_called(given, error, read, measures, refused, in_parts, level=level, **averaged)
        return called


def _judge(
    given: Given,
    read: dict[str, Any],
    asked: dict[str, Any],
    how: dict[str, Any],
    intervals: bool | None,
    averaged: tuple[Any, str],
    forms: Forms | None = None,
) -> Evaluation | BracketedEvaluation | GroupedEvaluation | FoldedEvaluation | OfClasses:
    """Evaluate named columns, in the form that they ask for."""
    columns, groups = given.options, tuple(given.options["by"] or ())
    cluster, fold, repeat = columns["cluster"], columns["fold"], columns["repeat"]
    subject = one_id(columns["id"], cluster)
    split = one_split(by=groups or None, fold=fold) or (None if given.classes is None else "classes")
    if is_lazy(given.table) and (subject is not None or split is not None):
        given, read = brought_home(given, read)
    found: dict[str, Any] = {"label": given.label, "scores": given.scores, "weight": given.options["weight"], **read}
    if is_lazy(given.table):
        stays = lazy_rows(given.table, **found)
        _refuse_averages(stays, *averaged)
        lazy = in_engine(stays, asked, how, intervals=bool(intervals))
        return lazy.with_intervals(**how) if intervals and isinstance(lazy, Evaluation) else lazy
    check_repeats(given.table, fold, repeat, subject)
    also = [column for column in (*groups, fold, repeat) if column is not None and column != subject]
    rows = read_rows(given.table, id=subject, also=also, **found)
    if given.classes is not None:
        from rocsteady._src.evaluation.classes.judge import OF_SCORES, judge_rows_of_classes

        areas = {"level": how["level"], "auc_method": how["auc_method"], "measures": asked["measures"]}
        binary = {"threshold": asked["threshold"], "pos_label": read["pos_label"], "n_resamples": how["n_resamples"]}
        binary["intervals"] = intervals or None
        return judge_rows_of_classes(rows, given, areas, averaged=averaged, refused=binary, forms=forms or OF_SCORES)
    _refuse_averages(rows, *averaged)
    if (intervals or split) and repeat is None:
        refuse_repeated_ids(rows, cluster)
    if groups:
        from rocsteady._src.evaluation.groups import evaluate_groups

        return evaluate_groups(rows, groups, intervals=intervals is not False, cluster=cluster, **asked, **how)
    if fold is not None:
        from rocsteady._src.evaluation.evaluation_by_fold import evaluate_folds

        how |= {"intervals": intervals is not False, "cluster": cluster, "repeat": repeat}
        return evaluate_folds(rows, fold, **asked, **how)
    result = evaluate_rows(rows, cluster=cluster, **asked)
    return result.with_intervals(**how) if intervals else result


def _refuse_averages(rows: AnyRows, classes_averaged: object, absent: str) -> None:
    """Of two classes there is no average over classes; rows of more, as of predicted classes, say so when ranked."""
    named = "classes_averaged" if classes_averaged is not None else "absent" if absent != "undefined" else None
    if named is not None:
        rows.rank()
        words = "{named} is about averages over more than two classes, and there are two: leave it out"
        raise ArgumentError(named, Sentence(words, named=argument(named)))
