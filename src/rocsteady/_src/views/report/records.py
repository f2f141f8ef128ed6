"""Records of the charts, from results: curves thinned with a stated bound, histograms from groups."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.binning import counting_edges
from rocsteady._src.base.geometry import thin
from rocsteady._src.base.text import format_digits, format_interval
from rocsteady._src.inference.bands.roc_band import roc_band
from rocsteady._src.measures.curves import gains_curve, roc_hull
from rocsteady._src.measures.granularity.edges import granular_edges
from rocsteady._src.results.plain_values import plain
from rocsteady._src.views.report.operating import rates, shortened

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from rocsteady._src.ranked import RankedScores, Rows
    from rocsteady._src.results import Interval

    Records = list[dict[str, Any]]

safe = partial(plain, doubles=True)
DEVIATION = 0.0075
BINS = 40
DELTAS = 6


def as_records(model: str, columns: Mapping[str, Any]) -> Records:
    """One dictionary per row, numbered by ``i``; what is not finite becomes text or null."""
    names = list(columns)
    rows = zip(*(safe(np.asarray(columns[name])) for name in names), strict=True)
    return [{"model": model, "i": i, **dict(zip(names, row, strict=True))} for i, row in enumerate(rows)]


def interval_text(interval: Any) -> str:
    """An estimate with its interval in one cell; a mark where it is undefined."""
    estimate, low, high = (float(getattr(interval, name)) for name in ("estimate", "low", "high"))
    return format_interval(estimate, low, high)


def interval_record(model: str, row: str, interval: Interval) -> dict[str, Any]:
    """One line of a forest."""
    return {"model": model, "row": row, **ends_of(interval)}


def ends_of(found: Any) -> dict[str, Any]:
    """An estimate with the ends of its interval, and p where it is a test, as JSON can hold them."""
    ends = {name: safe(float(getattr(found, name))) for name in ("estimate", "low", "high")}
    tested = getattr(found, "pvalue", None)
    return ends if tested is None else {**ends, "p": safe(float(tested))}


def walk(model: str, ranked: RankedScores, level: float, subjects: Rows | None = None) -> tuple[Records, Records]:
    """Points of the ROC and of the precision-recall curve, each with its rates and their intervals."""
    tp, fp = ranked.called_positive
    tpr, fpr = tp / ranked.n_pos, fp / ranked.n_neg
    with np.errstate(invalid="ignore"):
        precision = np.nan_to_num(tp / (tp + fp), nan=1.0)
    made = []
    for curve, x, y in (("roc", fpr, tpr), ("pr", tpr, precision)):
        kept = thin(x, y, DEVIATION)
        found = {
            name: column.round(4)
            for name, column in rates(ranked, kept, level, subjects).items()
            if name in KEPT[curve]
        }
        made.append(as_records(model, {"threshold": shortened(ranked, ranked.thresholds[kept]), **found}))
    return made[0], [record for record in made[1] if record["precision"] is not None]


KEPT = {
    curve: [f"{name}{end}" for name in axes for end in ("", "_low", "_high")] + [other]
    for curve, axes, other in (("roc", ("tpr", "fpr"), "precision"), ("pr", ("tpr", "precision"), "fpr"))
}


def band(model: str, rows: RankedScores | Rows, level: float) -> Records:
    """Pointwise band of the ROC, of ranked scores, or of rows with their subjects."""
    found = roc_band(rows, method="pointwise", level=level, fpr=np.linspace(0, 1, 101))
    return as_records(model, {"fpr": found.fpr.round(4), "low": found.low.round(5), "high": found.high.round(5)})


def hull(model: str, ranked: RankedScores) -> Records:
    """Vertices of the hull."""
    found = roc_hull(ranked)
    return as_records(
        model, {"fpr": found.fpr.round(6), "tpr": found.tpr.round(6), "threshold": shortened(ranked, found.thresholds)}
    )


def gains(model: str, ranked: RankedScores) -> Records:
    """Cumulative gains with lift."""
    found = gains_curve(ranked)
    kept = thin(found.fraction, found.gain, DEVIATION)
    columns = {"fraction": found.fraction, "gain": found.gain, "lift": found.lift}
    rounded = {name: values[kept].round(5) for name, values in columns.items()}
    return as_records(model, {**rounded, "threshold": shortened(ranked, found.thresholds[kept])})


def distributions(model: str, ranked: RankedScores) -> Records:
    """Histograms of both classes on the same bins, from groups; the negatives point down."""
    scores = ranked.doubles
    finite = np.isfinite(scores)
    edges, counted = histogram_edges(scores[finite])
    records: Records = []
    for name, counts, total, sign in (
        ("positive", ranked.pos, ranked.n_pos, 1),
        ("negative", ranked.neg, ranked.n_neg, -1),
    ):
        share = _counted(scores[finite], counts[finite], counted) / total
        shown = _short_edges(edges)
        columns = {"from": shown[:-1], "to": shown[1:], "size": share.round(6), "share": (sign * share).round(6)}
        records += [{**record, "class": name} for record in as_records(model, columns)]
    return records


def _short_edges(edges: NDArray[np.float64]) -> NDArray[np.float64]:
    """Edges to a thousandth of the narrowest bin: what a picture can show."""
    narrow = float(np.diff(edges).min())
    decimals = 3 - math.floor(math.log10(narrow)) if narrow > 0 else 16
    return edges.round(decimals) if 0 <= decimals < 16 else edges


def _counted(scores: NDArray[Any], counts: NDArray[Any], edges: NDArray[np.float64]) -> NDArray[Any]:
    """``np.histogram`` of rising scores; counts add up exactly in any order, weights do not."""
    if counts.dtype.kind == "f":
        return np.histogram(scores, edges, weights=counts)[0]
    places = scores.searchsorted(edges)
    places[-1] = scores.searchsorted(edges[-1], side="right")
    return np.diff(np.append(0, counts.cumsum())[places]).astype(np.float64)


def histogram_edges(scores: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Bins between the lowest and the highest score, to show and to count by; few distinct scores get a bin each."""
    if scores.size == 0:
        return (np.array([0.0, 1.0]),) * 2
    if scores.size <= BINS:
        middle = scores[:-1] / 2 + scores[1:] / 2
        reach = float(np.diff(scores / 2).min()) if scores.size > 1 else max(abs(float(scores[0])), 1.0) / 20
        largest = np.finfo(np.float64).max
        ends = (max(float(scores[0]) - reach, -largest), min(float(scores[-1]) + reach, largest))
        return (np.unique(np.concatenate([ends[:1], middle, ends[1:]])),) * 2
    edges = np.unique(np.linspace(scores[0], scores[-1], BINS + 1))
    return edges, counting_edges(edges, float(np.abs(edges).max()))


def granular_family(model: str, ranked: RankedScores) -> list[dict[str, Any]]:
    """Low and up curve for each delta of the slider, from 0 to a quarter of the scores' range."""
    reach = float(ranked.doubles[-1] - ranked.doubles[0])
    if not (math.isfinite(reach) and reach > 0):
        return []
    family = []
    deltas = [float(format_digits(step, 3)) for step in np.linspace(0, reach / 4, DELTAS).tolist()]
    for delta, (low, up) in zip(deltas, granular_edges(ranked, deltas, 0.02), strict=True):
        records: Records = []
        for edge, curve in (("low", low), ("up", up)):
            columns = {"fpr": curve.fpr.round(4), "tpr": curve.tpr.round(4)}
            records += [{**record, "edge": edge} for record in as_records(model, columns)]
        family.append({"delta": delta, "low": low.area, "up": up.area, "records": records})
    return family
