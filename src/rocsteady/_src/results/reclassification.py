"""Results of moving from an old model to a new one: who moved, by how much, and what it is worth."""

from __future__ import annotations

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
    format_share,
    number_words,
    p_words,
    text_table,
)
from rocsteady._src.results.base import Origin, Result
from rocsteady._src.results.pictures import Forest, line_of, parts_of, source

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from rocsteady._src.base.frames import Table
    from rocsteady._src.results.displays import PanelsDisplay
    from rocsteady._src.results.inference import Resampling, TestResult
    from rocsteady._src.results.remarks import Remark

    Array = NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class Estimate(Result):
    """A number with its standard error, z test against ``null`` and interval.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, s, t = (rs.examples.loans(200)[name] for name in ("defaulted", "boosted", "logistic"))
    >>> print(rs.net_reclassification(y, t, s).nri)
    +1.1674 [+0.8512, +1.3774] (bonett-price), z = 8.302, p < 0.001
    """

    estimate: float
    se: float
    statistic: float
    pvalue: float
    low: float
    high: float
    level: float = 0.95
    method: str = "wald"
    resampling: Resampling | None = None
    null: float = 0.0

    def _picture(self) -> Forest:
        title = (
            f"{p_words(self.pvalue)} (z = {format_number(self.statistic)})",
            f"{format_level(self.level)} interval, {self.method}",
        )
        return Forest(title, "Estimate; dashed: no change", (line_of("estimate", self),))

    def __str__(self) -> str:
        ends = format_interval(self.estimate, self.low, self.high, signed=True)
        how = "" if self.method == "wald" else f" ({self.method})"
        return f"{ends}{how}, z = {format_number(self.statistic, 3)}, {p_words(self.pvalue)}"


def _table_of(parts: dict[str, Estimate]) -> Table:
    names = ("estimate", "se", "statistic", "pvalue", "low", "high")
    return {"part": list(parts), **{name: [getattr(part, name) for part in parts.values()] for name in names}}


def _who(result: Any) -> str:
    """Which model is the new one, where their names are known."""
    if (result.old, result.new) == ("old", "new"):
        return ""
    return f", from {_side(result.old, 'old')} to {_side(result.new, 'new')}"


def _side(name: str, side: str) -> str:
    return side if name == side else f"{printable(name, most=48)} ({side})"


def _parts_label(total: Estimate) -> str:
    return f"New minus old, {format_level(total.level)} intervals ({total.method}); dashed: no change"


@dataclass(frozen=True, slots=True, eq=False)
class NetReclassification(Result):
    """Net reclassification improvement, total and by class, with the shares that moved up and down.

    ``categories`` are the cutoffs, None when any change counts.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, s, t = (rs.examples.loans(200)[name] for name in ("defaulted", "boosted", "logistic"))
    >>> rs.net_reclassification(y, t, s)
    NetReclassification(NRI (any change): +1.1674 [+0.8512, +1.3774] (bonett-price), z = 8.302, p < 0.001)
    """

    nri: Estimate
    events: Estimate
    nonevents: Estimate
    up_events: float
    down_events: float
    up_nonevents: float
    down_nonevents: float
    cutoffs: tuple[float, ...] | None
    n_pos: Any
    n_neg: Any
    origin: Origin | None = None
    warnings: tuple[Remark, ...] = ()
    old: str = "old"
    new: str = "new"

    def _columns(self) -> Table:
        return _table_of({"total": self.nri, "events": self.events, "nonevents": self.nonevents})

    def _picture(self) -> Forest:
        title = (
            f"Net reclassification improvement ({self._kind}): {p_words(self.nri.pvalue)}",
            *source(self.origin, self.n_pos, self.n_neg),
        )
        return Forest(title, _parts_label(self.nri), parts_of("NRI", self.nri, self.events, self.nonevents))

    @property
    def _kind(self) -> str:
        return (
            "any change"
            if self.cutoffs is None
            else f"cutoffs {', '.join(format_setting(cut) for cut in self.cutoffs)}"
        )

    def __str__(self) -> str:
        lines = [
            f"NRI ({self._kind}){_who(self)}: {self.nri}",
            f"  events:    {self.events}",
            f"  nonevents: {self.nonevents}",
        ]
        return "\n".join([*lines, *(f"note: {text}" for text in self.warnings)])


