"""Tables whose different scores are too many to bring here: brackets from counts, or exact sums made by the engine."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError
from rocsteady._src.evaluation.remarks import warn_of
from rocsteady._src.inference.intervals.areas import area_interval
from rocsteady._src.inference.units.components import Area
from rocsteady._src.measures.requests import parse_requests
from rocsteady._src.ranked.lazy.paired import sum_models
from rocsteady._src.results.base import facts_of
from rocsteady._src.results.remarks import Remark
from rocsteady._src.results.scale import Bracket, BracketedEvaluation
from rocsteady._src.scale.evaluate_sketches import evaluate_sketches
from rocsteady._src.scale.sketch import CAPACITY
from rocsteady._src.scale.sketch_refine import CELLS
from rocsteady._src.scale.sketch_table import sketch_table
from rocsteady._src.scale.summed_losses import LOSSES, summed_losses

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rocsteady._src.ranked import RankedScores
    from rocsteady._src.ranked.lazy.lazy_rows import LazyRows

WIDTH = 1e-6  # of an AUC between bounds: its five digits that are shown are sure, or the last one is off by one
CELLS_PER_WIDTH = 3.0  # finer cells in proportion to the root of their pairs leave 1 / cells open; and a margin
BITS = 18


def bracketed_table(
    rows: LazyRows,
    *,
    measures: Sequence[Any] | None = None,
    threshold: Any = None,
    level: float | None = None,
    auc_method: str = "auto",
    cells: int = CELLS,
    n_rows: int | None = None,
    curves: bool = True,
    aloud: bool = False,
) -> BracketedEvaluation:
    """Every measure between bounds, from two passes over the rows: in cells, and in finer ones where pairs are open.

    ``cells`` is how many of them memory holds; the AUC is known to a millionth, or as well as they allow.
    """
    columns = rows.columns
    bits = max(min(BITS, math.floor(math.log2(max(cells, 16))) - 1), 4)
    found: Any = sketch_table(
        columns.frame.to_native(),
        label=columns.label,
        score=list(columns.scores),
        weight=columns.weight,
        pos_label=rows.pos_label,
        missing=rows.missing,
        bits=bits,
        capacity=CAPACITY,
        width=max(WIDTH, CELLS_PER_WIDTH / cells),
        cells=cells,
        passes=1,
        n_rows=n_rows,
    )
    for sketch in found.values():
        sketch.width_asked = None  # nobody asked
    requests = parse_requests(measures) if measures else []
    ordered, losses = ([each for each in requests if (each.sheet.name in LOSSES) is loss] for loss in (False, True))
    asked = [each.column for each in ordered] or (["auc"] if losses else None)
    how: dict[str, Any] = {"measures": asked, "threshold": threshold, "level": level}
    made = evaluate_sketches(found, auc_method=auc_method, curves=curves, **how)
    if losses:
        summed = summed_losses(rows, found, [each.sheet.name for each in losses])
        columns_asked = [(each.column, each.sheet.name) for each in requests]
        made = replace(made, brackets=_in_order(made.brackets, summed, columns_asked))
    told = Remark("bracketed_by_itself")
    if aloud:
        warn_of([told])
    return replace(made, remarks=(told,))


def _in_order(
    ordered: dict[str, dict[str, Bracket]], summed: dict[str, dict[str, Bracket]], asked: list[tuple[str, str]]
) -> dict[str, dict[str, Bracket]]:
    """Brackets of both kinds as they were asked for."""
    return {
        model: {column: summed[model][name] if name in LOSSES else row[column] for column, name in asked}
        for model, row in ordered.items()
    }


def _areas(rows: LazyRows) -> Iterator[tuple[str, RankedScores, float]]:
    """Each model with its variance; one by one where rows lack nothing, which spares the engine a join."""
    names = rows.columns.scores
    alone = rows.missing == "raise" or len(names) == 1
    parts = [replace(rows, columns=replace(rows.columns, scores=(name,))) for name in names] if alone else [rows]
    for part in parts:
        models = sum_models(part)
        variances = np.diag(models.placement_sums().covariance()).tolist()
        yield from zip(models.names, models.ranked, variances, strict=True)


def summed_table(
    rows: LazyRows, *, measures: Sequence[Any] | None = None, level: float | None = None, auc_method: str = "auto"
) -> BracketedEvaluation:
    """Exact AUCs and their intervals, by ranks and sums that the engine makes; it spills what it cannot hold."""
    requests = parse_requests(measures or ["auc"])
    other = next((request.column for request in requests if request.sheet.name != "auc"), None)
    if other is not None:
        text = f"the engine adds up exact AUCs; {other} needs the groups of equal score in memory, which are too many"
        raise ArgumentError("exact", f"{text}: ask for the auc alone, allow more memory, or take brackets")
    made = BracketedEvaluation({}, {}, {}, {}, (Remark("summed_by_engine"),))
    for name, groups, variance in _areas(rows):
        area = Area().value(groups)
        made.brackets[name] = {
            "auc": Bracket(area, area, area, 1.0, "exact sums", **facts_of(groups), measure="auc", exact=True)
        }
        if level is not None:
            made.intervals[name] = {"auc": area_interval(Area(), groups, variance, auc_method, level)}
    return made
