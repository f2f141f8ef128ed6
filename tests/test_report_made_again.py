"""Pages that no command made hold the line that makes them again."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

import rocsteady as rs
from cases import each_case
from rocsteady import lab

if TYPE_CHECKING:
    from pathlib import Path


def test_a_page_of_a_watch(tmp_path: Path) -> None:
    rng, day = np.random.default_rng(5), np.repeat(np.arange(24), 40)
    p = rng.random(day.size)
    table = {"y": (rng.random(day.size) < p).astype(int), "p": p, "day it was": day, "site": day % 2}
    how: dict[str, Any] = {"label": "y", "day": "day it was", "segment": "site", "reference": (0, 11), "alpha": 0.1}
    found = rs.monitor(table, "p", **how, measures=["auc", "recall"], threshold=0.5, matures=1)
    made_again(found, tmp_path, table=table)
    other = rs.monitor(table, "p", label="y", day="day it was", reference=table)
    assert "reference=reference" in made_again(other, tmp_path, table=table, reference=table)


@each_case("called", ["count_errors", "count_order_errors", "set_values", "sweep"])
def test_a_page_of_the_laboratory(called: str, tmp_path: Path) -> None:
    sets = lab.generate("1.0p 0.9p 0.2n 0.0n", range_steps=4, margin_steps=3, distribution=True)
    strict = {"tolerance": 0.01} if "errors" in called else {}
    asked: Any = ("mm7_auc",) if called == "sweep" else (["auc", "scored_auc"],)
    grid = {"n": [0.01, 0.0625]} if called == "sweep" else {}
    made_again(getattr(lab, called)(sets, *asked, **strict, **grid), tmp_path, sets=sets)


@each_case("tolerance", [0.0, 1e-12])
def test_a_page_of_order_errors_with_and_without_rounding(tolerance: float, tmp_path: Path) -> None:
    sets = lab.generate("1p 0.8p 0.6p 0.4n 0.2n 0n", distribution=True)
    line = made_again(lab.count_order_errors(sets, ["prob_auc"], tolerance=tolerance), tmp_path, sets=sets)
    assert ("tolerance=0.0" in line) == (tolerance == 0)


def made_again(result: Any, folder: Path, **supplied: Any) -> str:
    """The line, which was executed as a reader would, with what the page says must be supplied."""
    result.report(folder / "first.md", force=True)
    told = (folder / "first.md").read_text()
    line, more = told.split("Make it again: ")[1].split(" You supply ")
    line = line.strip("`")
    assert more.startswith(next(iter(supplied)))
    again = folder / "again.json"
    exec(line.replace("'report.html'", f"{str(again)!r}, force=True"), dict(supplied))  # noqa: S102 - as a reader would
    result.report(folder / "first.json", force=True)
    one, two = (json.loads((folder / f"{name}.json").read_text()) for name in ("first", "again"))
    assert one == two
    return line
