"""Models on the same rows compared by any measure: by formula where rows add up to it, else by resampling."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, get_args, overload

import numpy as np

from rocsteady._src.base.errors import ArgumentError
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.base.typed import typed
from rocsteady._src.inference.comparison.compared import (
    by_each_measure,
    chosen_pairs,
    compared,
    one_or_several,
    widest_of,
)
from rocsteady._src.inference.comparison.hypotheses import NormalDifference, result_of
from rocsteady._src.inference.comparison.measure import automatic_test, resampled_test
from rocsteady._src.inference.comparison.models import Intervals, Plan, compare_ranked_models
from rocsteady._src.inference.comparison.nested import nested_remarks
from rocsteady._src.inference.comparison.rounding import rounding, settled
from rocsteady._src.inference.comparison.simultaneous import bonferroni
from rocsteady._src.inference.intervals.every_measure import intervals_of_measures
from rocsteady._src.inference.intervals.normal import check_choice, check_level
from rocsteady._src.inference.paired.calls import compare_right, compared_calls
from rocsteady._src.inference.paired.mcnemar import Asked
from rocsteady._src.inference.paired.mcnemar import Method as PairedMethod
from rocsteady._src.inference.units.components import Area
from rocsteady._src.inference.units.row_formulas import ROW_FORMULAS
from rocsteady._src.inference.units.row_means import mean_of_rows
from rocsteady._src.inputs.given import one_weight, read_given
from rocsteady._src.inputs.tables import columns_of_models
from rocsteady._src.measures.model_thresholds import places_called, rules_of_models, threshold_of_each
from rocsteady._src.measures.ranking import auc, partial_auc
from rocsteady._src.measures.requests import one_request
from rocsteady._src.ranked import read_rows
from rocsteady._src.ranked.lazy.columns import is_lazy
from rocsteady._src.ranked.lazy.lazy_rows import lazy_rows
from rocsteady._src.results import Interval
from rocsteady._src.results.base import facts_of
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from rocsteady._src.inputs.clean import Missing
    from rocsteady._src.inputs.given import Given
    from rocsteady._src.inputs.weights import WeightType
    from rocsteady._src.measures.requests import Request
    from rocsteady._src.ranked import AnyModels, RankedScores, Rows
    from rocsteady._src.results import Comparison, Comparisons, TestResult
    from rocsteady._src.results.paired import CallComparison

METHODS = ("auto", "formula", "bootstrap", "permutation")
Method = Literal[
    "auto",
    "delong",
    "delong-t",
    "score",
    "newcombe",
    "bootstrap",
    "permutation",
    "formula",
    "mcnemar-exact",
    "mcnemar-mid-p",
    "mcnemar",
    "mcnemar-corrected",
    "tango",
]


@overload
def compare_models(y_true: object, scores: object = None, *, measures: None = None, **options: Any) -> Comparison: ...


@overload
def compare_models(
    y_true: object, scores: object = None, *, measures: Sequence[Any], **options: Any
) -> Comparisons: ...


@typed  # type: ignore[misc]  # the two above name only what tells the results apart
def compare_models(
    y_true: object,
    scores: object = None,
    *,
    label: object = None,
    names: Sequence[str] | None = None,
    baseline: str | None = None,
    measure: Any = None,
    measures: Sequence[Any] | None = None,
    threshold: float | str | None = None,
    method: Method = "auto",
    intervals: Intervals = "separate",
    level: float = 0.95,
    fpr_range: tuple[float, float] | None = None,
    tpr_range: tuple[float, float] | None = None,
    sample_weight: object = None,
    weight: object = None,
    weight_type: WeightType | None = None,
    cluster: object = None,
    pos_label: Any = None,
    missing: Missing = "raise",
    n_resamples: int = 2000,
    random_state: int = 0,
) -> Comparison | Comparisons:
    """Compare two or more models on the same rows, by their AUCs or by any other measure.

    Parameters
    ----------
    y_true, scores, label, sample_weight, weight, cluster
        Labels and the scores of each model, or a table with the names of its columns, as in
        :func:`rocsteady.evaluate`.
    names : sequence of str, optional
        What the columns of an array are called; "model 1" and so on when absent.
    baseline : str, optional
        Compare each model to this one; all pairs when absent. Differences are model minus baseline.
    measure : str, measure or callable, optional
        What to compare by, as in :func:`rocsteady.compare_measure`; the AUC when absent. The verdict knows whether
        lower is better.
    measures : list, optional
        Several of them: a :class:`Comparisons` with a verdict for each.
    threshold : float or str, optional
        For measures that need one, as in :func:`rocsteady.evaluate`. Without a measure, models are compared as tests
        that call yes or no there, as in :func:`rocsteady.inference.compare_calls`.
    method : {"auto", "delong-t", "score", "delong", "newcombe", "bootstrap", "permutation", "formula", "mcnemar-exact"}
        The test of each pair, as in :func:`rocsteady.compare_auc`; "auto" chooses for each by itself. Of other
        measures: "formula" where rows add up to the measure, such as the Brier score, which "auto" takes there;
        else "bootstrap" or "permutation" as in :func:`rocsteady.compare_measure`. Recall, specificity and accuracy at a
        threshold also by "mcnemar-exact" and the others of :func:`rocsteady.compare_outcomes`.
    intervals : {"separate", "simultaneous"}
        Of the differences: each holds at ``level`` by itself, or all hold together. The latter are wider; they follow
        from the largest of all deviations under the covariance of the AUCs (Tukey, Dunnett), Bonferroni's by bootstrap.
    level : float
        Confidence level; a verdict needs Holm's p below 1 - level and an interval that excludes 0.
    fpr_range, tpr_range
        For partial areas, as in :func:`rocsteady.partial_auc`.
    weight_type, pos_label, missing
        As in :func:`rocsteady.auc_interval`.
    n_resamples, random_state
        For "bootstrap" and "permutation".

    Returns
    -------
    Comparison

    Examples
    --------
    >>> import rocsteady as rs
    >>> table = rs.examples.loans(300)
    >>> models = {name: table[name] for name in ("boosted", "logistic")}
    >>> print(rs.compare_models(table["defaulted"], models).verdict[0])
    boosted ranks better than logistic: AUC +0.062 [+0.029, +0.095]
    >>> print(rs.compare_models(table["defaulted"], models, measure="brier_score").verdict[0])
    boosted is better than logistic: brier_score -0.0201 [-0.0303, -0.0098]
    """
    scores = scores if names is None else columns_of_models(scores, names)
    given = read_given(y_true, scores, label, weight=one_weight(weight, sample_weight), cluster=cluster)
    models = _read(given, weight_type=weight_type, pos_label=pos_label, missing=missing)
    plan = Plan(method, intervals, level, baseline, n_resamples, random_state)
    area = Area(fpr_range, tpr_range)
    if not area.whole:
        if measure is not None or measures is not None:
            text = "a range of rates makes a partial AUC: pass it, or other measures, not both"
            raise ArgumentError("measure", text)
        return compare_ranked_models(models, area, plan, weight_type=weight_type)
    at = at_thresholds(dict(zip(models.names, models.ranked, strict=True)), threshold)
    return compare_by_measures(models, measure, measures, plan, at, weight_type)


def _read(given: Given, **how: Any) -> AnyModels:
    columns: dict[str, Any] = {"label": given.label, "scores": given.scores, "weight": given.options["weight"]}
    cluster = given.options["cluster"]
    if not is_lazy(given.table):
        return read_rows(given.table, id=cluster, **columns, **how).checked()
    if cluster is not None:
        raise ArgumentError("cluster", "subjects of a lazy table cannot be told apart; bring its rows into memory")
    rows = lazy_rows(given.table, **columns, **how)
    return rows.paired(rows.rank())


@dataclass(frozen=True, slots=True)
class At:
    """The threshold of each model, for measures that need one; ``chosen`` where a rule found it on these rows.

    ``alone`` is what was asked for: without a measure, models are compared as tests that call yes or no there.
    """

    thresholds: dict[str, float] = field(default_factory=dict)
    chosen: bool = False
    alone: Any = None

    def params(self, request: Request, model: str) -> dict[str, Any]:
        """Parameters of a measure for a model."""
        given = dict(request.params)
        if "threshold" in request.sheet.params:
            given.setdefault("threshold", self.thresholds.get(model))
        return given

    def remarks(self, request: Request) -> tuple[Remark, ...]:
        """What to beware of at a threshold that the same rows chose."""
        needs = "threshold" in request.sheet.params and "threshold" not in request.params
        return (Remark("threshold_as_given"),) if self.chosen and needs else ()


def at_thresholds(ranked: dict[str, RankedScores], threshold: Any, *, alone: bool = True) -> At:
    """The threshold of each model: the number, or what a rule finds."""
    if threshold is None:
        return At()
    chosen = rules_of_models(threshold) is not None
    return At(threshold_of_each(ranked, threshold), chosen, threshold if alone else None)


def compare_by_measures(
    models: AnyModels, measure: Any, measures: Sequence[Any] | None, plan: Plan, at: At, weight_type: str | None = None
) -> Comparison | Comparisons:
    """A comparison by one measure, the AUC unless named; or one for each of several."""
    one_or_several(measure, measures)
    if at.alone is not None and measure is None and measures is None:
        return calls_of(models, at.alone, plan)
    if measures is None:
        return compare_by_measure(models, "auc" if measure is None else measure, plan, at, weight_type)

    def compare(each: Any) -> Comparison:
        return compare_by_measure(models, each, plan, at, weight_type)

    return by_each_measure(named_measures(measures), compare)


def named_measures(measures: Any) -> dict[str, Any]:
    """Measures by the names of their columns."""
    return {one_request(each).column: each for each in listed_measures(measures)}


def listed_measures(measures: Any) -> list[Any]:
    """Measures one by one; those of a mapping keep their names."""
    if isinstance(measures, Mapping):
        return [{name: each} for name, each in measures.items()]
    return [measures] if isinstance(measures, str) or callable(measures) else list(measures)


def compare_by_measure(
    models: AnyModels, measure: Any, plan: Plan, at: At, weight_type: str | None = None
) -> Comparison:
    """Compare models by a measure: a name, a registered measure or a function."""
    request = one_request(measure)
    if plan.method in get_args(PairedMethod):
        return _compare_right(models, request, plan, at)
    if request.sheet is auc.sheet:
        return compare_ranked_models(models, Area(), plan, weight_type=weight_type)
    if request.sheet is partial_auc.sheet and plan.method not in METHODS[1:]:
        area = Area(**({"fpr_range": (0.0, 0.1)} | request.params))
        return compare_ranked_models(models, area, plan, weight_type=weight_type)
    return _compare(_in_memory(models, request.column), request, measure, plan, at)


def _compare_right(models: AnyModels, request: Request, plan: Plan, at: At) -> Comparison:
    """Models by a share of the same rows, such as recall, tested by McNemar's methods."""
    threshold = {model: at.params(request, model).get("threshold") for model in models.names}
    if None in threshold.values():
        words = "{name} needs a threshold: pass {threshold=}"
        raise ArgumentError("threshold", Sentence(words, name=request.column))
    rows, asked = _called(models, request.column, threshold), _paired(plan)
    found = compare_right(rows, request.sheet.name, threshold, plan.baseline, asked)
    return replace(found, warnings=tuple(dict.fromkeys([*at.remarks(request), *found.warnings])))


