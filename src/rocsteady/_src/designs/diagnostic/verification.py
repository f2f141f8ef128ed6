"""Only some rows had the reference test: sensitivity, specificity and AUC of all, corrected for who was verified."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError, first_rows, is_number, refuse_one_class, some_values
from rocsteady._src.base.text import format_count
from rocsteady._src.base.typed import typed
from rocsteady._src.inference.intervals.auc import auc_interval
from rocsteady._src.inference.intervals.normal import check_level, quantile_of
from rocsteady._src.inputs.arrays import read_column
from rocsteady._src.inputs.labels import positive_rows
from rocsteady._src.inputs.reals import doubles_of
from rocsteady._src.ranked import numbered
from rocsteady._src.results import Interval
from rocsteady._src.results.remarks import Remark
from rocsteady._src.results.verification import PartialVerification

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Mask = NDArray[np.bool_]

FEW_VERIFIED = 10
RARELY = 0.05


@typed
def partial_verification(
    y_true: object,
    y_score: object,
    *,
    threshold: float,
    strata: object = None,
    probability: object = None,
    level: float = 0.95,
    pos_label: Any = None,
    verified: object = None,
) -> PartialVerification:
    """Sensitivity, specificity and AUC when the reference test was done for some rows only.

    Rows that the test calls positive are verified more often, so that the verified rows alone show a sensitivity that
    is too high and a specificity that is too low. If, among rows of the same call (and stratum), those verified are
    like the others, what happened to them holds for all: Begg and Greenes. With ``probability`` each verified row
    stands for 1 / probability rows (inverse weighting). With shares of the cells as probabilities both are the same.

    Parameters
    ----------
    y_true : array-like
        Labels; None or NaN where the truth was not verified, unless ``verified`` says so.
    y_score : array-like
        Score of every row; positive is called from ``threshold`` on.
    threshold : float
        Smallest score that is called positive.
    strata : array-like, optional
        What else verification depended on, such as symptoms or bins of the score; cells are calls by strata.
    probability : array-like, optional
        Known chance of every row to be verified, above 0: inverse weighting in place of cells.
    level : float
        Confidence level.
    pos_label : optional
        The label of the positive class; needed unless labels are {0, 1}, {-1, 1} or booleans.
    verified : array-like, optional
        Whether each row had the reference test, True or False (1 or 0): labels of the others are not read, whatever
        they hold. When absent, rows with a label are verified.

    Returns
    -------
    PartialVerification
        ``sensitivity``, ``specificity``, ``ppv``, ``npv``, ``prevalence`` and ``auc`` with intervals; ``naive`` has
        sensitivity, specificity and AUC of the verified rows alone. Variances by the delta method on the logit scale
        (Begg and Greenes), with half a row of each class more in cells whose verified rows are all of one class; that
        of the AUC takes weights for known, which errs on the careful side.

    References
    ----------
    Begg and Greenes (1983), Biometrics 39:207-215. Alonzo and Pepe (2005), Applied Statistics 54:173-190.

    Examples
    --------
    >>> import rocsteady as rs
    >>> score = [1] * 100 + [0] * 100
    >>> y = [1] * 40 + [0] * 10 + [None] * 50 + [1] * 2 + [0] * 8 + [None] * 90
    >>> found = rs.inference.partial_verification(y, score, threshold=1)
    >>> round(found.sensitivity.estimate, 4), round(found.naive["sensitivity"], 4)
    (0.8, 0.9524)
    """
    check_level(level)
    positive, seen, scores, label = _read(y_true, y_score, pos_label, verified)
    if not (is_number(threshold) and math.isfinite(threshold)):
        raise ArgumentError("threshold", f"threshold must be a number, got {threshold!r}")
    called = scores >= threshold
    weights, share, careful = (
        _cells(positive, seen, called, strata, scores.size)
        if probability is None
        else _given(probability, seen, scores.size, strata)
    )
    sums = _Sums(positive & seen, weights, share, careful)
    truth = positive[seen]
    refuse_one_class(truth.any(), not truth.all(), "the rates need verified rows of")
    how = "Begg-Greenes" if probability is None else "inverse weighting"
    made = {name: _interval(each, level, how) for name, each in _rates(sums, called).items()}
    kept = np.flatnonzero(seen)
    area = auc_interval(
        truth.astype(int), scores[kept], sample_weight=weights[kept], weight_type="sampling", level=level
    )
    naive = {"sensitivity": float(called[kept][truth].mean()), "specificity": float((~called[kept])[~truth].mean())}
    naive["auc"] = float(auc_interval(truth.astype(int), scores[kept]).estimate)
    return PartialVerification(
        **made,
        auc=area,
        naive=naive,
        method=how,
        threshold=float(threshold),
        level=level,
        n_rows=scores.size,
        n_verified=int(kept.size),
        pos_label=label,
        warnings=_remarks(positive, seen, called, weights, probability is None),
    )


def _rates(sums: _Sums, called: Mask) -> dict[str, tuple[float, float, float]]:
    """Each rate, where its interval is centred, and its standard error."""
    every, flagged = np.ones(called.size), called.astype(np.float64)
    rest = 1 - flagged
    return {
        "sensitivity": sums.ratio((flagged, 1), (every, 1)),
        "specificity": sums.ratio((rest, 0), (every, 0)),
        "ppv": sums.ratio((flagged, 1), (flagged, None)),
        "npv": sums.ratio((rest, 0), (rest, None)),
        "prevalence": sums.ratio((every, 1), (every, None)),
    }


class _Sums:
    """Weighted sums over all rows of what is known of the verified ones, and what each row adds to them."""

    def __init__(self, hit: Mask, weights: Array, share: Array, careful: Array) -> None:
        self.hit, self.weights, self.share, self.careful = hit, weights, share, careful

    def total(self, chosen: Array, outcome: int | None) -> tuple[float, Array, Array]:
        """Mean over rows of chosen x outcome; what each row adds above it; and how that varies within its cell.

        Shares of cells are NaN where weights were given: then a row adds its own outcome by its weight alone.
        """
        if outcome is None:
            return float(chosen.mean()), chosen - chosen.mean(), np.zeros(chosen.size)
        known = self.weights > 0
        if np.isnan(self.share).all():
            added = chosen * self.weights * np.where(known, self.hit == bool(outcome), 0.0)
            return float(added.mean()), added - float(added.mean()), np.zeros(chosen.size)
        expected = self.careful if outcome else 1 - self.careful
        sign = 1.0 if outcome else -1.0
        added = chosen * expected
        return float(added.mean()), added - float(added.mean()), sign * chosen

    def ratio(self, part: tuple[Array, int | None], whole: tuple[Array, int | None]) -> tuple[float, float, float]:
        """A ratio of two such sums; the same with careful shares, and its standard error."""
        above, of_part, within_part = self.total(*part)
        below, of_whole, within_whole = self.total(*whole)
        if not below > 0:
            return math.nan, math.nan, math.nan
        value = above / below
        pulls, inner = (of_part - value * of_whole) / below, (within_part - value * within_whole) / below
        spread = np.nan_to_num(self.careful * (1 - self.careful)) * np.where(self.weights > 0, self.weights**2, 0.0)
        squares = float((pulls**2).sum()) + float((inner**2 * spread).sum())
        return self._plain(part) / self._plain(whole), value, math.sqrt(squares) / pulls.size

    def _plain(self, what: tuple[Array, int | None]) -> float:
        """The sum as the rows have it."""
        chosen, outcome = what
        if outcome is None:
            return float(chosen.mean())
        happened = np.where(self.weights > 0, self.hit == bool(outcome), 0.0)
        return float((chosen * self.weights * happened).mean())


def _read(y_true: object, y_score: object, pos_label: Any, given: object) -> tuple[Mask, Mask, Array, Any]:
    labels, gaps = read_column(y_true, "y_true")
    scores, score_gaps = read_column(y_score, "y_score", numbers_follow=True)
    if labels.size != scores.size:
        text = f"y_true has {format_count(labels.size)} rows, y_score {format_count(scores.size)}"
        raise InputError("lengths_differ", f"{text}; pass one of each per row")
    if score_gaps is not None:
        raise InputError("missing_values", f"{format_count(score_gaps.sum())} rows have no score; all had the test")
    labelled = np.ones(labels.size, bool) if gaps is None else ~gaps
    verified = labelled if given is None else _said(given, labelled)
    if verified.all():
        raise InputError("all_verified", "all rows are verified: take rs.evaluate, there is nothing to correct")
    positive = np.zeros(labels.size, bool)
    found, label = positive_rows(_plain(labels[verified]), pos_label, "y_true")
    positive[verified] = found
    return positive, verified, doubles_of(scores, "y_score"), label


def _said(given: object, labelled: Mask) -> Mask:
    """Which rows are said to be verified; all of them have a label."""
    column, gap = read_column(given, "verified")
    if column.size != labelled.size or gap is not None:
        told = "holds missing values" if gap is not None else f"has {format_count(column.size)} rows"
        raise InputError("verified", f"verified {told}; pass one for each of {format_count(labelled.size)} rows")
    odd = [each for each in dict.fromkeys(column.tolist()) if each not in (0, 1)]
    if odd:
        raise InputError("verified", f"verified holds {some_values(odd)}; pass True or False for each row")
    found: Mask = column.astype(bool)
    lacking = np.flatnonzero(found & ~labelled)
    if lacking.size:
        text = f"{format_count(lacking.size)} rows are verified and have no label, "
        where = first_rows(lacking, total=lacking.size)
        raise InputError("verified", f"{text}{where}; label them, or say that they are not verified")
    return found


def _plain(labels: Any) -> Any:
    """Labels without gaps as a column of their own kind: 1.0 of a column with NaN is 1."""
    listed = labels.tolist()
    whole = all(isinstance(each, float) and each.is_integer() for each in listed)
    return np.array([int(each) for each in listed] if whole else listed)


def _cells(positive: Mask, verified: Mask, called: Mask, strata: object, n_rows: int) -> tuple[Array, Array, Array]:
    """Weight of each verified row (rows over verified rows of its cell), and the share of positives in its cell.

    The last is the same for intervals: with half a row of each class more where verified rows are all of one class.
    """
    names, group = ([""], np.zeros(n_rows, np.int64)) if strata is None else _numbered(strata, n_rows)
    cell = 2 * group + called
    size, seen = np.bincount(cell), np.bincount(cell, verified)
    empty = np.flatnonzero((size > 0) & (seen == 0))
    if empty.size:
        told = [f"called {'positive' if each % 2 else 'negative'}{_named(names[each // 2])}" for each in empty.tolist()]
        text = f"no row is verified among those {some_values(told)}"
        remedy = "verify some of them" if strata is None else "verify some of them, or take coarser strata"
        raise InputError("nothing_verified", f"{text}: nothing tells what they are; {remedy}")
    hits = np.bincount(cell, positive & verified)
    with np.errstate(invalid="ignore", divide="ignore"):
        share = hits / seen
        weights = np.where(verified, (size / seen)[cell], 0.0)
        pure = ((hits == 0) | (hits == seen)) & (seen > 0)
        careful = np.where(pure, (hits + 0.5) / (seen + 1), share)
    return weights, share[cell], careful[cell]


def _named(stratum: Any) -> str:
    return "" if stratum == "" else f" in stratum {stratum}"


def _numbered(strata: object, n_rows: int) -> tuple[list[Any], NDArray[np.int64]]:
    column, gap = read_column(strata, "strata")
    if column.size != n_rows or gap is not None:
        told = "holds missing values" if gap is not None else f"has {format_count(column.size)} rows"
        raise InputError("strata", f"strata {told}; pass one for each of {format_count(n_rows)} rows")
    return numbered(column)


def _given(probability: object, verified: Mask, n_rows: int, strata: object) -> tuple[Array, Array, Array]:
    if strata is not None:
        raise ArgumentError("strata", "pass strata or probability: probabilities say already who was verified")
    column, gap = read_column(probability, "probability")
    values = np.asarray(column, np.float64)
    if values.size != n_rows or gap is not None or not ((values > 0) & (values <= 1)).all():
        raise InputError("probability", f"probability needs a number above 0 and up to 1 for each of {n_rows} rows")
    unknown = np.full(n_rows, math.nan)
    return np.where(verified, 1 / values, 0.0), unknown, unknown


def _interval(found: tuple[float, float, float], level: float, how: str) -> Interval:
    """On the logit scale, around the value of careful shares."""
    value, centre, se = found
    facts: dict[str, Any] = {"level": level, "method": f"{how}, logit", "se": se}
    if not (0 < centre < 1 and se > 0):
        return Interval(value, math.nan, math.nan, **facts, warnings=(Remark("verified_at_bound"),))
    middle, reach = math.log(centre / (1 - centre)), quantile_of(level) * se / (centre * (1 - centre))
    low, high = (1 / (1 + math.exp(-end)) for end in (middle - reach, middle + reach))
    return Interval(value, min(low, value), max(high, value), **facts)


def _remarks(positive: Mask, verified: Mask, called: Mask, weights: Array, by_cells: bool) -> tuple[Remark, ...]:
    told = [Remark("verified_like_others")]
    wrong = {"misses": verified & ~called & positive, "false alarms": verified & called & ~positive}
    n, which = min((int(rows.sum()), name) for name, rows in wrong.items())  # the AUC hangs on the rarer error
    told += [Remark("few_verified", n=n, which=which, enough=FEW_VERIFIED)] if n < FEW_VERIFIED else []
    most = float(weights.max())
    told += [Remark("rarely_verified", most=most)] if most > 1 / RARELY else []
    return tuple(told) if by_cells else (*told[1:], Remark("weights_known"))
