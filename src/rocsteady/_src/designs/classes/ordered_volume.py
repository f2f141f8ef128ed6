"""One score against several ordered classes: the volume under the ROC surface (HUM), and ordinal concordance."""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError, some_values
from rocsteady._src.base.text import format_count
from rocsteady._src.base.typed import typed
from rocsteady._src.inference.intervals.normal import check_level, quantile_of
from rocsteady._src.inputs.arrays import read_column
from rocsteady._src.ranked import numbered, sorted_distinct
from rocsteady._src.results import Interval
from rocsteady._src.results.ordinal import OrdinalAuc
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

MOST_CLASSES = 12
FEW = 10


@typed
def ordinal_auc(y_true: object, y_score: object, *, order: Any = None, level: float = 0.95) -> OrdinalAuc:
    """How well one score puts several ordered classes in their order: volume under the ROC surface, and ordinal C.

    The volume (VUS of three classes, HUM of more) is the chance that rows drawn one from each class stand in the right
    order; rows that tie count as if a coin had ordered them, 1/2 for two, 1/6 for three. Chance is 1/K!. The ordinal C
    is the mean of the AUCs of all pairs of classes; ``concordance`` the share of rightly ordered pairs among all pairs
    of rows of different classes, where large classes count more. Chance of both is 1/2. O(n log n + n K^2).

    Variances are those of U-statistics, from what each row adds (DeLong's of two classes); intervals are on the logit
    scale with Student's t of the smallest class.

    Parameters
    ----------
    y_true : array-like
        The class of each row.
    y_score : array-like
        One score; higher means a later class.
    order : list, optional
        All classes from lowest to highest. Needed unless classes are numbers.
    level : float
        Confidence level.

    Returns
    -------
    OrdinalAuc
        ``volume``, ``ordinal_c`` and ``concordance`` with intervals; ``pairs``, the AUC of each two classes.

    References
    ----------
    Mossman (1999), Medical Decision Making 19:78-89. Nakas and Yiannoutsos (2004), Statistics in Medicine
    23:3437-3449. Van Calster, Van Belle, Vergouwe and Steyerberg (2012), Statistics in Medicine 31:2610-2626.

    Examples
    --------
    >>> import rocsteady as rs
    >>> stage, marker = [1, 1, 1, 2, 2, 2, 3, 3, 3], [1, 2, 4, 3, 5, 6, 5, 8, 9]
    >>> found = rs.multiclass.ordinal_auc(stage, marker)
    >>> round(found.volume.estimate, 4), round(found.ordinal_c.estimate, 4), found.chance
    (0.7222, 0.9074, 0.16666666666666666)
    """
    check_level(level)
    classes, codes, scores = _read(y_true, y_score, order)
    n_classes = len(classes)
    sizes = np.bincount(codes, minlength=n_classes)
    distinct, place = sorted_distinct(scores)
    shares = np.zeros((distinct.size, n_classes))
    np.add.at(shares, (place, codes), 1.0)
    shares /= sizes
    volume, of_volume = _volume(shares)
    areas, of_areas = _pairs(shares)
    pairs = list(areas)
    equal = dict.fromkeys(pairs, 1 / len(pairs))
    each = {pair: float(sizes[pair[0]]) * float(sizes[pair[1]]) for pair in pairs}
    by_rows = {pair: value / sum(each.values()) for pair, value in each.items()}
    facts = {"level": level, "df": float(sizes.min() - 1)}
    few = (Remark("few_of_ordered_class", n=int(sizes.min()), enough=FEW),) if sizes.min() < FEW else ()
    return OrdinalAuc(
        volume=_interval(volume, _variance(of_volume, place, codes, sizes), **facts),
        ordinal_c=_mixed(areas, of_areas, equal, (place, codes, sizes), facts),
        concordance=_mixed(areas, of_areas, by_rows, (place, codes, sizes), facts),
        pairs={(classes[a], classes[b]): value for (a, b), value in areas.items()},
        chance=1 / math.factorial(n_classes),
        classes=tuple(classes),
        counts=tuple(sizes.tolist()),
        level=level,
        warnings=few,
    )


