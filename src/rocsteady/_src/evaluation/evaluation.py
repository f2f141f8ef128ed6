"""evaluate(table) -> Evaluation: many models, many measures, the object people hold."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, overload

from rocsteady._src.base.errors import ArgumentError, Undefined, printable, some_values
from rocsteady._src.base.near_names import AbsentKeyError
from rocsteady._src.base.sentences import safe
from rocsteady._src.base.text import (
    format_column,
    format_count,
    format_interval,
    format_intervals,
    format_number,
    text_table,
    turned_if_wide,
)
from rocsteady._src.evaluation.intervals import (
    Plan,
    describe_intervals,
    intervals_of_table,
    refuse_repeated_ids,
    without_interval,
)
from rocsteady._src.evaluation.probability_checks import with_probabilities
from rocsteady._src.inference.comparison.compared import models_to_compare
from rocsteady._src.inference.comparison.models import Plan as ComparisonPlan
from rocsteady._src.inference.comparison.models_by_measure import At, at_thresholds, compare_by_measures
from rocsteady._src.inference.resampling.resample import fresh_seed
from rocsteady._src.measures.confusion import threshold_text
from rocsteady._src.measures.curves import det_curve, gains_curve, pr_curve, roc_curve
from rocsteady._src.measures.requests import Request, at_a_threshold, parse_requests
from rocsteady._src.probabilities.calibration.curve import calibration_curve
from rocsteady._src.results import DIRECTION, Comparison, Interval, Origin, PagedResult
from rocsteady._src.results.by_model import ByModel
from rocsteady._src.results.comparisons import Comparisons
from rocsteady._src.results.plot_kinds import by_kind, no_such_kind
from rocsteady._src.results.reading import one_line
from rocsteady._src.results.remarks import Remark, noted, together

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike
    from pathlib import Path
    from typing import Literal, TypeAlias, Unpack

    from matplotlib.axes import Axes

    from rocsteady._src.base.frames import Table
    from rocsteady._src.ranked import AnyRows, RankedScores
    from rocsteady._src.results.decision import Decision
    from rocsteady._src.results.displays import CurveDisplays, ReportOptions

    Kind: TypeAlias = Literal["roc", "pr", "calibration", "gains", "det"]

NO_INTERVAL = (float("nan"), float("nan"))
CURVES: dict[str, Any] = {"roc": roc_curve, "pr": pr_curve, "det": det_curve, "gains": gains_curve}
CURVES["calibration"] = calibration_curve


@dataclass(frozen=True, slots=True, eq=False)
class Evaluation(ByModel, PagedResult):
    """One row per model, one column per measure, with what was assumed and what to beware of.

    ``values[model][column]`` are floats; NaN ones are :class:`rocsteady.errors.Undefined` and carry their reason.
    ``ranked[model]`` feeds every other measure and curve without sorting again.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, s = [1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.3, 0.1]
    >>> result = rs.evaluate(y, {"first": s, "second": [4, 3, 3, 2, 1, 1]}, measures=["auc"])
    >>> result["first"], list(result.values)
    (Evaluation(auc: first 0.8889; 6 rows), ['first', 'second'])
    """

    models: tuple[str, ...]
    columns: tuple[str, ...]
    values: dict[str, dict[str, float]]
    thresholds: dict[str, float]
    origin: Origin
    n_pos: Any
    n_neg: Any
    remarks: tuple[Remark, ...]
    ranked: dict[str, RankedScores]
    rows: AnyRows = field(repr=False)
    intervals: dict[str, dict[str, Interval]] = field(default_factory=dict, repr=False)
    cluster: str | None = None
    auc_method: str = "auto"
    requests: tuple[Request, ...] = field(default=(), repr=False)
    threshold_rule: Any = None  # a rule that chose the thresholds on these rows, of all models or by model

    @property
    def fingerprints(self) -> dict[str, str]:
        """A short hash of every model's groups, the same for the same data in any row order, container or engine."""
        return {model: groups.fingerprint for model, groups in self.ranked.items()}

    def __getitem__(self, name: str | list[str]) -> Any:
        """Of a model, or a list of them: their evaluation alone; of a column: its value, or of several models by model.

        Examples
        --------
        >>> import rocsteady as rs
        >>> result = rs.evaluate([1, 1, 0, 0], {"a": [0.9, 0.4, 0.5, 0.1], "b": [0.9, 0.8, 0.2, 0.1]})
        >>> result["a"]["auc"], result["auc"]
        (0.75, {'a': 0.75, 'b': 1.0})
        """
        if isinstance(name, list) and name and all(each in self.models for each in name):
            return self._of_models(tuple(dict.fromkeys(name)))
        if name in self.models:
            return self._of_models((name,))
        if name in self.columns:
            found = {model: row[name] for model, row in self.values.items()}
            return found if len(found) > 1 else found[self.models[0]]
        known = f"models: {some_values(self.models, most=20)}; measures: {some_values(self.columns, most=20)}"
        raise AbsentKeyError("name", f"there is no model or measure {printable(repr(name), most=60)} here; {known}")

    def _of_models(self, models: tuple[str, ...]) -> Evaluation:
        return replace(
            self,
            models=models,
            values={model: self.values[model] for model in models},
            thresholds={each: value for each, value in self.thresholds.items() if each in models},
            ranked={model: self.ranked[model] for model in models},
            rows=self.rows.of_models(*models) or self.rows,
            remarks=tuple(remark for remark in self.remarks if remark.model in (None, *models)),
            intervals={each: found for each, found in self.intervals.items() if each in models},
        )

    def _brief(self) -> str:
        column = self.columns[0]
        shown = [f"{printable(model, most=30)} {self._cell(model, column)}" for model in self.models[:3]]
        more = [f"and {format_count(len(self.models) - 3)} more"] if len(self.models) > 3 else []
        return one_line(f"{column}: {', '.join([*shown, *more])}; {format_count(self.origin.n_rows)} rows")

    def with_intervals(
        self,
        *,
        level: float = 0.95,
        n_resamples: int | None = None,
        random_state: int = 0,
        auc_method: str = "auto",
    ) -> Evaluation:
        """The same values with confidence intervals; arguments as in :func:`rocsteady.evaluate`."""
        refuse_repeated_ids(self.rows, self.cluster)
        seed, clustered = fresh_seed(random_state), self.cluster is not None
        plan = Plan(level, seed, n_resamples, self.thresholds, clustered, auc_method, rule=self.threshold_rule)
        requests = list(self.requests) or parse_requests(self.columns)
        found = intervals_of_table(self.rows, self.ranked, requests, plan)
        return replace(self, intervals=found, auc_method=auc_method)

    @overload
    def compare(self, baseline: str | None = None, *others: str, measures: None = None, **how: Any) -> Comparison: ...
    @overload
    def compare(
        self, baseline: str | None = None, *others: str, measures: Sequence[Any], **how: Any
    ) -> Comparisons: ...
    def compare(  # type: ignore[misc]  # what tells the results apart is named above
        self,
        baseline: str | None = None,
        *others: str,
        measure: Any = None,
        measures: Sequence[Any] | None = None,
        threshold: float | str | None = None,
        method: str = "auto",
        intervals: str = "separate",
        level: float = 0.95,
        n_resamples: int = 2000,
        cutoffs: Sequence[float] | None = None,
    ) -> Comparison | Comparisons:
        """Compare all models, by AUC or any measure: differences with intervals, adjusted p-values, a verdict.

        Parameters
        ----------
        baseline : str, optional
            Compare each model to this one; all pairs when absent.
        *others : str
            With names after the first, all pairs of these models only: ``compare("a", "b")``.
        measure, measures, method, intervals, level, n_resamples
            As in :func:`rocsteady.compare_models`; ``threshold`` too, that of the evaluation unless given.
            With ``threshold`` and no measure models are tests that call yes or no: a :class:`CallComparison`.
        cutoffs : sequence of float, optional
            Limits of risk categories: adds reclassification tables, NRI and IDI of each pair, the baseline or else
            the first model being the old one, and calibration and net benefit of each model. The scores must be
            probabilities.

        Returns
        -------
        Comparison
            :class:`Comparisons` with ``measures``: one for each.
        """
        refuse_repeated_ids(self.rows, self.cluster)
        baseline, names = models_to_compare(self.models, baseline, others)
        ranked = {name: self.ranked[name] for name in names}
        rows = (self.rows.of_models(*names) or self.rows) if others else self.rows
        plan = ComparisonPlan(method, intervals, level, baseline, n_resamples)
        at = At(self.thresholds, self.threshold_rule is not None)
        at = at if threshold is None else at_thresholds(ranked, threshold, alone=cutoffs is None)
        compared = compare_by_measures(rows.paired(ranked), measure, measures, plan, at)
        if cutoffs is None or isinstance(compared, Comparisons):
            return compared
        return with_probabilities(compared, rows, ranked, cutoffs)

    def decide(
        self,
        *,
        cost_fp: float | None = None,
        cost_fn: float | None = None,
        prevalence: float | None = None,
        baseline: str | None = None,
        level: float = 0.95,
    ) -> Decision:
        """Say which model to use, at what threshold, and at what cost, beside the others and beside no model.

        Every model has its threshold of least expected cost on these rows. Differences in cost are compared row by
        row, with intervals.

        Parameters
        ----------
        cost_fp, cost_fn : float, optional
            What a false alarm and a miss cost. Without either, 1:1; where 1:1 would treat all cases alike, both classes
            weigh the same (``costs`` says which).
        prevalence : float, optional
            Share of positives where the model will be used; that of the rows when absent.
        baseline : str, optional
            The model that is beaten or not; the runner-up when absent.
        level : float
            Confidence level.

        Returns
        -------
        Decision
            ``print`` shows the sentence to act on, and a table of 1,000 cases.

        Examples
        --------
        >>> import rocsteady as rs
        >>> loans = rs.examples.loans(1000)
        >>> result = rs.evaluate(loans, label="defaulted", scores=["logistic", "boosted"])
        >>> found = result.decide(cost_fp=50, cost_fn=400)
        >>> found.model, round(found[found.model].missed)
        ('boosted', 13)
        """
        from rocsteady._src.evaluation.decision import decide

        return decide(self, cost_fp=cost_fp, cost_fn=cost_fn, prevalence=prevalence, baseline=baseline, level=level)

    def _repr_html_(self) -> str:
        """Show a table, and the ROC curves where the report's packages are installed, in a notebook."""
        from rocsteady._src.views.report.notebook import evaluation_html

        return evaluation_html(self)

    def report(self, path: str | PathLike[str] = "report.html", **options: Unpack[ReportOptions]) -> Path:
        """Write one self-contained page that answers the question, and return its path.

        Parameters
        ----------
        path : str or Path
            Where to; the ending chooses the form: .html, .md, .json, .png or .svg.
        **options
            ``title``; ``level``; ``auc_method``; ``cost_fp``, ``cost_fn``, ``prevalence`` and ``baseline`` of the
            decision, as in :meth:`decide`; ``model`` and ``threshold`` to open the page with; ``cutoffs`` of risk
            categories; ``method`` and ``intervals`` of comparisons; ``command``, the line that makes the page again;
            ``format`` and ``force`` (replace any file; a page about the same data is replaced anyway).
        """
        from rocsteady._src.views.report.write import write_report

        return write_report(self, path, **options)

    def _saved(self) -> dict[str, Any]:
        from rocsteady._src.evaluation.saved import written_evaluation

        return written_evaluation(self)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values: assumptions, then one entry per model."""
        return {
            **self.origin.to_dict(),
            "n_pos": self.n_pos,
            "n_neg": self.n_neg,
            "models": [self._model_dict(model) for model in self.models],
            "remarks": [remark.to_dict() for remark in self.remarks],
        }

    def _model_dict(self, model: str) -> dict[str, Any]:
        values = self.values[model]
        entry: dict[str, Any] = {"model": model, "fingerprint": self.fingerprints[model], "measures": dict(values)}
        if model in self.intervals:
            entry["intervals"] = {column: found.to_dict() for column, found in self.intervals[model].items()}
        if model in self.thresholds:
            entry["threshold"] = self.thresholds[model]
        reasons = {column: value.reason for column, value in values.items() if isinstance(value, Undefined)}
        return entry | ({"undefined": reasons} if reasons else {})

    def _columns(self) -> Table:
        table: Table = {"model": list(self.models)}
        if at_a_threshold(self.requests) and self.thresholds:
            table["threshold"] = [self.thresholds[model] for model in self.models]
        for column in self.columns:
            table[column] = [float(self.values[model][column]) for model in self.models]
            if any(column in found for found in self.intervals.values()):
                ends = [tuple(self.intervals[model].get(column, NO_INTERVAL)) for model in self.models]
                table |= {f"{column}_low": [low for low, _ in ends], f"{column}_high": [high for _, high in ends]}
        return table

    @by_kind(*CURVES)
    def plot(  # type: ignore[override]  # one per model
        self, ax: Axes | Kind | None = None, *, kind: Kind = "roc", publication: bool = False
    ) -> CurveDisplays:
        """Draw curves of all models in one picture with matplotlib.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; a new figure when absent. A kind may stand here too, ``plot("pr")``, as in ``plot.pr()``.
        kind : {"roc", "pr", "calibration", "gains", "det"}
            Which curves.
        publication : bool
            Draw for print: a column's width, small serif type.
        """
        from rocsteady._src.views.plots import draw_calibrations, draw_curves

        kind, ax = (ax, None) if isinstance(ax, str) else (kind, ax)
        if kind not in CURVES:
            raise ArgumentError("kind", no_such_kind(kind, CURVES))
        curves = {model: CURVES[kind](ranked) for model, ranked in self.ranked.items()}
        return (draw_calibrations if kind == "calibration" else draw_curves)(curves, ax, publication=publication)

    def __str__(self) -> str:
        return "\n".join([text_table(*turned_if_wide(*self.cells())), *self.notes()])

    def cells(self) -> tuple[list[str], list[list[str]]]:
        """Header and rows for reading: each value with its interval in one cell."""
        used = self.thresholds and at_a_threshold(self.requests)
        header = ["model", *(["threshold"] if used else []), *self.columns]
        shown = [[printable(model) for model in self.models]]
        if used:
            shown.append([threshold_text(self.ranked[model], self.thresholds[model]) for model in self.models])
        shown += [self._column(column) for column in self.columns]
        return header, [list(line) for line in zip(*shown, strict=True)]

    def _column(self, column: str) -> list[str]:
        """A measure of all models, in equal decimals."""
        values = [float(self.values[model][column]) for model in self.models]
        found = [self.intervals.get(model, {}).get(column) for model in self.models]
        if not any(found):
            return format_column(values)
        ends = [NO_INTERVAL if each is None else (each.low, each.high) for each in found]
        return format_intervals([(value, *each) for value, each in zip(values, ends, strict=True)])

    def _cell(self, model: str, column: str) -> str:
        value, found = float(self.values[model][column]), self.intervals.get(model, {}).get(column)
        return format_number(value) if found is None else format_interval(value, found.low, found.high)

    def notes(self) -> list[str]:
        """What was assumed, what to beware of, and why values are missing."""
        undefined = [
            f"note: {model}: {column} is undefined: {value.explanation}"
            for model, values in self.values.items()
            for column, value in values.items()
            if isinstance(value, Undefined)
        ]
        losses = {request.column for request in self.requests if request.sheet.name == "log_loss"}
        undefined += [
            f"note: {model}: {column} is infinite: a score of 0 or 1 was given to what did not happen"
            for model, values in self.values.items()
            for column in losses & values.keys() - self.intervals.get(model, {}).keys()
            if values[column] == math.inf
        ]
        remarks = [noted(remark) for remark in together(self.remarks)]
        how = [*describe_intervals(self.intervals), *self._subjects(), *without_interval(self.values, self.intervals)]
        return [safe(line) for line in [self.assumptions(), *how, *remarks, *undefined]]

    def _subjects(self) -> list[str]:
        if self.cluster is None:
            return []
        return [
            f"intervals and tests count subjects, not rows: {format_count(self.rows.n_subjects)} in {self.cluster!r}"
        ]

    def assumptions(self) -> str:
        """One line: rows, classes, positive label, direction, dropped rows."""
        rows = self.origin.sizes(self.n_pos, self.n_neg)
        rounded = f"; {self.origin.rounding}" if self.origin.rounding else ""
        return f"{rows}; positive label {self.origin.pos_label!r}; {DIRECTION}{self.origin.dropped}{rounded}"
