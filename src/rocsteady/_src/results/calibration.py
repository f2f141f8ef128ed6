"""Results about probabilities: calibration curves, decompositions, the summary of a validation, decision curves."""

from __future__ import annotations

from dataclasses import dataclass, fields
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.text import (
    MISSING,
    format_column,
    format_count,
    format_digits,
    format_interval,
    format_intervals,
    format_level,
    format_number,
    format_setting,
    p_words,
    table_cells,
    text_table,
)
from rocsteady._src.results.base import Origin, Result
from rocsteady._src.results.curves import Curve
from rocsteady._src.results.inference import Interval, TestResult
from rocsteady._src.results.pictures import Bar, Bars, Forest, Line, line_of, source

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from rocsteady._src.base.frames import Table
    from rocsteady._src.results.displays import CalibrationDisplay, DecisionDisplay
    from rocsteady._src.results.remarks import Remark

    Array = NDArray[Any]

MOST_THRESHOLDS_PRINTED = 9


@dataclass(frozen=True, slots=True, eq=False)
class CalibrationCurve(Curve):
    """Share of positives (``observed``) against mean score (``predicted``), one entry per bin that holds rows.

    ``low`` and ``high`` are limits of the share at ``level``, each bin by itself. ``bin_low`` and ``bin_high`` are the
    lowest and highest score in the bin, ``count`` its weight of rows. ``histogram`` counts all rows in bars of equal
    width from 0 to 1.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, s, t = (rs.examples.loans(200)[name] for name in ("defaulted", "boosted", "logistic"))
    >>> rs.calibration_curve(y, s, n_bins=4)
    CalibrationCurve(Calibration curve: 4 bins (quantile), 200 rows, 0.95 level, wilson)
    """

    predicted: Array
    observed: Array
    low: Array
    high: Array
    count: Array
    bin_low: Array
    bin_high: Array
    strategy: str
    level: float
    method: str
    histogram: tuple[float, ...]
    n_pos: Any
    n_neg: Any
    origin: Origin | None = None
    warnings: tuple[Remark, ...] = ()
    n_resamples: int | None = None
    seed: int | None = None

    axes = ("predicted", "observed")
    unpacked = ("observed", "predicted")
    labels = ("Predicted probability", "Share of positives")
    title = "Calibration curve"

    def plot(  # type: ignore[override]  # more than a line
        self, ax: Axes | None = None, *, name: str | None = None, **line_options: Any
    ) -> CalibrationDisplay:
        """Draw a reliability diagram over a histogram of the scores.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; a new figure when absent.
        name : str, optional
            Name of the model in the legend.
        **line_options
            Passed on to ``Axes.plot``; a ``color`` holds for limits and histogram too.

        Returns
        -------
        CalibrationDisplay
            With ``ax_``, ``figure_``, ``line_``, ``limits_``, ``bars_`` and ``diagonal_``.
        """
        from rocsteady._src.views.plots.calibration import draw_calibration

        return draw_calibration(self, ax, name=name, **line_options)

    def __str__(self) -> str:
        rows = f"{format_count(float(self.count.sum()))} rows"
        return (
            f"{self.title}: {format_count(len(self))} bins ({self.strategy}), {rows}, {format_setting(self.level)} "
            f"level, {self.method}"
        )


@dataclass(frozen=True, slots=True, eq=False)
class ScoreDecomposition(Result):
    """A mean loss taken apart: ``score = miscalibration - discrimination + uncertainty + within_bins``.

    ``within_bins`` is what bins hide, and 0 with ``method="corp"``. ``reliability`` and ``resolution`` are other names
    of ``miscalibration`` and ``discrimination``.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, s, t = (rs.examples.loans(200)[name] for name in ("defaulted", "boosted", "logistic"))
    >>> rs.calibration.brier_decomposition(y, s)
    ScoreDecomposition(Brier score 0.0807 = 0.0177 - 0.0680 + 0.1310 (miscalibration - discrimination + uncertainty, co
    ...)
    """

    score: float
    miscalibration: float
    discrimination: float
    uncertainty: float
    within_bins: float
    loss: str
    method: str
    n_bins: int
    n_pos: Any
    n_neg: Any
    origin: Origin | None = None

    @property
    def reliability(self) -> float:
        """Same as ``miscalibration``: 0 is best."""
        return self.miscalibration

    @property
    def resolution(self) -> float:
        """Same as ``discrimination``: more is better."""
        return self.discrimination

    def _picture(self) -> Bars:
        steps = {
            "uncertainty": self.uncertainty,
            "- discrimination": -self.discrimination,
            "+ miscalibration": self.miscalibration,
        } | ({"+ within bins": self.within_bins} if self.within_bins else {})
        ends = list(accumulate(map(float, steps.values()), initial=0.0))
        bars = [Bar(*each) for each in zip(steps, ends[:-1], ends[1:], steps.values(), strict=True)]
        total = Bar(f"= {self.loss}", 0.0, self.score, self.score)
        title = (
            f"{self.loss} taken apart ({self.method}, {self.n_bins} bins)",
            *source(self.origin, self.n_pos, self.n_neg),
        )
        return Bars(title, f"{self.loss}, lower is better", (*bars, total))

    def __str__(self) -> str:
        minus, plus, last = map(format_number, (self.miscalibration, self.discrimination, self.uncertainty))
        parts = f"{minus} - {plus} + {last}"
        rest = f" {format_number(self.within_bins, signed=True)} within bins" if self.within_bins else ""
        names = "miscalibration - discrimination + uncertainty"
        return f"{self.loss} {format_number(self.score)} = {parts}{rest} ({names}, {self.method}, {self.n_bins} bins)"


