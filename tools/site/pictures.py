"""Tables of measured shares become pictures, with the numbers folded away behind them."""

from __future__ import annotations

import re
from itertools import product
from typing import TYPE_CHECKING, Any

from tools.site.tables import (
    BLOCK,
    BROKEN,
    FOLDED,
    HELD,
    MARKED,
    REJECTED,
    Panel,
    Series,
    cells_of,
    marked_panels,
    panels,
)

if TYPE_CHECKING:
    from pathlib import Path

LEFT_AS_TABLES = {
    "coverage.md": {"warnings", "test_warnings", "margin_remark", "auto_power", "at_bound"},
    "bands.md": {"warnings"},
    "reclassification.md": {"nested"},
    "laboratory.md": {"size"},
}
MARKS = {  # of tables that scripts write, in whose cells no sign says that they are percent
    ("decisions.md", "two"): "held 3-6, rejected 7-10",
    ("decisions.md", "many"): "held 4-5, rejected 6-7",
    ("decisions.md", "without"): "held 4-7",
}
COVERAGE_ALONE = {("coverage.md", "chosen")}  # with shares as low as those of tests
DRAWN_FROM = 6  # lines; fewer are read faster than a picture of them
AXIS_TWICE_FROM = 12  # series; whoever reads the first of them does not see an axis below the last
ZONES = {HELD: (93.0, 97.0), REJECTED: (3.0, 7.0), BROKEN: (0.0, 5.0)}
FAULTY = {
    HELD: (lambda share: share < 92.0, "below 92%"),
    REJECTED: (lambda share: share > 7.0, "above 7%"),
    BROKEN: (lambda share: share > 5.0, "above 5%"),
}
AXES = {
    HELD: "samples whose 95% interval holds the truth",
    REJECTED: "samples whose test rejects a true hypothesis at 5%",
    BROKEN: "samples in which a promise that may fail in 5% is broken",
}
STEMS = {HELD: "coverage", REJECTED: "size", BROKEN: "broken"}
LOOKS = {
    "light": {"ink": "#24292f", "zone": "#cfe8d5", "dot": "#1f5fa8", "bad": "#b3400a", "grid": "#d8dee4"},
    "dark": {"ink": "#e6e9ee", "zone": "#1f4a2e", "dot": "#7ab8ff", "bad": "#ff9f5a", "grid": "#3a424c"},
}
WIDTHS = {"desk": "", "phone": "-narrow"}
LONG = 28  # letters of a name, beyond which it would meet the count at its right on a phone
GOLDEN = 0.618
LEGEND = (
    "Each dot is one setting of the table, drawn where its share of samples lies. The shaded zone is {low:g} to "
    "{high:g}%; dots on its wrong side, {faulty}, are orange diamonds and counted at the right."
)
HOLLOW = " Hollow dots are the shares in brackets."


def with_pictures(text: str, place: str, target: Path) -> str:
    """A page whose long tables of shares are drawn, with the numbers behind a line to open."""
    page = place.removesuffix(".md").replace("/", "-")
    explained: set[str] = set()

    def shown(made: list[Panel], name: str, table: str) -> str:
        parts = []
        for panel in made:
            stem = f"{page}-{re.sub(r'[^a-z0-9]+', '_', name.lower())}-{STEMS[panel.kind]}"
            parts.append(_shown(panel, stem, target))
            if panel.kind not in explained:
                explained.add(panel.kind)
                low, high = ZONES[panel.kind]
                hollow = HOLLOW if any(each.others for each in panel.series) else ""
                parts.append(LEGEND.format(low=low, high=high, faulty=FAULTY[panel.kind][1]) + hollow)
        return "\n\n".join([*parts, folded(table)])

    def of_a_script(found: re.Match[str]) -> str:
        made = panels_of(place, found[1], found[2])
        return shown(made, found[1], found[2]) if made else found[0]

    def marked(found: re.Match[str]) -> str:
        return shown(marked_panels(found[1], found[2]), f"line {text[: found.start()].count(chr(10)) + 1}", found[2])

    text = BLOCK.sub(of_a_script, text)
    text = FOLDED.sub(lambda found: folded(found[1]), text)
    return MARKED.sub(marked, text)


def panels_of(place: str, name: str, table: str) -> list[Panel]:
    """What is drawn of a table that a script writes; nothing of a short one, or one that stays a table."""
    if name in LEFT_AS_TABLES.get(place, set()) or len(cells_of(table)) - 1 < DRAWN_FROM:
        return []
    if (place, name) in MARKS:
        return marked_panels(MARKS[place, name], table)
    return panels(table, covers_all=(place, name) in COVERAGE_ALONE)


def folded(table: str) -> str:
    """A table behind a line to open."""
    return f"::::{{dropdown}} The numbers: {len(cells_of(table)) - 1} lines\n:animate: fade-in\n\n{table}\n::::\n"


