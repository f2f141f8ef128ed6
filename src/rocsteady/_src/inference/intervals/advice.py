"""What travels with an interval: when it is known to be too short, and which method is better there.

The limits come from the measurements in docs/coverage.md: a warning stands where coverage was below 92%. What decides
is how many rows of the smaller class stand on the wrong side, its size times 1 - AUC, and how even the classes are.
What is better is the default, method="auto", wherever another method was asked for and falls short.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from rocsteady._src.base.sentences import Sentence
from rocsteady._src.measures.ranking import auc
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.inference.units.components import Area
    from rocsteady._src.ranked import RankedScores, Rows

LOPSIDED = 10
FEW_SUBJECTS = 20
FEW_INSIDE = 6
DEFAULT = Sentence("use {rs.auc_interval(method='auto')}")


def interval_warnings(
    ranked: RankedScores,
    estimate: float,
    se: float,
    method: str,
    *,
    partial: bool = False,
    rows: Rows | None = None,
    kind: str | None = None,
) -> list[Remark]:
    """Remarks on an interval of the AUC, or of a partial area; ``rows`` and ``kind`` tell subjects and weights."""
    if method in ("newcombe", "wilson", "gaffke"):
        return [] if method == "newcombe" else _on_wilson(ranked, estimate, se, rows, kind, partial=partial)
    subjects = rows is not None and rows.clusters is not None
    counted = ranked.counts_rows and kind != "sampling"
    whole_auc = float(auc.sheet.compute(ranked)) if partial else estimate
    if math.isnan(se):
        return [Remark("no_variance", better=DEFAULT)]
    if se == 0:
        return [Remark("components_agree", area=estimate, better=DEFAULT)]
    better = Sentence("; {better}", better=DEFAULT)
    few = few_subjects(rows.n_clusters, better) if rows is not None and subjects else ()
    sizes = _sizes(ranked) if rows is None else independent_rows(rows, kind)
    too_short = _partial_too_short if partial else _too_short if counted else _weighted_too_short
    if few or not too_short(method, sizes, whole_auc):
        return list(few)
    return [Remark("short_interval", rows=round(min(sizes)), auc=whole_auc, method=method, better=DEFAULT)]


def _on_wilson(
    ranked: RankedScores, estimate: float, se: float, rows: Rows | None, kind: str | None, *, partial: bool
) -> list[Remark]:
    """Where the default itself rests on little, or was measured too short."""
    if math.isnan(se):
        return [Remark("single_row" if min(ranked.n_pos, ranked.n_neg) <= 1 else "single_unit")]
    few = [] if rows is None or rows.clusters is None else very_few_subjects(rows.n_clusters)
    if few or rows is None or kind != "sampling":
        return few
    area = float(auc.sheet.compute(ranked)) if partial else estimate
    return [Remark("few_heavy")] if _weighted_too_short("wilson", independent_rows(rows, kind), area) else []


def few_inside(area: Area, sizes: tuple[float, float]) -> list[Remark]:
    """Say that a partial area rests on few rows, of the class that its range is a share of.

    Measured (docs/coverage.md, table partial_few_inside): 77% at the least with one row inside, 85% with two, 90% with
    four, 92% or more from six on.
    """
    inside = area.reach * (sizes[0] if area.tpr_range else sizes[1])
    if area.whole or inside >= FEW_INSIDE:
        return []
    return [Remark("few_inside", rows=inside)]


def resampling_warnings(ranked: RankedScores, method: str, better: str) -> list[Remark]:
    """Remarks on an interval by bootstrap or jackknife, of any measure of these rows."""
    area, sizes = float(auc.sheet.compute(ranked)), _sizes(ranked)
    if math.isnan(area) or _facts(sizes, area)[2] >= (10 if method == "basic" else 5):
        return []
    return [Remark("short_interval", rows=round(min(sizes)), auc=area, method=method, better=better)]


def very_few_subjects(n: int) -> list[Remark]:
    """What to know where the default was not measured: with fewer subjects than twenty."""
    return [Remark("subjects_not_measured", n=n)] if n < FEW_SUBJECTS else []


def few_subjects(n: int, better: str = "") -> tuple[Remark, ...]:
    """What to know about few subjects: 95% intervals were measured to hold 87 to 93 times of 100 with ten."""
    return (Remark("few_subjects", n=n, better=better),) if n < FEW_SUBJECTS else ()


def independent_rows(rows: Rows, kind: str | None) -> tuple[float, float]:
    """Rows of each class; a frequency weight stands for so many, sampling weights for equal ones (Kish)."""
    if rows.weights is None or (kind or rows.reading) == "frequency":
        return float(rows.ranked[0].n_pos), float(rows.ranked[0].n_neg)
    weights = rows.weights.astype(np.float64)
    return _kish(weights[rows.positive]), _kish(weights[~rows.positive])


def _sizes(ranked: RankedScores) -> tuple[float, float]:
    """Rows per class; with sampling weights, as many equal rows as weigh alike (Kish), read off different scores."""
    if ranked.counts_rows:
        return ranked.n_pos, ranked.n_neg
    if ranked.scores.size == ranked.origin.n_rows:
        return _kish(ranked.pos.astype(np.float64)), _kish(ranked.neg.astype(np.float64))
    share = ranked.n_pos / ranked.n_rows_counted
    return ranked.origin.n_rows * share, ranked.origin.n_rows * (1 - share)


def _kish(weights: NDArray[np.float64]) -> float:
    return float(weights.sum()) ** 2 / float(weights @ weights)


def _too_short(method: str, sizes: tuple[float, float], area: float) -> bool:
    fewest, ratio, wrong = _facts(sizes, area)
    if method == "delong":
        return wrong < 5
    if method == "logit":
        return wrong < (2.5 if ratio >= LOPSIDED else 0.7)
    return method == "hanley-mcneil" and _hanley_mcneil_too_short(fewest, ratio, wrong)


def _hanley_mcneil_too_short(fewest: float, ratio: float, wrong: float) -> bool:
    """Its variance is too large for uneven classes, which makes up for its symmetry there."""
    if fewest < 5 or (ratio < 2 and fewest < 15):
        return True
    return wrong < (3.5 if ratio < 2 and fewest < 50 else 0.5 if ratio < LOPSIDED else 0)


def _weighted_too_short(method: str, sizes: tuple[float, float], area: float) -> bool:
    wrong = _facts(sizes, area)[2]
    return wrong < (10 if method == "delong" else 9)


def _partial_too_short(method: str, sizes: tuple[float, float], area: float) -> bool:
    fewest, _, wrong = _facts(sizes, area)
    if method == "delong":
        return fewest < 30 or wrong < 3
    return method == "logit" and (fewest < 5 or max(sizes) < 20 or wrong < 0.5)


def _facts(sizes: tuple[float, float], area: float) -> tuple[float, float, float]:
    """Rows in the smaller class, how many times larger the other is, rows on the wrong side."""
    fewest = min(sizes)
    return fewest, max(sizes) / fewest, fewest * min(area, 1 - area)
