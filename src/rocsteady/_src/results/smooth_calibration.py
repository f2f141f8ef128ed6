"""The smooth calibration curve with its bands and distances."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.text import format_count, format_interval, format_setting, p_words
from rocsteady._src.results.calibration import CalibrationCurve
from rocsteady._src.results.remarks import noted

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.results.inference import Interval, TestResult

    Array = NDArray[Any]

DISTANCES = {"ici": "ICI", "e50": "E50", "e90": "E90", "emax": "Emax"}


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SmoothCalibrationCurve(CalibrationCurve):
    """What happens (``observed``) against what was predicted, as a smooth curve at points from lowest to highest score.

    ``low`` and ``high`` hold each point by itself at ``level``; ``band_low`` and ``band_high`` the whole curve.
    ``count`` are the rows nearest to each point, between ``bin_low`` and ``bin_high``. ``ici``, ``e50``, ``e90`` and
    ``emax`` are mean, median, 90% quantile and maximum, over rows, of the distance between score and curve; their
    intervals are the least and the most distance that the band allows. ``knots`` are those of a spline, on the logit;
    ``degree`` and ``test`` those of a belt.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, s = (rs.examples.loans(200)[name] for name in ("defaulted", "boosted"))
    >>> curve = rs.calibration_curve(y, s, method="spline")
    >>> len(curve.knots), curve.strategy, curve.ici.low
    (3, 'spline', 0.0)
    """

    band_low: Array
    band_high: Array
    ici: Interval
    e50: Interval
    e90: Interval
    emax: Interval
    knots: tuple[float, ...] | None = None
    degree: int | None = None
    test: TestResult | None = None

    title = "Smooth calibration curve"

    @property
    def distances(self) -> dict[str, Interval]:
        """ICI, E50, E90 and Emax with their intervals."""
        return {name: getattr(self, field) for field, name in DISTANCES.items()}

    def _brief(self) -> str:
        rows = f"{format_count(float(self.count.sum()))} rows"
        ici = format_interval(self.ici.estimate, self.ici.low, self.ici.high)
        return f"{self.title}: {self.method}, {rows}, {format_setting(self.level)} level; ICI {ici}"

    def __str__(self) -> str:
        rows = f"{format_count(float(self.count.sum()))} rows"
        told = [
            f"{name} {format_interval(each.estimate, each.low, each.high)}" for name, each in self.distances.items()
        ]
        test = [] if self.test is None else [f"test: {p_words(self.test.pvalue)}"]
        first = f"{self.title}: {self.method}, {rows}, {format_setting(self.level)} level"
        return "\n".join(["; ".join([first, *told, *test]), *map(noted, self.warnings)])
