"""Several models of more than two classes on the same rows: a table of them, and tests of their differences."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, overload

from rocsteady._src.base.errors import ArgumentError, Undefined, printable, some_values
from rocsteady._src.base.near_names import part_of
from rocsteady._src.base.sentences import safe
from rocsteady._src.base.text import (
    format_count,
    format_intervals,
    format_level,
    format_number,
    text_table,
    turned_if_wide,
)
from rocsteady._src.designs.classes.estimates import difference_test
from rocsteady._src.designs.classes.evaluation import judge_classes
from rocsteady._src.designs.classes.names import AREA_OF, asked_measures, class_measure
from rocsteady._src.evaluation.classes.saved_models import read_judged, written_judged
from rocsteady._src.inference.comparison.compared import (
    by_each_measure,
    chosen_pairs,
    compared,
    measure_or_models,
    one_or_several,
    widest_of,
)
from rocsteady._src.inference.intervals.normal import check_level
from rocsteady._src.results import Origin, PagedResult
from rocsteady._src.results.pictures import Forest, line_of
from rocsteady._src.results.reading import one_line
from rocsteady._src.results.remarks import noted
from rocsteady._src.results.saved_values import fields_of, from_json

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from os import PathLike
    from pathlib import Path
    from typing import Self, Unpack

    from rocsteady._src.base.frames import Table
    from rocsteady._src.designs.classes.estimates import ClassEstimate
    from rocsteady._src.designs.classes.names import ClassMeasure
    from rocsteady._src.designs.classes.scores_by_class import ClassRows
    from rocsteady._src.results import Comparison, Comparisons
    from rocsteady._src.results.displays import ReportOptions
    from rocsteady._src.results.inference import Interval
    from rocsteady._src.results.multiclass import MulticlassEvaluation
    from rocsteady._src.results.multilabel import MultilabelEvaluation
    from rocsteady._src.results.remarks import Remark


@dataclass(frozen=True, slots=True, eq=False)
class MulticlassModels(PagedResult):
    """Several models of the same classes on the same rows: ``result["name"]`` is all about one of them.

    ``columns`` are the numbers about all classes that were asked for; ``judged`` holds what rows add to them, so that
    :meth:`compare` sorts nothing again.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y = [0, 1, 2] * 10
    >>> p = [[0.6, 0.2, 0.2], [0.3, 0.4, 0.3], [0.2, 0.3, 0.5]] * 9 + [[0.3, 0.4, 0.3]] * 3
    >>> rs.evaluate(y, {"first": p, "second": p[::-1]}, classes=[0, 1, 2])
    MulticlassModels(3 classes; first macro_auc 0.9650; second macro_auc 0.3350)
    """

    models: dict[str, MulticlassEvaluation]
    columns: tuple[str, ...]
    labels: tuple[Any, ...]
    level: float
    origin: Origin
    warnings: tuple[Remark, ...] = ()
    judged: dict[str, Any] = field(default_factory=dict, repr=False)

    noun: ClassVar[tuple[str, str]] = ("class", "classes")

    _held_rows: ClassVar[tuple[str, ...]] = ("judged",)

    def _saved(self) -> dict[str, Any]:
        return {"fields": fields_of(self), "judged": written_judged(self)}

    @classmethod
    def _from_saved(cls, told: dict[str, Any]) -> Self:
        fields = {name: from_json(each) for name, each in told["fields"].items()}
        return cls(**fields, judged=read_judged(told["judged"], list(fields["models"]), fields["origin"]))

    def measure(self, name: Any) -> ClassMeasure:
        """What is known of a number that models have."""
        return class_measure(name)

    def asked(self, measures: Any) -> tuple[str, ...]:
        """Names of numbers that were asked for."""
        return asked_measures(measures)

    def __getitem__(self, model: str) -> MulticlassEvaluation:
        return part_of(self.models, model)

    def __iter__(self) -> Iterator[str]:
        return iter(self.models)

    def __len__(self) -> int:
        return len(self.models)

    def value(self, model: str, measure: str) -> Interval:
        """One number of one model, with its interval."""
        return self.models[model].values[measure]

    @overload
    def compare(
        self,
        measure: str | None = None,
        *others: str,
        measures: None = None,
        baseline: str | None = None,
        level: float | None = None,
    ) -> Comparison: ...
    @overload
    def compare(
        self, *others: str, measures: Sequence[str], baseline: str | None = None, level: float | None = None
    ) -> Comparisons: ...
    def compare(
        self,
        measure: str | None = None,
        *others: str,
        measures: Sequence[str] | None = None,
        baseline: str | None = None,
        level: float | None = None,
    ) -> Comparison | Comparisons:
        """Compare the models by one number about all classes: differences with intervals, adjusted p, a verdict.

        The test is paired: Student's t by what each row adds to one model less what it adds to the other.

        Parameters
        ----------
        measure : str, optional
            The number to compare, the first of ``columns`` when absent; any that ``measures=`` of
            :func:`rocsteady.evaluate` takes. The name of a model here is the baseline.
        *others : str
            With names of models, all pairs of these only: ``compare("a", "b")``.
        measures : list of str, optional
            Several: a :class:`Comparisons` with a verdict for each.
        baseline : str, optional
            Compare each model to this one; all pairs when absent.
        level : float, optional
            Confidence level, that of the evaluation when absent.

        Returns
        -------
        Comparison, or Comparisons with ``measures``
        """
        measure, baseline, chosen = measure_or_models(self.models, measure, others, baseline)
        one_or_several(measure, measures)
        level, part = self.level if level is None else level, self.only(chosen)
        check_level(level)
        if measures is None:
            return _compared(part, self.columns[0] if measure is None else measure, baseline, level)
        names = {name: name for name in self.asked(measures)}
        return by_each_measure(names, lambda name: _compared(part, name, baseline, level))

    def only(self, chosen: tuple[str, ...]) -> Self:
        """The same with some of the models, in that order."""
        return replace(self, models={name: self.models[name] for name in chosen})

    def estimate(self, model: str, measure: str) -> ClassEstimate:
        """What rows add to a number; refused with the reason where there is none."""
        found: ClassEstimate | Undefined = self.judged[model].estimate(measure)
        if isinstance(found, Undefined):
            text = f"{measure} of {model!r} is undefined: {found.explanation}"
            raise ArgumentError("measure", f"{text}; compare another measure")
        return found

    def report(self, path: str | PathLike[str] = "report.html", **options: Unpack[ReportOptions]) -> Path:
        """Write one self-contained page and return its path; options as of :meth:`MulticlassEvaluation.report`."""
        from rocsteady._src.views.report.write import write_report

        return write_report(self, path, **options)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values: assumptions, then one entry per model."""
        return {
            **self.origin.to_dict(),
            self.noun[1]: list(self.labels),
            "columns": list(self.columns),
            "level": self.level,
            "models": [{"model": model, **each.to_dict()} for model, each in self.models.items()],
            "warnings": [remark.to_dict() for remark in self.warnings],
        }

    def _columns(self) -> Table:
        table: Table = {"model": list(self.models)}
        for column in self.columns:
            found = [self.value(model, column) for model in self.models]
            table[column] = [float(each.estimate) for each in found]
            table |= {f"{column}_{end}": [getattr(each, end) for each in found] for end in ("low", "high")}
        return table

    def cells(self) -> tuple[list[str], list[list[str]]]:
        """Header and rows for reading: each value with its interval in one cell."""
        shown = [[printable(model) for model in self.models]]
        for column in self.columns:
            found = [self.value(model, column) for model in self.models]
            shown.append(format_intervals([(each.estimate, each.low, each.high) for each in found]))
        return ["model", *self.columns], [list(line) for line in zip(*shown, strict=True)]

    def notes(self) -> list[str]:
        """What was assumed and what to beware of."""
        return [safe(line) for line in [self.assumptions(), *map(noted, self.warnings)]]

    def assumptions(self) -> str:
        """One line: rows, classes, direction, dropped rows, level."""
        rows, k = format_count(self.origin.n_rows), format_count(len(self.labels))
        what, which = f"{k} {self.noun[1]}, {some_values(self.labels, most=5)}", self.noun[0]
        weighted = " (weighted)" if self.origin.weighted else ""
        told = f"{rows} rows{weighted} of {what}; a higher score means more of that {which}"
        return f"{told}; {format_level(self.level)} intervals{self.origin.dropped}"

    def __str__(self) -> str:
        return "\n".join([text_table(*turned_if_wide(*self.cells())), *self.notes()])

    def _brief(self) -> str:
        first = self.columns[0]
        found = [f"{model} {first} {format_number(float(self.value(model, first).estimate))}" for model in self.models]
        return one_line(f"{format_count(len(self.labels))} {self.noun[1]}; {'; '.join(found)}")

    def _picture(self) -> Forest:
        first = self.columns[0]
        lines = tuple(line_of(printable(model), self.value(model, first)) for model in self.models)
        label = self.measure(first).label
        title = (f"{label} of {format_count(len(self.labels))} {self.noun[1]}",)
        return Forest(title, f"{label}, {format_level(self.level)} intervals", lines)


