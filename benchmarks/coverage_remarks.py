"""Where "auto" itself falls short between two models, and how often its results say so: tables of docs/coverage.md."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.integrate import quad
from scipy.special import ndtr, ndtri

from benchmarks.coverage_auto import OTHER_SIZES, Batch, Pairs, drawn
from benchmarks.coverage_kit import coverage, model_rows, stream, table
from benchmarks.coverage_tests import ALPHA, FAIR, MARGIN, TOO_LARGE
from rocsteady._src.inference.comparison.two_areas import Asked, paired_test
from rocsteady._src.inference.units.components import Area
from rocsteady._src.inference.units.spread import areas_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.coverage_kit import Effort

    Array = np.ndarray[Any, Any]

MARGIN_AUCS = (0.8, 0.9, 0.95, 0.97)
LOST, FAR, MOST_PAIRS = "lost", 10.0, 4_000_000
MARGIN_SHAPES = ((0.3, 1.0), (0.8, 1.0), (0.5, 2.0), (0.8, 2.0), (0.5, 0.5), LOST)
INSIDE = ((50, 10, 0.1), (50, 20, 0.1), (50, 10, 0.2), (50, 40, 0.1), (50, 60, 0.1), (50, 100, 0.1), (50, 200, 0.1))
SPREADS, AREAS = (1 / 3, 1.0, 3.0), ((0.8, 0.8), (0.75, 0.9))
MOST_SAMPLES = 1000


def margin_warning_table(effort: Effort) -> str:
    """Non-inferiority by "auto", by how often it rejects: the most, what is left without a remark, who has one."""
    bands = {f"{TOO_LARGE:.0%} or more": TOO_LARGE, f"{FAIR:.1%} to {TOO_LARGE:.0%}": FAIR, f"below {FAIR:.1%}": 0.0}
    found: dict[str, list[tuple[float, float]]] = {band: [] for band in bands}
    for sizes in OTHER_SIZES:
        for area in MARGIN_AUCS:
            for shape in MARGIN_SHAPES:
                rejected, told = told_with_margin(sizes, area, shape, effort.analytic)
                band = next(band for band, least in bands.items() if rejected >= least)
                found[band].append((rejected, told))
    rows = [[band, len(cells), *(_margin_cells(cells) if cells else "----")] for band, cells in found.items()]
    told = "results with the remark"
    return table(["rejected by auto", "settings", "most", "most without the remark", "rejections with it", told], rows)


def _margin_cells(cells: list[tuple[float, float]]) -> list[str]:
    rejected, told = np.array(cells).T
    return [
        f"{rejected.max():.1%}",
        f"{(rejected - told).max():.1%}",
        f"{told.sum() / rejected.sum():.0%}",
        f"{told.mean():.1%}",
    ]


def told_with_margin(sizes: tuple[int, int], area: float, shape: Any, repeats: int) -> tuple[float, float]:
    """Share of samples that reject, and share that carry the remark; the first model is worse by the margin."""
    rejected, told = 0, 0
    draw = lost if shape == LOST else drawn
    for batch in draw("margin remark", repeats, sizes, (area - MARGIN, area), shape):
        pairs = Pairs.of(batch)
        said, unlike = (pairs.pvalue(way, "greater", -MARGIN, margin=True) for way in ("auto", "unlike"))
        rejected += int((said <= ALPHA).sum())
        told += int(((said <= ALPHA) & (unlike > ALPHA)).sum())
    return rejected / repeats, told / repeats


def lost(key: str, repeats: int, sizes: tuple[int, int], aucs: tuple[float, float], _: Any) -> Iterator[Batch]:
    """Some positives are like negatives, to the first model all that are to the second; the others are far above."""
    rng, (n_pos, n_neg) = stream(key, sizes, aucs, LOST), sizes
    step = max(1, MOST_PAIRS // (2 * n_pos * n_neg))
    for start in range(0, repeats, step):
        count = min(step, repeats - start)
        missed = rng.random((count, 1, n_pos)) < 2 * (1 - np.array(aucs))[:, None]
        pos = rng.standard_normal((count, 2, n_pos)) + np.where(missed, 0.0, FAR)
        yield Batch.of(np.concatenate([pos, rng.standard_normal((count, 2, n_neg))], axis=2), n_pos)


def partial_difference_table(effort: Effort) -> str:
    """How often the interval of a difference of partial areas holds it, by the rows inside the range."""
    repeats, rows = min(max(effort.analytic // 4, 2), MOST_SAMPLES), []
    for n_pos, n_neg, reach in INSIDE:
        held = [held_inside((n_pos, n_neg), reach, sd, areas, repeats) for areas in AREAS for sd in SPREADS]
        shown = [coverage(share) for share in held]
        rows.append([f"{reach * n_neg:g}", n_pos, n_neg, reach, *shown])
    head = ["rows inside", "positives", "negatives", "FPR up to"]
    columns = [f"AUC {one} and {two}, sd {sd:.2g}" for one, two in AREAS for sd in SPREADS]
    return table([*head, *columns], rows)


def held_inside(sizes: tuple[int, int], reach: float, sd: float, areas: tuple[float, float], repeats: int) -> float:
    """Share of samples whose interval by Student's t, which is that of "auto", holds the difference."""
    area, held = Area(fpr_range=(0.0, reach)), 0
    one, two = (true_partial(each, sd, reach) for each in areas)
    for scores in two_models(sizes, sd, areas, stream("partial difference", sizes, reach, sd, areas), repeats):
        found = paired_test(areas_of(model_rows(scores, sizes[0]), area), (0, 1), Asked(area, method="delong-t"))
        held += bool(found.low <= one - two <= found.high)
    return held / repeats


def two_models(
    sizes: tuple[int, int], sd: float, areas: tuple[float, float], rng: np.random.Generator, repeats: int
) -> Iterator[Array]:
    """Scores of two models with correlation 1/2 on the same rows, positives first; ``sd`` is that of positives."""
    y = np.repeat([1.0, 0.0], sizes)
    gaps = np.array([gap_of(area, sd) for area in areas])[:, None] * y
    for _ in range(repeats):
        shared, own = (rng.standard_normal((models, y.size)) for models in (1, 2))
        yield np.where(y == 1, sd, 1.0) * math.sqrt(0.5) * (shared + own) + gaps


def gap_of(area: float, sd: float) -> float:
    """Mean of positives with this AUC."""
    return math.sqrt(1 + sd**2) * float(ndtri(area))


def true_partial(area: float, sd: float, reach: float) -> float:
    """Area of the binormal curve over FPR from 0 to ``reach``."""
    gap = gap_of(area, sd)
    return float(quad(lambda fpr: float(ndtr((gap + ndtri(fpr)) / sd)), 0, reach)[0])
