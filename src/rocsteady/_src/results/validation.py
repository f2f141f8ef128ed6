"""Results of internal validation, and of results pooled over imputed data."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError
from rocsteady._src.base.text import (
    format_column,
    format_count,
    format_interval,
    format_level,
    format_number,
    format_setting,
    p_words,
)
from rocsteady._src.results.base import Origin, Result
from rocsteady._src.results.curves import Curve
from rocsteady._src.results.pictures import Forest, Line, Paths, line_of, source
from rocsteady._src.results.remarks import noted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from matplotlib.axes import Axes

    from rocsteady._src.base.frames import Table
    from rocsteady._src.results.displays import Display
    from rocsteady._src.results.inference import Interval
    from rocsteady._src.results.remarks import Remark

CALIBRATION_AXES = ("Predicted probability", "Share of positives")
NUMBERS = ("apparent", "training", "test", "optimism", "corrected")


@dataclass(frozen=True, slots=True, eq=False)
class OptimismCorrected(Result):
    """Measures of a modelling procedure as they look, and as they should be on new rows.

    ``apparent`` is the final model on the rows that made it; ``training`` and ``test`` are means over resamples, on the
    drawn rows and on all (Harrell) or on those left out (.632, .632+); ``corrected`` is apparent less ``optimism``,
    with its interval in ``intervals``. ``found[name]`` is the interval of a measure. ``replicates`` holds a line for
    each resample: in training and in test, by measure.

    Examples
    --------
    >>> import numpy as np
    >>> import rocsteady as rs
    >>> rng = np.random.default_rng(1)
    >>> X, y = rng.normal(size=(60, 3)), np.tile([0, 1], 30)
    >>> def difference(X, y):  # a model of two means, in ten words
    ...     weights = X[y == 1].mean(0) - X[y == 0].mean(0)
    ...     return lambda rows: rows @ weights
    >>> found = rs.validation.optimism(difference, X, y, n_resamples=50, random_state=1)
    >>> found["auc"].level, found.measures, found.n_failed
    (0.95, ('auc',), 0)
    """

    measures: tuple[str, ...]
    apparent: Any
    training: Any
    test: Any
    intervals: tuple[Interval, ...]
    method: str
    scheme: str
    n_resamples: int
    n_failed: int
    seed: int
    level: float
    n_pos: int
    n_neg: int
    origin: Origin
    shrinkage: float | None = None
    warnings: tuple[Remark, ...] = ()
    replicates: Any = field(default=None, repr=False)

    @property
    def corrected(self) -> Any:
        """What to expect on new rows, by measure."""
        return np.array([each.estimate for each in self.intervals])

    @property
    def optimism(self) -> Any:
        """Apparent less corrected, by measure."""
        return self.apparent - self.corrected

    def __getitem__(self, name: str) -> Interval:
        """The corrected value of a measure with its interval."""
        if name not in self.measures:
            raise ArgumentError("measure", f"{name!r} was not asked for; there are: {', '.join(self.measures)}")
        return self.intervals[self.measures.index(name)]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, a list for each column, without the replicates."""
        hidden = ("replicates", "intervals", "apparent", "training", "test")
        facts = {each.name: getattr(self, each.name) for each in fields(self) if each.name not in hidden}
        return facts | {name: column for name, column in self._columns().items() if name != "measure"}

    def _columns(self) -> Table:
        ends = {end: np.array([getattr(each, end) for each in self.intervals]) for end in ("low", "high")}
        return {"measure": list(self.measures), **{name: getattr(self, name) for name in NUMBERS}, **ends}

    def cells(self) -> tuple[list[str], list[list[str]]]:
        """Header and rows for reading."""
        columns = self._columns()
        measures, *numbers = columns.values()
        by_measure = [format_column(list(line)) for line in zip(*numbers, strict=True)]
        return list(columns), [[name, *line] for name, line in zip(measures, by_measure, strict=True)]

    def notes(self) -> list[str]:
        """How it was made, and what to beware of."""
        done = f"{format_count(self.n_resamples)} resamples of {self.scheme}, seed {self.seed}"
        failed = f", {format_count(self.n_failed)} failed" if self.n_failed else ""
        ends = f"intervals at level {format_setting(self.level)}, {self.intervals[0].method}"
        shrunk = [] if self.shrinkage is None else [f"shrinkage factor {format_number(self.shrinkage, 3)}"]
        sizes = self.origin.sizes(self.n_pos, self.n_neg)
        told = [f"{sizes}; {self.method}: {done}{failed}; {ends}", *shrunk, *map(noted, self.warnings)]
        by_measure = zip(self.measures, self.intervals, strict=True)
        own = [noted(each, name) for name, one in by_measure for each in one.warnings if each not in self.warnings]
        return [*told, *own]

    def _brief(self) -> str:
        told = zip(self.measures, self.apparent, self.corrected, strict=True)
        return ", ".join(
            f"{name} {format_number(apparent)}, corrected {format_number(value)}" for name, apparent, value in told
        )

    def _picture(self) -> Forest:
        sizes = source(self.origin, self.n_pos, self.n_neg)
        title = (f"Corrected for optimism ({self.method}), {format_level(self.level)} intervals", *sizes)
        lines = tuple(
            Line(name, each.estimate, each.low, each.high, () if math.isnan(apparent) else (float(apparent),))
            for name, each, apparent in zip(self.measures, self.intervals, self.apparent, strict=True)
        )
        return Forest(title, "Corrected; dashed: apparent", lines)

    def __iter__(self) -> Iterator[Interval]:
        """The corrected values, measure by measure."""
        return iter(self.intervals)


