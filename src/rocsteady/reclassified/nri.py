"""Net reclassification improvement."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rocsteady.reclassified.resample import bootstrapped
from rocsteady.reclassified.rows import categories, checked_cutoffs, read_two_models, wald
from rocsteady.results import NetReclassification
from rocsteady.uncertainty.normal import check_choice, check_level

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady.inputs.clean import Missing
    from rocsteady.reclassified.rows import Side, TwoModels
    from rocsteady.uncertainty.influence import WeightType

NRI_WARNING = (
    "NRI rises for miscalibrated models even when nothing improves (Pepe, Hilden, Gerds): "
    "read it beside calibration and net benefit"
)


def net_reclassification(
    y_true: object,
    old: object,
    new: object,
    *,
    cutoffs: object = None,
    level: float = 0.95,
    variance: Literal["estimate", "null"] = "estimate",
    method: Literal["wald", "bootstrap"] = "wald",
    n_resamples: int = 2000,
    random_state: int | None = None,
    sample_weight: object = None,
    weight_type: WeightType | None = None,
    pos_label: Any = None,
    missing: Missing = "raise",
) -> NetReclassification:
    """Net reclassification improvement of a new model over an old one.

    NRI = [P(up | event) - P(down | event)] + [P(down | nonevent) - P(up | nonevent)], in [-2, 2]. With ``cutoffs`` up
    and down mean a higher and a lower risk category; without, any change of the probability. Each part has variance
    (up + down - (up - down)^2) / n of its class; they add. O(n).

    Parameters
    ----------
    y_true, old, new : array-like
        Labels and the probabilities of both models, row by row.
    cutoffs : sequence of float, optional
        Limits of the risk categories; a probability at a limit belongs to the higher category.
    level : float
        Confidence level.
    variance : {"estimate", "null"}
        "null" tests with (up + down) / n, the variance if nothing changed (Pencina 2008); intervals keep the other.
    method : {"wald", "bootstrap"}
        "bootstrap" draws rows within classes and gives percentile intervals and the standard deviation as se.
    n_resamples, random_state
        For "bootstrap".
    sample_weight, weight_type
        As in :func:`rocsteady.auc_interval`.
    pos_label, missing
        As in :func:`rocsteady.rank`; rows incomplete in either model are dropped for both, and counted.

    Returns
    -------
    NetReclassification
        ``nri, events, nonevents``, each with estimate, se, statistic, pvalue, low and high.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, old = [1, 1, 1, 0, 0, 0], [0.3, 0.6, 0.4, 0.4, 0.2, 0.6]
    >>> new = [0.6, 0.7, 0.3, 0.2, 0.1, 0.7]
    >>> result = rs.net_reclassification(y, old, new, cutoffs=[0.25, 0.5])
    >>> round(result.nri.estimate, 4), round(result.events.estimate, 4), round(result.nonevents.estimate, 4)
    (0.6667, 0.3333, 0.3333)
    """
    check_level(level)
    check_choice("variance", variance, ("estimate", "null"))
    check_choice("method", method, ("wald", "bootstrap"))
    limits = None if cutoffs is None else checked_cutoffs(cutoffs)
    rows = read_two_models(
        y_true,
        old,
        new,
        sample_weight=sample_weight,
        weight_type=weight_type,
        pos_label=pos_label,
        missing=missing,
    )
    return nri_of_rows(rows, limits, level, variance, method, n_resamples, random_state)


def nri_of_rows(
    rows: TwoModels,
    cutoffs: tuple[float, ...] | None,
    level: float = 0.95,
    variance: str = "estimate",
    method: str = "wald",
    n_resamples: int = 2000,
    random_state: int | None = None,
) -> NetReclassification:
    """NRI of rows that were read."""
    moves = [_Moves.of(side, cutoffs) for side in (rows.events, rows.nonevents)]
    gains = (moves[0].gain, -moves[1].gain)
    variances = [move.variance for move in moves]
    nulls = [move.null_variance if variance == "null" else None for move in moves]
    total_null = None if nulls[0] is None or nulls[1] is None else nulls[0] + nulls[1]
    parts = [
        wald(sum(gains), sum(variances), level, test_variance=total_null),
        *(wald(gain, var, level, test_variance=null) for gain, var, null in zip(gains, variances, nulls, strict=True)),
    ]
    if method == "bootstrap":
        parts = bootstrapped(parts, rows, lambda drawn: _gains(drawn, cutoffs), n_resamples, random_state)
    total, of_events, of_nonevents = parts
    return NetReclassification(
        nri=total,
        events=of_events,
        nonevents=of_nonevents,
        up_events=moves[0].up,
        down_events=moves[0].down,
        up_nonevents=moves[1].up,
        down_nonevents=moves[1].down,
        cutoffs=cutoffs,
        n_pos=rows.n_pos,
        n_neg=rows.n_neg,
        origin=rows.origin,
        warnings=(NRI_WARNING,),
    )


def _gains(rows: TwoModels, cutoffs: tuple[float, ...] | None) -> list[float]:
    events, nonevents = (_Moves.of(side, cutoffs) for side in (rows.events, rows.nonevents))
    return [events.gain - nonevents.gain, events.gain, -nonevents.gain]


class _Moves:
    """Shares of one class that moved up and down, and what they are worth."""

    def __init__(self, side: Side, direction: NDArray[Any]) -> None:
        self.up, self.down = side.mean(direction > 0), side.mean(direction < 0)
        self.gain = self.up - self.down
        n = side.total
        if side.weight_type == "sampling":
            self.variance = side.variance_of_mean(np.sign(direction).astype(np.float64), ddof=0)
            weights = side.weights if side.weights is not None else np.ones(direction.size)
            self.null_variance = float(weights**2 @ (direction != 0)) / float(weights.sum()) ** 2
        else:
            self.variance = (self.up + self.down - self.gain**2) / n
            self.null_variance = (self.up + self.down) / n

    @classmethod
    def of(cls, side: Side, cutoffs: tuple[float, ...] | None) -> _Moves:
        if cutoffs is None:
            return cls(side, np.sign(side.new - side.old))
        return cls(side, categories(side.new, cutoffs) - categories(side.old, cutoffs))
