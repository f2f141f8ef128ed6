"""One score against several ordered classes: the volume under the ROC surface (HUM), and ordinal concordance."""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError, some_values
from rocsteady._src.base.typed import typed
from rocsteady._src.inference.intervals.normal import check_level, quantile_of
from rocsteady._src.inference.units.units import unbiased
from rocsteady._src.inputs.arrays import category_order, read_column
from rocsteady._src.inputs.clean import check_lengths, check_row_labels, counted_rows, rows_to_keep
from rocsteady._src.inputs.reals import doubles_of
from rocsteady._src.inputs.weights import ASSUMED, checked_weights, settled_weights, weight_type_of
from rocsteady._src.ranked import numbered, sorted_distinct
from rocsteady._src.results import Interval
from rocsteady._src.results.ordinal import OrdinalAuc
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.inputs.clean import Missing
    from rocsteady._src.inputs.weights import WeightType

    Array = NDArray[np.float64]
    Whole = NDArray[np.int64]

MOST_CLASSES = 12
FEW = 10
NO_SPREAD = 1e-20  # of a variance; rounding leaves about 1e-30


class OrderedRows(NamedTuple):
    """Complete rows: the number of each row's class in the order of ``classes``, its score and its weight.

    ``counted`` tells that a weight is so many rows; ``n_dropped`` rows lacked a value.
    """

    classes: list[Any]
    codes: Whole
    scores: Array
    weights: Array
    counted: bool
    n_dropped: int
    remarks: tuple[Remark, ...]

    @property
    def sizes(self) -> Array:
        """Weight of each class."""
        found: Array = np.bincount(self.codes, self.weights, len(self.classes)).astype(np.float64)
        return found

    @property
    def units(self) -> Array:
        """How many independent rows each class has."""
        rows: Array = np.bincount(self.codes, minlength=len(self.classes)).astype(np.float64)
        return self.sizes if self.counted else rows


@typed
def ordinal_auc(
    y_true: object,
    y_score: object,
    *,
    order: Any = None,
    level: float = 0.95,
    sample_weight: object = None,
    weight_type: WeightType | None = None,
    missing: Missing = "raise",
) -> OrdinalAuc:
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
        All classes from lowest to highest. Needed unless classes are numbers, or an ordered categorical (pandas, Enum
        of polars), which says its order itself.
    level : float
        Confidence level.
    sample_weight, weight_type, missing
        As in :func:`rocsteady.auc_interval`.

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
    rows = _read(y_true, y_score, order, sample_weight, weight_type, missing)
    n_classes, sizes = len(rows.classes), rows.sizes
    distinct, place = sorted_distinct(rows.scores)
    shares = np.zeros((distinct.size, n_classes))
    np.add.at(shares, (place, rows.codes), rows.weights)
    shares /= sizes
    volume, of_volume = _volume(shares)
    areas, of_areas = _pairs(shares)
    equal = dict.fromkeys(areas, 1 / len(areas))
    each = {pair: float(sizes[pair[0]]) * float(sizes[pair[1]]) for pair in areas}
    by_rows = {pair: value / sum(each.values()) for pair, value in each.items()}
    found = {
        "volume": _interval(volume, _variance(of_volume, place, rows), rows, level),
        "ordinal_c": _mixed(areas, of_areas, equal, place, rows, level),
        "concordance": _mixed(areas, of_areas, by_rows, place, rows, level),
    }
    told = [remark for interval in found.values() for remark in interval.warnings]
    return OrdinalAuc(
        **found,
        pairs={(rows.classes[a], rows.classes[b]): value for (a, b), value in areas.items()},
        chance=1 / math.factorial(n_classes),
        classes=tuple(rows.classes),
        counts=tuple(int(size) if size.is_integer() else size for size in sizes.tolist()),
        level=level,
        warnings=tuple(dict.fromkeys([*rows.remarks, *_few(rows), *told])),
        n_dropped=rows.n_dropped,
        weighted=bool((rows.weights != 1).any()),
    )


def _few(rows: OrderedRows) -> tuple[Remark, ...]:
    fewest = int(rows.units.min())
    return (Remark("few_of_ordered_class", n=fewest, enough=FEW),) if fewest < FEW else ()


