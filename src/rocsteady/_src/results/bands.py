"""Results about the whole ROC curve: a binormal fit, the smooth curve of a model, and confidence bands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import Undefined
from rocsteady._src.base.text import format_count, format_number, format_setting
from rocsteady._src.results.base import Origin, Result
from rocsteady._src.results.curves import Curve, RocCurve
from rocsteady._src.results.pictures import Drawn, source

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from rocsteady._src.results.displays import BandDisplay
    from rocsteady._src.results.remarks import Remark

    Array = NDArray[Any]

DRAWN_POINTS = 2001
METHODS = {"binormal": "ranks", "normal": "scores"}


@dataclass(frozen=True, slots=True, eq=False)
class BinormalFit(Result):
    """The model ROC(t) = Phi(a + b Phi^-1(t)); ``covariance`` is that of (a, b).

    ``method`` is "binormal" (maximum likelihood of the ranks) or "normal" (two normals fitted to the scores).
    ``warnings`` say when not to trust it. A fit that does not converge is refused, so ``converged`` is True.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, s, t = (rs.examples.loans(200)[name] for name in ("defaulted", "boosted", "logistic"))
    >>> rs.curves.binormal_fit(y, s)
    BinormalFit(Binormal ROC (binormal): a = 2.7227, b = 1.5784, AUC 0.9275 (se 0.0198))
    """

    a: float
    b: float
    auc: float
    se_auc: float
    covariance: Array
    method: str
    converged: bool
    log_likelihood: float
    n_categories: int
    n_iterations: int
    n_pos: Any
    n_neg: Any
    origin: Origin | None = None
    warnings: tuple[Remark, ...] = ()

    def roc(self, fpr: object) -> Array:
        """True positive rates of the model at false positive rates.

        Examples
        --------
        >>> import rocsteady as rs
        >>> from rocsteady._src.inference.bands.binormal import binormal_fit
        >>> fit = binormal_fit([0, 0, 1, 0, 1, 0, 1, 1], [1, 2, 3, 4, 5, 6, 7, 8])
        >>> fit.roc([0, 0.5, 1]).round(3).tolist()
        [0.0, 0.914, 1.0]
        """
        from scipy.special import ndtr, ndtri

        rates: Array = ndtr(self.a + self.b * ndtri(np.asarray(fpr, dtype=np.float64)))
        return rates

    def _picture(self) -> Drawn:
        fpr = np.linspace(0.0, 1.0, DRAWN_POINTS) ** 2  # denser where binormal curves are steep
        unknown = np.full(fpr.size, np.nan)
        curve = SmoothRocCurve(fpr, self.roc(fpr), unknown, self.auc, self.n_pos, self.n_neg, self.origin, fit=self)
        numbers = f"a = {format_number(self.a)}, b = {format_number(self.b)}, AUC: {self._se()}"
        title = (numbers, *source(self.origin, self.n_pos, self.n_neg))
        return Drawn(title, curve.labels[0], curve, f"binormal, from {METHODS.get(self.method, self.method)}")

    def _se(self) -> str:
        """The standard error of the AUC, or why there is none."""
        if isinstance(self.se_auc, Undefined):
            return f"no se: {self.se_auc.explanation}"
        return f"se {format_number(self.se_auc)}"

    def __str__(self) -> str:
        ends = f"a = {format_number(self.a)}, b = {format_number(self.b)}, AUC {format_number(self.auc)} ({self._se()})"
        return f"Binormal ROC ({self.method}): {ends}"


@dataclass(frozen=True, slots=True, eq=False)
class SmoothRocCurve(RocCurve):
    """The ROC curve of a fitted model, whose AUC is ``area``; thresholds are NaN where the model knows none.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, s, t = (rs.examples.loans(200)[name] for name in ("defaulted", "boosted", "logistic"))
    >>> rs.curves.smooth_roc(y, s)
    SmoothRocCurve(Smooth ROC: 201 points, area 0.9275)
    """

    fit: BinormalFit | None = None

    title = "Smooth ROC"


@dataclass(frozen=True, slots=True, eq=False)
class RocBand(Curve):
    """Limits ``low`` and ``high`` of the true positive rate at each false positive rate, around ``tpr``.

    ``coverage`` says what ``level`` is about: "pointwise", each place by itself, or "simultaneous", the whole curve.
    With ``method="threshold"`` each entry is a threshold, and ``fpr_low``, ``fpr_high`` are limits of its ``fpr``.
    ``critical`` holds the numbers that set the width; the same ``seed`` gives the same band.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, s, t = (rs.examples.loans(200)[name] for name in ("defaulted", "boosted", "logistic"))
    >>> rs.roc_band(y, s)
    RocBand(ROC band: 269 points, mean width 0.1815 (0.95 level, pointwise, pointwise))
    """

    fpr: Array
    low: Array
    high: Array
    tpr: Array
    level: float
    method: str
    coverage: str
    n_pos: Any
    n_neg: Any
    origin: Origin | None = None
    warnings: tuple[Remark, ...] = ()
    fpr_low: Array | None = None
    fpr_high: Array | None = None
    thresholds: Array | None = None
    critical: tuple[float, ...] = ()
    n_resamples: int | None = None
    seed: int | None = None

    axes = ("fpr", "tpr")
    labels = ("False positive rate", "True positive rate")
    title = "ROC band"

    def plot(  # type: ignore[override]  # more than a line
        self, ax: Axes | None = None, *, name: str | None = None, **line_options: Any
    ) -> BandDisplay:
        """Draw the curve in its band and return a display with ``ax_``, ``figure_``, ``line_`` and ``band_``.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; a new figure when absent.
        name : str, optional
            Name of the model in the legend.
        **line_options
            Passed on to ``Axes.plot``; a ``color`` holds for the band too.
        """
        from rocsteady._src.views.plots.bands import draw_band

        return draw_band(self, ax, name=name, **line_options)

    def __str__(self) -> str:
        width = float(np.mean(self.high - self.low))
        about = f"{format_setting(self.level)} level, {self.coverage}, {self.method}"
        return f"{self.title}: {format_count(len(self))} points, mean width {format_number(width)} ({about})"
