"""Results of reader studies: modalities compared by several readers on the same cases."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.text import (
    MISSING,
    format_column,
    format_count,
    format_digits,
    format_interval,
    format_level,
    format_p,
    format_setting,
)
from rocsteady._src.results.base import DIRECTION, Origin, Result
from rocsteady._src.results.differences import told_apart
from rocsteady._src.results.pictures import Forest, Line, Spot, line_of, source
from rocsteady._src.results.remarks import noted

if TYPE_CHECKING:
    from os import PathLike
    from pathlib import Path
    from typing import Unpack

    from rocsteady._src.base.frames import Table
    from rocsteady._src.results.displays import ReportOptions
    from rocsteady._src.results.inference import Interval, TestResult
    from rocsteady._src.results.remarks import Remark

POPULATIONS = {
    "random": "other readers, other cases",
    "fixed_readers": "these readers, other cases",
    "fixed_cases": "other readers, these cases",
}
NUMBERS = ("estimate", "low", "high", "se", "df", "statistic", "pvalue")


@dataclass(frozen=True, slots=True, eq=False)
class ReaderAnalysis(Result):
    """Modalities compared for one population of readers and cases.

    ``test`` asks whether all modalities are alike; ``differences`` are by pair, first minus second, and ``p_holm`` are
    their p-values adjusted over pairs; ``means`` are the readers' mean AUC, or other measure, of each modality, from
    its own ratings alone.

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.results.ReaderAnalysis.__name__
    'ReaderAnalysis'
    """

    population: str
    test: TestResult
    differences: dict[tuple[Any, Any], TestResult]
    means: dict[Any, Interval]
    level: float
    label: str = "AUC"
    p_holm: dict[tuple[Any, Any], float] = field(default_factory=dict)

    def adjusted(self, pair: tuple[Any, Any]) -> float:
        """The p-value of a pair, adjusted (Holm) over all pairs of modalities."""
        return self.p_holm.get(pair, self.differences[pair].pvalue)

    def shown(self, pair: tuple[Any, Any]) -> bool:
        """Whether adjusted p-value and interval both show what is tested of a pair, a difference unless asked."""
        test, small = self.differences[pair], self.adjusted(pair) < 1 - self.level
        return told_apart(test, self.adjusted(pair), self.level) if test.alternative == "two-sided" else small

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, with a list for each column of the differences."""
        facts = {"population": self.population, "level": self.level, "test": self.test, "means": self.means}
        return facts | {"differences": dict(self._columns())}

    def _columns(self) -> Table:
        firsts, seconds = ([pair[place] for pair in self.differences] for place in (0, 1))
        found = self.differences.values()
        numbers = {name: np.array([_float(getattr(each, name)) for each in found]) for name in NUMBERS}
        adjusted = np.array([self.adjusted(pair) for pair in self.differences])
        return {"first": firsts, "second": seconds, **numbers, "p_holm": adjusted}

    def cells(self) -> tuple[list[str], list[list[str]]]:
        """Header and rows for reading."""
        header = ["first", "second", "difference", "low", "high", "df", "p"]
        found = list(self.differences.values())
        ends = [format_column([getattr(each, end) for each in found]) for end in ("estimate", "low", "high")]
        free = [_freedom(each) for each in found]
        pairs = [(str(first), str(second)) for first, second in self.differences]
        ps = [format_p(each.pvalue) for each in found]
        columns = [*ends, free, ps]
        if len(found) > 1:
            header, columns = (
                [*header, "p (Holm)"],
                [*columns, [format_p(self.adjusted(pair)) for pair in self.differences]],
            )
        return header, [[*pair, *line] for pair, *line in zip(pairs, *columns, strict=True)]

    def notes(self) -> list[str]:
        """For whom this holds, the mean AUC of each modality, and the test of all of them."""
        means = ", ".join(
            f"{name} {format_interval(each.estimate, each.low, each.high)}" for name, each in self.means.items()
        )
        whom = f"for {POPULATIONS[self.population]}; intervals at level {format_setting(self.level)}"
        told = [whom, f"{self.label}: {means}"]
        if len(self.means) > 2:
            told.append(f"all modalities alike: p = {format_p(self.test.pvalue)} ({self.test.method})")
            told.append("each interval holds by itself; p (Holm) is adjusted over the pairs of modalities")
        return [*told, *map(noted, _warnings(self))]

    def _brief(self) -> str:
        return f"{POPULATIONS[self.population]}: {format_count(len(self.differences))} differences"

    def _picture(self) -> Forest:
        title = (f"Differences of modalities for {POPULATIONS[self.population]}", *source(self.test.origin))
        lines = tuple(line_of(f"{first} - {second}", each) for (first, second), each in self.differences.items())
        return Forest(title, f"Difference in {self.label}, {format_level(self.level)} intervals", lines)