def _read(y_true: object, y_score: object, order: Any) -> tuple[list[Any], NDArray[np.int64], Array]:
    labels, gap = read_column(y_true, "y_true")
    scores, other_gap = read_column(y_score, "y_score")
    if gap is not None or other_gap is not None:
        raise InputError("missing_values", "y_true and y_score must be complete: leave out rows that lack one")
    if labels.size != scores.size:
        text = f"y_true has {format_count(labels.size)} rows, y_score {format_count(scores.size)}"
        raise InputError("lengths_differ", f"{text}; pass one of each per row")
    found, codes = numbered(labels)
    known = list(found.tolist() if hasattr(found, "tolist") else found)
    if order is None and not all(isinstance(each, (int, float)) for each in known):
        raise ArgumentError("order", f"the classes {some_values(known)} have no order of their own: pass order=[...]")
    named = sorted(known) if order is None else list(order)
    if set(named) != set(known) or len(named) != len(set(named)) or not 2 <= len(named) <= MOST_CLASSES:
        text = f"order names {some_values(named)}, the rows hold {some_values(known)}"
        raise ArgumentError("order", f"{text}; name each of 2 to {MOST_CLASSES} classes once")
    turned = np.array([named.index(each) for each in known])
    return named, turned[codes], np.asarray(scores, np.float64)


def _steps(shares: Array) -> Array:
    """From the groups in the order given: chance that rows of the first b classes stand rightly within those before.

    A line for each number of groups, a column for each b.
    """
    n_groups, n_classes = shares.shape
    found = np.zeros((n_groups + 1, n_classes + 1))
    found[:, 0] = 1.0
    for b in range(1, n_classes + 1):
        added = np.zeros(n_groups)
        tied = np.ones(n_groups)
        for a in range(b - 1, -1, -1):  # classes a+1..b tie in this group
            tied = tied * shares[:, a]
            added += found[:-1, a] * tied / math.factorial(b - a)
        found[1:, b] = np.cumsum(added)
    return found


def _volume(shares: Array) -> tuple[float, Array]:
    """The volume, and what a row of each class in each group adds: the volume if it were the only one of its class."""
    n_groups, n_classes = shares.shape
    before = _steps(shares)[:-1]
    after = _steps(shares[::-1, ::-1])[::-1][1:]  # by number of classes still to come
    parts = np.zeros((n_groups, n_classes))
    for k in range(n_classes):
        for a in range(k + 1):
            for b in range(k + 1, n_classes + 1):
                tied = np.prod(shares[:, [j for j in range(a, b) if j != k]], axis=1)
                parts[:, k] += before[:, a] * tied / math.factorial(b - a) * after[:, n_classes - b]
    value = float((shares[:, 0] * parts[:, 0]).sum())
    return value, parts


def _pairs(shares: Array) -> tuple[dict[tuple[int, int], float], dict[tuple[int, int], Array]]:
    """AUC of each pair of classes, and what rows add to it."""
    values, parts = {}, {}
    for pair in combinations(range(shares.shape[1]), 2):
        values[pair], parts[pair] = _volume(shares[:, list(pair)])
    return values, parts


def _variance(parts: Array, place: NDArray[np.int64], codes: NDArray[np.int64], sizes: NDArray[np.int64]) -> float:
    """Sum over classes of the variance of what their rows add, over their number."""
    added = parts[place, codes]
    total = 0.0
    for k, size in enumerate(sizes.tolist()):
        total += float(np.var(added[codes == k], ddof=1)) / size if size > 1 else math.nan
    return total


def _mixed(
    areas: dict[tuple[int, int], float],
    parts: dict[tuple[int, int], Array],
    weights: dict[tuple[int, int], float],
    rows: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]],
    facts: dict[str, float],
) -> Interval:
    """A weighted mean of the AUCs of pairs."""
    place, codes, sizes = rows
    together = np.zeros((int(place.max()) + 1, sizes.size))
    for (a, b), weight in weights.items():
        together[:, [a, b]] += weight * parts[a, b]
    value = math.fsum(weight * areas[pair] for pair, weight in weights.items())
    return _interval(value, _variance(together, place, codes, sizes), **facts)


def _interval(value: float, variance: float, *, level: float, df: float) -> Interval:
    se = math.sqrt(variance) if variance >= 0 else math.nan
    facts: dict[str, Any] = {"level": level, "method": "U-statistic, logit", "se": se}
    if not (0 < value < 1 and se > 0 and df > 0):
        told = (Remark("no_spread_of_ordered"),)
        return Interval(value, math.nan, math.nan, **facts, warnings=told)
    centre, reach = math.log(value / (1 - value)), quantile_of(level, df=df) * se / (value * (1 - value))
    low, high = (1 / (1 + math.exp(-end)) for end in (centre - reach, centre + reach))
    return Interval(value, low, high, **facts)
