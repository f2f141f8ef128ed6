"""The page of measures, made from the fact sheets."""

from __future__ import annotations

import rocsteady as rs

INTRODUCTION = """# Measures

Made from the fact sheets in the registry; `rocsteady measures` prints the same list.

Every measure is called as `rs.NAME(y_true, y_score, *, sample_weight=None, pos_label=None, missing="raise", ...)`
or with ranked scores alone, `rs.NAME(rs.rank(y_true, y_score))`. Threshold measures also take a `Confusion`, and are
attributes of it. A tied pair counts one half in every ranking measure; a row is called positive when
`score >= threshold`. What cannot be computed is NaN with a `.reason`. "drawn" tells what a bootstrap draws: all rows
where the value depends on the share of positives, rows within classes where it does not.
"""
TITLES = {
    "ranking": "Ranking",
    "threshold": "At a threshold",
    "score-aware": "Using score values",
    "granular": "Granularity",
    "two-level": "Two measures in one",
    "parts": "Parts of a curve that add up",
    "probability": "Scores as probabilities",
}


def measures_page() -> str:
    """The whole page."""
    families = list(dict.fromkeys(sheet.family for sheet in rs.list_measures()))
    return "\n".join([INTRODUCTION, *(section(family) for family in families)])


def section(family: str) -> str:
    """One family as a table."""
    lines = [
        "| name | better | range | chance | drawn | undefined when | parameters | meaning |",
        "|---|---|---|---|---|---|---|---|",
    ]
    lines += [row(sheet) for sheet in rs.list_measures(family)]
    return f"## {TITLES.get(family, family.capitalize())}\n\n" + "\n".join(lines) + "\n"


def row(sheet: rs.FactSheet) -> str:
    """One measure."""
    name = f"`{sheet.name}`" + "".join(f", `{alias}`" for alias in sheet.aliases)
    cells = [
        name + (" (emerging)" if sheet.emerging else ""),
        sheet.better,
        f"{sheet.bounds[0]:g} to {sheet.bounds[1]:g}",
        "" if sheet.chance is None else f"{sheet.chance:g}",
        sheet.resampling,
        ", ".join(reason.replace("_", " ") for reason in sheet.undefined_when),
        ", ".join(f"`{param}={default!r}`" for param, default in sheet.params.items()),
        sheet.summary.replace("``", "`") + (f" ({sheet.reference})" if sheet.reference else ""),
    ]
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