def evaluate_models(
    rows: Mapping[str, ClassRows],
    *,
    measures: Sequence[str] | None = None,
    level: float,
    auc_method: str,
    scored: bool = True,
) -> MulticlassModels:
    """Evaluate rows that were read; the scores of each class are sorted once per model."""
    asked_measures(measures)
    how: dict[str, Any] = {"level": level, "auc_method": auc_method, "measures": measures, "scored": scored}
    made = {name: judge_classes(each, kept=len(rows) > 1, **how) for name, each in rows.items()}
    models = {name: found for name, (found, _) in made.items()}
    first = next(iter(models.values()))
    shared = set.intersection(*(set(each.values) for each in models.values()))
    return MulticlassModels(
        models=models,
        columns=tuple(name for name in first.values if name in shared),
        labels=first.labels,
        level=level,
        origin=next(iter(rows.values())).origin(),
        warnings=shared_remarks(models),
        judged={name: judged for name, (_, judged) in made.items()},
    )


def shared_remarks(models: Mapping[str, MulticlassEvaluation | MultilabelEvaluation]) -> tuple[Remark, ...]:
    """What is said of any model, each once."""
    return tuple(dict.fromkeys(remark for each in models.values() for remark in each.warnings))


def _compared(models: MulticlassModels, name: str, baseline: str | None, level: float) -> Comparison:
    names = tuple(models.models)
    chosen, measure = chosen_pairs(names, baseline), models.measure(name)
    found = [models.estimate(model, measure.name) for model in names]
    return compared(
        names,
        [difference_test(found[i], found[j], measure.label, level) for i, j in chosen],
        {model: _interval(models, model, measure.name, level) for model in names},
        what=measure.label,
        baseline=baseline,
        level=level,
        facts={"n_pos": None, "n_neg": None, "origin": models.origin},
        higher=measure.higher,
        widest=widest_of(measure.bounds),
        method="t",
        clustered=next(iter(models.judged.values())).rows.clusters is not None,
    )


def _interval(models: MulticlassModels, model: str, name: str, level: float) -> Interval:
    """The interval of one model, which the evaluation knows already unless another level is asked for."""
    found = models.models[model]
    known = {AREA_OF[average]: area for average, area in found.averages.items()} | found.values
    return known[name] if name in known and level == models.level else models.judged[model].interval(name, level)