@dataclass(frozen=True, slots=True, eq=False)
class ReaderStudy(Result):
    """Modalities compared by the AUCs, or another measure, of several readers who judged the same cases.

    ``values`` of the ``measure`` are by modality and reader, ``covariance`` that of these, reader by reader within
    modalities, by ``method``. ``components``, of the analysis of variance, are the variances of readers, of readers
    with modalities (``interaction``) and of the error, and the covariances of errors of the same reader (``cov1``), of
    the same modality (``cov2``) and of neither (``cov3``). ``random``, ``fixed_readers`` and ``fixed_cases`` are the
    analyses.

    Examples
    --------
    >>> import rocsteady as rs
    >>> table = {"who": [1, 1, 1, 2, 2, 2] * 2, "by": ["ct"] * 6 + ["mr"] * 6, "ill": [0, 1, 1] * 4,
    ...          "patient": [1, 2, 3] * 4, "rating": [1, 2, 3, 2, 1, 3, 1, 3, 2, 1, 2, 2]}
    >>> study = rs.readers.analyze(table, reader="who", modality="by", case="patient", label="ill", score="rating")
    >>> study.fixed_cases.differences["ct", "mr"].estimate
    -0.25
    """

    readers: tuple[Any, ...]
    modalities: tuple[Any, ...]
    values: dict[Any, dict[Any, float]]
    covariance: Any
    method: str
    mean_squares: dict[str, float]
    components: dict[str, float]
    random: ReaderAnalysis
    fixed_readers: ReaderAnalysis
    fixed_cases: ReaderAnalysis
    level: float
    analysis: str = "Obuchowski-Rockette"
    measure: str = "auc"
    label: str = "AUC"
    n_pos: Any = None
    n_neg: Any = None
    origin: Origin | None = None
    warnings: tuple[Remark, ...] = ()

    @property
    def auc(self) -> dict[Any, dict[Any, float]]:
        """The values, of a study that was judged by the AUC."""
        if self.measure != "auc":
            text = f"this study was judged by {self.measure}: its numbers are in values"
            raise AttributeError(text)
        return self.values

    @property
    def fingerprints(self) -> dict[str, str]:
        """By which a page knows that it is about the same readers and cases."""
        return {str(name): repr([repr(value) for value in line.values()]) for name, line in self.values.items()}

    def report(self, path: str | PathLike[str], **options: Unpack[ReportOptions]) -> Path:
        """Write one self-contained page and return its path; it takes title, level and force."""
        from rocsteady._src.views.report.write import write_report

        return write_report(self, path, **options)

    @property
    def analyses(self) -> tuple[ReaderAnalysis, ...]:
        """For other readers and cases, for these readers, for these cases."""
        return self.random, self.fixed_readers, self.fixed_cases

    def _columns(self) -> Table:
        """One line per population and pair."""
        parts = [(each.population, each._columns()) for each in self.analyses]  # noqa: SLF001 - of its own parts
        names = list(parts[0][1])
        told = [population for population, columns in parts for _ in columns["first"]]
        joined = {name: [value for _, columns in parts for value in columns[name]] for name in names}
        return {"population": told, **joined}

    def cells(self) -> tuple[list[str], list[list[str]]]:
        """Header and rows for reading."""
        header = self.random.cells()[0]
        lines = [[POPULATIONS[each.population], *line] for each in self.analyses for line in each.cells()[1]]
        return ["holds for", *header], lines

    def notes(self) -> list[str]:
        """How many judged what, mean AUCs, and what to beware of."""
        count = [format_count(len(each)) for each in (self.readers, self.modalities)]
        cases = f"{format_count(self.n_pos)} positive and {format_count(self.n_neg)} negative cases"
        label = "" if self.origin is None else f"; positive label {self.origin.pos_label!r}"
        how = f"{self.analysis}, {self.method} covariances; {DIRECTION}{label}"
        told = [f"{count[0]} readers, {count[1]} modalities, {cases}", *self.random.notes()[1:], how]
        return [*told, *map(noted, self.warnings)]

    def _brief(self) -> str:
        return f"{format_count(len(self.readers))} readers, {format_count(len(self.modalities))} modalities"

    def _picture(self) -> Forest:
        title = (f"{self.label} of readers: differences of modalities", *source(self.origin, self.n_pos, self.n_neg))
        lines = [
            line_of(f"{first} - {second}, {POPULATIONS[each.population]}", found)
            for each in self.analyses
            for (first, second), found in each.differences.items()
        ]
        lines += [
            Line(f"{first} - {second}, reader {name}", self.values[first][name] - self.values[second][name])
            for first, second in self.random.differences
            for name in self.readers
            if name in self.values[first] and name in self.values[second]
        ]
        return Forest(title, f"Difference in {self.label}, {format_level(self.level)} intervals", tuple(lines))


