"""evaluate(..., by=column) -> GroupedEvaluation: every group by itself, and whether they differ."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from rocsteady._src.base.errors import ArgumentError, printable
from rocsteady._src.base.near_names import part_of
from rocsteady._src.base.sentences import Sentence, safe
from rocsteady._src.base.text import format_count, format_level, format_number, format_p, p_words, text_table
from rocsteady._src.evaluation.evaluate_rows import evaluate_rows
from rocsteady._src.evaluation.groups.areas import group_areas, usable
from rocsteady._src.evaluation.groups.compared import (
    adjusted_interactions,
    as_evaluated,
    compared_groups,
    groups_as_dict,
    subjects_shared,
    with_shared_subjects,
)
from rocsteady._src.evaluation.groups.decided import decide_groups
from rocsteady._src.evaluation.groups.gaps import gaps_between
from rocsteady._src.evaluation.groups.members import group_members
from rocsteady._src.evaluation.groups.tests import as_one_difference, differences, heterogeneity, within
from rocsteady._src.evaluation.intervals import refuse_repeated_ids
from rocsteady._src.inference.comparison.compared import by_each_measure, one_or_several
from rocsteady._src.inference.comparison.models_by_measure import named_measures
from rocsteady._src.measures.ranking import auc
from rocsteady._src.results import GroupDifference, PagedResult, TestResult
from rocsteady._src.results.base import facts_of
from rocsteady._src.results.pictures import Forest, line_of
from rocsteady._src.results.reading import one_line
from rocsteady._src.results.remarks import Remark, noted

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike
    from pathlib import Path
    from typing import Unpack

    from rocsteady._src.base.frames import Table
    from rocsteady._src.evaluation.evaluation import Evaluation
    from rocsteady._src.evaluation.groups.areas import GroupAreas
    from rocsteady._src.ranked import Rows
    from rocsteady._src.results.comparisons import Comparisons
    from rocsteady._src.results.decision import Decision
    from rocsteady._src.results.displays import ReportOptions
    from rocsteady._src.results.gaps import GroupGaps
    from rocsteady._src.results.grouped_comparison import GroupedComparison

FEW, WORTH_TELLING = 20, 0.02


@dataclass(frozen=True, slots=True, eq=False)
class GroupedEvaluation(PagedResult):
    """One :class:`Evaluation` per group beside the one of all rows, and tests of whether groups differ.

    ``tests[model]``: is the AUC the same in all groups? ``interactions[first, second]``: is the difference between two
    models the same? ``differences``: each group against the others. ``within[model]`` is the AUC over pairs of the
    same group; it is below the AUC of all rows when part of the ranking only tells the groups apart.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, s, t = (rs.examples.loans(200)[name] for name in ("defaulted", "boosted", "logistic"))
    >>> rs.evaluate(y, s, by=["north", "south"] * 100, measures=["auc"])
    GroupedEvaluation(2 groups by 'group'; auc: score 0.9263 [0.8688, 0.9598]; 200 rows)
    >>> print(rs.evaluate(y, s, by=["north", "south"] * 100, measures=["auc"]).verdict[0])
    score: AUC is not shown to differ between groups (chi-square 0.8839, ...
    """

    by: str
    overall: Evaluation
    groups: dict[Any, Evaluation]
    tests: dict[str, TestResult]
    interactions: dict[tuple[str, str], TestResult]
    differences: tuple[GroupDifference, ...]
    within: dict[str, float]
    remarks: tuple[Remark, ...]
    level: float

    def __getitem__(self, group: Any) -> Evaluation:
        return part_of(self.groups, group)

    def _brief(self) -> str:
        return one_line(f"{format_count(len(self.groups))} groups by {self.by!r}; {self.overall._brief()}")  # noqa: SLF001 - of its own part

    def __iter__(self) -> Any:
        return iter(self.groups)

    def __len__(self) -> int:
        return len(self.groups)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values: all rows, each group, then the tests."""
        return {
            **groups_as_dict(self, ((_plain(group), each) for group, each in self.groups.items())),
            "differences": [{**each.to_dict(), "group": _plain(each.group)} for each in self.differences],
            "within": dict(self.within),
            "remarks": [remark.to_dict() for remark in self.remarks],
        }

    def _columns(self) -> Table:
        """One line per group and model, all rows first."""
        parts = [("all", self.overall), *self.groups.items()]
        table: Table = {self.by: [_plain(group) for group, each in parts for _ in each.models]}
        for name in ("n_pos", "n_neg"):
            table[name] = [getattr(each, name) for _, each in parts for _ in each.models]
        frames = [each._columns() for _, each in parts]  # noqa: SLF001 - the parts of this frame
        columns = list(dict.fromkeys(column for frame in frames for column in frame))
        for column in columns:
            missing = [math.nan] * len(self.overall.models)
            table[column] = [value for frame in frames for value in frame.get(column, missing)]
        return table

    def cells(self) -> tuple[list[str], list[list[str]]]:
        """Header and rows for reading."""
        header = [self.by, "positives", "negatives", *self.overall.cells()[0]]
        rows = []
        for group, each in [("all", self.overall), *self.groups.items()]:
            start = [printable(group, most=40), format_number(each.n_pos), format_number(each.n_neg)]
            rows += [[*start, *line] for line in each.cells()[1]]
        return header, rows

    def notes(self) -> list[str]:
        """What was assumed, what the tests say in words, and what to beware of."""
        remarks = [noted(remark) for remark in self.remarks]
        return [safe(self.overall.assumptions()), *self.verdict, *map(safe, remarks)]

    @property
    def verdict(self) -> tuple[str, ...]:
        """What the tests say in words: a line for each model, each pair of models, and each group that differs."""
        told = [*map(self._on_model, self.tests), *map(self._on_pair, self.interactions), *self._on_groups()]
        return tuple(safe(line) for line in told)

    def _on_model(self, model: str) -> str:
        test, inside = self.tests[model], self.within[model]
        whole = float(self.overall.values[model].get("auc", math.nan))
        apart = f"; AUC within groups {format_number(inside)}" + (
            "" if math.isnan(whole) else f", of all rows {format_number(whole)}"
        )
        if math.isnan(test.pvalue):
            told = "{model}: groups cannot be compared: {why}{apart}"
            return Sentence(told, model=model, why=test.warnings[0], apart=apart)
        verdict = "differs between groups" if test.pvalue <= 1 - self.level else "is not shown to differ between groups"
        how = "the score test" if test.method.startswith("score") else "Welch's F"
        return (
            f"{model}: AUC {verdict} (chi-square {format_number(test.statistic)}, "
            f"{format_count(test.df)} df, {p_words(test.pvalue)} by {how}){apart}"
        )

    def _on_pair(self, pair: tuple[str, str]) -> str:
        test = self.interactions[pair]
        if math.isnan(test.pvalue):
            told = "{first} - {second}: groups cannot be compared: {why}"
            return Sentence(told, first=pair[0], second=pair[1], why=test.warnings[0])
        adjusted = adjusted_interactions(self.interactions)[pair]
        verdict = "differs between groups" if adjusted <= 1 - self.level else "is not shown to differ between groups"
        several = f", adjusted {format_p(adjusted)}" if len(self.interactions) > 1 else ""
        return f"{pair[0]} - {pair[1]}: the difference in AUC {verdict} ({p_words(test.pvalue)}{several})"

    def _on_groups(self) -> list[str]:
        """Groups that differ from the others; of two groups the test of the model says it."""
        several = [each for each in self.differences if math.isnan(self.tests[each.model].low)]
        return [str(each) for each in several if each.pvalue_adjusted <= 1 - self.level]

    def __str__(self) -> str:
        return "\n".join([text_table(*self.cells()), *self.notes()])

    def report(self, path: str | PathLike[str] = "report.html", **options: Unpack[ReportOptions]) -> Path:
        """Write one self-contained page and return its path.

        Parameters
        ----------
        path : str or Path
            Where to; the ending chooses the form: .html, .md, .json, .png or .svg.
        **options
            As of :meth:`Evaluation.report`; the level is that of the evaluation.
        """
        from rocsteady._src.views.report.write import write_report

        return write_report(self, path, **options)

    @overload
    def compare(
        self, baseline: str | None = None, *others: str, measure: Any = None, measures: None = None, **how: Any
    ) -> GroupedComparison: ...
    @overload
    def compare(
        self, baseline: str | None = None, *others: str, measures: Sequence[Any], **how: Any
    ) -> Comparisons: ...
    def compare(
        self,
        baseline: str | None = None,
        *others: str,
        measure: Any = None,
        measures: Sequence[Any] | None = None,
        **how: Any,
    ) -> GroupedComparison | Comparisons:
        """Compare the models within each group, and ask whether their difference is the same in all groups.

        Parameters
        ----------
        baseline, *others, measure, measures, **how
            As of :meth:`Evaluation.compare`; the level is that of the evaluation unless given. Groups of one class are
            left out.

        Returns
        -------
        GroupedComparison
            p-values are adjusted (Holm) over groups and pairs of models, those between groups over pairs of models.
            :class:`Comparisons` with ``measures``: one for each.
        """
        one_or_several(measure, measures)
        how = {"level": self.level, **how}
        if measures is None:
            return self._compared((baseline, *others), measure, how)
        return by_each_measure(named_measures(measures), lambda each: self._compared((baseline, *others), each, how))

    def _compared(self, models: tuple[Any, ...], measure: Any, how: dict[str, Any]) -> GroupedComparison:
        if measure is None and how.get("threshold") is not None:
            raise ArgumentError(
                "measure", Sentence("in groups name what is compared at a threshold: {measure='recall'}")
            )
        parts = {group: each for group, each in self.groups.items() if each.n_pos and each.n_neg}
        found = {group: each.compare(*models, measure=measure, **how) for group, each in parts.items()}
        compared = compared_groups(self.by, found, how["level"])
        known = with_shared_subjects if subjects_shared(parts.values()) else as_evaluated
        return known(compared, self.interactions)

    def gaps(
        self,
        measure: str | Sequence[str] = "recall",
        *,
        threshold: float | str | None = None,
        reference: Any = None,
        level: float | None = None,
    ) -> GroupGaps:
        """How far a measure lies apart between groups: each group, its gap, a test, and the largest gap.

        Parameters
        ----------
        measure : str or list of str
            A share at a threshold, such as "recall", "false_positive_rate", "precision" or "selection_rate"; the names
            "equal_opportunity", "equalized_odds", "predictive_parity", "demographic_parity"; "brier_score",
            "calibration_in_the_large", or any other registered measure.
        threshold : float or str, optional
            One for all groups: a number, or a rule for all rows; that of the evaluation unless given.
        reference : optional
            The group that gaps are taken to; the rest of the rows when absent.
        level : float, optional
            That of the evaluation unless given.

        Returns
        -------
        GroupGaps
            p-values of gaps are adjusted (Holm) over groups; measured levels are in docs/subgroups.md.
        """
        level = self.level if level is None else level
        how: dict[str, Any] = {"threshold": threshold, "reference": reference, "level": level}
        return gaps_between(self.overall, self.groups, self.by, measure, **how)

    def decide(self, **how: Any) -> Decision:
        """Choose one model and one threshold for all rows, and say what it does in each group.

        Parameters
        ----------
        **how
            As of :meth:`Evaluation.decide`; the level is that of the evaluation unless given.

        Returns
        -------
        Decision
            ``groups`` has recall, false alarms and cost of each group, of 1,000 of its cases: with its own share of
            positives, or with the prevalence that was given.

        Examples
        --------
        >>> import rocsteady as rs
        >>> loans = rs.examples.loans(1000) | {"site": ["north", "south"] * 500}
        >>> result = rs.evaluate(loans, label="defaulted", scores=["logistic", "boosted"], by="site")
        >>> [(part.group, round(part.course.missed)) for part in result.decide(cost_fp=50, cost_fn=400).groups]
        [('north', 10), ('south', 16)]
        """
        return decide_groups(self.overall, self.groups, self.by, **{"level": self.level, **how})

    def _picture(self) -> Forest:
        found = [
            line_of(f"{printable(group)}: {printable(model)}", each.intervals[model]["auc"])
            for group, each in [("all", self.overall), *self.groups.items()]
            for model in each.models
            if "auc" in each.intervals.get(model, {})
        ]
        return Forest((f"AUC by {printable(self.by)}", f"{format_level(self.level)} intervals"), "AUC", tuple(found))


def evaluate_groups(
    rows: Rows,
    by: str | tuple[str, ...],
    *,
    intervals: bool = True,
    level: float = 0.95,
    n_resamples: int | None = None,
    random_state: int = 0,
    auc_method: str = "auto",
    cluster: str | None = None,
    **options: Any,
) -> GroupedEvaluation:
    """Evaluate all rows and every group of column ``by``, and test whether the AUCs of the groups differ.

    O(n log n) for values and tests. Options as in :func:`rocsteady.evaluate`, whose ``by=`` leads here.
    """
    refuse_repeated_ids(rows, cluster)
    columns = (by,) if isinstance(by, str) else by
    models = rows.names
    groups, group_of = group_members(rows, columns)

    def judged(part: Rows, *, aloud: bool) -> Evaluation:
        found = evaluate_rows(part, cluster=cluster, aloud=aloud, **options)
        if not intervals or not (found.n_pos and found.n_neg):
            return found
        how: dict[str, Any] = {"n_resamples": n_resamples, "random_state": random_state, "auc_method": auc_method}
        return found.with_intervals(level=level, **how)

    overall = judged(rows, aloud=True)  # of groups, remarks say it
    divided = rows.split(group_of, len(groups))
    parts = {group: judged(part, aloud=False) for group, part in zip(groups, divided, strict=True)}
    areas = group_areas(rows, divided, group_of)
    facts = facts_of(overall)
    one = np.eye(len(models))
    apart = differences(areas, groups, models, level, overall.origin)
    tests = {model: heterogeneity(areas, one[m], facts) for m, model in enumerate(models)}
    return GroupedEvaluation(
        by=", ".join(columns),
        overall=overall,
        groups=parts,
        tests={
            model: as_one_difference(test, [line for line in apart if line.model == model])
            for model, test in tests.items()
        },
        interactions={
            (models[i], models[j]): heterogeneity(areas, one[i] - one[j], facts)
            for i, j in combinations(range(len(models)), 2)
        },
        differences=apart,
        within={model: within(areas, m) for m, model in enumerate(models)},
        remarks=tuple(_remarks(parts, areas, overall, models)),
        level=level,
    )


def _remarks(
    parts: dict[Any, Evaluation], areas: GroupAreas, overall: Evaluation, models: Sequence[str]
) -> list[Remark]:
    remarks = []
    testable = np.logical_and.reduce([usable(areas.covariance[m, m]) for m in range(len(models))])
    for (group, each), tested in zip(parts.items(), testable, strict=True):
        name = printable(group)
        if not (each.n_pos and each.n_neg):
            remarks.append(Remark("one_class_group", group=name, n_pos=each.n_pos, n_neg=each.n_neg))
        elif not tested:
            remarks.append(Remark("untested_group", group=name))
        elif min(each.n_pos, each.n_neg) < FEW:
            remarks.append(Remark("small_group", group=name, enough=FEW))
    for m, model in enumerate(models):
        whole, inside = float(auc(overall.ranked[model])), within(areas, m)
        if whole - inside > WORTH_TELLING:
            remarks.append(Remark("between_groups", model, whole=whole, inside=inside))
    return remarks


def _plain(group: Any) -> Any:
    return group.item() if isinstance(group, np.generic) else group
