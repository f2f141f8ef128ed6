"""Cost, rates and scores by class of the model that leads, drawn for paper from what the charts of a page hold."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import printable
from rocsteady._src.views.plots.pages import HEIGHT, WIDTH, broken

if TYPE_CHECKING:
    from rocsteady._src.views.report.document import Chart, Document

DASHES = ("-", "--", ":")


def threshold_sheet(document: Document) -> Any:
    """A page of pictures along the threshold; None where a document has no thresholds."""
    charts = {chart.id: chart for chart in document.all_charts}
    wanted = {name: charts[name] for name in ("cost", "rates", "dist") if name in charts}
    if document.situation is None or not wanted:
        return None
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH / 72, HEIGHT / 72))
    leader = printable(document.situation.model, most=60)
    figure.text(0.08, 0.95, f"Along the threshold of {leader}", fontsize=12, fontweight="bold", parse_math=False)
    bottom = 0.70
    for name, chart in wanted.items():
        ax = figure.add_axes((0.12, bottom, 0.80, 0.19))
        {"cost": _cost, "rates": _rates, "dist": _distributions}[name](ax, chart, document.situation.model)
        _at_threshold(ax, document.operating.get(document.situation.model))
        _titled(figure, ax, chart)
        bottom -= 0.30
    return figure


def _at_threshold(ax: Any, table: dict[str, Any] | None) -> None:
    """A line at the threshold that the page opens with, where it is a number."""
    at = None if table is None else float(table["_threshold"][table["start"]])
    if at is not None and math.isfinite(at):
        ax.axvline(at, color="0.3", linewidth=1, linestyle="-.")


def _titled(figure: Any, ax: Any, chart: Chart) -> None:
    ax.set_title(chart.title, fontsize=10, loc="left", parse_math=False)
    ax.tick_params(labelsize=7)
    box = ax.get_position()
    text = "\n".join(broken(chart.text, 0.8 * WIDTH, 7.0))
    figure.text(box.x0, box.y0 - 0.045, text, fontsize=7, color="0.35", va="top", parse_math=False)
    ax.spines[["top", "right"]].set_visible(False)


def _along(records: list[dict[str, Any]], value: str) -> tuple[list[float], list[float]]:
    """Thresholds as they are drawn, and values there; where one is not defined there is a gap."""
    there = sorted((record["drawn"], record[value]) for record in records if isinstance(record[value], int | float))
    return [at for at, _ in there], [each for _, each in there]


def _cost(ax: Any, chart: Chart, leader: str) -> None:
    ax.plot(*_along([each for each in chart.data["costs"] if each["model"] == leader], "cost"), color="0.15")
    _shaded(ax, chart)
    ax.set_xlabel("threshold", fontsize=8)
    ax.set_ylabel("cost", fontsize=8)
    ax.set_ylim(bottom=0)


def _rates(ax: Any, chart: Chart, leader: str) -> None:
    del leader  # they are of it alone
    names = dict.fromkeys(record["rate"] for record in chart.data["rates"])
    for name, dash in zip(names, DASHES, strict=False):
        points = _along([each for each in chart.data["rates"] if each["rate"] == name], "value")
        ax.plot(*points, color="0.15", linestyle=dash, label=name)
    _shaded(ax, chart)
    ax.set_xlabel("threshold", fontsize=8)
    ax.set_ylim(0, 1.02)
    ax.legend(fontsize=7, frameon=False)


def _shaded(ax: Any, chart: Chart) -> None:
    """Where another sample might have chosen."""
    for choice in chart.data.get("choice", []):
        if choice["model"]:
            ax.axvspan(choice["low"], choice["high"], color="0.85", zorder=0)


def _distributions(ax: Any, chart: Chart, leader: str) -> None:
    for name, colour in (("positive", "#b5432a"), ("negative", "#2a6fb5")):
        bars = [each for each in chart.data["dist"] if each["class"] == name and each["model"] == leader]
        widths = [each["to"] - each["from"] for each in bars]
        starts, shares = [each["from"] for each in bars], [each["share"] for each in bars]
        ax.bar(starts, shares, widths, align="edge", color=colour, label=name)
    ax.axhline(0, color="0.3", linewidth=0.6)
    ax.set_xlabel("score", fontsize=8)
    ax.set_ylabel("share of the class", fontsize=8)
    ax.legend(fontsize=7, frameon=False)