@dataclass(frozen=True, slots=True, eq=False)
class IntegratedDiscrimination(Result):
    """Integrated discrimination improvement, its parts, and the discrimination slopes behind it.

    ``relative`` is slope_new / slope_old, 1 meaning no change; ``relative_change`` is that minus 1.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, s, t = (rs.examples.loans(200)[name] for name in ("defaulted", "boosted", "logistic"))
    >>> rs.integrated_discrimination(y, t, s)
    IntegratedDiscrimination(IDI: +0.2061 [+0.1529, +0.2594] (welch), z = 7.857, p < 0.001)
    """

    idi: Estimate
    events: Estimate
    nonevents: Estimate
    relative: Estimate
    relative_change: float
    slope_old: float
    slope_new: float
    n_pos: Any
    n_neg: Any
    origin: Origin | None = None
    warnings: tuple[Remark, ...] = ()
    old: str = "old"
    new: str = "new"

    @property
    def _slopes(self) -> str:
        old, new, ratio = map(number_words, (self.slope_old, self.slope_new, self.relative.estimate))
        return f"slope {old} to {new}, ratio {ratio}"

    def _columns(self) -> Table:
        parts = {"total": self.idi, "events": self.events, "nonevents": self.nonevents}
        return _table_of({**parts, "relative": self.relative})

    def _picture(self) -> Forest:
        title = (
            f"Integrated discrimination improvement: {p_words(self.idi.pvalue)}",
            self._slopes,
            *source(self.origin, self.n_pos, self.n_neg),
        )
        # The ratio of slopes is on a scale of its own.
        return Forest(title, _parts_label(self.idi), parts_of("IDI", self.idi, self.events, self.nonevents))

    def __str__(self) -> str:
        lines = [
            f"IDI{_who(self)}: {self.idi}",
            f"  events:    {self.events}",
            f"  nonevents: {self.nonevents}",
            f"  discrimination {self._slopes}",
        ]
        return "\n".join([*lines, *(f"note: {text}" for text in self.warnings)])


@dataclass(frozen=True, slots=True, eq=False)
class Reclassification(Result):
    """Who moves between risk categories: tables with old categories as rows and new ones as columns.

    ``events``, ``nonevents`` and ``all`` hold weights; ``observed`` the share of positives in a cell, NaN where it is
    empty. ``cook_old`` and ``cook_new`` test whether a model's mean prediction fits the cells.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, s, t = (rs.examples.loans(200)[name] for name in ("defaulted", "boosted", "logistic"))
    >>> rs.reclassification(y, t, s, cutoffs=[0.1, 0.3])
    Reclassification(3 categories; events: 25.8% up, 0.0% down; nonevents: 10.7% up, 20.1% down)
    """

    cutoffs: tuple[float, ...]
    labels: tuple[str, ...]
    events: Array
    nonevents: Array
    all: Array
    observed: Array
    mean_old: Array
    mean_new: Array
    cook_old: TestResult
    cook_new: TestResult
    n_pos: Any
    n_neg: Any
    origin: Origin | None = None
    warnings: tuple[Remark, ...] = ()
    old: str = "old"
    new: str = "new"

    @property
    def row_shares(self) -> dict[str, Array]:
        """Each table as shares of its rows; rows without anybody are NaN."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return {name: table / table.sum(axis=1, keepdims=True) for name, table in self._tables().items()}

    @property
    def moved(self) -> dict[str, dict[str, float]]:
        """Shares that moved up, down, and at all, for events, nonevents and all."""
        made = {}
        for name, table in self._tables().items():
            total = table.sum()
            up, down = (
                float(part.sum() / total) if total else float("nan") for part in (np.triu(table, 1), np.tril(table, -1))
            )
            made[name] = {"up": up, "down": down, "moved": up + down}
        return made

    def _tables(self) -> dict[str, Array]:
        return {"events": self.events, "nonevents": self.nonevents, "all": self.all}

    def _brief(self) -> str:
        shares = {name: each for name, each in self.moved.items() if name != "all"}
        moved = "; ".join(
            f"{name}: {format_share(each['up'], 1)} up, {format_share(each['down'], 1)} down"
            for name, each in shares.items()
        )
        return f"{format_count(len(self.labels))} categories{_who(self)}; {moved}"

    def _columns(self) -> Table:
        rows, columns = np.indices(self.all.shape)
        return {
            "old": [self.labels[i] for i in rows.ravel()],
            "new": [self.labels[i] for i in columns.ravel()],
            **{name: table.ravel() for name, table in self._tables().items()},
            "observed": self.observed.ravel(),
            "mean_old": self.mean_old.ravel(),
            "mean_new": self.mean_new.ravel(),
        }

    def plot(  # type: ignore[override]  # several Axes
        self, ax: Sequence[Axes] | None = None, *, publication: bool = False
    ) -> PanelsDisplay:
        """Draw the three tables side by side with matplotlib."""
        from rocsteady._src.views.plots import draw_reclassification

        return draw_reclassification(self, ax, publication=publication)

    def __str__(self) -> str:
        parts = []
        moved = self.moved
        for name, table in self._tables().items():
            header = [f"{name}: {_side(self.old, 'old')} \\ {_side(self.new, 'new')}", *self.labels, "% moved"]
            shares = _share_moved(table)
            rows = [
                [label, *(format_count(cell) for cell in row), format_share(share, 0).rstrip("%")]
                for label, row, share in zip(self.labels, table, shares, strict=True)
            ]
            summary = f"up {format_share(moved[name]['up'])}, down {format_share(moved[name]['down'])}"
            parts += [text_table(header, rows), summary, ""]
        cook = [
            f"Cook's test, {who} model: {_cook(test)}" for who, test in (("old", self.cook_old), ("new", self.cook_new))
        ]
        return "\n".join([*parts, *cook, *(f"note: {text}" for text in self.warnings)])


def _share_moved(table: Array) -> Array:
    with np.errstate(invalid="ignore", divide="ignore"):
        shares: Array = 1 - np.diag(table) / table.sum(axis=1)
    return shares


def _cook(test: TestResult) -> str:
    if np.isnan(test.statistic):
        return "undefined"
    return f"chi-square {format_number(test.statistic)}, df {format_count(test.df)}, {p_words(test.pvalue)}"
