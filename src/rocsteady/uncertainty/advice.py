"""What travels with an interval: when it is known to be too short, and which method is better there.

The limits come from the measurements in docs/coverage.md: a warning stands where coverage was below 92%. What decides
is how many rows of the smaller class stand on the wrong side, its size times 1 - AUC, and how even the classes are.
Newcombe's interval is named only where logit falls short too: its model fails when one class spreads much more.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from rocsteady.measures.ranking import auc

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from rocsteady.ranked import RankedScores

LOPSIDED = 10


def interval_warnings(ranked: RankedScores, estimate: float, se: float, method: str) -> list[str]:
    """Remarks on an interval of the AUC, or of a partial area of the same curve."""
    if method == "newcombe":
        return []
    whole_auc = float(auc.sheet.compute(ranked))
    partial = not math.isclose(estimate, whole_auc, abs_tol=1e-12)
    widest = ["newcombe"] if ranked.exact and not partial else []  # it knows whole areas of counted rows only
    if math.isnan(se):
        text = "fewer than two independent units in a class: the variance is undefined"
        return [text + _instead(widest)]
    if se == 0:
        text = f"all components agree (area {estimate:g}): a width of zero is not certainty"
        return [text + _instead(widest)]
    sizes = _sizes(ranked)
    too_short = _partial_too_short if partial else _too_short if ranked.exact else _weighted_too_short
    if not too_short(method, sizes, whole_auc):
        return []
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
    return "; use method=" + " or ".join(repr(name) for name in methods) if methods else ""


def _nothing_better(method: str) -> str:
    return "; only more rows help" if method == "logit" else "; method='logit' did better and still fell short"