@dataclass(frozen=True, slots=True, eq=False)
class SmoothCalibrationError(Result):
    """Distances between scores and a smooth calibration curve, over rows.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, s, t = (rs.examples.loans(200)[name] for name in ("defaulted", "boosted", "logistic"))
    >>> rs.calibration.smooth_calibration_error(y, s)
    SmoothCalibrationError(distance from the smooth curve: mean 0.0531, 90% below 0.1004, largest 0.1177)
    """

    mean: float
    p90: float
    largest: float
    n_pos: Any
    n_neg: Any
    origin: Origin | None = None

    def _picture(self) -> Bars:
        numbers = {"mean": self.mean, "90% of rows below": self.p90, "largest": self.largest}
        title = ("Distance from a smooth calibration curve", *source(self.origin, self.n_pos, self.n_neg))
        bars = tuple(Bar(name, 0.0, value, value) for name, value in numbers.items())
        return Bars(title, "Score to smooth curve, in probability", bars)

    def __str__(self) -> str:
        mean, most, largest = map(format_number, (self.mean, self.p90, self.largest))
        return f"distance from the smooth curve: mean {mean}, 90% below {most}, largest {largest}"


@dataclass(frozen=True, slots=True, eq=False)
class CalibrationSummary(Result):
    """What a validation of probabilities reports; see :func:`rocsteady.calibration.calibration_summary`.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, s, t = (rs.examples.loans(200)[name] for name in ("defaulted", "boosted", "logistic"))
    >>> print(rs.calibration.calibration_summary(y, s).slope)
    +1.5663 [+1.0463, +2.0863] (0.95 level), p = 0.0328 (logistic); alternative: the slope is not 1
    """

    in_the_large: TestResult
    slope: TestResult
    intercept: Interval
    observed_expected: Interval
    unreliability_test: TestResult
    spiegelhalter: TestResult
    hosmer_lemeshow: TestResult
    brier: Interval
    scaled_brier: float
    log_loss: float
    discrimination: float
    unreliability: float
    quality: float
    r2: float
    ece: float
    expected_ece: float
    n_pos: Any
    n_neg: Any
    origin: Origin | None = None
    warnings: tuple[Remark, ...] = ()

    def _brief(self) -> str:
        parts: dict[str, Any] = {"slope": self.slope, "in the large": self.in_the_large, "Brier score": self.brier}
        shown = ", ".join(
            f"{name} {format_interval(each.estimate, each.low, each.high)}" for name, each in parts.items()
        )
        return f"{shown}; {format_count(self.n_pos + self.n_neg)} rows"

    def _columns(self) -> Table:
        rows = [_line(item.name, getattr(self, item.name)) for item in fields(self)]
        kept = [row for row in rows if row]
        return {key: [row.get(key, np.nan) for row in kept] for key in ("name", *_SHOWN)}

    def _picture(self) -> Forest:
        tests = {
            "unreliability": self.unreliability_test,
            "Spiegelhalter": self.spiegelhalter,
            "Hosmer-Lemeshow": self.hosmer_lemeshow,
        }
        title = (
            "Calibration: " + ", ".join(f"{name} {p_words(test.pvalue)}" for name, test in tests.items()),
            *source(self.origin, self.n_pos, self.n_neg),
        )
        label = f"Estimate, {format_level(self.brier.level)} intervals; dashed: perfect calibration"
        return Forest(title, label, (*self._lines(), *(Line(name, getattr(self, field)) for field, name in _ALONE)))

    def _lines(self) -> tuple[Line, ...]:
        intercept, ratio = self.intercept, self.observed_expected
        return (
            line_of("calibration in the large", self.in_the_large),
            Line("intercept", intercept.estimate, intercept.low, intercept.high, (0.0,)),
            line_of("slope", self.slope),
            Line("observed / expected", ratio.estimate, ratio.low, ratio.high, (1.0,)),
            line_of("Brier score", self.brier),
        )

    def __str__(self) -> str:
        table = self._columns()
        shown = table_cells(list(table), zip(*table.values(), strict=True))
        rows = [["", *_SHOWN], *([name, *("" if cell == MISSING else cell for cell in row)] for name, *row in shown)]
        lines = (f"{name:20}" + "".join(f"{cell:>11}" for cell in cells) for name, *cells in rows)
        return "\n".join(line.rstrip() for line in lines)


