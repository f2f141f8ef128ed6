"""evaluate(y, P, by=groups) of more than two classes: every group by itself, and whether they differ."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from rocsteady._src.base.errors import ArgumentError, Undefined, printable
from rocsteady._src.base.near_names import part_of
from rocsteady._src.base.sentences import Sentence, safe
from rocsteady._src.base.text import format_count, format_level, format_number, format_p, p_words, text_table
from rocsteady._src.evaluation.classes.divided import DividedClasses
from rocsteady._src.evaluation.classes.parts import CLASSES, judge_parts
from rocsteady._src.evaluation.groups.areas import GroupAreas, usable
from rocsteady._src.evaluation.groups.compared import adjusted_interactions, compared_groups, groups_as_dict
from rocsteady._src.evaluation.groups.evaluation import FEW
from rocsteady._src.evaluation.groups.tests import heterogeneity
from rocsteady._src.results.pictures import Forest, line_of
from rocsteady._src.results.plain_values import plain
from rocsteady._src.results.reading import one_line
from rocsteady._src.results.remarks import Remark, noted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from rocsteady._src.base.frames import Table
    from rocsteady._src.evaluation.classes.models import MulticlassModels
    from rocsteady._src.evaluation.classes.parts import ClassParts, Design
    from rocsteady._src.results import GroupedComparison, TestResult
    from rocsteady._src.results.multiclass import MulticlassEvaluation


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class MulticlassGroups(DividedClasses):
    """Models of more than two classes in every group beside all rows: ``result["group"]`` is one group alone.

    ``tests[model]``: is the macro AUC the same in all groups? ``interactions[first, second]``: is the difference of
    two models the same? A model without a name is called "model".

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, site = [0, 1, 2] * 10, [row // 15 for row in range(30)]
    >>> p = [[0.6, 0.2, 0.2], [0.3, 0.4, 0.3], [0.2, 0.3, 0.5]] * 9 + [[0.3, 0.4, 0.3]] * 3
    >>> type(rs.evaluate(y, p, classes=[0, 1, 2], by=site)).__name__
    'MulticlassGroups'
    """

    by: str
    tests: dict[str, TestResult]
    interactions: dict[tuple[str, str], TestResult]

    tested: ClassVar[tuple[str, str]] = ("macro_auc", "macro AUC")

    @property
    def groups(self) -> dict[Any, MulticlassEvaluation | MulticlassModels]:
        """Each group by itself."""
        return self._each()

    def _compared(self, measure: str, baseline: str | None, models: tuple[str, ...], level: float) -> GroupedComparison:
        defined = [
            not any(math.isnan(self._value(each, model, measure)) for model in models) for each in self.parts.values()
        ]
        found = {
            group: each.only(models).compare(measure, baseline=baseline, level=level)
            for (group, each), known in zip(self.parts.items(), defined, strict=True)
            if known
        }
        if not found:
            text = f"{measure} is undefined in every group: there is nothing to compare; compare another measure"
            raise ArgumentError("measure", text)

        def spread(first: str, second: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
            both = self.kept.apart(*(self.kept.estimates(model, measure) for model in (first, second)))
            return self.kept.spread(both)[np.ix_(defined, defined)], self.kept.free(both)[defined]

        return compared_groups(self.by, found, level, spread)

    def __getitem__(self, group: Any) -> MulticlassEvaluation | MulticlassModels:
        return self._opened(part_of(self.parts, group))

    def __iter__(self) -> Iterator[Any]:
        return iter(self.parts)

    def __len__(self) -> int:
        return len(self.parts)

    def _brief(self) -> str:
        return one_line(f"{format_count(len(self.parts))} groups by {self.by!r}; {self.overall._brief()}")  # noqa: SLF001 - of its own part

    def to_dict(self) -> dict[str, Any]:
        """Return plain values: all rows, each group, then the tests."""
        return {
            **groups_as_dict(self, ((plain(group), each) for group, each in self.groups.items())),
            "remarks": [remark.to_dict() for remark in self.remarks],
        }

    def _lines(self) -> list[tuple[Any, MulticlassModels]]:
        return [("all", self.whole), *self.parts.items()]

    def _columns(self) -> Table:
        """One line per group and model, all rows first."""
        lines = self._lines()
        table: Table = {self.by: [plain(group) for group, each in lines for _ in each]}
        table["n_rows"] = [each.origin.n_rows for _, each in lines for _ in each]
        frames = [each._columns() for _, each in lines]  # noqa: SLF001 - the parts of this frame
        for column in frames[0]:
            table[column] = [value for frame in frames for value in frame[column]]
        return table

    def cells(self) -> tuple[list[str], list[list[str]]]:
        """Header and rows for reading."""
        skipped = 0 if self.named else 1
        rows = []
        for group, each in self._lines():
            start = [printable(group, most=40), format_number(each.origin.n_rows)]
            rows += [[*start, *line[skipped:]] for line in replace(each, columns=self.whole.columns).cells()[1]]
        return [self.by, "rows", *self.whole.cells()[0][skipped:]], rows

    def notes(self) -> list[str]:
        """What was assumed, what the tests say in words, and what to beware of."""
        told = [self._on(model if self.named else "", test) for model, test in self.tests.items()]
        adjusted = adjusted_interactions(self.interactions)
        told += [self._on(f"{one} - {two}", test, adjusted[one, two]) for (one, two), test in self.interactions.items()]
        remarks = [noted(remark) for remark in (*self.whole.warnings, *self.remarks)]
        return [safe(line) for line in [self.whole.assumptions(), *told, *remarks]]

    def _on(self, what: str, test: TestResult, adjusted: float | None = None) -> str:
        start = f"{what}: " if what else ""
        if math.isnan(test.pvalue):
            return Sentence("{start}groups cannot be compared: {why}", start=start, why=test.warnings[0])
        p = test.pvalue if adjusted is None else adjusted
        verdict = "differs between groups" if p <= 1 - self.level else "is not shown to differ between groups"
        several = "" if adjusted is None or len(self.interactions) < 2 else f", adjusted {format_p(adjusted)}"
        number = f"the difference in {self.tested[1]}" if " - " in what else self.tested[1]
        return (
            f"{start}{number} {verdict} (chi-square {format_number(test.statistic)}, "
            f"{format_count(test.df)} df, {p_words(test.pvalue)} by Welch's F{several})"
        )

    def __str__(self) -> str:
        return "\n".join([text_table(*self.cells()), *self.notes()])

    def _picture(self) -> Forest:
        first = self.whole.columns[0]
        lines = tuple(
            line_of(f"{printable(group)}: {printable(model)}" if self.named else printable(group), found)
            for group, each in self._lines()
            for model, found in ((model, each.value(model, first)) for model in each)
            if not math.isnan(found.estimate)
        )
        label = self.whole.measure(first).label
        return Forest((f"{label} by {printable(self.by)}", f"{format_level(self.level)} intervals"), label, lines)


def evaluate_class_groups(
    rows: dict[str, Any],
    by: str,
    groups: list[Any],
    group_of: NDArray[np.int64],
    *,
    named: bool,
    design: Design = CLASSES,
    made: type[MulticlassGroups] = MulticlassGroups,
    **how: Any,
) -> MulticlassGroups:
    """Evaluate all rows and every group, and test whether a number of the groups differs, the macro AUC of scores."""
    whole = design.evaluate(rows, **how)
    subjects = next(iter(whole.judged.values())).rows.clusters
    parts = judge_parts(rows, group_of, len(groups), subjects, how, design)
    number, models, one = made.tested[0], list(rows), np.eye(len(rows))
    areas, facts = numbers_of_groups(parts, models, number), {"origin": whole.origin}

    def tested(weights: NDArray[np.float64]) -> TestResult:
        found = heterogeneity(areas, weights, facts)
        return replace(found, method=found.method.replace("delong", whole.measure(number).label, 1))

    return made(
        by=by,
        whole=whole,
        parts=dict(zip(groups, parts.judged, strict=True)),
        named=named,
        kept=parts,
        tests={model: tested(one[m]) for m, model in enumerate(models)},
        interactions={(models[i], models[j]): tested(one[i] - one[j]) for i, j in combinations(range(len(models)), 2)},
        remarks=tuple(_remarks(parts, areas, groups)),
        level=how["level"],
    )


def numbers_of_groups(parts: ClassParts, models: list[str], number: str) -> GroupAreas:
    """A number of all groups and models; how two models vary together follows from their difference."""
    found = [parts.estimates(model, number) for model in models]
    own = [parts.spread(each) for each in found]
    covariance = np.array([[own[0]] * len(models)] * len(models))
    free = np.empty((len(models), len(models), len(parts.places)))
    for m, first in enumerate(found):
        for n, second in enumerate(found):
            if m == n:
                covariance[m, n], free[m, n] = own[m], parts.free(first)
                continue
            apart = parts.apart(first, second)
            covariance[m, n], free[m, n] = (own[m] + own[n] - parts.spread(apart)) / 2, parts.free(apart)
    values = [[math.nan if isinstance(each, Undefined) else each.value for each in listed] for listed in found]
    rows = np.array([float(place.size) for place in parts.places])
    return GroupAreas(np.array(values).T, covariance, rows, free, np.column_stack([rows, rows]))


def _remarks(parts: ClassParts, areas: GroupAreas, groups: list[Any]) -> list[Remark]:
    found = parts.absences([f"group {printable(group)}" for group in groups])
    defined = ~np.isnan(areas.areas).any(axis=1)
    testable = np.logical_and.reduce([usable(areas.covariance[m, m]) for m in range(areas.areas.shape[1])])
    named = [printable(group) for group, left in zip(groups, defined & ~testable, strict=True) if left]
    found += [Remark("untested_group", group=group) for group in named]
    for group, fewest, tested in zip(groups, parts.fewest(), testable, strict=True):
        if tested and fewest < FEW:
            found.append(Remark("small_group", group=printable(group), enough=FEW))
    return found
