"""Results about several labels of a row."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.near_names import part_of
from rocsteady._src.base.text import format_column, format_count, format_setting
from rocsteady._src.results.exploring import PagedResult
from rocsteady._src.results.pictures import Forest, Line, source
from rocsteady._src.results.remarks import noted

if TYPE_CHECKING:
    from os import PathLike
    from pathlib import Path
    from typing import Unpack

    from rocsteady._src.base.frames import Table
    from rocsteady._src.results.base import Origin
    from rocsteady._src.results.displays import ReportOptions
    from rocsteady._src.results.inference import Interval
    from rocsteady._src.results.remarks import Remark

HEADER = ["label", "positives", "auc", "low", "high", "average_precision", "ap_low", "ap_high"]
ENDS = ("estimate", "low", "high")
MOST_DRAWN = 30


@dataclass(frozen=True, slots=True, eq=False)
class MultilabelEvaluation(PagedResult):
    """Areas and average precision of each label, and over all labels.

    ``auc`` has the interval of each label, ``averages`` those of "macro", the mean of the labels, and "micro", all
    scores pooled; both count rows, or subjects, so that labels of a row may vary together. ``average_precision`` of
    each label and ``average_precisions`` have intervals likewise. ``support`` is the number of rows with the label, or
    their weight. ``values`` are the numbers that were asked for, of several models, groups or folds.

    Examples
    --------
    >>> import rocsteady as rs
    >>> labels = [[1, 0], [0, 1], [1, 1], [0, 0]] * 5
    >>> scores = [[0.9, 0.2], [0.3, 0.7], [0.6, 0.8], [0.4, 0.3]] * 5
    >>> rs.evaluate(labels, scores)
    MultilabelEvaluation(2 labels; macro AUC 1.0000 [0.8405, 1.0000] (0.95 level, wilson, chosen by auto); 20 rows)
    """

    labels: tuple[Any, ...]
    support: tuple[float, ...]
    auc: dict[Any, Interval]
    average_precision: dict[Any, Interval]
    averages: dict[str, Interval]
    average_precisions: dict[str, Interval]
    level: float = 0.95
    origin: Origin | None = None
    warnings: tuple[Remark, ...] = ()
    values: dict[str, Interval] = field(default_factory=dict, repr=False)

    def __getitem__(self, label: Any) -> Interval:
        """The interval of the AUC of one label, or of "macro" or "micro" where no label is called so."""
        return part_of({**self.averages, **self.auc}, label)

    def report(self, path: str | PathLike[str] = "report.html", **options: Unpack[ReportOptions]) -> Path:
        """Write one self-contained page and return its path; options as of :meth:`MulticlassEvaluation.report`."""
        from rocsteady._src.views.report.write import write_report

        return write_report(self, path, **options)

    def cells(self) -> tuple[list[str], list[list[str]]]:
        """Header and rows for reading."""
        names, support, areas, precisions = zip(*self._lines(), strict=True)
        numbers = [[getattr(each, end) for each in found] for found in (areas, precisions) for end in ENDS]
        return HEADER, [list(line) for line in zip(names, support, *map(format_column, numbers), strict=True)]

    def notes(self) -> list[str]:
        """What was assumed, and what to beware of."""
        made = [*self.auc.values(), *self.averages.values()]
        methods = " or ".join(dict.fromkeys(interval.method for interval in made))
        auto = ", chosen by auto" if any(interval.auto for interval in made) else ""
        level = format_setting(self.level)
        told = [f"intervals at level {level}, of AUC by {methods}{auto}, of average precision by wald on log-odds"]
        if self.origin is not None:
            rows = f"{format_count(self.origin.n_rows)} rows of {format_count(len(self.labels))} labels"
            told.insert(0, f"{rows}; a higher score means more of that label{self.origin.dropped}")
        return [*told, *map(noted, self.warnings)]

    def _lines(self) -> list[tuple[str, str, Interval, Interval]]:
        each = zip(self.labels, self.support, self.auc.values(), self.average_precision.values(), strict=True)
        lines = [(str(label), format_count(support), area, value) for label, support, area, value in each]
        over_all = zip(self.averages.items(), self.average_precisions.values(), strict=True)
        return [*lines, *((f"{name} average", "", area, value) for (name, area), value in over_all)]

    def _brief(self) -> str:
        n_rows = "" if self.origin is None else f"; {format_count(self.origin.n_rows)} rows"
        return f"{format_count(len(self.labels))} labels; macro AUC {self.averages['macro']}{n_rows}"

    def _columns(self) -> Table:
        areas = [*self.auc.values(), *self.averages.values()]
        ends = {name: [getattr(area, name) for area in areas] for name in ("estimate", "low", "high", "se")}
        return {
            "label": [str(label) for label in self.labels] + [f"{name} average" for name in self.averages],
            "positives": [*self.support, *([float("nan")] * len(self.averages))],
            **{"auc" if name == "estimate" else f"auc_{name}": values for name, values in ends.items()},
            **self._precisions(),
        }

    def _precisions(self) -> Table:
        found = [*self.average_precision.values(), *self.average_precisions.values()]
        return {
            f"average_precision{end}": [getattr(each, name) for each in found]
            for name, end in (("estimate", ""), ("low", "_low"), ("high", "_high"), ("se", "_se"))
        }

    def _picture(self) -> Forest:
        lines = self._lines()
        left_out = len(self.labels) - MOST_DRAWN
        shown = lines if left_out <= 0 else [*lines[:MOST_DRAWN], *lines[len(self.labels) :]]
        more = (f"the first {format_count(MOST_DRAWN)} of {format_count(len(self.labels))} labels",)
        title = ("AUC of each label", *(more if left_out > 0 else ()), *source(self.origin))
        drawn = tuple(Line(name, area.estimate, area.low, area.high) for name, _, area, _ in shown)
        return Forest(title, f"AUC, intervals at level {format_setting(self.level)}", drawn)
