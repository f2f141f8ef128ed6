"""Many models compared: every pair, all at once, and what may be said of them."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import printable
from rocsteady._src.base.sentences import safe
from rocsteady._src.base.text import (
    format_count,
    format_digits,
    format_interval,
    format_level,
    format_number,
    format_setting,
    p_words,
    table_cells,
    text_table,
    turned_if_wide,
)
from rocsteady._src.results.base import DIRECTION, Result
from rocsteady._src.results.pictures import Forest, Line, line_of, parts_of, source
from rocsteady._src.results.reading import one_line
from rocsteady._src.results.remarks import Remark, noted

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rocsteady._src.base.frames import Table
    from rocsteady._src.results.base import Origin
    from rocsteady._src.results.displays import Display
    from rocsteady._src.results.inference import Interval, TestResult
    from rocsteady._src.results.reclassification import IntegratedDiscrimination, NetReclassification, Reclassification


@dataclass(frozen=True, slots=True, eq=False)
class PairComparison(Result):
    """One pair of models: first minus second, with p as it is and adjusted for the number of pairs.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, s, t = (rs.examples.loans(200)[name] for name in ("defaulted", "boosted", "logistic"))
    >>> rs.evaluate(y, {"boosted": s, "logistic": t}).compare().pairs[0]
    PairComparison(first boosted, second logistic, p_holm < 0.001, p_bh < 0.001)
    """

    first: str
    second: str
    test: TestResult
    p_holm: float
    p_bh: float

    def _picture(self) -> Forest:
        test = self.test
        title = (
            f"{test.method}: {p_words(test.pvalue)}",
            f"adjusted: Holm {p_words(self.p_holm)}, Benjamini-Hochberg {p_words(self.p_bh)}",
            *source(test.origin, test.n_pos, test.n_neg),
        )
        label = f"Difference, {format_level(test.level)} interval; dashed: hypothesis"
        return Forest(title, label, (line_of(f"{self.first} - {self.second}", test),))


@dataclass(frozen=True, slots=True, eq=False)
class PairReclassification(Result):
    """What moving from the ``old`` model to the ``new`` one does to people; positive NRI and IDI favour the new one.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, s, t = (rs.examples.loans(200)[name] for name in ("defaulted", "boosted", "logistic"))
    >>> pair = rs.evaluate(y, {"old": t, "new": s}).compare(cutoffs=[0.1, 0.3]).reclassified[0]
    >>> print(pair.nri.nri)
    +0.3527 [+0.1480, +0.5240] (bonett-price), z = 3.503, p < 0.001
    """

    old: str
    new: str
    table: Reclassification
    nri: NetReclassification
    idi: IntegratedDiscrimination

    def _picture(self) -> Forest:
        title = (
            f"From {self.old} (old) to {self.new} (new)",
            f"NRI: {p_words(self.nri.nri.pvalue)}; IDI: {p_words(self.idi.idi.pvalue)}",
            *source(self.nri.origin, self.nri.n_pos, self.nri.n_neg),
        )
        nri = parts_of("NRI", self.nri.nri, self.nri.events, self.nri.nonevents)
        idi = parts_of("IDI", self.idi.idi, self.idi.events, self.idi.nonevents)
        label = f"New minus old, {format_level(self.nri.nri.level)} intervals; dashed: no change"
        return Forest(title, label, (*nri, *idi))


@dataclass(frozen=True, slots=True, eq=False)
class ModelProbabilities(Result):
    """How good a model's probabilities are: Brier score, calibration, and net benefit at each cutoff.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, s, t = (rs.examples.loans(200)[name] for name in ("defaulted", "boosted", "logistic"))
    >>> rs.evaluate(y, {"old": t, "new": s}).compare(cutoffs=[0.1, 0.3]).probabilities[0].model
    'old'
    """

    model: str
    brier: Interval
    in_the_large: TestResult
    slope: TestResult
    net_benefit: dict[str, float]

    def _picture(self) -> Forest:
        brier = self.brier
        lines = (
            line_of("calibration in the large", self.in_the_large),
            line_of("calibration slope", self.slope),
            line_of("Brier score", brier),
            *(Line(f"net benefit at {cut}", value) for cut, value in self.net_benefit.items()),
        )
        title = (f"Probabilities of {self.model}", *source(brier.origin, brier.n_pos, brier.n_neg))
        return Forest(title, f"Estimate, {format_level(brier.level)} intervals; dashed: perfect calibration", lines)

    def cells(self) -> list[str]:
        """One row of a table."""
        tests = [format_interval(test.estimate, test.low, test.high, 3) for test in (self.in_the_large, self.slope)]
        brier = format_interval(self.brier.estimate, self.brier.low, self.brier.high)
        return [
            printable(self.model, most=48),
            brier,
            *tests,
            *(format_number(value) for value in self.net_benefit.values()),
        ]


@dataclass(frozen=True, slots=True, eq=False)
class Comparison(Result):
    """Differences of all pairs, or of each model to a baseline, with intervals, adjusted p and a verdict.

    ``omnibus`` tests whether all models are alike, where there are three or more. Intervals of differences are not
    adjusted; the verdict calls a difference where Holm's p is small and the interval excludes 0.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, s = [1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.3, 0.1]
    >>> rs.evaluate(y, {"first": s, "second": [4, 3, 3, 2, 1, 1]}).compare()
    Comparison(first and second cannot be told apart with 6 rows; a difference of 0.4 would be needed (found 4 ...)
    """

    measure: str
    models: tuple[str, ...]
    estimates: dict[str, Interval]
    pairs: tuple[PairComparison, ...]
    omnibus: TestResult | None
    baseline: str | None
    level: float
    method: str
    verdict: tuple[str, ...]
    n_pos: Any
    n_neg: Any
    origin: Origin
    warnings: tuple[Remark, ...] = ()
    reclassified: tuple[PairReclassification, ...] = ()
    probabilities: tuple[ModelProbabilities, ...] = ()
    intervals: str = "separate"
    auto: bool = False
    worded: dict[str, Any] = field(default_factory=dict, repr=False)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, without what only the wording of the verdict needs."""
        return {each.name: getattr(self, each.name) for each in fields(self) if each.name != "worded"}

    def _above(self) -> tuple[str, ...]:
        return tuple(safe(line) for line in self.verdict)

    def cells(self) -> tuple[list[str], list[list[str]]]:
        """Header and rows for reading, one row per pair."""
        columns = self._columns()
        return list(columns), table_cells(list(columns), zip(*columns.values(), strict=True))

    def _brief(self) -> str:
        return one_line(safe("; ".join(self.verdict)))

    @property
    def how(self) -> str:
        """The method in words."""
        return f"{self.method}, chosen by auto" if self.auto else self.method

    @property
    def convention(self) -> str:
        """How the verdict and the intervals go together, where they are of several pairs."""
        family = len(self.worded.get("family", self.pairs))
        if max(family, len(self.pairs)) < 2:
            return ""
        alpha = format_digits(1 - self.level, 4)
        over = f" over the {format_count(family)} comparisons of all groups" if family > len(self.pairs) else ""
        goes = f"the verdict goes by Holm's p{over} below {alpha}"
        if self.intervals == "simultaneous":
            within = " within the group" if over else ""
            return f"intervals hold together{within} at level {format_setting(self.level)}; {goes}"
        return f"each interval holds by itself, {goes}: they may seem to disagree"

    def conventions(self) -> list[str]:
        """How models were compared, and how the verdict goes together with the intervals."""
        return [f"differences of {self.measure}: {self.how}", *([self.convention] if self.convention else [])]

    def _columns(self) -> Table:
        tests = [pair.test for pair in self.pairs]
        return {
            "first": [pair.first for pair in self.pairs],
            "second": [pair.second for pair in self.pairs],
            "difference": [test.estimate for test in tests],
            "low": [test.low for test in tests],
            "high": [test.high for test in tests],
            "statistic": [test.statistic for test in tests],
            "pvalue": [test.pvalue for test in tests],
            "p_holm": [pair.p_holm for pair in self.pairs],
            "p_bh": [pair.p_bh for pair in self.pairs],
            **self._moves(),
        }

    def _moves(self) -> Table:
        table: Table = {}
        if self.reclassified:
            table = {name: [getattr(pair, name) for pair in self.reclassified] for name in ("old", "new")}
        for name in ("nri", "idi") if self.reclassified else ():
            found = [getattr(getattr(pair, name), name) for pair in self.reclassified]
            table |= {
                name: [each.estimate for each in found],
                f"{name}_low": [each.low for each in found],
                f"{name}_high": [each.high for each in found],
                f"{name}_p": [each.pvalue for each in found],
            }
        if self.reclassified:
            table["idi_relative"] = [pair.idi.relative.estimate for pair in self.reclassified]
        return table

    def plot(self, ax: Axes | None = None, *, publication: bool = False) -> Display:
        """Draw each difference with its interval; filled ones are told apart after adjustment."""
        from rocsteady._src.views.plots import draw_differences

        return draw_differences(self, ax, publication=publication)

    def __str__(self) -> str:
        columns = self._columns()
        rows = table_cells(list(columns), zip(*columns.values(), strict=True))
        table = text_table(*turned_if_wide(list(columns), rows))
        return "\n".join([*map(printable, self.verdict), "", table, *self.notes(), *self.tables()])

    def tables(self) -> list[str]:
        """Calibration and net benefit of the models, then the reclassification table of each pair."""
        moved = [
            f"\nfrom {printable(pair.old)} (old) to {printable(pair.new)} (new)\n{pair.table}"
            for pair in self.reclassified
        ]
        return [*self._probabilities(), *moved]

    def _probabilities(self) -> list[str]:
        if not self.probabilities:
            return []
        header = ["model", "Brier score", "calibration in the large", "calibration slope"]
        header += [f"net benefit at {cut}" for cut in self.probabilities[0].net_benefit]
        lines = text_table(*turned_if_wide(header, [each.cells() for each in self.probabilities]))
        return [f"\nprobabilities (in the large: 0 is right; slope: 1 is right, less is too extreme)\n{lines}"]

    def notes(self) -> list[str]:
        """The test of all models at once, what was assumed, and what to beware of."""
        lines = []
        if self.omnibus is not None:
            text = (
                f"all {format_count(len(self.models))} alike: "
                f"{self.omnibus.method.partition('omnibus ')[2]}, statistic "
            )
            lines.append(text + f"{format_number(self.omnibus.statistic)}, {p_words(self.omnibus.pvalue)}")
        lines.append(f"{self.measure}, {self.how}, intervals at level {format_setting(self.level)}; {self._rows()}")
        lines += [self.convention] if self.convention else []
        return [safe(line) for line in [*lines, *map(noted, self.warnings)]]

    def _rows(self) -> str:
        """How many rows, and which are positive; of more than two classes there are none such."""
        origin = self.origin
        if self.n_pos is None:
            return f"{format_count(origin.n_rows)} rows{origin.dropped}"
        size = origin.sizes(self.n_pos, self.n_neg)
        return f"{size}; positive label {origin.pos_label!r}; {DIRECTION}{origin.dropped}"