def _read(
    y_true: object, y_score: object, order: Any, sample_weight: object, weight_type: str | None, missing: Missing
) -> OrderedRows:
    weight_type_of(None, weight_type)
    labels, no_label = read_column(y_true, "y_true")
    scores, no_score = read_column(y_score, "y_score", numbers_follow=True)
    weights, no_weight = (None, None) if sample_weight is None else read_column(sample_weight, "sample_weight")
    check_lengths({"y_true": labels, "y_score": scores, "sample_weight": weights})
    check_row_labels({"y_true": y_true, "y_score": y_score, "sample_weight": sample_weight})
    if weights is not None and no_weight is None:
        weights = checked_weights(weights, "sample_weight", weight_type)
    gaps = {"y_true": no_label, "y_score": no_score, "sample_weight": no_weight}
    keep, n_dropped = rows_to_keep(gaps, labels, no_label, missing, counted=counted_rows(weights, no_weight))
    if keep is not None:
        labels, scores, weights = labels[keep], scores[keep], None if weights is None else weights[keep]
    weights = None if weights is None else settled_weights(weights, "sample_weight", weight_type)
    if not labels.size:
        raise InputError("empty", "there are no rows")
    classes, codes = _ordered(labels, order, category_order(y_true))
    return OrderedRows(
        classes,
        codes,
        doubles_of(scores, "y_score"),
        np.ones(codes.size) if weights is None else weights.astype(np.float64),
        counted=weights is None or weight_type == "frequency",
        n_dropped=n_dropped,
        remarks=() if weights is None or weight_type is not None else (ASSUMED,),
    )


def _ordered(labels: Any, order: Any, own: tuple[Any, ...]) -> tuple[list[Any], Whole]:
    """Classes from low to high: as asked for, as their type says, or as numbers; and the class of each row."""
    known, codes = numbered(labels)
    if order is None and not own and not all(isinstance(each, (int, float)) for each in known):
        raise ArgumentError("order", f"the classes {some_values(known)} have no order of their own: pass order=[...]")
    by_type = [each for each in own if each in known] if own else sorted(known)
    named = by_type if order is None else list(order)
    if set(named) != set(known) or len(named) != len(set(named)) or not 2 <= len(named) <= MOST_CLASSES:
        text = f"order names {some_values(named)}, the rows hold {some_values(known)}"
        raise ArgumentError("order", f"{text}; name each of 2 to {MOST_CLASSES} classes once")
    turned = np.array([named.index(each) for each in known])
    return named, turned[codes]


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


def _variance(parts: Array, place: Whole, rows: OrderedRows) -> float:
    """Sum over classes of the variance of the weighted mean of what their rows add.

    Weights that count rows are as many rows; a row of another weight is one unit, however much it weighs.
    """
    added = parts[place, rows.codes]
    sizes, factors = rows.sizes, np.array([unbiased(n) for n in rows.units.tolist()])
    away = added - (np.bincount(rows.codes, rows.weights * added) / sizes)[rows.codes]
    squares = np.bincount(rows.codes, (rows.weights if rows.counted else rows.weights**2) * away**2)
    return float((squares / sizes**2 * factors).sum())


def _mixed(
    areas: dict[tuple[int, int], float],
    parts: dict[tuple[int, int], Array],
    weights: dict[tuple[int, int], float],
    place: Whole,
    rows: OrderedRows,
    level: float,
) -> Interval:
    """A weighted mean of the AUCs of pairs."""
    together = np.zeros((int(place.max()) + 1, len(rows.classes)))
    for (a, b), weight in weights.items():
        together[:, [a, b]] += weight * parts[a, b]
    value = math.fsum(weight * areas[pair] for pair, weight in weights.items())
    return _interval(value, _variance(together, place, rows), rows, level)


def _interval(value: float, variance: float, rows: OrderedRows, level: float) -> Interval:
    """On the logit scale; none where nothing varies, as of a score that is the same in all rows."""
    df = float(rows.units.min()) - 1
    se = math.sqrt(variance) if variance >= 0 else math.nan
    facts: dict[str, Any] = {"level": level, "method": "U-statistic, logit", "se": se}
    if not (0 < value < 1 and variance > NO_SPREAD and df > 0):
        told = (Remark("no_spread_of_ordered"),)
        return Interval(value, math.nan, math.nan, **facts, warnings=told)
    centre, reach = math.log(value / (1 - value)), quantile_of(level, df=df) * se / (value * (1 - value))
    low, high = (1 / (1 + math.exp(-end)) for end in (centre - reach, centre + reach))
    return Interval(value, low, high, **facts)