@dataclass(frozen=True, slots=True)
class ReaderPlan(Result):
    """How surely a new reader study finds a difference; ``solved_for`` names what was asked for.

    ``n_pos`` of the ``cases`` are to be positive, as in the pilot. ``se`` and ``df`` are those of the difference.

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.results.ReaderPlan.__name__
    'ReaderPlan'
    """

    power: float
    readers: int
    cases: int
    n_pos: float
    difference: float
    se: float
    df: float | None
    alpha: float
    alternative: str
    margin: float | None
    population: str
    solved_for: str
    label: str = "AUC"
    warnings: tuple[Remark, ...] = ()

    def _picture(self) -> Spot:
        title = (f"Power of a reader study, solved for {self.solved_for}", *self._told())
        note = (f"{format_count(self.readers)} readers", f"power {format_digits(self.power, 4)}")
        return Spot(title, "Cases", "Power", self.cases, self.power, note, (2.5 * self.cases, 1.0), level=self.alpha)

    def _told(self) -> tuple[str, str]:
        margin = "" if self.margin is None else f" by {format_setting(self.margin)}"
        what = f"a difference of {format_digits(self.difference, 4)} in {self.label}"
        return what, f"{self.alternative}{margin} at {format_setting(self.alpha)}, for {POPULATIONS[self.population]}"

    def __str__(self) -> str:
        what, how = self._told()
        sizes = f"{format_count(self.readers)} readers and {format_count(self.cases)} cases"
        power = f"power {format_digits(self.power, 4)} with {sizes}"
        return "; ".join([f"{what}: {power}, {how} (solved for {self.solved_for})", *self.warnings])


def _warnings(found: ReaderAnalysis) -> list[Remark]:
    """What is said of any of the numbers, once."""
    every: list[TestResult | Interval] = [*found.differences.values(), *found.means.values()]
    return list(dict.fromkeys(remark for each in every for remark in each.warnings))


def _float(value: float | None) -> float:
    return math.nan if value is None else float(value)


def _freedom(test: TestResult) -> str:
    """Degrees of freedom; nothing where the variance is taken as known, a dash where there is no test."""
    if math.isnan(test.pvalue):
        return MISSING
    return "" if test.df is None else format_digits(test.df, 3)