_ALONE = (
    ("scaled_brier", "scaled Brier score"),
    ("log_loss", "log loss"),
    ("discrimination", "discrimination D"),
    ("unreliability", "unreliability U"),
    ("quality", "quality Q"),
    ("r2", "R2"),
    ("ece", "expected calibration error"),
    ("expected_ece", "the same if calibrated"),
)
_SHOWN = ("estimate", "low", "high", "statistic", "df", "pvalue")


def _line(name: str, value: Any) -> dict[str, Any]:
    """One row of the table: numbers of an interval or a test, or a number alone."""
    if isinstance(value, (Interval, TestResult)):
        numbers = {key: getattr(value, key, None) for key in _SHOWN}
        return {"name": name} | {key: float(number) for key, number in numbers.items() if number is not None}
    return {"name": name, "estimate": float(value)} if isinstance(value, float) else {}


@dataclass(frozen=True, slots=True, eq=False)
class DecisionCurves(Result):
    """Net benefit of each model over thresholds, with limits at ``level``, each threshold by itself.

    ``net_benefit``, ``low``, ``high``, ``standardized`` (net benefit over prevalence) and ``interventions_avoided``
    (per 100 rows, at equal true positives, compared with treating all) map a model's name to its array; ``treat_all``
    is the net benefit of calling every row positive, ``treat_none`` is 0.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, s, t = (rs.examples.loans(200)[name] for name in ("defaulted", "boosted", "logistic"))
    >>> rs.decision_curve(y, s)
    DecisionCurves(Decision curves: model; 99 thresholds from 0.01 to 0.99, prevalence 0.1550)
    """

    thresholds: Array
    net_benefit: dict[str, Array]
    low: dict[str, Array]
    high: dict[str, Array]
    standardized: dict[str, Array]
    interventions_avoided: dict[str, Array]
    treat_all: Array
    treat_none: Array
    prevalence: float
    level: float
    method: str
    n_pos: Any
    n_neg: Any
    origin: Origin | None = None
    warnings: tuple[Remark, ...] = ()
    n_resamples: int | None = None
    seed: int | None = None

    def _columns(self) -> Table:
        arrays = ("net_benefit", "low", "high", "standardized", "interventions_avoided")
        names = list(self.net_benefit)
        columns: Table = {
            "model": [name for name in names for _ in self.thresholds],
            "threshold": np.tile(self.thresholds, len(names)),
        }
        for key in arrays:
            columns[key] = np.concatenate([getattr(self, key)[name] for name in names])
        return columns | {"treat_all": np.tile(self.treat_all, len(names))}

    def plot(self, ax: Axes | None = None, *, publication: bool = False) -> DecisionDisplay:
        """Draw the net benefit of all models, of treating all and of treating none.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; a new figure when absent.

        Returns
        -------
        DecisionDisplay
            With ``ax_``, ``figure_``, ``lines_`` and ``bands_``.
        """
        from rocsteady._src.views.plots.decisions import draw_decisions

        return draw_decisions(self, ax, publication=publication)

    def _brief(self) -> str:
        first, last = (format_digits(each, 6) for each in (self.thresholds[0], self.thresholds[-1]))
        span = f"{format_count(self.thresholds.size)} thresholds from {first} to {last}"
        return f"Decision curves: {', '.join(self.net_benefit)}; {span}, prevalence {format_number(self.prevalence)}"

    def __str__(self) -> str:
        return "\n".join([f"{self._brief()}; net benefit:", self._some_thresholds(), *self._notes()])

    def _some_thresholds(self) -> str:
        """Net benefit of the models and of treating all, at thresholds spread over the curve."""
        at = np.unique(np.linspace(0, self.thresholds.size - 1, MOST_THRESHOLDS_PRINTED).round().astype(int))
        shown = {
            name: format_intervals(
                [(float(values[i]), float(self.low[name][i]), float(self.high[name][i])) for i in at]
            )
            for name, values in self.net_benefit.items()
        }
        header = ["threshold", *shown, "treat all", "treat none"]
        columns = [[format_digits(self.thresholds[i], 6) for i in at], *shown.values()]
        columns += [format_column([float(self.treat_all[i]) for i in at]), ["0"] * at.size]
        return text_table(header, [list(row) for row in zip(*columns, strict=True)])
