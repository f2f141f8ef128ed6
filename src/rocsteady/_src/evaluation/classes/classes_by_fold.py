"""evaluate(y, P, fold=folds) of more than two classes: averages of each fold, their mean, and all rows pooled."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from rocsteady._src.base.errors import InputError, Undefined, printable, some_values
from rocsteady._src.base.near_names import part_of
from rocsteady._src.base.sentences import safe
from rocsteady._src.base.text import format_count, format_interval, format_level, format_number, text_table
from rocsteady._src.evaluation.classes.divided import DividedClasses
from rocsteady._src.evaluation.classes.parts import CLASSES, judge_parts
from rocsteady._src.evaluation.compared_folds import learners_compared
from rocsteady._src.evaluation.evaluation_by_fold import POOLED
from rocsteady._src.inference.intervals.normal import quantile_of
from rocsteady._src.inference.intervals.replicate_ends import moved, within
from rocsteady._src.ranked import numbered, sorted_distinct
from rocsteady._src.results import Interval
from rocsteady._src.results.pictures import Forest, line_of
from rocsteady._src.results.plain_values import plain
from rocsteady._src.results.reading import one_line
from rocsteady._src.results.remarks import Remark, noted, undefined_because

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from rocsteady._src.base.frames import Table
    from rocsteady._src.evaluation.classes.models import MulticlassModels
    from rocsteady._src.evaluation.classes.parts import ClassParts, Design
    from rocsteady._src.ranked import Rows
    from rocsteady._src.results import Comparison
    from rocsteady._src.results.multiclass import MulticlassEvaluation

FEW = 5


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class MulticlassFolds(DividedClasses):
    """Models of more than two classes in every fold: ``result["model"]`` has the mean of each number over folds.

    ``means[model][measure]`` has an interval for the trained models: what rows add within their folds.
    ``parts[fold]`` is each fold by itself, ``whole`` all rows pooled. A model without a name is called "model".
    ``share`` of the rows is tested in a fold.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, fold = [0, 1, 2] * 10, [row // 15 for row in range(30)]
    >>> p = [[0.6, 0.2, 0.2], [0.3, 0.4, 0.3], [0.2, 0.3, 0.5]] * 9 + [[0.3, 0.4, 0.3]] * 3
    >>> type(rs.evaluate(y, p, classes=[0, 1, 2], fold=fold)).__name__
    'MulticlassFolds'
    """

    fold: str
    means: dict[str, dict[str, Interval]]
    share: float

    about_pool: ClassVar[str] = POOLED

    @property
    def folds(self) -> dict[Any, MulticlassEvaluation | MulticlassModels]:
        """Each fold by itself."""
        return self._each()

    def _compared(self, measure: str, baseline: str | None, models: tuple[str, ...], level: float) -> Comparison:
        asked, rows = self.whole.measure(measure), next(iter(self.whole.judged.values())).rows
        values = {model: [self._value(each, model, measure) for each in self.parts.values()] for model in models}
        return learners_compared(
            values,
            {model: self._mean(model, measure, level) for model in values},
            (max(each.origin.n_rows for each in self.parts.values()), self.share),
            baseline=baseline,
            level=level,
            what=asked.label,
            higher=asked.higher,
            facts={"n_pos": None, "n_neg": None, "origin": self.whole.origin},
            clustered=rows.clusters is not None,
        )

    def _mean(self, model: str, measure: str, level: float) -> Interval:
        known = self.means[model]
        if measure in known and level == self.level:
            return known[measure]
        return mean_over_folds(self.kept, model, measure, level, self.whole)

    def __getitem__(self, model: str) -> dict[str, Interval]:
        return part_of(self.means, model)

    def __iter__(self) -> Iterator[str]:
        return iter(self.means)

    def __len__(self) -> int:
        return len(self.means)

    def _brief(self) -> str:
        first = self.whole.columns[0]
        found = [f"{model} mean {first} {format_number(float(each[first].estimate))}" for model, each in self._named()]
        return one_line(f"{format_count(len(self.parts))} folds by {self.fold!r}; {'; '.join(found)}")

    def _named(self) -> list[tuple[str, dict[str, Interval]]]:
        return list(self.means.items())

    def to_dict(self) -> dict[str, Any]:
        """Return plain values: all rows, each fold, then the means."""
        return {
            "fold": self.fold,
            "overall": self.overall.to_dict(),
            "folds": [{"fold": plain(fold), **each.to_dict()} for fold, each in self.folds.items()],
            "means": {
                model: {name: found.to_dict() for name, found in each.items()} for model, each in self.means.items()
            },
            "remarks": [remark.to_dict() for remark in self.remarks],
        }

    def _columns(self) -> Table:
        """One line per fold and model."""
        lines = self.parts.items()
        table: Table = {"fold": [plain(fold) for fold, each in lines for _ in each]}
        table["n_rows"] = [each.origin.n_rows for _, each in lines for _ in each]
        frames = [replace(each, columns=self.whole.columns)._columns() for _, each in lines]  # noqa: SLF001 - its parts
        for column in frames[0]:
            table[column] = [value for frame in frames for value in frame[column]]
        return table

    def cells(self) -> tuple[list[str], list[list[str]]]:
        """Header and rows for reading: a line per fold and model, then mean and pooled."""
        columns, rows = self.whole.columns, []
        found: list[tuple[str, Any, Any]] = [
            (printable(fold, most=40), each.origin.n_rows, each.value) for fold, each in self.parts.items()
        ]
        n_rows = self.whole.origin.n_rows
        found += [("mean", n_rows, lambda model, name: self.means[model][name]), ("pooled", n_rows, self.whole.value)]
        for name, size, value in found:
            for model in self.means:
                cells = [value(model, column) for column in columns]
                ends = name in ("mean", "pooled")
                told = [
                    format_interval(c.estimate, c.low, c.high) if ends else format_number(float(c.estimate))
                    for c in cells
                ]
                rows.append([name, format_number(size), *([printable(model)] if self.named else []), *told])
        return [self.fold, "rows", *(["model"] if self.named else []), *columns], rows

    def notes(self) -> list[str]:
        """What was assumed, where a mean is undefined, and what to beware of."""
        lines = [self.whole.assumptions()]
        whom: dict[str, list[str]] = {}
        for model, means in self.means.items():
            for name in means:
                whom.setdefault(self._undefined(model, name), []).append(model)
        starts = {text: f"{', '.join(models)}: " if self.named else "" for text, models in whom.items() if text}
        lines += [f"note: {start}{text}" for text, start in starts.items()]
        told = [noted(remark) for remark in (*self.whole.warnings, *self.remarks)]
        return [safe(line) for line in [*lines, *told, *([f"note: {self.about_pool}"] if self.about_pool else [])]]

    def _undefined(self, model: str, name: str) -> str:
        lost = [fold for fold, each in self.parts.items() if math.isnan(each.value(model, name).estimate)]
        if not lost:
            mean = self.means[model][name]
            return f"{name}: {mean.warnings[0]}" if math.isnan(mean.low) else ""
        reason = self.parts[lost[0]].value(model, name).warnings[0]
        return f"{name} has no mean: undefined in fold {some_values(lost)}: {reason}"

    def __str__(self) -> str:
        return "\n".join([text_table(*self.cells()), *self.notes()])

    def _picture(self) -> Forest:
        first = self.whole.columns[0]
        lines = []
        for model, means in self.means.items():
            name = f"{printable(model)}, " if self.named else ""
            found = [(f"{name}fold {printable(fold)}", each.value(model, first)) for fold, each in self.parts.items()]
            found.append((f"{name}mean", means[first]))
            lines += [line_of(text, each) for text, each in found if not math.isnan(each.estimate)]
        label = self.whole.measure(first).label
        title = (f"{label} by {printable(self.fold)}", f"{format_level(self.level)} intervals")
        return Forest(title, label, tuple(lines))


def fold_members(rows: Rows, fold: str, repeat: str | None) -> tuple[list[Any], NDArray[np.int64], float]:
    """Folds in the order of their values, the fold of each row, and the share of rows that one tests.

    With repeats each fold of each repeat.
    """
    folds, place = numbered(rows.columns[fold], rows.orders.get(fold, ()))
    if repeat is None:
        return folds, place, 1 / len(folds)
    repeats, turn = numbered(rows.columns[repeat], rows.orders.get(repeat, ()))
    cells, place = sorted_distinct(turn * len(folds) + place)
    both = (divmod(int(cell), len(folds)) for cell in cells)
    names = [f"{printable(repeats[one])}: {printable(folds[two])}" for one, two in both]
    return names, place, len(repeats) / len(names)


def evaluate_class_folds(
    rows: dict[str, Any],
    pooled: dict[str, Any],
    fold: str,
    folds: list[Any],
    fold_of: NDArray[np.int64],
    share: float,
    units: NDArray[np.int64] | None,
    *,
    named: bool,
    design: Design = CLASSES,
    made: type[MulticlassFolds] = MulticlassFolds,
    **how: Any,
) -> MulticlassFolds:
    """Evaluate every fold and all rows; ``units`` number what may stand in several folds: subjects, rows of repeats."""
    if len(folds) < 2:
        text = f"column {fold!r} has one value only, {some_values(folds)}: a cross-validation has at least two folds"
        raise InputError("one_fold", text)
    whole = design.evaluate(pooled, **how)
    parts = judge_parts(rows, fold_of, len(folds), units, how, design)
    means = {
        model: {name: mean_over_folds(parts, model, name, how["level"], whole) for name in whole.columns}
        for model in rows
    }
    absences = parts.absences([f"fold {printable(each)}" for each in folds])
    judged = dict(zip(folds, parts.judged, strict=True))
    if 0 < (fewest := min(parts.fewest())) < FEW:
        absences.append(Remark(parts.few, rows=fewest))
    return made(
        whole=whole,
        parts=judged,
        named=named,
        remarks=tuple(absences),
        level=how["level"],
        kept=parts,
        fold=fold,
        means=means,
        share=share,
    )


def mean_over_folds(parts: ClassParts, model: str, name: str, level: float, whole: MulticlassModels) -> Interval:
    """Mean over folds, each counting once; its variance is what rows add within their folds."""
    measure, origin = whole.measure(name), whole.origin
    found = parts.estimates(model, name)
    lost = next((each for each in found if isinstance(each, Undefined)), None)
    if lost is not None:
        told = (undefined_because(lost),)
        return Interval(lost, math.nan, math.nan, level, measure.scale, origin=origin, warnings=told)
    value = float(np.mean([each.value for each in found]))  # type: ignore[union-attr]  # none is undefined
    variance = float(parts.spread(found).sum()) / len(found) ** 2 if math.isfinite(value) else math.nan
    if not variance > 0:
        told = (Remark("infinite_value" if math.isinf(value) else "no_spread_of_classes"),)
        return Interval(value, math.nan, math.nan, level, measure.scale, origin=origin, warnings=told)
    se = math.sqrt(variance)
    reach = quantile_of(level) * se
    low, high = within(measure.bounds, *(moved(value, side * reach, measure.bounds) for side in (-1, 1)))
    return Interval(value, low, high, level, measure.scale, se=se, origin=origin)
