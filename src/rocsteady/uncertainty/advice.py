"""What travels with an interval: when it is known to be too short, and which method is better there."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rocsteady.ranked import RankedScores

FEW = 20
NEAR_END = 0.95


def interval_warnings(ranked: RankedScores, estimate: float, se: float, method: str) -> list[str]:
    """Remarks on an interval of the AUC, from the measured coverage in docs/coverage.md."""
    if math.isnan(se):
        return [
            "fewer than two independent units in a class: the variance is undefined; use method='newcombe'"
        ]
    if method == "newcombe":
        return []
    if se == 0:
        return [f"all components agree (area {estimate:g}): a width of zero is not certainty; use method='newcombe'"]
    few = min(ranked.n_pos, ranked.n_neg) < FEW
    if few and method in ("delong", "bootstrap", "hanley-mcneil"):
        return [
            f"fewer than {FEW} rows in a class: coverage can fall below 92%; method='newcombe' or 'logit' holds better"
        ]
    return []