def _shown(panel: Panel, stem: str, target: Path) -> str:
    folder = target / "_static" / "measured"
    folder.mkdir(parents=True, exist_ok=True)
    images = []
    for look, width in product(LOOKS, WIDTHS):
        draw(panel, folder / f"{stem}-{look}{WIDTHS[width]}.svg", look, narrow=width == "phone")
        source = f"/_static/measured/{stem}-{look}{WIDTHS[width]}.svg"
        images.append(f":::{{image}} {source}\n:alt: {in_words(panel)}\n:class: only-{look} measured {width}\n:::")
    return "\n\n".join(["::::{div} measured-box", *images, "::::"])


def in_words(panel: Panel) -> str:
    """What the picture shows, for who cannot see it."""
    parts = [f"{each.name} {min(each.shares):g} to {max(each.shares):g}%" for each in panel.series if each.shares]
    return f"Dot plot of {AXES[panel.kind]}: {'; '.join(parts)}".replace("\n", " ")


def draw(panel: Panel, path: Path, look: str, *, narrow: bool = False) -> None:
    """One row of dots per series, the zone behind them; in a ``narrow`` picture names stand above the dots."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    colours, (low, high) = LOOKS[look], ZONES[panel.kind]
    axes = 1.4 if len(panel.series) >= AXIS_TWICE_FROM else 0.9
    size = (3.7, axes + 0.56 * len(panel.series)) if narrow else (8.2, axes + 0.33 * len(panel.series))
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": path.stem, "font.family": "sans-serif"}):
        figure = Figure(figsize=size, layout="constrained")
        ax = figure.subplots()
        ax.axvspan(low, high, color=colours["zone"], lw=0, zorder=0)
        for row, series in enumerate(panel.series):
            told = _dots(ax, row, series, panel.kind, colours)
            _name(ax, row, series.name, told, colours, narrow=narrow)
        _frame(ax, panel, colours, narrow=narrow)
        figure.savefig(path, transparent=True, metadata={"Date": None})


def _dots(ax: Any, row: int, series: Series, kind: str, colours: dict[str, str]) -> tuple[str, bool]:
    """Draw them; how many are on the wrong side, in words, and whether any is."""
    is_faulty, words = FAULTY[kind]

    def heights(shares: list[float]) -> list[float]:
        return [row + (((place + 1) * GOLDEN) % 1 - 0.5) * 0.55 for place in range(len(shares))]

    ax.scatter(
        series.others, heights(series.others), s=17, facecolors="none", edgecolors=colours["ink"], linewidths=0.6
    )
    placed = list(zip(series.shares, heights(series.shares), strict=True))
    for faulty, mark, colour in ((False, "o", "dot"), (True, "D", "bad")):
        kept = [each for each in placed if is_faulty(each[0]) is faulty]
        ax.scatter([x for x, _ in kept], [y for _, y in kept], s=20, marker=mark, color=colours[colour], linewidths=0)
    count = sum(is_faulty(share) for share in series.shares)
    return (f"{count} of {len(series.shares)} {words}" if count else f"none of {len(series.shares)}"), count > 0


def _name(ax: Any, row: int, name: str, told: tuple[str, bool], colours: dict[str, str], *, narrow: bool) -> None:
    """How many are faulty, at the right; in a narrow picture the name too, both above the dots."""
    colour, places = colours["bad"] if told[1] else colours["ink"], ("axes fraction", "data")
    large, small = (8, 7.5) if narrow and len(name) > LONG else (10, 9.5) if narrow else (10.5, 10)
    if narrow:
        ax.annotate(name, (0, row - 0.42), xycoords=places, va="center", fontsize=large, color=colours["ink"])
    at, ha = ((1, row - 0.42), "right") if narrow else ((1.01, row), "left")
    ax.annotate(told[0], at, xycoords=places, va="center", ha=ha, fontsize=small, color=colour)


def _frame(ax: Any, panel: Panel, colours: dict[str, str], *, narrow: bool) -> None:
    names = [] if narrow else [each.name for each in panel.series]
    ax.set_yticks(range(len(names)), names, fontsize=10.5, color=colours["ink"])
    ax.set_ylim(len(panel.series) - 0.4, -0.8 if narrow else -0.6)
    every = [share for each in panel.series for share in (*each.shares, *each.others)]
    ax.set_xlim((min(90.0, *every) - 1, 100.6) if panel.kind == HELD else (-0.4, max(10.0, *every) + 0.6))
    ax.xaxis.set_major_formatter("{x:g}%")
    ax.set_xlabel(AXES[panel.kind], color=colours["ink"], fontsize=9 if narrow else 10)
    ax.tick_params(colors=colours["ink"], length=0, labelsize=10)
    if len(panel.series) >= AXIS_TWICE_FROM:
        ax.tick_params(axis="x", labeltop=True)
        ax.set_title(AXES[panel.kind], color=colours["ink"], fontsize=9 if narrow else 10)
    ax.grid(axis="x", color=colours["grid"], lw=0.6)
    ax.set_axisbelow(True)
    for spine in ax.spines.values():
        spine.set_visible(False)
