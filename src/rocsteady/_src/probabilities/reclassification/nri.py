"""Net reclassification improvement."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rocsteady._src.base.errors import ArgumentError
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.base.typed import typed
from rocsteady._src.inference.comparison.rounding import rounding
from rocsteady._src.inference.intervals.normal import check_choice, check_level
from rocsteady._src.inference.units.units import as_for_rows, mean_known
from rocsteady._src.inputs.weights import reading_remarks
from rocsteady._src.probabilities.reclassification.few_events import (
    bonett_price,
    chosen,
    counts_rows,
    nested,
    short_remarks,
)
from rocsteady._src.probabilities.reclassification.moments import not_negative, subject_covariance
from rocsteady._src.probabilities.reclassification.resample import bootstrapped
from rocsteady._src.probabilities.reclassification.two_models import (
    checked_cutoffs,
    direction,
    few_units,
    in_drawn_order,
    named,
    read_two_models,
    to_draw_from,
    wald,
)
from rocsteady._src.results import Estimate, NetReclassification
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.inference.units.units import Factor
    from rocsteady._src.inputs.clean import Missing
    from rocsteady._src.inputs.weights import WeightType
    from rocsteady._src.probabilities.reclassification.two_models import AnyPair, TwoModels

NRI_WARNING = Remark("nri_misleads")


@typed
def net_reclassification(
    y_true: object,
    old: object,
    new: object,
    *,
    cutoffs: object = None,
    level: float = 0.95,
    variance: Literal["estimate", "null"] = "estimate",
    method: Literal["auto", "wald", "bonett-price", "bootstrap"] = "auto",
    n_resamples: int = 2000,
    random_state: int | None = None,
    sample_weight: object = None,
    weight_type: WeightType | None = None,
    cluster: object = None,
    pos_label: Any = None,
    missing: Missing = "raise",
    label: str | None = None,
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
        Not of "bootstrap".
    method : {"auto", "wald", "bonett-price", "bootstrap"}
        How interval, z and p are made; se is that of the variance either way. "wald" is estimate +- z se, which is
        too short with few events or nonevents; "bonett-price" adds a row moved up and one moved down to each class
        (Bonett and Price 2012). "auto" takes it below 50 rows in the smaller class, and names it. Of subjects
        and of sampling weights "auto" is "wald". Measured in docs/reclassification.md. "bootstrap" draws rows within
        classes and gives percentile intervals and the standard deviation as se.
    n_resamples, random_state
        For "bootstrap".
    sample_weight, weight_type
        As in :func:`rocsteady.auc_interval`.
    cluster : array-like, optional
        Subject of each row, where subjects have several: the variance is that of sums over subjects (Obuchowski 1997;
        times n / (n - 1) of subjects, over the same of rows), and events and nonevents of a subject vary together.
        "bootstrap" draws subjects, within classes where none has rows of both. Without it rows must be independent.
    pos_label, missing
        As in :func:`rocsteady.rank`; rows incomplete in either model are dropped for both, and counted.
    label : str, optional
        Column of labels, when a table comes first and ``old``, ``new`` and ``sample_weight`` name columns of it; a
        lazy table is counted by its own engine, with ``weight_type="frequency"`` only.

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
    check_choice("method", method, ("auto", "wald", "bonett-price", "bootstrap"))
    if method == "bootstrap" and variance == "null":
        raise ArgumentError(
            "variance", Sentence("the bootstrap tests with its own variance: {variance='null'} is of {method='wald'}")
        )
    limits = None if cutoffs is None else checked_cutoffs(cutoffs)
    rows = read_two_models(
        y_true,
        old,
        new,
        sample_weight=sample_weight,
        weight_type=weight_type,
        cluster=cluster,
        pos_label=pos_label,
        missing=missing,
        label=label,
    )
    if method == "bonett-price" and not counts_rows(rows):
        text = Sentence("bonett-price counts rows; subjects and sampling weights have {method='wald'} and 'bootstrap'")
        raise ArgumentError("method", text)
    return named(nri_of_rows(rows, limits, level, variance, method, n_resamples, random_state), old, new, label)


def nri_of_rows(
    rows: AnyPair,
    cutoffs: tuple[float, ...] | None,
    level: float = 0.95,
    variance: str = "estimate",
    method: str = "auto",
    n_resamples: int = 2000,
    random_state: int | None = None,
) -> NetReclassification:
    """NRI of rows that were read."""
    moves = _moves(rows := in_drawn_order(rows, method), cutoffs)
    gains = (moves[0].gain, -moves[1].gain)
    variances = _three(*(move.variance for move in moves))
    nulls: list[Any] = _three(*(move.null_variance for move in moves)) if variance == "null" else [None] * 3
    if rows.clusters is not None and (known := rows.in_memory()) is not None:
        variances = _by_subjects(known, cutoffs, [move.gain for move in moves], as_for_rows)
        nulls = _by_subjects(known, cutoffs, [0.0, 0.0], mean_known) if variance == "null" else nulls
    parts = [
        wald(gain, var, level, test_variance=null, bound=rounding(rows.origin.n_rows, *gains))
        for gain, var, null in zip((sum(gains), *gains), variances, nulls, strict=True)
    ]
    sizes = rows.n_rows
    used = chosen(method, rows, sizes, "bonett-price")
    if used == "bonett-price":
        moved = ([getattr(move, name) for move in moves] for name in ("up", "down", "total"))
        parts = bonett_price(parts, *moved, keeps_test=variance == "null")
    elif used == "bootstrap":
        parts = bootstrapped(parts, to_draw_from(rows), lambda drawn: _gains(drawn, cutoffs), n_resamples, random_state)
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
        n_pos=moves[0].total,
        n_neg=moves[1].total,
        origin=rows.origin,
        warnings=(
            *reading_remarks(rows.origin),
            NRI_WARNING,
            *short_remarks(used, rows, sizes, "auto"),
            *few_units(total, rows),
            *_no_width(rows, of_events, of_nonevents),
            *nested(rows),
        ),
    )


def _no_width(rows: AnyPair, *parts: Estimate) -> tuple[Remark, ...]:
    """Which classes add no variance, and why that says little."""
    told = []
    for name, part, n_units in zip(("events", "nonevents"), parts, rows.n_rows, strict=True):
        if part.se == 0:
            told.append(Remark("single_mover" if n_units == 1 else "moved_alike", name=name))
    return tuple(told)


def _three(events: float, nonevents: float, across: float = 0.0) -> list[float]:
    """Variance of a difference between classes, and of its two sides."""
    return [events + nonevents - 2 * across, events, nonevents]


def _by_subjects(rows: TwoModels, cutoffs: tuple[float, ...] | None, gains: list[float], factor: Factor) -> list[float]:
    """The same three, about these means, by subjects."""
    moves = direction(rows.old, rows.new, cutoffs).astype(np.float64)
    found = subject_covariance(rows, moves[None], np.array(gains)[:, None], factor)[:, :, 0, 0]
    return [not_negative(float(each)) for each in _three(found[0, 0], found[1, 1], found[0, 1])]


def _gains(rows: AnyPair, cutoffs: tuple[float, ...] | None) -> list[float]:
    events, nonevents = _moves(rows, cutoffs)
    return [events.gain - nonevents.gain, events.gain, -nonevents.gain]


@dataclass(frozen=True, slots=True)
class _Moves:
    """Shares of one class that moved up and down, and the variance of their difference, also if nothing changed."""

    total: Any
    up: float
    down: float
    variance: float
    null_variance: float

    @property
    def gain(self) -> float:
        return self.up - self.down


def _moves(rows: AnyPair, cutoffs: tuple[float, ...] | None) -> tuple[_Moves, _Moves]:
    """Who moved, of the events and of the nonevents."""
    counts, squares = rows.moved(cutoffs)
    sampled = rows.weight_type == "sampling"
    nonevents, events = (_of_class(counts[i : i + 3], squares[i : i + 3] if sampled else None) for i in (0, 3))
    return events, nonevents


def _of_class(counts: NDArray[np.float64], squares: NDArray[np.float64] | None) -> _Moves:
    total = float(counts.sum())
    down, _, up = (float(count) / total for count in counts)
    gain = up - down
    if squares is None:
        return _Moves(int(total), up, down, (up + down - gain**2) / total, (up + down) / total)
    away = np.array([-1.0 - gain, -gain, 1.0 - gain]) ** 2
    return _Moves(total, up, down, float(squares @ away) / total**2, float(squares[0] + squares[2]) / total**2)
