"""Tables of measured shares become pictures, with the numbers folded away behind them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from tools.site.tables import BLOCK, Panel, Series, cells_of, panels

if TYPE_CHECKING:
    from pathlib import Path

LEFT_AS_TABLES = {
    "coverage.md": {"warnings", "test_warnings", "margin_remark", "auto_power", "at_bound"},
    "bands.md": {"warnings"},
    "reclassification.md": {"nested"},
    "selection.md": {"size"},
}
COVERAGE_ALONE = {("coverage.md", "chosen")}  # with shares as low as those of tests
DRAWN_FROM = 6  # lines; fewer are read faster than a picture of them
ZONES = {True: (93.0, 97.0), False: (3.0, 7.0)}
FAULTY = {True: (lambda share: share < 92.0, "below 92%"), False: (lambda share: share > 7.0, "above 7%")}
AXES = {True: "samples whose 95% interval holds the truth", False: "samples whose test rejects a true hypothesis at 5%"}
LOOKS = {
    "light": {"ink": "#24292f", "zone": "#cfe8d5", "dot": "#1f5fa8", "bad": "#b3400a", "grid": "#d8dee4"},
    "dark": {"ink": "#e6e9ee", "zone": "#1f4a2e", "dot": "#7ab8ff", "bad": "#ff9f5a", "grid": "#3a424c"},
}
GOLDEN = 0.618
LEGEND = (
    "Each dot is one setting of the table, drawn where its share of samples lies. The shaded zone is {low:g} to "
    "{high:g}%; dots on its wrong side, {faulty}, are orange diamonds and counted at the right. Hollow dots are the "
    "shares in brackets."
)


def with_pictures(text: str, place: str, target: Path) -> str:
    """A page whose long tables of shares are drawn, with the numbers behind a line to open."""
    page = place.removesuffix(".md").replace("/", "-")
    explained: set[bool] = set()

    def drawn(found: re.Match[str]) -> str:
        name, table = found[1], found[2]
        made = (
            []
            if name in LEFT_AS_TABLES.get(place, set())
            else panels(table, covers_all=(place, name) in COVERAGE_ALONE)
        )
        lines = len(cells_of(table)) - 1
        if not made or lines < DRAWN_FROM:
            return found[0]
        shown = []
        for panel in made:
            kind = "coverage" if panel.covers else "size"
            stem = f"{page}-{re.sub(r'[^a-z0-9]+', '_', name.lower())}-{kind}"
            shown.append(_shown(panel, stem, target))
            if panel.covers not in explained:
                explained.add(panel.covers)
                low, high = ZONES[panel.covers]
                shown.append(LEGEND.format(low=low, high=high, faulty=FAULTY[panel.covers][1]))
        folded = f"::::{{dropdown}} The numbers: {lines} lines\n:animate: fade-in\n\n{table}\n::::"
        return "\n\n".join([*shown, folded])

    return BLOCK.sub(drawn, text)


def _shown(panel: Panel, stem: str, target: Path) -> str:
    folder = target / "_static" / "measured"
    folder.mkdir(parents=True, exist_ok=True)
    for look in LOOKS:
        draw(panel, folder / f"{stem}-{look}.svg", look)
    images = [
        f":::{{image}} /_static/measured/{stem}-{look}.svg\n:alt: {in_words(panel)}\n:class: only-{look} measured\n:::"
        for look in LOOKS
    ]
    return "\n\n".join(["::::{div} measured-box", *images, "::::"])


def in_words(panel: Panel) -> str:
    """What the picture shows, for who cannot see it."""
    parts = [f"{each.name} {min(each.shares):g} to {max(each.shares):g}%" for each in panel.series if each.shares]
    return f"Dot plot of {AXES[panel.covers]}: {'; '.join(parts)}".replace("\n", " ")


def draw(panel: Panel, path: Path, look: str) -> None:
    """One row of dots per series, the zone behind them."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    colours, (low, high) = LOOKS[look], ZONES[panel.covers]
    height = 0.9 + 0.30 * len(panel.series)
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": path.stem, "font.family": "sans-serif"}):
        figure = Figure(figsize=(8.2, height), layout="constrained")
        ax = figure.subplots()
        ax.axvspan(low, high, color=colours["zone"], lw=0, zorder=0)
        for row, series in enumerate(panel.series):
            _dots(ax, row, series, panel.covers, colours)
        _frame(ax, panel, colours)
        figure.savefig(path, transparent=True, metadata={"Date": None})


def _dots(ax: Any, row: int, series: Series, covers: bool, colours: dict[str, str]) -> None:
    is_faulty, words = FAULTY[covers]

    def heights(shares: list[float]) -> list[float]:
        return [row + (((place + 1) * GOLDEN) % 1 - 0.5) * 0.55 for place in range(len(shares))]

    ax.scatter(
        series.others, heights(series.others), s=13, facecolors="none", edgecolors=colours["ink"], linewidths=0.6
    )
    placed = list(zip(series.shares, heights(series.shares), strict=True))
    for faulty, mark, colour in ((False, "o", "dot"), (True, "D", "bad")):
        kept = [each for each in placed if is_faulty(each[0]) is faulty]
        ax.scatter([x for x, _ in kept], [y for _, y in kept], s=15, marker=mark, color=colours[colour], linewidths=0)
    count = sum(is_faulty(share) for share in series.shares)
    told = f"{count} of {len(series.shares)} {words}" if count else f"none of {len(series.shares)}"
    ax.annotate(told, (1.01, row), xycoords=("axes fraction", "data"), va="center", fontsize=8,
                color=colours["bad"] if count else colours["ink"])  # fmt: skip


def _frame(ax: Any, panel: Panel, colours: dict[str, str]) -> None:
    ax.set_yticks(range(len(panel.series)), [each.name for each in panel.series], fontsize=9, color=colours["ink"])
    ax.set_ylim(len(panel.series) - 0.4, -0.6)
    every = [share for each in panel.series for share in (*each.shares, *each.others)]
    ax.set_xlim((min(90.0, *every) - 1, 100.6) if panel.covers else (-0.4, max(10.0, *every) + 0.6))
    ax.xaxis.set_major_formatter("{x:g}%")
    ax.set_xlabel(AXES[panel.covers], color=colours["ink"], fontsize=9)
    ax.tick_params(colors=colours["ink"], length=0, labelsize=9)
    ax.grid(axis="x", color=colours["grid"], lw=0.6)
    ax.set_axisbelow(True)
    for spine in ax.spines.values():
        spine.set_visible(False)
