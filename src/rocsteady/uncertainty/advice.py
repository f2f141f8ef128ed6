"""What travels with an interval: when it is known to be too short, and which method is better there.

The limits come from the measurements in docs/coverage.md: a warning stands where coverage was below 92%. What decides
is how many rows of the smaller class stand on the wrong side, its size times 1 - AUC, and how even the classes are.
Newcombe's interval is named only where logit falls short too: its model fails when one class spreads much more.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from rocsteady.measures.ranking import auc

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady.ranked import ModelRows, RankedScores

LOPSIDED = 10
FEW_SUBJECTS = 20


def interval_warnings(
    ranked: RankedScores,
    estimate: float,
    se: float,
    method: str,
    *,
    partial: bool = False,
    rows: ModelRows | None = None,
    kind: str | None = None,
) -> list[str]:
    """Remarks on an interval of the AUC, or of a partial area; ``rows`` and ``kind`` tell subjects and weights."""
    if method == "newcombe":
        return []
    subjects = rows is not None and rows.clusters is not None
    counted = ranked.exact and kind != "sampling"
    whole_auc = float(auc.sheet.compute(ranked))
    widest = ["newcombe"] if counted and not partial and not subjects else []  # it knows whole areas of counted rows
    if math.isnan(se):
        text = "fewer than two independent units in a class: the variance is undefined"
        return [text + _instead(widest)]
    if se == 0:
        text = f"all components agree (area {estimate:g}): a width of zero is not certainty"
        return [text + _instead(widest)]
    few = few_subjects(rows.n_clusters) if rows is not None and subjects else ()
    sizes = _sizes(ranked) if rows is None else independent_rows(rows, kind)
    too_short = _partial_too_short if partial else _too_short if counted else _weighted_too_short
    if few or not too_short(method, sizes, whole_auc):
        return list(few)
    better = ["logit"] if method != "logit" and not too_short("logit", sizes, whole_auc) else widest
    text = (
        f"{min(sizes):.0f} rows in the smaller class and an AUC of {whole_auc:.3g}: 95% intervals by {method} held "
        "the truth in fewer than 92% of such samples"
    )
    return [text + (_instead(better) or _nothing_better(method))]


def resampling_warnings(ranked: RankedScores, method: str, better: str) -> list[str]:
    """Remarks on an interval by bootstrap or jackknife, of any measure of these rows."""
    area, sizes = float(auc.sheet.compute(ranked)), _sizes(ranked)
    if math.isnan(area) or _facts(sizes, area)[2] >= (10 if method == "basic" else 5):
        return []
    text = (
        f"{min(sizes):.0f} rows in the smaller class and an AUC of {area:.3g}: 95% intervals by {method} held the truth"
    )
    return [f"{text} in fewer than 92% of such samples; {better}"]


def few_subjects(n: int) -> tuple[str, ...]:
    """What to know about few subjects: 95% intervals were measured to hold 87 to 93 times of 100 with ten."""
    return (f"only {n} subjects: intervals over so few are too short",) if n < FEW_SUBJECTS else ()


def independent_rows(rows: ModelRows, kind: str | None) -> tuple[float, float]:
    """Rows of each class; a frequency weight stands for so many, sampling weights for equal ones (Kish)."""
    if rows.weights is None or kind == "frequency":
        return float(rows.ranked[0].n_pos), float(rows.ranked[0].n_neg)
    weights = rows.weights.astype(np.float64)
    return _kish(weights[rows.positive]), _kish(weights[~rows.positive])


def _sizes(ranked: RankedScores) -> tuple[float, float]:
    """Rows per class; with sampling weights, as many equal rows as weigh alike (Kish), read off different scores."""
    if ranked.exact:
        return ranked.n_pos, ranked.n_neg
    if ranked.scores.size == ranked.origin.n_rows:
        return _kish(ranked.pos), _kish(ranked.neg)
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


def _instead(methods: list[str]) -> str:
    return "; use " + " or ".join(f"rs.auc_interval(method={name!r})" for name in methods) if methods else ""


def _nothing_better(method: str) -> str:
    if method == "logit":
        return "; only more rows help"
    return "; rs.auc_interval(method='logit') did better and still fell short"
