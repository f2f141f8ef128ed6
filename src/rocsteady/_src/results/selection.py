"""Which measure picks the better models, and redraws of the binormal model."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import printable
from rocsteady._src.base.text import (
    format_count,
    format_level,
    format_number,
    format_setting,
    format_share,
    number_words,
    p_words,
    table_cells,
    text_table,
    turned_if_wide,
)
from rocsteady._src.results.base import DIRECTION, Result
from rocsteady._src.results.pictures import Forest, Line
from rocsteady._src.results.plain_values import plain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from rocsteady._src.base.frames import Table
    from rocsteady._src.results.base import Origin
    from rocsteady._src.results.displays import CurveDisplay, Display
    from rocsteady._src.results.measures import GranularRoc

    Array = NDArray[Any]

LARGE = ("validation", "test_auc", "picks", "pick_auc", "n_tied")


@dataclass(frozen=True, slots=True, eq=False)
class MeasureSelection(Result):
    """One measure as a chooser of models, against the reference.

    ``test_auc`` is the mean test AUC of its picks and ``difference`` that minus the reference's, with the interval
    [``low``, ``high``]; ``detectable`` is the smallest true difference that a test with this much scatter finds in
    80% of such experiments. ``spearman`` is the mean rank correlation, over the models of a split, of the validation
    value with the test AUC; a positive one means that better values go with better test AUC, whichever direction is
    better. ``n_ties`` counts the splits in which several models shared the best value, ``n_splits`` those with a pick.

    Examples
    --------
    >>> import rocsteady as rs
    >>> how = {"n_splits": 3, "n_bootstraps": 4, "random_state": 0}
    >>> found = rs.lab.select_models("breast_cancer", "tree", ["auc", "scored_auc"], **how)
    >>> found.row("scored_auc").measure, found.row("scored_auc").n_splits
    ('scored_auc', 3)
    """

    measure: str
    test_auc: float
    difference: float
    low: float
    high: float
    statistic: float
    pvalue: float
    pvalue_holm: float
    detectable: float
    spearman: float
    spearman_low: float
    spearman_high: float
    n_ties: int
    n_splits: int

    def _picture(self) -> Forest:
        reached = f"test AUC {format_number(self.test_auc)} over {format_count(self.n_splits)} splits"
        tested = f"{p_words(self.pvalue)}, Holm {p_words(self.pvalue_holm)}"
        title = (
            f"Models picked by {self.measure}: {reached}",
            f"{tested}; rank correlation {number_words(self.spearman)}",
        )
        line = Line(self.measure, self.difference, self.low, self.high, (0.0,))
        return Forest(title, "Test AUC minus reference; dashed: no difference", (line,))


@dataclass(frozen=True, slots=True, eq=False)
class ModelSelection(Result):
    """Rows per measure, and what every split gave.

    ``validation[split, measure, model]`` and ``test_auc[split, model]`` hold all candidates: the models of the first
    bootstrap sample in the order of ``classifiers``, then those of the second, and so on. ``picks[split, measure]`` is
    the first of the best candidates (-1: none), ``n_tied`` how many share its value, ``pick_auc`` their mean test AUC.

    Examples
    --------
    >>> import rocsteady as rs
    >>> how = {"n_splits": 3, "n_bootstraps": 4, "random_state": 0}
    >>> found = rs.lab.select_models("breast_cancer", "tree", ["auc", "scored_auc"], **how)
    >>> [row.measure for row in found.rows], found.n_splits
    (['auc', 'scored_auc'], 3)
    """

    rows: tuple[MeasureSelection, ...]
    measures: tuple[str, ...]
    reference: str
    classifiers: dict[str, str]
    data: str
    seed: int
    n_bootstraps: int
    counts: dict[str, tuple[int, int]]
    random_auc: float
    best_auc: float
    level: float
    origin: Origin
    versions: dict[str, str]
    notes: tuple[str, ...]
    validation: Array = field(repr=False)
    test_auc: Array = field(repr=False)
    picks: Array = field(repr=False)
    pick_auc: Array = field(repr=False)
    n_tied: Array = field(repr=False)

    @property
    def n_splits(self) -> int:
        """Number of splits."""
        return int(self.test_auc.shape[0])

    def row(self, measure: str) -> MeasureSelection:
        """The row of one measure."""
        return self.rows[self.measures.index(measure)]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, without those of single candidates."""
        kept = [item.name for item in fields(self) if item.name not in (*LARGE, "rows", "origin")]
        values = {**{name: getattr(self, name) for name in kept}, "n_splits": self.n_splits}
        picks = {"picks": self.picks, "pick_auc": self.pick_auc, "n_tied": self.n_tied}
        rows = [row.to_dict() for row in self.rows]
        told: dict[str, Any] = {**self.origin.to_dict(), **plain(values), "rows": rows, **plain(picks)}
        return told

    def _columns(self) -> Table:
        names = [item.name for item in fields(MeasureSelection)]
        return {name: [getattr(row, name) for row in self.rows] for name in names}

    def cells(self) -> tuple[list[str], list[list[Any]]]:
        """Header and rows for reading."""
        header = ["picked by", "test AUC", "difference", "low", "high", "p", "p (Holm)", "Spearman", "ties"]
        return header, [_cells(row, self.reference) for row in self.rows]

    def __str__(self) -> str:
        header, rows = self.cells()
        table = text_table(*turned_if_wide(header, table_cells(header, rows)))
        return "\n".join([table, *self.remarks()])

    def remarks(self) -> list[str]:
        """What was done, what was assumed, and what to beware of."""
        parts = ", ".join(f"{part} {pos}+{neg}" for part, (pos, neg) in self.counts.items())
        names = ", ".join(f"{name} ({how})" for name, how in self.classifiers.items())
        ends = (format_number(self.random_auc), format_number(self.best_auc))
        rows = f"{format_count(self.origin.n_rows)} rows"
        lines = [
            f"{self.data}: {rows}, positive label {self.origin.pos_label!r}; {DIRECTION}",
            (
                f"{format_count(self.n_splits)} splits, {format_count(self.n_bootstraps)} "
                f"bootstrap samples each; positives+negatives: {parts}"
            ),
            f"classifiers: {names}; seed {self.seed}",
            f"picked at random: {ends[0]}; best model of each split: {ends[1]}",
            f"difference to picking by {self.reference}: t-test corrected for overlap (Nadeau and Bengio 2003)",
            f"{format_level(self.level)} intervals are not adjusted for the number of measures, p (Holm) is",
            "where several models share the best value, the mean of their test AUCs counts",
        ]
        return [printable(line) for line in [*lines, self.sensitivity(), *(f"note: {note}" for note in self.notes)]]

    def sensitivity(self) -> str:
        """How small a difference could have been found."""
        found = [row.detectable for row in self.rows if not math.isnan(row.detectable)]
        if not found:
            return "too few splits to say how small a difference could have been found"
        text = (
            f"{format_number(min(found))} to {format_number(max(found))}" if len(found) > 1 else format_number(found[0])
        )
        return f"smallest difference that would be found 80% of the time (before Holm): {text}"

    def n_better(self, measure: str, split: int = 0) -> int:
        """How many models of a split have a higher test AUC than the pick of a measure."""
        place = self.measures.index(measure)
        return int((self.test_auc[split] > self.pick_auc[split, place]).sum())

    def correlations(self, split: int = 0) -> dict[str, tuple[float, float]]:
        """Spearman's correlation of validation value and test AUC over the models of a split, with its p, by measure.

        Models of a split are trained on overlapping rows, so p is smaller than it should be.
        """
        from scipy.stats import spearmanr

        found = {}
        for place, measure in enumerate(self.measures):
            values = self.validation[split, place]
            known = ~np.isnan(values)
            r, p = spearmanr(values[known], self.test_auc[split][known])
            found[measure] = (float(r), float(p))
        return found

    def plot(
        self,
        ax: Axes | None = None,
        *,
        measure: str | None = None,
        measures: Sequence[str] = (),
        split: int = 0,
        publication: bool = False,
    ) -> Display:
        """Draw the differences with their intervals; with ``measure``, its validation values against test AUC.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw.
        measure : str, optional
            Draw this measure on the models of one split, with its pick and that of the reference marked.
        measures : sequence of str
            Draw a panel for each of them, with the line that its pick reaches and how many models lie above it.
        split : int
            Which split, from 0 on.
        publication : bool
            A journal column's width, small serif type, embedded fonts.
        """
        from rocsteady._src.views.plots import draw_picks, draw_selection

        if measures:
            from rocsteady._src.views.plots.pick_panels import draw_panels

            return draw_panels(self, ax, measures=measures, split=split, publication=publication)
        if measure is None:
            return draw_selection(self, ax, publication=publication)
        return draw_picks(self, ax, measure=measure, split=split, publication=publication)


