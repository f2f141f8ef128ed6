"""Curves: the points, and what their area means. Each has ``plot(ax=None)``."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from rocsteady._src.base.geometry import areas_beside_diagonal
from rocsteady._src.base.text import format_count, format_number
from rocsteady._src.results.base import Origin, Result

if TYPE_CHECKING:
    from collections.abc import Iterator

    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from rocsteady._src.base.frames import Table
    from rocsteady._src.results.displays import CurveDisplay

    Array = NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class Curve(Result):
    """What all curves share. ``axes`` names the two columns to draw against each other.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, s = [1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.3, 0.1]
    >>> isinstance(rs.roc_curve(y, s), rs.results.Curve)
    True
    """

    axes: ClassVar[tuple[str, str]]
    labels: ClassVar[tuple[str, str]]
    title: ClassVar[str]
    in_unit_square: ClassVar[bool] = True
    unpacked: ClassVar[tuple[str, ...]] = ()

    def __iter__(self) -> Iterator[Array]:
        """Unpack as scikit-learn's functions of the same name: ``fpr, tpr, thresholds = rs.roc_curve(y, s)``."""
        return iter([getattr(self, name) for name in self.unpacked or self.axes])

    def __getitem__(self, place: int | slice) -> Any:
        """One of the arrays that it unpacks into, or several: ``fpr, tpr = rs.roc_curve(y, s)[:2]``."""
        return tuple(self)[place]

    @property
    def xy(self) -> tuple[Array, Array]:
        """The two coordinates to draw."""
        return getattr(self, self.axes[0]), getattr(self, self.axes[1])

    def plot(self, ax: Axes | None = None, *, name: str | None = None, **line_options: Any) -> CurveDisplay:
        """Draw with matplotlib and return a display with ``ax_``, ``figure_`` and ``line_``.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; a new figure when absent.
        name : str, optional
            Name of the model in the legend.
        **line_options
            Passed on to ``Axes.plot``; ``publication=True`` draws for print: a column's width, small serif type.
        """
        from rocsteady._src.views.plots import draw_curve

        return draw_curve(self, ax, name=name, **line_options)

    def _columns(self) -> Table:
        arrays = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in arrays.items() if isinstance(value, np.ndarray)}

    def __len__(self) -> int:
        return len(self.xy[0])

    def __str__(self) -> str:
        area = getattr(self, "area", None)
        return f"{self.title}: {format_count(len(self))} points" + (
            "" if area is None else f", area {format_number(float(area))}"
        )


@dataclass(frozen=True, slots=True, eq=False)
class RocCurve(Curve):
    """True against false positive rate; ``thresholds`` decrease and start with inf, "nothing positive".

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, s = [1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.3, 0.1]
    >>> rs.roc_curve(y, s)
    RocCurve(ROC curve: 7 points, area 0.8889)
    >>> fpr, tpr, thresholds = rs.roc_curve(y, s)
    """

    fpr: Array
    tpr: Array
    thresholds: Array
    area: float
    n_pos: Any
    n_neg: Any
    origin: Origin | None = None
    max_deviation: float = 0.0

    axes = ("fpr", "tpr")
    unpacked = ("fpr", "tpr", "thresholds")
    labels = ("False positive rate", "True positive rate")
    title = "ROC curve"

    @property
    def diagonal_areas(self) -> tuple[float, float]:
        """Areas between the curve and the diagonal, S+ above it and S- below it: the area is 1/2 + S+ - S-."""
        return areas_beside_diagonal(self.fpr, self.tpr)


@dataclass(frozen=True, slots=True, eq=False)
class HullCurve(RocCurve):
    """Vertices of the upper convex hull of a ROC curve, from (0, 0) to (1, 1).

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, s = [1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.3, 0.1]
    >>> rs.roc_hull(y, s)
    HullCurve(ROC convex hull: 4 points, area 0.9444)
    """

    title = "ROC convex hull"


@dataclass(frozen=True, slots=True, eq=False)
class ProbRocCurve(RocCurve):
    """ROC curve with positives spread by their score; its area is the probability AUC.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, s = [1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.3, 0.1]
    >>> rs.prob_roc(y, s)
    ProbRocCurve(Probability ROC: 8 points, area 0.7000)
    """

    title = "Probability ROC"


@dataclass(frozen=True, slots=True, eq=False)
class PrCurve(Curve):
    """Precision against recall, from recall 0 on; ``interpolation`` says what ``area`` means.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, s = [1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.3, 0.1]
    >>> rs.pr_curve(y, s)
    PrCurve(Precision-recall curve: 7 points, area 0.9167)
    """

    recall: Array
    precision: Array
    thresholds: Array
    area: float
    interpolation: str
    n_pos: Any
    n_neg: Any
    origin: Origin | None = None
    max_deviation: float = 0.0

    axes = ("recall", "precision")
    unpacked = ("precision", "recall", "thresholds")
    labels = ("Recall", "Precision")
    title = "Precision-recall curve"


@dataclass(frozen=True, slots=True, eq=False)
class GainsCurve(Curve):
    """Share of all positives found (``gain``) and lift among the ``fraction`` of rows scored highest.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, s = [1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.3, 0.1]
    >>> rs.gains_curve(y, s)
    GainsCurve(Cumulative gains: 7 points)
    """

    fraction: Array
    gain: Array
    lift: Array
    thresholds: Array
    n_pos: Any
    n_neg: Any
    origin: Origin | None = None
    max_deviation: float = 0.0

    axes = ("fraction", "gain")
    labels = ("Share of rows called positive", "Share of positives found")
    title = "Cumulative gains"


@dataclass(frozen=True, slots=True, eq=False)
class DetCurve(Curve):
    """False negative against false positive rate (detection error tradeoff).

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, s = [1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.3, 0.1]
    >>> rs.curves.det_curve(y, s)
    DetCurve(Detection error tradeoff: 7 points)
    """

    fpr: Array
    fnr: Array
    thresholds: Array
    n_pos: Any
    n_neg: Any
    origin: Origin | None = None
    max_deviation: float = 0.0

    axes = ("fpr", "fnr")
    unpacked = ("fpr", "fnr", "thresholds")
    labels = ("False positive rate", "False negative rate")
    title = "Detection error tradeoff"


@dataclass(frozen=True, slots=True, eq=False)
class ScoredCurve(Curve):
    """Share of pairs still won when all positives are lowered by ``tau``; ``exact`` when every step is there.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, s = [1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.3, 0.1]
    >>> rs.scored_roc(y, s)
    ScoredCurve(Scored ROC: 15 points, area 0.4111)
    """

    tau: Array
    share: Array
    area: float
    exact: bool
    n_pos: Any
    n_neg: Any
    origin: Origin | None = None
    max_deviation: float = 0.0

    axes = ("tau", "share")
    labels = ("Positives lowered by", "Share of pairs won")
    title = "Scored ROC"
    in_unit_square = False
