"""The ROC curve step by step, and single points in the ROC plane."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.text import format_count, format_number
from rocsteady._src.results.base import Origin, Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from rocsteady._src.base.frames import Table
    from rocsteady._src.results.displays import CurveDisplay, Display

    Array = NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class RocWalk(Result):
    """A step for every distinct score, from the highest: up by its positives and right by its negatives.

    ``fpr`` and ``tpr`` are where a step ends, ``area`` is what it adds below the curve; the areas add up to the AUC.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, s = [1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.3, 0.1]
    >>> rs.curves.roc_walk(y, s)
    RocWalk(6 steps on 3 by 3 cells, area 0.8889)
    """

    score: Array
    positives: Array
    negatives: Array
    fpr: Array
    tpr: Array
    area: Array
    n_pos: Any
    n_neg: Any
    origin: Origin | None = None

    def _columns(self) -> Table:
        names = ("score", "positives", "negatives", "fpr", "tpr", "area")
        return {name: getattr(self, name).tolist() for name in names}

    def _brief(self) -> str:
        grid = f"{format_count(self.n_neg)} by {format_count(self.n_pos)} cells"
        return f"{format_count(self.score.size)} steps on {grid}, area {format_number(float(self.area.sum()))}"

    def plot(
        self, ax: Axes | None = None, *, steps: int | None = None, scores: bool = True, publication: bool = False
    ) -> CurveDisplay:
        """Draw the walk on the grid of 1/N by 1/P; up to a step, with what that step adds to the area.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw.
        steps : int, optional
            How many steps to take; all of them unless given.
        scores : bool
            Write the score of each step beside it.
        publication : bool
            A journal column's width, small serif type, embedded fonts.
        """
        from rocsteady._src.views.plots.walk import draw_walk

        return draw_walk(self, ax, steps=steps, scores=scores, publication=publication)


@dataclass(frozen=True, slots=True, eq=False)
class RocPoints(Result):
    """Classifiers without scores: one point each in the ROC plane, by name, and nothing between them.

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.curves.roc_points({"first": (0.1, 0.7), "second": (0.3, 0.8)})
    RocPoints(2 lines of name, fpr, tpr, youden_j)
    """

    names: tuple[str, ...]
    fpr: Array
    tpr: Array

    @property
    def youden_j(self) -> Array:
        """TPR - FPR: the height above the diagonal; below 0 where a classifier is worse than chance."""
        return self.tpr - self.fpr

    def _columns(self) -> Table:
        values = {"fpr": self.fpr, "tpr": self.tpr, "youden_j": self.youden_j}
        return {"name": list(self.names), **{name: found.tolist() for name, found in values.items()}}

    def plot(self, ax: Axes | None = None, *, publication: bool = False) -> Display:
        """Draw the points with their names and the diagonal; no point is joined to another or to the corners."""
        from rocsteady._src.views.plots.walk import draw_points

        return draw_points(self, ax, publication=publication)
