"""What groups and folds of more than two classes share: every part by itself beside all rows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, overload

from rocsteady._src.base.errors import Undefined
from rocsteady._src.evaluation.classes.parts import ALONE
from rocsteady._src.inference.comparison.compared import (
    by_each_measure,
    chosen_pairs,
    measure_or_models,
    one_or_several,
)
from rocsteady._src.inference.intervals.normal import check_level
from rocsteady._src.results import PagedResult
from rocsteady._src.results.absent_rows import absent_rows

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike
    from pathlib import Path
    from typing import Unpack

    from rocsteady._src.evaluation.classes.models import MulticlassModels
    from rocsteady._src.evaluation.classes.parts import ClassParts
    from rocsteady._src.results import Comparison, Comparisons, GroupedComparison
    from rocsteady._src.results.displays import ReportOptions
    from rocsteady._src.results.multiclass import MulticlassEvaluation
    from rocsteady._src.results.remarks import Remark


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class DividedClasses(PagedResult):
    """``parts`` are models in each part, ``whole`` in all rows; one model that was not ``named`` stands for itself."""

    whole: MulticlassModels
    parts: dict[Any, MulticlassModels]
    named: bool
    remarks: tuple[Remark, ...]
    level: float
    kept: ClassParts = field(default_factory=absent_rows, repr=False)

    _held_rows: ClassVar[tuple[str, ...]] = ("kept",)

    @property
    def overall(self) -> MulticlassEvaluation | MulticlassModels:
        """All rows; of folds pooled."""
        return self._opened(self.whole)

    def _opened(self, found: MulticlassModels) -> MulticlassEvaluation | MulticlassModels:
        return found if self.named else found[ALONE]

    def _each(self) -> dict[Any, MulticlassEvaluation | MulticlassModels]:
        return {part: self._opened(each) for part, each in self.parts.items()}

    @overload
    def compare(
        self,
        measure: str | None = None,
        *others: str,
        measures: None = None,
        baseline: str | None = None,
        level: float | None = None,
    ) -> Comparison | GroupedComparison: ...
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
    ) -> Comparison | GroupedComparison | Comparisons:
        """Compare the models by one number about all classes, or by several.

        In groups: within each, by the paired test of :meth:`MulticlassModels.compare`, and whether their difference is
        the same in all. Over folds: as learners, which would be trained anew, by the corrected resampled t (Nadeau and
        Bengio 2003), as :meth:`FoldedEvaluation.compare` does.

        Parameters
        ----------
        measure : str, optional
            The number to compare, the first of those evaluated when absent; any that ``measures=`` of
            :func:`rocsteady.evaluate` takes. The name of a model here is the baseline.
        *others : str
            With names of models, all pairs of these only: ``compare("a", "b")``.
        measures : list of str, optional
            Several: a :class:`Comparisons` with a verdict for each.
        baseline : str, optional
            Compare each model to this one; all pairs when absent.
        level : float, optional
            That of the evaluation unless given.

        Returns
        -------
        Comparison over folds, GroupedComparison of groups
        """
        measure, baseline, chosen = measure_or_models(self.whole.models, measure, others, baseline)
        one_or_several(measure, measures)
        level = self.level if level is None else level
        check_level(level)
        chosen_pairs(chosen, baseline)
        if measures is None:
            name = self.whole.columns[0] if measure is None else self.whole.measure(measure).name
            return self._compared(name, baseline, chosen, level)
        names = {name: name for name in self.whole.asked(measures)}
        return by_each_measure(names, lambda name: self._compared(name, baseline, chosen, level))

    def _compared(
        self, measure: str, baseline: str | None, models: tuple[str, ...], level: float
    ) -> Comparison | GroupedComparison:
        raise NotImplementedError

    def _value(self, part: MulticlassModels, model: str, measure: str) -> float:
        found = part.judged[model].estimate(measure)
        return found if isinstance(found, Undefined) else found.value

    def report(self, path: str | PathLike[str] = "report.html", **options: Unpack[ReportOptions]) -> Path:
        """Write one self-contained page and return its path; options as of :meth:`MulticlassEvaluation.report`."""
        from rocsteady._src.views.report.write import write_report

        return write_report(self, path, **options)  # type: ignore[arg-type]  # groups or folds