def _cells(row: MeasureSelection, reference: str) -> list[Any]:
    if row.measure == reference:
        return [row.measure, row.test_auc, "-", "-", "-", "-", "-", row.spearman, row.n_ties]
    difference = [_signed(value) for value in (row.difference, row.low, row.high)]
    return [row.measure, row.test_auc, *difference, row.pvalue, row.pvalue_holm, row.spearman, row.n_ties]


def _signed(value: float) -> str:
    return format_number(value, signed=True) if not math.isnan(value) else "-"


@dataclass(frozen=True, slots=True, eq=False)
class BinormalSimulation(Result):
    """One sample of the binormal model with its granular curves, and many redraws.

    ``fpr`` is a grid, ``tpr[redraw]`` the empirical curve of a redraw over it and ``true_tpr`` the true curve;
    ``auc``, ``low_auc`` and ``up_auc`` have one entry per redraw. ``coverage`` is the share of redraws whose [low, up]
    holds the true AUC, ``curve_coverage`` that of redraws whose band holds the true curve at every point of the grid.
    Neither is a confidence level: the band is about gaps, not about sampling.

    Examples
    --------
    >>> import rocsteady as rs
    >>> found = rs.lab.simulate_binormal(n_redraws=5)
    >>> round(found.true_auc, 4), found.auc.size
    (0.7602, 5)
    """

    sample: GranularRoc
    delta: float
    true_auc: float
    auc: Array
    low_auc: Array
    up_auc: Array
    fpr: Array = field(repr=False)
    tpr: Array = field(repr=False)
    coverage: float
    seed: int
    curve_coverage: float = math.nan
    true_tpr: Array | None = field(default=None, repr=False)

    def _columns(self) -> Table:
        return {"auc": self.auc.tolist(), "low_auc": self.low_auc.tolist(), "up_auc": self.up_auc.tolist()}

    def _held(self) -> str:
        area, curve = format_share(self.coverage), format_share(self.curve_coverage)
        held = f"the true AUC lies between its low and up area in {area} of the redraws"
        return f"band at delta = {format_setting(self.delta)}: {held}, the whole true curve within it in {curve}"

    def __str__(self) -> str:
        spread = (
            f"mean {format_number(self.auc.mean())}, standard deviation {format_number(self.auc.std(ddof=1))}"
            if self.auc.size > 1
            else ""
        )
        return "\n".join(
            [
                f"one sample: {self.sample}",
                f"true AUC {format_number(self.true_auc)}; {format_count(self.auc.size)} redraws: {spread}",
                self._held(),
                f"seed {self.seed}",
            ]
        )

    def plot(self, ax: Axes | None = None, *, publication: bool = False) -> CurveDisplay:
        """Draw the true curve, and the sample with its band, over the curves of the redraws."""
        from rocsteady._src.views.plots.binormal import draw_with_truth

        return draw_with_truth(self, ax, publication=publication)
