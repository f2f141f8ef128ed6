"""Results of cross-validation: folds, their mean, learners compared over folds, averaged curves, added counts."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import printable
from rocsteady._src.base.text import (
    format_count,
    format_interval,
    format_level,
    format_number,
    format_setting,
    format_threshold,
    table_cells,
    text_table,
)
from rocsteady._src.results.bands import RocBand
from rocsteady._src.results.base import DIRECTION, Origin, Result
from rocsteady._src.results.pictures import Cells, Forest, Histogram, Line, line_of, source

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from rocsteady._src.base.frames import Table
    from rocsteady._src.results.curves import RocCurve
    from rocsteady._src.results.displays import BandDisplay, PosteriorDisplay
    from rocsteady._src.results.inference import Interval
    from rocsteady._src.results.remarks import Remark

    Array = NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class FoldAuc(Result):
    """AUC of one fold; NaN where the fold has one class, and ``reason`` says so.

    ``low`` and ``high`` are DeLong's interval of this fold by itself. ``repeat`` is None without repeats.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, s = [1, 1, 0, 0, 1, 1, 0, 0], [0.9, 0.7, 0.6, 0.1, 3.0, 5.0, 2.0, 2.5]
    >>> rs.crossval.crossval_evaluate(y, s, fold=list("aaaabbbb")).folds[0]
    FoldAuc(fold a, repeat None, auc 1.0000, low 0.1581, high 1.0000, n_pos 2, n_neg 2, reason)
    """

    fold: Any
    repeat: Any
    auc: float
    low: float
    high: float
    n_pos: Any
    n_neg: Any
    reason: str = ""

    @property
    def name(self) -> str:
        """What to call it."""
        return f"fold {self.fold}" if self.repeat is None else f"repeat {self.repeat}, fold {self.fold}"

    def _picture(self) -> Forest:
        title = (f"AUC of {self.name}", *((self.reason,) if self.reason else ()), *source(None, self.n_pos, self.n_neg))
        return Forest(title, "AUC", (self.line(),))

    def line(self) -> Line:
        """Its place in a picture."""
        return Line(self.name, self.auc, self.low, self.high)


@dataclass(frozen=True, slots=True, eq=False)
class CrossValidation(Result):
    """AUC of each fold, their mean, the AUC of all scores pooled, and why these two differ.

    ``difference`` is pooled minus mean, with its interval. It is the sum of ``by_size``, since folds with more pairs
    count for more when pooled, and ``by_scale``, since pooling also compares scores of different folds:
    ``within_auc`` is the share of pairs ranked right inside folds, ``between_auc`` that of pairs across folds.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, s = [1, 1, 0, 0, 1, 1, 0, 0], [0.9, 0.7, 0.6, 0.1, 3.0, 5.0, 2.0, 2.5]
    >>> found = rs.crossval.crossval_evaluate(y, s, fold=list("aaaabbbb"))
    >>> found.mean.estimate, found.pooled.estimate
    (1.0, 0.75)
    """

    folds: tuple[FoldAuc, ...]
    mean: Interval
    pooled: Interval
    difference: float
    difference_low: float
    difference_high: float
    by_size: float
    by_scale: float
    within_auc: float
    between_auc: float
    explanation: tuple[str, ...]
    n_repeats: int
    level: float
    origin: Origin
    warnings: tuple[Remark, ...] = ()

    def _brief(self) -> str:
        mean, pooled = (format_interval(each.estimate, each.low, each.high) for each in (self.mean, self.pooled))
        return f"AUC: mean of {format_count(len(self.folds))} folds {mean}, pooled {pooled}"

    def _columns(self) -> Table:
        names = ["fold", "repeat", "auc", "low", "high", "n_pos", "n_neg", "reason"]
        if self.folds[0].repeat is None:
            names.remove("repeat")
        return {name: [getattr(fold, name) for fold in self.folds] for name in names}

    def _picture(self) -> Forest:
        title = (
            f"{format_count(len(self.folds))} folds; pooled minus mean {format_number(self.difference, signed=True)}",
            *source(self.origin, self.mean.n_pos, self.mean.n_neg),
        )
        lines = [fold.line() for fold in self.folds]
        lines += [line_of("mean of folds", self.mean), line_of("pooled", self.pooled)]
        return Forest(title, f"AUC, {format_level(self.level)} intervals", tuple(lines))

    def __str__(self) -> str:
        columns = self._columns()
        if not any(columns["reason"]):
            del columns["reason"]
        rows = table_cells(list(columns), zip(*columns.values(), strict=True))
        lines = [
            text_table(list(columns), rows),
            f"mean of folds  {self.mean}",
            f"pooled         {self.pooled}",
            *self.explanation,
            f"positive label {self.origin.pos_label!r}; {DIRECTION}",
            *(f"note: {text}" for text in self.warnings),
        ]
        return "\n".join(lines)


@dataclass(frozen=True, slots=True, eq=False)
class BayesianComparison(Result):
    """Posterior of the difference of two learners, first minus second (Bayesian correlated t-test).

    A Student t with ``df`` degrees of freedom around ``estimate`` with ``scale``. ``p_right``: the first is better by
    more than ``rope``; ``p_left``: the second is; ``p_rope``: they are practically alike. ``low`` and ``high`` hold
    the difference with probability ``level``.

    Examples
    --------
    >>> import rocsteady as rs
    >>> first, second = [0.84, 0.81, 0.86, 0.83, 0.80], [0.82, 0.80, 0.83, 0.82, 0.80]
    >>> rs.inference.compare_learners(first, second, test_share=1 / 5, method="bayesian")
    BayesianComparison(first better 0.6857, alike within 0.01 0.2969, second better 0.0175; difference +0.0140 [-0.0072
    ...)
    """

    p_left: float
    p_rope: float
    p_right: float
    estimate: float
    scale: float
    df: int
    rope: float
    test_share: float
    low: float
    high: float
    level: float = 0.95
    warnings: tuple[Remark, ...] = ()

    def plot(self, ax: Axes | None = None, *, publication: bool = False) -> PosteriorDisplay:
        """Draw the posterior, with the region of practical equivalence filled, and return a display."""
        from rocsteady._src.views.plots.crossval import draw_posterior

        return draw_posterior(self, ax, publication=publication)

    def __str__(self) -> str:
        return (
            f"first better {format_number(self.p_right)}, alike within {format_setting(self.rope)} "
            f"{format_number(self.p_rope)}, second better "
            f"{format_number(self.p_left)}; difference "
            f"{format_interval(self.estimate, self.low, self.high, signed=True)} "
            f"({format_setting(self.level)} credible)"
        )


@dataclass(frozen=True, slots=True, eq=False)
class AveragedRoc(RocBand):
    """Mean of the ROC curves of folds, with limits per place from the spread of the folds.

    ``method`` is "vertical", the mean true positive rate at each false positive rate, whose ``area`` is the mean AUC
    when no grid was given, or "threshold", the mean of both rates at each threshold. ``curves`` are those of folds.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, s = [1, 1, 0, 0] * 2, [0.9, 0.4, 0.6, 0.1, 0.8, 0.7, 0.3, 0.2]
    >>> rs.crossval.averaged_roc(y, s, fold=[1] * 4 + [2] * 4)
    AveragedRoc(Averaged ROC: 5 points, area 0.8750 (vertical, mean of 2 folds))
    """

    area: float = math.nan
    n_folds: int = 0
    n_repeats: int = 1
    curves: tuple[RocCurve, ...] = ()

    title = "Averaged ROC"

    def plot(  # type: ignore[override]  # more than a line
        self, ax: Axes | None = None, *, name: str | None = None, **line_options: Any
    ) -> BandDisplay:
        """Draw the mean in its limits over the curves of the folds; display as for a :class:`RocBand`."""
        from rocsteady._src.views.plots.crossval import draw_averaged

        return draw_averaged(self, ax, name=name, **line_options)

    def __str__(self) -> str:
        about = f"{self.method}, mean of {format_count(self.n_folds)} folds"
        return f"{self.title}: {format_count(len(self))} points, area {format_number(self.area)} ({about})"


@dataclass(frozen=True, slots=True, eq=False)
class FoldCounts(Result):
    """Confusion counts of each fold and their sum; ``total`` has every threshold measure.

    ``threshold`` is that of each fold.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, s = [1, 1, 0, 0] * 2, [0.9, 0.4, 0.6, 0.1, 0.8, 0.7, 0.3, 0.2]
    >>> print(rs.crossval.crossval_confusion(y, s, fold=[1] * 4 + [2] * 4, threshold=0.5))
    fold  threshold  tp  fp  fn  tn
    1           0.5   1   1   1   1
    2           0.5   2   0   0   2
    all folds: TP 3, FP 1, FN 1, TN 3
    """

    folds: tuple[Any, ...]
    repeats: tuple[Any, ...]
    tp: Array
    fp: Array
    fn: Array
    tn: Array
    threshold: Array
    total: Any
    origin: Origin
    warnings: tuple[Remark, ...] = ()

    def _columns(self) -> Table:
        table: Table = {"fold": list(self.folds)}
        if self.repeats[0] is not None:
            table["repeat"] = list(self.repeats)
        return table | {name: getattr(self, name) for name in ("threshold", "tp", "fp", "fn", "tn")}

    def _picture(self) -> Cells:
        same = bool((self.threshold == self.threshold[0]).all())
        at = f"positive when score >= {format_threshold(self.threshold[0])}" if same else "a threshold for each fold"
        total, sides = self.total, ("positive", "negative")
        counts = ((float(total.tp), float(total.fn)), (float(total.fp), float(total.tn)))
        title = (f"Counts of {format_count(len(self.folds))} folds added; {at}", *source(self.origin))
        return Cells(title, "called", "is", sides, sides, counts)

    def __str__(self) -> str:
        columns = self._columns()
        cells = [np.asarray(column).tolist() for column in columns.values()]
        rows = table_cells(list(columns), zip(*cells, strict=True))
        total = self.total
        sums = (
            f"all folds: TP {format_count(total.tp)}, FP {format_count(total.fp)}, FN "
            f"{format_count(total.fn)}, TN {format_count(total.tn)}"
        )
        return "\n".join([text_table(list(columns), rows), sums, *(f"note: {text}" for text in self.warnings)])


class ScoresByRow(np.ndarray[Any, Any]):
    """A column that knows which rows it holds, where these are not all rows once, in their order.

    Beside a plain column of the same length it would pair different rows, so reading it checks ``row_numbers``.

    Examples
    --------
    >>> import rocsteady as rs
    >>> import numpy as np
    >>> rs.results.ScoresByRow.of(np.array([0.2, 0.9]), np.array([1, 0])).row_numbers.tolist()
    [1, 0]
    """

    row_numbers: Array | None

    @classmethod
    def of(cls, values: Array, rows: Array) -> Array:
        """The values, as they are where they hold every row once in its order."""
        if np.array_equal(rows, np.arange(rows.size)):
            return values
        made = np.asarray(values).view(cls)
        made.row_numbers = rows
        return made

    def __array_finalize__(self, source: Any) -> None:
        """Copies of the whole know their rows; parts do not."""
        rows = getattr(source, "row_numbers", None)
        self.row_numbers = rows if rows is not None and self.shape == rows.shape else None


@dataclass(frozen=True, slots=True, eq=False)
class CrossvalScores(Result):
    """Scores of every row by models that had not seen it: one entry per row and repeat, in the order of the rows.

    ``row`` is the place of the row in the data; ``test_share`` the mean share of rows tested in a split. The functions
    of cross-validation take this alone in the place of labels, scores and folds.

    Examples
    --------
    >>> import rocsteady as rs
    >>> from sklearn.datasets import make_classification
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = make_classification(n_samples=60, random_state=1)
    >>> rs.crossval.crossval_scores(GaussianNB(), X, y, cv=3)
    CrossvalScores(60 scores (predict_proba) of 60 rows, 3 folds; positive label 1)
    """

    y_true: Array
    y_score: Array
    fold: Array
    repeat: Array
    row: Array
    pos_label: Any
    test_share: float
    n_repeats: int
    n_rows: int
    response: str
    n_unscored: int = 0
    warnings: tuple[Remark, ...] = ()

    def _columns(self) -> Table:
        return {name: getattr(self, name) for name in ("row", "y_true", "y_score", "fold", "repeat")}

    def _picture(self) -> Histogram:
        positive = np.asarray(self.y_true == self.pos_label, dtype=bool)
        title = (
            f"Scores of {format_count(np.unique(self.fold).size)} folds ({self.response})",
            *source(Origin(self.pos_label, 0)),
        )
        sides = {"negatives": ~positive, "positives": positive}
        values: dict[str, tuple[Array, Array | None]] = {
            name: (self.y_score[side], None) for name, side in sides.items()
        }
        return Histogram(title, "Score by a model that had not seen the row", values, {})

    def __str__(self) -> str:
        repeats = f" in each of {format_count(self.n_repeats)} repeats" if self.n_repeats > 1 else ""
        left = f"; {format_count(self.n_unscored)} rows were never tested" if self.n_unscored else ""
        per_repeat = len(np.unique(self.fold))
        label = printable(repr(self.pos_label), most=40)
        scores, rows = format_count(self.y_score.size), format_count(self.n_rows)
        return (
            f"{scores} scores ({self.response}) of {rows} rows, {per_repeat} folds{repeats}; "
            f"positive label {label}{left}"
        )