@dataclass(frozen=True, slots=True, eq=False)
class Pooled(Result):
    """One answer from those of multiply imputed data, by Rubin's rules.

    ``se`` is on the scale of the estimate; variances ``within`` and ``between`` imputations are on ``scale``.
    ``missing_information`` is the fraction that is missing about the estimate. ``statistic`` and ``pvalue`` are those
    of pooled tests, None for intervals.

    Examples
    --------
    >>> import rocsteady as rs
    >>> interval = rs.auc_interval([1, 1, 1, 0, 1, 0, 0, 0], [8, 7, 6, 5, 4, 3, 2, 1], method="delong")
    >>> found = rs.validation.pool([interval, interval], measure="auc")
    >>> found.between, found.df
    (0.0, inf)
    """

    estimate: float
    low: float
    high: float
    level: float
    se: float
    df: float
    missing_information: float
    within: float
    between: float
    scale: str
    n_imputations: int
    statistic: float | None = None
    pvalue: float | None = None
    null: float | tuple[float, float] | None = None
    alternative: str | None = None
    hypothesis: str = ""
    n_pos: Any = None
    n_neg: Any = None
    origin: Origin | None = None
    warnings: tuple[Remark, ...] = ()

    def __str__(self) -> str:
        value = format_interval(self.estimate, self.low, self.high, signed=self.pvalue is not None)
        if math.isnan(self.estimate) and self.statistic is not None and self.pvalue is not None:
            made = f"F {format_number(self.statistic)}, {p_words(self.pvalue)} ({self.scale}"
            return "; ".join([f"{made}, {format_count(self.n_imputations)} imputations)", *self.warnings])
        how = f"{format_setting(self.level)} level, Rubin's rules on the {self.scale} scale"
        parts = [f"{value} ({how}, {format_count(self.n_imputations)} imputations)"]
        parts += [] if self.pvalue is None else [p_words(self.pvalue)]
        missing = f"fraction of missing information {format_number(self.missing_information, 3)}"
        return "; ".join([*parts, missing, *self.warnings])

    def _picture(self) -> Forest:
        sizes = source(self.origin, self.n_pos, self.n_neg)
        title = (f"{format_count(self.n_imputations)} imputations, {format_level(self.level)} interval", *sizes)
        return Forest(title, "Pooled estimate", (line_of("pooled", self),))


@dataclass(frozen=True, slots=True, eq=False)
class PooledCurve(Curve):
    """A curve of multiply imputed data, by Rubin's rules at each point on the logit scale.

    ``x`` are false positive rates or predicted probabilities, ``estimate`` with ``low`` and ``high``, each point by
    itself, the pooled curve; ``missing_information`` the fraction that is missing about a point. NaN where a curve
    reaches 0 or 1, which has no logit.

    Examples
    --------
    >>> import numpy as np
    >>> import rocsteady as rs
    >>> y, grid = [1, 1, 1, 0, 1, 0, 0, 0], np.linspace(0, 1, 5)
    >>> imputed = [[8, 7, 6, 5, 4, 3, 2, 1], [8, 7, 3, 5, 4, 6, 2, 1]]
    >>> rs.validation.pool_curves([rs.roc_band(y, score, fpr=grid) for score in imputed]).n_imputations
    2
    """

    x: Any
    estimate: Any
    low: Any
    high: Any
    missing_information: Any
    level: float
    n_imputations: int
    kind: str
    n_pos: Any = None
    n_neg: Any = None
    origin: Origin | None = None
    warnings: tuple[Remark, ...] = ()

    axes = ("x", "estimate")
    labels = ("", "")
    title = "Pooled curve"

    def plot(self, ax: Axes | None = None, *, publication: bool = False) -> Display:  # type: ignore[override]
        """Draw the curve with its pointwise limits."""
        from rocsteady._src.views.plots import draw_record

        return draw_record(self, self._picture(), ax, publication=publication)

    def _picture(self) -> Paths:
        roc = self.kind == "roc"
        words = ("False positive rate", "True positive rate") if roc else CALIBRATION_AXES
        limits = f"{format_level(self.level)} limits, each point by itself"
        rows = source(self.origin, self.n_pos, self.n_neg)
        title = (f"{format_count(self.n_imputations)} imputations, {limits}", *rows)
        paths = {"pooled": self.estimate, "chance" if roc else "perfect calibration": self.x}
        return Paths(title, *words, self.x, paths, {"pooled": (self.low, self.high)})

    def __str__(self) -> str:
        known = self.missing_information[~np.isnan(self.missing_information)]
        missing = f"; up to {format_number(float(known.max()), 3)} of the information missing" if known.size else ""
        made = f"{format_count(len(self))} points, {format_count(self.n_imputations)} imputations"
        first = f"Pooled {self.kind} curve: {made}, {format_setting(self.level)} level{missing}"
        return "; ".join([first, *self.warnings])
