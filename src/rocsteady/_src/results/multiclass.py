"""Results about more than two classes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.near_names import part_of
from rocsteady._src.base.text import (
    format_column,
    format_count,
    format_interval,
    format_number,
    format_setting,
    text_table,
)
from rocsteady._src.results.base import Origin, Result
from rocsteady._src.results.exploring import PagedResult
from rocsteady._src.results.reading import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike
    from pathlib import Path
    from typing import Unpack

    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from rocsteady._src.base.frames import Table
    from rocsteady._src.results.curves import Curve
    from rocsteady._src.results.displays import Display, PanelsDisplay, ReportOptions
    from rocsteady._src.results.inference import Interval
    from rocsteady._src.results.remarks import Remark

    Array = NDArray[Any]

MOST_SHOWN = 20
TOLD = ("macro_auc", "weighted_auc", "hand_till_auc", "micro_auc", "accuracy")  # in lines of their own


@dataclass(frozen=True, slots=True, eq=False)
class MulticlassConfusion(Result):
    """Counts of true (rows) against called (columns) classes, in the order of ``labels``.

    ``shares`` are the counts over the sums of rows ("true"), of columns ("pred") or of all ("all"), as ``normalize``
    says; NaN in a row or column without counts.

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.multiclass.multiclass_confusion(["a", "b", "c", "a"], ["a", "b", "b", "a"])
    MulticlassConfusion(3 classes; 3 of 4 rows called right)
    """

    labels: tuple[Any, ...]
    matrix: Array
    normalize: str | None = None
    shares: Array | None = None
    origin: Origin | None = None
    warnings: tuple[Remark, ...] = ()

    def plot(self, ax: Axes | None = None, *, publication: bool = False) -> Display:
        """Draw a heat map with matplotlib: true classes downwards, called classes across."""
        from rocsteady._src.views.plots.multiclass import draw_confusion

        return draw_confusion(self, ax, publication=publication)

    def _brief(self) -> str:
        total, right = self.matrix.sum(), self.matrix.trace()
        called = f"{format_count(right)} of {format_count(total)} rows called right"
        return f"{format_count(len(self.labels))} classes; {called}"

    def _columns(self) -> Table:
        k = len(self.labels)
        pairs = {
            "true": [label for label in self.labels for _ in range(k)],
            "called": list(self.labels) * k,
            "count": self.matrix.ravel(),
        }
        return pairs if self.shares is None else pairs | {"share": self.shares.ravel()}

    def __str__(self) -> str:
        if len(self.labels) > MOST_SHOWN:
            return (
                f"confusion matrix of {format_count(len(self.labels))} classes, {format_count(self.matrix.sum())} rows"
            )
        names = [str(label) for label in self.labels]
        cells = self.matrix if self.shares is None else self.shares
        lines = [[name, *(_cell(value) for value in row)] for name, row in zip(names, cells.tolist(), strict=True)]
        return text_table(["true / called", *names], lines)


def _cell(value: Any) -> str:
    return format_count(value) if float(value).is_integer() and value > 1 else format_number(value)


@dataclass(frozen=True, slots=True, eq=False)
class MulticlassMeasures(Result):
    """Measures of called classes: per class, averaged, and of all rows together.

    ``per_class[measure]`` has one value per class, ``low[measure]`` and ``high[measure]`` Wilson's interval where the
    measure is a share of rows. ``averages[average][measure]``: "macro", "weighted", "micro" from the pooled counts and
    "micro_mean" from the averaged counts. ``counts`` has the cells of each class against the rest, "tp", "fp", "fn" and
    "tn". ``base_rate`` is the accuracy of always answering the largest class.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, called = ["ant", "ant", "bee", "cat"], ["ant", "bee", "bee", "cat"]
    >>> found = rs.multiclass.multiclass_measures(y, called, measures=["precision", "recall"])
    >>> found.per_class["recall"].tolist()
    [0.5, 1.0, 1.0]
    """

    labels: tuple[Any, ...]
    support: Array
    per_class: dict[str, Array]
    low: dict[str, Array]
    high: dict[str, Array]
    averages: dict[str, dict[str, float]]
    accuracy: Interval
    balanced_accuracy: Interval
    base_rate: float
    kappa: float
    kappa_linear: float
    kappa_quadratic: float
    matthews_correlation: float
    level: float = 0.95
    origin: Origin | None = None
    warnings: tuple[Remark, ...] = ()
    counts: dict[str, Array] = field(default_factory=dict)

    def plot(self, ax: Axes | None = None, *, publication: bool = False) -> Display:
        """Draw the measures of each class side by side with matplotlib."""
        from rocsteady._src.views.plots.multiclass import draw_measures

        return draw_measures(self, ax, publication=publication)

    def _brief(self) -> str:
        found = format_interval(self.accuracy.estimate, self.accuracy.low, self.accuracy.high)
        macro = ", ".join(f"macro {name} {format_number(value)}" for name, value in self.averages["macro"].items())
        return one_line(f"{format_count(len(self.labels))} classes; accuracy {found}, {macro}")

    def _columns(self) -> Table:
        return {"class": list(self.labels), "support": self.support, **self.per_class}

    def __str__(self) -> str:
        names = list(self.per_class)
        shown = self.labels[:MOST_SHOWN]
        columns = [
            [*map(float, self.per_class[name][: len(shown)]), *(float(each[name]) for each in self.averages.values())]
            for name in names
        ]
        first = [*map(str, shown), *self.averages]
        lines = [list(line) for line in zip(first, *map(format_column, columns), strict=True)]
        left_out = (
            [f"... and {format_count(len(self.labels) - len(shown))} more classes"]
            if len(self.labels) > len(shown)
            else []
        )
        one_number = (
            f"accuracy {self.accuracy} (base rate {format_number(self.base_rate)})",
            f"balanced accuracy {self.balanced_accuracy}",
            f"kappa {format_number(self.kappa)}, Matthews correlation {format_number(self.matthews_correlation)}",
        )
        notes = (f"note: {text}" for text in self.warnings)
        return "\n".join([text_table(["class", *names], lines), *left_out, *one_number, *notes])


@dataclass(frozen=True, slots=True, eq=False)
class MulticlassCurves(Result):
    """Curves of each class against the rest, their vertical average (macro) and that of all predictions (micro).

    ``kind`` is "roc" or "pr". An average is None where a class has no curve.

    Examples
    --------
    >>> import rocsteady as rs
    >>> p = [[0.6, 0.2, 0.2], [0.3, 0.4, 0.3], [0.2, 0.3, 0.5]] * 9 + [[0.3, 0.4, 0.3]] * 3
    >>> rs.multiclass.multiclass_curves([0, 1, 2] * 10, p)
    MulticlassCurves(roc curves of 3 classes; macro area 0.9650, micro area 0.9750)
    """

    kind: str
    per_class: dict[Any, Curve]
    macro: Curve | None
    micro: Curve | None
    origin: Origin | None = None
    warnings: tuple[Remark, ...] = ()

    def plot(self, ax: Axes | None = None, *, publication: bool = False) -> Display:
        """Draw all curves in one picture with matplotlib."""
        from rocsteady._src.views.plots.multiclass import draw_class_curves

        return draw_class_curves(self, ax, publication=publication)

    @property
    def averages(self) -> dict[str, Curve]:
        """The averages there are, by name."""
        both = {"macro": self.macro, "micro": self.micro}
        return {name: curve for name, curve in both.items() if curve is not None}

    def _brief(self) -> str:
        areas = ", ".join(f"{name} area {format_number(float(each.area))}" for name, each in self.averages.items())  # type: ignore[attr-defined]
        return f"{self.kind} curves of {format_count(len(self.per_class))} classes{areas and f'; {areas}'}"

    def _columns(self) -> Table:
        named = {**{str(label): curve for label, curve in self.per_class.items()}, **self.averages}
        points: list[tuple[str, Array, Array]] = [(name, *curve.xy) for name, curve in named.items()]
        axes = next(iter(named.values())).axes
        return {
            "curve": [name for name, x, _ in points for _ in range(x.size)],
            axes[0]: np.concatenate([x for _, x, _ in points]),
            axes[1]: np.concatenate([y for _, _, y in points]),
        }

    def __str__(self) -> str:
        named = {**{str(label): curve for label, curve in self.per_class.items()}, **self.averages}
        lines = [[name, str(len(curve)), format_number(float(curve.area))] for name, curve in named.items()]  # type: ignore[attr-defined]
        return text_table([f"{self.kind} curve", "points", "area"], lines)


@dataclass(frozen=True, slots=True, eq=False)
class MulticlassEvaluation(PagedResult):
    """Everything about one model of more than two classes.

    ``class_auc`` has the interval of each class against the rest; ``averages`` those of "macro", "weighted",
    "hand-till" and "micro"; ``top_k`` the share of rows whose class is among the k highest scores, by k; ``values``
    the numbers about all classes that were asked for, by name. Curves are thinned for drawing, with their
    ``max_deviation``.

    Examples
    --------
    >>> import rocsteady as rs
    >>> p = [[0.6, 0.2, 0.2], [0.3, 0.4, 0.3], [0.2, 0.3, 0.5]] * 9 + [[0.3, 0.4, 0.3]] * 3
    >>> rs.evaluate_multiclass([0, 1, 2] * 10, p)
    MulticlassEvaluation(3 classes; macro AUC 0.9650 [0.8633, 0.9918] (0.95 level, wilson, chosen by auto); 30 rows)
    """

    labels: tuple[Any, ...]
    support: Array
    class_auc: dict[Any, Interval]
    averages: dict[str, Interval]
    roc: MulticlassCurves
    pr: MulticlassCurves
    confusion: MulticlassConfusion
    measures: MulticlassMeasures
    top_k: dict[int, Interval]
    level: float = 0.95
    origin: Origin | None = None
    warnings: tuple[Remark, ...] = ()
    values: dict[str, Interval] = field(default_factory=dict)

    def plot(  # type: ignore[override]  # several Axes
        self, ax: Sequence[Axes] | None = None, *, publication: bool = False
    ) -> PanelsDisplay:
        """Draw the ROC curve of each class beside the confusion matrix; ``ax`` is two Axes."""
        from rocsteady._src.views.plots.multiclass import draw_evaluation

        return draw_evaluation(self, ax, publication=publication)

    def __getitem__(self, name: str) -> Interval:
        """A number about all classes, with its interval."""
        return part_of(self.values, name)

    def _brief(self) -> str:
        n_rows = "" if self.origin is None else f"; {format_count(self.origin.n_rows)} rows"
        return f"{format_count(len(self.labels))} classes; macro AUC {self.averages['macro']}{n_rows}"

    def report(self, path: str | PathLike[str] = "report.html", **options: Unpack[ReportOptions]) -> Path:
        """Write one self-contained page and return its path.

        Parameters
        ----------
        path : str or Path
            Where to; the ending chooses the form: .html, .md, .json, .png or .svg.
        **options
            ``title``; ``format`` and ``force`` (replace any file; a page about the same data is replaced anyway).
        """
        from rocsteady._src.views.report.write import write_report

        return write_report(self, path, **options)

    def _columns(self) -> Table:
        found = list(self.class_auc.values())
        names = ("estimate", "low", "high", "se")
        return {
            "class": list(self.labels),
            "support": self.support,
            **{f"auc_{name}" if name != "estimate" else "auc": [getattr(one, name) for one in found] for name in names},
            **self.measures.per_class,
        }

    def __str__(self) -> str:
        shown = dict(list(self.class_auc.items())[:MOST_SHOWN])
        named = [(str(label), interval) for label, interval in shown.items()]
        named += [(f"{name} average", interval) for name, interval in self.averages.items()]
        ends = [[float(getattr(each, end)) for _, each in named] for end in ("estimate", "low", "high")]
        rows = [list(line) for line in zip([name for name, _ in named], *map(format_column, ends), strict=True)]
        left_out = len(self.labels) - len(shown)
        lines = [text_table(["AUC", "estimate", "low", "high"], rows)]
        lines += [f"... and {format_count(left_out)} more classes"] if left_out else []
        lines.append(f"intervals of areas at level {format_setting(self.level)}, by {self._methods()}")
        lines.append(f"accuracy {self.measures.accuracy} (base rate {format_number(self.measures.base_rate)})")
        lines += [f"top {k} accuracy {interval}" for k, interval in self.top_k.items()]
        kappa, mcc = self.measures.kappa, self.measures.matthews_correlation
        lines.append(f"kappa {format_number(kappa)}, Matthews correlation {format_number(mcc)}")
        lines += [f"{name.replace('_', ' ')} {found}" for name, found in self.values.items() if name not in TOLD]
        return "\n".join([*lines, *(f"note: {text}" for text in self.warnings)])

    def _methods(self) -> str:
        """Which methods made the intervals of areas."""
        made = [*self.class_auc.values(), *self.averages.values()]
        names = " or ".join(dict.fromkeys(interval.method for interval in made))
        return f"{names}, chosen by auto" if any(interval.auto for interval in made) else names
