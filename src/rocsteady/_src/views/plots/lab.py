"""Pictures of the laboratory: errors per measure and against properties, clouds of values, sweeps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, printable
from rocsteady._src.base.text import format_count
from rocsteady._src.results.displays import Display
from rocsteady._src.views.plots.paper import for_paper
from rocsteady._src.views.plots.static import new_axes
from rocsteady._src.views.plots.style import COLOURS

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocsteady._src.results.lab import Breakdown, ErrorCounts, Sweep

CORRECT, INCORRECT, OVERLAP = COLOURS[0], COLOURS[1], "#E69F00"
AXES = {"range": "Range of the scores", "margin": "Margin W", "ratio": "Share of positives"}
STYLES = ("-", "--", ":", "-.")
MARKS = "osD^vPX*<>h"


@for_paper
def draw_errors(result: ErrorCounts, ax: Any = None, *, kind: str = "errors") -> Display:
    """Draw error counts in one of several ways."""
    draw = KINDS.get(kind)
    if draw is None:
        raise ArgumentError("kind", f"kind is one of {', '.join(KINDS)}, got {kind!r}")
    return draw(result, ax)


def _bars(result: ErrorCounts, ax: Any) -> Display:
    rows = result.rows[::-1]
    ax = new_axes(ax, (6.4, 1.1 + 0.34 * len(rows)))
    shares = [row.errors / row.n_correct if row.n_correct else 0.0 for row in rows]
    bars = ax.barh(range(len(rows)), [100 * share for share in shares], color=CORRECT, height=0.66)
    ax.bar_label(bars, [f" {format_count(row.errors)}" for row in rows], color="0.25")
    ax.set_yticks(range(len(rows)), [_text(row.measure) for row in rows])
    ax.set(
        xlim=(0, 100),
        xlabel=f"Errors in % of the {format_count(result.n_correct)} correctly ranked sets (numbers: errors)",
    )
    _undress(ax, "left")
    return Display(result, ax, ax.figure)


@for_paper
def draw_breakdown(result: Breakdown, ax: Any = None) -> Display:
    """Draw the share of errors among correct sets against a property; measures without errors are only named."""
    ax = new_axes(ax, (6.4, 4.2))
    at = (result.low + result.high) / 2
    filled = result.n_correct > 0
    totals = result.errors.sum(axis=1)
    # Curves that fall on one another would hide each other, so they differ in colour, mark and stroke.
    drawn = [place for place in range(len(result.measures)) if totals[place]]
    for turn, place in enumerate(drawn):
        share = 100 * result.errors[place, filled] / result.n_correct[filled]
        style = {"color": COLOURS[turn % len(COLOURS)], "linestyle": STYLES[turn // len(COLOURS) % len(STYLES)]}
        ax.plot(at[filled], share, marker=MARKS[turn % len(MARKS)], label=_text(result.measures[place]), **style)
    never = [_text(name) for place, name in enumerate(result.measures) if not totals[place]]
    if never:
        ax.plot([], [], linestyle="none", label="no errors: " + ", ".join(never))
    ax.set(xlabel=AXES.get(result.by, result.by), ylabel="Errors in % of correct sets", ylim=(-3, 103))
    _undress(ax)
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.16), ncols=3, frameon=False)
    return Display(result, ax, ax.figure)


def _clouds(result: ErrorCounts, ax: Any) -> Display:
    """Values of correct sets above the line of a measure, of incorrect ones below; the overlap is shaded."""
    rows = result.rows[::-1]
    ax = new_axes(ax, (7.2, 1.3 + 0.52 * len(rows)))
    rng = np.random.default_rng(0)  # heights inside a strip mean nothing
    for place, row in enumerate(rows):
        for values, side, colour in zip(result.clouds[row.measure], (1, -1), (CORRECT, INCORRECT), strict=True):
            shown = values[np.isfinite(values)]
            heights = place + side * rng.uniform(0.06, 0.36, shown.size)
            ax.plot(shown, heights, ".", color=colour, markersize=2, alpha=0.35, rasterized=True)
        _overlap(ax, place, row)
    ax.set_yticks(range(len(rows)), [f"{_text(row.measure)}  ({format_count(row.errors)})" for row in rows])
    ax.set(xlabel="Value of the measure (in brackets: errors)", ylim=(-0.6, len(rows) - 0.4))
    for label, colour in (("correctly ranked sets", CORRECT), ("other sets", INCORRECT)):
        ax.plot([], [], ".", color=colour, label=label)
    ax.fill_between([], [], [], color=OVERLAP, alpha=0.3, label="overlap: errors")
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=3, frameon=False)
    _undress(ax, "left")
    return Display(result, ax, ax.figure)


def _overlap(ax: Any, place: int, row: Any) -> None:
    worst, best = row.min_correct, row.max_incorrect
    if row.errors and np.isfinite([worst, best]).all():
        ax.fill_between(sorted((worst, best)), place - 0.4, place + 0.4, color=OVERLAP, alpha=0.3, lw=0, zorder=0)


def _by(name: str) -> Callable[[ErrorCounts, Any], Display]:
    return lambda result, ax: draw_breakdown(result.breakdowns[name], ax)


KINDS: dict[str, Callable[[ErrorCounts, Any], Display]] = {
    "errors": _bars,
    "range": _by("range"),
    "margin": _by("margin"),
    "ratio": _by("ratio"),
    "clouds": _clouds,
}


@for_paper
def draw_sweep(result: Sweep, ax: Any = None) -> Display:
    """Draw errors against one parameter as a line, against two as a heat map."""
    if len(result.grid) > 2:
        raise ArgumentError("grid", f"a picture shows one or two parameters, and {len(result.grid)} were swept")
    ax = new_axes(ax, (6.0, 4.2))
    (_line if len(result.grid) == 1 else _heat)(result, ax)
    return Display(result, ax, ax.figure)


def _line(result: Sweep, ax: Any) -> None:
    ((name, values),) = result.grid.items()
    ax.plot(values, result.errors, "o-", color=CORRECT, markersize=4)
    ax.set(
        xlabel=f"{name} of {_text(result.measure)}",
        ylabel=f"Errors among {format_count(result.n_correct)} correct sets",
    )
    ax.set_ylim(-0.03 * max(1, result.errors.max()), None)
    if is_geometric(values):
        ax.set_xscale("log")
    _undress(ax)


def _heat(result: Sweep, ax: Any) -> None:
    (down, rows), (across, columns) = result.grid.items()
    mesh = ax.pcolormesh(columns, rows, result.errors, shading="nearest", cmap="viridis", rasterized=True)
    colours = ax.figure.colorbar(mesh, ax=ax)
    colours.set_label(f"Errors among {format_count(result.n_correct)} correct sets")
    best, fewest = result.fewest, int(result.errors.min())
    ties = int((result.errors == fewest).sum())
    label = f"fewest errors: {format_count(fewest)}" + (f" (the first of {ties} points)" if ties > 1 else "")
    ax.plot(best[across], best[down], "o", color="white", markeredgecolor="black", label=label)
    ax.set(xlabel=f"{across} of {_text(result.measure)}", ylabel=down)
    if is_geometric(columns):
        ax.set_xscale("log")
    if is_geometric(rows):
        ax.set_yscale("log")
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), frameon=False)


def is_geometric(values: Any) -> bool:
    """Whether steps grow with the values, so that a log scale spreads them evenly."""
    if len(values) < 3 or values[0] <= 0:
        return False
    ratios = values[1:] / values[:-1]
    return bool(np.ptp(ratios) < 0.25 * (ratios.mean() - 1) + 1e-9)


def _undress(ax: Any, *sides: str) -> None:
    ax.grid(visible=True, axis="x" if sides else "both", color="0.92", linewidth=0.8)
    ax.set_axisbelow(True)
    ax.spines[["top", "right", *sides]].set_visible(False)
    if sides:
        ax.tick_params(axis="y", length=0)


def _text(name: str) -> str:
    return printable(name, most=60).replace("$", r"\$")
