"""evaluate(..., fold=column) -> FoldedEvaluation: the folds of a cross-validation, model by model."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any, ClassVar, get_args, overload

from rocsteady._src.base.errors import printable
from rocsteady._src.base.near_names import part_of
from rocsteady._src.base.text import (
    format_count,
    format_interval,
    format_level,
    format_number,
    format_p,
    p_words,
    text_table,
)
from rocsteady._src.designs.folds.auc import share_tested
from rocsteady._src.designs.folds.compare import compare_learners_of_rows
from rocsteady._src.designs.folds.evaluate import MeanMethod, crossval_of_rows
from rocsteady._src.designs.folds.rows_by_fold import fold_rows
from rocsteady._src.evaluation.compared_folds import compare_over_folds
from rocsteady._src.evaluation.evaluate_rows import evaluate_rows
from rocsteady._src.evaluation.fold_measures import FoldMeasures
from rocsteady._src.evaluation.late_intervals import LateIntervals
from rocsteady._src.inference.comparison.compared import by_each_measure, models_to_compare, one_or_several
from rocsteady._src.inference.comparison.models_by_measure import named_measures
from rocsteady._src.inference.comparison.multiplicity import adjust_pvalues
from rocsteady._src.inference.intervals.normal import check_level
from rocsteady._src.inference.resampling.resample import fresh_seed
from rocsteady._src.results import PagedResult
from rocsteady._src.results.by_model import ByModel
from rocsteady._src.results.differences import told_apart
from rocsteady._src.results.pictures import Forest, Line, line_of
from rocsteady._src.results.reading import one_line
from rocsteady._src.results.remarks import Remark, noted

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike
    from pathlib import Path
    from typing import Unpack

    from rocsteady._src.base.frames import Table
    from rocsteady._src.designs.folds.rows_by_fold import FoldedRows
    from rocsteady._src.evaluation.evaluation import Evaluation
    from rocsteady._src.ranked import Rows
    from rocsteady._src.results import Comparison, Comparisons, CrossValidation, Interval, TestResult
    from rocsteady._src.results.decision import Decision
    from rocsteady._src.results.displays import ReportOptions

POOLED = "values of all rows compare scores of different folds, which different models have given"


@dataclass(frozen=True, slots=True, eq=False)
class FoldedEvaluation(ByModel, PagedResult):
    """The folds of a cross-validation beside an :class:`Evaluation` of all rows pooled.

    ``models[name]`` has the AUC of each fold, their mean and the pooled AUC with intervals, and why these two differ.
    ``comparisons[first, second]`` tests the difference between the means of two models on the same folds: it is about
    learners, which would be trained anew. For the trained models themselves use
    :func:`rocsteady.crossval.compare_crossval` with
    ``method="influence"``. ``measures`` are those that were asked for, in every fold.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, s, t = (rs.examples.loans(200)[name] for name in ("defaulted", "boosted", "logistic"))
    >>> rs.evaluate(y, s, fold=[row % 4 for row in range(200)], measures=["auc"])
    FoldedEvaluation(mean AUC: score 0.9326; 4 folds by 'fold')
    """

    fold: str
    overall: Evaluation
    models: dict[str, CrossValidation]
    comparisons: dict[tuple[str, str], TestResult]
    level: float
    measures: FoldMeasures = field(default_factory=FoldMeasures)
    folded: FoldedRows | None = field(default=None, repr=False)
    tested: tuple[int, float, bool] = (0, 0.0, False)  # rows of the longest fold, share of a fold, by subject

    _held_rows: ClassVar[tuple[str, ...]] = ("folded",)

    def __getitem__(self, model: str) -> CrossValidation:
        return part_of(self.models, model)

    def _brief(self) -> str:
        n_folds = len(next(iter(self.models.values())).folds)
        means = ", ".join(
            f"{printable(model, most=40)} {format_number(found.mean.estimate)}" for model, found in self.models.items()
        )
        return one_line(f"mean AUC: {means}; {format_count(n_folds)} folds by {self.fold!r}")

    def to_dict(self) -> dict[str, Any]:
        """Return plain values: all rows, the folds of each model, then the tests."""
        return {
            "fold": self.fold,
            "overall": self.overall.to_dict(),
            "models": [{"model": model, **found.to_dict()} for model, found in self.models.items()],
            "comparisons": [
                {"first": first, "second": second, **test.to_dict()}
                for (first, second), test in self.comparisons.items()
            ],
            **({"measures": self.measures.to_dict()} if self.measures.columns else {}),
        }

    def _columns(self) -> Table:
        """One line per fold and model."""
        table: Table = {"model": [model for model, found in self.models.items() for _ in found.folds]}
        for name in ("fold", "auc", "low", "high", "n_pos", "n_neg", "reason"):
            table[name] = [getattr(each, name) for found in self.models.values() for each in found.folds]
        if any(each.repeat is not None for found in self.models.values() for each in found.folds):
            table["repeat"] = [each.repeat for found in self.models.values() for each in found.folds]
        for column in self.measures.columns:
            listed = (self.measures.values[model][column] for model in self.models)
            table[column if column not in table else f"{column} (measure)"] = [
                float(v) for each in listed for v in each
            ]
        return table

    def cells(self) -> tuple[list[str], list[list[str]]]:
        """Header and rows for reading: a line per fold, then mean and pooled."""
        header = [self.fold, "positives", "negatives", *(f"AUC, {printable(model)}" for model in self.models)]
        rows = []
        for places in zip(*(found.folds for found in self.models.values()), strict=True):
            first = places[0]
            name = first.fold if first.repeat is None else f"{first.repeat}: {first.fold}"
            start = [printable(name, most=40), format_number(first.n_pos), format_number(first.n_neg)]
            rows.append([*start, *(format_number(each.auc) for each in places)])
        sizes = [format_number(self.overall.n_pos), format_number(self.overall.n_neg)]
        for name in ("mean", "pooled"):
            found = [getattr(each, name) for each in self.models.values()]
            shown = [format_interval(each.estimate, each.low, each.high) for each in found]
            rows.append([name, *sizes, *shown])
        return header, rows

    def notes(self) -> list[str]:
        """What was assumed, why mean and pooled differ, which models differ, and what to beware of."""
        lines = [self.overall.assumptions()]
        said: dict[str, list[str]] = {}
        for model, found in self.models.items():
            for text in found.explanation:
                said.setdefault(text, []).append(model)
        few_first = sorted(said.items(), key=lambda each: len(each[1]))
        lines += [f"{', '.join(models)}: {text}" for text, models in few_first]
        for model, found in self.models.items():
            lines += [noted(remark, model) for remark in found.warnings]
            lines += [f"note: {model}: {each.name}: {each.reason}" for each in found.folds if each.reason]
        adjusted = adjust_pvalues([test.pvalue for test in self.comparisons.values()]).tolist()
        tested = zip(self.comparisons.items(), adjusted, strict=True)
        lines += [self._on_pair(pair, test, p) for (pair, test), p in tested]
        return [printable(line) for line in [*lines, f"note: {POOLED}"]]

    def _on_pair(self, pair: tuple[str, str], test: TestResult, adjusted: float) -> str:
        told = "differ" if told_apart(test, adjusted, self.level) else "cannot be told apart"
        found = format_interval(test.estimate, test.low, test.high, signed=True)
        several = f", adjusted {format_p(adjusted)}" if len(self.comparisons) > 1 else ""
        return f"{pair[0]} and {pair[1]} {told}: mean AUC {found}, {p_words(test.pvalue)}{several}"

    def __str__(self) -> str:
        return "\n".join([text_table(*self.cells()), *self.measured(), *self.notes()])

    def measured(self) -> list[str]:
        """The measures that were asked for, in every fold, as a table to print; the AUC stands above it already."""
        others = self.measures.without("auc")
        if not others.columns:
            return []
        return [f"\nmeasures of each {printable(self.fold)}", text_table(*others.cells(self.fold)), ""]

    @overload
    def compare(
        self,
        baseline: str | None = None,
        *others: str,
        measure: Any = None,
        measures: None = None,
        level: float | None = None,
    ) -> Comparison: ...
    @overload
    def compare(
        self, baseline: str | None = None, *others: str, measures: Sequence[Any], level: float | None = None
    ) -> Comparisons: ...
    def compare(
        self,
        baseline: str | None = None,
        *others: str,
        measure: Any = None,
        measures: Sequence[Any] | None = None,
        level: float | None = None,
    ) -> Comparison | Comparisons:
        """Compare the learners of all models over folds: the corrected resampled t, Holm's p, a verdict.

        Parameters
        ----------
        baseline : str, optional
            Compare each model to this one; all pairs when absent.
        *others : str
            With names after the first, all pairs of these models only: ``compare("a", "b")``.
        measure : str, measure or callable, optional
            What to compare by, in every fold at the thresholds of all rows; the AUC when absent.
        measures : list, optional
            Several of them: a :class:`Comparisons` with a verdict for each.
        level : float, optional
            That of the evaluation unless given.

        Returns
        -------
        Comparison
        """
        one_or_several(measure, measures)
        at = self.level if level is None else level
        chosen = models_to_compare(self.overall.models, baseline, others)
        if measures is None:
            return compare_over_folds(self, chosen, "auc" if measure is None else measure, at)
        return by_each_measure(named_measures(measures), lambda each: compare_over_folds(self, chosen, each, at))

    def decide(self, **how: Any) -> Decision:
        """Choose a model and a threshold on the rows of all folds pooled.

        Parameters
        ----------
        **how
            As of :meth:`Evaluation.decide`; the level is that of the evaluation unless given.

        Returns
        -------
        Decision
            It is about the scores that the models of all folds gave; a model trained anew on all rows may need another
            threshold, as a remark says.
        """
        found = self.overall.decide(**{"level": self.level, **how})
        return replace(found, warnings=(*found.warnings, Remark("threshold_of_folds")))

    def _picture(self) -> Forest:
        lines: list[Line] = []
        for model, found in self.models.items():
            name = printable(model)
            lines += [Line(f"{name}, {each.name}", each.auc, each.low, each.high) for each in found.folds]
            lines.append(line_of(f"{name}, mean", found.mean))
        return Forest((f"AUC by {printable(self.fold)}", f"{format_level(self.level)} intervals"), "AUC", tuple(lines))

    def report(self, path: str | PathLike[str] = "report.html", **options: Unpack[ReportOptions]) -> Path:
        """Write one self-contained page; options as of :meth:`Evaluation.report`."""
        from rocsteady._src.views.report.write import write_report

        return write_report(self, path, **options)


def evaluate_folds(
    rows: Rows,
    fold: str,
    *,
    intervals: bool = True,
    level: float = 0.95,
    n_resamples: int | None = None,
    random_state: int = 0,
    auc_method: str = "auto",
    cluster: str | None = None,
    repeat: str | None = None,
    **options: Any,
) -> FoldedEvaluation:
    """Evaluate rows by the folds of column ``fold``.

    Options as in :func:`rocsteady.evaluate`, whose ``fold=`` leads here. With ``repeat`` the id names a row of the
    data, which every repeat has once more: it is the subject where nothing else is.
    """
    subject = cluster if repeat is None or cluster is not None else rows.id
    overall = evaluate_rows(rows, cluster=subject, **options)
    check_level(level)
    row = rows.id if repeat is not None and cluster is None else None
    folded = fold_rows(rows, fold, repeat=repeat, row=row, cluster=cluster)
    method = auc_method if auc_method in get_args(MeanMethod) else "auto"
    found = {model: crossval_of_rows(folded.of_models(model), level, method=method) for model in rows.names}
    compared = {}
    if not any(each.one_class for each in folded.folds):
        pairs = combinations(rows.names, 2)
        compared = {pair: compare_learners_of_rows(folded.of_models(*pair), level=level) for pair in pairs}
    overall = replace(overall, origin=folded.origin, n_pos=folded.n_pos, n_neg=folded.n_neg)
    bare = overall
    if intervals:
        how: dict[str, Any] = {"level": level, "n_resamples": n_resamples, "random_state": fresh_seed(random_state)}
        made = LateIntervals(lambda: _with_pooled_areas(bare.with_intervals(auc_method=auc_method, **how), found))
        overall = replace(bare, intervals=made, auc_method=auc_method)
    measured = FoldMeasures.of(overall if repeat is None else bare, folded.folds)  # of repeats .overall has them
    if intervals:
        areas = {model: each.mean for model, each in found.items()}
        measured = measured.with_means(overall, areas, share_tested(folded), level)
    tested = (max(each.rows.size for each in folded.folds), share_tested(folded), folded.cluster is not None)
    return FoldedEvaluation(fold, overall, found, compared, level, measured, folded, tested)


def _with_pooled_areas(overall: Evaluation, found: dict[str, CrossValidation]) -> dict[str, dict[str, Interval]]:
    """Intervals of all rows with that of the pooled AUC that knows of the folds: a page has one, not two."""
    made = {model: dict(of_model) for model, of_model in overall.intervals.items()}
    for model, of_model in made.items():
        pooled = found[model].pooled  # of repeats the mean of each repeat's, which is another number
        if "auc" in of_model and pooled.estimate == of_model["auc"].estimate:
            of_model["auc"] = pooled
    return made
