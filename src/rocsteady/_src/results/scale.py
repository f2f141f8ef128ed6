"""Results of a sketch: brackets that hold the exact value, for measures and for curves."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import printable
from rocsteady._src.base.text import format_count, format_digits, format_number, format_setting
from rocsteady._src.results.base import DIRECTION, Result
from rocsteady._src.results.curves import Curve
from rocsteady._src.results.inference import Interval
from rocsteady._src.results.pictures import Forest, Line, source
from rocsteady._src.results.remarks import noted

if TYPE_CHECKING:
    from os import PathLike
    from pathlib import Path

    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from rocsteady._src.base.frames import Table
    from rocsteady._src.results.base import Origin
    from rocsteady._src.results.curves import RocCurve
    from rocsteady._src.results.displays import BracketDisplay
    from rocsteady._src.results.remarks import Remark

    Array = NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class Bracket(Interval):
    """A value that lies between ``low`` and ``high``, for certain; ``estimate`` is the middle.

    ``exact`` says that nothing is open: low = estimate = high. This is no confidence interval: it tells how far the
    rounding of scores to cells may have moved the value of these rows, and nothing about other rows.

    Examples
    --------
    >>> import rocsteady as rs
    >>> sketch = rs.scale.Sketch(range=(0, 1)).update([1, 0, 1, 0], [0.8, 0.3, 0.3, 0.1])
    >>> sketch.auc()
    Bracket(0.875 (exact))
    """

    measure: str = ""
    exact: bool = False

    @property
    def half_width(self) -> float:
        """Farthest that the exact value can lie from the estimate."""
        return (self.high - self.low) / 2

    @property
    def digits(self) -> int:
        """How many digits to show: those that are sure and two more."""
        if self.exact or not self.half_width > 0:
            return 6
        return min(17, max(6, 2 - _exponent(self.half_width)))

    def _picture(self) -> Forest:
        title = (f"{self.measure}, {self.method}", *source(self.origin, self.n_pos, self.n_neg))
        line = Line(self.measure, self.estimate, self.low, self.high, certain=True)
        return Forest(title, "Between the ends for certain; no confidence interval", (line,))

    def __str__(self) -> str:
        return shown(self) + (" (exact)" if self.exact else f" (exact=False, {self.method})")


def shown(bracket: Bracket) -> str:
    """The value, with as many digits as are sure and two more, and the bracket."""
    if bracket.exact or not bracket.half_width > 0:
        return format_digits(bracket.estimate, 6)
    value, low, high = (format_digits(each, bracket.digits) for each in (bracket.estimate, bracket.low, bracket.high))
    return f"{value} [{low}, {high}]"


def _exponent(value: float) -> int:
    return Decimal(value).adjusted()


@dataclass(frozen=True, slots=True, eq=False)
class BracketedRoc(Result):
    """ROC curve between two curves: all open pairs lost (``low``), all won (``up``); equal when ``exact``.

    Examples
    --------
    >>> import rocsteady as rs
    >>> sketch = rs.scale.Sketch(range=(0, 1)).update([1, 0, 1, 0], [0.8, 0.3, 0.3, 0.1])
    >>> sketch.roc_curve()
    BracketedRoc(ROC curve with an area from 0.875 to 0.875 (exact=True))
    """

    low: RocCurve
    up: RocCurve
    low_auc: float
    up_auc: float
    exact: bool
    n_pos: Any
    n_neg: Any
    origin: Origin | None = None

    def plot(self, ax: Axes | None = None, *, name: str | None = None, publication: bool = False) -> BracketDisplay:
        """Draw the band with matplotlib; returns a display with ``ax_``, ``figure_``, ``lines_`` and ``band_``."""
        from rocsteady._src.views.plots.scale import draw_bracketed_roc

        return draw_bracketed_roc(self, ax, name=name, publication=publication)

    def _columns(self) -> Table:
        return {"low_auc": [self.low_auc], "up_auc": [self.up_auc], "exact": [self.exact]}

    def __str__(self) -> str:
        low, up = format_digits(self.low_auc, 9), format_digits(self.up_auc, 9)
        return f"ROC curve with an area from {low} to {up} (exact={self.exact})"


@dataclass(frozen=True, slots=True, eq=False)
class BracketedPr(Curve):
    """Precision-recall: a point with recall in (recall[i-1], recall[i]] has a precision from low[i] to high[i].

    Examples
    --------
    >>> import rocsteady as rs
    >>> sketch = rs.scale.Sketch(range=(0, 1)).update([1, 0, 1, 0], [0.8, 0.3, 0.3, 0.1])
    >>> sketch.pr_curve()
    BracketedPr(Precision-recall bracket: 2 steps, average precision 0.833333 (exact))
    """

    recall: Array
    low: Array
    high: Array
    area: Bracket
    exact: bool
    n_pos: Any
    n_neg: Any
    origin: Origin | None = None

    axes = ("recall", "high")
    labels = ("Recall", "Precision")
    title = "Precision-recall bracket"

    def plot(  # type: ignore[override]  # more than a line
        self, ax: Axes | None = None, *, name: str | None = None, **line_options: Any
    ) -> BracketDisplay:
        """Draw both limits with matplotlib; returns a display with ``ax_``, ``figure_``, ``lines_`` and ``band_``."""
        from rocsteady._src.views.plots.scale import draw_bracketed_pr

        return draw_bracketed_pr(self, ax, name=name, **line_options)

    def __str__(self) -> str:
        return f"{self.title}: {format_count(len(self))} steps, average precision {self.area}"


@dataclass(frozen=True, slots=True, eq=False)
class BracketedEvaluation(Result):
    """Models by measures, each value between two bounds that hold: ``brackets[model][measure]``.

    Examples
    --------
    >>> import rocsteady as rs
    >>> sketch = rs.scale.Sketch(range=(0, 1)).update([1, 0, 1, 0], [0.8, 0.3, 0.3, 0.1])
    >>> rs.scale.evaluate_sketches({"model": sketch}, measures=["auc"])
    BracketedEvaluation(model auc 0.875 exact=True)
    """

    brackets: dict[str, dict[str, Bracket]]
    curves: dict[str, BracketedRoc]
    pr_curves: dict[str, BracketedPr] = field(default_factory=dict)
    intervals: dict[str, dict[str, Interval]] = field(default_factory=dict)
    remarks: tuple[Remark, ...] = ()

    @property
    def models(self) -> list[str]:
        """Names of the models."""
        return list(self.brackets)

    @property
    def measures(self) -> list[str]:
        """Names of the measures."""
        return list(next(iter(self.brackets.values())))

    @property
    def exact(self) -> bool:
        """Whether no value is open."""
        return all(found.exact for row in self.brackets.values() for found in row.values())

    def notes(self) -> list[str]:
        """What holds for all numbers: exactness, direction, and for each model its label, rows and outliers."""
        told = [EXACT if self.exact else OPEN, DIRECTION]
        for model, row in self.brackets.items():
            one = next(iter(row.values()))
            origin = one.origin
            rows = "" if origin is None else f", {format_count(origin.n_dropped)} rows dropped" * bool(origin.n_dropped)
            told.append(f"{printable(model)}: {source(origin, one.n_pos, one.n_neg)[0]}{rows}")
            told += [
                f"{printable(model)}: {text}" for text in dict.fromkeys(w for b in row.values() for w in b.warnings)
            ]
        return [*told, *self._on_intervals(), *map(noted, self.remarks)]

    def _on_intervals(self) -> list[str]:
        """How intervals were made, and for which measures there is none."""
        found = [(name, each) for row in self.intervals.values() for name, each in row.items()]
        if not self.intervals:
            return []
        ways: dict[str, dict[str, None]] = {}
        for name, each in found:
            ways.setdefault(each.how, {})[name] = None
        told = [f"interval at level {format_setting(each.level)}: of other rows like these" for _, each in found[:1]]
        told += [f"interval by {how}: {', '.join(names)}" for how, names in ways.items()]
        without = [name for name in self.measures if all(name not in row for row in self.intervals.values())]
        return told + ([f"no interval of {', '.join(without)}: counts give none"] if without else [])

    def to_dict(self) -> dict[str, Any]:
        """Return plain values: for each model and measure the estimate, low, high and exact."""
        rows = {
            model: {
                name: {key: getattr(found, key) for key in NUMBERS} | self._ends(model, name)
                for name, found in row.items()
            }
            for model, row in self.brackets.items()
        }
        return {"exact": self.exact, "models": rows, "notes": self.notes()}

    def _columns(self) -> Table:
        flat = [(model, name, found) for model, row in self.brackets.items() for name, found in row.items()]
        columns: Table = {"model": [each[0] for each in flat], "measure": [each[1] for each in flat]}
        columns |= {key: [getattr(found, key) for *_, found in flat] for key in NUMBERS}
        if not self.intervals:
            return columns
        ends = [self._ends(model, name) for model, name, _ in flat]
        return columns | {key: [each.get(key, math.nan) for each in ends] for key in ENDS}

    def _ends(self, model: str, name: str) -> dict[str, float]:
        """Ends of the confidence interval, where there is one."""
        found = self.intervals.get(model, {}).get(name)
        return {} if found is None else dict(zip(ENDS, (found.low, found.high), strict=True))

    def plot(  # type: ignore[override]  # one per model
        self, ax: Axes | None = None, *, publication: bool = False
    ) -> list[BracketDisplay]:
        """Draw the ROC bands of all models with matplotlib."""
        from rocsteady._src.views.plots.scale import draw_bracketed_models

        return draw_bracketed_models(self, ax, publication=publication)

    def report(self, path: str | PathLike[str], *, title: str = "Which model is better?", force: bool = False) -> Path:
        """Write the numbers with their brackets to an .md, .html or .json file, whole or not at all."""
        from rocsteady._src.views.report.sketch_page import write_bracketed

        return write_bracketed(self, path, title=title, force=force)

    def __str__(self) -> str:
        wide = max(len(printable(model)) for model in self.models)
        lines = [
            f"{printable(model):<{wide}}  {name}  {shown(found)}  exact={found.exact}{self._interval(model, name)}"
            for model, row in self.brackets.items()
            for name, found in row.items()
        ]
        return "\n".join([*lines, *self.notes()])

    def _interval(self, model: str, name: str) -> str:
        found = self.intervals.get(model, {}).get(name)
        return "" if found is None else f"  interval [{format_number(found.low)}, {format_number(found.high)}]"


NUMBERS = ("estimate", "low", "high", "exact")
ENDS = ("interval_low", "interval_high")
EXACT = "exact=True: every score was counted by itself"
OPEN = "exact=False: scores were counted in cells; the exact value lies between low and high, for certain"
