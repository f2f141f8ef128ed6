"""Granular measures of whole batches, by the consistent definition; see :mod:`rocsteady._src.measures.granularity`."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.extras.lab.formulas import won_share
from rocsteady._src.measures.granularity.consistent import least_gap
from rocsteady._src.measures.granularity.deltas import is_width
from rocsteady._src.ranked.matrices import row_order

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.extras.lab.batch import Batch

    Array = NDArray[np.float64]

GAPS_AT_ONCE = 1 << 21


def suits(name: str, params: dict[str, Any]) -> bool:
    """Whether the parameters are among those that batches know: others go set by set."""
    if params.get("definition", "consistent") != "consistent" or params.get("float_ties", "exact") != "exact":
        return False
    return name == "rho_auc" or is_width(params.get("delta", 0.0))


def auc(batch: Batch) -> Array:
    """Mean step of d."""
    return batch.pair_mean("step", lambda p, n, _: 0.5 * (np.sign(p - n) + 1), losing=True)


def low(batch: Batch, *, delta: float = 0.0, **_: Any) -> Array:
    """Share of pairs with d >= delta, differences within a few ulp of it included."""
    if delta == 0:
        return auc(batch)
    return batch.pair_mean(
        ("low", delta), lambda p, n, _: ((n <= p - least_gap(p, delta)) & (n < p)).astype(np.float64)
    )


def up(batch: Batch, *, delta: float = 0.0, **_: Any) -> Array:
    """Share of pairs with d > -delta, differences within a few ulp of it excluded."""
    if delta == 0:
        return auc(batch)
    return batch.pair_mean(
        ("up", delta), lambda p, n, _: ((n < p + least_gap(p, delta)) | (n <= p)).astype(np.float64), losing=True
    )


def lambda_auc(batch: Batch, *, delta: float = 0.0, **_: Any) -> Array:
    """AUC times low / up; NaN where up is 0."""
    most = up(batch, delta=delta)
    share: Array = np.divide(low(batch, delta=delta), most, out=np.full(batch.shape, np.nan), where=most > 0)
    return share * auc(batch)


def rho_auc(batch: Batch, *, upper: float | str = 1.0, **_: Any) -> Array:
    """AUC times the root of mean(low/AUC) mean(AUC/up) over delta in [0, upper]; NaN where AUC or upper is 0."""
    limit = batch.width if upper == "range" else np.full(batch.width.shape, float(upper))
    key = ("low until", upper)
    if upper == "range":
        mean_low = batch.pair_mean(key, lambda p, n, width: np.clip(p - n, 0.0, width))
    else:
        mean_low = batch.pair_mean(key, lambda p, n, _: np.clip(p - n, 0.0, float(upper)))
    area = auc(batch)
    usable = (area > 0) & np.broadcast_to(limit > 0, batch.shape)
    divisor = np.where(limit > 0, limit, 1.0)
    mean_of_reciprocals = np.where(usable, _integral_of_one_over_up(batch, limit) / divisor, 0.0)
    found: Array = np.where(usable, area * np.sqrt(mean_low / divisor * mean_of_reciprocals), np.nan)
    return found


def _integral_of_one_over_up(batch: Batch, limit: Array) -> Array:
    """The integral of 1 / up from 0 to the limit: up is constant between the gaps of lost pairs."""
    pairs = list(permutations(range(batch.block.size), 2))
    at_once = max(1, GAPS_AT_ONCE // len(pairs))
    found = np.empty(batch.shape)
    for start in range(0, len(batch.block.scores), at_once):
        part = slice(start, start + at_once)
        found[..., part] = _integrals(batch, limit[part], np.array(pairs), part)
    return found


def _integrals(batch: Batch, limit: Array, pairs: Any, part: slice) -> Array:
    labels, columns = batch.block.labels, batch.columns[:, part]
    if not batch.block.crossed:
        labels = labels[part]
    lost = labels[:, pairs[:, 0]] & ~labels[:, pairs[:, 1]]
    behind = (columns[pairs[:, 1]] - columns[pairs[:, 0]]).T
    gaps = np.where(behind < 0, np.inf, behind)
    order = row_order(gaps)
    rows = np.arange(len(gaps))
    n_pos, n_neg = (count if batch.block.crossed else count[part] for count in (batch.n_pos, batch.n_neg))
    won = won_share(batch)[..., part] * (n_pos * n_neg)
    at, total = np.zeros(limit.shape), np.zeros(won.shape)
    for place in order.T:
        step = np.minimum(gaps[rows, place], limit)
        total += _over(step - at, won)
        won = won + (lost[:, place] if batch.block.crossed else lost[rows, place])
        at = step
    found: Array = (total + _over(limit - at, won)) * (n_pos * n_neg)
    return found


def _over(widths: Array, won: Array) -> Array:
    """Width / won, 0 where the width is; no pair won before the first gap makes the integral infinite."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(widths > 0, widths / won, 0.0)
