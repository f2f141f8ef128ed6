"""Everything a threshold slider shows, computed beforehand: the page looks numbers up, it computes none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.measures.choose import best_threshold
from rocsteady.measures.confusion import confusion_at, threshold_text
from rocsteady.uncertainty.proportions import proportion_bounds
from rocsteady.uncertainty.subjects import subject_cells

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady.measures.confusion import Confusion
    from rocsteady.ranked import ModelRows, RankedScores

POSITIONS = 201
SHARES = {
    "tpr": ("tp", ("tp", "fn")),
    "fpr": ("fp", ("fp", "tn")),
    "precision": ("tp", ("tp", "fp")),
    "npv": ("tn", ("tn", "fn")),
}


def positions(ranked: RankedScores, first: int) -> NDArray[np.int64]:
    """Steps of the walk down the scores to stop at: evenly along the ROC curve, both ends, and ``first``."""
    tp, fp = ranked.called_positive
    along = tp / ranked.n_pos + fp / ranked.n_neg
    steps = np.searchsorted(along, np.linspace(0, 2, POSITIONS)).clip(0, along.size - 1)
    return np.unique(np.concatenate([steps, [0, along.size - 1, first]]))


def operating_points(
    ranked: RankedScores, *, cost_fp: float, cost_fn: float, level: float, subjects: ModelRows | None = None
) -> dict[str, Any]:
    """Columns by name, one entry per position of the slider, and ``start``, the position of least cost."""
    chosen = best_threshold(ranked, rule="cost", cost_fp=cost_fp, cost_fn=cost_fn).threshold
    every = ranked.thresholds
    first = int(np.flatnonzero(every == chosen)[0])
    steps = positions(ranked, first)
    table = rates(confusion_at(ranked, "all"), steps, level, subjects)
    table["cost"] = _rounded((table["fp"] * cost_fp + table["fn"] * cost_fn) / ranked.n_rows_counted)
    table["threshold"] = every[steps]
    table["_threshold"] = shortened(ranked, every[steps])
    table["drawn"] = _on_axis(ranked, table["threshold"])
    return {**table, "start": int(np.flatnonzero(steps == first)[0])}


def shortened(ranked: RankedScores, thresholds: NDArray[Any]) -> NDArray[Any]:
    """Thresholds with as few digits as call the same rows positive: what a page shows can be typed again."""
    if thresholds.dtype.kind != "f":
        return thresholds
    return np.array([float(threshold_text(ranked, value)) for value in thresholds])


def rates(counts: Confusion, steps: Any, level: float, subjects: ModelRows | None = None) -> dict[str, Any]:
    """Counts and rates at some steps, shares with Wilson's intervals, of subjects where given; 0/0 is NaN."""
    told = None if subjects is None else [subject_cells(subjects, cut)[1] for cut in _cuts(subjects, steps)]
    cells = {cell: np.asarray(getattr(counts, cell))[steps] for cell in ("tp", "fp", "fn", "tn")}
    table: dict[str, Any] = dict(cells)
    for name, (part, whole) in SHARES.items():
        hits, total = cells[part], sum(cells[cell] for cell in whole)
        with np.errstate(invalid="ignore", divide="ignore"):
            table[name] = _rounded(hits / total)
            told_hits, told_total = (hits, total) if told is None else _worth(told, part, whole)
            low, high = proportion_bounds(told_hits, told_total, level, "wilson")
        table[f"{name}_low"], table[f"{name}_high"] = _rounded(low), _rounded(high)
    for name in ("accuracy", "f1", "matthews_correlation"):
        table[name] = _rounded(np.asarray(getattr(counts, name))[steps])
    return table


def _cuts(subjects: ModelRows, steps: Any) -> list[Any]:
    return list(subjects.ranked[0].thresholds[steps])


def _worth(told: list[Any], part: str, whole: tuple[str, ...]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Hits and rows of as many independent rows as the subjects are worth, one entry per step."""
    hits, total = np.nan_to_num(np.array([each.share((part,), whole) for each in told])).T
    return np.minimum(hits, total), total


def _on_axis(ranked: RankedScores, thresholds: Any) -> NDArray[np.float64]:
    """Where to draw a threshold; infinite ones, which are not drawn, within the finite scores."""
    scores = ranked.doubles
    finite = scores[np.isfinite(scores)]
    ends = (finite[0], finite[-1]) if finite.size else (0.0, 1.0)
    drawn: NDArray[np.float64] = np.clip(thresholds.astype(np.float64), *ends)
    return drawn


def _rounded(values: Any) -> NDArray[np.float64]:
    """Six digits are more than a page shows, and half the bytes."""
    return np.asarray(values, dtype=np.float64).round(6)
