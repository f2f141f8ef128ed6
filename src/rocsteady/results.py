"""Frozen results. They hold numbers and say what they are about; they compute nothing.

Every result has ``to_dict()`` and ``to_frame()``; curves also have ``plot(ax=None)``.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from rocsteady._version import __version__
from rocsteady.frames import Table, make_frame

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

DIRECTION = "a higher score means more positive"


@dataclass(frozen=True, slots=True)
class Origin:
    """Where the numbers come from: what counts as positive, how many rows were read and left out."""

    pos_label: Any
    n_rows: int
    n_dropped: int = 0
    weighted: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, with direction and version."""
        return {
            "pos_label": _plain(self.pos_label),
            "direction": DIRECTION,
            "n_rows": self.n_rows,
            "n_dropped": self.n_dropped,
            "weighted": self.weighted,
            "version": __version__,
        }


class Bounded(float):
    """A float that knows its error: ``error_bound`` is absolute, ``method`` says how it was computed.

    Examples
    --------
    >>> value = Bounded(0.25, error_bound=1e-14, method="prefix sums")
    >>> value * 4, value.error_bound, value.method
    (1.0, 1e-14, 'prefix sums')
    """

    error_bound: float
    method: str

    def __new__(cls, value: float, *, error_bound: float, method: str) -> Bounded:
        """Attach a bound to a value."""
        made = super().__new__(cls, value)
        made.error_bound, made.method = error_bound, method
        return made

    def __getnewargs_ex__(self) -> tuple[tuple[float], dict[str, Any]]:
        return (float(self),), {"error_bound": self.error_bound, "method": self.method}


class Result:
    """Shared doors of all results."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python values, arrays as lists."""
        return {field.name: _plain(getattr(self, field.name)) for field in fields(self)}  # type: ignore[arg-type]

    def to_frame(self, backend: str | None = None) -> Any:
        """Return a DataFrame: one row, or one row per entry for curves.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, optional
            The first one installed, in this order, unless named.
        """
        return make_frame(self._columns(), backend)

    def _columns(self) -> Table:
        return {key: [value] for key, value in self.to_dict().items() if not isinstance(value, (dict, list))}


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value


@dataclass(frozen=True, slots=True, eq=False)
class Curve(Result):
    """What all curves share. ``axes`` names the two columns to draw against each other."""

    axes: ClassVar[tuple[str, str]]
    labels: ClassVar[tuple[str, str]]
    title: ClassVar[str]
    in_unit_square: ClassVar[bool] = True

    @property
    def xy(self) -> tuple[Array, Array]:
        """The two coordinates to draw."""
        return getattr(self, self.axes[0]), getattr(self, self.axes[1])

    def plot(self, ax: Any = None, *, name: str | None = None, **line_options: Any) -> Any:
        """Draw with matplotlib and return a display with ``ax_``, ``figure_`` and ``line_``.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; a new figure when absent.
        name : str, optional
            Name of the model in the legend.
        **line_options
            Passed on to ``Axes.plot``.
        """
        from rocsteady.plots import draw_curve

        return draw_curve(self, ax, name=name, **line_options)

    def _columns(self) -> Table:
        arrays = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in arrays.items() if isinstance(value, np.ndarray)}

    def __len__(self) -> int:
        return len(self.xy[0])

    def __str__(self) -> str:
        area = getattr(self, "area", None)
        return f"{self.title}: {len(self)} points" + ("" if area is None else f", area {float(area):.6g}")


@dataclass(frozen=True, slots=True, eq=False)
class RocCurve(Curve):
    """True against false positive rate; ``thresholds`` decrease and start with inf, "nothing positive"."""

    fpr: Array
    tpr: Array
    thresholds: Array
    area: float
    n_pos: Any
    n_neg: Any
    origin: Origin | None = None
    max_deviation: float = 0.0

    axes = ("fpr", "tpr")
    labels = ("False positive rate", "True positive rate")
    title = "ROC curve"


@dataclass(frozen=True, slots=True, eq=False)
class HullCurve(RocCurve):
    """Vertices of the upper convex hull of a ROC curve, from (0, 0) to (1, 1)."""

    title = "ROC convex hull"


@dataclass(frozen=True, slots=True, eq=False)
class ProbRocCurve(RocCurve):
    """ROC curve with positives spread by their score; its area is the probability AUC."""

    title = "Probability ROC"


@dataclass(frozen=True, slots=True, eq=False)
class PrCurve(Curve):
    """Precision against recall, from recall 0 on; ``interpolation`` says what ``area`` means."""

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
    labels = ("Recall", "Precision")
    title = "Precision-recall curve"


@dataclass(frozen=True, slots=True, eq=False)
class GainsCurve(Curve):
    """Share of all positives found (``gain``) and lift among the ``fraction`` of rows scored highest."""

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
    """False negative against false positive rate (detection error tradeoff)."""

    fpr: Array
    fnr: Array
    thresholds: Array
    n_pos: Any
    n_neg: Any
    origin: Origin | None = None
    max_deviation: float = 0.0

    axes = ("fpr", "fnr")
    labels = ("False positive rate", "False negative rate")
    title = "Detection error tradeoff"


@dataclass(frozen=True, slots=True, eq=False)
class ScoredCurve(Curve):
    """Share of pairs still won when all positives are lowered by ``tau``; ``exact`` when every step is there."""

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


@dataclass(frozen=True, slots=True)
class SetProperties(Result):
    """What the score values of a set look like, beyond their order.

    ``abs_margin`` is the lowest positive minus the highest negative score; ``abs_error_size`` counts the pairs in
    which the positive is not above the negative.
    """

    range: float
    abs_margin: float
    rel_margin: float
    median: float
    abs_error_size: Any
    rel_error_size: float
    correctly_ranked: bool
    n_pos: Any
    n_neg: Any
    origin: Origin | None = None


@dataclass(frozen=True, slots=True)
class ThresholdChoice(Result):
    """A threshold, the rule that chose it, the value the rule reached, and the rates there."""

    threshold: float
    rule: str
    objective: float
    tpr: float
    fpr: float
    precision: float
    accuracy: float
    base_rate: float
    n_pos: Any
    n_neg: Any
    origin: Origin | None = None

    def __str__(self) -> str:
        return (
            f"{self.rule}: positive when score >= {float(self.threshold):g} "
            f"(TPR {self.tpr:.4g}, FPR {self.fpr:.4g}, precision {self.precision:.4g})"
        )


@dataclass(frozen=True, slots=True)
class TieDiagnostics(Result):
    """How much of the AUC rests on ties: between equal scores, and between scores a few ulp apart."""

    tied_pairs: float
    auc: float
    auc_worst: float
    auc_best: float
    n_distinct: int
    near_tied_pairs: float
    near_ulps: int
    auc_if_near_ties_tied: float
    origin: Origin | None = None

    def __str__(self) -> str:
        return (
            f"{self.tied_pairs:.2%} of the opposite-class pairs are tied: AUC {self.auc:.6g}, between "
            f"{self.auc_worst:.6g} and {self.auc_best:.6g} if ties were broken; "
            f"{self.near_tied_pairs:.2%} within {self.near_ulps} ulp"
        )