def calls_of(models: AnyModels, threshold: Any, plan: Plan) -> CallComparison:
    """Models as tests that call yes or no at their thresholds."""
    how = replace(plan, method="mcnemar-exact") if plan.method == "auto" else plan
    return compared_calls(_called(models, "a call", threshold), threshold, plan.baseline, _paired(how))


def _paired(plan: Plan) -> Asked:
    if plan.intervals != "separate":
        words = "McNemar's tests have intervals that hold one by one; use {intervals='separate'}"
        raise ArgumentError("intervals", Sentence(words))
    return Asked(plan.method, level=plan.level)


def _called(models: AnyModels, what: str, threshold: Any) -> Rows:
    """Rows with their calls; an engine counts those that agree."""
    ranked = dict(zip(models.names, models.ranked, strict=True))
    return _known(models.called(places_called(ranked, threshold)), what)


def _in_memory(models: AnyModels, what: str) -> Rows:
    return _known(models.in_memory(), what)


def _known(rows: Rows | None, what: str) -> Rows:
    if rows is None:
        text = "is compared row by row, and the rows are not in memory: bring them there, or compare the AUC"
        raise ArgumentError("measure", f"{what} {text}")
    return rows


def _compare(rows: Rows, request: Request, measure: Any, plan: Plan, at: At) -> Comparison:
    check_level(plan.level)
    check_choice("method", plan.method, METHODS)
    check_choice("intervals", plan.intervals, get_args(Intervals))
    chosen = chosen_pairs(rows.names, plan.baseline)
    level = bonferroni(len(chosen), plan.level) if plan.intervals == "simultaneous" else plan.level
    wanted = _Wanted(request, measure, replace(plan, level=level), at)
    tests = [wanted.test(rows.of_models(rows.names[i], rows.names[j])) for i, j in chosen]
    return compared(
        rows.names,
        [replace(test, level=plan.level) for test in tests],
        {model: wanted.estimate(rows.of_models(model), plan.level) for model in rows.names},
        what=request.column,
        baseline=plan.baseline,
        level=plan.level,
        facts=facts_of(rows.ranked[0], rows.origin),
        higher=request.sheet.higher_is_better,
        clustered=rows.clusters is not None,
        remarks=at.remarks(request),
        widest=widest_of(request.sheet.bounds),
        intervals=plan.intervals,
        auto=plan.method == "auto",
    )


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A measure, how it is to be compared, and at which thresholds."""

    request: Request
    measure: Any
    plan: Plan
    at: At

    def test(self, pair: Rows) -> TestResult:
        plan, (first, second) = self.plan, pair.names
        if plan.method == "formula" or (plan.method == "auto" and self.request.sheet.name in ROW_FORMULAS):
            return row_test(pair, self.request, plan.level)
        how: dict[str, Any] = {"alternative": "two-sided", "level": plan.level, "seed": plan.seed}
        how |= {"n_resamples": plan.n_resamples, "weight_type": pair.origin.weight_type}
        how |= {"params": self.at.params(self.request, first), "params_second": self.at.params(self.request, second)}
        if plan.method == "auto":
            return automatic_test([pair], self._named(), **how)
        return resampled_test([pair], self._named(), method=plan.method, **how)

    def _named(self) -> Any:
        """A name without its options, which stand in the parameters; a function is itself."""
        given = next(iter(self.measure.values())) if isinstance(self.measure, Mapping) else self.measure
        return self.request.sheet.name if isinstance(given, str) else given

    def estimate(self, model: Rows, level: float) -> Interval:
        ranked, params = model.ranked[0], self.at.params(self.request, model.names[0])
        kept = model if model.clusters is not None or not ranked.counts_rows else None
        how: dict[str, Any] = {"level": level, "seed": self.plan.seed, "n_resamples": self.plan.n_resamples}
        found = intervals_of_measures(ranked, [(self.request.sheet, params)], rows=kept, **how)[0]
        if found is not None:
            return found
        nothing = float("nan")
        value = float(self.request.sheet.compute(ranked, **params))
        return Interval(value, nothing, nothing, level, "none", **facts_of(ranked))


def row_test(pair: Rows, request: Request, level: float) -> TestResult:
    """The difference of what rows add to a measure for both models: its mean over its standard error."""
    if request.sheet.name not in ROW_FORMULAS:
        raise ArgumentError(
            "method", Sentence("there is no formula for {name}; use {method='auto'}", name=request.column)
        )
    added = [added_by_rows(pair, model, request) for model in (0, 1)]
    found = mean_of_rows(added[0] - added[1], pair)
    bound = rounding(added[0].size, *(float(np.abs(each).mean()) for each in added))
    values = [float(request.sheet.compute(ranked, **request.params)) for ranked in pair.ranked]
    tested = NormalDifference(settled(values[0] - values[1], bound), settled(found.se, bound))
    facts: dict[str, Any] = facts_of(pair.ranked[0], pair.origin)
    made = result_of(tested, "two-sided", None, level, "wald, paired", **facts)
    return replace(made, warnings=(*made.warnings, *nested_remarks(pair, (0, 1))))


def added_by_rows(pair: Rows, model: int, request: Request) -> NDArray[np.float64]:
    """What every row adds to a measure of one of the models."""
    ranked, places = pair.ranked[model], pair.places[model]
    up, down = ROW_FORMULAS[request.sheet.name].values(ranked)(ranked.scores.astype(np.float64))
    found: NDArray[np.float64] = np.where(pair.positive, up[places], down[places])
    return found
