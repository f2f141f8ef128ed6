"""The covariate-adjusted ROC curve."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.text import format_count, format_interval, format_level, format_number, format_setting
from rocsteady._src.results.curves import Curve
from rocsteady._src.results.pictures import Paths, source
from rocsteady._src.results.remarks import noted

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from rocsteady._src.results.base import Origin
    from rocsteady._src.results.displays import Display
    from rocsteady._src.results.inference import Interval
    from rocsteady._src.results.remarks import Remark

    Array = NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class AdjustedRoc(Curve):
    """ROC curve among cases of the same covariates; see :func:`rocsteady.inference.adjusted_roc`.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, s, old = [0, 0, 1, 1, 0, 1, 1, 1], [1, 2, 1.5, 2.5, 4, 3, 5, 6], [0, 0, 0, 0, 1, 1, 1, 1]
    >>> rs.inference.adjusted_roc(y, s, old, n_resamples=50, random_state=1).n_strata
    2
    """

    fpr: Array
    tpr: Array
    low: Array
    high: Array
    auc: Interval
    unadjusted: float
    method: str
    n_strata: int | None
    level: float
    n_resamples: int
    seed: int
    n_pos: Any
    n_neg: Any
    origin: Origin
    warnings: tuple[Remark, ...] = ()

    axes = ("fpr", "tpr")
    labels = ("False positive rate", "True positive rate")
    title = "Covariate-adjusted ROC curve"

    def plot(self, ax: Axes | None = None, *, publication: bool = False) -> Display:  # type: ignore[override]
        """Draw the curve with its pointwise limits."""
        from rocsteady._src.views.plots import draw_record

        return draw_record(self, self._picture(), ax, publication=publication)

    def _picture(self) -> Paths:
        limits = f"{format_level(self.level)} limits, each point by itself"
        title = (f"{self.title} ({self.method}); {limits}", *source(self.origin, self.n_pos, self.n_neg))
        paths, bands = {"adjusted": self.tpr, "chance": self.fpr}, {"adjusted": (self.low, self.high)}
        return Paths(title, self.labels[0], self.labels[1], self.fpr, paths, bands)

    def __str__(self) -> str:
        area = format_interval(self.auc.estimate, self.auc.low, self.auc.high)
        among = self.method if self.n_strata is None else f"{self.method}, {format_count(self.n_strata)} strata"
        first = f"adjusted AUC {area} ({among}; {format_setting(self.level)} level, {self.auc.method})"
        sizes = f"{self.origin.sizes(self.n_pos, self.n_neg)}{self.origin.dropped}"
        last = f"unadjusted {format_number(self.unadjusted)}; {sizes}"
        return "\n".join([first, last, *map(noted, self.warnings)])
